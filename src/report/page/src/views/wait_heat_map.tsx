// The waits of the selected wait state by location over time: a row for each location, or for neighbours together.
import { drawRowNames, fillBox, fillEdgedBox, nameColumnWidth, type Canvas } from "../charts/canvas";
import { Chart } from "../charts/chart";
import { ColourKey } from "../charts/colour_key";
import { faintColour, severityColour } from "../charts/colours";
import { firstRowTop, type TimeWindow } from "../charts/time_window";
import { Note } from "../frame/elements";
import { rangeName } from "../text/short_names";
import { SeriesBins } from "./series_bins";
import type { SeriesChartProps } from "./wait_series";

/** Neighbouring locations with their ticks in each bin. */
interface GroupRow {
  name: string;
  firstLocation: number;
  ticks: number[];
}

export function WaitHeatMap(props: SeriesChartProps) {
  const { store, series } = props;
  const selected = series.metrics[store.metric.id];
  if (!selected) return <Note>{`No times of waits are known for ${store.metricTitle}.`}</Note>;
  if (series.groups.length === 0) return <Note>Waits by location over time do not fit into this file.</Note>;
  const ticksOf = new Map(selected.groups.map(({ group, ticks }) => [group, ticks]));
  const locations = store.values.locationsInSelection();
  const groups = series.groups.flatMap(([first, last], group): GroupRow[] => {
    if (locations && ![...locations].some((location) => location >= first && location <= last)) return [];
    return [
      {
        name: rangeName(first, last, (location) => store.report.locationName(location)),
        firstLocation: first,
        ticks: ticksOf.get(group) ?? [],
      },
    ];
  });
  return <HeatMapChart {...props} groups={groups} />;
}

function HeatMapChart({ store, series, ruler, window, groups }: SeriesChartProps & { groups: GroupRow[] }) {
  const { report } = store;
  const bins = new SeriesBins(report, series, series.bins_per_group_bin);
  const binNumbers = Array.from({ length: bins.count }, (_, bin) => bin);
  const brightest = Math.max(1, ...groups.flatMap(({ ticks }) => ticks));
  const rowHeight = Math.max(2, Math.min(20, 480 / groups.length));
  const names = groups.map(({ name }) => name);
  const rowTop = (row: number) => firstRowTop + row * rowHeight;
  const rowAndBin = (mark: number): [number, number] => [Math.floor(mark / bins.count), mark % bins.count];
  return (
    <Chart
      store={store}
      id="heat"
      height={groups.length * rowHeight + 42}
      caption={`${store.metricTitle} by location over time; the brightest is ${report.durationText(brightest)}`}
      columns={["location", ...binNumbers.map((bin) => `${bins.beginText(bin)} (s)`)]}
      rows={() =>
        groups.map(({ name, firstLocation, ticks }) => ({
          cells: [name, ...binNumbers.map((bin) => report.seconds(ticks[bin] ?? 0))],
          onPick: () => store.selectLocation(firstLocation),
        }))
      }
      onKey={(event) => ruler.handleKey(window, event)}
      pointer={ruler.pointer(window)}
      marks={{
        count: groups.length * bins.count,
        perRow: bins.count,
        box: (mark) => {
          const [row, bin] = rowAndBin(mark);
          const { left, width } = bins.place(window, bin);
          return [left, rowTop(row), width, rowHeight];
        },
        at: (x, y) => {
          const [row, bin] = [Math.floor((y - firstRowTop) / rowHeight), bins.at(window, x)];
          return bin < 0 || row < 0 || row >= groups.length ? -1 : row * bins.count + bin;
        },
        text: (mark) => {
          const [row, bin] = rowAndBin(mark);
          const { name, ticks } = groups[row]!;
          return `${name} from ${bins.beginText(bin)}: ${report.durationText(ticks[bin] ?? 0)}`;
        },
      }}
      arrange={(canvas, width) => {
        const left = nameColumnWidth(canvas, names, width);
        window.place(left, width - left - 6);
      }}
      draw={(canvas, width, height) => {
        window.drawAxis(canvas, height);
        drawRowNames(canvas, names, window.left - 8, rowHeight, (row) => rowTop(row) + rowHeight / 2);
        const hasLines = rowHeight > 6;
        window.drawClipped(canvas, 0, height, () =>
          groups.forEach(({ ticks }, row) => {
            const top = rowTop(row);
            if (hasLines) fillBox(canvas, faintColour(), [window.left, top + rowHeight - 1, width, 0.5]);
            drawRow(canvas, window, bins, ticks, brightest, top, rowHeight - (hasLines ? 1 : 0));
          }),
        );
      }}
      drawAbove={(canvas, _, height) => window.drawClipped(canvas, 0, height, () => ruler.draw(canvas, window, height))}
      below={<ColourKey least="0 s" most={report.durationText(brightest)} />}
    />
  );
}

/** Neighbouring bins of the same colour, as those that a long wait fills, are drawn as one. */
function drawRow(
  canvas: Canvas,
  window: TimeWindow,
  bins: SeriesBins,
  ticks: number[],
  brightest: number,
  top: number,
  height: number,
): void {
  let first = 0;
  let colour = "";
  for (let bin = 0; bin <= ticks.length; ++bin) {
    const value = ticks[bin] ?? 0;
    const next = value > 0 ? severityColour(value / brightest) : "";
    if (next === colour) continue;
    const { left } = bins.place(window, first);
    if (colour !== "") fillEdgedBox(canvas, colour, [left, top, bins.place(window, bin).left - left, height]);
    [first, colour] = [bin, next];
  }
}
