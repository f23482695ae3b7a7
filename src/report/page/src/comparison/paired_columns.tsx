// A chart with two columns for each of something: that of A left, that of B right.
import { fillBox } from "../charts/canvas";
import { runAColour, runBColour } from "../charts/colour_table";
import { ColumnChart } from "../charts/column_chart";
import { Legend } from "../charts/legend";
import { cellOf } from "./change_text";
import type { ComparisonStore } from "./comparison_store";

export interface NamedPair {
  name: string;
  before: number | null;
  after: number | null;
}
interface PairedColumnsProps {
  store: ComparisonStore;
  id: string;
  caption: string;
  unit?: string; // behind the headings of the table
  pairs: NamedPair[];
  textOf: (value: number) => string;
}
const columnColours = [runAColour, runBColour];

export function PairedColumns({ store, id, caption, unit = "", pairs, textOf }: PairedColumnsProps) {
  const highest = Math.max(1e-300, ...pairs.flatMap(({ before, after }) => [before ?? 0, after ?? 0]));
  const knownText = (value: number | null) => (value === null ? "unknown" : textOf(value));
  return (
    <>
      <ColumnChart
        id={id}
        caption={caption}
        store={store}
        height={170}
        axisEnd={textOf(highest)}
        columns={["name", `A${unit}`, `B${unit}`]}
        count={pairs.length}
        columnName={(i) => pairs[i]!.name}
        columnText={(i) => {
          const { name, before, after } = pairs[i]!;
          return `${name}: A ${knownText(before)}, B ${knownText(after)}`;
        }}
        cells={(i) => [pairs[i]!.name, cellOf(pairs[i]!.before), cellOf(pairs[i]!.after)]}
        draw={(canvas, area) =>
          pairs.forEach(({ before, after }, i) =>
            [before, after].forEach((value, run) => {
              const top = area.y((value ?? 0) / highest);
              const left = area.x(i) + (area.columnWidth * (run + 0.1)) / 2.2;
              fillBox(canvas, columnColours[run]!, [left, top, area.columnWidth / 2.4, area.y(0) - top]);
            }),
          )
        }
      />
      <Legend store={store} entries={columnColours.map((colour, run) => ({ name: "AB"[run]!, colour }))} />
    </>
  );
}
