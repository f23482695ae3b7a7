// The tree of metrics with the values of the whole run.
import type { Metric } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { percentText } from "../text/number_text";
import { visible } from "../text/visible_names";
import type { TreeRow } from "./tree_row";
import { TreeView } from "./tree_view";
import { barOf, largestOf, largestSibling, nonzeroNodes, totalTime } from "./value_shares";

export function MetricTree({ store }: { store: ReportStore }) {
  const { report, metrics: state, showsChanges } = store;
  const { metrics } = report.meta;
  // A metric that the trace cannot tell is not zero.
  const isNonzero = nonzeroNodes(state.tree, (node) => (metrics[node]!.told === "unknown" ? 1 : store.totalOf(node)));
  return (
    <TreeView
      store={store}
      state={state}
      id="metrics"
      heading="Metrics"
      valueHeading={showsChanges ? "change" : undefined}
      moreHeadings={["in all", ...(showsChanges ? ["A", "B"] : [])]}
      emptyText={showsChanges ? "Nothing changed (Z shows unchanged values)." : undefined}
      meaning="closed: with everything below; open: without it"
      isShown={(node) => store.showsZeros || isNonzero[node] === 1}
      nameOf={(node) => report.metricTitle(metrics[node]!.id)}
      rowOf={(node) => metricRow(store, node)}
      onSelect={() => {
        selectComparable(store);
        store.showAllInstances();
      }}
    />
  );
}

function metricRow(store: ReportStore, node: number): TreeRow {
  const { report } = store;
  const metric = report.meta.metrics[node]!;
  const root = rootOf(store, node);
  const fullBar = metric.told === "unknown" ? 0 : fullBarOf(store, node, root);
  const inAll = valueText(store, node, root, store.totalOf(node));
  return {
    text: valueText(store, node, root, store.values.ofMetric(node)),
    ...barOf(store, fullBar === 0 ? 0 : store.values.ofMetric(node) / fullBar),
    isPart: !store.showsChanges && metric.within_parent && metric !== root, // colours of changes say their signs
    moreColumns: [store.metrics.isExclusive(node) ? inAll : ""],
    unit: metric === root && metric.unit !== "ticks" ? ` (${report.unitName(metric)})` : "",
    note: metric.within_parent && metric !== root ? "of which" : "",
    title: visible(metric.summary),
    ...store.metricCells(node, inAll),
  };
}

function rootOf({ report }: ReportStore, node: number): Metric {
  let root = node;
  while (report.metricTree.parent[root]! >= 0) root = report.metricTree.parent[root]!;
  return report.meta.metrics[root]!;
}

/** The value of a bar of full length: that of the root of the tree, or the largest change. */
function fullBarOf(store: ReportStore, node: number, root: Metric): number {
  const { report, showsChanges } = store;
  const { unit } = report.meta.metrics[node]!;
  if (showsChanges) return largestOf(report.meta.metrics.filter((one) => one.unit === unit).map(({ total }) => total));
  return unit === root.unit ? rootTotal(store, root) : 0;
}
const rootTotal = (store: ReportStore, { id }: Metric): number => store.totalOf(store.report.metricOf.get(id)!);

function valueText(store: ReportStore, node: number, root: Metric, value: number): string {
  const metric = store.report.meta.metrics[node]!;
  if (metric.told === "unknown") return "cannot tell";
  const mark = metric.told === "at least" ? "\u2265\u202f" : "";
  if (store.valueUnit === "absolute" || metric.aggregation) return mark + store.valueText(metric, value);
  return mark + percentText(value / wholeOf(store, node, root));
}

/** The value that is 100 %. */
function wholeOf(store: ReportStore, node: number, root: Metric): number {
  const { report, valueUnit } = store;
  const { metrics } = report.meta;
  const { unit } = metrics[node]!;
  if (valueUnit === "total" && unit === "ticks") return totalTime(store);
  if (valueUnit !== "peer") return rootTotal(store, root);
  return largestSibling(
    report.metricTree,
    node,
    (sibling) => store.totalOf(sibling),
    (sibling) => metrics[sibling]!.unit === unit,
  );
}

/** Of the selected metrics keeps those whose values can be added to that with the cursor. */
function selectComparable({ report, metrics: state }: ReportStore): void {
  const { metrics } = report.meta;
  const unit = metrics[state.cursor]?.unit;
  const isAlone = state.selected.length === 1;
  state.selected = state.selected.filter(
    (node) => metrics[node]!.unit === unit && (isAlone || !metrics[node]!.aggregation),
  );
  if (state.selected.length === 0) state.selected = [Math.max(0, state.cursor)];
}
