// What changed from run A to run B (waitstate diff -o FILE.html): both runs beside each other, what got better and worse,
// and every metric and call path that changed. All numbers are those of diff --format json. Times and waits that grow
// are worse, efficiency that grows is better; the sign says it, the colour repeats it: orange is more in B, blue less.
import { useState } from "preact/hooks";
import { chartKeys, Frame, HelpButton, HelpPanel, List, ReportText, treeKeys, WholeNames, ZerosButton } from "./around";
import { DataTable } from "./chart";
import { PhaseChanges, Problems, SingleWaits, type Details, type Sides } from "./diff_details";
import {
  durationText,
  factorName,
  factors,
  loadReport,
  parse,
  percentText,
  visible,
  type Metric,
  type Report,
} from "./report";
import { PageError, section } from "./sections";
import { Store } from "./store";
import type { NodeRow } from "./tree_view";
import { Trees } from "./trees";

type Told = "exactly" | "at least" | "unknown" | "not analysed";
interface Change {
  metric: string;
  callpath?: string;
  unit: string;
  before: number | null;
  after: number | null;
  change: number | null;
  relative: number | null;
  before_told: Told;
  after_told: Told;
}
interface Side {
  path: string;
  processes: number;
  locations: number;
  duration: number;
  focus: string;
  missing: string;
}
interface Diff extends Details {
  format: string;
  version: number;
  before: Side;
  after: Side;
  comparable: boolean;
  metrics: Change[];
  callpaths: Change[];
  gates: { gate: string; value: string; scope: string; failed: boolean }[];
}

/** Undefined: the file is a report of one run. */
export async function loadDiff(): Promise<{ diff: Diff; report: Report } | undefined> {
  const bytes = await section("diff");
  if (!bytes) return undefined;
  const found = { diff: parse<Diff>(bytes, "diff"), report: await loadReport() };
  if (found.diff.format !== "waitstate diff" || found.diff.version !== 1)
    throw new PageError(
      `The comparison in this file has version ${String(found.diff.version)} of the format; this page reads version 1.`,
    );
  const { meta } = found.report;
  meta.problems = []; // a change is none
  const changes = new Map(found.diff.metrics.map((c) => [c.metric, c]));
  for (const m of meta.metrics) m.told = m.aggregation || changes.get(m.id)?.change === null ? "unknown" : "exactly";
  return found;
}

/** The trees are those of B less A. */
export class DiffStore extends Store {
  override readonly signed = true;
  private readonly waits = new Set<string>();
  private readonly changes: (Change | undefined)[];
  constructor(
    readonly diff: Diff,
    report: Report,
    draw: () => void,
  ) {
    super(report, draw);
    const { metrics } = report.meta;
    for (const m of metrics) if (m.kind === "wait") this.waits.add(m.id);
    this.changes = metrics.map((m) => diff.metrics.find((c) => c.metric === m.id));
    this.selectMetric((this.worst(1)[0] ?? this.worst(-1)[0] ?? diff.metrics[0])?.metric ?? "");
    this.begin();
  }
  protected override address(): string[] {
    return super.address().filter((part) => !part.startsWith("v="));
  }
  get change(): Change | undefined {
    return this.changes[this.metrics.nodes[0] ?? 0];
  }
  override valueText(metric: Metric, value: number, approximate = false): string {
    return value === 0 ? "0" : signed(value, super.valueText(metric, Math.abs(value), approximate));
  }
  override beside(metric: number): Partial<NodeRow> {
    const c = this.changes[metric];
    const { id, summary } = this.report.meta.metrics[metric]!;
    const title = `${visible(id)}: ${visible(summary)}`;
    if (!c) return { title, more: ["", ""] };
    const more = sides(c);
    return { title, more, ...(this.metrics.exclusive(metric) ? {} : { text: changeText(c) }) };
  }
  override unknown(): string | undefined {
    const { aggregation, told, title, id } = this.metric;
    if (told !== "unknown") return undefined;
    return `${visible(title || id)}: ${aggregation ? "extremes are compared as a whole only" : "what changed is not known"}.`;
  }
  /** Wait states that grew (1) or shrank (-1), the largest change first; what is part of another one is not told twice. */
  worst(sign: number): Change[] {
    const { metric, metricTree, meta } = this.report;
    const part = (id: string): boolean => {
      for (let p = metricTree.parent[metric.get(id) ?? 0]!; p >= 0; p = metricTree.parent[p]!)
        if (this.waits.has(meta.metrics[p]!.id)) return true;
      return false;
    };
    return this.diff.metrics
      .filter(
        (m) =>
          this.waits.has(m.metric) && m.unit === "sec" && m.change !== null && m.change * sign > 0 && !part(m.metric),
      )
      .sort((a, b) => Math.abs(b.change!) - Math.abs(a.change!));
  }
}

