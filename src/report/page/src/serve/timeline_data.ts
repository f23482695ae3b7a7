// Reads an answer of the server about the timeline: shares of classes of regions in bins of time; and calls, waits and
// messages, where these are few enough. Its times are ticks since the first event; here they become times of the run.
import { damaged, type Bytes } from "../data/sections";
import type { TimeRange } from "../state/time_range";

/** A row: one location, or several that are folded. */
export interface TimelineRow {
  name: string;
  /** The first of its locations in the list of the trace, and the one behind the last. */
  locations: [number, number];
}

/** Of each bin: the shares of the classes of regions, then that of waits, from 0 to 255. */
export const classCount = 8;
export const sharesPerBin = classCount + 1;
const mostDrawnCalls = 12_000;

interface Header {
  from: number;
  to: number;
  bins: number;
  first: number;
  total_rows: number;
  rows: TimelineRow[];
  classes: string[];
  regions: Record<string, string>;
  metrics: string[];
  intervals: number;
  waits: number;
  messages: number;
  left_out: { intervals: number; waits: number; messages: number };
  resolution: number; // bins that are shorter repeat those of this length
  messages_wait_for: string; // why messages are not there yet; empty if they are, or if they are too many
  messages_note: string; // why they will not be there
  counter: CounterHeader | null;
}
interface CounterHeader {
  name: string;
  unit: string;
  bins: number;
  width: number; // ticks of a bin
  resolution: number; // bins that are shorter repeat values of this length
  is_known: boolean; // false: there are too many to be kept, and too many records in this part to be read
}

export interface Calls {
  count: number;
  enter: Float64Array;
  exit: Float64Array;
  row: Uint32Array;
  region: Uint32Array;
  kind: Uint8Array; // the class
  depth: Uint8Array;
}
export interface Waits {
  count: number;
  begin: Float64Array;
  end: Float64Array;
  row: Uint32Array;
  metric: Uint32Array;
}
export interface Messages {
  count: number;
  sent: Float64Array;
  received: Float64Array;
  from: Uint32Array; // rows
  to: Uint32Array;
  bytes: Uint32Array;
  kind: Uint8Array; // its name is in transferKinds
}
export const transferKinds = ["message", "put", "get", "atomic"];

/** What is known of a counter in a bin. */
export interface CounterValue {
  least: number;
  greatest: number;
  mean: number;
  from: number;
  to: number; // times
}

/** The values of a counter, by row and bin. */
export class CounterData {
  readonly least: number;
  readonly greatest: number;
  constructor(
    private readonly header: CounterHeader,
    private readonly values: Float32Array,
    private readonly from: number,
    readonly rows: number,
  ) {
    let [least, greatest] = [Infinity, -Infinity];
    for (let i = 0; i < values.length; i += 3) {
      least = Math.min(least, Number.isNaN(values[i]!) ? Infinity : values[i]!);
      greatest = Math.max(greatest, Number.isNaN(values[i + 1]!) ? -Infinity : values[i + 1]!);
    }
    this.least = least;
    this.greatest = greatest;
  }
  get name(): string {
    return this.header.name;
  }
  get unit(): string {
    return this.header.unit;
  }
  get bins(): number {
    return this.header.bins;
  }
  get resolution(): number {
    return this.header.resolution;
  }
  get isKnown(): boolean {
    return this.header.is_known;
  }
  get hasValues(): boolean {
    return this.least <= this.greatest;
  }
  /** The ends of the scale of all rows: zero is one of them, or lies between them. */
  get scale(): TimeRange {
    const [low, high] = [Math.min(0, this.least), Math.max(0, this.greatest)];
    return low < high ? [low, high] : [low, low + 1];
  }
  value(row: number, bin: number): CounterValue | undefined {
    const at = (row * this.bins + bin) * 3;
    const [least, greatest, mean] = this.values.subarray(at, at + 3);
    if (mean === undefined || Number.isNaN(mean)) return undefined;
    const from = this.from + bin * this.header.width;
    return { least: least!, greatest: greatest!, mean, from, to: from + this.header.width };
  }
  valueAt(row: number, time: number): CounterValue | undefined {
    const bin = Math.floor((time - this.from) / this.header.width);
    return bin >= 0 && bin < this.bins ? this.value(row, bin) : undefined;
  }
  /** All values of bins of which a part lies in a time. */
  valueIn(row: number, from: number, to: number): CounterValue | undefined {
    const all = Array.from({ length: this.bins }, (_, bin) => this.value(row, bin)).filter(
      (value) => value && value.from < to && value.to > from,
    ) as CounterValue[];
    if (all.length === 0) return undefined;
    const sum = all.reduce((total, { mean }) => total + mean, 0);
    return {
      least: Math.min(...all.map(({ least }) => least)),
      greatest: Math.max(...all.map(({ greatest }) => greatest)),
      mean: sum / all.length,
      from: all[0]!.from,
      to: all[all.length - 1]!.to,
    };
  }
}

