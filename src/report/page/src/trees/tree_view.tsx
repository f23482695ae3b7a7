// A tree as a list of its visible rows. Only rows in sight exist in the document, so 100,000 of them can be scrolled,
// and of these only rows that have changed are drawn again. The list has the handlers of all rows, and asks none of
// them for its place, since the browser would have to lay out the page for the answer. For screen readers it is an ARIA
// tree: the list has the focus, and aria-activedescendant names the row with the cursor.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Note } from "../frame/elements";
import type { PageStore } from "../state/page_store";
import type { TreeState } from "../state/tree_state";
import { nodeOfRow, TreeRowView, type TreeRow } from "./tree_row";
import { TreeSelection } from "./tree_selection";
import { useTreeSearch, type TreeSearch } from "./tree_search";

interface TreeViewProps {
  store: PageStore;
  state: TreeState;
  id: string;
  heading: string;
  meaning: string; // the meaning of the values
  valueHeading?: string | undefined;
  moreHeadings?: string[];
  emptyText?: string | undefined; // is shown where no row is left
  /** False if everything below the node is zero, too. */
  isShown: (node: number) => boolean;
  /** Nodes have boxes that are ticked, unlike values; the space bar ticks. */
  boxes?: TreeBoxes;
  rowOf: (node: number) => TreeRow;
  nameOf: (node: number) => string;
  onSelect?: () => void;
}

/** Boxes that are ticked, not, or partly because some below them are. */
export interface TreeBoxes {
  stateOf: (node: number) => boolean | "mixed";
  toggle: (node: number) => void;
}

const rowHeight = 24;
const rowsBeyondSight = 5; // exist above and below those in sight

export function TreeView(props: TreeViewProps) {
  const { store, state, id, heading, valueHeading = "value", moreHeadings = [], boxes } = props;
  const { isShown, rowOf, nameOf } = props;
  const list = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const height = useHeight(list);
  const search = useTreeSearch(state, isShown, nameOf);
  const isVisible = (node: number) => isShown(node) && (!search.found || search.found[node] === 1);
  const rows = useMemo(() => visibleRows(state, isVisible), [search.found, isShown]);
  const cursor = Math.max(0, rows.indexOf(state.cursor));
  useCursorInSight(list, cursor, state.cursor, scrollTop, height);
  const selection = new TreeSelection(
    { store, state, heading, nameOf, textOf: (node) => rowOf(node).text, onSelect: props.onSelect },
    rows,
    cursor,
    isVisible,
  );
  const selectNextFound = () => {
    if (typeof search.matches !== "function") return;
    const node = search.next();
    if (node === undefined) return store.announce(`${heading}: no name matches ${search.text}`);
    state.reveal(node);
    selection.select(node);
  };
  const pageRows = Math.max(1, Math.floor(height / rowHeight) - 1);
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - rowsBeyondSight);
  const last = Math.min(rows.length, Math.ceil((scrollTop + height) / rowHeight) + rowsBeyondSight);
  const selected = new Set(state.selected);
  const hasChildren = (node: number) => state.tree.children[node]!.some(isVisible);
  const toggleOpen = (node: number) => {
    if (hasChildren(node)) selection.toggleOpen(node);
  };
  return (
    <section class="pane" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{heading}</h2>
      <TreeHead tree={props} search={search} onNext={selectNextFound} />
      <div class="columns quiet" aria-hidden="true">
        <span class="box">{valueHeading}</span>
        <span class="bar" />
        {moreHeadings.map((text) => (
          <span class="second">{text}</span>
        ))}
      </div>
      <div
        id={id}
        ref={list}
        class="tree"
        role="tree"
        aria-multiselectable="true"
        aria-labelledby={`${id}-title`}
        aria-activedescendant={rows.length > 0 ? `${id}-${rows[cursor]!}` : undefined}
        tabIndex={0}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        onClick={(event) => {
          const node = nodeOfRow(event);
          if (node === undefined) return;
          if (isOn(event, ".tick")) boxes?.toggle(node);
          else if (isOn(event, ".twist")) toggleOpen(node);
          else selection.select(node, event);
        }}
        onDblClick={(event) => {
          const node = nodeOfRow(event);
          if (node !== undefined && !isOn(event, ".tick, .twist")) toggleOpen(node);
        }}
        onKeyDown={(event) => {
          if (!boxes || event.key !== " ") return selection.handleKey(event, pageRows, list.current!.scrollLeft > 0);
          if (rows.length > 0) boxes.toggle(rows[cursor]!);
          event.preventDefault();
        }}
      >
        <div class="space" style={{ height: `${rows.length * rowHeight}px` }}>
          {rows.slice(first, last).map((node, i) => (
            <TreeRowView
              key={node}
              id={`${id}-${node}`}
              row={rowOf(node)}
              name={nameOf(node)}
              depth={state.tree.depth[node]!}
              top={(first + i) * rowHeight}
              isOpen={hasChildren(node) ? state.open.has(node) : undefined}
              isSelected={selected.has(node)}
              hasCursor={node === rows[cursor]}
              isFound={typeof search.matches === "function" && search.matches(nameOf(node))}
              box={boxes?.stateOf(node)}
            />
          ))}
        </div>
        {rows.length === 0 && (
          <Note>
            {search.found
              ? "No name matches."
              : (props.emptyText ?? "Everything in the selection is zero (Z shows zeros).")}
          </Note>
        )}
      </div>
    </section>
  );
}

/** Visible nodes of which all parents are open, in the order of the tree. */
function visibleRows({ tree, open }: TreeState, isVisible: (node: number) => boolean): number[] {
  const rows: number[] = [];
  const toVisit = tree.roots.slice().reverse();
  while (toVisit.length > 0) {
    const node = toVisit.pop()!;
    if (!isVisible(node)) continue;
    rows.push(node);
    if (!open.has(node)) continue;
    const children = tree.children[node]!;
    for (let i = children.length; i-- > 0;) toVisit.push(children[i]!);
  }
  return rows;
}

function useHeight(list: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(480);
  useEffect(() => {
    const observer = new ResizeObserver((entries) => setHeight(entries[0]!.contentRect.height));
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);
  return height;
}

/** Scrolls so that the row with the cursor is in sight. */
function useCursorInSight(
  list: RefObject<HTMLDivElement | null>,
  row: number,
  node: number,
  scrollTop: number,
  height: number,
): void {
  useLayoutEffect(() => {
    const top = row * rowHeight;
    if (top < scrollTop) list.current!.scrollTop = top;
    else if (top + rowHeight > scrollTop + height) list.current!.scrollTop = top + rowHeight - height;
  }, [row, node, height]);
}

/** What the values mean, and the field for the search. */
function TreeHead({ tree, search, onNext }: { tree: TreeViewProps; search: TreeSearch; onNext: () => void }) {
  const { store, id, heading, meaning } = tree;
  const isInvalid = search.matches === "invalid";
  const onInput = (text: string) => {
    search.search(text);
    store.changed();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    onNext();
    event.preventDefault();
  };
  return (
    <div class="panehead">
      <span class="quiet" id={`${id}-meaning`}>
        {isInvalid ? "This is not a regular expression." : meaning}
      </span>
      <input
        type="search"
        class="search"
        aria-label={`search ${heading}`}
        placeholder="search, re:…"
        value={search.text}
        aria-invalid={isInvalid}
        aria-describedby={`${id}-meaning`}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKey}
      />
    </div>
  );
}

const isOn = (event: Event, selector: string): boolean => (event.target as Element).closest(selector) !== null;