const signed = (value: number, text: string): string => (value > 0 ? "+" : "\u2212") + text;
function valueText(unit: string, value: number): string {
  return unit === "sec" ? durationText(value) : value.toLocaleString("en", { maximumSignificantDigits: 6 });
}
const side = (c: Change, value: number | null, told: Told) =>
  value === null
    ? told === "exactly"
      ? "\u2013"
      : told === "unknown"
        ? "cannot tell"
        : told
    : (told === "at least" ? "\u2265\u202f" : "") + valueText(c.unit, value);
const sides = (c: Change): string[] => [side(c, c.before, c.before_told), side(c, c.after, c.after_told)];
function changeText(c: Change): string {
  if (c.change === null)
    return c.before === null && c.after !== null
      ? "only in B"
      : c.after === null && c.before !== null
        ? "only in A"
        : "unknown";
  return c.change === 0 ? "same" : signed(c.change, valueText(c.unit, Math.abs(c.change)));
}
const relativeText = (c: Change) =>
  c.relative === null || c.change === 0 ? "" : ` (${signed(c.relative, percentText(Math.abs(c.relative)))})`;

const sentence = (c: Change) =>
  `${changeText(c)}${relativeText(c)}, from ${side(c, c.before, c.before_told)} to ${side(c, c.after, c.after_told)}`;

/** The key of a number leads to a part of the page. */
function partKey(key: string): boolean {
  const found = document.getElementById(["metrics", "calls", "places"][Number(key) - 1] ?? "");
  found?.focus();
  return found !== null;
}

export function DiffPage({ store }: { store: DiffStore }) {
  const title = "What changed from A to B";
  return (
    <Frame
      store={store}
      skip="Skip to the changes"
      label="What changed"
      more={partKey}
      help={
        <HelpPanel
          store={store}
          title={title}
          keys={keys}
          metric={`${store.title} (${visible(store.metric.id)})`}
          facts={[["Summary", store.metric.summary]]}
          reading="A sign says in which direction a value went, the colour repeats it: orange is more in B, blue is less. Each tree shows changes for what is selected in those left of it. Below are the call paths in which the selected metric changed, and how long its single waits are in both runs."
        />
      }
      top={
        <>
          <header>
            <h1>{title}</h1>
            <div class="quiet">
              Orange and + is more in B, blue and {"\u2212"} less. Of times and waits, less is better.
            </div>
          </header>
          <div class="selection">
            <ZerosButton store={store} text="what is the same" />
            <WholeNames store={store} />
            <HelpButton store={store} />
          </div>
        </>
      }
    >
      {!store.diff.comparable && (
        <p class="warning">
          The two are not directly comparable: see how many processes and locations they have, and which part of the run
          they are about.
        </p>
      )}
      <Runs store={store} />
      <Verdicts store={store} />
      <div class="two changes">
        <Sentences store={store} sign={1} title="Got worse" none="No wait state grew." />
        <Sentences store={store} sign={-1} title="Got better" none="No wait state shrank." />
      </div>
      <Problems store={store} />
      <Changes store={store} />
      <SingleWaits store={store} />
      <PhaseChanges store={store} />
      <ReportText title="The same as text" />
    </Frame>
  );
}

const keys: [string, string][] = [...treeKeys, ["1 2 3", "tree of metrics, call paths, locations"], ...chartKeys];

