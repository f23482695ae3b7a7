// Draws the timeline of the whole run. Shares of classes become a picture once for each answer of the server, which is
// then only stretched to the times that are shown. Where single calls are known, they are drawn instead, the inner ones
// above the outer ones. Waits are hatched.
import {
  drawArrowHead,
  drawFrame,
  drawLine,
  fillBox,
  textThatFits,
  textWidth,
  drawText,
  type Box,
  type Canvas,
} from "../charts/canvas";
import { drawnClasses } from "../charts/colour_table";
import {
  criticalPathColour,
  faintColour,
  inkColour,
  isDark,
  otherColour,
  paperColour,
  textColourOn,
} from "../charts/colours";
import { firstRowTop, type TimeWindow } from "../charts/time_window";
import { visible } from "../text/visible_names";
import { classCount, type TimelineData } from "./timeline_data";

const rowGap = 3;
const highestRow = 64;
const highestStrip = 15; // pixels by which an inner call is lower than the one around it, at most
const lowestNamedStrip = 12;
const fewestPixelsOfArrow = 2;
const lowestRowWithCounter = 34;
const mostArrowHeads = 1000;
export const transferDash = [5, 3];

/** The colour of a class of the answer; those that have no name there are of no class. */
export const colourOfClass = (name: string | undefined): string =>
  drawnClasses.find((one) => one.name === name)?.colour ?? otherColour;

/** The heights of rows that are equally high. */
export class TimelineLayout {
  readonly rowHeight: number;
  constructor(
    readonly rows: number,
    readonly first: number,
    readonly hasCounter = false, // each row has a strip for one, below its bars
  ) {
    const lowest = hasCounter ? lowestRowWithCounter : 9;
    this.rowHeight = Math.max(lowest, Math.min(highestRow, Math.floor(560 / Math.max(1, rows))));
  }
  get barHeight(): number {
    if (this.hasCounter) return Math.floor(this.rowHeight / 2) - 1;
    return this.rowHeight - (this.rowHeight > 12 ? rowGap : 1);
  }
  get counterHeight(): number {
    return this.rowHeight - this.barHeight - rowGap - 3;
  }
  counterTop(row: number): number {
    return this.top(row) + this.barHeight + 2;
  }
  get height(): number {
    return firstRowTop + Math.max(1, this.rows) * this.rowHeight + 20;
  }
  top(row: number): number {
    return firstRowTop + row * this.rowHeight;
  }
  middle(row: number): number {
    return this.top(row) + this.barHeight / 2;
  }
  /** -1: no row is at that height. */
  rowAt(y: number): number {
    const row = Math.floor((y - firstRowTop) / this.rowHeight);
    return row >= 0 && row < this.rows ? row : -1;
  }
}

interface Picture {
  canvas: HTMLCanvasElement;
  height: number;
  dark: boolean;
}
const pictures = new WeakMap<TimelineData, Picture>();

/** The shares of an answer as a picture: a column for each bin, and `height` pixels for each row. */
function pictureOf(data: TimelineData, height: number): HTMLCanvasElement {
  const dark = isDark();
  const found = pictures.get(data);
  if (found?.height === height && found.dark === dark) return found.canvas;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, data.bins);
  canvas.height = Math.max(1, data.rows.length * height);
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const colours = Array.from({ length: classCount }, (_, kind) => pixelOf(colourOfClass(data.classes[kind])));
  const ink = pixelOf(inkColour());
  for (let row = 0; row < data.rows.length; ++row)
    for (let bin = 0; bin < data.bins; ++bin) {
      const shares = data.sharesAt(row, bin);
      let share = 0;
      let from = height;
      for (let kind = 0; kind < classCount; ++kind) {
        if (shares[kind] === 0) continue;
        share += shares[kind]!;
        const to = Math.max(0, height - Math.round((Math.min(255, share) / 255) * height));
        for (let y = to; y < from; ++y) pixels[(row * height + y) * data.bins + bin] = colours[kind]!;
        from = to;
      }
      const waiting = Math.round((shares[classCount]! / 255) * height);
      for (let y = height - waiting; y < height; ++y)
        if ((bin + y) % 5 === 0) pixels[(row * height + y) * data.bins + bin] = ink;
    }
  context.putImageData(image, 0, 0);
  pictures.set(data, { canvas, height, dark });
  return canvas;
}

/** A colour "#rrggbb" as a pixel of a picture. */
function pixelOf(colour: string): number {
  const rgb = parseInt(colour.slice(1), 16);
  return (255 << 24) | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16);
}

