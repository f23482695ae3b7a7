// The data sections of the file: base64 of zlib streams, each in an element of its own, which are unpacked when they
// are first needed. Whatever comes from them is checked before it is used: a file that was cut or edited says so.

/** An error whose message is meant for the reader. */
export class PageError extends Error {}

export const damaged = (why: string): PageError =>
  new PageError(`The data of this file is damaged: ${why}. Write the file again.`);

export type Bytes = Uint8Array<ArrayBuffer>;

function bytesOfBase64(text: string): Bytes {
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

/** The unpacked bytes of a section, at most `limit`; undefined if the file has no section of that name. */
export async function section(name: string, limit: number = 1 << 28): Promise<Bytes | undefined> {
  const element = await sectionElement(name);
  if (!element) return undefined;
  if (typeof DecompressionStream === "undefined")
    throw new PageError(
      "This browser is too old for the page: it needs DecompressionStream (Chrome 80, Firefox 113, Safari 16.4).",
    );
  const byteLimit = new ByteLimit(limit);
  try {
    const packed = new Blob([bytesOfBase64(element.textContent ?? "")]).stream();
    const unpacked = packed.pipeThrough(new DecompressionStream("deflate")).pipeThrough(byteLimit.stream());
    return new Uint8Array(await new Response(unpacked).arrayBuffer());
  } catch {
    throw damaged(
      byteLimit.isExceeded ? `section ${name} is larger than possible` : `section ${name} cannot be unpacked`,
    );
  }
}

/** A section of JSON; undefined if the file has no section of that name. */
export async function jsonSection<T>(name: string): Promise<T | undefined> {
  const bytes = await section(name);
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as T;
  } catch {
    throw damaged(`section ${name} is not JSON`);
  }
}
