// Values of nodes of a tree compared with others: the unit in which they are shown, and which are not zero.
import type { Tree } from "../data/tree";
import { changeColour } from "../charts/colours";
import type { ReportStore } from "../state/report_store";
import { percentText } from "../text/number_text";

/** The largest of the values without their signs, or 0. */
export function largestOf(values: Iterable<number>): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/** For each node 1 if its value, or that of a node below it, is not zero. */
export function nonzeroNodes({ parent }: Tree, valueOf: (node: number) => number): Uint8Array {
  const isNonzero = new Uint8Array(parent.length);
  for (let node = isNonzero.length; node-- > 0;) {
    if (valueOf(node) !== 0) isNonzero[node] = 1;
    if (isNonzero[node] === 1 && parent[node]! >= 0) isNonzero[parent[node]!] = 1;
  }
  return isNonzero;
}

/** The largest value of a node and those of its siblings that are comparable. */
export function largestSibling(
  { parent, children, roots }: Tree,
  node: number,
  valueOf: (node: number) => number,
  isComparable: (node: number) => boolean = () => true,
): number {
  const siblings = parent[node]! < 0 ? roots : children[parent[node]!]!;
  return largestOf(siblings.filter(isComparable).map(valueOf));
}

/** The time of all locations together, as far as it counts; NaN if the report does not have it. */
export function totalTime(store: ReportStore): number {
  const time = store.report.metricOf.get("time");
  return time === undefined ? NaN : store.totalOf(time);
}

/** A value of the selected metric as a share in the unit that the reader has chosen; undefined if that is no share. */
export function shareText(
  store: ReportStore,
  value: number,
  selectionTotal: number,
  siblingMaximum: () => number,
): string | undefined {
  const { metric, valueUnit } = store;
  if (valueUnit === "absolute" || metric.aggregation) return undefined;
  if (valueUnit === "peer") return percentText(value / siblingMaximum());
  if (valueUnit === "total" && metric.unit === "ticks") return percentText(value / totalTime(store));
  return percentText(value / selectionTotal);
}

/** The length of a bar, and its colour where it has a direction. */
export function barOf({ showsChanges }: ReportStore, share: number): { share: number; colour?: string } {
  return showsChanges ? { share: Math.abs(share), colour: changeColour(share) } : { share };
}
