// The time that a chart shows of the run: where a time is drawn, zooming and panning, and the axis.
import type { RunClock } from "../data/run_clock";
import type { TimeRange } from "../state/time_range";
import { axisMarks, drawClipped, drawText, textWidth, type Canvas } from "./canvas";
import { significantText } from "../text/number_text";
import { inkColour } from "./colours";

/** Charts of times have their axis above this height. */
export const axisHeight = 18;
/** Where the first row of a chart of times begins. */
export const firstRowTop = 22;

export class TimeWindow {
  left = 0; // where the first time is drawn
  width = 1;
  readonly from: number;
  readonly to: number;

  /**
   * `limits`: all times that there are. `onChange` takes the window that is to be shown, null for the one shown at
   * first.
   */
  constructor(
    readonly clock: RunClock,
    readonly limits: TimeRange,
    shown: TimeRange,
    private readonly onChange: (window: TimeRange | null) => void,
  ) {
    [this.from, this.to] = shown;
  }

  // ---- places ----

  /** Says where the times are drawn, in pixels. */
  place(left: number, width: number): void {
    this.left = left;
    this.width = Math.max(1, width);
  }
  get right(): number {
    return this.left + this.width;
  }
  x(time: number): number {
    return this.left + ((time - this.from) / (this.to - this.from)) * this.width;
  }
  time(x: number): number {
    return this.from + ((x - this.left) / this.width) * (this.to - this.from);
  }
  /** Whether a part of the time from begin to end is shown. */
  overlaps(begin: number, end: number): boolean {
    return end >= this.from && begin <= this.to;
  }

  // ---- zoom and pan ----

  show(from: number, to: number): void {
    if (to - from >= 2) this.onChange([Math.max(this.limits[0], from), Math.min(this.limits[1], to)]);
  }
  zoom(factor: number, around = (this.from + this.to) / 2): void {
    this.show(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }
  /** Moves by a share of what is shown, as far as there are times. */
  pan(share: number): void {
    const ticks = this.limitedShift(this.from, this.to, (this.to - this.from) * share);
    this.onChange([this.from + ticks, this.to + ticks]);
  }
  /** How far a window can be moved of what is wanted. */
  limitedShift(from: number, to: number, ticks: number): number {
    return Math.max(this.limits[0] - from, Math.min(this.limits[1] - to, ticks));
  }
  /** Shows the selected time; everything if none is, or if that is shown already. */
  fit(selected: TimeRange | null): void {
    const isShown = selected && Math.abs(selected[0] - this.from) <= 1 && Math.abs(selected[1] - this.to) <= 1;
    if (selected && !isShown) this.show(...selected);
    else this.onChange(null);
  }
  /** Zooms or pans if the key does so, else returns false. */
  handleKey(key: string, selected: TimeRange | null): boolean {
    if (key === "w") this.zoom(0.5);
    else if (key === "s") this.zoom(2);
    else if (key === "a") this.pan(-0.25);
    else if (key === "d") this.pan(0.25);
    else if (key === "f") this.fit(selected);
    else if (key === "Enter" && selected) this.show(...selected);
    else return false;
    return true;
  }

  // ---- drawing ----

  /** Draws nothing beside the window. */
  drawClipped(canvas: Canvas, top: number, height: number, draw: () => void): void {
    drawClipped(canvas, [this.left, top, this.width, height], draw);
  }
  /** Draws times at the top, and lines from there down to the bottom. */
  drawAxis(canvas: Canvas, height: number): void {
    const marks = axisMarks(
      this.clock.secondsFromStart(this.from),
      this.clock.secondsFromStart(this.to),
      Math.max(4, this.width / 110),
    );
    const digits = digitsOfAxis(marks);
    let end = 0; // where the last text ends
    canvas.fillStyle = inkColour();
    for (const seconds of marks) {
      const x = this.x(this.clock.firstTime + seconds * this.clock.ticksPerSecond);
      canvas.globalAlpha = 0.25;
      canvas.fillRect(x, axisHeight, 1, height - axisHeight);
      canvas.globalAlpha = 1;
      const text = `${seconds.toFixed(digits)} s`;
      const half = textWidth(canvas, text) / 2;
      if (x - half < end || x + half > this.right + 6) continue;
      end = x + half + 8;
      drawText(canvas, text, x, 9, { align: "center" });
    }
  }
}

/** How many digits of a fraction tell one mark from the next; those of the mark if there is only one. */
function digitsOfAxis(marks: number[]): number {
  if (marks.length < 2) return significantText(marks[0] ?? 0, 9).split(".")[1]?.length ?? 0;
  return Math.max(0, Math.min(9, -Math.floor(Math.log10(marks[1]! - marks[0]! + 1e-12))));
}
