// Bars beside names, one below the other.
import type { PageStore } from "../state/page_store";
import { drawText, fillEdgedBox, nameColumnWidth, textsThatFit } from "./canvas";
import { Chart } from "./chart";
import { severityColour } from "./colours";
import type { Cell } from "./data_table";

export interface Bar {
  name: string;
  value: number;
  text: string; // beside the bar
  cells: Cell[]; // the table's row
  onPick: () => void;
}
interface BarListProps {
  store: PageStore;
  id: string;
  caption: string;
  columns: string[];
  bars: Bar[]; // the largest first
}
const rowHeight = 22;
const mostDrawn = 40;
const textSpace = 150; // right of the longest bar

export function BarList({ store, id, caption, columns, bars }: BarListProps) {
  const drawnBars = bars.slice(0, mostDrawn);
  const limitText =
    bars.length > drawnBars.length ? `: the ${drawnBars.length} largest of ${bars.length}; the table has all` : "";
  const largest = bars.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0);
  let chartWidth = 1;
  return (
    <Chart
      store={store}
      id={id}
      caption={caption + limitText}
      height={Math.max(1, drawnBars.length) * rowHeight + 4}
      columns={columns}
      rows={() => bars}
      marks={{
        count: drawnBars.length,
        perRow: 1,
        box: (i) => [0, i * rowHeight + 2, chartWidth, rowHeight - 2],
        at: (_, y) => (y < 2 || y >= drawnBars.length * rowHeight + 2 ? -1 : Math.floor((y - 2) / rowHeight)),
        text: (i) => `${drawnBars[i]!.name}: ${drawnBars[i]!.text}`,
        onPick: (i) => drawnBars[i]!.onPick(),
      }}
      draw={(canvas, width) => {
        chartWidth = width;
        const nameWidth = nameColumnWidth(
          canvas,
          drawnBars.map(({ name }) => name),
          width,
        );
        const names = textsThatFit(
          canvas,
          drawnBars.map(({ name }) => name),
          nameWidth - 8,
        );
        drawnBars.forEach(({ value, text }, i) => {
          const top = i * rowHeight + 2;
          const middle = top + rowHeight / 2;
          drawText(canvas, names[i]!, nameWidth - 8, middle, { align: "right" });
          const length = largest === 0 ? 0 : ((width - nameWidth - textSpace) * Math.abs(value)) / largest;
          const colour = severityColour(Math.abs(value) / largest);
          fillEdgedBox(canvas, colour, [nameWidth, top + 2, length, rowHeight - 5]);
          drawText(canvas, text, nameWidth + length + 6, middle);
        });
      }}
    />
  );
}
