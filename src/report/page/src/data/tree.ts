// Trees of metrics, call paths and locations.
import { damaged } from "./sections";

/** A tree whose nodes are numbers; a parent has a smaller number than its children. */
export interface Tree {
  parent: Int32Array; // -1: the node is a root
  children: number[][];
  roots: number[];
  depth: Uint16Array; // 0 for roots
}

/** Throws if a node stands before its parent. Negative parents are those of roots. */
export function treeOf(parents: number[]): Tree {
  const tree: Tree = {
    parent: Int32Array.from(parents),
    children: parents.map(() => []),
    roots: [],
    depth: new Uint16Array(parents.length),
  };
  parents.forEach((parent, node) => {
    if (parent >= node) throw damaged("a tree has a child before its parent");
    if (parent < 0) {
      tree.roots.push(node);
    } else {
      tree.children[parent]!.push(node);
      tree.depth[node] = tree.depth[parent]! + 1;
    }
  });
  return tree;
}

/** For each node of a tree that is stored depth first: the first node behind it that is not below it. */
export function subtreeEnds(parent: Int32Array): Uint32Array {
  const ends = new Uint32Array(parent.length);
  for (let node = parent.length; node-- > 0;) {
    ends[node] = Math.max(ends[node]!, node + 1);
    const above = parent[node]!;
    if (above >= 0) ends[above] = Math.max(ends[above]!, ends[node]!);
  }
  return ends;
}
