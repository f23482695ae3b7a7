// The tree of metrics with boxes: what a node's box stands for.
import { treeOf, type Tree } from "../data/tree";
import { TreeState } from "../state/tree_state";
import type { PatternChoice } from "./pattern_choice";
import type { ServedMetric, ServedPatterns } from "./server_types";

/** A metric, or a pattern that has none of its own. */
export type MetricNode = Pick<ServedMetric, "id" | "name" | "unit" | "description" | "pattern">;

const openDepth = 3;

export class MetricNodes {
  readonly nodes: MetricNode[];
  readonly tree: Tree;
  readonly state: TreeState;
  /** For each node the patterns of it and of all below it. */
  private readonly patterns: Set<string>[];

  constructor({ metrics, patterns }: ServedPatterns) {
    const shown = new Set(metrics.map(({ pattern }) => pattern));
    const others = patterns
      .filter(({ id }) => !shown.has(id))
      .map(({ id, name, description }): ServedMetric => ({
        id,
        name,
        description,
        unit: "",
        parent: null,
        pattern: id,
      }));
    const all = [...metrics, ...others];
    const numbers = new Map(metrics.map(({ id }, node) => [id, node]));
    this.nodes = all;
    this.tree = treeOf(all.map(({ parent }) => (parent === null ? -1 : (numbers.get(parent) ?? -1))));
    this.state = new TreeState(this.tree);
    this.patterns = all.map(({ pattern }) => new Set(pattern === null ? [] : [pattern]));
    for (let node = all.length; node-- > 0;) {
      const parent = this.tree.parent[node]!;
      if (parent >= 0) for (const id of this.patterns[node]!) this.patterns[parent]!.add(id);
      if (this.tree.children[node]!.length > 0 && this.tree.depth[node]! < openDepth) this.state.open.add(node);
    }
    if (all.length > 0) this.state.select(0);
  }

  /** The patterns that the box of a node stands for: its own, or where it has none those below it. */
  patternsOf(node: number): string[] {
    const { pattern } = this.nodes[node]!;
    return pattern === null ? [...this.patterns[node]!] : [pattern];
  }
  boxOf(node: number, choice: PatternChoice): boolean | "mixed" {
    const patterns = [...this.patterns[node]!];
    const chosen = patterns.filter((id) => choice.has(id)).length;
    if (chosen === patterns.length) return true; // metrics of no pattern are in every analysis
    const own = this.nodes[node]!.pattern;
    return chosen > 0 || (own !== null && choice.has(own)) ? "mixed" : false;
  }
}
