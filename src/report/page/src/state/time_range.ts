// A stretch of a run, and what has one selected.
import type { RunClock } from "../data/run_clock";

/** From and to, in ticks. */
export type TimeRange = [number, number];

/** Has a selected stretch of its run. */
export interface TimeSelection {
  readonly clock: RunClock;
  /** Null: all of the run. */
  time: TimeRange | null;
  selectTime(time: TimeRange | null): void;
}
