// The state of the page of a report: the view, and what is selected in the trees and in the charts. The address holds
// it.
import type { Report } from "../data/report";
import type { SevereInstance, Metric, Problem, Wait } from "../report_types";
import { visible } from "../text/visible_names";
import { addressParts, numberOf, safeDecode } from "./address";
import { PageStore } from "./page_store";
import { SectionCache } from "./section_cache";
import { SelectedValues } from "./selected_values";
import type { TimeRange, TimeSelection } from "./time_range";
import { TreeState } from "./tree_state";
import { valueUnits, viewNames, type ValueUnit, type ViewName } from "./view_names";

/** The charts that show a part of the run, by the name that their part has in the address. */
const windowNames = { timeline: "t", path: "pt", series: "st" } as const;
export type WindowName = keyof typeof windowNames;

/** What a comparison shows of a metric instead of its value, and beside it. */
export interface MetricCells {
  text?: string;
  title?: string;
  moreColumns?: string[];
}

/** A tree in the address: its name, and how its nodes are written and read. */
interface AddressedTree {
  name: "m" | "c" | "l";
  state: TreeState;
  nodeText: (node: number) => string;
  nodeOf: (text: string) => number | undefined;
}

const longestOpenText = 2000; // in the address
const allNodes = "*"; // stands for all nodes that can be open
const mostSelected = 10_000;

export class ReportStore extends PageStore implements TimeSelection {
  view: ViewName = "summary";
  valueUnit: ValueUnit = "absolute";
  exchangedQuantity = "bytes"; // shown by the matrix of who sends to whom
  /** Only instances where the second location, if any, waited for the first. */
  locationPair: [culprit: number, waiter: number | null] | null = null;
  /** The times that charts show; null: all, or of the timeline a time around the instance. */
  readonly windows: Record<WindowName, TimeRange | null> = { timeline: null, path: null, series: null };
  readonly metrics: TreeState;
  readonly callPaths: TreeState;
  readonly places: TreeState;
  readonly values: SelectedValues;
  readonly sections: SectionCache;
  /** The selected stretch of the run; null: all of it. */
  time: TimeRange | null = null;
  /** Whether the time in MPI_Init, MPI_Finalize and the like counts, which the text report leaves out. */
  countsInitExit = false;
  /** Values are changes, whose sign matters. */
  readonly showsChanges: boolean = false;
  private instanceIndex = 0;

  constructor(
    readonly report: Report,
    redraw: () => void,
  ) {
    super(() => {
      this.values.forget();
      redraw();
    });
    this.metrics = new TreeState(report.metricTree);
    this.callPaths = new TreeState(report.callTree);
    this.places = new TreeState(report.placeTree);
    this.sections = new SectionCache(report, () => this.redraw());
    this.values = new SelectedValues(report, this, this.sections);
    this.openPlaces();
    this.openFirstBranch();
    for (const tree of [this.metrics, this.callPaths, this.places]) tree.rememberOpen();
    this.selectWorst();
  }

  get clock(): Report {
    return this.report;
  }
  /** Views of things that only some reports have are offered only with them. */
  hasView(view: ViewName): boolean {
    const { critical_segments, phases } = this.report.meta;
    if (view === "path") return critical_segments !== undefined;
    return view !== "phases" || phases !== undefined;
  }

  // ---- selection ----

  /** The calls of which the time does not count. */
  get uncountedPaths(): Uint8Array | undefined {
    return this.countsInitExit ? undefined : this.report.initExitPaths;
  }
  totalOf(metric: number): number {
    const { total, total_without_init_exit } = this.report.meta.metrics[metric]!;
    return this.uncountedPaths ? total_without_init_exit : total;
  }
  /** The time that shares refer to, in words: that of the text report. */
  get baseText(): string {
    if (!this.report.initExitPaths) return "the time";
    return this.countsInitExit ? "the total time" : `the time without ${this.report.initExitText}`;
  }

