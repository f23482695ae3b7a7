// What changed from run A to run B (waitstate diff -o FILE.html): both runs beside each other, what got better and worse,
// and every metric and call path that changed. All numbers are those of diff --format json. Times and waits that grow
// are worse, efficiency that grows is better; the sign says it, the colour repeats it: orange is more in B, blue less.
import { useEffect, useState } from "preact/hooks";
import { chartKeys, HelpButton, HelpPanel, onKey, treeKeys, WholeNames } from "./around";
import { DataTable } from "./chart";
import { PhaseChanges, Problems, SingleWaits, type Details, type Sides } from "./diff_details";
import { durationText, loadReport, parse, percentText, visible, type Meta, type Metric, type Report } from "./report";
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

async function json<T>(name: string): Promise<T> {
  const bytes = await section(name);
  if (!bytes) throw new PageError(`This file is not whole: its section ${name} is missing. Write it again with waitstate diff -o.`);
  return parse<T>(bytes, name);
}

/** Undefined: the file is a report of one run. */
export async function loadDiff(): Promise<{ diff: Diff; before: Meta; after: Meta; report: Report } | undefined> {
  if (document.getElementById("s:diff") === null) return undefined;
  const found = { diff: await json<Diff>("diff"), before: await json<Meta>("before"), after: await json<Meta>("after"), report: await loadReport() };
  if (found.diff.format !== "waitstate diff" || found.diff.version !== 1)
    throw new PageError(`The comparison in this file has version ${String(found.diff.version)} of the format; this page reads version 1.`);
  const { meta } = found.report;
  meta.problems = []; // a change is none
  const [changes, ...sides] = [found.diff.metrics.map((c) => [c.metric, c] as const), ...[found.before, found.after].map((side) => side.metrics.map((m) => [m.id, m] as const))].map((all) => new Map<string, unknown>(all));
  for (const m of meta.metrics) {
    const change = changes!.get(m.id) as Change | undefined;
    m.told = m.aggregation || change?.change === null ? "unknown" : "exactly";
    for (const side of sides) {
      const { siblings } = (side.get(m.id) ?? {}) as Metric;
      if (siblings !== undefined && siblings !== "disjoint") m.siblings = siblings;
    }
  }
  return found;
}

/** The trees are those of B less A. */
export class DiffStore extends Store {
  override readonly signed = true;
  readonly titles = new Map<string, string>();
  readonly waits = new Set<string>();
  private readonly changes: (Change | undefined)[];
  constructor(readonly diff: Diff, readonly before: Meta, readonly after: Meta, report: Report, draw: () => void) {
    super(report, draw);
    const { metrics } = report.meta;
    for (const m of metrics) {
      this.titles.set(m.id, visible(m.title || m.id));
      if (m.kind === "wait") this.waits.add(m.id);
    }
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
    return value === 0 ? "0" : sign(value) + super.valueText(metric, Math.abs(value), approximate);
  }
  override beside(metric: number): Partial<NodeRow> {
    const c = this.changes[metric];
    const { id, summary } = this.report.meta.metrics[metric]!;
    const title = `${visible(id)}: ${visible(summary)}`;
    if (!c) return { title, more: ["", ""] };
    const more = [side(c, c.before, c.before_told), side(c, c.after, c.after_told)];
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
      for (let p = metricTree.parent[metric.get(id) ?? 0]!; p >= 0; p = metricTree.parent[p]!) if (this.waits.has(meta.metrics[p]!.id)) return true;
      return false;
    };
    return this.diff.metrics
      .filter((m) => this.waits.has(m.metric) && m.unit === "sec" && m.change !== null && m.change * sign > 0 && !part(m.metric))
      .sort((a, b) => Math.abs(b.change!) - Math.abs(a.change!));
  }
}

function valueText(unit: string, value: number): string {
  return unit === "sec" ? durationText(value) : value.toLocaleString("en", { maximumSignificantDigits: 6 });
}
const sign = (value: number) => (value > 0 ? "+" : "\u2212");
const side = (c: Change, value: number | null, told: Told) => (value === null ? (told === "exactly" ? "\u2013" : told === "unknown" ? "cannot tell" : told) : (told === "at least" ? "\u2265\u202f" : "") + valueText(c.unit, value));
function changeText(c: Change): string {
  if (c.change === null) return c.before === null && c.after !== null ? "only in B" : c.after === null && c.before !== null ? "only in A" : "unknown";
  return c.change === 0 ? "same" : sign(c.change) + valueText(c.unit, Math.abs(c.change));
}
const relativeText = (c: Change) => (c.relative === null || c.change === 0 ? "" : ` (${sign(c.relative)}${percentText(Math.abs(c.relative))})`);

const sentence = (c: Change) => `${changeText(c)}${relativeText(c)}, from ${side(c, c.before, c.before_told)} to ${side(c, c.after, c.after_told)}`;

