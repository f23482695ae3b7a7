// The values that follow from what is selected. As in CubeGUI a closed node stands for all that is below it, an open
// one for itself alone; each tree shows values of what is selected in the trees left of it: metric, call path,
// location.
import type { Report } from "../data/report";
import type { SingleValues, Sums } from "../data/severity_sections";
import type { SectionCache } from "./section_cache";
import type { TreeState } from "./tree_state";

/** Values of the selected metrics in the selected call paths, by location. */
export interface LocationValues {
  values: Float64Array;
  isApproximate: boolean;
  isMissing: boolean; // single values did not fit into the file
  /** How many neighbours share a value, which is their mean, or 0. Then each value lies between these two: */
  groupSize: number;
  least: Float64Array;
  most: Float64Array;
}

export interface SelectedTrees {
  metrics: TreeState;
  callPaths: TreeState;
  places: TreeState;
  /** By call path 1 if its time does not count; undefined: all of it counts. */
  uncountedPaths: Uint8Array | undefined;
  /** The value of a metric in all call paths that count. */
  totalOf: (metric: number) => number;
}

/** Selected call paths, each with 1. */
interface CallPathSet {
  includesAll: boolean;
  contains: Uint8Array;
}

export class SelectedValues {
  private callPathValues: { values: Float64Array | undefined } | undefined;
  private locationValues: { values: LocationValues | undefined } | undefined;

  constructor(
    private readonly report: Report,
    private readonly trees: SelectedTrees,
    private readonly sections: SectionCache,
  ) {}

  /** Values are computed once for everything that is drawn; call it when the selection may have changed. */
  forget(): void {
    this.callPathValues = this.locationValues = undefined;
  }

  // ---- metrics ----

  /** The value of a metric, without its children if it is open. */
  ofMetric(metric: number): number {
    const total = this.trees.totalOf(metric);
    if (!this.trees.metrics.isExclusive(metric) || this.report.meta.metrics[metric]!.aggregation) return total;
    return this.partsOf(metric).reduce((value, part) => value - this.trees.totalOf(part), total);
  }
  /** The metrics below an open one that its value does not include. */
  partsOf(metric: number): number[] {
    const { metrics } = this.report.meta;
    return this.report.metricTree.children[metric]!.filter(
      (child) => !metrics[child]!.within_parent || metrics[child]!.siblings === "disjoint",
    );
  }
  /** The metric, and those below it whose values are added up to its value. */
  private summands(metric: number, found: number[] = []): number[] {
    found.push(metric);
    for (const child of this.report.metricTree.children[metric]!)
      if (!this.report.meta.metrics[child]!.within_parent) this.summands(child, found);
    return found;
  }
  /** The metrics whose own values make the value of what is selected, with 1 if they are added and -1 if subtracted. */
  private signedSummands(): Map<number, number> {
    const signs = new Map<number, number>();
    const add = (metric: number, sign: number) => signs.set(metric, (signs.get(metric) ?? 0) + sign);
    for (const metric of this.trees.metrics.selected) {
      if (!this.trees.metrics.isExclusive(metric)) {
        for (const summand of this.summands(metric)) add(summand, 1);
        continue;
      }
      add(metric, 1);
      for (const child of this.report.metricTree.children[metric]!) {
        const { within_parent, siblings, aggregation } = this.report.meta.metrics[child]!;
        if (within_parent && siblings === "disjoint" && !aggregation)
          for (const summand of this.summands(child)) add(summand, -1);
      }
    }
    for (const [metric, sign] of signs) if (sign === 0) signs.delete(metric);
    return signs;
  }
  /**
   * The value of two parts together: their sum, or for counters the minimum or the maximum. A zero is no value then.
   */
  combine(a: number, b: number): number {
    const { aggregation } = this.report.meta.metrics[this.trees.metrics.selected[0] ?? 0]!;
    if (!aggregation) return a + b;
    if (a === 0 || b === 0) return a || b;
    return aggregation === "minimum" ? Math.min(a, b) : Math.max(a, b);
  }
  private addTo(sums: Float64Array, values: Float64Array, sign: number): void {
    values.forEach((value, i) => (sums[i] = this.combine(sums[i]!, sign * value)));
  }

  // ---- call paths ----

  /** Exclusive values by call path; undefined while sections are unpacked. */
  byCallPath(): Float64Array | undefined {
    this.callPathValues ??= { values: this.sumByCallPath() };
    return this.callPathValues.values;
  }
  private sumByCallPath(): Float64Array | undefined {
    const values = new Float64Array(this.report.meta.call_tree.length);
    let isComplete = true;
    for (const [metric, sign] of this.signedSummands()) {
      const sums = this.sections.sums(metric);
      if (sums === undefined) isComplete = false;
      else if (sums) this.addTo(values, sums.byCallPath, sign);
    }
    this.trees.uncountedPaths?.forEach((isOut, node) => {
      if (isOut === 1) values[node] = 0;
    });
    return isComplete ? values : undefined;
  }
  /** Inclusive values of exclusive ones. */
  withCallees(exclusive: Float64Array): Float64Array {
    const values = exclusive.slice();
    const { parent } = this.report.callTree;
    for (let node = values.length; node-- > 0;) {
      const caller = parent[node]!;
      if (caller >= 0) values[caller] = this.combine(values[caller]!, values[node]!);
    }
    return values;
  }
  /** All, if none is selected. */
  private selectedCallPaths(): CallPathSet {
    const { callPaths } = this.trees;
    const contains = new Uint8Array(this.report.meta.call_tree.length);
    if (callPaths.selected.length === 0) return { includesAll: true, contains: contains.fill(1) };
    for (const node of callPaths.selected)
      contains.fill(1, node, callPaths.isExclusive(node) ? node + 1 : this.report.callTreeEnds[node]!);
    return { includesAll: contains.every((one) => one === 1), contains };
  }
  /** By call path whether it is selected: 1 if so. */
  callPathsInSelection(): Uint8Array {
    return this.selectedCallPaths().contains;
  }
  /** The locations of all selected places; undefined if none is selected. */
  locationsInSelection(): Set<number> | undefined {
    const { selected } = this.trees.places;
    if (selected.length === 0) return undefined;
    return new Set(selected.flatMap((place) => this.report.places[place]!.locations));
  }