export class TimelineData {
  readonly from: number;
  readonly to: number;
  readonly bins: number;
  readonly first: number; // row
  totalRows: number;
  rows: TimelineRow[];
  readonly classes: string[];
  readonly leftOut: Header["left_out"];
  shares: Uint8Array;
  calls: Calls;
  readonly waits: Waits;
  readonly messages: Messages;
  readonly counter: CounterData | undefined;
  readonly deepestCall: number;
  private readonly header: Header;

  constructor(bytes: Bytes, begin: number) {
    const arrays = new ArrayReader(bytes);
    const header = arrays.header<Header>();
    this.header = header;
    this.bins = header.bins;
    this.first = header.first;
    this.totalRows = header.total_rows;
    this.rows = header.rows;
    this.classes = header.classes;
    this.leftOut = header.left_out;
    this.from = header.from + begin;
    this.to = header.to + begin;
    if (!(this.to > this.from) || this.classes.length > classCount) throw damaged("the timeline has no time");
    this.shares = byBins(arrays.u8(header.rows.length * header.bins * sharesPerBin));
    const times = (count: number) => arrays.f64(count).map((time) => time + begin);
    const { intervals, waits, messages } = header;
    this.calls = {
      count: intervals,
      enter: times(intervals),
      exit: times(intervals),
      row: arrays.u32(intervals),
      region: arrays.u32(intervals),
      kind: arrays.u8(intervals),
      depth: arrays.u8(intervals),
    };
    this.deepestCall = this.calls.depth.reduce((deepest, depth) => Math.max(deepest, depth), 0);
    this.waits = {
      count: waits,
      begin: times(waits),
      end: times(waits),
      row: arrays.u32(waits),
      metric: arrays.u32(waits),
    };
    this.messages = {
      count: messages,
      sent: times(messages),
      received: times(messages),
      from: arrays.u32(messages),
      to: arrays.u32(messages),
      bytes: arrays.u32(messages),
      kind: arrays.u8(messages),
    };
    const { counter, rows } = header;
    if (counter) {
      if (!(counter.width > 0 && counter.bins > 0)) throw damaged("the counter has no bins");
      const values = arrays.f32(rows.length * counter.bins * 3);
      this.counter = new CounterData(counter, values, this.from, rows.length);
    }
  }
  /** Why messages are not there yet; empty if they are. */
  get messagesWaitFor(): string {
    return this.header.messages_wait_for;
  }
  /** Why they will not be there. */
  get messagesNote(): string {
    return this.header.messages_note;
  }

