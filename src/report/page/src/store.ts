// What is selected, and the values that follow from it. As in CubeGUI a collapsed node stands for all that is below it,
// an expanded one for itself; each tree shows values for what is selected in the trees left of it:
// metric -> call path -> location. The address holds the state, so a link leads to the same place.
import { dataset, PageStore, rangesOf, rangesText, safeDecode } from "./page_store";
import { Cells, damaged, readSums, section, type Sums } from "./sections";
import { visible, type Metric, type Report } from "./report";
import { TreeState } from "./tree_state";
import type { NodeRow } from "./tree_view";

export type Unit = "absolute" | "total" | "selection" | "peer";
export const units: Record<Unit, string> = {
  absolute: "values",
  total: "% of the whole run",
  selection: "% of what is selected left of it",
  peer: "% of the largest sibling",
};
export const views = {
  summary: "Summary",
  trees: "Trees",
  flat: "Flat",
  statistics: "Statistics",
  instances: "Instances",
  timeline: "Timeline",
  time: "Over time",
  phases: "Phases",
  path: "Critical path",
  matrix: "Who waits for whom",
  communication: "Communication",
  topology: "Topology",
  counters: "Counters",
} as const;
export type View = keyof typeof views;

/** Of the selection, by location. */
export interface LocationValues {
  values: Float64Array;
  approximate: boolean;
  missing: boolean;
  group: number; // 0, or how many neighbours have one value, their mean; then each value lies in between these:
  least: Float64Array;
  most: Float64Array;
}

export class Store extends PageStore {
  view: View = "summary";
  unit: Unit = "absolute";
  exchanged = "bytes"; // what the matrix of communication shows
  private chosen = 0;
  pair: [number, number | null] | null = null;
  window: [number, number] | null = null; // of the timeline, in ticks; another instance has another one
  pathWindow: [number, number] | null = null; // of the critical path
  seriesWindow: [number, number] | null = null; // of the waits over time
  readonly metrics: TreeState;
  readonly calls: TreeState;
  readonly places: TreeState;
  /** Values are changes: the sign matters. */
  readonly signed: boolean = false;
  /** Counts what could not be drawn yet because a section is being unpacked. */
  pending = 0;
  private readonly sums = new Map<number, Sums | Error | null>();
  private readonly cells = new Map<number, Cells | Error | null>();
  private readonly kept = new Map<string, unknown>(); // what was computed for what is drawn

  constructor(
    readonly report: Report,
    draw: () => void,
  ) {
    super(() => (this.kept.clear(), draw()));
    this.metrics = new TreeState(report.metricTree);
    this.calls = new TreeState(report.callTree);
    this.places = new TreeState(report.placeTree);
    this.start();
    this.begin();
  }
  /** What is open now need not stand in the address. */
  protected begin(): void {
    for (const tree of [this.metrics, this.calls, this.places]) tree.first = rangesText(tree.open);
  }

  private once<T>(name: string, make: () => T): T {
    if (!this.kept.has(name)) this.kept.set(name, make());
    return this.kept.get(name) as T;
  }

  /** Whether the report has what the view shows: those of what only some reports have are not offered else. */
  has(view: View): boolean {
    const { meta } = this.report;
    return view === "path"
      ? meta.critical_segments !== undefined
      : view === "phases"
        ? meta.phases !== undefined
        : true;
  }

  // ---- selection ----

  get instance(): number {
    return this.chosen;
  }
  set instance(instance: number) {
    this.chosen = instance;
    this.window = null;
  }

  get metric(): Metric {
    return this.report.meta.metrics[this.metrics.nodes[0] ?? 0]!;
  }
  /** Of the selected metric. */
  get title(): string {
    return this.report.metricTitle(this.metric.id);
  }
  selectMetric(id: string): void {
    const m = this.report.metric.get(id);
    if (m === undefined) return;
    this.metrics.reveal(m);
    this.metrics.open.delete(m);
    this.metrics.select(m);
    this.instance = 0;
    this.pair = null;
  }
  selectCall(callpath: number | null): void {
    if (callpath === null) {
      this.calls.nodes = [];
      return;
    }
    this.calls.reveal(callpath);
    this.calls.select(callpath);
  }
  selectLocation(location: number | null): void {
    this.places.nodes = [];
    const place = location === null ? -1 : this.report.placeOfLocation[location]!;
    if (place < 0) return;
    this.places.reveal(place);
    this.places.select(place);
  }

