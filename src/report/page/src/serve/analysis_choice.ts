// The choice of the next analysis: its patterns with their parameters, and its part of the run. It has all that the
// command line of `waitstate analyze` offers.
import type { RunClock } from "../data/run_clock";
import type { TimeRange } from "../state/time_range";
import { PatternChoice } from "./pattern_choice";
import type { RunRequest, ServedParameter, ServedPatterns } from "./server_types";

/** Where a parameter is, as --set has it. */
export const parameterName = (pattern: string, { name }: ServedParameter): string => `${pattern}.${name}`;

export class AnalysisChoice {
  readonly patterns: PatternChoice;
  /** Values that were set, as they were typed. */
  set: Record<string, string> = {};
  region = "";
  locations = "";
  rmaModel = "auto";
  withCounters = true;
  phase = "";

  constructor(
    readonly served: ServedPatterns,
    private readonly clock: RunClock,
  ) {
    this.patterns = new PatternChoice(served);
  }

  /** `time`: the part of the run; null for all of it. `set`: other parameters than those that are set. */
  request(time: TimeRange | null, set = this.set): RunRequest {
    // A parameter of a pattern that is not computed would be an error.
    const values = Object.entries(set).filter(([name]) => this.patterns.has(name.slice(0, name.lastIndexOf("."))));
    return {
      ...this.patterns.request(),
      ...(values.length > 0 ? { set: Object.fromEntries(values) } : {}),
      ...(this.region === "" ? {} : { region: this.region }),
      ...(time ? { from: this.secondsOf(time[0]), to: this.secondsOf(time[1]) } : {}),
      ...(this.locations === "" ? {} : { locations: this.locations }),
      ...(this.rmaModel === "auto" ? {} : { rma_model: this.rmaModel }),
      ...(this.withCounters ? {} : { counters: false }),
      ...(this.phase === "" ? {} : { phase: this.phase }),
    };
  }
  private secondsOf(ticks: number): number {
    return Number(this.clock.secondsFromStart(ticks).toFixed(9));
  }

  /** Takes over what a request has, and returns its part of the run. */
  take(request: RunRequest): TimeRange | null {
    this.patterns.take(request);
    this.set = { ...request.set };
    this.region = request.region ?? "";
    this.locations = request.locations ?? "";
    this.rmaModel = request.rma_model ?? "auto";
    this.withCounters = request.counters ?? true;
    this.phase = request.phase ?? "";
    const { from, to } = request;
    if (from === undefined || to === undefined) return null;
    return [from, to].map((seconds) => this.clock.firstTime + seconds * this.clock.ticksPerSecond) as TimeRange;
  }
}
