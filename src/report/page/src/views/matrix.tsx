// A matrix of locations or processes. Beyond some hundred rows neighbours share one, and a click shows them alone.
// Colours are logarithmic, on one scale for cells and for the sums at the margins.
import { useState } from "preact/hooks";
import {
  contains,
  drawRowNames,
  drawText,
  fillBox,
  fillEdgedBox,
  nameColumnWidth,
  textThatFits,
  textWidth,
  type Box,
  type Canvas,
} from "../charts/canvas";
import { Chart } from "../charts/chart";
import { ColourKey } from "../charts/colour_key";
import { faintColour, severityColour } from "../charts/colours";
import type { ReportStore } from "../state/report_store";
import { rangeName } from "../text/short_names";

export interface MatrixEntry {
  row: number;
  column: number;
  value: number;
}
interface MatrixProps {
  store: ReportStore;
  id: string;
  caption: string;
  count: number; // the number of locations or processes
  perIndex: number; // an index of an entry stands for so many of them
  rowTitle: string;
  columnTitle: string;
  nameOf: (one: number) => string;
  entries: MatrixEntry[];
  textOf: (value: number) => string;
  unit: string; // the unit of values in the table
  unitScale: number; // a value multiplied by it has that unit
  /** Said of a cell behind its value. */
  moreText?: (row: number, column: number) => string;
  onPick?: (row: number, column: number) => void;
}

const mostDrawn = 128; // rows or columns
const marginGap = 6; // before the sums
const top = 22;

/** The rows and columns that are shown, the last of them exclusive. */
interface MatrixPart {
  firstRow: number;
  endRow: number;
  firstColumn: number;
  endColumn: number;
}

export function Matrix(props: MatrixProps) {
  const { store, id, caption, count, perIndex, rowTitle, columnTitle, entries, unit, unitScale, onPick } = props;
  const size = Math.ceil(count / perIndex);
  const all: MatrixPart = { firstRow: 0, endRow: size, firstColumn: 0, endColumn: size };
  const [part, setPart] = useState(all);
  const cells = new MatrixCells(props, part);
  const neighbours = cells.blockSize * perIndex;
  let layout = new MatrixLayout(cells, 0, 1);
  const pick = (cell: number) => {
    if (cells.isSum(cell) || cells.values[cell] === 0) return;
    if (cells.blockSize > 1) setPart(cells.partOf(cell));
    else onPick?.(part.firstRow + cells.rowOf(cell), part.firstColumn + cells.columnOf(cell));
  };
  const isPart = part.endRow - part.firstRow < size || part.endColumn - part.firstColumn < size;
  return (
    <Chart
      store={store}
      id={id}
      height={Math.min(700, innerWidth, Math.max(160, cells.rows * 26 + 130))}
      caption={
        caption +
        (neighbours === 1 ? "" : `; ${neighbours} neighbours share a row`) +
        (cells.blockSize === 1 ? "" : ", a click shows them alone")
      }
      columns={[rowTitle, columnTitle, unit]}
      rows={() =>
        entries.map(({ row, column, value }) => ({
          cells: [cells.rangeName(row, row + 1), cells.rangeName(column, column + 1), value * unitScale],
          ...(onPick ? { onPick: () => onPick(row, column) } : {}),
        }))
      }
      marks={{
        count: cells.values.length,
        perRow: cells.columns + 1,
        box: (cell) => layout.box(cell),
        at: (x, y) => layout.at(x, y),
        text: (cell) => cells.text(cell),
        onPick: pick,
      }}
      redrawKey={part}
      below={<ColourKey least={cells.leastText} most={cells.mostText} isLogarithmic />}
      draw={(canvas, width, height) => {
        const title = `${rowTitle} \u2193   ${columnTitle} \u2192`;
        const names = Array.from({ length: cells.rows }, (_, row) => cells.rowName(row));
        const nameWidth = nameColumnWidth(canvas, [title, ...names], width);
        const cellSize = Math.min(
          40,
          (height - 110) / (cells.rows + 1),
          (width - nameWidth - 90) / (cells.columns + 1),
        );
        layout = new MatrixLayout(cells, nameWidth, Math.max(1, cellSize));
        drawText(canvas, textThatFits(canvas, title, nameWidth - 6), 0, 9);
        drawCells(canvas, cells, layout);
        drawNames(canvas, cells, layout, names);
        if (layout.cellSize >= 12) drawSums(canvas, cells, layout);
      }}
    >
      {isPart && <button onClick={() => setPart(all)}>Show all</button>}
    </Chart>
  );
}