  /** The number of the selected one among allInstances(). */
  get instance(): number {
    return this.instanceIndex;
  }
  set instance(instance: number) {
    this.instanceIndex = instance;
    this.windows.timeline = null;
  }
  /** The first of the selected metrics. */
  get metric(): Metric {
    return this.report.meta.metrics[this.metrics.selected[0] ?? 0]!;
  }
  get metricTitle(): string {
    return this.report.metricTitle(this.metric.id);
  }
  /** Does nothing if there is no such metric. */
  selectMetric(id: string): void {
    const metric = this.report.metricOf.get(id);
    if (metric === undefined) return;
    this.metrics.reveal(metric);
    this.metrics.open.delete(metric);
    this.metrics.select(metric);
    this.showAllInstances();
  }
  /** Null selects all call paths. */
  selectCallPath(callPath: number | null): void {
    if (callPath === null) {
      this.callPaths.selected = [];
      return;
    }
    this.callPaths.reveal(callPath);
    this.callPaths.select(callPath);
  }
  /** Selects call paths themselves, without what they call. */
  selectCallPathsAlone(callPaths: number[]): void {
    this.callPaths.selected = callPaths;
    this.callPaths.selectedAlone = true;
    for (const callPath of callPaths) this.callPaths.reveal(callPath);
    this.callPaths.cursor = callPaths[0] ?? -1;
  }
  /** Null selects all locations. */
  selectLocation(location: number | null): void {
    this.places.selected = [];
    const place = location === null ? -1 : this.report.placeOfLocation[location]!;
    if (place >= 0) this.selectPlace(place);
  }
  selectPlace(place: number): void {
    this.places.reveal(place);
    this.places.select(place);
  }
  /** Selects a place and a call path, and says so. */
  goTo(location: number | null, callPath: number | null): void {
    this.selectLocation(location);
    this.selectCallPath(callPath);
    this.announce(`${this.report.locationName(location)}, ${this.report.callPathName(callPath)} is selected`);
  }
  /** Selects all call paths, all locations and all of the run. */
  selectAll(): void {
    this.callPaths.selected = [];
    this.places.selected = [];
    this.locationPair = null;
    this.time = null;
    this.changed();
  }
  selectTime(time: TimeRange | null): void {
    this.time = time;
    this.changed();
  }
  /** Whether a stretch of time has something of the selected one. */
  isInTime(begin: number, end: number): boolean {
    return this.time === null || (begin <= this.time[1] && end >= this.time[0]);
  }

  /** When the page is opened: the worst metric, and the call path where it is worst. */
  protected selectWorst(): void {
    const { meta, metricOf } = this.report;
    const problem = meta.problems.find(({ metric }) => metric !== null);
    const metric = problem?.metric ?? this.waitStates()[0]?.id ?? (metricOf.has("time") ? "time" : meta.metrics[0]?.id);
    if (metric !== undefined) this.selectMetric(metric);
    const callPath = problem?.callpath ?? (metric === undefined ? null : this.worstCallPath(metric));
    if (callPath !== null) this.selectCallPath(callPath);
  }
  /** Opens the tree of locations down to the processes; where there are very many, down to the nodes. */
  private openPlaces(): void {
    const { places, placeTree, hasManyLocations } = this.report;
    places.forEach(({ kind }, place) => {
      if (kind !== "process" && kind !== "thread" && (!hasManyLocations || placeTree.parent[place]! < 0))
        this.places.open.add(place);
    });
  }
  /** Opens the tree of call paths down to the first one that calls several. */
  private openFirstBranch(): void {
    const { roots, children } = this.report.callTree;
    for (let nodes = roots; nodes.length === 1 && children[nodes[0]!]!.length > 0; nodes = children[nodes[0]!]!)
      this.callPaths.open.add(nodes[0]!);
  }
  private worstCallPath(metric: string): number | null {
    const instances = this.report.meta.waits?.[metric]?.instances ?? [];
    return instances.length === 0 ? null : instances.reduce((a, b) => (b.total > a.total ? b : a)).callpath;
  }

  // ---- wait states and their instances ----

