// Metric x call path x location, each tree for what is selected in those left of it; and the same by region.
import { Note, Unpacking } from "./around";
import { Bars } from "./bars";
import { Chart, block, changeColour, fit, ink, severityColour, textOn, write } from "./chart";
import { percentText, visible, type Metric, type Tree } from "./report";
import type { Store } from "./store";
import type { TreeState } from "./tree_state";
import { TreeView } from "./tree_view";

/** A value in the unit that is chosen; `peer` is the largest of it and its siblings. */
export function shareText(store: Store, value: number, left: number, peer: () => number): string | undefined {
  const metric = store.metric;
  if (store.unit === "absolute" || metric.aggregation) return undefined;
  const whole =
    store.unit === "peer"
      ? peer()
      : store.unit === "selection"
        ? left
        : metric.unit === "ticks"
          ? timeTotal(store)
          : left;
  return percentText(value / whole);
}
/** The largest value of a node and its siblings, of those that are alike. */
function siblings(
  { parent, children, roots }: Tree,
  node: number,
  value: (node: number) => number,
  alike?: (node: number) => boolean,
): number {
  const all = parent[node]! < 0 ? roots : children[parent[node]!]!;
  return largest((alike ? all.filter(alike) : all).map(value));
}
function timeTotal(store: Store): number {
  const time = store.report.metric.get("time");
  return time === undefined ? NaN : store.report.meta.metrics[time]!.total;
}
export const largest = (values: Iterable<number>): number => {
  let most = 0;
  for (const v of values) most = Math.max(most, Math.abs(v));
  return most;
};
/** What below a node is not zero. */
function nonzero(state: TreeState, value: (node: number) => number): Uint8Array {
  const found = new Uint8Array(state.tree.parent.length);
  for (let i = found.length; i-- > 0;) {
    if (value(i) !== 0) found[i] = 1;
    const parent = state.tree.parent[i]!;
    if (found[i] === 1 && parent >= 0) found[parent] = 1;
  }
  return found;
}

/** The bar of a row, and its colour where it has a direction. */
const bar = ({ signed }: Store, share: number) =>
  signed ? { share: Math.abs(share), colour: changeColour(share) } : { share };

export function Trees({ store }: { store: Store }) {
  return (
    <div class={store.report.many ? "trees many" : "trees"}>
      <Metrics store={store} />
      <Calls store={store} />
      <Places store={store} />
    </div>
  );
}

function Metrics({ store }: { store: Store }) {
  const { report } = store;
  const { metrics } = report.meta;
  const has = nonzero(store.metrics, (m) => (metrics[m]!.told === "unknown" ? 1 : metrics[m]!.total)); // "cannot tell" is not 0
  const rootOf = (m: number) => {
    for (; report.metricTree.parent[m]! >= 0;) m = report.metricTree.parent[m]!;
    return m;
  };
  /** What a bar compares with: of changes the largest one. */
  const most = ({ unit }: Metric, root: Metric): number =>
    store.signed
      ? largest(metrics.filter((n) => n.unit === unit).map((n) => n.total))
      : unit === root.unit
        ? root.total
        : 0;
  const text = (m: number, root: Metric): string => {
    const metric = metrics[m]!;
    if (metric.told === "unknown") return "cannot tell";
    const value = store.metricTotal(m);
    const whole =
      store.unit === "total" && metric.unit === "ticks"
        ? timeTotal(store)
        : store.unit === "peer"
          ? siblings(
              report.metricTree,
              m,
              (n) => metrics[n]!.total,
              (n) => metrics[n]!.unit === metric.unit,
            )
          : root.total;
    return (
      (metric.told === "at least" ? "\u2265\u202f" : "") +
      (store.unit === "absolute" || metric.aggregation ? store.valueText(metric, value) : percentText(value / whole))
    );
  };
  return (
    <TreeView
      store={store}
      state={store.metrics}
      id="metrics"
      heading="Metrics"
      value={store.signed ? "change" : undefined}
      columns={store.signed ? ["A", "B"] : []}
      zero={store.signed ? "Nothing changed (Z shows what is the same)." : undefined}
      meaning="closed: with all below; open: what is left without it"
      shown={(m) => store.zeros || has[m] === 1}
      name={(m) => report.metricTitle(metrics[m]!.id)}
      row={(m) => {
        const metric = metrics[m]!;
        const root = metrics[rootOf(m)]!;
        return {
          text: text(m, root),
          ...bar(
            store,
            metric.told !== "unknown" && most(metric, root) !== 0 ? store.metricTotal(m) / most(metric, root) : 0,
          ),
          unit: metric === root && metric.unit !== "ticks" ? ` (${report.unit(metric)})` : "",
          note: metric.within_parent && metric !== root ? "of which" : "",
          title: visible(metric.summary),
          ...store.beside(m),
        };
      }}
      picked={() => {
        // What has another unit cannot be added.
        const unit = metrics[store.metrics.cursor]?.unit;
        store.metrics.nodes = store.metrics.nodes.filter(
          (m) => metrics[m]!.unit === unit && !(store.metrics.nodes.length > 1 && metrics[m]!.aggregation),
        );
        if (store.metrics.nodes.length === 0) store.metrics.nodes = [Math.max(0, store.metrics.cursor)];
        store.instance = 0;
        store.pair = null;
      }}
    />
  );
}

