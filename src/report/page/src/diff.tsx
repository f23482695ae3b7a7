// What changed from run A to run B (waitstate diff -o FILE.html): both runs beside each other, what got better and worse,
// and every metric and call path that changed. All numbers are those of diff --format json. Times and waits that grow
// are worse, efficiency that grows is better; the sign says it, the colour repeats it: orange is more in B, blue less.
import { useState } from "preact/hooks";
import { chartKeys, Frame, HelpButton, HelpPanel, List, ReportText, treeKeys, WholeNames, ZerosButton } from "./around";
import { DataTable } from "./chart";
import { PhaseChanges, Problems, SingleWaits, type Details, type Sides } from "./diff_details";
import { durationText, factorName, factors, parse, percentText, treeOf, visible, type Meta } from "./report";
import { PageStore, safeDecode } from "./page_store";
import { PageError, section } from "./sections";
import { TreeState } from "./tree_state";
import { TreeView } from "./tree_view";

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
export async function loadDiff(): Promise<{ diff: Diff; before: Meta; after: Meta } | undefined> {
  if (document.getElementById("s:diff") === null) return undefined;
  const found = { diff: await json<Diff>("diff"), before: await json<Meta>("before"), after: await json<Meta>("after") };
  if (found.diff.format !== "waitstate diff" || found.diff.version !== 1)
    throw new PageError(`The comparison in this file has version ${String(found.diff.version)} of the format; this page reads version 1.`);
  return found;
}

export class DiffStore extends PageStore {
  readonly metrics: TreeState;
  private readonly titles = new Map<string, string>();
  readonly summaries = new Map<string, string>();
  readonly waits = new Set<string>();
  constructor(readonly diff: Diff, readonly before: Meta, readonly after: Meta, draw: () => void) {
    super(draw);
    const parents = new Map<string, string | null>();
    for (const meta of [before, after])
      for (const m of meta.metrics) {
        this.titles.set(m.id, visible(m.title || m.id));
        this.summaries.set(m.id, m.summary);
        parents.set(m.id, m.parent);
        if (m.kind === "wait") this.waits.add(m.id);
      }
    const place = new Map(diff.metrics.map((m, i) => [m.metric, i]));
    this.metrics = new TreeState(treeOf(diff.metrics.map((m, i) => {
      const parent = place.get(parents.get(m.metric) ?? "") ?? -1;
      return parent < i ? parent : -1;
    })));
    const first = this.worst(1)[0] ?? this.worst(-1)[0];
    this.choose(first?.metric ?? "") || this.choose(diff.metrics[0]?.metric ?? "");
  }
  choose(metric: string): boolean {
    const at = this.diff.metrics.findIndex((m) => m.metric === metric);
    if (at < 0) return false;
    this.metrics.reveal(at);
    this.metrics.select(at);
    return true;
  }
  title(metric: string): string {
    return this.titles.get(metric) ?? visible(metric);
  }
  get metric(): Change | undefined {
    return this.diff.metrics[this.metrics.nodes[0] ?? 0];
  }
  protected override address(): string[] {
    return [`m=${encodeURIComponent(this.metric?.metric ?? "")}`, ...super.address()];
  }
  protected override take(key: string, text: string): void {
    super.take(key, text);
    if (key === "m") this.choose(safeDecode(text));
  }
  /** Wait states that grew (1) or shrank (-1), the largest change first; what is part of another one is not told twice. */
  worst(sign: number): Change[] {
    const { parent } = this.metrics?.tree ?? { parent: [] };
    const part = (i: number): boolean => {
      for (let p = parent[i] ?? -1; p >= 0; p = parent[p] ?? -1) if (this.waits.has(this.diff.metrics[p]!.metric)) return true;
      return false;
    };
    return this.diff.metrics
      .filter((m, i) => this.waits.has(m.metric) && m.unit === "sec" && m.change !== null && m.change * sign > 0 && !part(i))
      .sort((a, b) => Math.abs(b.change!) - Math.abs(a.change!));
  }
}

