// Of a comparison: problems, how long single waits of the selected wait state are, and phases; both runs beside each other.
import { Legend } from "./bars";
import { Chart, DataTable, faint, fill, write, type Row } from "./chart";
import type { DiffStore } from "./diff";
import { countText, durationText, percentText, visible } from "./report";

export interface Sides {
  before: number | null;
  after: number | null;
  change: number | null;
}
interface Waits {
  metric: string;
  count: Sides;
  sum: Sides;
  mean: Sides;
  median: Sides;
  longest: Sides;
  histogram: { from: number; to: number; before: number; after: number }[];
  by_callpath: { callpath: string; count: Sides; sum: Sides; median: Sides; longest: Sides }[];
}
export interface Details {
  efficiency?: { scope: string; parallel_efficiency?: Sides; load_balance?: Sides; communication_efficiency?: Sides };
  problems?: { metric: string; title: string; seconds: Sides; callpath: string }[];
  waits?: Waits[];
  phases?: { of: string; phases: { phase: number; longest: Sides; parallel_efficiency: Sides; load_balance: Sides; communication_efficiency: Sides; waits: Record<string, Sides> }[] };
}

const colours = ["#0072b2", "#d55e00"];
const cell = (value: number | null) => value ?? "\u2013";
const both = (s: Sides | undefined) => [cell(s?.before ?? null), cell(s?.after ?? null)];
const time = (value: number | null) => (value === null ? "\u2013" : durationText(value));

export function Problems({ store }: { store: DiffStore }) {
  const problems = store.diff.problems ?? [];
  if (problems.length === 0) return null;
  return (
    <section id="problems" aria-label="Problems">
      <h2>Problems</h2>
      <DataTable
        store={store} id="problems"
        label="Wait states that are a problem of A or of B, in seconds" columns={["problem", "A", "B", "change", "most of it in"]}
        rows={problems.map((p): Row => ({
          cells: [visible(p.title), ...both(p.seconds), p.seconds.change ?? (p.seconds.before === null ? "new" : "gone"), visible(p.callpath)],
          pick: () => (store.selectMetric(p.metric), store.changed()),
        }))}
      />
    </section>
  );
}

interface Pair {
  name: string;
  values: [number | null, number | null];
}
/** Two bars for each: A to the left, B to the right. */
function Pairs({ store, id, caption, unit, pairs, text }: { store: DiffStore; id: string; caption: string; unit: string; pairs: Pair[]; text: (value: number) => string }) {
  const most = Math.max(1e-300, ...pairs.flatMap((p) => p.values.map((v) => v ?? 0)));
  let wide = 1;
  const read = (i: number) => {
    const p = pairs[i]!;
    return `${p.name}: ${p.values.map((v, n) => `${"AB"[n]} ${v === null ? "unknown" : text(v)}`).join(", ")}`;
  };
  return (
    <>
      <Chart
        store={store} id={id} caption={caption} height={170} columns={["name", `A${unit}`, `B${unit}`]}
        rows={() => pairs.map((p) => ({ cells: [p.name, ...p.values.map(cell)] }))}
        marks={{ count: pairs.length, across: pairs.length, text: read, box: (i) => [i * wide, 20, wide, 128] }}
        draw={(c, width, h) => {
          wide = width / Math.max(1, pairs.length);
          fill(c, faint(), 0, h - 22, width, 1);
          pairs.forEach((p, i) => p.values.forEach((v, n) => {
            const size = ((v ?? 0) / most) * (h - 42);
            fill(c, colours[n]!, i * wide + (wide * (n + 0.1)) / 2.2, h - 22 - size, Math.max(0.5, wide / 2.4), size);
          }));
          write(c, text(most), 0, 10);
          write(c, pairs[0]?.name ?? "", 0, h - 9);
          if (pairs.length > 1) write(c, pairs[pairs.length - 1]!.name, width, h - 9, "right");
        }}
      />
      <Legend entries={colours.map((colour, i) => ({ name: "AB"[i]!, colour }))} />
    </>
  );
}

export function SingleWaits({ store }: { store: DiffStore }) {
  const waits = store.diff.waits?.find((w) => w.metric === store.metric.id);
  if (!waits) return null;
  const title = store.titles.get(waits.metric) ?? "";
  const numbers: [string, Sides][] = [["number", waits.count], ["mean (s)", waits.mean], ["median (s)", waits.median], ["longest (s)", waits.longest], ["sum (s)", waits.sum]];
  return (
    <section id="single" tabIndex={-1} aria-label="Single waits">
      <h2>{`Single waits of ${title}`}</h2>
      <DataTable store={store} id="numbers" label="All of them" columns={["name", "A", "B", "change"]} rows={numbers.map(([name, s]) => ({ cells: [name, ...both(s), cell(s.change)] }))} />
      {waits.histogram.length > 0 && (
        <Pairs
          store={store} id="lengths" caption={`How many waits of ${title} are how long`} unit="" text={(v) => `${countText(v)} waits`}
          pairs={waits.histogram.map((c) => ({ name: `${durationText(c.from)} to ${durationText(c.to)}`, values: [c.before, c.after] }))}
        />
      )}
      {waits.by_callpath.length > 0 && (
        <DataTable
          store={store} id="waits-paths" label="By call path" columns={["call path", "waits A", "B", "median A (s)", "B", "longest A (s)", "B", "sum A (s)", "B", "change of the sum"]}
          rows={waits.by_callpath.map((p) => ({ cells: [visible(p.callpath), ...[p.count, p.median, p.longest, p.sum].flatMap(both), cell(p.sum.change)] }))}
        />
      )}
    </section>
  );
}

export function PhaseChanges({ store }: { store: DiffStore }) {
  const found = store.diff.phases;
  if (!found) return null;
  const name = (phase: number) => `phase ${phase}`;
  const metric = store.metric.id;
  const title = store.titles.get(metric) ?? "";
  const waited = found.phases.some((p) => p.waits[metric]);
  return (
    <section id="phases" aria-label="Phases">
      <h2>{`Phases: ${visible(found.of)}`}</h2>
      <Pairs
        store={store} id="phase-longest" caption="How long each phase took on the slowest location" unit=" (s)" text={time}
        pairs={found.phases.map((p) => ({ name: name(p.phase), values: [p.longest.before, p.longest.after] }))}
      />
      {found.phases.some((p) => p.parallel_efficiency.before !== null || p.parallel_efficiency.after !== null) && (
        <Pairs
          store={store} id="phase-parallel" caption="Parallel efficiency of each phase" unit="" text={percentText}
          pairs={found.phases.map((p) => ({ name: name(p.phase), values: [p.parallel_efficiency.before, p.parallel_efficiency.after] }))}
        />
      )}
      {waited && (
        <Pairs
          store={store} id="phase-waited" caption={`${title} in each phase`} unit=" (s)" text={time}
          pairs={found.phases.map((p) => ({ name: name(p.phase), values: [p.waits[metric]?.before ?? null, p.waits[metric]?.after ?? null] }))}
        />
      )}
    </section>
  );
}