  /** Makes one row of all, which has only shares. */
  fold(): this {
    const perRow = this.bins * sharesPerBin;
    const sums = new Float64Array(perRow);
    let count = 0;
    this.rows.forEach(({ locations: [begin, end] }, row) => {
      count += end - begin;
      for (let i = 0; i < perRow; ++i) sums[i]! += (end - begin) * this.shares[row * perRow + i]!;
    });
    this.shares = Uint8Array.from(sums, (sum) => Math.round(sum / Math.max(1, count)));
    this.rows = [{ name: "all locations", locations: [0, count] }];
    this.calls = { ...this.calls, count: 0 };
    this.totalRows = 1;
    return this;
  }
  /** The length of bins whose shares are known, in ticks. */
  get resolution(): number {
    return Math.max(this.header.resolution ?? 0, (this.to - this.from) / this.bins);
  }
  /** Calls are drawn one by one, instead of the shares of bins: that would take too long for very many. */
  get showsCalls(): boolean {
    return this.calls.count > 0 && (this.calls.count <= mostDrawnCalls || this.bins === 0);
  }
  regionName(region: number): string {
    return this.header.regions[region] ?? "(unknown region)";
  }
  metricId(metric: number): string {
    return this.header.metrics[metric] ?? "";
  }
  /** The shares of a bin: classes, then waits. */
  sharesAt(row: number, bin: number): Uint8Array {
    const begin = (row * this.bins + bin) * sharesPerBin;
    return this.shares.subarray(begin, begin + sharesPerBin);
  }
  binAt(time: number): number {
    return Math.min(this.bins - 1, Math.max(0, Math.floor(((time - this.from) / (this.to - this.from)) * this.bins)));
  }
  /** The innermost call of a row at a time; -1 if none is known. */
  callAt(row: number, time: number): number {
    const { count, enter, exit, row: rows, depth } = this.calls;
    let found = -1;
    for (let call = 0; call < count; ++call)
      if (rows[call] === row && enter[call]! <= time && exit[call]! > time)
        if (found < 0 || depth[call]! > depth[found]!) found = call;
    return found;
  }
  /** The row, among those here, that has a location of the trace; -1 if none has. */
  rowOf(location: number): number {
    let [from, to] = [0, this.rows.length]; // rows are in the order of locations
    while (from < to) {
      const middle = (from + to) >> 1;
      const [begin, end] = this.rows[middle]!.locations;
      if (location < begin) to = middle;
      else if (location >= end) from = middle + 1;
      else return middle;
    }
    return -1;
  }
}

/** The shares of a bin beside each other; the answer has those of a class beside each other. */
function byBins(byClasses: Uint8Array): Uint8Array {
  const cells = byClasses.length / sharesPerBin;
  const shares = new Uint8Array(byClasses.length);
  for (let kind = 0; kind < sharesPerBin; ++kind)
    for (let cell = 0; cell < cells; ++cell) shares[cell * sharesPerBin + kind] = byClasses[kind * cells + cell]!;
  return shares;
}

/** What was done in all of the time, and its shares in per cent. */
export function sharesOfRow(data: TimelineData, row: number): [what: string, share: number][] {
  const sums = new Array<number>(classCount + 1).fill(0);
  for (let bin = 0; bin < data.bins; ++bin) data.sharesAt(row, bin).forEach((share, kind) => (sums[kind]! += share));
  return sums
    .map((sum, kind): [string, number] => [
      kind === classCount ? "waits" : (data.classes[kind] ?? ""),
      (100 * sum) / 255 / data.bins,
    ])
    .filter(([, share]) => share > 0);
}

class ArrayReader {
  private position = 0;
  constructor(private readonly bytes: Bytes) {}

  header<T>(): T {
    if (new TextDecoder().decode(this.bytes.subarray(0, 4)) !== "WST1") throw damaged("it is no timeline");
    const length = new DataView(this.bytes.buffer, this.bytes.byteOffset).getUint32(4, true);
    const text = new TextDecoder().decode(this.bytes.subarray(8, 8 + length));
    this.position = 8 + length;
    this.align();
    return JSON.parse(text) as T;
  }
  u8(count: number): Uint8Array {
    return new Uint8Array(this.take(count));
  }
  u32(count: number): Uint32Array {
    return new Uint32Array(this.take(count * 4));
  }
  f32(count: number): Float32Array {
    return new Float32Array(this.take(count * 4));
  }
  f64(count: number): Float64Array {
    return new Float64Array(this.take(count * 8));
  }
  private take(length: number): ArrayBuffer {
    const begin = this.position;
    if (!(length >= 0 && begin + length <= this.bytes.length)) throw damaged("the timeline is cut");
    this.position += length;
    this.align();
    return this.bytes.slice(begin, begin + length).buffer;
  }
  private align(): void {
    this.position = (this.position + 7) & ~7;
  }
}
