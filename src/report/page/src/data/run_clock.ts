// The clock of a run: how its times are counted and written.
import { durationText } from "../text/number_text";

export class RunClock {
  constructor(
    readonly ticksPerSecond: number,
    readonly firstTime: number, // when the first event was
    public duration: number, // in ticks; that of a run that is still being looked at may grow
  ) {}
  seconds(ticks: number): number {
    return ticks / this.ticksPerSecond;
  }
  durationText(ticks: number): string {
    return durationText(this.seconds(ticks));
  }
  /** Seconds from the first event of the trace to a time in ticks. */
  secondsFromStart(time: number): number {
    return this.seconds(time - this.firstTime);
  }
  /** The shorter the run, the more digits, as in the text report. */
  timeText(time: number): string {
    const duration = this.seconds(this.duration);
    return `${this.secondsFromStart(time).toFixed(duration < 0.1 ? 9 : duration < 10_000 ? 6 : 3)} s`;
  }
}
