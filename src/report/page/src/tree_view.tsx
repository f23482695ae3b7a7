// One tree as a list of its visible rows: only those in sight exist in the document, so 100,000 of them scroll. An ARIA
// tree: the list has the focus, aria-activedescendant names the row with the cursor.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Note } from "./around";
import { severityColour, textOn } from "./chart";
import type { PageStore } from "./page_store";
import type { TreeState } from "./tree_state";

const rowHeight = 24;
export interface NodeRow {
  text: string; // the value, as a reader sees it
  share: number; // 0 to 1: the bar and the colour
  colour?: string; // else by share
  more?: string[]; // the dimmer columns
  unit?: string; // behind the name
  note?: string; // e.g. "of which"
  title?: string;
}

interface Props {
  store: PageStore;
  state: TreeState;
  id: string;
  heading: string;
  meaning: string;
  value?: string; // heading of the values
  columns?: string[]; // headings of the dimmer ones
  zero?: string; // what is said where no row is left
  /** False: all below is zero, too. */
  shown: (node: number) => boolean;
  row: (node: number) => NodeRow;
  name: (node: number) => string;
  picked?: () => void;
}

export function TreeView({
  store,
  state,
  id,
  heading,
  meaning,
  value = "value",
  columns = [],
  zero,
  shown,
  row,
  name,
  picked,
}: Props) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(480);
  const [search, setSearch] = useState("");
  const [from, setFrom] = useState(-1);
  const opened = useRef<Set<number> | null>(null);
  const { tree } = state;

  const matches = useMemo(() => matcher(search), [search]);
  /** Of a search what is found, and what is above it. */
  const kept = useMemo(() => {
    if (typeof matches !== "function") return undefined;
    const found = new Uint8Array(tree.parent.length);
    for (let i = found.length; i-- > 0;) {
      if (found[i] === 0 && shown(i) && matches(name(i))) found[i] = 1;
      if (found[i] === 1 && tree.parent[i]! >= 0) found[tree.parent[i]!] = 1;
    }
    return found;
  }, [matches, shown]);
  const visible = (node: number) => shown(node) && (!kept || kept[node] === 1);
  const rows = useMemo(() => {
    const found: number[] = [];
    const walk = tree.roots.slice().reverse();
    while (walk.length > 0) {
      const node = walk.pop()!;
      if (!visible(node)) continue;
      found.push(node);
      if (state.open.has(node)) for (let i = tree.children[node]!.length; i-- > 0;) walk.push(tree.children[node]![i]!);
    }
    return found;
  }, [kept, shown]);
  const cursor = Math.max(0, rows.indexOf(state.cursor));
  /** What is above what is found is open; it is as it was, when the search ends. */
  const searchFor = (text: string) => {
    setSearch(text);
    setFrom(-1);
    const hit = matcher(text);
    const before = (opened.current ??= new Set(state.open));
    state.open.clear();
    for (const n of before) state.open.add(n);
    if (typeof hit === "function") tree.parent.forEach((_, n) => shown(n) && hit(name(n)) && state.reveal(n));
    else {
      opened.current = null;
      state.nodes.forEach((n) => state.reveal(n));
    }
    store.changed();
  };

  useEffect(() => {
    const watch = new ResizeObserver((entries) => setHeight(entries[0]!.contentRect.height));
    watch.observe(list.current!);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    // the cursor stays in sight
    const box = list.current!;
    const y = cursor * rowHeight;
    if (y < box.scrollTop) box.scrollTop = y;
    else if (y + rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = y + rowHeight - box.clientHeight;
  }, [cursor, state.cursor, height]);

  const changed = () => {
    if (state.nodes.length === 0) state.cursor = rows[cursor] ?? -1;
    picked?.();
    store.say(
      `${heading}: ${state.nodes.length > 1 ? `${state.nodes.length} selected` : state.nodes.length === 1 ? `${name(state.nodes[0]!)}, ${row(state.nodes[0]!).text}` : "all"}`,
    );
  };
  const select = (node: number, event: { ctrlKey?: boolean; metaKey?: boolean; shiftKey?: boolean }) => {
    if (event.shiftKey && state.cursor >= 0) {
      const [a, b] = [rows.indexOf(state.cursor), rows.indexOf(node)].sort((x, y) => x - y);
      state.nodes = rows.slice(Math.max(0, a!), b! + 1);
    } else if (event.ctrlKey || event.metaKey) {
      const rest = state.nodes.filter((n) => n !== node);
      state.nodes = rest.length < state.nodes.length ? rest : [...rest, node];
      state.cursor = node;
    } else {
      state.select(node);
    }
    changed();
  };
  const toggle = (node: number) => {
    if (!state.open.delete(node)) state.open.add(node);
    state.own = false;
    store.changed();
  };
  const openAll = (node: number) => {
    const walk = [node];
    while (walk.length > 0 && state.open.size < 100_000) {
      const n = walk.pop()!;
      if (tree.children[n]!.length > 0) state.open.add(n);
      walk.push(...tree.children[n]!);
    }
    store.changed();
  };
  const find = (text: string, behind: number) => {
    const matching = matcher(text);
    if (typeof matching !== "function") return;
    const count = tree.parent.length;
    for (let i = 1; i <= count; ++i) {
      const node = (behind + i + count) % count;
      if (!shown(node) || !matching(name(node))) continue;
      setFrom(node);
      state.reveal(node);
      state.select(node);
      changed();
      return;
    }
    store.say(`${heading}: nothing is called ${text}`);
  };
  const onKey = (event: KeyboardEvent) => {
    const node = rows[cursor];
    if (node === undefined || event.altKey || event.metaKey) return;
    const go = (to: number) => select(rows[Math.max(0, Math.min(rows.length - 1, to))]!, event);
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const children = tree.children[node]!.filter(visible);
    switch (event.key) {
      case "ArrowDown":
        go(cursor + 1);
        break;
      case "ArrowUp":
        go(cursor - 1);
        break;
      case "PageDown":
        go(cursor + page);
        break;
      case "PageUp":
        go(cursor - page);
        break;
      case "Home":
        go(0);
        break;
      case "End":
        go(rows.length);
        break;
      case "ArrowRight":
        if (children.length > 0 && !state.open.has(node)) toggle(node);
        else if (children.length > 0) go(cursor + 1);
        else return; // a name that is longer than the tree is wide comes into sight
        break;
      case "ArrowLeft":
        if (list.current!.scrollLeft > 0) return;
        if (children.length > 0 && state.open.has(node)) toggle(node);
        else if (tree.parent[node]! >= 0) go(rows.indexOf(tree.parent[node]!));
        break;
      case "Enter":
      case " ":
        select(node, event);
        break;
      case "*":
        openAll(node);
        break;
      default: {
        // What means something everywhere does so here.
        if (event.key.length !== 1 || event.ctrlKey || (store.letters && /[uznp?/123]/.test(event.key))) return;
        const letter = event.key.toLowerCase();
        for (let i = 1; i <= rows.length; ++i) {
          const to = (cursor + i) % rows.length;
          if (name(rows[to]!).toLowerCase().startsWith(letter)) {
            select(rows[to]!, {});
            break;
          }
        }
      }
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const first = Math.max(0, Math.floor(top / rowHeight) - 5);
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + 5);
  const chosen = new Set(state.nodes);
  return (
    <section class="pane" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{heading}</h2>
      <div class="panehead">
        <span class="quiet" id={`${id}-meaning`}>
          {matches === null ? "This is no regular expression." : meaning}
        </span>
        <input
          type="search"
          class="search"
          aria-label={`search ${heading}`}
          placeholder="search, re:…"
          value={search}
          aria-invalid={matches === null}
          aria-describedby={`${id}-meaning`}
          onInput={(e) => searchFor(e.currentTarget.value)}
          onKeyDown={(e) => e.key === "Enter" && (find(search, from), e.preventDefault())}
        />
      </div>
      <div class="columns quiet" aria-hidden="true">
        {[value, ...columns].map((c) => (
          <span>{c}</span>
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
        onScroll={(e) => setTop(e.currentTarget.scrollTop)}
        onKeyDown={onKey}
      >
        <div class="space" style={{ height: `${rows.length * rowHeight}px` }}>
          {rows.slice(first, last).map((node, i) => {
            const r = row(node);
            const colour = r.colour ?? severityColour(r.share);
            const children = tree.children[node]!.some(visible);
            return (
              <div
                key={node}
                id={`${id}-${node}`}
                class={`row${chosen.has(node) ? " chosen" : ""}${node === rows[cursor] ? " cursor" : ""}${matches?.(name(node)) ? " hit" : ""}`}
                role="treeitem"
                aria-level={tree.depth[node]! + 1}
                aria-selected={chosen.has(node)}
                {...(children ? { "aria-expanded": state.open.has(node) } : {})}
                title={r.title}
                style={{ top: `${(first + i) * rowHeight}px` }}
                onClick={(e) => select(node, e)}
                onDblClick={() => children && toggle(node)}
              >
                <span class="box" style={{ background: colour, color: textOn(colour) }}>
                  <span class="value">{r.text}</span>
                </span>
                <span class="bar" aria-hidden="true">
                  <span style={{ width: `${Math.max(0, Math.min(1, r.share || 0)) * 100}%`, background: colour }} />
                </span>
                {r.more?.map((text) => (
                  <span class="second">{text}</span>
                ))}
                <span class="name" style={{ paddingLeft: `${Math.min(tree.depth[node]!, 40) * 10}px` }}>
                  <span
                    class="twist"
                    onClick={(e) => (e.stopPropagation(), children && toggle(node))}
                    aria-hidden="true"
                  >
                    {children ? (state.open.has(node) ? "\u25be" : "\u25b8") : ""}
                  </span>
                  {r.note && <span class="note">{r.note} </span>}
                  {name(node) + (r.unit ?? "")}
                </span>
              </div>
            );
          })}
        </div>
        {rows.length === 0 && (
          <Note>
            {kept ? "Nothing is called so." : (zero ?? "Zero everywhere in what is selected (Z shows zeros).")}
          </Note>
        )}
      </div>
    </section>
  );
}

/** A substring, or a regular expression after "re:"; undefined for none, null if it is not one. */
function matcher(text: string): ((name: string) => boolean) | undefined | null {
  if (text === "" || text === "re:") return undefined;
  if (!text.startsWith("re:")) {
    const small = text.toLowerCase();
    return (name) => name.toLowerCase().includes(small);
  }
  try {
    const expression = new RegExp(text.slice(3), "i");
    return (name) => expression.test(name);
  } catch {
    return null;
  }
}