/**
 * The cells of a part of the matrix, row by row. Each row ends with its sum, and the last row has the sums of columns.
 */
class MatrixCells {
  readonly blockSize: number; // how many neighbours share a row or column
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
  private least = Infinity; // the least value above zero, sums too: cells and margins have one scale
  private most = 0;

  constructor(
    private readonly props: MatrixProps,
    private readonly part: MatrixPart,
  ) {
    const { firstRow, endRow, firstColumn, endColumn } = part;
    this.blockSize = Math.ceil(Math.max(endRow - firstRow, endColumn - firstColumn) / mostDrawn);
    this.rows = Math.max(1, Math.ceil((endRow - firstRow) / this.blockSize));
    this.columns = Math.max(1, Math.ceil((endColumn - firstColumn) / this.blockSize));
    this.values = new Float64Array((this.rows + 1) * (this.columns + 1));
    for (const { row, column, value } of props.entries)
      if (row >= firstRow && row < endRow && column >= firstColumn && column < endColumn)
        this.add(
          Math.floor((row - firstRow) / this.blockSize),
          Math.floor((column - firstColumn) / this.blockSize),
          value,
        );
    this.values.forEach((value, cell) => {
      if (value <= 0 || cell === this.totalCell) return;
      this.least = Math.min(this.least, value);
      this.most = Math.max(this.most, value);
    });
  }
  private add(row: number, column: number, value: number): void {
    for (const cell of [
      this.cellAt(row, column),
      this.cellAt(row, this.columns),
      this.cellAt(this.rows, column),
      this.cellAt(this.rows, this.columns),
    ])
      this.values[cell] = this.values[cell]! + value;
  }

  cellAt(row: number, column: number): number {
    return row * (this.columns + 1) + column;
  }
  rowOf(cell: number): number {
    return Math.floor(cell / (this.columns + 1));
  }
  columnOf(cell: number): number {
    return cell % (this.columns + 1);
  }
  isSum(cell: number): boolean {
    return this.rowOf(cell) === this.rows || this.columnOf(cell) === this.columns;
  }
  /** The sum of everything, which is not drawn. */
  get totalCell(): number {
    return this.values.length - 1;
  }

  /** How bright a cell is, from 0 to 1. */
  shade(cell: number): number {
    const { least, most } = this;
    return most === least ? 1 : 0.12 + (0.88 * Math.log(this.values[cell]! / least)) / Math.log(most / least);
  }
  get leastText(): string {
    return this.most === 0 ? "0" : this.props.textOf(this.least);
  }
  get mostText(): string {
    return this.props.textOf(this.most);
  }

  rowName(row: number): string {
    return this.blockName(this.part.firstRow, this.part.endRow, row);
  }
  columnName(column: number): string {
    return this.blockName(this.part.firstColumn, this.part.endColumn, column);
  }
  private blockName(first: number, end: number, block: number): string {
    return this.rangeName(first + block * this.blockSize, this.blockEnd(first, end, block));
  }
  /** The names of what some indices stand for, the last of them exclusive. */
  rangeName(first: number, end: number): string {
    const { nameOf, count, perIndex } = this.props;
    return rangeName(first * perIndex, Math.min(count, end * perIndex) - 1, nameOf);
  }
  private blockEnd(first: number, end: number, block: number): number {
    return Math.min(end, first + (block + 1) * this.blockSize);
  }
  text(cell: number): string {
    const { rowTitle, columnTitle, textOf, moreText } = this.props;
    const [row, column] = [this.rowOf(cell), this.columnOf(cell)];
    const parts: string[] = [];
    if (row < this.rows) parts.push(`${rowTitle} ${this.rowName(row)}`);
    if (column < this.columns) parts.push(`${columnTitle} ${this.columnName(column)}`);
    const behind =
      this.isSum(cell) || this.blockSize > 1 || this.values[cell] === 0
        ? this.isSum(cell) && " in all"
        : moreText?.(this.part.firstRow + row, this.part.firstColumn + column);
    return `${parts.join(", ") || "all"}: ${textOf(this.values[cell]!)}${behind || ""}`;
  }
  sumText(cell: number): string {
    return this.props.textOf(this.values[cell]!);
  }
  /** The number that is written above a column. */
  firstColumnOf(column: number): number {
    return (this.part.firstColumn + column * this.blockSize) * this.props.perIndex;
  }
  /** The neighbours that share the cell, as a part of the matrix. */
  partOf(cell: number): MatrixPart {
    const { firstRow, endRow, firstColumn, endColumn } = this.part;
    const [row, column] = [this.rowOf(cell), this.columnOf(cell)];
    return {
      firstRow: firstRow + row * this.blockSize,
      endRow: this.blockEnd(firstRow, endRow, row),
      firstColumn: firstColumn + column * this.blockSize,
      endColumn: this.blockEnd(firstColumn, endColumn, column),
    };
  }
}

