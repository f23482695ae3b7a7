// A chart with a column for each of something; the arrow keys go from one to the next and say its values.
import { Chart, faint, fill, write, type ShownBy } from "./chart";

export interface ColumnsProps {
  store: ShownBy;
  id: string;
  caption: string;
  height: number;
  top: string; // what the upper end of the axis stands for
  count: number;
  name: (i: number) => string;
  end?: string | undefined; // at the right of the axis, instead of the last one's name
  said: (i: number) => string;
  columns: string[]; // of the table
  cells: (i: number) => (string | number)[];
  /** `x`: where a column begins; `wide`: how wide one is; `y`: where a share of the axis is. */
  draw: (c: CanvasRenderingContext2D, x: (i: number) => number, wide: number, y: (share: number) => number) => void;
}

export function Columns({ height, top, count, name, end, said, cells, draw, ...others }: ColumnsProps) {
  const left = 8;
  let width = 1;
  return (
    <Chart
      {...others}
      height={height}
      rows={() => Array.from({ length: count }, (_, i) => ({ cells: cells(i) }))}
      marks={{
        count,
        across: count,
        text: said,
        box: (i) => [left + (i * width) / count, 20, width / count, height - 42],
      }}
      draw={(c, all, h) => {
        width = all - 2 * left;
        const wide = width / count;
        const y = (share: number) => h - 22 - share * (h - 42);
        for (const share of [0, 0.5, 1]) fill(c, faint(), left, y(share), width, 1);
        draw(c, (i) => left + i * wide, wide, y);
        write(c, top, left, y(1) - 9);
        write(c, name(0), left, h - 9);
        if (count > 1) write(c, end ?? name(count - 1), left + width, h - 9, "right");
      }}
    />
  );
}