  /** The worst call path of the worst problem, revealed. */
  private start(): void {
    const { meta } = this.report;
    const problem = meta.problems.find((p) => p.metric !== null);
    const worst =
      problem?.metric ?? this.worstWait() ?? (this.report.metric.has("time") ? "time" : meta.metrics[0]?.id);
    if (worst !== undefined) this.selectMetric(worst);
    // Open down to the processes; where there are very many, down to the nodes.
    const { places, placeTree } = this.report;
    places.forEach((p, i) => {
      if (p.title !== "process" && p.title !== "thread" && (!this.report.many || placeTree.parent[i]! < 0))
        this.places.open.add(i);
    });
    let callpath = problem?.callpath ?? null;
    const instances = worst === undefined ? undefined : meta.waits?.[worst]?.instances;
    if (callpath === null && instances && instances.length > 0)
      callpath = instances.reduce((a, b) => (b.total > a.total ? b : a)).callpath;
    if (callpath !== null && callpath !== undefined) this.selectCall(callpath);
  }
  /** Wait states, the largest first. */
  waitMetrics(): Metric[] {
    return this.report.meta.metrics
      .filter((m) => this.report.meta.waits?.[m.id] && m.unit === "ticks")
      .sort((a, b) => b.total - a.total);
  }
  private worstWait(): string | undefined {
    return this.waitMetrics()[0]?.id;
  }

  // ---- values of metrics ----

  /** A metric's children that are added up to it, and their children. */
  private summed(metric: number, found: number[] = []): number[] {
    found.push(metric);
    for (const c of this.report.metricTree.children[metric]!)
      if (!this.report.meta.metrics[c]!.within_parent) this.summed(c, found);
    return found;
  }
  /** The metrics whose own values make the value of a node, with their signs. */
  private parts(metric: number): Map<number, number> {
    const parts = new Map<number, number>();
    const add = (m: number, sign: number) => parts.set(m, (parts.get(m) ?? 0) + sign);
    if (!this.metrics.exclusive(metric)) {
      for (const m of this.summed(metric)) add(m, 1);
      return parts;
    }
    add(metric, 1);
    for (const c of this.report.metricTree.children[metric]!) {
      const child = this.report.meta.metrics[c]!;
      if (child.within_parent && child.siblings === "disjoint" && !child.aggregation)
        for (const m of this.summed(c)) add(m, -1);
    }
    return parts;
  }
  private selectedParts(): Map<number, number> {
    const all = new Map<number, number>();
    for (const metric of this.metrics.nodes)
      for (const [m, sign] of this.parts(metric)) all.set(m, (all.get(m) ?? 0) + sign);
    for (const [m, sign] of all) if (sign === 0) all.delete(m);
    return all;
  }
  metricTotal(metric: number): number {
    const { metrics } = this.report.meta;
    if (!this.metrics.exclusive(metric)) return metrics[metric]!.total;
    if (metrics[metric]!.aggregation) return metrics[metric]!.total;
    let value = metrics[metric]!.total;
    for (const c of this.report.metricTree.children[metric]!)
      if (!metrics[c]!.within_parent || metrics[c]!.siblings === "disjoint") value -= metrics[c]!.total;
    return value;
  }

  valueText(metric: Metric, value: number, approximate = false): string {
    return this.report.value(metric, value, approximate);
  }
  /** What else is told of a metric: in place of its value, and beside it. */
  beside(_metric: number): Partial<NodeRow> {
    return {};
  }
  /** What the trace cannot tell of the selected metric, as a sentence. */
  unknown(): string | undefined {
    const { id, told } = this.metric;
    if (told !== "unknown") return undefined;
    const why = this.report.meta.unanswered.filter((u) => u.metric === id).map((u) => visible(u.sentence));
    return `The trace cannot tell ${this.title}${why.length > 0 ? `: ${why.join("; ")}` : ""}.`;
  }
  together(a: number, b: number): number {
    const kind = this.metric.aggregation;
    if (!kind) return a + b;
    if (a === 0 || b === 0) return a || b;
    return kind === "minimum" ? Math.min(a, b) : Math.max(a, b);
  }

  // ---- sections ----