function Runs({ store }: { store: DiffStore }) {
  const { before, after, efficiency } = store.diff;
  const of = (what: (side: Side) => string): [string, string] => [what(before), what(after)];
  const longer = after.duration / before.duration - 1;
  const share = (value: number | null) => (value === null ? "unknown" : percentText(value));
  const rows: [string, [string, string], string?][] = [
    ["run", of((s) => visible(s.path))],
    ["processes, locations", of((s) => `${s.processes}, ${s.locations}`)],
    [
      "duration",
      of((s) => durationText(s.duration)),
      longer === 0 || !Number.isFinite(longer) ? "" : signed(longer, percentText(Math.abs(longer))),
    ],
    ["part of the run", of((s) => visible(s.focus) || "all of it")],
    ["missing", of((s) => visible(s.missing) || "nothing")],
    ...factors.map((factor): [string, [string, string], string] => {
      const {
        before: a,
        after: b,
        change,
      }: Sides = efficiency?.[factor] ?? { before: null, after: null, change: null };
      const points = 100 * (change ?? 0);
      return [
        factorName(factor),
        [share(a), share(b)],
        change === null
          ? ""
          : Math.abs(points) < 0.05
            ? "same"
            : `${signed(points, Math.abs(points).toFixed(1))} points, ${points > 0 ? "better" : "worse"}`,
      ];
    }),
  ];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The two runs">
      <table id="runs">
        <thead>
          <tr>
            {["\u00a0", "A", "B", "change"].map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, [a, b], change]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{a}</td>
              <td>{b}</td>
              <td>{change}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Verdicts({ store }: { store: DiffStore }) {
  const { gates } = store.diff;
  if (gates.length === 0) return null;
  return (
    <>
      <h2>Gates</h2>
      <List items={gates.map((g) => `${g.failed ? "FAILED" : "passed"}: ${visible(g.gate)} (${visible(g.value)})`)} />
    </>
  );
}

function Sentences({ store, sign, title, none }: { store: DiffStore; sign: number; title: string; none: string }) {
  const [all, setAll] = useState(false);
  const found = store.worst(sign);
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {found.length === 0 && <p>{none}</p>}
      <ul>
        {found.slice(0, all ? found.length : 6).map((c) => (
          <li>
            <button
              class="link"
              onClick={() => (
                store.selectMetric(c.metric),
                store.say(`selected: ${store.report.metricTitle(c.metric)}`)
              )}
            >
              {store.report.metricTitle(c.metric)}
            </button>
            {`: ${sentence(c)}`}
          </li>
        ))}
      </ul>
      {found.length > 6 && !all && <button onClick={() => setAll(true)}>{`${found.length - 6} more`}</button>}
    </section>
  );
}

function Changes({ store }: { store: DiffStore }) {
  const { diff, report, change } = store;
  const paths = diff.callpaths.filter((c) => c.metric === change?.metric);
  return (
    <>
      {report.meta.processes.length === 0 && diff.after.processes > 0 && (
        <p class="quiet">A and B have different processes or threads: by location they cannot be compared.</p>
      )}
      <div class="changes">
        <Trees store={store} />
      </div>
      <section id="paths" tabIndex={-1} aria-labelledby="paths-title">
        <h2 id="paths-title">{`Call paths of ${store.title}`}</h2>
        {change && (
          <p>{`${sentence(change)}; ${paths.length === 0 ? "no call path changed" : paths.length === 1 ? "one call path changed" : `${paths.length} call paths changed`}.`}</p>
        )}
        {change && paths.length > 0 && (
          <DataTable
            store={store}
            id="paths"
            label={`in ${change.unit === "sec" ? "seconds" : change.unit === "occ" ? "occurrences" : change.unit}, by size of the change`}
            columns={["call path", "change", "%", "A", "B"]}
            rows={paths.map((c) => ({
              cells: [
                visible(c.callpath ?? ""),
                c.change ?? changeText(c),
                c.relative === null ? "" : 100 * c.relative,
                c.before ?? sides(c)[0]!,
                c.after ?? sides(c)[1]!,
              ],
            }))}
          />
        )}
      </section>
    </>
  );
}
