// Search in a tree: rows that are found, and those above them, stay visible.
import { useMemo, useRef, useState } from "preact/hooks";
import type { TreeState } from "../state/tree_state";
import { nameMatcher, type NameMatcher } from "./name_matcher";

export interface TreeSearch {
  text: string;
  matches: NameMatcher;
  /** For each node 1 if it or a node below it is found; undefined if nothing is searched for. */
  found: Uint8Array | undefined;
  search: (text: string) => void;
  /** The next node that is found behind the last one, and all around; undefined if there is none. */
  next: () => number | undefined;
}

export function useTreeSearch(
  state: TreeState,
  isShown: (node: number) => boolean,
  nameOf: (node: number) => string,
): TreeSearch {
  const { tree } = state;
  const [text, setText] = useState("");
  const [lastFound, setLastFound] = useState(-1);
  const openBefore = useRef<Set<number> | null>(null);
  const matches = useMemo(() => nameMatcher(text), [text]);
  const isFound = (matcher: NameMatcher, node: number) =>
    typeof matcher === "function" && isShown(node) && matcher(nameOf(node));
  const found = useMemo(() => {
    if (typeof matches !== "function") return undefined;
    const marks = new Uint8Array(tree.parent.length);
    for (let node = marks.length; node-- > 0;) {
      if (marks[node] === 0 && isFound(matches, node)) marks[node] = 1;
      const parent = tree.parent[node]!;
      if (marks[node] === 1 && parent >= 0) marks[parent] = 1;
    }
    return marks;
  }, [matches, isShown]);

  /** Opens what is above the nodes that are found. When the search ends, what was open before it is open again. */
  const search = (newText: string) => {
    setText(newText);
    setLastFound(-1);
    const matcher = nameMatcher(newText);
    const before = (openBefore.current ??= new Set(state.open));
    state.open.clear();
    for (const node of before) state.open.add(node);
    if (typeof matcher === "function") {
      for (let node = 0; node < tree.parent.length; ++node) if (isFound(matcher, node)) state.reveal(node);
    } else {
      openBefore.current = null;
      for (const node of state.selected) state.reveal(node);
    }
  };
  const next = () => {
    const count = tree.parent.length;
    for (let distance = 1; distance <= count; ++distance) {
      const node = (lastFound + distance + count) % count;
      if (!isFound(matches, node)) continue;
      setLastFound(node);
      return node;
    }
    return undefined;
  };
  return { text, matches, found, search, next };
}
