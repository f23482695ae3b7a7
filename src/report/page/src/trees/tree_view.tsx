// A tree as a list of its visible rows. Only rows in sight exist in the document, so 100,000 of them can be scrolled.
// For screen readers it is an ARIA tree: the list has the focus, and aria-activedescendant names the row with the
// cursor.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { severityColour, textColourOn } from "../charts/colours";
import { Note } from "../frame/elements";
import type { PageStore } from "../state/page_store";
import type { TreeState } from "../state/tree_state";
import { TreeSelection } from "./tree_selection";
import { useTreeSearch, type TreeSearch } from "./tree_search";

export interface TreeRow {
  text: string; // the value, as a reader sees it
  share: number; // from 0 to 1: the length of the bar, and its colour if there is no other one
  colour?: string;
  isPart?: boolean; // a part of the value of the row above it
  source?: string; // behind the name: file and line
  moreColumns?: string[]; // dimmer texts beside the value
  unit?: string; // behind the name
  note?: string; // before the name
  title?: string; // is shown when the pointer is on the row
}

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
const deepestIndent = 40;

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
  useCursorInSight(list, cursor, state.cursor, height);
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
  return (
    <section class="pane" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{heading}</h2>
      <TreeHead tree={props} search={search} onNext={selectNextFound} />
      <div class="columns quiet" aria-hidden="true">
        {[valueHeading, ...moreHeadings].map((text) => (
          <span>{text}</span>
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
              tree={props}
              node={node}
              top={(first + i) * rowHeight}
              hasChildren={state.tree.children[node]!.some(isVisible)}
              isSelected={selected.has(node)}
              hasCursor={node === rows[cursor]}
              isFound={typeof search.matches === "function" && search.matches(nameOf(node))}
              selection={selection}
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
function useCursorInSight(list: RefObject<HTMLDivElement | null>, row: number, node: number, height: number): void {
  useLayoutEffect(() => {
    const element = list.current!;
    const top = row * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
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

/** Zero is paper; a part of the value of the row above has only an edge of its colour, since it is counted there. */
function boxStyle(colour: string, share: number, isPart: boolean) {
  if (share === 0) return {};
  return isPart ? { boxShadow: `inset 6px 0 ${colour}` } : { background: colour, color: textColourOn(colour) };
}

interface TreeRowViewProps {
  tree: TreeViewProps;
  node: number;
  top: number; // pixels from the top of the list
  hasChildren: boolean;
  isSelected: boolean;
  hasCursor: boolean;
  isFound: boolean; // by the search
  selection: TreeSelection;
}

function TreeRowView({ tree, node, top, hasChildren, isSelected, hasCursor, isFound, selection }: TreeRowViewProps) {
  const { state, id, rowOf, nameOf, boxes } = tree;
  const { text, share, colour = severityColour(share), isPart = false, source, ...row } = rowOf(node);
  const { moreColumns, unit, note, title } = row;
  const depth = state.tree.depth[node]!;
  const isOpen = state.open.has(node);
  const toggle = () => {
    if (hasChildren) selection.toggleOpen(node);
  };
  const onTwist = (event: MouseEvent) => {
    event.stopPropagation();
    toggle();
  };
  const onTick = (event: MouseEvent) => {
    event.stopPropagation();
    boxes!.toggle(node);
  };
  return (
    <div
      id={`${id}-${node}`}
      class={`row${isSelected ? " chosen" : ""}${hasCursor ? " cursor" : ""}${isFound ? " hit" : ""}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-checked={boxes?.stateOf(node)}
      {...(hasChildren ? { "aria-expanded": isOpen } : {})}
      title={title}
      style={{ top: `${top}px` }}
      onClick={(event) => selection.select(node, event)}
      onDblClick={toggle}
    >
      {!boxes && (
        <>
          <span class={isPart ? "box part" : "box"} style={boxStyle(colour, share, isPart)}>
            <span class="value">{text}</span>
          </span>
          <span class="bar" aria-hidden="true">
            <span style={{ width: `${Math.max(0, Math.min(1, share || 0)) * 100}%`, background: colour }} />
          </span>
        </>
      )}
      {moreColumns?.map((more) => (
        <span class="second">{more}</span>
      ))}
      <span class="name" style={{ paddingLeft: `${Math.min(depth, deepestIndent) * 10}px` }}>
        <span class="twist" onClick={onTwist} aria-hidden="true">
          {hasChildren ? (isOpen ? "\u25be" : "\u25b8") : ""}
        </span>
        {boxes && <span class={`tick ${boxes.stateOf(node)}`} aria-hidden="true" onClick={onTick} />}
        {note && <span class="note">{note} </span>}
        {nameOf(node) + (unit ?? "")}
      </span>
      {source && <span class="source">{source}</span>}
    </div>
  );
}
