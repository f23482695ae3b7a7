// The bins of a series: stretches of the same length into which the time of the run is divided.
import type { TimeWindow } from "../charts/time_window";
import type { Report } from "../data/report";
import type { WaitSeries } from "../report_types";

export class SeriesBins {
  /** `merged`: how many bins of the series are one here. */
  constructor(
    private readonly report: Report,
    private readonly series: WaitSeries,
    private readonly merged: number = 1,
  ) {}
  get count(): number {
    return Math.ceil(this.series.bins / this.merged);
  }
  /** In ticks. */
  begin(bin: number): number {
    return this.series.start + bin * this.merged * this.series.bin_ticks;
  }
  /** When the bin begins, as it is written. */
  beginText(bin: number): string {
    return this.report.timeText(this.begin(bin));
  }
  beginSeconds(bin: number): number {
    const start = this.report.secondsFromStart(this.series.start);
    return start + bin * this.merged * this.report.seconds(this.series.bin_ticks);
  }
  /** The bin at a place; -1 if there is none. */
  at(window: TimeWindow, x: number): number {
    const bin = Math.floor((window.time(x) - this.series.start) / (this.merged * this.series.bin_ticks));
    return x >= window.left && x < window.right && bin >= 0 && bin < this.count ? bin : -1;
  }
  /** Where the bin is drawn. */
  place(window: TimeWindow, bin: number): { left: number; width: number } {
    const left = window.x(this.begin(bin));
    return { left, width: window.x(this.begin(bin + 1)) - left };
  }
}
