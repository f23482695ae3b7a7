// The JSON report as the page knows it (src/report/report.schema.json has every field), its trees, and how its values and
// names are written. Everything beyond version 2 without additions is optional: what is missing is said to be missing.
import { check } from "./check";
import { damaged, PageError, section } from "./sections";

export type Index = number | null;
export interface Table {
  columns: string[];
  rows: (number | string | null)[][];
}
/** The rows with names for what is in them. */
export function records<T>({ columns, rows }: Table): T[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])) as T);
}
export interface Metric {
  id: string;
  title: string;
  summary: string;
  unit: "ticks" | "occ" | "bytes" | "counter";
  within_parent: boolean;
  kind?: string;
  aggregation?: "minimum" | "maximum";
  parent: string | null;
  total: number;
  told: string;
  share: number | null;
  definition?: string;
  charged_to?: string;
  source?: string;
  diagnosis?: string;
  siblings?: "disjoint" | "overlapping" | "elsewhere";
}
export interface Wait {
  location: Index;
  callpath?: Index;
  enter: number;
  exit: number;
  begin: number;
  ticks: number;
  culprit: Index;
  culprit_callpath: Index;
}
export interface Cause {
  kind: string;
  sent: Index;
  received: Index;
  bytes: Index;
  tag: Index;
  communicator: Index;
  operation: string | number | null;
  culprit_enter: Index;
  culprit_exit: Index;
}
/** Why a wait was: what its culprit waited for itself, and so on. */
export interface Chain {
  steps: {
    location: number;
    callpath: number;
    enter: number;
    ticks: number;
    crossing: string;
    culprit: Index;
    share: number;
  }[];
  end: string;
  root: Index;
  root_ticks: number;
  root_share: number;
  waited_share: number;
}
export interface Phase {
  begin: number;
  end: number;
  locations: number;
  ticks: number;
  longest: number;
  computation: number;
  largest_computation: number;
  parallel_efficiency: number | null;
  load_balance: number | null;
  communication_efficiency: number | null;
  waits: Record<string, number>;
}
export interface Instance {
  callpath: Index;
  total: number;
  waiters: number;
  longest: Wait;
  members?: Wait[];
  members_left_out?: number;
  cause?: Cause;
  chain?: Chain;
  context?: number;
}
export interface Statistics {
  count: number;
  sum: number;
  minimum: number;
  maximum: number;
  mean: number | null;
  quartile25: number | null;
  median: number | null;
  quartile75: number | null;
  quantile_error: number | null;
}
export interface Waits {
  statistics: Statistics;
  pairs: Table;
  causes: Table;
  instances: Instance[];
  histogram?: Table;
  by_callpath?: Table & { left_out: number };
}
export interface Problem {
  metric: string | null;
  title: string;
  sentence: string;
  advice: string;
  ticks: number;
  callpath: Index;
  location: Index;
  culprit: Index;
  instance: Index;
}
export interface Series {
  start: number;
  bin_ticks: number;
  bins: number;
  bins_per_group_bin: number;
  groups: [number, number][];
  metrics: Record<string, { ticks: number[]; without_time: number; groups: { group: number; ticks: number[] }[] }>;
}
export interface Context {
  from: number;
  to: number;
  locations: number[];
  regions: Table;
  shortest: number;
  messages: Table;
  messages_left_out: number;
  transfers?: Table & { left_out: number };
}
export interface Efficiency {
  parallel_efficiency: number | null;
  load_balance: number | null;
  communication_efficiency: number | null;
  unknown: string;
  ideal_machine?: {
    ideal_run_time: number | null;
    serialisation_efficiency: number | null;
    transfer_efficiency: number | null;
    unbalanced: Index;
    balanced_run_time: number | null;
    bound: string;
    unknown: string;
  };
}
export interface Meta {
  format: string;
  version: number;
  waitstate_version: string;
  trace: {
    path: string;
    date: string | null;
    creator: string;
    machine: string;
    command?: string;
    clock: { ticks_per_second: number };
  };
  totals: {
    first_time: number;
    last_time: number;
    duration: number;
    events: number;
    messages: number;
    collectives: number;
  };
  efficiency: Record<string, Efficiency>;
  wait_groups?: {
    processes: number[];
    left_out: number;
    count: number;
    ticks: number;
    circle: number[];
    circle_ticks: number;
  }[];
  focus: { region: string; locations: number[]; from: number; to: number | null };
  patterns: { id: string; parameters: { name: string; value: string }[] }[];
  system_tree: { name: string; class: string; parent: Index }[];
  processes: { name: string; type: string; system_tree_node: Index; rank: Index }[];
  locations: { name: string; type: string; process: Index }[];
  regions: { name: string; file: string; begin_line: number; region_class: string }[];
  programs: string[];
  communicators: { name: string; self: boolean; members: Index[] }[];
  cart_dimensions: { name: string; size: number; periodic: string }[];
  cart_topologies: { name: string; communicator: Index; dimensions: Index[]; coordinates: number[] }[];
  call_tree: { parent: Index; region: Index; program: Index }[];
  metrics: Metric[];
  waits: Record<string, Waits>;
  counters: Record<string, { kind: string; unit: string; severity_unit: string; scale: number; values: Table }>;
  events_by_type?: Record<string, number>;
  unanswered: { metric: string; sentence: string }[];
  diagnostics: { id: string; severity: string; sentence: string; count: number; places: { text: string }[] }[];
  problems: Problem[];
  problems_note?: string;
  series?: Series;
  communication?: { processes_per_block: number; pairs: Table; sizes: Table; collectives: Table };
  contexts?: Context[];
  critical_segments?: { ticks: number; left_out: number; ticks_left_out: number; segments: Table };
  phases?: { region: Index; visits: number; visits_per_phase: number; phases: Phase[] };
}

