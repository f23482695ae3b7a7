// Draws the timeline of an instance: a row for each location, in it calls as nested bars, waits hatched in a frame, the
// critical path as a stripe below the bars, messages and transfers as arrows, and the steps of the chain as numbers.
import {
  drawArrowHead,
  drawClipped,
  drawFrame,
  drawLine,
  drawText,
  fillBox,
  fillCircle,
  textsThatFit,
  textThatFits,
  type Box,
  type Canvas,
} from "../charts/canvas";
import { criticalPathColour, inkColour, isDark, paperColour, textColourOn } from "../charts/colours";
import { firstRowTop, type TimeWindow } from "../charts/time_window";
import type { CriticalSegment } from "../data/critical_path";
import type { WaitChain, Wait } from "../report_types";
import type { Arrow, CallBar, TimelinePicture } from "./timeline_picture";

const barHeight = 16;
const deepestDrawn = 12;
const rowGap = 12;
const fewestLetters = 7; // fewer letters of a shortened name say nothing

/** Where the rows of a timeline are. */
export class TimelineRows {
  readonly height: number; // all rows with the axis above them
  private readonly tops: number[] = [];
  private readonly barHeights: number[] = []; // for each row the height of all its bars

  constructor(private readonly picture: TimelinePicture) {
    let top = firstRowTop;
    for (const location of picture.locations) {
      const deepest = picture.bars.reduce(
        (depth, bar) => (bar.location === location ? Math.max(depth, bar.depth) : depth),
        0,
      );
      this.tops.push(top);
      this.barHeights.push((Math.min(deepest, deepestDrawn) + 1) * barHeight);
      top += this.barHeights[this.barHeights.length - 1]! + rowGap;
    }
    this.height = top;
  }
  /** -1: the location has no row. */
  rowOf(location: number | null): number {
    return location === null ? -1 : this.picture.locations.indexOf(location);
  }
  top(row: number): number {
    return this.tops[row]!;
  }
  bottom(row: number): number {
    return this.tops[row]! + this.barHeights[row]!;
  }
  /** The lower end of the innermost call at a time, in which the location waits then. */
  waitBottom(row: number, time: number): number {
    const location = this.picture.locations[row];
    const depths = this.picture.bars.filter(
      (bar) => bar.location === location && bar.depth <= deepestDrawn && bar.enter <= time && bar.exit > time,
    );
    if (depths.length === 0) return this.bottom(row);
    return this.top(row) + (Math.max(...depths.map(({ depth }) => depth)) + 1) * barHeight;
  }
  barTop({ location, depth }: CallBar): number {
    return this.top(this.rowOf(location)) + depth * barHeight;
  }
  nameMiddle(row: number): number {
    return this.top(row) + barHeight / 2;
  }
  /** The location of the row at a height; undefined above the rows. */
  locationAt(y: number): number | undefined {
    return this.picture.locations[this.tops.findLastIndex((top) => y >= top)];
  }
  /** The number of the bar that covers a time at a height; -1 if there is none. */
  barAt(time: number, y: number): number {
    const row = this.tops.findLastIndex((top) => y >= top);
    const depth = Math.floor((y - (this.tops[row] ?? 0)) / barHeight);
    return this.picture.bars.findIndex(
      (bar) =>
        bar.location === this.picture.locations[row] && bar.depth === depth && time >= bar.enter && time < bar.exit,
    );
  }
}

export class TimelineDrawing {
  constructor(
    private readonly canvas: Canvas,
    private readonly window: TimeWindow,
    private readonly rows: TimelineRows,
  ) {}

  drawNames(names: string[]): void {
    const right = this.window.left - 8;
    textsThatFit(this.canvas, names, right).forEach((name, row) =>
      drawText(this.canvas, name, right, this.rows.nameMiddle(row), { align: "right" }),
    );
  }

  /** Draws calls, and returns what draws their names, which stand above the hatching of waits. */
  drawCalls(bars: CallBar[]): () => void {
    const drawNames: (() => void)[] = [];
    for (const bar of bars) {
      if (this.rows.rowOf(bar.location) < 0 || bar.depth > deepestDrawn) continue;
      if (!this.window.overlaps(bar.enter, bar.exit)) continue;
      const left = Math.max(this.window.left, this.window.x(bar.enter));
      const width = Math.min(this.window.right, this.window.x(bar.exit)) - left;
      const top = this.rows.barTop(bar);
      fillBox(this.canvas, bar.colour, [left, top, width, barHeight - 1]);
      // Calls that touch each other are told apart.
      if (width > 3) fillBox(this.canvas, paperColour(), [Math.round(left + width) - 1, top, 1, barHeight - 1]);
      const name = this.nameInBar(bar.name, width);
      const colour = textColourOn(bar.colour);
      if (name !== "") drawNames.push(() => drawText(this.canvas, name, left + 3, top + barHeight / 2, { colour }));
    }
    return () => drawNames.forEach((draw) => draw());
  }
  /** The name as far as it fits into a bar; empty if nothing does. */
  private nameInBar(name: string, width: number): string {
    if (width <= 24) return "";
    const text = textThatFits(this.canvas, name, width - 5);
    return text === name || text.length >= fewestLetters ? text : "";
  }

