// The data sections of a report: zlib streams that are unpacked when they are first needed. A file has them as base64,
// each in an element of its own. Whatever comes from them is checked before it is used: a file that was cut or edited
// says so.

/** An error whose message is meant for the reader. */
export class PageError extends Error {}

export const damaged = (why: string): PageError =>
  new PageError(`The data of this file is damaged: ${why}. Write the file again.`);

export type Bytes = Uint8Array<ArrayBuffer>;

export function bytesOfBase64(text: string): Bytes {
  const direct = Uint8Array as unknown as { fromBase64?: (text: string) => Bytes };
  if (direct.fromBase64) return direct.fromBase64(text);
  const packed = atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; ++i) bytes[i] = packed.charCodeAt(i);
  return bytes;
}

/**
 * Single values stand behind the script, so their elements are complete only once the browser has read what follows
 * them.
 */
async function sectionElement(name: string): Promise<Element | null> {
  for (;;) {
    const element = document.getElementById(`s:${name}`);
    if (!name.startsWith("cells") || document.readyState !== "loading" || element?.nextSibling) return element;
    await new Promise((resume) => {
      new MutationObserver(resume).observe(document.body, { childList: true });
      document.addEventListener("readystatechange", resume); // several sections may be waited for
    });
  }
}

/** Fails as soon as more than `limit` bytes have passed, so that a small section cannot fill the memory. */
class ByteLimit {
  isExceeded = false;
  private size = 0;
  constructor(private readonly limit: number) {}
  stream(): TransformStream<Bytes, Bytes> {
    return new TransformStream<Bytes, Bytes>({
      transform: (chunk, controller) => {
        this.size += chunk.length;
        this.isExceeded = this.size > this.limit;
        if (this.isExceeded) controller.error();
        else controller.enqueue(chunk);
      },
    });
  }
}

/** The sections of one report. */
export class Sections {
  /** `packed` finds the zlib stream of a section; undefined if there is no section of that name. */
  constructor(private readonly packed: (name: string) => Promise<Bytes | undefined>) {}

  /** The unpacked bytes of a section, at most `limit`; undefined if there is no section of that name. */
  async bytes(name: string, limit: number = 1 << 28): Promise<Bytes | undefined> {
    if (typeof DecompressionStream === "undefined")
      throw new PageError(
        "This browser is too old for the page: it needs DecompressionStream (Chrome 80, Firefox 113, Safari 16.4).",
      );
    const byteLimit = new ByteLimit(limit);
    try {
      const found = await this.packed(name);
      if (!found) return undefined;
      const packed = new Blob([found]).stream();
      const unpacked = packed.pipeThrough(new DecompressionStream("deflate")).pipeThrough(byteLimit.stream());
      return new Uint8Array(await new Response(unpacked).arrayBuffer());
    } catch {
      throw damaged(
        byteLimit.isExceeded ? `section ${name} is larger than possible` : `section ${name} cannot be unpacked`,
      );
    }
  }
  /** A section of JSON; undefined if there is no section of that name. */
  async json<T>(name: string): Promise<T | undefined> {
    const bytes = await this.bytes(name);
    if (!bytes) return undefined;
    try {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as T;
    } catch {
      throw damaged(`section ${name} is not JSON`);
    }
  }
}

/** Those of the file that this page is. */
export const fileSections = new Sections(async (name) => {
  const element = await sectionElement(name);
  return element ? bytesOfBase64(element.textContent ?? "") : undefined;
});
