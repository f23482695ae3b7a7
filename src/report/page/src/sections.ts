// The data blocks of the file: base64 of zlib streams, decoded when they are first needed. src/report/html/cells.hpp has
// the formats. Everything is checked before it is used: a file that was cut or edited says so and shows no half numbers.

export class PageError extends Error {}
export const damaged = (why: string): PageError =>
  new PageError(`The data of this file is damaged: ${why}. Write the file again.`);

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const direct = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (direct.fromBase64) return direct.fromBase64(text);
  const packed = atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; ++i) bytes[i] = packed.charCodeAt(i);
  return bytes;
}

/** Of single values, which stand behind the script: once the browser has read all of it. */
async function elementOf(name: string): Promise<Element | null> {
  for (;;) {
    const element = document.getElementById(`s:${name}`);
    if (!name.startsWith("cells") || document.readyState !== "loading" || element?.nextSibling) return element;
    await new Promise((go) => {
      new MutationObserver(go).observe(document.body, { childList: true });
      document.addEventListener("readystatechange", go); // several may wait
    });
  }
}

/** The bytes of a section, which may be `most` long; undefined if the file has none of that name. */
export async function section(name: string, most: number = 1 << 28): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const element = await elementOf(name);
  if (!element) return undefined;
  if (typeof DecompressionStream === "undefined")
    throw new PageError(
      "This browser is too old for the page: it needs DecompressionStream (Chrome 80, Firefox 113, Safari 16.4).",
    );
  let size = 0;
  const limit = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, out) {
      size += chunk.length;
      if (size > most) out.error();
      else out.enqueue(chunk);
    },
  });
  try {
    const stream = new Blob([bytesOf(element.textContent ?? "")])
      .stream()
      .pipeThrough(new DecompressionStream("deflate"))
      .pipeThrough(limit);
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw damaged(size > most ? `section ${name} is larger than it can be` : `section ${name} cannot be unpacked`);
  }
}

class Reader {
  private at = 4;
  private readonly view: DataView;
  constructor(
    private readonly bytes: Uint8Array<ArrayBuffer>,
    private readonly name: string,
    magic: string,
  ) {
    this.view = new DataView(bytes.buffer);
    if (bytes.length < 4 || String.fromCharCode(...bytes.subarray(0, 4)) !== magic)
      this.fail(`it does not begin with ${magic}`);
  }
  fail(why: string): never {
    throw damaged(`in section ${this.name} ${why}`);
  }
  private take(count: number): number {
    const at = this.at;
    if (count > this.bytes.length - at)
      this.fail(`${count} bytes are expected at ${at}, but it ends at ${this.bytes.length}`);
    this.at += count;
    return at;
  }
  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }
  u32s(count: number): Uint32Array {
    const at = this.take(count * 4);
    return new Uint32Array(this.bytes.slice(at, at + count * 4).buffer);
  }
  f64s(count: number): Float64Array {
    const at = this.take(count * 8);
    return new Float64Array(this.bytes.slice(at, at + count * 8).buffer);
  }
  u8s(count: number): Uint8Array {
    const at = this.take(count);
    return this.bytes.subarray(at, at + count);
  }
  end(): void {
    if (this.at !== this.bytes.length) this.fail(`${this.bytes.length - this.at} bytes are left over`);
  }
  shape(callpaths: number, locations: number): void {
    const found = [this.u32(), this.u32()];
    if (found[0] !== callpaths || found[1] !== locations)
      this.fail(`there are ${found[0]} call paths and ${found[1]} locations, not ${callpaths} and ${locations}`);
  }
}

export interface Sums {
  callpath: Float64Array;
  location: Float64Array;
}

export function readSums(bytes: Uint8Array<ArrayBuffer>, name: string, callpaths: number, locations: number): Sums {
  const reader = new Reader(bytes, name, "WSS1");
  reader.shape(callpaths, locations);
  const sums = { callpath: reader.f64s(callpaths), location: reader.f64s(locations) };
  reader.end();
  return sums;
}

/** Numbers of LEB128, one after the other; NaN where there is none. */
class Gaps {
  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
  ) {}
  next(): number {
    let value = 0;
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = this.bytes[this.at++] ?? NaN;
      value += (byte & 127) * 2 ** shift;
      if (!(byte >= 128)) return byte < 128 ? value : NaN;
    }
    return NaN;
  }
}