/** Of an efficiency what it is the product of, after itself. */
export const factors = ["parallel_efficiency", "load_balance", "communication_efficiency"] as const;
export const factorName = (factor: string): string => factor.replace("_", " ");

/** Long names are cut, until the whole ones are asked for. */
export const names = { most: 2000, cut: false };
/** Names of a trace are hostile: what cannot be seen, or turns the direction of writing, becomes a visible escape. */
export function visible(name: string): string {
  if (name.length > names.most) names.cut = true;
  const shown = name.length > names.most ? `${name.slice(0, names.most)}\u2026` : name;
  return shown.replace(
    /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A tree whose nodes are numbers; a parent has a smaller number than its children. */
export interface Tree {
  parent: Int32Array;
  children: number[][];
  roots: number[];
  /** One behind the last node of what is below, where the nodes stand depth first. */
  depth: Uint16Array;
}
export function treeOf(parents: number[]): Tree {
  const parent = Int32Array.from(parents);
  const children: number[][] = parents.map(() => []);
  const roots: number[] = [];
  const depth = new Uint16Array(parents.length);
  parents.forEach((p, i) => {
    if (p >= i) throw damaged("a tree has a child before its parent");
    if (p < 0) roots.push(i);
    else (children[p]!.push(i), (depth[i] = depth[p]! + 1));
  });
  return { parent, children, roots, depth };
}

export interface Place {
  raw: string; // name
  title: string;
  locations: number[]; // that lie below
}

export class Report {
  readonly metric = new Map<string, number>();
  readonly metricTree: Tree;
  readonly callTree: Tree;
  readonly callEnd: Uint32Array; // the first call path that is not below
  readonly placeTree: Tree;
  readonly places: Place[] = [];
  readonly placeOfLocation: number[];
  readonly placeOfProcess: number[];
  readonly ticks: number;
  readonly many: boolean; // locations: more than are shown one by one at first

  /** `reduced`: what does not fit into the file, as sentences. */
  constructor(
    readonly meta: Meta,
    readonly reduced: string[] = [],
  ) {
    meta.metrics.forEach((m, i) => this.metric.set(m.id, i));
    this.many = meta.locations.length > 4096;
    this.ticks = meta.trace.clock.ticks_per_second;
    this.metricTree = treeOf(meta.metrics.map((m) => (m.parent === null ? -1 : (this.metric.get(m.parent) ?? -1))));
    this.callTree = treeOf(meta.call_tree.map((c) => c.parent ?? -1));
    const n = meta.call_tree.length;
    this.callEnd = new Uint32Array(n);
    for (let i = n; i-- > 0;) {
      this.callEnd[i] = Math.max(this.callEnd[i]!, i + 1);
      const p = this.callTree.parent[i]!;
      if (p >= 0) this.callEnd[p] = Math.max(this.callEnd[p]!, this.callEnd[i]!);
    }
    this.placeOfLocation = meta.locations.map(() => -1);
    this.placeOfProcess = meta.processes.map(() => -1);
    this.placeTree = treeOf(this.makePlaces());
  }

  /** Machine, node, process, thread; what holds no location is left out, and a thread that is alone is its process. */
  private makePlaces(): number[] {
    const { system_tree, processes, locations } = this.meta;
    const parents: number[] = [];
    const ofProcess = processes.map((): number[] => []);
    const alone: number[] = [];
    locations.forEach((l, i) => (l.process === null ? alone : ofProcess[l.process]!).push(i));
    const below = system_tree.map(() => ({ nodes: [] as number[], processes: [] as number[] }));
    const roots: number[] = [];
    const free: number[] = [];
    system_tree.forEach((s, i) => (s.parent === null ? roots : below[s.parent]!.nodes).push(i));
    processes.forEach((p, i) => (p.system_tree_node === null ? free : below[p.system_tree_node]!.processes).push(i));
    const holds = (node: number): boolean =>
      below[node]!.processes.some((p) => ofProcess[p]!.length > 0) || below[node]!.nodes.some(holds);
    const add = (parent: number, name: string, title: string): number => {
      parents.push(parent);
      this.places.push({ raw: name, title, locations: [] });
      return parents.length - 1;
    };
    const addLocation = (at: number, location: number) => {
      this.placeOfLocation[location] = at;
      for (let p = at; p >= 0; p = parents[p]!) this.places[p]!.locations.push(location);
    };
    const addProcess = (parent: number, process: number) => {
      const own = ofProcess[process]!;
      if (own.length === 0) return;
      const at = add(parent, processes[process]!.name, "process");
      this.placeOfProcess[process] = at;
      if (own.length === 1) addLocation(at, own[0]!);
      else for (const l of own) addLocation(add(at, locations[l]!.name, "thread"), l);
    };
    const addNode = (parent: number, node: number) => {
      if (!holds(node)) return;
      const at = add(parent, system_tree[node]!.name, system_tree[node]!.class);
      for (const p of below[node]!.processes) addProcess(at, p);
      for (const n of below[node]!.nodes) addNode(at, n);
    };
    for (const r of roots) addNode(-1, r);
    for (const p of free) addProcess(-1, p);
    for (const l of alone) addLocation(add(-1, locations[l]!.name, "location"), l);
    return parents;
  }

  placeName(place: number): string {
    return visible(this.places[place]!.raw);
  }
  callName(callpath: number): string {
    const c = this.meta.call_tree[callpath]!;
    if (c.region !== null) return visible(this.meta.regions[c.region]?.name ?? "");
    return c.program !== null ? visible(this.meta.programs[c.program]!.replace(/.*\//s, "")) : "(unknown region)";
  }
  callPath(callpath: Index): string {
    if (callpath === null) return "(unknown)";
    const names: string[] = [];
    for (let i = callpath; i >= 0; i = this.callTree.parent[i]!) names.push(this.callName(i));
    return names.reverse().join("/");
  }
  locationName(location: Index): string {
    if (location === null) return "(several)";
    const l = this.meta.locations[location]!;
    const place = this.placeOfLocation[location]!;
    if (place >= 0 && this.places[place]!.title !== "thread") return this.placeName(place);
    const process = l.process === null ? "" : `${visible(this.meta.processes[l.process]!.name)} `;
    return process + visible(l.name);
  }
  regionName(region: Index): string {
    return region === null ? "(unknown region)" : visible(this.meta.regions[region]?.name ?? "");
  }
  metricTitle(id: string): string {
    return visible(this.meta.metrics[this.metric.get(id) ?? -1]?.title || id);
  }
  /** Whether a wait state's waits may be those of another one of `all` as well, so that they would be counted twice. */
  isShare(id: string, all: Record<string, unknown>): boolean {
    const { metrics } = this.meta;
    for (let m = this.metric.get(id) ?? -1; m >= 0; m = this.metricTree.parent[m]!) {
      const parent = this.metricTree.parent[m]!;
      if (
        metrics[m]!.siblings === "overlapping" ||
        (metrics[m]!.within_parent && parent >= 0 && all[metrics[parent]!.id])
      )
        return true;
    }
    return false;
  }
  seconds(ticks: number): string {
    return durationText(ticks / this.ticks);
  }
  /** Seconds since the first event. */
  since(ticks: number): number {
    return (ticks - this.meta.totals.first_time) / this.ticks;
  }
  time(ticks: number): string {
    return `${this.since(ticks).toFixed(6)} s`;
  }
  /** In the metric's unit. */
  value(metric: Metric, value: number, approximate = false): string {
    const about = approximate ? "\u2248\u202f" : "";
    switch (metric.unit) {
      case "ticks":
        return about + durationText(value / this.ticks, approximate ? 3 : 4);
      case "counter": {
        const counter = this.meta.counters?.[metric.id];
        return (
          about +
          (value * (counter?.scale ?? 1))
            .toPrecision(approximate ? 3 : 6)
            .replace(/\.0*(?=e|$)|(\.\d*?)0+(?=e|$)/, "$1")
        );
      }
      default:
        return about + countText(approximate ? Number(value.toPrecision(3)) : value);
    }
  }
  unit(metric: Metric): string {
    switch (metric.unit) {
      case "ticks":
        return "s";
      case "bytes":
        return "bytes";
      case "occ":
        return "occurrences";
      default:
        return visible(this.meta.counters?.[metric.id]?.severity_unit ?? "");
    }
  }
}

export const countText = (n: number): string => n.toLocaleString("en");
/** So many significant digits are what a reader compares. */
export function durationText(seconds: number, digits = 4): string {
  if (seconds === 0) return "0";
  const size = Math.abs(seconds);
  const [scale, unit] =
    size >= 1 ? [1, "s"] : size >= 1e-3 ? [1e3, "ms"] : size >= 1e-6 ? [1e6, "\u00b5s"] : [1e9, "ns"];
  const number = seconds * scale;
  return `${Math.abs(number) >= 10 ** digits - 0.5 ? number.toFixed(0) : number.toPrecision(digits)} ${unit}`;
}
export function percentText(share: number): string {
  if (!Number.isFinite(share)) return "\u2013";
  if (share !== 0 && Math.abs(share) < 5e-6) return "< 0.001 %";
  return `${(100 * share).toFixed(share !== 0 && Math.abs(share) < 0.001 ? 3 : 1)} %`;
}

export function parse<T>(bytes: Uint8Array<ArrayBuffer>, name: string): T {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as T;
  } catch {
    throw damaged(`section ${name} is no JSON`);
  }
}

export async function loadReport(): Promise<Report> {
  const bytes = await section("meta");
  if (!bytes)
    throw new PageError(
      "This file holds no report: its section meta is missing. Write it again with waitstate analyze -o.",
    );
  const meta = parse<Meta>(bytes, "meta");
  if (meta.format !== "waitstate" || meta.version !== 2)
    throw new PageError(
      `The report in this file has version ${String(meta.version)} of the format; this page reads version 2.`,
    );
  const reduced = await section("reduced");
  const sentences = reduced ? parse<string[]>(reduced, "reduced") : [];
  try {
    check(meta);
    return new Report(meta, sentences);
  } catch (error) {
    throw error instanceof PageError ? error : damaged(`its definitions are not whole (${String(error)})`);
  }
}
