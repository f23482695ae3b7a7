// How many waits of the selected wait state are how long, in classes that grow logarithmically.
import { drawText, fillEdgedBox } from "../charts/canvas";
import { Chart } from "../charts/chart";
import { severityColour } from "../charts/colours";
import type { Table } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { countText } from "../text/number_text";

/** A class of durations, in ticks. */
type HistogramRow = [from: number, to: number, count: number, sum: number];

export function DurationHistogram({ store, histogram }: { store: ReportStore; histogram: Table }) {
  const { report } = store;
  const rows = histogram.rows as HistogramRow[];
  if (rows.length === 0) return null;
  const largestCount = Math.max(...rows.map(([, , count]) => count));
  const [shortest, longest] = [rows[0]![0], rows[rows.length - 1]![1]];
  const [axisBegin, axisEnd] = [Math.max(1, shortest), Math.max(2, longest)];
  const x = (ticks: number, chartWidth: number) =>
    (Math.log(Math.max(1, ticks) / axisBegin) / Math.log(axisEnd / axisBegin)) * (chartWidth - 40) + 30;
  let drawnWidth = 1;
  return (
    <Chart
      store={store}
      id="histogram"
      caption={`Durations of ${store.metricTitle}: number of waits in all call paths (logarithmic classes)`}
      height={200}
      columns={["at least (s)", "less than (s)", "waits", "sum (s)"]}
      rows={() =>
        rows.map(([from, to, count, sum]) => ({
          cells: [report.seconds(from), report.seconds(to), count, report.seconds(sum)],
        }))
      }
      marks={{
        count: rows.length,
        perRow: rows.length,
        text: (i) => {
          const [from, to, count, sum] = rows[i]!;
          const range = `${report.durationText(from)} to ${report.durationText(to)}`;
          return `${range}: ${countText(count)} waits, ${report.durationText(sum)} in total`;
        },
        box: (i) => {
          const [left, right] = [x(rows[i]![0], drawnWidth), x(rows[i]![1], drawnWidth)];
          return [left, 18, Math.max(1, right - left), 162];
        },
      }}
      draw={(canvas, width, height) => {
        drawnWidth = width;
        for (const [from, to, count] of rows) {
          const barHeight = (count / largestCount) * (height - 40);
          const [left, right] = [x(from, width), x(to, width)];
          fillEdgedBox(canvas, severityColour(count / largestCount), [
            left,
            height - 22 - barHeight,
            right - left - 1,
            Math.max(1, barHeight),
          ]);
        }
        drawText(canvas, report.durationText(shortest), 30, height - 9);
        drawText(canvas, `${countText(largestCount)} waits`, 30, 8);
        drawText(canvas, report.durationText(longest), width - 4, height - 9, { align: "right" });
      }}
    />
  );
}
