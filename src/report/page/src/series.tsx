// When it was waited: wait states stacked over time, and the selected one by location.
import { Chart, faint, fit, palette, severityColour, write } from "./chart";
import { visible } from "./report";
import { Span, useRuler } from "./span";
import type { Store } from "./store";

export function OverTime({ store }: { store: Store }) {
  const { report } = store;
  const series = report.meta.series;
  const ruler = useRuler(report);
  if (!series) return <p>This report does not say when it was waited (series): it was written without, or by another tool.</p>;
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
  const axis = (c: CanvasRenderingContext2D, label: number, width: number, y: number) => {
    write(c, `${seconds(0).toFixed(3)} s`, label, y);
    write(c, `${seconds(series.bins).toFixed(3)} s`, width - 2, y, "right");
  };
  let drawn = { label: 0, width: 1 };
  // Dragging selects a time, in whole bins.
  const limits: [number, number] = [series.start, series.start + series.bins * series.bin_ticks];
  const span = new Span(report, limits, limits, () => undefined);
  const bins = ruler.range?.map((t, i) => Math.round((t - series.start) / series.bin_ticks + (i ? 0.5 : -0.5)));
  const chosen = bins
    ? `from ${seconds(Math.max(0, bins[0]!)).toFixed(6)} s to ${seconds(Math.min(series.bins, bins[1]!)).toFixed(6)} s: ${shown
        .map((s) => `${title(s.id)} ${report.seconds(s.ticks.slice(Math.max(0, bins[0]!), bins[1]).reduce((a, b) => a + b, 0))}`).join(", ")} (the trees have the whole run)`
    : "";
  const selected = series.metrics[store.metric.id];
  const groupBins = Math.ceil(series.bins / series.bins_per_group_bin);
  const groups = selected ? series.groups.map((g, i) => ({ g, ticks: selected.groups.find((x) => x.group === i)?.ticks })) : [];
  const hottest = Math.max(1, ...groups.flatMap((g) => g.ticks ?? []));
  const groupName = ([a, b]: [number, number]) => (a === b ? report.locationName(a) : `${report.locationName(a)} to ${report.locationName(b)}`);
  const rowHeight = Math.max(2, Math.min(20, 480 / Math.max(1, groups.length)));
  const without = Object.entries(series.metrics).filter(([, s]) => s.without_time !== 0);
  return (
    <>
      <Chart
        store={store} id="series" height={230}
        caption={`Waits over time, per ${report.seconds(series.bin_ticks)}: the highest column is ${report.seconds(most)} of all locations together${all.length > shown.length ? `; smaller ones and shares of others (${all.length - shown.length}) are in the table only` : ""}`}
        columns={["from (s)", ...all.map((s) => `${title(s.id)} (s)`)]}
        rows={() => Array.from(tops, (_, i) => ({ cells: [seconds(i), ...all.map((s) => (s.ticks[i] ?? 0) / report.ticks)] }))}
        said={chosen} mouse={ruler.mouse(span)}
        pick={(_x, y) => {
          const s = shown[Math.floor(y / 16)];
          if (s && _x > drawn.width - 210) store.selectMetric(s.id), store.changed();
        }}
        read={(x) => {
          const i = Math.floor(((x - drawn.label) / (drawn.width - 220 - drawn.label)) * series.bins);
          return i >= 0 && i < series.bins ? `from ${seconds(i).toFixed(6)} s: ${shown.map((s) => `${title(s.id)} ${report.seconds(s.ticks[i] ?? 0)}`).join(", ")}` : "";
        }}
        draw={(c, width, h) => {
          drawn = { label: 0, width };
          const wide = (width - 220) / series.bins;
          const base = new Float64Array(series.bins);
          shown.forEach((s, n) => {
            c.fillStyle = palette[n % palette.length]!;
            s.ticks.forEach((t, i) => {
              const size = (t / most) * (h - 30);
              c.fillRect(i * wide, h - 20 - base[i]! - size, Math.max(0.5, wide), size);
              base[i] = base[i]! + size;
            });
            c.fillRect(width - 210, n * 16 + 3, 10, 10);
            write(c, fit(c, title(s.id), 190), width - 194, n * 16 + 8);
          });
          axis(c, 0, width - 220, h - 8);
          span.place(0, width - 220);
          ruler.draw(c, span, h - 18);
        }}
      />
      {selected && groups.length === 0 ? <p class="quiet">Waits by location over time do not fit into this file.</p> : selected ? (
        <Chart
          store={store} id="heat" height={groups.length * rowHeight + 24}
          caption={`${visible(store.metric.title)} by location over time; the brightest is ${report.seconds(hottest)}`}
          columns={["location", ...Array.from({ length: groupBins }, (_, i) => `${seconds(i * series.bins_per_group_bin).toFixed(6)} s`)]}
          rows={() => groups.map((g) => ({ cells: [groupName(g.g), ...Array.from({ length: groupBins }, (_, i) => (g.ticks?.[i] ?? 0) / report.ticks)], pick: () => (store.selectLocation(g.g[0]), store.changed()) }))}
          read={(x, y) => {
            const g = groups[Math.floor(y / rowHeight)];
            const i = Math.floor(((x - 130) / (drawn.width - 134)) * groupBins);
            return g && i >= 0 && i < groupBins ? `${groupName(g.g)} from ${seconds(i * series.bins_per_group_bin).toFixed(6)} s: ${report.seconds(g.ticks?.[i] ?? 0)}` : "";
          }}
          draw={(c, width, h) => {
            const wide = (width - 134) / groupBins;
            groups.forEach((g, r) => {
              c.fillStyle = faint();
              c.fillRect(130, (r + 1) * rowHeight - 1, width - 134, rowHeight > 6 ? 0.5 : 0);
              g.ticks?.forEach((t, i) => {
                if (t <= 0) return;
                c.fillStyle = severityColour(0.1 + (0.9 * t) / hottest);
                c.fillRect(130 + i * wide, r * rowHeight, Math.max(0.7, wide), rowHeight - (rowHeight > 6 ? 1 : 0));
              });
              if (rowHeight >= 12) write(c, fit(c, groupName(g.g), 120), 124, (r + 0.5) * rowHeight, "right");
            });
            axis(c, 130, width, h - 10);
          }}
        />
      ) : <p class="quiet">{`${visible(store.metric.title)} is no wait state of which the times are known.`}</p>}
      {without.length > 0 && <p class="quiet">{`Waits of which the time is not known are left out: ${without.map(([id, s]) => `${title(id)} ${report.seconds(s.without_time)}`).join(", ")}.`}</p>}
    </>
  );
}
