// Clicks and keys select nodes of a tree, open and close them.
import type { PageStore } from "../state/page_store";
import type { TreeState } from "../state/tree_state";

export interface SelectionKeys {
  ctrlKey?: boolean;
  metaKey?: boolean;
  shiftKey?: boolean;
}

const mostOpened = 100_000;
/** Keys that do something wherever the focus is. */
const pageKeys = /[uznp?/123]/;

export interface TreeDescription {
  store: PageStore;
  state: TreeState;
  heading: string;
  nameOf: (node: number) => string;
  textOf: (node: number) => string; // the value
  onSelect?: (() => void) | undefined;
}

/** The selection of a tree that shows these rows, one of which has the cursor. */
export class TreeSelection {
  constructor(
    private readonly description: TreeDescription,
    private readonly rows: number[],
    private readonly cursor: number,
    private readonly isVisible: (node: number) => boolean,
  ) {}

  private get state(): TreeState {
    return this.description.state;
  }

  // ---- selecting ----

  /** With Shift all rows from the cursor are selected, with Ctrl the node is added or taken away. */
  select(node: number, keys: SelectionKeys = {}): void {
    if (keys.shiftKey && this.state.cursor >= 0) this.selectRange(node);
    else if (keys.ctrlKey || keys.metaKey) this.toggleSelected(node);
    else this.state.select(node);
    this.announce();
  }
  private selectRange(node: number): void {
    const [first, last] = [this.rows.indexOf(this.state.cursor), this.rows.indexOf(node)].sort((a, b) => a - b);
    this.state.selected = this.rows.slice(Math.max(0, first!), last! + 1);
  }
  private toggleSelected(node: number): void {
    const others = this.state.selected.filter((one) => one !== node);
    this.state.selected = others.length < this.state.selected.length ? others : [...others, node];
    this.state.cursor = node;
  }
  private announce(): void {
    const { store, heading, nameOf, textOf, onSelect } = this.description;
    if (this.state.selected.length === 0) this.state.cursor = this.rows[this.cursor] ?? -1;
    onSelect?.();
    const { selected } = this.state;
    const text =
      selected.length > 1
        ? `${selected.length} selected`
        : selected.length === 1
          ? `${nameOf(selected[0]!)}, ${textOf(selected[0]!)}`
          : "all";
    store.announce(`${heading}: ${text}`);
  }

  // ---- opening ----

  toggleOpen(node: number): void {
    if (!this.state.open.delete(node)) this.state.open.add(node);
    this.state.selectedAlone = false;
    this.description.store.changed();
  }
  private openAllBelow(node: number): void {
    const { children } = this.state.tree;
    const toOpen = [node];
    while (toOpen.length > 0 && this.state.open.size < mostOpened) {
      const next = toOpen.pop()!;
      if (children[next]!.length > 0) this.state.open.add(next);
      toOpen.push(...children[next]!);
    }
    this.description.store.changed();
  }

  // ---- keys ----

  /**
   * Handles a key. `pageRows`: how many rows the tree is high; `isScrolledRight`: its names are not seen from their
   * begin.
   */
  handleKey(event: KeyboardEvent, pageRows: number, isScrolledRight: boolean): void {
    const node = this.rows[this.cursor];
    if (node === undefined || event.altKey || event.metaKey) return;
    if (!this.moveByKey(event, pageRows) && !this.changeByKey(event, node, isScrolledRight)) return;
    event.preventDefault();
    event.stopPropagation();
  }
  private moveByKey(event: KeyboardEvent, pageRows: number): boolean {
    const target = {
      ArrowDown: this.cursor + 1,
      ArrowUp: this.cursor - 1,
      PageDown: this.cursor + pageRows,
      PageUp: this.cursor - pageRows,
      Home: 0,
      End: this.rows.length,
    }[event.key];
    if (target === undefined) return false;
    this.selectRow(target, event);
    return true;
  }
  private selectRow(row: number, keys: SelectionKeys): void {
    this.select(this.rows[Math.max(0, Math.min(this.rows.length - 1, row))]!, keys);
  }
  private changeByKey(event: KeyboardEvent, node: number, isScrolledRight: boolean): boolean {
    switch (event.key) {
      case "ArrowRight":
        return this.goRight(event, node);
      case "ArrowLeft":
        if (!isScrolledRight) this.goLeft(event, node);
        return !isScrolledRight;
      case "Enter":
      case " ":
        this.select(node, event);
        return true;
      case "*":
        this.openAllBelow(node);
        return true;
      default:
        return this.goToLetter(event);
    }
  }
  /** Opens the node, or goes to its first child. Without children the browser may scroll to the end of a long name. */
  private goRight(event: KeyboardEvent, node: number): boolean {
    const hasChildren = this.state.tree.children[node]!.some(this.isVisible);
    if (hasChildren && !this.state.open.has(node)) this.toggleOpen(node);
    else if (hasChildren) this.selectRow(this.cursor + 1, event);
    return hasChildren;
  }
  /** Closes the node, or goes to its parent. */
  private goLeft(event: KeyboardEvent, node: number): void {
    const { children, parent } = this.state.tree;
    if (children[node]!.some(this.isVisible) && this.state.open.has(node)) this.toggleOpen(node);
    else if (parent[node]! >= 0) this.selectRow(this.rows.indexOf(parent[node]!), event);
  }
  /** Goes to the next name that begins with a letter, but for letters that do something everywhere. */
  private goToLetter(event: KeyboardEvent): boolean {
    const { store, nameOf } = this.description;
    if (event.key.length !== 1 || event.ctrlKey || (store.letterKeysWork && pageKeys.test(event.key))) return false;
    const letter = event.key.toLowerCase();
    for (let distance = 1; distance <= this.rows.length; ++distance) {
      const node = this.rows[(this.cursor + distance) % this.rows.length]!;
      if (!nameOf(node).toLowerCase().startsWith(letter)) continue;
      this.select(node);
      break;
    }
    return true;
  }
}
