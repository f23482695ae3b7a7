// Checks the definitions of a report once, when it is opened: numbers are finite, rows have as many values as there are
// columns, and each number that refers to something refers to one that exists. Views rely on it.
import type { ReportDocument, WaitSeries } from "../report_types";
import { damaged } from "./sections";

/** The names of numbers, wherever they stand, by the list of the report that they refer to. */
const namesOfReferences = {
  locations: ["location", "locations", "culprit", "sender", "receiver", "origin", "target", "members", "waiter"],
  call_tree: ["callpath", "culprit_callpath", "root", "waited_in"],
  regions: ["region"],
  programs: ["program"],
  processes: ["process"],
  system_tree: ["system_tree_node", "parent"],
  communicators: ["communicator"],
  cart_dimensions: ["dimensions"],
  contexts: ["context"],
} as const;

const mostBins = 1024;

/** Throws what is wrong, and where. */
export function checkReferences(meta: ReportDocument): void {
  const checker = new ReferenceChecker(meta);
  const { communication, series, call_tree, metrics, contexts, waits, trace, ...others } = meta;
  checker.check({ ...others, trace, contexts, waits });
  checker.withReferences({ parent: call_tree.length }, () => checker.checkPart("call_tree", call_tree));
  checker.withReferences({ parent: undefined }, () => checker.checkPart("metrics", metrics));
  if (!(trace.clock.ticks_per_second > 0)) throw damaged("its clock has a resolution of zero");
  if (series) checkSeries(checker, series);
  if (communication) {
    if (!(communication.processes_per_block >= 1)) throw damaged("communication has no processes in a block");
    const blocks = Math.ceil(meta.processes.length / communication.processes_per_block);
    checker.withReferences({ sender: blocks, receiver: blocks }, () =>
      checker.checkPart("communication", communication),
    );
  }
}

function checkSeries(checker: ReferenceChecker, series: WaitSeries): void {
  const { bins, bin_ticks, bins_per_group_bin, groups, metrics } = series;
  if (!(bins >= 0 && bins <= mostBins && bin_ticks > 0 && bins_per_group_bin >= 1))
    throw damaged("series has an impossible number of bins");
  checker.checkPart("series.groups", groups, "location");
  const groupBins = Math.ceil(bins / bins_per_group_bin);
  checker.withReferences({ group: groups.length }, () => {
    for (const [id, values] of Object.entries(metrics)) {
      checker.checkPart(`series.${id}`, values);
      if (values.ticks.length !== bins || values.groups.some(({ ticks }) => ticks.length !== groupBins))
        throw damaged(`series.${id} has another number of bins`);
    }
  });
}

class ReferenceChecker {
  /** For each name of a reference, how many things there are to refer to. */
  private readonly counts = new Map<string, number | undefined>();
  private readonly path: (string | number)[] = []; // steps from the report to the value that is checked

  constructor(meta: ReportDocument) {
    const lists = meta as unknown as Record<string, unknown[] | undefined>;
    for (const [list, names] of Object.entries(namesOfReferences)) {
      const found = lists[list];
      if (!Array.isArray(found) && list !== "contexts") throw damaged(`it has no ${list}`);
      for (const name of names) this.counts.set(name, found?.length ?? 0);
    }
  }

  /** Runs `check` while names refer to lists of these lengths; undefined for names that are no references. */
  withReferences(counts: Record<string, number | undefined>, check: () => void): void {
    const before = Object.keys(counts).map((name) => [name, this.counts.get(name)] as const);
    for (const name in counts) this.counts.set(name, counts[name]);
    check();
    for (const [name, count] of before) this.counts.set(name, count);
  }

  /** Checks a value and all that is below it. */
  check(value: unknown, name = ""): void {
    if (typeof value === "number") return this.checkNumber(value, name);
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) return value.forEach((element, i) => this.checkPart(i, element, name));
    const { columns, rows } = value as { columns?: unknown; rows?: unknown };
    if (Array.isArray(columns) && Array.isArray(rows)) this.checkTable(columns as string[], rows);
    else this.checkProperties(value as Record<string, unknown>);
  }

  /** Checks what a step leads to; `name` is that of numbers which stand there, alone or in lists. */
  checkPart(step: string | number, value: unknown, name = ""): void {
    this.path.push(step);
    this.check(value, name);
    this.path.pop();
  }

  private checkNumber(value: number, name: string): void {
    const count = this.counts.get(name);
    if (!Number.isFinite(value)) throw damaged(`${this.pathText()} is not a number`);
    if (count !== undefined && !(Number.isInteger(value) && value >= 0 && value < count))
      throw damaged(`${this.pathText()} is ${value}, but there are ${count}`);
  }

  private checkTable(columns: string[], rows: unknown[]): void {
    rows.forEach((row, i) => {
      this.path.push("rows", i);
      if (!Array.isArray(row) || row.length !== columns.length)
        throw damaged(`${this.pathText()} has another length than its columns`);
      row.forEach((value, column) => {
        if (typeof value === "number") this.checkPart(columns[column]!, value, columns[column]!);
      });
      this.path.length -= 2;
    });
  }

  private checkProperties(object: Record<string, unknown>): void {
    for (const key in object) {
      // The places of a phase are pairs of a place and ticks, which the page does not show.
      if (key === "places") continue;
      // A phase has the number of its locations, where others have a list of locations.
      const isCount = key === "locations" && !Array.isArray(object[key]);
      this.checkPart(key, object[key], isCount ? "" : key);
    }
  }

  private pathText(): string {
    return this.path.map((step, i) => (typeof step === "number" ? `[${step}]` : i === 0 ? step : `.${step}`)).join("");
  }
}