  /** Metrics that are wait states, the largest first. */
  waitStates(): Metric[] {
    const { metrics, waits } = this.report.meta;
    return metrics.filter(({ id, unit }) => waits?.[id] && unit === "ticks").sort((a, b) => b.total - a.total);
  }
  /** Instances of the selected wait state, the most severe first. */
  allInstances(): SevereInstance[] {
    return (this.report.meta.waits?.[this.metric.id]?.instances ?? []).slice().sort((a, b) => b.total - a.total);
  }
  /** Those in the selected call paths, places and time, and of the selected pair. */
  instances(): SevereInstance[] {
    const pair = this.locationPair;
    const callPaths = this.callPaths.selected.length > 0 ? this.values.callPathsInSelection() : undefined;
    const locations = this.values.locationsInSelection();
    return this.allInstances().filter((instance) => {
      const waits = waitsOf(instance);
      if (callPaths && (instance.callpath === null || callPaths[instance.callpath] !== 1)) return false;
      if (locations && !waits.some(({ location }) => location !== null && locations.has(location))) return false;
      if (!waits.some(({ begin, ticks }) => this.isInTime(begin, begin + ticks))) return false;
      return !pair || waits.some(({ culprit, location }) => culprit === pair[0] && location === pair[1]);
    });
  }
  /** Undefined if there is none in the selection. */
  selectedInstance(): SevereInstance | undefined {
    const shown = this.instances();
    const selected = this.allInstances()[this.instance];
    return selected && shown.includes(selected) ? selected : shown[0];
  }
  selectInstance(instance: SevereInstance): void {
    this.instance = this.allInstances().indexOf(instance);
  }
  showAllInstances(): void {
    this.instance = 0;
    this.locationPair = null;
  }
  showInstancesOf(culprit: number, waiter: number): void {
    this.locationPair = [culprit, waiter];
    this.callPaths.selected = []; // the pair's value is that of all call paths
    this.places.selected = [];
    this.time = null;
    this.instance = 0;
    this.view = "instances";
  }
  /** Selects what a problem's value is the value of: a metric, in all call paths or those of a function. */
  showProblem({ metric, value_of, function: name, scope, callpath, title }: Problem): void {
    this.startProblem(value_of ?? metric, scope);
    if (name === "") {
      if (callpath !== null) this.callPaths.reveal(callpath);
    } else this.selectCallPathsAlone(this.callPathsOf(name));
    this.announce(`selected: ${visible(title)}`);
  }
  /** Selects the worst call path of a problem. */
  showWorstCallPath({ metric, value_of, scope, callpath, title }: Problem): void {
    this.startProblem(value_of ?? metric, scope);
    if (callpath !== null) this.selectCallPathsAlone([callpath]);
    this.announce(`selected: ${visible(title)} in ${this.report.callPathName(callpath)}`);
  }
  /** Shows the worst wait of a problem. */
  showWorstWait({ metric, instance, callpath, scope }: Problem): void {
    this.startProblem(metric, scope);
    const wanted =
      metric === null || instance === null ? undefined : this.report.meta.waits[metric]?.instances[instance];
    if (callpath !== null) this.selectCallPathsAlone([callpath]);
    if (wanted) this.selectInstance(wanted);
    this.view = "instances";
    this.changed();
  }
  private startProblem(metric: string | null, scope: Problem["scope"]): void {
    this.selectMetric(metric ?? "time");
    this.callPaths.selected = [];
    this.places.selected = [];
    this.time = null;
    this.countsInitExit = scope === "whole";
    this.view = "trees";
  }
  private callPathsOf(functionName: string): number[] {
    const { call_tree, regions } = this.report.meta;
    return [...call_tree.keys()].filter((node) => {
      const { region } = call_tree[node]!;
      return region !== null && regions[region]!.name === functionName;
    });
  }

  // ---- values ----

  /** A value of a metric as it is shown. */
  valueText(metric: Metric, value: number, isApproximate = false): string {
    return this.report.valueText(metric, value, isApproximate);
  }
  /** What is shown of a metric beside its value. */
  metricCells(_metric: number, _inAll: string): MetricCells {
    return {};
  }
  /** A sentence on why the trace cannot tell the selected metric; undefined if it can. */
  whyUnknown(): string | undefined {
    const { id, told } = this.metric;
    if (told !== "unknown") return undefined;
    const reasons = this.report.meta.unanswered
      .filter(({ metric }) => metric === id)
      .map(({ sentence }) => visible(sentence));
    return `The trace cannot tell ${this.metricTitle}${reasons.length > 0 ? `: ${reasons.join("; ")}` : ""}.`;
  }
  /** The value of all that is selected; undefined while sections are unpacked. */
  selectedTotal(): { value: number; isApproximate: boolean } | "unknown" | undefined {
    return this.whyUnknown() === undefined ? this.values.total() : "unknown";
  }

  // ---- address ----