/** Of the codes of values, what the smallest value is multiplied with. */
const powersOf = (base: number): Float64Array =>
  new Float64Array(65536).map((_, code) => (code === 0 ? 0 : Math.pow(base, code - 1)));
const powers: (Float64Array | undefined)[] = [];
const grouped = 0xffffffff; // instead of a number of values

/** Takes a value at a location. Where only groups of locations are known: the mean, and the smallest and the largest. */
export type Take = (location: number, value: number, least: number, most: number) => void;

/** Single values of a metric: rows of call paths, each with values at some or all locations. */
export class Cells {
  readonly approximate: boolean;
  private readonly rowOf = new Map<number, number>();
  private readonly counts: Uint32Array;
  private readonly least: Float64Array;
  private readonly begin: Float64Array; // of a row, in the values
  private readonly gapBegin: Float64Array;
  private readonly gaps: Uint8Array;
  private readonly exact?: Float64Array;
  private readonly high?: Uint8Array;
  private readonly low?: Uint8Array;
  private readonly powers?: Float64Array;
  readonly groupSize: number;

  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    name: string,
    callpaths: number,
    private readonly locations: number,
  ) {
    const reader = new Reader(bytes, name, "WSC2");
    reader.shape(callpaths, locations);
    const rows = reader.u32();
    const cells = reader.u32();
    const coding = reader.u32();
    this.approximate = coding > 0;
    const gapBytes = reader.u32();
    this.groupSize = reader.u32();
    if (coding > 2 || this.groupSize < 1) reader.fail("its form is not known");
    const groups = Math.ceil(locations / this.groupSize);
    if (rows > callpaths) reader.fail("there are more rows than call paths");
    const paths = reader.u32s(rows);
    this.counts = reader.u32s(rows);
    this.least = reader.f64s(rows);
    this.gaps = reader.u8s(gapBytes);
    if (this.approximate) {
      this.powers = powers[coding] ??= powersOf(coding === 1 ? 1.001 : 1.01);
      this.high = reader.u8s(cells);
      this.low = reader.u8s(cells);
    } else {
      this.exact = reader.f64s(cells);
    }
    reader.end();
    this.begin = new Float64Array(rows + 1);
    this.gapBegin = new Float64Array(rows);
    const gap = new Gaps(this.gaps, 0);
    for (let r = 0; r < rows; ++r) {
      const path = paths[r]!;
      const byGroups = this.approximate && this.counts[r] === grouped;
      const count = byGroups ? 3 * groups : this.counts[r]!;
      if (path >= callpaths || (!byGroups && count > locations) || (r > 0 && path <= paths[r - 1]!))
        reader.fail(`row ${r} is out of range`);
      this.rowOf.set(path, r);
      this.begin[r + 1] = this.begin[r]! + count;
      this.gapBegin[r] = gap.at;
      if (byGroups || count === locations) continue;
      let at = -1;
      for (let i = 0; i < count; ++i) at += gap.next() + 1;
      if (!(at < locations)) reader.fail(`row ${r} has locations that do not exist`);
    }
    if (this.begin[rows] !== cells || gap.at !== gapBytes) reader.fail("rows and values do not fit");
  }

  /** Whether only groups of locations are known of the call path. */
  byGroups(callpath: number): boolean {
    const row = this.rowOf.get(callpath);
    return row !== undefined && this.counts[row] === grouped && this.approximate;
  }
  /** Calls add() for what the call path has. */
  each(callpath: number, add: Take): void {
    const row = this.rowOf.get(callpath);
    if (row === undefined) return;
    const count = this.counts[row]!;
    const begin = this.begin[row]!;
    const least = this.least[row]!;
    const value = (at: number) =>
      this.exact ? this.exact[at]! : least * this.powers![this.high![at]! * 256 + this.low![at]!]!;
    if (this.byGroups(callpath)) {
      for (let l = 0; l < this.locations; ++l) {
        const at = begin + 3 * Math.floor(l / this.groupSize);
        add(l, value(at + 1), value(at), value(at + 2));
      }
      return;
    }
    const dense = count === this.locations;
    const gap = new Gaps(this.gaps, this.gapBegin[row]!);
    let location = -1;
    for (let i = 0; i < count; ++i) {
      location += dense ? 1 : gap.next() + 1;
      const v = value(begin + i);
      add(location, v, v, v);
    }
  }
}