  // ---- locations ----

  /** Undefined while sections are unpacked. */
  byLocation(): LocationValues | undefined {
    this.locationValues ??= { values: this.sumByLocation() };
    return this.locationValues.values;
  }
  private sumByLocation(): LocationValues | undefined {
    const sum = this.noLocationValues();
    const { includesAll, contains } = this.selectedCallPaths();
    const uncounted = this.trees.uncountedPaths;
    const counted = uncounted ? contains.map((one, node) => (uncounted[node] === 1 ? 0 : one)) : contains;
    const isSummed = !this.report.meta.metrics[this.trees.metrics.selected[0] ?? 0]!.aggregation;
    let isComplete = true;
    for (const [metric, sign] of this.signedSummands()) {
      const sums = this.sections.sums(metric);
      // Both sections are unpacked at the same time, therefore those of values are started before the sums are there.
      if (sums === undefined && !includesAll) this.sections.startSingleValues(metric);
      if (sums === undefined) isComplete = false;
      if (!sums) continue;
      const hasUncounted = uncounted?.some((isOut, node) => isOut === 1 && sums.byCallPath[node] !== 0) ?? false;
      if (includesAll && (!hasUncounted || isSummed)) {
        this.addTo(sum.values, sums.byLocation, sign);
        // Few call paths do not count: their values are taken away again.
        if (hasUncounted) isComplete = this.addSelected(sum, metric, -sign, sums, uncounted!) && isComplete;
      } else isComplete = this.addSelected(sum, metric, sign, sums, counted) && isComplete;
    }
    if (sum.isMissing) sum.values.fill(0); // a part of the sum would be a number that the report does not have
    return isComplete ? sum : undefined;
  }
  private noLocationValues(): LocationValues {
    const count = this.report.meta.locations.length;
    const [values, least, most] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
    return { values, least, most, isApproximate: false, isMissing: false, groupSize: 0 };
  }
  /** Adds values of the selected call paths; false if they are not there yet. */
  private addSelected(sum: LocationValues, metric: number, sign: number, sums: Sums, selected: Uint8Array): boolean {
    const singleValues = this.sections.singleValues(metric);
    if (singleValues === undefined) return false;
    const callPaths = [...selected.keys()].filter((node) => selected[node] === 1 && sums.byCallPath[node] !== 0);
    if (singleValues) this.addSingleValues(sum, singleValues, sign, callPaths);
    else sum.isMissing ||= callPaths.length > 0;
    return true;
  }
  private addSingleValues(sum: LocationValues, singleValues: SingleValues, sign: number, callPaths: number[]): void {
    const { values, least, most } = sum;
    sum.isApproximate ||= singleValues.isApproximate;
    for (const callPath of callPaths) {
      if (singleValues.isGrouped(callPath)) sum.groupSize = singleValues.groupSize;
      singleValues.forEach(callPath, (location, value, low, high) => {
        values[location] = this.combine(values[location]!, sign * value);
        least[location] = least[location]! + sign * (sign > 0 ? low : high);
        most[location] = most[location]! + sign * (sign > 0 ? high : low);
      });
    }
  }
  /** The value of a node of the tree of locations, from those of locations. */
  ofPlace(place: number, values: Float64Array): number {
    let value = 0;
    for (const location of this.report.places[place]!.locations) value = this.combine(value, values[location]!);
    return value;
  }

  // ---- all trees together ----

  /** The value of all that is selected; undefined while sections are unpacked. */
  total(): { value: number; isApproximate: boolean } | "unknown" | undefined {
    if (this.trees.places.selected.length === 0) {
      const values = this.byCallPath();
      const contains = this.callPathsInSelection();
      return values && { value: this.combined(values.filter((_, node) => contains[node] === 1)), isApproximate: false };
    }
    const found = this.byLocation();
    if (!found || found.isMissing) return found && "unknown";
    return {
      value: this.combined([...this.selectedLocations()].map((location) => found.values[location]!)),
      isApproximate: found.isApproximate,
    };
  }
  private combined(values: Iterable<number>): number {
    return [...values].reduce((a, b) => this.combine(a, b), 0);
  }
  private selectedLocations(): Set<number> {
    const { places } = this.trees;
    return new Set(
      places.selected.flatMap((place) => (places.isExclusive(place) ? [] : this.report.places[place]!.locations)),
    );
  }
}
