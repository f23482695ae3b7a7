// Reads the numbers of a binary section, little-endian, one after the other. Every read is checked against the end.
import { damaged, type Bytes } from "./sections";

export class BinaryReader {
  private position = 4; // behind the magic number
  private readonly view: DataView;

  /** `name`: what messages call the section; `magic`: the four letters that it begins with. */
  constructor(
    private readonly bytes: Bytes,
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
  u32(): number {
    return this.view.getUint32(this.skip(4), true);
  }
  u32s(count: number): Uint32Array {
    const begin = this.skip(count * 4);
    return new Uint32Array(this.bytes.slice(begin, begin + count * 4).buffer);
  }
  f64s(count: number): Float64Array {
    const begin = this.skip(count * 8);
    return new Float64Array(this.bytes.slice(begin, begin + count * 8).buffer);
  }
  /** A view of the section, not a copy. */
  u8s(count: number): Uint8Array {
    const begin = this.skip(count);
    return this.bytes.subarray(begin, begin + count);
  }
  /** Fails if something is left. */
  end(): void {
    if (this.position !== this.bytes.length) this.fail(`${this.bytes.length - this.position} bytes are left over`);
  }
  /** Reads the shape that sections of values begin with, which must be that of the report. */
  shape(callPaths: number, locations: number): void {
    const found = [this.u32(), this.u32()];
    if (found[0] !== callPaths || found[1] !== locations)
      this.fail(`there are ${found[0]} call paths and ${found[1]} locations, not ${callPaths} and ${locations}`);
  }
  /** Goes on by `count` bytes and returns where they begin. */
  private skip(count: number): number {
    const begin = this.position;
    if (count > this.bytes.length - begin)
      this.fail(`${count} bytes are expected at ${begin}, but it ends at ${this.bytes.length}`);
    this.position += count;
    return begin;
  }
}