  private get addressedTrees(): AddressedTree[] {
    const { metrics } = this.report.meta;
    const { callPathNames, placeNamesInAddress } = this.report;
    return [
      {
        name: "m",
        state: this.metrics,
        nodeText: (node) => encodeURIComponent(metrics[node]!.id),
        nodeOf: (id) => this.report.metricOf.get(safeDecode(id)),
      },
      {
        name: "c",
        state: this.callPaths,
        nodeText: (node) => callPathNames.text(node),
        nodeOf: (text) => callPathNames.node(text),
      },
      {
        name: "l",
        state: this.places,
        nodeText: (node) => placeNamesInAddress.text(node),
        nodeOf: (text) => placeNamesInAddress.node(text),
      },
    ];
  }
  /** The selection alone. */
  private selectionAddress(): string[] {
    const parts = [`v=${this.view}`];
    for (const { name, state, nodeText } of this.addressedTrees) {
      const nodes = state.selected.map((node) => (state.isExclusive(node) ? "~" : "") + nodeText(node));
      if (nodes.length > 0 || name === "m") parts.push(`${name}=${nodes.join(",")}`);
    }
    if (this.instance > 0) parts.push(`i=${this.instance}`);
    if (this.locationPair) parts.push(`p=${this.locationPair[0]}-${this.locationPair[1] ?? ""}`);
    if (this.time) parts.push(`tr=${this.timeAddress(this.time)}`);
    if (this.countsInitExit && this.report.initExitPaths) parts.push("x=1");
    return parts;
  }
  protected override selectionKey(): string {
    return this.selectionAddress().join("&");
  }
  protected override address(): string[] {
    const parts = this.selectionAddress();
    for (const { name, state, nodeText } of this.addressedTrees) {
      if (!state.hasOtherOpen()) continue;
      const isOpenBelow = (node: number) => state.open.has(node) || state.tree.children[node]!.length === 0;
      const areAllOpen = state.tree.children.every((_, node) => isOpenBelow(node));
      const open = areAllOpen ? allNodes : [...state.open].map(nodeText).join(",");
      if (open.length < longestOpenText) parts.push(`o${name}=${open}`);
    }
    parts.push(...this.windowAddress());
    if (this.valueUnit !== "absolute") parts.push(`u=${this.valueUnit}`);
    if (this.exchangedQuantity !== "bytes") parts.push(`w=${this.exchangedQuantity}`);
    return [...parts, ...super.address()];
  }
  private timeAddress(range: TimeRange): string {
    return range.map((time) => this.report.secondsFromStart(time).toFixed(9)).join("-");
  }
  private windowAddress(): string[] {
    return Object.entries(windowNames).flatMap(([chart, name]) => {
      const window = this.windows[chart as WindowName];
      return window ? `${name}=${this.timeAddress(window)}` : [];
    });
  }

  protected override readPart(name: string, text: string): void {
    super.readPart(name, text);
    for (const tree of this.addressedTrees) {
      if (name === tree.name) this.readSelection(tree, text);
      if (name === `o${tree.name}`) this.readOpenNodes(tree, text);
    }
    for (const [chart, windowName] of Object.entries(windowNames))
      if (name === windowName) this.windows[chart as WindowName] = this.readTime(text);
    if (name === "tr") this.time = this.readTime(text);
    if (name === "x") this.countsInitExit = text === "1";
    const view = viewNames.find((one) => one === text);
    if (name === "v" && view && this.hasView(view)) this.view = view;
    if (name === "i") this.instance = numberOf(text) ?? 0;
    if (name === "u") this.valueUnit = valueUnits.find((unit) => unit === text) ?? this.valueUnit;
    if (name === "w") this.exchangedQuantity = text;
    if (name === "p") this.readPair(text);
  }
  private readSelection({ state, nodeOf }: AddressedTree, text: string): void {
    state.selected = [];
    state.selectedAlone = false;
    for (const word of text.split(",").slice(0, mostSelected)) {
      const isExclusive = word.startsWith("~");
      const node = nodeOf(isExclusive ? word.slice(1) : word);
      if (node === undefined || !(node >= 0 && node < state.tree.parent.length)) continue;
      state.reveal(node);
      state.selected.push(node);
      state.cursor = node;
      if (!isExclusive) state.open.delete(node);
      else if (state.tree.children[node]!.length > 0) state.open.add(node);
    }
  }
  private readOpenNodes({ state, nodeOf }: AddressedTree, text: string): void {
    state.open.clear();
    if (text === allNodes) state.tree.children.forEach((below, node) => below.length > 0 && state.open.add(node));
    for (const word of text.split(",").slice(0, mostSelected)) {
      const node = nodeOf(word);
      if (node !== undefined) state.open.add(node);
    }
  }
  private readTime(text: string): TimeRange | null {
    const [from, to] = text
      .split("-")
      .map((seconds) => Number(seconds) * this.report.ticksPerSecond + this.report.meta.totals.first_time);
    return from !== undefined && to !== undefined && from < to ? [from, to] : null;
  }
  private readPair(text: string): void {
    const [culprit, waiter] = text.split("-").map(numberOf);
    const count = this.report.meta.locations.length;
    if (culprit !== undefined && culprit < count && (waiter === undefined || waiter < count))
      this.locationPair = [culprit, waiter ?? null];
  }
  /** What an address does not say is as in a page that has just been opened; a metric alone means all call paths. */
  override readAddress(): void {
    for (const { state } of this.addressedTrees) state.reset();
    this.view = "summary";
    this.valueUnit = "absolute";
    this.exchangedQuantity = "bytes";
    this.showAllInstances();
    this.time = null;
    this.countsInitExit = false;
    this.windows.path = this.windows.series = null;
    if (!addressParts().some(([name]) => name === "m")) this.selectWorst();
    super.readAddress();
    if (this.metrics.selected.length === 0 && this.report.meta.metrics.length > 0) this.metrics.select(0);
  }
}

/** The single waits of an instance, or the longest one if only that is known. */
export const waitsOf = (instance: SevereInstance): Wait[] => instance.members ?? [instance.longest];