/** Blue to white (paper) to orange: -1 to 1. Readable for all kinds of colour vision. */
function changeColour(part: number): string {
  const strength = Math.min(1, Math.abs(part || 0)) ** 0.5;
  const [r, g, b] = part < 0 ? [0x00, 0x72, 0xb2] : [0xd5, 0x5e, 0x00];
  const mix = (v: number) => Math.round(0xf4 + (v - 0xf4) * strength);
  return `rgb(${mix(r!)} ${mix(g!)} ${mix(b!)})`;
}

const signed = (value: number, text: string): string => (value > 0 ? "+" : "\u2212") + text;
function valueText(unit: string, value: number): string {
  return unit === "sec" ? durationText(value) : value.toLocaleString("en", { maximumSignificantDigits: 6 });
}
const side = (c: Change, value: number | null, told: Told) => (value === null ? (told === "exactly" ? "\u2013" : told === "unknown" ? "cannot tell" : told) : (told === "at least" ? "\u2265\u202f" : "") + valueText(c.unit, value));
function changeText(c: Change): string {
  if (c.change === null) return c.before === null && c.after !== null ? "only in B" : c.after === null && c.before !== null ? "only in A" : "unknown";
  return c.change === 0 ? "same" : signed(c.change, valueText(c.unit, Math.abs(c.change)));
}
const relativeText = (c: Change) => (c.relative === null || c.change === 0 ? "" : ` (${signed(c.relative, percentText(Math.abs(c.relative)))})`);

const sentence = (c: Change) => `${changeText(c)}${relativeText(c)}, from ${side(c, c.before, c.before_told)} to ${side(c, c.after, c.after_told)}`;

/** The key of a number leads to a part of the page. */
function partKey(key: string): boolean {
  const found = document.getElementById(["metrics", "paths", "single"][Number(key) - 1] ?? "");
  found?.focus();
  return found !== null;
}

export function DiffPage({ store }: { store: DiffStore }) {
  const metric = store.metric?.metric ?? "";
  const title = "What changed from A to B";
  return (
    <Frame
      store={store} skip="Skip to the changes" label="What changed" more={partKey}
      help={
        <HelpPanel
          store={store} title={title} keys={keys} metric={`${store.title(metric)} (${visible(metric)})`} facts={[["Summary", store.summaries.get(metric)]]}
          reading="A sign says in which direction a value went, the colour repeats it: orange is more in B, blue is less. The tree has all metrics; beside it are the call paths of the selected one, below how long its single waits are in both runs."
        />
      }
      top={
        <>
          <header>
            <h1>{title}</h1>
            <div class="quiet">Orange and + is more in B, blue and {"\u2212"} less. Of times and waits, less is better.</div>
          </header>
          <div class="selection">
            <ZerosButton store={store} text="what is the same" />
            <WholeNames store={store} />
            <HelpButton store={store} />
          </div>
        </>
      }
    >
      {!store.diff.comparable && <p class="warning">The two are not directly comparable: see how many processes and locations they have, and which part of the run they are about.</p>}
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

const keys: [string, string][] = [...treeKeys, ["1 2 3", "tree of metrics, call paths, single waits"], ...chartKeys];

function Runs({ store }: { store: DiffStore }) {
  const { before, after, efficiency } = store.diff;
  const of = (what: (side: Side) => string): [string, string] => [what(before), what(after)];
  const longer = after.duration / before.duration - 1;
  const share = (value: number | null) => (value === null ? "unknown" : percentText(value));
  const rows: [string, [string, string], string?][] = [
    ["run", of((s) => visible(s.path))],
    ["processes, locations", of((s) => `${s.processes}, ${s.locations}`)],
    ["duration", of((s) => durationText(s.duration)), longer === 0 || !Number.isFinite(longer) ? "" : signed(longer, percentText(Math.abs(longer)))],
    ["part of the run", of((s) => visible(s.focus) || "all of it")],
    ["missing", of((s) => visible(s.missing) || "nothing")],
    ...factors.map((factor): [string, [string, string], string] => {
      const { before: a, after: b, change }: Sides = efficiency?.[factor] ?? { before: null, after: null, change: null };
      const points = 100 * (change ?? 0);
      return [
        factorName(factor), [share(a), share(b)],
        change === null ? "" : Math.abs(points) < 0.05 ? "same" : `${signed(points, Math.abs(points).toFixed(1))} points, ${points > 0 ? "better" : "worse"}`,
      ];
    }),
  ];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The two runs">
      <table id="runs">
        <thead><tr>{["\u00a0", "A", "B", "change"].map((name) => <th scope="col">{name}</th>)}</tr></thead>
        <tbody>{rows.map(([name, [a, b], change]) => <tr><th scope="row">{name}</th><td>{a}</td><td>{b}</td><td>{change}</td></tr>)}</tbody>
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
            <button class="link" onClick={() => (store.choose(c.metric), store.say(`selected: ${store.title(c.metric)}`))}>{store.title(c.metric)}</button>
            {`: ${sentence(c)}`}
          </li>
        ))}
      </ul>
      {found.length > 6 && !all && <button onClick={() => setAll(true)}>{`${found.length - 6} more`}</button>}
    </section>
  );
}