function Calls({ store }: { store: Store }) {
  const { report } = store;
  const own = store.callValues();
  const n = report.meta.call_tree.length;
  const values = own ?? new Float64Array(n);
  const inclusive = store.withCallees(values);
  const total = report.callTree.roots.reduce((sum, r) => sum + inclusive[r]!, 0);
  const has = nonzero(store.calls, (c) => values[c]!);
  const of = (c: number) => (store.calls.exclusive(c) ? values[c]! : inclusive[c]!);
  const most = largest(inclusive);
  const unknown = store.unknown();
  const peer = (c: number) => siblings(report.callTree, c, (n) => inclusive[n]!);
  const shown = (c: number, value: number) =>
    unknown
      ? "cannot tell"
      : own === undefined
        ? "\u2026"
        : (shareText(store, value, total, () => peer(c)) ?? store.valueText(store.metric, value));
  return (
    <TreeView
      store={store}
      state={store.calls}
      id="calls"
      heading="Call paths"
      meaning={`of ${selectionText(store)}`}
      columns={["with callees"]}
      zero={unknown}
      shown={(c) => store.zeros || has[c] === 1 || own === undefined}
      name={(c) => report.callName(c)}
      row={(c) => ({
        text: shown(c, of(c)),
        ...bar(store, most === 0 ? 0 : of(c) / most),
        more: [shown(c, inclusive[c]!)],
        title: report.callPath(c),
      })}
    />
  );
}

export function selectionText(store: Store): string {
  const { nodes } = store.metrics;
  const { title } = store;
  return nodes.length > 1 ? `${nodes.length} metrics` : title + (store.metrics.exclusive(nodes[0]!) ? " (itself)" : "");
}
export function callsText(store: Store): string {
  const { nodes } = store.calls;
  if (nodes.length === 0) return "all call paths";
  if (nodes.length > 1) return `${nodes.length} call paths`;
  return report_path(store, nodes[0]!);
}
function report_path(store: Store, node: number): string {
  const path = store.report.callPath(node);
  return store.report.callTree.children[node]!.length === 0
    ? path
    : path + (store.calls.exclusive(node) ? " (itself)" : " (with callees)");
}

/** Of what a page with a limit of its size lacks. */
export const notStored = "single values do not fit into this file";

function Places({ store }: { store: Store }) {
  const { report } = store;
  const found = store.locationValues();
  const values = found?.values ?? new Float64Array(report.meta.locations.length);
  const inclusive = report.places.map((_, p) => store.placeValue(p, values));
  const of = (p: number) => (store.places.exclusive(p) ? 0 : inclusive[p]!);
  const has = nonzero(store.places, (p) => inclusive[p]!);
  const roots = report.placeTree.roots.reduce((sum, r) => sum + inclusive[r]!, 0);
  // A bar compares what is of one kind: processes with processes, threads with threads.
  const peers = new Map<string, number>();
  report.places.forEach((p, i) => peers.set(p.title, Math.max(peers.get(p.title) ?? 0, Math.abs(inclusive[i]!))));
  const { many } = report;
  const unknown = store.unknown();
  const text = (v: number, approximate = found?.approximate) =>
    store.valueText(store.metric, v, approximate && v !== 0);
  /** Beside the value: of one location the limits, if it is a mean of neighbours; of many the least, the mean, the most. */
  const more = (p: number): string[] => {
    const { locations } = report.places[p]!;
    const none = many ? ["", "", ""] : found?.group ? ["", ""] : [];
    if (!found || found.missing || unknown) return none;
    const [least, most] = found.group ? [found.least, found.most] : [values, values];
    if (found.group && locations.length === 1)
      return [text(least[locations[0]!]!, true), ...none.slice(2), text(most[locations[0]!]!, true)];
    if (!many || locations.length === 1) return none;
    let [low, high] = [Infinity, -Infinity];
    for (const l of locations) [low, high] = [Math.min(low, least[l]!), Math.max(high, most[l]!)];
    return [text(low), store.metric.aggregation ? "" : text(inclusive[p]! / locations.length), text(high)];
  };
  return (
    <TreeView
      store={store}
      state={store.places}
      id="places"
      heading="Locations"
      meaning={
        found?.missing
          ? notStored
          : `in ${callsText(store)}${found?.group ? `; means of ${found.group} neighbours, with the least and most of them` : ""}`
      }
      columns={many ? ["least", "mean", "most"] : found?.group ? ["from", "to"] : []}
      zero={unknown ?? (found?.missing ? "Only sums over all call paths are known." : undefined)}
      shown={(p) => store.zeros || has[p] === 1 || found === undefined}
      name={(p) => report.placeName(p)}
      row={(p) => {
        const peer = peers.get(report.places[p]!.title) ?? 0;
        return {
          text: unknown
            ? "cannot tell"
            : found === undefined
              ? "\u2026"
              : found.missing
                ? "unknown"
                : (shareText(store, of(p), roots, () => siblings(report.placeTree, p, (n) => inclusive[n]!)) ??
                  text(of(p))),
          ...bar(store, peer === 0 ? 0 : of(p) / peer),
          more: more(p),
          title: `${visible(report.places[p]!.title)}: ${report.placeName(p)}`,
        };
      }}
    />
  );
}

