// Which nodes of a tree are open and selected, and which one has the cursor.
import type { Tree } from "./report";

export class TreeState {
  readonly open = new Set<number>();
  nodes: number[] = [];
  /** True: the nodes stand for themselves, whether they are open or not. */
  own = false;
  cursor = -1;
  /** What is open at first, as the address has it. */
  first = "";
  constructor(readonly tree: Tree) {}
  select(node: number): void {
    this.nodes = [node];
    this.cursor = node;
    this.own = false;
  }
  reveal(node: number): void {
    for (let p = this.tree.parent[node]!; p >= 0; p = this.tree.parent[p]!) this.open.add(p);
  }
  exclusive(node: number): boolean {
    return this.own || (this.open.has(node) && this.tree.children[node]!.length > 0);
  }
}
