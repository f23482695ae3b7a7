// Drawing on canvases: rectangles, frames, arrows, and text that fits.
import { shortName, shortNames } from "../text/short_names";
import { greyColour, inkColour, isDark, paperColour, textColourOn } from "./colours";

export type Canvas = CanvasRenderingContext2D;

/** A rectangle in pixels of a canvas. */
export type Box = [left: number, top: number, width: number, height: number];

/** Whether a point is in the rectangle. */
export const contains = ([left, top, width, height]: Box, x: number, y: number): boolean =>
  x >= left && x < left + width && y >= top && y < top + height;

/**
 * Fills whole pixels from left to right, at least one: rectangles beside each other neither overlap nor leave a gap.
 */
export function fillBox(canvas: Canvas, colour: string, [x, y, width, height]: Box): void {
  const left = Math.round(x);
  canvas.fillStyle = colour;
  canvas.fillRect(left, y, Math.max(1, Math.round(x + width) - left), height);
}

/** Like fillBox(), but a dark rectangle gets a grey edge on dark paper, so that it can be seen. */
export function fillEdgedBox(canvas: Canvas, colour: string, box: Box): void {
  const [x, y, width, height] = box;
  const edge = isDark() && textColourOn(colour) === "#fff" ? 1 : 0;
  if (edge) fillBox(canvas, greyColour, box);
  if (!edge || width > 2)
    fillBox(canvas, colour, [x + edge, y + edge, width - 2 * edge, Math.max(0, height - 2 * edge)]);
}

/** A frame that can be seen on every colour. */
export function drawFrame(canvas: Canvas, [x, y, width, height]: Box): void {
  for (const [colour, lineWidth] of [[paperColour(), 5] as const, [inkColour(), 2] as const]) {
    canvas.strokeStyle = colour;
    canvas.lineWidth = lineWidth;
    canvas.strokeRect(x, y, Math.max(2, width), height);
  }
  canvas.lineWidth = 1;
}

/** A straight line with the style of the canvas. */
export function drawLine(canvas: Canvas, fromX: number, fromY: number, toX: number, toY: number): void {
  canvas.beginPath();
  canvas.moveTo(fromX, fromY);
  canvas.lineTo(toX, toY);
  canvas.stroke();
}

export function fillCircle(canvas: Canvas, x: number, y: number, radius: number, colour: string): void {
  canvas.fillStyle = colour;
  canvas.beginPath();
  canvas.arc(x, y, radius, 0, 7);
  canvas.fill();
}

/** The head of an arrow that ends at a place and comes at an angle. */
export function drawArrowHead(canvas: Canvas, x: number, y: number, angle: number, size: number): void {
  canvas.beginPath();
  canvas.moveTo(x, y);
  for (const turn of [2.7, -2.7]) canvas.lineTo(x + size * Math.cos(angle + turn), y + size * Math.sin(angle + turn));
  canvas.fill();
}

/** Draws with nothing outside of the rectangle. */
export function drawClipped(canvas: Canvas, [x, y, width, height]: Box, draw: () => void): void {
  canvas.save();
  canvas.beginPath();
  canvas.rect(x, y, width, height);
  canvas.clip();
  draw();
  canvas.restore();
}

// ---- text ----

interface TextStyle {
  align?: CanvasTextAlign;
  colour?: string;
}
/** Writes a text whose middle is at the height of `y`. */
export function drawText(
  canvas: Canvas,
  text: string,
  x: number,
  y: number,
  { align = "left", colour = inkColour() }: TextStyle = {},
): void {
  canvas.fillStyle = colour;
  canvas.textAlign = align;
  canvas.fillText(text, x, y);
}

export const textWidth = (canvas: Canvas, text: string): number => canvas.measureText(text).width;

/** The name, shortened so that it fits. */
export const textThatFits = (canvas: Canvas, text: string, width: number): string =>
  shortName(text, (part) => textWidth(canvas, part) <= width);
/** The names, shortened so that they fit; those that differ have different texts. */
export const textsThatFit = (canvas: Canvas, texts: string[], width: number): string[] =>
  shortNames(texts, (part) => textWidth(canvas, part) <= width);

/** How wide the names left of a chart may be: as wide as they need, at most 40 % of the chart. */
export function nameColumnWidth(canvas: Canvas, names: string[], chartWidth: number): number {
  const widest = names.reduce((most, name) => Math.max(most, textWidth(canvas, name)), 50);
  return Math.min(chartWidth * 0.4, 16 + widest);
}

const nameHeight = 14;
/**
 * Writes the names of rows left of a place. Where rows are too low for all, every n-th has its name, so that no axis is
 * without names.
 */
export function drawRowNames(
  canvas: Canvas,
  names: string[],
  right: number,
  rowHeight: number,
  middle: (row: number) => number,
): void {
  const step = Math.max(1, Math.ceil(nameHeight / rowHeight));
  const shown = names.filter((_, row) => row % step === 0);
  textsThatFit(canvas, shown, right).forEach((text, i) =>
    drawText(canvas, text, right, middle(i * step), { align: "right" }),
  );
}
/** Like drawRowNames(), for columns that are `columnWidth` wide: names stand one above another's gap. */
export function drawColumnNames(
  canvas: Canvas,
  names: string[],
  columnWidth: number,
  y: number,
  middle: (column: number) => number,
): void {
  const measured = [...names.slice(0, 100), ...names.slice(-100)]; // all of very many would take long
  const widest = Math.min(
    110,
    measured.reduce((most, name) => Math.max(most, textWidth(canvas, name)), 8),
  );
  const step = Math.max(1, Math.ceil((widest + 8) / columnWidth));
  const shown = names.filter((_, column) => column % step === 0);
  let end = -Infinity; // where the last name ends
  textsThatFit(canvas, shown, step * columnWidth - 4).forEach((text, i) => {
    const half = textWidth(canvas, text) / 2;
    const x = Math.min(canvas.canvas.clientWidth - half, Math.max(half, middle(i * step)));
    if (x - half < end + 4) return;
    end = x + half;
    drawText(canvas, text, x, y, { align: "center" });
  });
}

// ---- axes ----

/** The multiples of a step in a range. The step is 1, 2 or 5 times a power of ten, such that there are about `most`. */
export function axisMarks(from: number, to: number, most: number): number[] {
  const smallestStep = (to - from) / Math.max(1, most);
  if (!(smallestStep > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(smallestStep));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= smallestStep) ?? 10);
  const marks: number[] = [];
  for (let mark = Math.ceil(from / step) * step; mark <= to && marks.length < 100; mark += step) marks.push(mark);
  return marks;
}