  /** Starts to unpack what is not there yet; null: the file does not have it, undefined: later. Throws what is damaged. */
  private unpack<T>(
    cache: Map<number, T | Error | null>,
    name: string,
    metric: number,
    most: number,
    read: (bytes: Uint8Array<ArrayBuffer>) => T,
  ): T | null | undefined {
    const found = cache.get(metric);
    if (found instanceof Error) throw found;
    if (found !== undefined || this.loading.has(name)) return found;
    this.loading.add(name);
    ++this.pending;
    section(name, most)
      .then((bytes) => cache.set(metric, bytes ? read(bytes) : null))
      .catch((error: unknown) => cache.set(metric, error instanceof Error ? error : damaged(`section ${name}`)))
      .finally(() => {
        --this.pending;
        if (this.pending === 0) this.draw();
        this.tellPending();
      });
    this.tellPending();
    return undefined;
  }
  private tellPending(): void {
    dataset["pending"] = String(this.pending);
  }
  private readonly loading = new Set<string>();
  /** By call path and by location, of the metric itself; null if it has no values. */
  sumsOf(metric: number): Sums | null | undefined {
    const { call_tree, locations, metrics } = this.report.meta;
    const name = `sum:${metric}`;
    const sums = this.unpack(this.sums, name, metric, 12 + 8 * (call_tree.length + locations.length), (bytes) =>
      readSums(bytes, name, call_tree.length, locations.length),
    );
    if (sums !== null) return sums;
    // What is added up to a metric has sections of its own.
    const { told, total } = metrics[metric]!;
    const own = this.report.metricTree.children[metric]!.reduce(
      (rest, c) => (metrics[c]!.within_parent ? rest : rest - metrics[c]!.total),
      total,
    );
    if (told !== "unknown" && Math.abs(own) > 1e-9 * Math.abs(total)) throw damaged(`section ${name} is missing`);
    return null;
  }
  private startCells(metric: number): Cells | null | undefined {
    const { call_tree, locations } = this.report.meta;
    const name = `cells:${metric}`;
    const [n, m] = [call_tree.length, locations.length];
    return this.unpack(
      this.cells,
      name,
      metric,
      64 + 16 * n + 13 * n * Math.max(3, m),
      (bytes) => new Cells(bytes, name, n, m),
    );
  }
  private cellsOf(metric: number): Cells | null | undefined {
    const cells = this.startCells(metric);
    if (cells === null && this.report.reduced.length === 0) throw damaged(`section cells:${metric} is missing`);
    return cells;
  }

  // ---- values of call paths and locations ----

  /** Of each call path itself; undefined while it is being unpacked. */
  callValues(): Float64Array | undefined {
    return this.once("calls", () => this.addCalls());
  }
  private addCalls(): Float64Array | undefined {
    const values = new Float64Array(this.report.meta.call_tree.length);
    let ready = true;
    for (const [metric, sign] of this.selectedParts()) {
      const sums = this.sumsOf(metric);
      if (sums === undefined) ready = false;
      else if (sums) sums.callpath.forEach((v, i) => (values[i] = this.together(values[i]!, sign * v)));
    }
    return ready ? values : undefined;
  }
  /** With all that is called. */
  withCallees(own: Float64Array): Float64Array {
    const values = own.slice();
    const { parent } = this.report.callTree;
    for (let i = values.length; i-- > 0;)
      if (parent[i]! >= 0) values[parent[i]!] = this.together(values[parent[i]!]!, values[i]!);
    return values;
  }
  /** The selected call paths as numbers; all if none is selected. */
  selectedCalls(): { all: boolean; has: Uint8Array } {
    const n = this.report.meta.call_tree.length;
    const has = new Uint8Array(n);
    if (this.calls.nodes.length === 0) return { all: true, has: has.fill(1) };
    for (const node of this.calls.nodes)
      has.fill(1, node, this.calls.exclusive(node) ? node + 1 : this.report.callEnd[node]!);
    return { all: has.every((h) => h === 1), has };
  }
  /** By location, of the selected metrics in the selected call paths. */
  locationValues(): LocationValues | undefined {
    return this.once("locations", () => this.addLocations());
  }
  private addLocations(): LocationValues | undefined {
    const n = this.report.meta.locations.length;
    const values = new Float64Array(n);
    const [least, most] = [new Float64Array(n), new Float64Array(n)];
    let group = 0;
    const calls = this.selectedCalls();
    let ready = true;
    let approximate = false;
    let missing = false;
    for (const [metric, sign] of this.selectedParts()) {
      const sums = this.sumsOf(metric);
      if (sums === undefined) {
        if (!calls.all) this.startCells(metric); // both at once
        ready = false;
        continue;
      }
      if (!sums) continue;
      if (calls.all) {
        sums.location.forEach((v, i) => (values[i] = this.together(values[i]!, sign * v)));
        continue;
      }
      const cells = this.cellsOf(metric);
      if (cells === undefined) {
        ready = false;
        continue;
      }
      const rows = calls.has;
      if (cells) {
        approximate ||= cells.approximate;
        for (let i = 0; i < rows.length; ++i)
          if (rows[i] === 1 && sums.callpath[i] !== 0) {
            if (cells.byGroups(i)) group = cells.groupSize;
            cells.each(i, (l, v, low, high) => {
              values[l] = this.together(values[l]!, sign * v);
              least[l] = least[l]! + sign * (sign > 0 ? low : high);
              most[l] = most[l]! + sign * (sign > 0 ? high : low);
            });
          }
      } else {
        missing ||= sums.callpath.some((v, i) => rows[i] === 1 && v !== 0);
      }
    }
    if (missing) values.fill(0); // a part of the sum would be no number of the report
    return ready ? { values, approximate, missing, group, least, most } : undefined;
  }
  /** Of all that is selected in the three trees, together. */
  sum(): { value: number; approximate: boolean } | "unknown" | undefined {
    if (this.unknown() !== undefined) return "unknown";
    const add = (values: Iterable<number>) => [...values].reduce((a, b) => this.together(a, b), 0);
    if (this.places.nodes.length === 0) {
      const own = this.callValues();
      const { has } = this.selectedCalls();
      return own && { value: add(own.filter((_, i) => has[i] === 1)), approximate: false };
    }
    const found = this.locationValues();
    if (!found || found.missing) return found && "unknown";
    const some = new Set(
      this.places.nodes.flatMap((p) => (this.places.exclusive(p) ? [] : this.report.places[p]!.locations)),
    );
    return { value: add([...some].map((l) => found.values[l]!)), approximate: found.approximate };
  }
  placeValue(place: number, values: Float64Array): number {
    let value = 0;
    for (const l of this.report.places[place]!.locations) value = this.together(value, values[l]!);
    return value;
  }

