// When it was waited: wait states stacked over time, and the selected one by location.
import { Note } from "./around";
import { Legend } from "./bars";
import { besides, block, Chart, faint, fill, fit, palette, severityColour, write } from "./chart";
import { Span, useRuler, ZoomButtons } from "./span";
import type { Store } from "./store";

export function OverTime({ store }: { store: Store }) {
  const { report } = store;
  const series = report.meta.series;
  const ruler = useRuler(report);
  if (!series)
    return <p>This report does not say when it was waited (series): it was written without, or by another tool.</p>;
  if (series.bins === 0) return <p>Nobody waited at a known time.</p>;
  const all = Object.entries(series.metrics)
    .map(([id, s]) => ({ id, ticks: s.ticks, sum: s.ticks.reduce((a, b) => a + b, 0) }))
    .filter((s) => s.sum > 0)
    .sort((a, b) => b.sum - a.sum);
  const shown = all.filter((s) => !report.isShare(s.id, series.metrics)).slice(0, 8);
  const title = (id: string) => report.metricTitle(id);
  const tops = new Float64Array(series.bins);
  for (const s of shown) s.ticks.forEach((t, i) => (tops[i] = tops[i]! + t));
  const most = Math.max(1, ...tops);
  const start = report.since(series.start);
  const bin = series.bin_ticks / report.ticks;
  const seconds = (i: number) => start + i * bin;
  // Dragging selects a time, in whole bins. Both charts show the same time.
  const limits: [number, number] = [series.start, series.start + series.bins * series.bin_ticks];
  const spans = [0, 1].map(
    () =>
      new Span(
        report,
        limits,
        store.seriesWindow ?? limits,
        (window) => ((store.seriesWindow = window), store.changed()),
      ),
  );
  const [span, below] = spans as [Span, Span];
  const timeOf = (bin: number) => series.start + bin * series.bin_ticks;
  /** Of bins that are `one` long: left and width. */
  const place = (s: Span, bin: number, one: number): [number, number] => [
    s.x(timeOf(bin * one)),
    s.x(timeOf((bin + 1) * one)) - s.x(timeOf(bin * one)),
  ];
  const bins = ruler.range?.map((t, i) => Math.round((t - series.start) / series.bin_ticks + (i ? 0.5 : -0.5)));
  const chosen = bins
    ? `from ${seconds(Math.max(0, bins[0]!)).toFixed(6)} s to ${seconds(Math.min(series.bins, bins[1]!)).toFixed(6)} s: ${shown
        .map(
          (s) =>
            `${title(s.id)} ${report.seconds(s.ticks.slice(Math.max(0, bins[0]!), bins[1]).reduce((a, b) => a + b, 0))}`,
        )
        .join(", ")} (the trees have the whole run)`
    : "";
  const selected = series.metrics[store.metric.id];
  const groupBins = Math.ceil(series.bins / series.bins_per_group_bin);
  const groups = selected
    ? series.groups.map((g, i) => ({ g, ticks: selected.groups.find((x) => x.group === i)?.ticks }))
    : [];
  const hottest = Math.max(1, ...groups.flatMap((g) => g.ticks ?? []));
  const groupName = ([a, b]: [number, number]) =>
    a === b ? report.locationName(a) : `${report.locationName(a)} to ${report.locationName(b)}`;
  const rowHeight = Math.max(2, Math.min(20, 480 / Math.max(1, groups.length)));
  const without = Object.entries(series.metrics).filter(([, s]) => s.without_time !== 0);
  return (
    <>
      <Chart
        store={store}
        id="series"
        height={230}
        caption={`Waits over time, per ${report.seconds(series.bin_ticks)}: the highest column is ${report.seconds(most)} of all locations together${all.length > shown.length ? `; smaller ones and shares of others (${all.length - shown.length}) are in the table only` : ""}`}
        columns={["from (s)", ...all.map((s) => `${title(s.id)} (s)`)]}
        rows={() =>
          Array.from(tops, (_, i) => ({ cells: [seconds(i), ...all.map((s) => (s.ticks[i] ?? 0) / report.ticks)] }))
        }
        said={chosen}
        mouse={ruler.mouse(span)}
        keys={(event) => ruler.key(span, event)}
        marks={{
          count: series.bins,
          across: series.bins,
          box: (i) => [place(span, i, 1)[0], 20, place(span, i, 1)[1], 190],
          text: (i) =>
            `from ${seconds(i).toFixed(6)} s: ${shown.map((s) => `${title(s.id)} ${report.seconds(s.ticks[i] ?? 0)}`).join(", ")}`,
        }}
        draw={(c, width, h) => {
          span.place(0, width - 6);
          span.axis(c, h);
          const base = new Float64Array(series.bins);
          span.clipped(c, 0, h, () => {
            shown.forEach((s, n) =>
              s.ticks.forEach((t, i) => {
                const size = (t / most) * (h - 26);
                const [x, wide] = place(span, i, 1);
                if (x + wide >= 0 && x < width) fill(c, palette[n]!, x, h - 4 - base[i]! - size, wide, size);
                base[i] = base[i]! + size;
              }),
            );
            ruler.draw(c, span, h);
          });
        }}
      >
        <ZoomButtons span={span} selected={ruler.range} />
      </Chart>
      <Legend
        store={store}
        entries={shown.map((s, n) => ({
          name: title(s.id),
          colour: palette[n]!,
          pick: () => store.selectMetric(s.id),
        }))}
      />
      {selected && groups.length === 0 ? (
        <Note>Waits by location over time do not fit into this file.</Note>
      ) : selected ? (
        <Chart
          store={store}
          id="heat"
          height={groups.length * rowHeight + 42}
          caption={`${store.title} by location over time; the brightest is ${report.seconds(hottest)}`}
          columns={[
            "location",
            ...Array.from({ length: groupBins }, (_, i) => `${seconds(i * series.bins_per_group_bin).toFixed(6)} s`),
          ]}
          rows={() =>
            groups.map((g) => ({
              cells: [
                groupName(g.g),
                ...Array.from({ length: groupBins }, (_, i) => (g.ticks?.[i] ?? 0) / report.ticks),
              ],
              pick: () => store.selectLocation(g.g[0]),
            }))
          }
          keys={(event) => ruler.key(below, event)}
          mouse={ruler.mouse(below)}
          marks={{
            count: groups.length * groupBins,
            across: groupBins,
            box: (n) => {
              const [x, wide] = place(below, n % groupBins, series.bins_per_group_bin);
              return [x, 22 + Math.floor(n / groupBins) * rowHeight, wide, rowHeight];
            },
            text: (n) => {
              const g = groups[Math.floor(n / groupBins)]!;
              return `${groupName(g.g)} from ${seconds((n % groupBins) * series.bins_per_group_bin).toFixed(6)} s: ${report.seconds(g.ticks?.[n % groupBins] ?? 0)}`;
            },
          }}
          draw={(c, width, h) => {
            const label =
              rowHeight < 12
                ? 8
                : besides(
                    c,
                    groups.map((g) => groupName(g.g)),
                    width,
                  );
            below.place(label, width - label - 6);
            below.axis(c, h);
            groups.forEach((g, r) => {
              const y = 22 + r * rowHeight;
              if (rowHeight >= 12) write(c, fit(c, groupName(g.g), label - 8), label - 8, y + rowHeight / 2, "right");
              below.clipped(c, 0, h, () => {
                fill(c, faint(), label, y + rowHeight - 1, width, rowHeight > 6 ? 0.5 : 0);
                g.ticks?.forEach((t, i) => {
                  const [x, wide] = place(below, i, series.bins_per_group_bin);
                  if (t > 0)
                    block(
                      c,
                      severityColour(0.1 + (0.9 * t) / hottest),
                      x,
                      y,
                      wide,
                      rowHeight - (rowHeight > 6 ? 1 : 0),
                    );
                });
              });
            });
            ruler.draw(c, below, h);
          }}
        />
      ) : (
        <Note>{`${store.title} is no wait state of which the times are known.`}</Note>
      )}
      {without.length > 0 && (
        <Note>{`Waits of which the time is not known are left out: ${without.map(([id, s]) => `${title(id)} ${report.seconds(s.without_time)}`).join(", ")}.`}</Note>
      )}
    </>
  );
}