  /** `isFramed`: they are those of the instance that is shown. */
  drawWaits(waits: Wait[], isFramed: boolean): void {
    for (const { location, begin, ticks } of waits) {
      const row = this.rows.rowOf(location);
      if (row < 0 || !this.window.overlaps(begin, begin + ticks)) continue;
      const left = this.window.x(begin);
      const width = Math.max(2, this.window.x(begin + ticks) - left);
      const top = this.rows.top(row) - 2;
      const box: Box = [left, top, width, this.rows.waitBottom(row, begin + ticks / 2) + 2 - top];
      this.hatch(box);
      if (!isFramed) continue;
      this.canvas.strokeStyle = inkColour();
      this.canvas.lineWidth = 2;
      this.canvas.strokeRect(...box);
      this.canvas.lineWidth = 1;
    }
  }
  /** Oblique lines, as far as they are in sight. */
  private hatch(box: Box): void {
    const { canvas, window } = this;
    const [left, top, width, height] = box;
    const distance = 9;
    drawClipped(canvas, box, () => {
      canvas.strokeStyle = isDark() ? "#ffffff" : "#000000";
      canvas.globalAlpha = 0.45;
      canvas.lineWidth = 1.5;
      const first = Math.floor(Math.max(left, window.left) / distance) * distance - height;
      const end = Math.min(left + width, window.right + 6);
      for (let x = first; x < end; x += distance) drawLine(canvas, x, top + height, x + height, top);
    });
  }

  drawCriticalPath(segments: CriticalSegment[]): void {
    for (const { location, from, to } of segments) {
      const row = this.rows.rowOf(location);
      if (row < 0 || !this.window.overlaps(from, to)) continue;
      const left = this.window.x(from);
      const box: Box = [left, this.rows.bottom(row) + 3, this.window.x(to) - left, 4];
      fillBox(this.canvas, criticalPathColour(), box);
    }
  }

  drawArrows(arrows: Arrow[]): void {
    for (const arrow of arrows) {
      const [fromRow, toRow] = [this.rows.rowOf(arrow.from), this.rows.rowOf(arrow.to)];
      if (fromRow >= 0 && toRow >= 0) this.drawArrow(arrow, fromRow, toRow);
    }
  }
  private drawArrow({ sent, received, dash, colour }: Arrow, fromRow: number, toRow: number): void {
    const { canvas, rows } = this;
    const goesDown = fromRow < toRow;
    const [fromX, fromY] = [this.window.x(sent), goesDown ? rows.bottom(fromRow) : rows.top(fromRow)];
    const [toX, toY] = [this.window.x(received), goesDown ? rows.top(toRow) : rows.bottom(toRow)];
    canvas.strokeStyle = canvas.fillStyle = colour ?? inkColour();
    canvas.setLineDash(dash);
    canvas.lineWidth = colour ? 2.5 : 1;
    drawLine(canvas, fromX, fromY, toX, toY);
    canvas.setLineDash([]);
    canvas.lineWidth = 1;
    drawArrowHead(canvas, toX, toY, Math.atan2(toY - fromY, toX - fromX), 8);
  }

  /** The numbers of the steps, where their locations entered the calls in which they waited. */
  drawChain(steps: WaitChain["steps"]): void {
    steps.forEach(({ location, enter }, i) => {
      const row = this.rows.rowOf(location);
      if (row < 0 || !this.window.overlaps(enter, enter)) return;
      const [x, y] = [this.window.x(enter), Math.max(firstRowTop + 5, this.rows.top(row))];
      fillCircle(this.canvas, x, y, 8, inkColour());
      drawText(this.canvas, String(i + 1), x, y + 1, { align: "center", colour: paperColour() });
    });
  }

  drawSelectedCall(bar: CallBar): void {
    const left = Math.max(this.window.left - 3, this.window.x(bar.enter));
    const right = Math.min(this.window.right + 9, this.window.x(bar.exit));
    drawFrame(this.canvas, [left, this.rows.barTop(bar) - 1, right - left, barHeight + 1]);
  }
}
