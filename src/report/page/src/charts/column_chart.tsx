// A chart with a column for each of something; the arrow keys go from one to the next and say its values.
import type { PageStore } from "../state/page_store";
import { drawColumnNames, drawText, fillBox, type Box, type Canvas } from "./canvas";
import { Chart } from "./chart";
import { faintColour } from "./colours";
import type { Cell } from "./data_table";

/** Where columns are drawn. */
export class ColumnArea {
  private static readonly top = 20;
  private static readonly bottomMargin = 22;
  static readonly side = 8;

  constructor(
    readonly width: number,
    private readonly height: number,
    private readonly count: number,
  ) {}
  get columnWidth(): number {
    return this.width / this.count;
  }
  /** The left end of a column. */
  x(column: number): number {
    return ColumnArea.side + column * this.columnWidth;
  }
  /** The height of a share of the axis: 0 is at its lower end, 1 at its upper end. */
  y(share: number): number {
    return this.height - ColumnArea.bottomMargin - share * (this.height - ColumnArea.top - ColumnArea.bottomMargin);
  }
  /** A part of a column, from one share of the axis to another. Wide columns have a gap beside them. */
  box(column: number, fromShare: number, toShare: number): Box {
    const gap = this.columnWidth > 4 ? 1 : 0;
    return [this.x(column), this.y(toShare), this.columnWidth - gap, this.y(fromShare) - this.y(toShare)];
  }
  /** All of a column. */
  columnBox(column: number): Box {
    const height = this.height - ColumnArea.top - ColumnArea.bottomMargin;
    return [ColumnArea.side + (column * this.width) / this.count, ColumnArea.top, this.width / this.count, height];
  }
}

export interface ColumnChartProps {
  store: PageStore;
  id: string;
  caption: string;
  height: number;
  axisEnd: string; // the value at the upper end of the axis
  count: number;
  columnName: (column: number) => string;
  lastName?: string | undefined; // at the right of the axis, instead of the last column's name
  columnText: (column: number) => string; // is said of a column
  columns: string[]; // headings of the table
  cells: (column: number) => Cell[];
  draw: (canvas: Canvas, area: ColumnArea) => void;
}

export function ColumnChart(props: ColumnChartProps) {
  const { height, axisEnd, count, columnName, lastName, columnText, cells, draw, ...others } = props;
  let area = new ColumnArea(1, height, count);
  return (
    <Chart
      {...others}
      height={height}
      rows={() => Array.from({ length: count }, (_, column) => ({ cells: cells(column) }))}
      marks={{ count, perRow: count, text: columnText, box: (column) => area.columnBox(column) }}
      draw={(canvas, chartWidth, chartHeight) => {
        area = new ColumnArea(chartWidth - 2 * ColumnArea.side, chartHeight, count);
        const left = ColumnArea.side;
        for (const share of [0, 0.5, 1]) fillBox(canvas, faintColour(), [left, area.y(share), area.width, 1]);
        draw(canvas, area);
        drawText(canvas, axisEnd, left, area.y(1) - 9);
        if (lastName !== undefined) {
          drawText(canvas, columnName(0), left, chartHeight - 9);
          drawText(canvas, lastName, left + area.width, chartHeight - 9, { align: "right" });
          return;
        }
        const names = Array.from({ length: count }, (_, column) => columnName(column));
        drawColumnNames(
          canvas,
          names,
          area.columnWidth,
          chartHeight - 9,
          (column) => area.x(column) + area.columnWidth / 2,
        );
      }}
    />
  );
}