// ---- by region, and the locations as bars ----

/** What makes a value a number of the metric's unit. */
export function scaleOf({ metric, report }: Store): number {
  return metric.unit === "ticks"
    ? 1 / report.ticks
    : metric.unit === "counter"
      ? (report.meta.counters?.[metric.id]?.scale ?? 1)
      : 1;
}

export function Flat({ store }: { store: Store }) {
  const { report } = store;
  const own = store.callValues();
  if (!own) return <Unpacking />;
  if (store.unknown()) return <p>{store.unknown()}</p>;
  const sums = new Map<number, { value: number; calls: number[] }>();
  report.meta.call_tree.forEach((c, i) => {
    const region = c.region ?? -1;
    const entry = sums.get(region) ?? { value: 0, calls: [] };
    entry.value += own[i]!;
    entry.calls.push(i);
    sums.set(region, entry);
  });
  let total = 0;
  for (const entry of sums.values()) total += entry.value;
  const scale = scaleOf(store);
  const rows = [...sums]
    .filter(([, entry]) => store.zeros || entry.value !== 0)
    .sort((a, b) => b[1].value - a[1].value)
    .map(([region, entry]) => {
      const r = region < 0 ? undefined : report.meta.regions[region];
      return {
        region,
        name: r ? visible(r.name) : "(the program itself)",
        place: r && r.file !== "" && r.begin_line > 0 ? `${visible(r.file)}:${r.begin_line}` : "",
        value: entry.value,
        calls: entry.calls,
      };
    });
  const pick = (calls: number[]) => {
    store.calls.nodes = calls;
    store.calls.own = true;
    for (const c of calls) store.calls.reveal(c);
    store.calls.cursor = calls[0] ?? -1;
    store.say(`${calls.length} call paths are selected`);
  };
  return (
    <>
      <Bars
        store={store}
        id="flat"
        caption={`${selectionText(store)} by region, exclusive`}
        columns={["region", `value (${report.unit(store.metric)})`, "% of all", "place"]}
        bars={rows.map((r) => ({
          name: r.name,
          value: r.value,
          text: `${report.value(store.metric, r.value)}  ${percentText(r.value / total)}`,
          cells: [r.name, r.value * scale, (100 * r.value) / total, r.place],
          pick: () => pick(r.calls),
        }))}
      />
      <LocationBars store={store} />
    </>
  );
}

function LocationBars({ store }: { store: Store }) {
  const { report } = store;
  const found = store.locationValues();
  if (!found) return <Unpacking />;
  if (found.missing) return <Note>{notStored}</Note>;
  const order = [...found.values.keys()];
  if (store.tables.has("by-value")) order.sort((a, b) => found.values[b]! - found.values[a]!);
  const most = largest(found.values);
  const scale = scaleOf(store);
  const pick = (l: number) => {
    store.selectLocation(l);
    store.say(`${report.locationName(l)} is selected`);
  };
  let drawn = 1;
  const value = (l: number) => report.value(store.metric, found.values[l]!, found.approximate);
  return (
    <Chart
      store={store}
      id="bars"
      caption={`${selectionText(store)} by location, in ${callsText(store)}; the highest bar is ${report.value(store.metric, most, found.approximate)}`}
      height={200}
      columns={["location", `value (${report.unit(store.metric)})`]}
      rows={() =>
        order.map((l) => ({ cells: [report.locationName(l), found.values[l]! * scale], pick: () => pick(l) }))
      }
      marks={{
        count: order.length,
        across: order.length,
        pick: (i) => pick(order[i]!),
        box: (i) => [(i * drawn) / order.length, 0, drawn / order.length, 200],
        text: (i) => `${report.locationName(order[i]!)}: ${value(order[i]!)}`,
      }}
      draw={(c, width, height) => {
        drawn = width;
        const wide = width / Math.max(1, order.length);
        order.forEach((l, i) => {
          const size = most === 0 ? 0 : (Math.abs(found.values[l]!) / most) * (height - 30);
          const colour = severityColour(Math.abs(found.values[l]!) / most);
          block(c, colour, i * wide, height - 20 - size, wide - (wide > 4 ? 2 : 0), size);
          if (wide < 70) return;
          write(
            c,
            value(l),
            (i + 0.5) * wide,
            size > 20 ? height - 20 - size + 10 : height - 28 - size,
            "center",
            size > 20 ? textOn(colour) : ink(),
          );
          write(c, fit(c, report.locationName(l), wide - 4), (i + 0.5) * wide, height - 9, "center");
        });
      }}
    >
      <button
        aria-pressed={store.tables.has("by-value")}
        onClick={() => (store.tables.delete("by-value") || store.tables.add("by-value"), store.changed())}
      >
        {store.tables.has("by-value") ? "by rank" : "by value"}
      </button>
    </Chart>
  );
}
