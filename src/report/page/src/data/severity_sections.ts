// Severities of one metric: their sums, and single values. src/report/html/cells.hpp describes both formats.
import { BinaryReader } from "./binary_reader";
import type { Bytes } from "./sections";

export interface Sums {
  byCallPath: Float64Array;
  byLocation: Float64Array;
}

export const sumsSize = (callPaths: number, locations: number): number => 12 + 8 * (callPaths + locations);

export function readSums(bytes: Bytes, name: string, callPaths: number, locations: number): Sums {
  const reader = new BinaryReader(bytes, name, "WSS1");
  reader.shape(callPaths, locations);
  const sums = { byCallPath: reader.f64s(callPaths), byLocation: reader.f64s(locations) };
  reader.end();
  return sums;
}

/** Reads LEB128 numbers one after the other; NaN where there is none. */
class Leb128Reader {
  constructor(
    private readonly bytes: Uint8Array,
    public position: number,
  ) {}
  next(): number {
    let value = 0;
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = this.bytes[this.position++] ?? NaN;
      value += (byte & 127) * 2 ** shift;
      if (!(byte >= 128)) return byte < 128 ? value : NaN;
    }
    return NaN;
  }
}

// Rounded values are stored as 16-bit codes: a value is the smallest of its row multiplied by a power of the base, or
// 0.
const bases = [undefined, 1.001, 1.01]; // by the number of the coding
const factorsOfCodings: (Float64Array | undefined)[] = [];
function factorsOf(coding: number): Float64Array {
  const base = bases[coding]!;
  return (factorsOfCodings[coding] ??= new Float64Array(65536).map((_, code) =>
    code === 0 ? 0 : Math.pow(base, code - 1),
  ));
}

/** Stands instead of a row's number of values, where only groups of neighbouring locations are known. */
const groupedRow = 0xffffffff;

/**
 * Receives a value of a location. In a grouped row that is the group's mean, with its smallest and its largest value.
 */
export type ValueVisitor = (location: number, value: number, least: number, most: number) => void;

/** The most bytes that single values can have. */
export const singleValuesSize = (callPaths: number, locations: number): number =>
  64 + 16 * callPaths + 13 * callPaths * Math.max(3, locations);

/** Single values of a metric: a row for each call path that has some, with values of some or all locations. */
export class SingleValues {
  readonly isApproximate: boolean;
  readonly groupSize: number; // how many neighbours share a value in grouped rows
  private readonly rowOfCallPath = new Map<number, number>();
  private readonly counts: Uint32Array; // values of each row, or groupedRow
  private readonly smallest: Float64Array; // value of each row, if values are rounded
  private readonly firstValue: Float64Array; // index of each row's first value
  private readonly firstGap: Float64Array; // where the gaps of each row begin
  private readonly gaps: Uint8Array; // from one location with a value to the next, as LEB128
  private readonly exact?: Float64Array;
  private readonly codesHigh?: Uint8Array;
  private readonly codesLow?: Uint8Array;
  private readonly factors?: Float64Array;

  constructor(
    bytes: Bytes,
    name: string,
    private readonly callPaths: number,
    private readonly locations: number,
  ) {
    const reader = new BinaryReader(bytes, name, "WSC2");
    reader.shape(callPaths, locations);
    const rowCount = reader.u32();
    const valueCount = reader.u32();
    const coding = reader.u32();
    this.isApproximate = coding > 0;
    const gapBytes = reader.u32();
    this.groupSize = reader.u32();
    if (coding >= bases.length || this.groupSize < 1) reader.fail("its form is not known");
    if (rowCount > callPaths) reader.fail("there are more rows than call paths");
    const callPathOfRow = reader.u32s(rowCount);
    this.counts = reader.u32s(rowCount);
    this.smallest = reader.f64s(rowCount);
    this.gaps = reader.u8s(gapBytes);
    if (this.isApproximate) {
      this.factors = factorsOf(coding);
      this.codesHigh = reader.u8s(valueCount);
      this.codesLow = reader.u8s(valueCount);
    } else {
      this.exact = reader.f64s(valueCount);
    }
    reader.end();
    this.firstValue = new Float64Array(rowCount + 1);
    this.firstGap = new Float64Array(rowCount);
    this.indexRows(reader, callPathOfRow, valueCount);
  }

  /** Finds where the values and the gaps of each row begin. */
  private indexRows(reader: BinaryReader, callPathOfRow: Uint32Array, valueCount: number): void {
    const groups = Math.ceil(this.locations / this.groupSize);
    const gaps = new Leb128Reader(this.gaps, 0);
    const rowCount = callPathOfRow.length;
    for (let row = 0; row < rowCount; ++row) {
      const callPath = callPathOfRow[row]!;
      const isGrouped = this.isGroupedRow(row);
      const count = isGrouped ? 3 * groups : this.counts[row]!;
      const isAscending = row === 0 || callPath > callPathOfRow[row - 1]!;
      if (callPath >= this.callPaths || (!isGrouped && count > this.locations) || !isAscending)
        reader.fail(`row ${row} is out of range`);
      this.rowOfCallPath.set(callPath, row);
      this.firstValue[row + 1] = this.firstValue[row]! + count;
      this.firstGap[row] = gaps.position;
      if (isGrouped || count === this.locations) continue;
      let location = -1;
      for (let i = 0; i < count; ++i) location += gaps.next() + 1;
      if (!(location < this.locations)) reader.fail(`row ${row} has locations that do not exist`);
    }
    if (this.firstValue[rowCount] !== valueCount || gaps.position !== this.gaps.length)
      reader.fail("rows and values do not fit");
  }

  private isGroupedRow(row: number): boolean {
    return this.isApproximate && this.counts[row] === groupedRow;
  }
  /** Whether only groups of locations are known of the call path. */
  isGrouped(callPath: number): boolean {
    const row = this.rowOfCallPath.get(callPath);
    return row !== undefined && this.isGroupedRow(row);
  }
  /** Calls `visit` for each value of the call path. */
  forEach(callPath: number, visit: ValueVisitor): void {
    const row = this.rowOfCallPath.get(callPath);
    if (row === undefined) return;
    if (this.isGroupedRow(row)) this.visitGroups(row, visit);
    else this.visitValues(row, visit);
  }
  private visitGroups(row: number, visit: ValueVisitor): void {
    const begin = this.firstValue[row]!;
    for (let location = 0; location < this.locations; ++location) {
      const least = begin + 3 * Math.floor(location / this.groupSize);
      visit(location, this.value(row, least + 1), this.value(row, least), this.value(row, least + 2));
    }
  }
  private visitValues(row: number, visit: ValueVisitor): void {
    const count = this.counts[row]!;
    const begin = this.firstValue[row]!;
    const isDense = count === this.locations;
    const gaps = new Leb128Reader(this.gaps, this.firstGap[row]!);
    let location = -1;
    for (let i = 0; i < count; ++i) {
      location += isDense ? 1 : gaps.next() + 1;
      const value = this.value(row, begin + i);
      visit(location, value, value, value);
    }
  }
  private value(row: number, index: number): number {
    if (this.exact) return this.exact[index]!;
    const code = this.codesHigh![index]! * 256 + this.codesLow![index]!;
    return this.smallest[row]! * this.factors![code]!;
  }
}
