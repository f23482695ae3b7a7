// How long waits are: box plots of all wait states, and of the selected one per call path and as a histogram.
import { Note } from "./around";
import { besides, block, Chart, faint, fill, fit, ink, severityColour, write } from "./chart";
import { countText, durationText, percentText, records, visible, type Statistics as Numbers } from "./report";
import type { Store } from "./store";

interface Box {
  name: string;
  count: number;
  sum: number;
  five: [number, number, number, number, number]; // ticks
  mean: number;
  error: number;
  pick: () => void;
}

export function Statistics({ store }: { store: Store }) {
  const { report } = store;
  const metrics = store.waitMetrics().filter((m) => report.meta.waits[m.id]!.statistics.count > 0);
  if (metrics.length === 0) return <p>This report has no statistics of single waits.</p>;
  const box = (name: string, s: Numbers, pick: () => void): Box => ({
    name,
    count: s.count,
    sum: s.sum,
    mean: s.mean ?? 0,
    error: s.quantile_error ?? 0,
    pick,
    five: [s.minimum, s.quartile25 ?? s.minimum, s.median ?? s.minimum, s.quartile75 ?? s.maximum, s.maximum],
  });
  const boxes = metrics.map((m) =>
    box(
      visible(m.title),
      report.meta.waits[m.id]!.statistics,
      () => (store.selectMetric(m.id), (store.view = "instances")),
    ),
  );
  const selected = report.meta.waits[store.metric.id];
  const paths = selected?.by_callpath;
  const pathBoxes = (paths ? records<Numbers & { callpath: number }>(paths) : []).map((r) =>
    box(report.callPath(r.callpath), r, () => store.selectCall(r.callpath)),
  );
  return (
    <>
      <BoxPlot
        store={store}
        id="boxes"
        caption="Duration of single waits by wait state: minimum, quartiles, maximum (logarithmic)"
        boxes={boxes}
      />
      {paths ? (
        <BoxPlot
          store={store}
          id="path-boxes"
          caption={`${store.title} by call path${paths.left_out > 0 ? `; ${paths.left_out} more call paths have less` : ""}`}
          boxes={pathBoxes}
        />
      ) : (
        <Note>{`This report has no statistics of ${store.title} per call path.`}</Note>
      )}
      {selected?.histogram ? (
        <Histogram store={store} />
      ) : (
        <Note>{`This report has no histogram of ${store.title}.`}</Note>
      )}
    </>
  );
}

function BoxPlot({ store, id, caption, boxes }: { store: Store; id: string; caption: string; boxes: Box[] }) {
  const { report } = store;
  const height = 26;
  const least = Math.max(1, Math.min(...boxes.map((b) => Math.max(1, b.five[0]))));
  const most = Math.max(least * 10, ...boxes.map((b) => b.five[4]));
  const s = (ticks: number) => ticks / report.ticks;
  let wide = 1;
  return (
    <Chart
      store={store}
      id={id}
      caption={caption}
      height={boxes.length * height + 24}
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
        boxes.map((b) => ({
          cells: [b.name, b.count, s(b.sum), ...b.five.map(s), s(b.mean), 100 * b.error],
          pick: b.pick,
        }))
      }
      marks={{
        count: boxes.length,
        across: 1,
        box: (i) => [0, i * height, wide, height],
        pick: (i) => boxes[i]!.pick(),
        text: (i) => {
          const b = boxes[i]!;
          const [, q1, median, q3, longest] = b.five.map((t) => report.seconds(t));
          return `${b.name}: ${countText(b.count)} waits, mean ${report.seconds(b.mean)}, median ${median}, quartiles ${q1} and ${q3} (\u00b1 ${percentText(b.error)}), longest ${longest}`;
        },
      }}
      draw={(c, width) => {
        wide = width;
        const label = besides(
          c,
          boxes.map((b) => b.name),
          width,
        );
        const x = (ticks: number) =>
          label + ((width - label - 12) * Math.log(Math.max(1, ticks) / least)) / Math.log(most / least);
        let free = label; // labels do not overlap
        for (let power = Math.floor(Math.log10(s(least))); 10 ** power <= s(most); ++power) {
          const at = x(10 ** power * report.ticks);
          if (at < label) continue;
          fill(c, faint(), at, 0, 1, boxes.length * height);
          const text = durationText(10 ** power).replace(/\.0+/, "");
          const wide = c.measureText(text).width;
          if (at - wide / 2 < free || at + wide / 2 > width) continue;
          write(c, text, at, boxes.length * height + 12, "center");
          free = at + wide / 2 + 6;
        }
        boxes.forEach((b, i) => {
          const y = i * height;
          write(c, fit(c, b.name, label - 10), label - 10, y + height / 2, "right");
          const [low, q1, median, q3, high] = b.five.map(x) as [number, number, number, number, number];
          c.strokeStyle = ink();
          c.beginPath();
          (c.moveTo(low, y + 13), c.lineTo(q1, y + 13), c.moveTo(q3, y + 13), c.lineTo(high, y + 13));
          (c.moveTo(low, y + 8), c.lineTo(low, y + 18), c.moveTo(high, y + 8), c.lineTo(high, y + 18));
          c.stroke();
          fill(c, "#7fb2d6", q1, y + 6, Math.max(2, q3 - q1), 14);
          c.strokeRect(q1, y + 6, Math.max(2, q3 - q1), 14);
          fill(c, "#d55e00", median - 1, y + 5, 3, 16);
        });
      }}
    />
  );
}

function Histogram({ store }: { store: Store }) {
  const { report } = store;
  const rows = report.meta.waits[store.metric.id]!.histogram!.rows as number[][];
  if (rows.length === 0) return null;
  const most = Math.max(...rows.map((r) => r[2]!));
  const [first, last] = [Math.max(1, rows[0]![0]!), Math.max(2, rows[rows.length - 1]![1]!)];
  let drawn = 1;
  const text = (r: number[]) =>
    `${report.seconds(r[0]!)} to ${report.seconds(r[1]!)}: ${countText(r[2]!)} waits, ${report.seconds(r[3]!)} in all`;
  const x = (ticks: number, width: number) =>
    (Math.log(Math.max(1, ticks) / first) / Math.log(last / first)) * (width - 40) + 30;
  return (
    <Chart
      store={store}
      id="histogram"
      caption={`Durations of ${store.title}: number of waits (logarithmic classes)`}
      height={200}
      columns={["from (s)", "to (s)", "waits", "sum (s)"]}
      rows={() =>
        rows.map((r) => ({ cells: [r[0]! / report.ticks, r[1]! / report.ticks, r[2]!, r[3]! / report.ticks] }))
      }
      marks={{
        count: rows.length,
        across: rows.length,
        text: (i) => text(rows[i]!),
        box: (i) => [x(rows[i]![0]!, drawn), 18, Math.max(1, x(rows[i]![1]!, drawn) - x(rows[i]![0]!, drawn)), 162],
      }}
      draw={(c, width, height) => {
        drawn = width;
        for (const r of rows) {
          const size = (r[2]! / most) * (height - 40);
          block(
            c,
            severityColour(r[2]! / most),
            x(r[0]!, width),
            height - 22 - size,
            x(r[1]!, width) - x(r[0]!, width) - 1,
            Math.max(1, size),
          );
        }
        write(c, report.seconds(rows[0]![0]!), 30, height - 9);
        write(c, `${countText(most)} waits`, 30, 8);
        write(c, report.seconds(rows[rows.length - 1]![1]!), width - 4, height - 9, "right");
      }}
    />
  );
}
