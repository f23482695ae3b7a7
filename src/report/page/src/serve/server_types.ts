// The answers of the server, which src/serve/README.md describes.

/** An answer that is there later. */
export interface WaitsFor {
  waits_for: string;
}

export interface ServedProcess {
  id: number;
  name: string;
  node: string;
}

export interface ServedLocation {
  id: number; // as --location has it
  name: string;
  process: number | null;
  kind: string;
}

export interface ServedTrace {
  file: string;
  recorder: string;
  programs: string[]; // their names, once the events have been read
  processes: ServedProcess[];
  locations: ServedLocation[]; // in the order of the timeline's rows
  events: number; // as far as the trace announces them
  begin: number; // in ticks
  end: number;
  ticks_per_second: number;
  seconds: number;
  has: { rma: boolean; counters: string[] };
  notices: string[];
  offline: boolean; // the page is to lead to no other site
  version: number; // another one if the trace has been replaced since the server was started
}

export interface ServedMetric {
  id: string;
  name: string;
  parent: string | null;
  unit: string;
  description: string;
  pattern: string | null; // computes it; null: every analysis has it
}

export interface ServedParameter {
  name: string;
  type: "integer" | "number" | "text";
  unit: string;
  default: string;
  description: string;
  minimum?: number; // only numbers have limits
  maximum?: number;
}

export interface ServedPattern {
  id: string;
  name: string;
  description: string;
  needs: string[]; // ids of patterns or metrics
  on_by_default: boolean;
  confidence: number | null; // 0 to 1: how sure it is that its values mean what the definition says
  plugin: boolean;
  parameters: ServedParameter[];
}

export interface ServedPatterns {
  metrics: ServedMetric[];
  patterns: ServedPattern[];
}

/** What an analysis is asked for; the names are those of options of the command line. */
export interface RunRequest {
  patterns?: string[];
  without?: string[];
  set?: Record<string, string>;
  region?: string;
  from?: number; // in seconds
  to?: number;
  locations?: string;
  rma_model?: string;
  counters?: boolean;
  phase?: string;
}

export type RunState = "running" | "done" | "failed" | "cancelled";

export interface TopSeverity {
  metric: string;
  name: string;
  seconds: number;
  share: number | null;
}

export interface ServedRun {
  id: number;
  parameters: RunRequest;
  command: string;
  state: RunState;
  error: string | null;
  events: number;
  seconds: number;
  severities: TopSeverity[];
  notes: string[];
  reports: string[]; // kinds of files that can be had of it
}

export interface RunProgress {
  events: number;
  of: number;
  events_per_second?: number;
  seconds_left?: number;
  state: RunState;
  error?: string | null;
}