  // ---- address ----

  private nodesText(tree: TreeState, name: (node: number) => string): string {
    return tree.nodes.map((n) => (tree.exclusive(n) ? "~" : "") + name(n)).join(",");
  }
  private get trees(): [string, TreeState, (node: number) => string, (name: string) => number | undefined][] {
    const { metrics } = this.report.meta;
    return [
      ["m", this.metrics, (n) => encodeURIComponent(metrics[n]!.id), (id) => this.report.metric.get(safeDecode(id))],
      ["c", this.calls, String, numberOf],
      ["l", this.places, String, numberOf],
    ];
  }
  private get windows(): [string, "window" | "pathWindow" | "seriesWindow"][] {
    return [
      ["t", "window"],
      ["pt", "pathWindow"],
      ["st", "seriesWindow"],
    ];
  }
  protected override address(): string[] {
    const parts = [`v=${this.view}`];
    for (const [key, tree, name] of this.trees)
      if (tree.nodes.length > 0 || key === "m") parts.push(`${key}=${this.nodesText(tree, name)}`);
    for (const [key, tree] of this.trees) {
      const open = rangesText(tree.open);
      if (open !== tree.first && open.length < 2000) parts.push(`o${key}=${open}`);
    }
    if (this.instance > 0) parts.push(`i=${this.instance}`);
    if (this.pair) parts.push(`p=${this.pair[0]}-${this.pair[1] ?? ""}`);
    const first = this.report.meta.totals.first_time;
    for (const [key, name] of this.windows)
      if (this[name])
        parts.push(`${key}=${this[name].map((t) => ((t - first) / this.report.ticks).toFixed(9)).join("-")}`);
    if (this.unit !== "absolute") parts.push(`u=${this.unit}`);
    if (this.exchanged !== "bytes") parts.push(`w=${this.exchanged}`);
    return [...parts, ...super.address()];
  }
  protected override take(key: string, text: string): void {
    super.take(key, text);
    const tree = this.trees.find(([k]) => k === key || `o${k}` === key);
    if (tree && key.length === 1) this.takeNodes(tree[1], text, tree[3]);
    else if (tree) {
      tree[1].open.clear();
      for (const n of rangesOf(text, tree[1].tree.parent.length)) tree[1].open.add(n);
    }
    if (key === "v" && text in views && this.has(text as View)) this.view = text as View;
    if (key === "i") this.instance = numberOf(text) ?? 0;
    if (key === "u" && text in units) this.unit = text as Unit;
    if (key === "w") this.exchanged = text;
    const name = this.windows.find(([k]) => k === key)?.[1];
    if (name) {
      const [from, to] = text.split("-").map((s) => Number(s) * this.report.ticks + this.report.meta.totals.first_time);
      if (from !== undefined && to !== undefined && from < to) this[name] = [from, to];
    }
    if (key === "p") {
      const [culprit, waiter] = text.split("-").map(numberOf);
      const count = this.report.meta.locations.length;
      if (culprit !== undefined && culprit < count && (waiter === undefined || waiter < count))
        this.pair = [culprit, waiter ?? null];
    }
  }
  private takeNodes(tree: TreeState, text: string, node: (name: string) => number | undefined): void {
    tree.nodes = [];
    tree.own = false;
    for (const word of text.split(",").slice(0, 10_000)) {
      const own = word.startsWith("~");
      const n = node(own ? word.slice(1) : word);
      if (n === undefined || !(n >= 0 && n < tree.tree.parent.length)) continue;
      tree.reveal(n);
      tree.nodes.push(n);
      tree.cursor = n;
      if (!own) tree.open.delete(n);
      else if (tree.tree.children[n]!.length > 0) tree.open.add(n);
    }
  }
  override readAddress(): void {
    super.readAddress();
    if (this.metrics.nodes.length === 0 && this.report.meta.metrics.length > 0) this.metrics.select(0);
  }
}

const numberOf = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