function Changes({ store }: { store: DiffStore }) {
  const { diff } = store;
  // Counters have units of their own.
  const scaleOf = (m: Change) => (["sec", "occ", "bytes"].includes(m.unit) ? m.unit : m.metric);
  const most = new Map<string, number>();
  for (const m of diff.metrics) most.set(scaleOf(m), Math.max(most.get(scaleOf(m)) ?? 0, Math.abs(m.change ?? 0)));
  const shown = diff.metrics.map((m) => m.change !== 0);
  for (let i = shown.length; i-- > 0; ) if (shown[i] && store.metrics.tree.parent[i]! >= 0) shown[store.metrics.tree.parent[i]!] = true;
  const metric = store.metric;
  const paths = diff.callpaths.filter((c) => c.metric === metric?.metric);
  const sides = (c: Change) => [side(c, c.before, c.before_told), side(c, c.after, c.after_told)] as const;
  return (
    <div class="two changes">
      <TreeView
        store={store} state={store.metrics} id="metrics" heading="Metrics" value="change" columns={["A", "B"]} meaning="with all below; what is the same in both is hidden"
        zero="Nothing changed (Z shows what is the same)." shown={(m) => store.zeros || shown[m] === true}
        name={(m) => store.title(diff.metrics[m]!.metric)}
        row={(m) => {
          const c = diff.metrics[m]!;
          const part = (c.change ?? 0) / (most.get(scaleOf(c)) || 1);
          return {
            text: changeText(c), share: Math.abs(part), colour: changeColour(part), more: [...sides(c)],
            title: `${visible(c.metric)}: ${visible(store.summaries.get(c.metric) ?? "")}`,
          };
        }}
        picked={() => (store.metrics.nodes = store.metrics.nodes.slice(-1))}
      />
      <section id="paths" tabIndex={-1} aria-labelledby="paths-title">
        <h2 id="paths-title">{`Call paths of ${store.title(metric?.metric ?? "")}`}</h2>
        {metric && <p>{`${sentence(metric)}; ${paths.length === 0 ? "no call path changed" : paths.length === 1 ? "one call path changed" : `${paths.length} call paths changed`}.`}</p>}
        {paths.length > 0 && (
          <DataTable
            store={store} id="paths" label={`in ${metric!.unit === "sec" ? "seconds" : metric!.unit === "occ" ? "occurrences" : metric!.unit}, by size of the change`}
            columns={["call path", "change", "%", "A", "B"]} rows={paths.map((c) => ({
              cells: [visible(c.callpath ?? ""), c.change ?? changeText(c), c.relative === null ? "" : 100 * c.relative, c.before ?? sides(c)[0], c.after ?? sides(c)[1]],
            }))}
          />
        )}
      </section>
    </div>
  );
}
