// The time that a chart shows of what it has: where a time is drawn, zoom and pan, and the axis.
import { ink, ticksBetween } from "./chart";
import type { Report } from "./report";

export class Span {
  label = 0; // where the first time is drawn
  width = 1;
  readonly from: number;
  readonly to: number;

  /** `limits`: all that there is. `set`: takes what is to be shown, null for what is shown at first. */
  constructor(readonly report: Report, readonly limits: [number, number], shown: [number, number], private readonly set: (window: [number, number] | null) => void) {
    [this.from, this.to] = shown;
  }
  place(label: number, width: number): void {
    [this.label, this.width] = [label, Math.max(1, width)];
  }
  x(time: number): number {
    return this.label + ((time - this.from) / (this.to - this.from)) * this.width;
  }
  time(x: number): number {
    return this.from + ((x - this.label) / this.width) * (this.to - this.from);
  }
  show(from: number, to: number): void {
    if (to - from >= 2) this.set([Math.max(this.limits[0], from), Math.min(this.limits[1], to)]);
  }
  zoom(factor: number, around = (this.from + this.to) / 2): void {
    this.show(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }
  pan(part: number): void {
    const by = Math.max(this.limits[0] - this.from, Math.min(this.limits[1] - this.to, (this.to - this.from) * part));
    this.set([this.from + by, this.to + by]);
  }
  fit(): void {
    this.set(null);
  }
  /** True if the key is one of zoom and pan. */
  key(key: string): boolean {
    if (key === "w") this.zoom(0.5);
    else if (key === "s") this.zoom(2);
    else if (key === "a") this.pan(-0.25);
    else if (key === "d") this.pan(0.25);
    else if (key === "f" || key === "Escape") this.fit();
    else return false;
    return true;
  }
  /** Times at the top, and lines down to the bottom. */
  axis(c: CanvasRenderingContext2D, height: number): void {
    const { report } = this;
    const origin = report.meta.totals.first_time;
    const [a, b] = [(this.from - origin) / report.ticks, (this.to - origin) / report.ticks];
    const marks = ticksBetween(a, b, Math.max(1, this.width / 110));
    const digits = marks.length > 1 ? Math.max(0, Math.min(9, -Math.floor(Math.log10(marks[1]! - marks[0]! + 1e-12)))) : 6;
    c.fillStyle = ink();
    c.textAlign = "center";
    for (const t of marks) {
      const at = this.x(origin + t * report.ticks);
      c.globalAlpha = 0.25;
      c.fillRect(at, 18, 1, height - 18);
      c.globalAlpha = 1;
      if (at > this.label + 30 && at < this.label + this.width - 34) c.fillText(`${t.toFixed(digits)} s`, at, 9);
    }
  }
}
