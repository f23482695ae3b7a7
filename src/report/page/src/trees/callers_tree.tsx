// The tree of callers beside the list of functions: who calls a function, with its time in these calls.
import { useMemo, useRef } from "preact/hooks";
import type { ReportStore } from "../state/report_store";
import { TreeState } from "../state/tree_state";
import { bottomUpTree } from "./bottom_up_tree";
import { metricsText } from "./selection_text";
import { TreeView } from "./tree_view";
import { barOf, largestOf, shareText } from "./value_shares";

export function CallersTree({ store, exclusive }: { store: ReportStore; exclusive: Float64Array }) {
  const { report } = store;
  const { tree, regions, callPaths } = useMemo(() => bottomUpTree(report), [report]);
  const state = useRef<TreeState | null>(null);
  const treeState = (state.current ??= new TreeState(tree));
  const values = callPaths.map((paths) => paths.reduce((sum, path) => store.values.combine(sum, exclusive[path]!), 0));
  const order = useMemo(() => sortedTree(treeState, values), [store.revision]);
  const total = order.roots.reduce((sum, root) => sum + values[root]!, 0);
  const largest = largestOf(order.roots.map((root) => values[root]!));
  const select = () => {
    const [node] = treeState.selected;
    if (node !== undefined) store.selectCallPathsAlone(callPaths[node]!);
  };
  return (
    <TreeView
      store={store}
      state={treeState}
      id="callers"
      heading="Callers"
      meaning={`${metricsText(store)} of each function itself; below it, by caller`}
      isShown={(node) => store.showsZeros || values[node] !== 0}
      nameOf={(node) => nameOf(store, regions[node]!, callPaths[node]![0]!, tree.depth[node]!)}
      rowOf={(node) => ({
        text: shareText(store, values[node]!, total, () => largest) ?? store.valueText(store.metric, values[node]!),
        ...barOf(store, largest === 0 ? 0 : values[node]! / largest),
        source: regions[node] === null ? "" : report.sourceOfRegion(regions[node]!),
        note: tree.depth[node]! > 0 ? "called by" : "",
      })}
      onSelect={select}
    />
  );
}

function nameOf({ report }: ReportStore, region: number | null, callPath: number, depth: number): string {
  if (region !== null) return report.regionName(region);
  let path = callPath;
  for (let i = 0; i < depth; ++i) path = report.callTree.parent[path]!;
  return report.callName(path);
}

/** Puts the largest values first, in the tree of the state. */
function sortedTree({ tree }: TreeState, values: number[]): { roots: number[] } {
  const byValue = (a: number, b: number) => values[b]! - values[a]!;
  tree.roots.sort(byValue);
  for (const children of tree.children) if (children.length > 1) children.sort(byValue);
  return tree;
}
