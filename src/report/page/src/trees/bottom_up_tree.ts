// Call paths from below: the functions, below each of them those that called it, and so on. The value of a node is the
// time of the function itself while it was called in this way.
import type { Report } from "../data/report";
import { treeOf, type Tree } from "../data/tree";

export interface BottomUpTree {
  tree: Tree;
  regions: (number | null)[]; // by node; null: the program itself
  /** The call paths whose own value belongs to a node. */
  callPaths: number[][];
}

const mostNodes = 200_000;

/** Functions with the same name are one: some recorders define them once for each process. */
export function bottomUpTree(report: Report): BottomUpTree {
  const { call_tree } = report.meta;
  const parents: number[] = [];
  const regions: (number | null)[] = [];
  const callPaths: number[][] = [];
  const nodes = new Map<string, number>();
  const nodeOf = (parent: number, name: string, region: number | null): number => {
    const key = `${parent} ${name}`;
    let node = nodes.get(key);
    if (node === undefined) {
      nodes.set(key, (node = parents.length));
      parents.push(parent);
      regions.push(region);
      callPaths.push([]);
    }
    return node;
  };
  call_tree.forEach((_, callPath) => {
    let node = -1;
    for (let path = callPath; path >= 0; path = report.callTree.parent[path]!) {
      if (parents.length >= mostNodes && node >= 0) break;
      node = nodeOf(node, report.callName(path), call_tree[path]!.region);
      callPaths[node]!.push(callPath);
    }
  });
  return { tree: treeOf(parents), regions, callPaths };
}