/** Where names stand already, by line. */
class NameRoom {
  private readonly taken = new Map<number, [number, number][]>();
  /** False if something stands there. */
  take(line: number, from: number, to: number): boolean {
    const others = this.taken.get(line) ?? [];
    if (others.some(([left, right]) => left < to && right > from)) return false;
    this.taken.set(line, [...others, [from, to]]);
    return true;
  }
}

export class RunDrawing {
  private readonly strip: number; // pixels of a call that are seen above an inner one

  constructor(
    private readonly canvas: Canvas,
    private readonly window: TimeWindow,
    private readonly layout: TimelineLayout,
    private readonly data: TimelineData,
  ) {
    const fitting = Math.floor(layout.barHeight / (data.deepestCall + 1));
    this.strip = Math.max(2, Math.min(highestStrip, fitting));
  }

  /** The row of the layout for one of the data. */
  private rowShown(row: number): number {
    return row + this.data.first - this.layout.first;
  }
  private isShown(row: number): boolean {
    return row >= 0 && row < this.layout.rows;
  }

  drawShares(): void {
    const { canvas, window, layout, data } = this;
    const picture = pictureOf(data, layout.barHeight);
    canvas.imageSmoothingEnabled = false;
    const left = window.x(data.from);
    const width = window.x(data.to) - left;
    for (let row = 0; row < data.rows.length; ++row) {
      const shown = this.rowShown(row);
      if (!this.isShown(shown)) continue;
      const { barHeight } = layout;
      canvas.drawImage(picture, 0, row * barHeight, data.bins, barHeight, left, layout.top(shown), width, barHeight);
    }
  }

  /** Draws calls, and returns what draws their names, which stand above the hatching of waits. */
  drawCalls(): () => void {
    const { data, window, layout } = this;
    const { count, enter, exit, row, kind, depth } = data.calls;
    const colours = data.classes.map(colourOfClass);
    const paper = paperColour();
    const lastDrawn = new Map<number, number>(); // by row and depth the last pixel
    const named: [number, number, number, number][] = [];
    for (let call = 0; call < count; ++call) {
      const shown = this.rowShown(row[call]!);
      if (!this.isShown(shown) || !window.overlaps(enter[call]!, exit[call]!)) continue;
      const left = Math.max(window.left, window.x(enter[call]!));
      const right = Math.min(window.right, window.x(exit[call]!));
      const line = shown * 256 + depth[call]!;
      if (right - left < 1 && lastDrawn.get(line) === Math.round(left)) continue;
      lastDrawn.set(line, Math.round(left));
      const inset = this.inset(depth[call]!);
      const box: Box = [left, layout.top(shown) + inset, right - left, layout.barHeight - inset];
      fillBox(this.canvas, colours[kind[call]!] ?? otherColour, box);
      if (right - left > 3) fillBox(this.canvas, paper, [Math.round(right) - 1, box[1], 1, box[3]]);
      if (right - left > 40 && layout.barHeight > 12) named.push([call, left, right, shown]);
    }
    // Inner calls first: where there is no room for both, theirs is the name that is seen.
    named.sort((a, b) => depth[b[0]]! - depth[a[0]]!);
    const texts = new NameRoom();
    return () => {
      for (const [call, left, right, shown] of named) this.drawName(call, left, right, shown, texts);
    };
  }
  private inset(depth: number): number {
    return Math.min(depth * this.strip, this.layout.barHeight - Math.min(this.layout.barHeight, this.strip));
  }
  /** The name of a call, if there is room for it. */
  private drawName(call: number, left: number, right: number, shown: number, texts: NameRoom): void {
    const { data } = this;
    const { depth, region, kind } = data.calls;
    const text = textThatFits(this.canvas, visible(data.regionName(region[call]!)), right - left - 8);
    if (text.length <= 3) return;
    // In low rows, the names of all depths lie in one line.
    const line = this.strip < lowestNamedStrip ? shown : shown * 256 + depth[call]!;
    if (!texts.take(line, left, left + textWidth(this.canvas, text) + 8)) return;
    const colour = textColourOn(colourOfClass(data.classes[kind[call]!]));
    drawText(this.canvas, text, left + 4, this.nameMiddle(shown, depth[call]!), { colour });
  }
  private nameMiddle(shown: number, depth: number): number {
    const { layout } = this;
    const top = layout.top(shown) + this.inset(depth);
    const bottom = this.strip < lowestNamedStrip ? layout.top(shown) + layout.barHeight : top + this.strip;
    return (top + bottom) / 2 + 1;
  }

