// The time that a chart shows of what it has: where a time is drawn, zoom and pan, the axis, and the ruler.
import { useRef, useState } from "preact/hooks";
import { ink, paper, ticksBetween, write } from "./chart";
import type { Report } from "./report";

export class Span {
  label = 0; // where the first time is drawn
  width = 1;
  readonly from: number;
  readonly to: number;

  /** `limits`: all that there is. `set`: takes what is to be shown, null for what is shown at first. */
  constructor(
    readonly report: Report,
    readonly limits: [number, number],
    shown: [number, number],
    private readonly set: (window: [number, number] | null) => void,
  ) {
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
  /** The selection, if there is one, else all. */
  toSelection(selected: [number, number] | null): void {
    if (selected) this.show(...selected);
    else this.fit();
  }
  /** True if the key is one of zoom and pan. */
  key(key: string, selected: [number, number] | null): boolean {
    if (key === "w") this.zoom(0.5);
    else if (key === "s") this.zoom(2);
    else if (key === "a") this.pan(-0.25);
    else if (key === "d") this.pan(0.25);
    else if (key === "f") this.toSelection(selected);
    else if (key === "Enter" && selected) this.show(...selected);
    else return false;
    return true;
  }
  /** Draws nothing beside it. */
  clipped(c: CanvasRenderingContext2D, top: number, height: number, draw: () => void): void {
    c.save();
    c.beginPath();
    c.rect(this.label, top, this.width, height);
    c.clip();
    draw();
    c.restore();
  }
  /** Times at the top, and lines down to the bottom. */
  axis(c: CanvasRenderingContext2D, height: number): void {
    const { report } = this;
    const origin = report.meta.totals.first_time;
    const [a, b] = [(this.from - origin) / report.ticks, (this.to - origin) / report.ticks];
    const marks = ticksBetween(a, b, Math.max(1, this.width / 110));
    const digits =
      marks.length > 1 ? Math.max(0, Math.min(9, -Math.floor(Math.log10(marks[1]! - marks[0]! + 1e-12)))) : 6;
    c.fillStyle = ink();
    for (const t of marks) {
      const at = this.x(origin + t * report.ticks);
      c.globalAlpha = 0.25;
      c.fillRect(at, 18, 1, height - 18);
      c.globalAlpha = 1;
      if (at > this.label + 30 && at < this.label + this.width - 34)
        write(c, `${t.toFixed(digits)} s`, at, 9, "center");
    }
  }
}

/** What the mouse does on a chart of times: dragging selects a stretch and says its length, a double click zooms to it. */
export interface Mouse {
  down: (x: number, event: PointerEvent) => void;
  /** Whether what is selected is there: a click in it is half of a double click. */
  has: (x: number) => boolean;
  /** True while it drags. */
  move: (x: number) => boolean;
  up: () => void;
  double: (x: number, y: number) => void;
  wheel: (x: number, event: WheelEvent) => void;
}
export interface Ruler {
  range: [number, number] | null;
  text: string;
  clear: () => void;
  /** Escape, zoom and pan; true if the key was one. */
  key: (span: Span, event: KeyboardEvent, selected?: [number, number] | null) => boolean;
  mouse: (span: Span, bar?: (x: number, y: number) => [number, number] | undefined) => Mouse;
  draw: (c: CanvasRenderingContext2D, span: Span, height: number) => void;
}
/** A hook; with Shift dragging pans, Ctrl and the wheel zoom at the pointer. A double click outside of the stretch zooms
 * to the bar there, if there is one. */
export function useRuler(report: Report): Ruler {
  const [range, setRange] = useState<[number, number] | null>(null);
  const drag = useRef<{ x: number; from: number; to: number; pan: boolean } | null>(null);
  const length = range ? report.seconds(range[1] - range[0]) : "";
  return {
    range,
    text: range ? `selected: ${length}, from ${report.time(range[0])} to ${report.time(range[1])}` : "",
    clear: () => setRange(null),
    key: (span, event, selected = range) => {
      if (event.target !== event.currentTarget && event.key === "Enter") return false;
      if (event.key === "Escape" && range) setRange(null);
      else if (!span.key(event.key, selected)) return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
    mouse: (span, bar) => ({
      down: (x, event) => {
        if (event.button !== 0 || event.pointerType === "touch") return;
        drag.current = { x, from: span.from, to: span.to, pan: event.shiftKey };
        (event.target as Element).setPointerCapture?.(event.pointerId);
      },
      has: (x) => range !== null && span.time(x) >= range[0] && span.time(x) <= range[1],
      move: (x) => {
        const d = drag.current;
        if (!d || Math.abs(x - d.x) < 4) return false;
        const tick = (d.to - d.from) / span.width;
        if (d.pan) {
          const by = Math.max(span.limits[0] - d.from, Math.min(span.limits[1] - d.to, (d.x - x) * tick));
          span.show(d.from + by, d.to + by);
        } else {
          const ends = [d.x, x].map((at) => Math.max(d.from, Math.min(d.to, span.time(at)))).sort((a, b) => a - b);
          setRange([ends[0]!, ends[1]!]);
        }
        return true;
      },
      up: () => (drag.current = null),
      double: (x, y) => {
        const t = span.time(x);
        const to = range && t >= range[0] && t <= range[1] ? range : bar?.(x, y);
        if (!to) return;
        setRange(null);
        span.show(to[0], to[1]);
      },
      wheel: (x, event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        span.zoom(event.deltaY < 0 ? 0.8 : 1.25, span.time(x));
      },
    }),
    draw: (c, span, height) => {
      if (!range) return;
      const [left, right] = [
        Math.max(span.label, span.x(range[0])),
        Math.min(span.label + span.width, span.x(range[1])),
      ];
      if (right <= left) return;
      c.globalAlpha = 0.22;
      c.fillStyle = ink();
      c.fillRect(left, 18, right - left, height - 18);
      c.globalAlpha = 1;
      c.fillRect(left, 18, 1, height - 18);
      c.fillRect(right, 18, 1, height - 18);
      const wide = c.measureText(length).width + 10;
      const at = Math.max(span.label, Math.min(span.label + span.width - wide, (left + right - wide) / 2));
      c.fillRect(at, height - 18, wide, 17);
      write(c, length, at + 5, height - 9, "left", paper());
    },
  };
}

/** Buttons for what the keys do. */
export function ZoomButtons({ span, selected }: { span: Span; selected: [number, number] | null }) {
  return (
    <>
      <button onClick={() => span.zoom(0.5)} title="W" aria-label="zoom in">
        +
      </button>
      <button onClick={() => span.zoom(2)} title="S" aria-label="zoom out">
        {"\u2212"}
      </button>
      <button onClick={() => span.toSelection(selected)} title="F">
        Fit
      </button>
    </>
  );
}
