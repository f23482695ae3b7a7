// Of a comparison: problems, how long single waits of the selected wait state are, and phases; both runs beside each other.
import { Legend } from "./bars";
import { DataTable, fill, type Row } from "./chart";
import { Columns } from "./columns";
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
interface PhaseSides {
  phase: number;
  longest: Sides;
  parallel_efficiency: Sides;
  waits: Record<string, Sides>;
}
export interface Details {
  efficiency?: { scope: string; parallel_efficiency?: Sides; load_balance?: Sides; communication_efficiency?: Sides };
  problems?: { metric: string; title: string; seconds: Sides; callpath: string }[];
  waits?: Waits[];
  phases?: { of: string; phases: PhaseSides[] };
}

const colours = ["#0072b2", "#d55e00"];
const cell = (value: string | number | null) => value ?? "\u2013";
const both = (s: Sides | undefined) => [cell(s?.before ?? null), cell(s?.after ?? null)];
const time = (value: number | null) => (value === null ? "\u2013" : durationText(value));

export function Problems({ store }: { store: DiffStore }) {
  const problems = store.diff.problems ?? [];
  if (problems.length === 0) return null;
  return (
    <section id="problems" aria-label="Problems">
      <h2>Problems</h2>
      <DataTable
        store={store}
        id="problems"
        label="Wait states that are a problem of A or of B, in seconds"
        columns={["problem", "A", "B", "change", "most of it in"]}
        rows={problems.map((p): Row => ({
          cells: [
            visible(p.title),
            ...both(p.seconds),
            p.seconds.change ?? (p.seconds.before === null ? "new" : "gone"),
            visible(p.callpath),
          ],
          pick: () => store.selectMetric(p.metric),
        }))}
      />
    </section>
  );
}

/** A name, A and B. */
type Pair = [string, number | null, number | null];
/** Two bars for each: A to the left, B to the right. */
function Pairs({
  store,
  unit = "",
  pairs,
  text,
  ...others
}: {
  store: DiffStore;
  id: string;
  caption: string;
  unit?: string;
  pairs: Pair[];
  text: (value: number) => string;
}) {
  const most = Math.max(1e-300, ...pairs.flatMap(([, a, b]) => [a ?? 0, b ?? 0]));
  const said = (value: number | null) => (value === null ? "unknown" : text(value));
  return (
    <>
      <Columns
        {...others}
        store={store}
        height={170}
        top={text(most)}
        columns={["name", `A${unit}`, `B${unit}`]}
        count={pairs.length}
        name={(i) => pairs[i]![0]}
        said={(i) => `${pairs[i]![0]}: A ${said(pairs[i]![1])}, B ${said(pairs[i]![2])}`}
        cells={(i) => pairs[i]!.map(cell)}
        draw={(c, x, wide, y) =>
          pairs.forEach(([, ...values], i) =>
            values.forEach((v, n) => {
              const top = y((v ?? 0) / most);
              fill(c, colours[n]!, x(i) + (wide * (n + 0.1)) / 2.2, top, wide / 2.4, y(0) - top);
            }),
          )
        }
      />
      <Legend store={store} entries={colours.map((colour, i) => ({ name: "AB"[i]!, colour }))} />
    </>
  );
}

export function SingleWaits({ store }: { store: DiffStore }) {
  const waits = store.diff.waits?.find((w) => w.metric === store.metric.id);
  if (!waits) return null;
  const title = store.report.metricTitle(waits.metric);
  const numbers: [string, Sides][] = [
    ["number", waits.count],
    ["mean (s)", waits.mean],
    ["median (s)", waits.median],
    ["longest (s)", waits.longest],
    ["sum (s)", waits.sum],
  ];
  return (
    <section id="single" tabIndex={-1} aria-label="Single waits">
      <h2>{`Single waits of ${title}`}</h2>
      <DataTable
        store={store}
        id="numbers"
        label="All of them"
        columns={["name", "A", "B", "change"]}
        rows={numbers.map(([name, s]) => ({ cells: [name, ...both(s), cell(s.change)] }))}
      />
      {waits.histogram.length > 0 && (
        <Pairs
          store={store}
          id="lengths"
          caption={`How many waits of ${title} are how long`}
          text={(v) => `${countText(v)} waits`}
          pairs={waits.histogram.map((c) => [`${durationText(c.from)} to ${durationText(c.to)}`, c.before, c.after])}
        />
      )}
      {waits.by_callpath.length > 0 && (
        <DataTable
          store={store}
          id="waits-paths"
          label="By call path"
          columns={[
            "call path",
            "waits A",
            "B",
            "median A (s)",
            "B",
            "longest A (s)",
            "B",
            "sum A (s)",
            "B",
            "change of the sum",
          ]}
          rows={waits.by_callpath.map((p) => ({
            cells: [visible(p.callpath), ...[p.count, p.median, p.longest, p.sum].flatMap(both), cell(p.sum.change)],
          }))}
        />
      )}
    </section>
  );
}

export function PhaseChanges({ store }: { store: DiffStore }) {
  const found = store.diff.phases;
  if (!found) return null;
  const pairs = (of: (phase: PhaseSides) => Sides | undefined) =>
    found.phases.map((p): Pair => [`phase ${p.phase}`, of(p)?.before ?? null, of(p)?.after ?? null]);
  const metric = store.metric.id;
  const waited = found.phases.some((p) => p.waits[metric]);
  return (
    <section id="phases" aria-label="Phases">
      <h2>{`Phases: ${visible(found.of)}`}</h2>
      <Pairs
        store={store}
        id="phase-longest"
        caption="How long each phase took on the slowest location"
        unit=" (s)"
        text={time}
        pairs={pairs((p) => p.longest)}
      />
      {found.phases.some((p) => p.parallel_efficiency.before !== null || p.parallel_efficiency.after !== null) && (
        <Pairs
          store={store}
          id="phase-parallel"
          caption="Parallel efficiency of each phase"
          text={percentText}
          pairs={pairs((p) => p.parallel_efficiency)}
        />
      )}
      {waited && (
        <Pairs
          store={store}
          id="phase-waited"
          caption={`${store.report.metricTitle(metric)} in each phase`}
          unit=" (s)"
          text={time}
          pairs={pairs((p) => p.waits[metric])}
        />
      )}
    </section>
  );
}