  drawWaits(): void {
    const { count, begin, end, row } = this.data.waits;
    const lastDrawn = new Map<number, number>(); // by row the last pixel
    this.canvas.fillStyle = hatching(this.canvas);
    for (let wait = 0; wait < count; ++wait) {
      const shown = this.rowShown(row[wait]!);
      if (!this.isShown(shown) || !this.window.overlaps(begin[wait]!, end[wait]!)) continue;
      const left = Math.max(this.window.left, this.window.x(begin[wait]!));
      const width = Math.min(this.window.right, this.window.x(end[wait]!)) - left;
      if (width < 1 && lastDrawn.get(shown) === Math.round(left)) continue;
      lastDrawn.set(shown, Math.round(left));
      this.canvas.fillRect(left, this.layout.top(shown), Math.max(1, width), this.layout.barHeight);
    }
  }

  drawMessages(): void {
    const { count, sent, received, from, to, kind } = this.data.messages;
    const { canvas, window, layout } = this;
    canvas.strokeStyle = canvas.fillStyle = inkColour();
    canvas.lineWidth = 1;
    for (let message = 0; message < count; ++message) {
      const [fromRow, toRow] = [this.rowShown(from[message]!), this.rowShown(to[message]!)];
      if (!window.overlaps(sent[message]!, received[message]!)) continue;
      const [fromX, toX] = [window.x(sent[message]!), window.x(received[message]!)];
      const [fromY, toY] = [layout.middle(fromRow), layout.middle(toRow)];
      if (Math.hypot(toX - fromX, toY - fromY) < fewestPixelsOfArrow) continue;
      canvas.setLineDash(kind[message] === 0 ? [] : transferDash);
      drawLine(canvas, fromX, fromY, toX, toY);
      canvas.setLineDash([]);
      if (count < mostArrowHeads) drawArrowHead(canvas, toX, toY, Math.atan2(toY - fromY, toX - fromX), 6);
    }
  }

  /** The values of the counter below the bars of each row: from the least to the greatest of a bin, and its mean. */
  drawCounter(): void {
    const { data, canvas, layout, window } = this;
    const { counter } = data;
    if (!counter?.hasValues) return;
    const [low, high] = counter.scale;
    const [band, line] = [faintColour(), inkColour()];
    for (let row = 0; row < data.rows.length; ++row) {
      const shown = this.rowShown(row);
      if (!this.isShown(shown)) continue;
      const bottom = layout.counterTop(shown) + layout.counterHeight;
      const y = (value: number) => bottom - ((value - low) / (high - low)) * layout.counterHeight;
      fillBox(canvas, band, [window.left, Math.round(y(0)), window.right - window.left, 1]);
      for (let bin = 0; bin < counter.bins; ++bin) {
        const value = counter.value(row, bin);
        if (!value || !window.overlaps(value.from, value.to)) continue;
        const left = window.x(value.from);
        const width = Math.max(1, window.x(value.to) - left);
        fillBox(canvas, band, [left, y(value.greatest), width, Math.max(1, y(value.least) - y(value.greatest))]);
        fillBox(canvas, line, [left, y(value.mean) - 0.5, width, 1.5]);
      }
    }
  }

  /** A frame around a stretch of a row, which may be one that the data does not have. */
  drawMark(row: number, from: number, to: number): void {
    const shown = this.rowShown(row);
    if (!this.isShown(shown) || !this.window.overlaps(from, to)) return;
    const left = Math.max(this.window.left - 3, this.window.x(from));
    const right = Math.min(this.window.right + 3, this.window.x(to));
    drawFrame(this.canvas, [left, this.layout.top(shown) - 1, right - left, this.layout.barHeight + 2]);
  }
  drawPath(row: number, from: number, to: number): void {
    const shown = this.rowShown(row);
    if (!this.isShown(shown) || !this.window.overlaps(from, to)) return;
    const left = this.window.x(from);
    const box: Box = [left, this.layout.top(shown) + this.layout.barHeight - 3, this.window.x(to) - left, 4];
    fillBox(this.canvas, criticalPathColour(), box);
  }
}

const patterns = new Map<boolean, CanvasPattern>();
/** Oblique lines. */
function hatching(canvas: Canvas): CanvasPattern {
  const dark = isDark();
  const found = patterns.get(dark);
  if (found) return found;
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const context = tile.getContext("2d")!;
  context.strokeStyle = dark ? "#ffffff" : "#000000";
  context.globalAlpha = 0.55;
  context.lineWidth = 1.5;
  for (const shift of [-8, 0, 8]) drawLine(context, shift, 8, shift + 8, 0);
  const pattern = canvas.createPattern(tile, "repeat")!;
  patterns.set(dark, pattern);
  return pattern;
}
