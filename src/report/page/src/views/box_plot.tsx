// Box plots of durations, one below the other, on a logarithmic axis.
import { drawRowNames, drawText, fillBox, nameColumnWidth, textWidth, type Canvas } from "../charts/canvas";
import { Chart } from "../charts/chart";
import { computationColour, faintColour, highlightColour, inkColour } from "../charts/colours";
import type { Report } from "../data/report";
import type { ReportStore } from "../state/report_store";
import { countText, durationText, percentText } from "../text/number_text";

/** Minimum, first quartile, median, third quartile and maximum. */
type FiveNumbers = [number, number, number, number, number];

/** Durations are in ticks. */
export interface BoxPlotRow {
  name: string;
  count: number;
  sum: number;
  fiveNumbers: FiveNumbers;
  mean: number;
  quantileError: number; // as a share of the value
  onPick: () => void;
}
interface BoxPlotProps {
  store: ReportStore;
  id: string;
  caption: string;
  rows: BoxPlotRow[];
}
const rowHeight = 26;

export function BoxPlot({ store, id, caption, rows }: BoxPlotProps) {
  const { report } = store;
  const shortest = Math.max(1, Math.min(...rows.map(({ fiveNumbers }) => Math.max(1, fiveNumbers[0]))));
  const longest = Math.max(shortest * 10, ...rows.map(({ fiveNumbers }) => fiveNumbers[4]));
  const seconds = (ticks: number) => report.seconds(ticks);
  let chartWidth = 1;
  return (
    <Chart
      store={store}
      id={id}
      caption={caption}
      height={rows.length * rowHeight + 24}
      columns={[
        "name",
        "count",
        "sum (s)",
        "minimum (s)",
        "first quartile (s)",
        "median (s)",
        "third quartile (s)",
        "maximum (s)",
        "mean (s)",
        "error of quartiles (%)",
      ]}
      rows={() =>
        rows.map(({ name, count, sum, fiveNumbers, mean, quantileError, onPick }) => ({
          cells: [name, count, seconds(sum), ...fiveNumbers.map(seconds), seconds(mean), 100 * quantileError],
          onPick,
        }))
      }
      marks={{
        count: rows.length,
        perRow: 1,
        box: (i) => [0, i * rowHeight, chartWidth, rowHeight],
        onPick: (i) => rows[i]!.onPick(),
        text: (i) => rowText(report, rows[i]!),
      }}
      draw={(canvas, width) => {
        chartWidth = width;
        const nameWidth = nameColumnWidth(
          canvas,
          rows.map(({ name }) => name),
          width,
        );
        const x = (ticks: number) =>
          nameWidth +
          ((width - nameWidth - 12) * Math.log(Math.max(1, ticks) / shortest)) / Math.log(longest / shortest);
        drawLogarithmicAxis(canvas, report, [shortest, longest], nameWidth, width, rows.length * rowHeight, x);
        const names = rows.map(({ name }) => name);
        drawRowNames(canvas, names, nameWidth - 10, rowHeight, (row) => (row + 0.5) * rowHeight);
        rows.forEach(({ fiveNumbers }, i) => drawBox(canvas, i * rowHeight, fiveNumbers.map(x) as FiveNumbers));
      }}
    />
  );
}

function rowText(report: Report, { name, count, fiveNumbers, mean, quantileError }: BoxPlotRow): string {
  const [, firstQuartile, median, thirdQuartile, longest] = fiveNumbers.map((ticks) => report.durationText(ticks));
  return (
    `${name}: ${countText(count)} waits, mean ${report.durationText(mean)}, median ${median}, ` +
    `quartiles ${firstQuartile} and ${thirdQuartile} (\u00b1 ${percentText(quantileError)}), longest ${longest}`
  );
}

/** A line for each power of ten of a second; texts that would overlap are left out. */
function drawLogarithmicAxis(
  canvas: Canvas,
  report: Report,
  [shortest, longest]: [number, number],
  left: number,
  right: number,
  bottom: number,
  x: (ticks: number) => number,
): void {
  let freeFrom = left;
  const firstPower = Math.floor(Math.log10(report.seconds(shortest)));
  for (let power = firstPower; 10 ** power <= report.seconds(longest); ++power) {
    const line = x(10 ** power * report.ticksPerSecond);
    if (line < left) continue;
    fillBox(canvas, faintColour(), [line, 0, 1, bottom]);
    const text = durationText(10 ** power).replace(/\.0+/, "");
    const width = textWidth(canvas, text);
    if (line - width / 2 < freeFrom || line + width / 2 > right) continue;
    drawText(canvas, text, line, bottom + 12, { align: "center" });
    freeFrom = line + width / 2 + 6;
  }
}

/** Draws a box from the places of its five numbers. */
function drawBox(canvas: Canvas, top: number, [minimum, firstQuartile, median, thirdQuartile, maximum]: FiveNumbers) {
  canvas.strokeStyle = inkColour();
  canvas.beginPath();
  const line = (fromX: number, fromY: number, toX: number, toY: number) => {
    canvas.moveTo(fromX, top + fromY);
    canvas.lineTo(toX, top + toY);
  };
  line(minimum, 13, firstQuartile, 13);
  line(thirdQuartile, 13, maximum, 13);
  line(minimum, 8, minimum, 18);
  line(maximum, 8, maximum, 18);
  canvas.stroke();
  const boxWidth = Math.max(2, thirdQuartile - firstQuartile);
  fillBox(canvas, computationColour, [firstQuartile, top + 6, boxWidth, 14]);
  canvas.strokeRect(firstQuartile, top + 6, boxWidth, 14);
  fillBox(canvas, highlightColour, [median - 1, top + 5, 3, 16]);
}