/** Where cells are drawn. */
class MatrixLayout {
  constructor(
    private readonly cells: MatrixCells,
    readonly left: number,
    readonly cellSize: number,
  ) {}
  x(column: number): number {
    return this.left + column * this.cellSize + (column === this.cells.columns ? marginGap : 0);
  }
  y(row: number): number {
    return top + row * this.cellSize + (row === this.cells.rows ? marginGap : 0);
  }
  box(cell: number): Box {
    return [this.x(this.cells.columnOf(cell)), this.y(this.cells.rowOf(cell)), this.cellSize, this.cellSize];
  }
  /** The cell at a place; -1 if there is none. */
  at(x: number, y: number): number {
    const columns = this.cells.columns;
    const column = x >= this.x(columns) ? columns : Math.floor((x - this.left) / this.cellSize);
    const row = y >= this.y(this.cells.rows) ? this.cells.rows : Math.floor((y - top) / this.cellSize);
    if (column < 0 || row < 0 || column > columns || row > this.cells.rows) return -1;
    const cell = this.cells.cellAt(row, column);
    return contains(this.box(cell), x, y) ? cell : -1;
  }
  columnMiddle(column: number): number {
    return this.left + (column + 0.5) * this.cellSize;
  }
  rowMiddle(row: number): number {
    return top + (row + 0.5) * this.cellSize;
  }
}

function drawCells(canvas: Canvas, cells: MatrixCells, layout: MatrixLayout): void {
  const inset = layout.cellSize > 6 ? 1 : 0;
  cells.values.forEach((value, cell) => {
    if (cell === cells.totalCell) return;
    const [x, y] = layout.box(cell);
    const size = layout.cellSize - inset;
    if (value > 0) fillEdgedBox(canvas, severityColour(cells.shade(cell)), [x, y, size, size]);
    else if (layout.cellSize > 6) fillBox(canvas, faintColour(), [x, y, size, 1]);
  });
}

function drawNames(canvas: Canvas, cells: MatrixCells, layout: MatrixLayout, names: string[]): void {
  const { left, cellSize } = layout;
  drawRowNames(canvas, names, left - 6, cellSize, (row) => layout.rowMiddle(row));
  drawText(canvas, "sum", left - 6, layout.rowMiddle(cells.rows) + marginGap, { align: "right" });
  // The numbers of columns, every n-th where they have no room.
  const widest = textWidth(canvas, String(cells.firstColumnOf(cells.columns))) + 6;
  const step = Math.max(1, Math.ceil(widest / cellSize));
  for (let column = 0; column < cells.columns; column += step)
    drawText(canvas, String(cells.firstColumnOf(column)), layout.columnMiddle(column), 12, { align: "center" });
}

function drawSums(canvas: Canvas, cells: MatrixCells, layout: MatrixLayout): void {
  const { left, cellSize } = layout;
  const rightOfCells = left + (cells.columns + 1) * cellSize + marginGap + 4;
  const belowCells = top + (cells.rows + 1) * cellSize + marginGap + 4;
  for (let row = 0; row < cells.rows; ++row) {
    const sum = cells.cellAt(row, cells.columns);
    if (cells.values[sum]! > 0) drawText(canvas, cells.sumText(sum), rightOfCells, layout.rowMiddle(row));
  }
  for (let column = 0; column < cells.columns; ++column) {
    const sum = cells.cellAt(cells.rows, column);
    if (cells.values[sum] !== 0) drawDownward(canvas, cells.sumText(sum), layout.columnMiddle(column), belowCells);
  }
}

function drawDownward(canvas: Canvas, text: string, x: number, y: number): void {
  canvas.save();
  canvas.translate(x, y);
  canvas.rotate(Math.PI / 2);
  drawText(canvas, text, 0, 0);
  canvas.restore();
}
