// Which nodes of a tree are open and selected, and which one has the cursor.
import type { Tree } from "../data/tree";

export class TreeState {
  readonly open = new Set<number>();
  /** Empty: all of the tree. */
  selected: number[] = [];
  /** Selected nodes stand for themselves alone, even if they are closed. */
  selectedAlone = false;
  cursor = -1;
  /** The nodes that are open when the page is opened, as the address would have them. */
  initiallyOpen = "";

  constructor(readonly tree: Tree) {}

  select(node: number): void {
    this.selected = [node];
    this.cursor = node;
    this.selectedAlone = false;
  }
  /** Opens all nodes above. */
  reveal(node: number): void {
    for (let above = this.tree.parent[node]!; above >= 0; above = this.tree.parent[above]!) this.open.add(above);
  }
  /** Whether the node stands for itself alone, as open ones do, instead of including what is below it. */
  isExclusive(node: number): boolean {
    return this.selectedAlone || (this.open.has(node) && this.tree.children[node]!.length > 0);
  }
}