export function DiffPage({ store }: { store: DiffStore }) {
  const { diff } = store;
  useEffect(() => {
    const key = (event: KeyboardEvent) => onKey(store, event, (k) => {
      const found = document.getElementById(["metrics", "calls", "places"][Number(k) - 1] ?? "");
      found?.focus();
      return found !== null;
    });
    const hash = () => (store.readAddress(), store.changed());
    addEventListener("keydown", key);
    addEventListener("hashchange", hash);
    return () => (removeEventListener("keydown", key), removeEventListener("hashchange", hash));
  }, [store]);
  return (
    <>
      <a class="skip" href="#m=" onClick={(e) => (e.preventDefault(), document.querySelector("main")?.focus())}>Skip to the changes</a>
      <header>
        <h1>What changed from A to B</h1>
        <div class="quiet">Orange and + is more in B, blue and {"\u2212"} less. Of times and waits, less is better.</div>
      </header>
      <div class="selection">
        <button aria-pressed={store.zeros} onClick={() => ((store.zeros = !store.zeros), store.changed())} title="Z">what is the same</button>
        <WholeNames store={store} />
        <HelpButton store={store} />
      </div>
      <div class={store.help ? "with-help" : ""}>
      <main tabIndex={-1} aria-label="What changed">
        {!diff.comparable && <p class="warning">The two are not directly comparable: see how many processes and locations they have, and which part of the run they are about.</p>}
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
        <details><summary>The same as text</summary><pre class="text">{document.getElementById("static")?.textContent ?? ""}</pre></details>
      </main>
      {store.help && (
        <HelpPanel
          store={store} title="What changed from A to B" keys={keys} metric={`${visible(store.metric.title)} (${visible(store.metric.id)})`} facts={[["Summary", visible(store.metric.summary)]]}
          reading="A sign says in which direction a value went, the colour repeats it: orange is more in B, blue is less. Each tree shows changes for what is selected in those left of it. Below are the call paths in which the selected metric changed, and how long its single waits are in both runs."
        />
      )}
      </div>
      <div class="live" role="status" aria-live="polite">{store.message}</div>
    </>
  );
}

const keys: [string, string][] = [...treeKeys, ["1 2 3", "tree of metrics, call paths, locations"], ...chartKeys];

function Runs({ store }: { store: DiffStore }) {
  const { diff } = store;
  const factors: [string, "parallel_efficiency" | "load_balance" | "communication_efficiency"][] = [
    ["parallel efficiency", "parallel_efficiency"], ["load balance", "load_balance"], ["communication efficiency", "communication_efficiency"],
  ];
  const facts: [string, string, string, number][] = [
    ["processes, locations", `${diff.before.processes}, ${diff.before.locations}`, `${diff.after.processes}, ${diff.after.locations}`, 0],
    ["duration", durationText(diff.before.duration), durationText(diff.after.duration), diff.after.duration / diff.before.duration - 1],
    ["part of the run", visible(diff.before.focus) || "all of it", visible(diff.after.focus) || "all of it", 0],
    ["missing", visible(diff.before.missing) || "nothing", visible(diff.after.missing) || "nothing", 0],
  ];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The two runs">
      <table id="runs">
        <thead><tr><th scope="col">{"\u00a0"}</th><th scope="col">A</th><th scope="col">B</th><th scope="col">change</th></tr></thead>
        <tbody>
          <tr><th scope="row">run</th><td>{visible(diff.before.path)}</td><td>{visible(diff.after.path)}</td><td /></tr>
          {facts.map(([name, x, y, change]) => <tr><th scope="row">{name}</th><td>{x}</td><td>{y}</td><td>{change === 0 || !Number.isFinite(change) ? "" : (change > 0 ? "+" : "\u2212") + percentText(Math.abs(change))}</td></tr>)}
          {factors.map(([name, key]) => {
            const { before: x, after: y, change }: Sides = diff.efficiency?.[key] ?? { before: null, after: null, change: null };
            const points = change === null ? null : 100 * change;
            return (
              <tr>
                <th scope="row">{name}</th><td>{x === null ? "unknown" : percentText(x)}</td><td>{y === null ? "unknown" : percentText(y)}</td>
                <td>{points === null ? "" : Math.abs(points) < 0.05 ? "same" : `${points > 0 ? "+" : "\u2212"}${Math.abs(points).toFixed(1)} points, ${points > 0 ? "better" : "worse"}`}</td>
              </tr>
            );
          })}
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
      <ul>{gates.map((g) => <li>{`${g.failed ? "FAILED" : "passed"}: ${visible(g.gate)} (${visible(g.value)})`}</li>)}</ul>
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
            <button class="link" onClick={() => (store.selectMetric(c.metric), store.say(`selected: ${store.titles.get(c.metric)}`))}>{store.titles.get(c.metric) ?? visible(c.metric)}</button>
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
  const cells = (c: Change) => [c.change ?? changeText(c), c.relative === null ? "" : 100 * c.relative, c.before ?? side(c, null, c.before_told), c.after ?? side(c, null, c.after_told)];
  return (
    <>
      {report.meta.processes.length === 0 && diff.after.processes > 0 && <p class="quiet">A and B have different processes or threads: by location they cannot be compared.</p>}
      <div class="changes"><Trees store={store} /></div>
      <section id="paths" tabIndex={-1} aria-labelledby="paths-title">
        <h2 id="paths-title">{`Call paths of ${store.titles.get(change?.metric ?? "") ?? ""}`}</h2>
        {change && <p>{`${sentence(change)}; ${paths.length === 0 ? "no call path changed" : paths.length === 1 ? "one call path changed" : `${paths.length} call paths changed`}.`}</p>}
        {paths.length > 0 && (
          <DataTable
            store={store} id="paths" label={`in ${change!.unit === "sec" ? "seconds" : change!.unit === "occ" ? "occurrences" : change!.unit}, by size of the change`}
            columns={["call path", "change", "%", "A", "B"]} rows={paths.map((c) => ({ cells: [visible(c.callpath ?? ""), ...cells(c)] }))}
          />
        )}
      </section>
    </>
  );
}
