// Types of the JSON report, as far as the page reads it; src/report/report.schema.json describes every field. What was
// added to version 2 later is optional, because a report may have been written without it.

export type Index = number | null;
export interface Table {
  columns: string[];
  rows: (number | string | null)[][];
}
/**
 * Definition and total of a metric. `within_parent`: it is a share of its parent's value instead of a part beside the
 * others.
 */
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
/** Explains a wait: each step waited for the location of the next one, until one was busy. */
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
