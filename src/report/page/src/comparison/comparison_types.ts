// Types of a comparison of two runs, as far as the page reads it; src/report/diff.schema.json describes every field.
// Times are in seconds.

/** How exactly a value is known. */
export type Certainty = "exactly" | "at least" | "unknown" | "not analysed";

/** A value of run A and of run B; null: not known, or not there. */
export interface Pair {
  before: number | null;
  after: number | null;
  change: number | null;
}
export interface MetricChange extends Pair {
  metric: string;
  callpath?: string; // is there if the change is one in a call path
  unit: string;
  relative: number | null;
  before_told: Certainty;
  after_told: Certainty;
}
export interface ComparedRun {
  path: string;
  processes: number;
  locations: number;
  duration: number;
  focus: string;
  missing: string;
}
export interface WaitChanges {
  metric: string;
  count: Pair;
  sum: Pair;
  mean: Pair;
  median: Pair;
  longest: Pair;
  histogram: { from: number; to: number; before: number; after: number }[];
  by_callpath: { callpath: string; count: Pair; sum: Pair; median: Pair; longest: Pair }[];
}
export interface PhaseChange {
  phase: number;
  longest: Pair;
  parallel_efficiency: Pair;
  waits: Record<string, Pair>;
}
export interface Comparison {
  format: string;
  version: number;
  before: ComparedRun;
  after: ComparedRun;
  comparable: boolean;
  metrics: MetricChange[];
  callpaths: MetricChange[];
  gates: { gate: string; verdict: "passed" | "failed" | "undecided"; value: string; reason: string }[];
  efficiency?: { scope: string; parallel_efficiency?: Pair; load_balance?: Pair; communication_efficiency?: Pair };
  problems?: { metric: string; title: string; seconds: Pair; callpath: string }[];
  waits?: WaitChanges[];
  phases?: { of: string; phases: PhaseChange[] };
}
