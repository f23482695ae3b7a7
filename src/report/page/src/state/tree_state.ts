// Which nodes of a tree are open and selected, and which one has the cursor.
import type { Tree } from "../data/tree";

export class TreeState {
  readonly open = new Set<number>();
  /** Empty: all of the tree. */
  selected: number[] = [];
  /** Selected nodes stand for themselves alone, even if they are closed. */
  selectedAlone = false;
  cursor = -1;
  private chosen = { list: this.selected, nodes: new Set<number>() }; // the selected ones, to look them up
  /** The nodes that are open when the page is opened. */
  private initiallyOpen: number[] = [];

  constructor(readonly tree: Tree) {}

  rememberOpen(): void {
    this.initiallyOpen = [...this.open];
  }
  /** Whether other nodes are open than those that were remembered. */
  hasOtherOpen(): boolean {
    return this.open.size !== this.initiallyOpen.length || this.initiallyOpen.some((node) => !this.open.has(node));
  }
  /** Nothing is selected, and the nodes are open that were remembered. */
  reset(): void {
    this.selected = [];
    this.selectedAlone = false;
    this.cursor = -1;
    this.open.clear();
    for (const node of this.initiallyOpen) this.open.add(node);
  }
  select(node: number): void {
    this.selected = [node];
    this.cursor = node;
    this.selectedAlone = false;
  }
  /** Opens all nodes above. */
  reveal(node: number): void {
    for (let above = this.tree.parent[node]!; above >= 0; above = this.tree.parent[above]!) this.open.add(above);
  }
  private isSelected(node: number): boolean {
    if (this.chosen.list !== this.selected) this.chosen = { list: this.selected, nodes: new Set(this.selected) };
    return this.chosen.nodes.has(node);
  }
  /** Whether the node stands for itself alone, as open ones do, instead of including what is below it. */
  isExclusive(node: number): boolean {
    const hasChildren = this.tree.children[node]!.length > 0;
    return hasChildren && (this.open.has(node) || (this.selectedAlone && this.isSelected(node)));
  }
}
