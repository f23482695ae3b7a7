// The tree of call paths with the values of the selected metrics, all locations together.
import type { Report } from "../data/report";
import type { ReportStore } from "../state/report_store";
import { metricsText } from "./selection_text";
import { TreeView } from "./tree_view";
import { barOf, largestOf, largestSibling, nonzeroNodes, shareText } from "./value_shares";

export function CallTree({ store }: { store: ReportStore }) {
  const { report, callPaths: state } = store;
  const found = store.values.byCallPath();
  const exclusive = found ?? new Float64Array(report.meta.call_tree.length);
  const inclusive = store.values.withCallees(exclusive);
  const valueOf = (node: number) => (state.isExclusive(node) ? exclusive[node]! : inclusive[node]!);
  const isNonzero = nonzeroNodes(state.tree, (node) => exclusive[node]!);
  const total = report.callTree.roots.reduce((sum, root) => sum + inclusive[root]!, 0);
  const largest = largestOf(inclusive);
  const whyUnknown = store.whyUnknown();
  const textOf = (node: number, value: number): string => {
    if (whyUnknown) return "cannot tell";
    if (found === undefined) return "\u2026";
    const siblingMaximum = () => largestSibling(report.callTree, node, (sibling) => inclusive[sibling]!);
    return shareText(store, value, total, siblingMaximum) ?? store.valueText(store.metric, value);
  };
  return (
    <TreeView
      store={store}
      state={state}
      id="calls"
      heading="Call paths"
      meaning={`of ${metricsText(store)}`}
      moreHeadings={["with callees"]}
      emptyText={whyUnknown}
      isShown={(node) => store.showsZeros || isNonzero[node] === 1 || found === undefined}
      nameOf={(node) => report.callName(node)}
      rowOf={(node) => ({
        text: textOf(node, valueOf(node)),
        ...barOf(store, largest === 0 ? 0 : valueOf(node) / largest),
        moreColumns: [textOf(node, inclusive[node]!)],
        source: report.callTree.children[node]!.length > 0 ? ownSource(report, node) : "",
        title: tooltip(report, node),
      })}
    />
  );
}

/** Where the last function of a call path itself begins. */
function ownSource(report: Report, node: number): string {
  const { region } = report.meta.call_tree[node]!;
  return region === null ? "" : report.sourceOfRegion(region);
}
/** The call path, and on a line of its own where its code is. */
function tooltip(report: Report, node: number): string {
  const source = report.sourceOf(node, true);
  return report.callPathName(node) + (source === "" ? "" : `\n${source}`);
}
