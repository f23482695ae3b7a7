// How long all locations together waited in each bin of time, the wait states stacked.
import { fillBox, type Canvas } from "../charts/canvas";
import { Chart } from "../charts/chart";
import { palette } from "../charts/colour_table";
import { Legend } from "../charts/legend";
import { ZoomButtons, type TimeRuler } from "../charts/time_ruler";
import type { TimeWindow } from "../charts/time_window";
import type { WaitSeries as SeriesData } from "../report_types";
import type { ReportStore } from "../state/report_store";
import type { TimeRange } from "../state/time_range";
import { SeriesBins } from "./series_bins";

export interface SeriesChartProps {
  store: ReportStore;
  series: SeriesData;
  ruler: TimeRuler;
  window: TimeWindow;
}

/** A wait state with its ticks in each bin. */
interface StateSeries {
  id: string;
  title: string;
  ticks: number[];
}

export function WaitSeries({ store, series, ruler, window }: SeriesChartProps) {
  const { report } = store;
  const bins = new SeriesBins(report, series);
  const all = statesOf(store, series);
  // Shares of other wait states are not stacked, as their waits would be there twice.
  const stacked = all.filter(({ id }) => !report.isShareOf(id, series.metrics)).slice(0, palette.length);
  const totals = Array.from({ length: series.bins }, (_, bin) => totalOf(stacked, bin));
  const highest = Math.max(1, ...totals);
  const tableOnly =
    all.length > stacked.length
      ? `; smaller ones and shares of others (${all.length - stacked.length}) are in the table only`
      : "";
  return (
    <>
      <Chart
        store={store}
        id="series"
        height={230}
        caption={
          `Waits over time on all locations, per ${report.durationText(series.bin_ticks)}: ` +
          `the highest column is ${report.durationText(highest)} of all locations together${tableOnly}`
        }
        columns={["from (s)", ...all.map(({ title }) => `${title} (s)`)]}
        rows={() =>
          totals.map((_, bin) => ({
            cells: [bins.beginSeconds(bin), ...all.map(({ ticks }) => report.seconds(ticks[bin] ?? 0))],
          }))
        }
        message={ruler.range ? rangeText(store, series, bins, stacked, ruler.range) : ""}
        pointer={ruler.pointer(window)}
        onKey={(event) => ruler.handleKey(window, event)}
        marks={{
          count: series.bins,
          perRow: series.bins,
          box: (bin) => {
            const { left, width } = bins.place(window, bin);
            return [left, 20, width, 190];
          },
          at: (x, y) => (y < 20 ? -1 : bins.at(window, x)),
          text: (bin) => {
            const values = stacked.map(({ title, ticks }) => `${title} ${report.durationText(ticks[bin] ?? 0)}`);
            return `from ${bins.beginText(bin)}: ${values.join(", ")}`;
          },
        }}
        arrange={(_, width) => window.place(0, width - 6)}
        draw={(canvas, _, height) => {
          window.drawAxis(canvas, height);
          window.drawClipped(canvas, 0, height, () => drawStack(canvas, window, bins, stacked, highest, height));
        }}
        drawAbove={(canvas, _, height) =>
          window.drawClipped(canvas, 0, height, () => ruler.draw(canvas, window, height))
        }
      >
        <ZoomButtons window={window} selected={ruler.range} />
      </Chart>
      <Legend
        store={store}
        entries={stacked.map(({ id, title }, i) => ({
          name: title,
          colour: palette[i]!,
          onPick: () => store.selectMetric(id),
        }))}
      />
    </>
  );
}

/** Wait states with waits at known times, the largest first. */
function statesOf({ report }: ReportStore, series: SeriesData): StateSeries[] {
  return Object.entries(series.metrics)
    .map(([id, { ticks }]) => ({ id, title: report.metricTitle(id), ticks, sum: sumOf(ticks) }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum);
}
const sumOf = (ticks: number[]): number => ticks.reduce((a, b) => a + b, 0);
const totalOf = (states: StateSeries[], bin: number): number => sumOf(states.map(({ ticks }) => ticks[bin] ?? 0));

/** The waits in the selected time, which is taken in whole bins. */
function rangeText(
  { report }: ReportStore,
  series: SeriesData,
  bins: SeriesBins,
  states: StateSeries[],
  [begin, end]: TimeRange,
): string {
  const first = Math.max(0, Math.round((begin - series.start) / series.bin_ticks - 0.5));
  const last = Math.round((end - series.start) / series.bin_ticks + 0.5);
  const values = states.map(({ title, ticks }) => `${title} ${report.durationText(sumOf(ticks.slice(first, last)))}`);
  const times = `from ${bins.beginText(first)} to ${bins.beginText(Math.min(series.bins, last))}`;
  return `${times}: ${values.join(", ")} (the trees have the whole run)`;
}

function drawStack(
  canvas: Canvas,
  window: TimeWindow,
  bins: SeriesBins,
  states: StateSeries[],
  highest: number,
  height: number,
): void {
  const bottoms = new Float64Array(bins.count);
  states.forEach(({ ticks }, i) =>
    ticks.forEach((value, bin) => {
      const barHeight = (value / highest) * (height - 26);
      const { left, width } = bins.place(window, bin);
      if (left + width >= 0 && left < window.right + 6)
        fillBox(canvas, palette[i]!, [left, height - 4 - bottoms[bin]! - barHeight, width, barHeight]);
      bottoms[bin] = bottoms[bin]! + barHeight;
    }),
  );
}
