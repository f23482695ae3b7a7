// A bar for each location with the value of what is selected; thin ones where there are many.
import { drawColumnNames, drawText, fillEdgedBox, type Canvas } from "../charts/canvas";
import { Chart } from "../charts/chart";
import { inkColour, severityColour, textColourOn } from "../charts/colours";
import { Note, Unpacking } from "../frame/elements";
import type { ReportStore } from "../state/report_store";
import { callPathsText, locationsText, metricsText, valuesNotStored } from "../trees/selection_text";
import { largestOf } from "../trees/value_shares";

const chartHeight = 200;
const nameHeight = 20; // below the bars
const narrowestLabelled = 70; // bars that are narrower have no values

/** Stands among the charts that are shown as tables, so that the address has it. */
const sortedByValue = "by-value";

export function LocationBars({ store }: { store: ReportStore }) {
  const { report, metric } = store;
  const found = store.values.byLocation();
  if (!found) return <Unpacking />;
  if (found.isMissing) return <Note>{valuesNotStored}</Note>;
  const { values, isApproximate } = found;
  const isSorted = store.shownAsTables.has(sortedByValue);
  const locations = store.values.locationsInSelection();
  const order = [...values.keys()].filter((location) => !locations || locations.has(location));
  if (isSorted) order.sort((a, b) => values[b]! - values[a]!);
  const largest = largestOf(order.map((location) => values[location]!));
  const highest = report.valueText(metric, largest, isApproximate);
  const scale = report.unitScale(metric);
  const textOf = (location: number) => report.valueText(metric, values[location]!, isApproximate);
  const pick = (location: number) => {
    store.selectLocation(location);
    store.announce(`${report.locationName(location)} is selected`);
  };
  let chartWidth = 1;
  return (
    <Chart
      store={store}
      id="bars"
      caption={
        `${metricsText(store)} by location, in ${callPathsText(store)}` +
        `${locations ? `, of ${locationsText(store)}` : ""}; the highest bar is ${highest}`
      }
      height={chartHeight}
      columns={["location", `value (${report.unitName(metric)})`]}
      rows={() =>
        order.map((location) => ({
          cells: [report.locationName(location), values[location]! * scale],
          onPick: () => pick(location),
        }))
      }
      marks={{
        count: order.length,
        perRow: order.length,
        onPick: (i) => pick(order[i]!),
        box: (i) => [(i * chartWidth) / order.length, 0, chartWidth / order.length, chartHeight],
        at: (x) => Math.min(order.length - 1, Math.floor((x / chartWidth) * order.length)),
        text: (i) => `${report.locationName(order[i]!)}: ${textOf(order[i]!)}`,
      }}
      draw={(canvas, width) => {
        chartWidth = width;
        const columnWidth = width / Math.max(1, order.length);
        order.forEach((location, i) => {
          const share = Math.abs(values[location]!) / largest;
          drawBar(canvas, i, columnWidth, largest === 0 ? 0 : share, severityColour(share), textOf(location));
        });
        const names = order.map((location) => report.locationName(location));
        drawColumnNames(canvas, names, columnWidth, chartHeight - 9, (column) => (column + 0.5) * columnWidth);
      }}
    >
      <button aria-pressed={isSorted} onClick={() => store.toggleTable(sortedByValue)}>
        {isSorted ? "by rank" : "by value"}
      </button>
    </Chart>
  );
}

function drawBar(
  canvas: Canvas,
  column: number,
  columnWidth: number,
  share: number,
  colour: string,
  text: string,
): void {
  const height = share * (chartHeight - 30);
  const top = chartHeight - nameHeight - height;
  fillEdgedBox(canvas, colour, [column * columnWidth, top, columnWidth - (columnWidth > 4 ? 2 : 0), height]);
  if (columnWidth < narrowestLabelled) return;
  const middle = (column + 0.5) * columnWidth;
  // The value stands in the bar, or above it if the bar is too low.
  const [y, textColour] = height > 20 ? [top + 10, textColourOn(colour)] : [top - 8, inkColour()];
  drawText(canvas, text, middle, y, { align: "center", colour: textColour });
}
