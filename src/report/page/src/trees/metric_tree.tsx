// The tree of metrics with the values of the whole run.
import type { Metric } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { percentText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { TreeView, type TreeRow } from "./tree_view";
import { barOf, largestOf, largestSibling, nonzeroNodes, totalTime } from "./value_shares";

export function MetricTree({ store }: { store: ReportStore }) {
  const { report, metrics: state, showsChanges } = store;
  const { metrics } = report.meta;
  // A metric that the trace cannot tell is not zero.
  const isNonzero = nonzeroNodes(state.tree, (node) => (metrics[node]!.told === "unknown" ? 1 : metrics[node]!.total));
  return (
    <TreeView
      store={store}
      state={state}
      id="metrics"
      heading="Metrics"
      valueHeading={showsChanges ? "change" : undefined}
      moreHeadings={showsChanges ? ["A", "B"] : []}
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
  const fullBar = metric.told === "unknown" ? 0 : fullBarOf(store, metric, root);
  return {
    text: valueText(store, node, root),
    ...barOf(store, fullBar === 0 ? 0 : store.values.ofMetric(node) / fullBar),
    unit: metric === root && metric.unit !== "ticks" ? ` (${report.unitName(metric)})` : "",
    note: metric.within_parent && metric !== root ? "of which" : "",
    title: visible(metric.summary),
    ...store.metricCells(node),
  };
}

function rootOf({ report }: ReportStore, node: number): Metric {
  let root = node;
  while (report.metricTree.parent[root]! >= 0) root = report.metricTree.parent[root]!;
  return report.meta.metrics[root]!;
}

/** The value of a bar of full length: that of the root of the tree, or the largest change. */
function fullBarOf({ report, showsChanges }: ReportStore, { unit }: Metric, root: Metric): number {
  if (showsChanges) return largestOf(report.meta.metrics.filter((one) => one.unit === unit).map(({ total }) => total));
  return unit === root.unit ? root.total : 0;
}

function valueText(store: ReportStore, node: number, root: Metric): string {
  const metric = store.report.meta.metrics[node]!;
  if (metric.told === "unknown") return "cannot tell";
  const mark = metric.told === "at least" ? "\u2265\u202f" : "";
  const value = store.values.ofMetric(node);
  if (store.valueUnit === "absolute" || metric.aggregation) return mark + store.valueText(metric, value);
  return mark + percentText(value / wholeOf(store, node, root));
}

/** The value that is 100 %. */
function wholeOf(store: ReportStore, node: number, root: Metric): number {
  const { report, valueUnit } = store;
  const { metrics } = report.meta;
  const { unit } = metrics[node]!;
  if (valueUnit === "total" && unit === "ticks") return totalTime(store);
  if (valueUnit !== "peer") return root.total;
  return largestSibling(
    report.metricTree,
    node,
    (sibling) => metrics[sibling]!.total,
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
