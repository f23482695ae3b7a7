// Which patterns an analysis computes. A pattern that is chosen brings those that it needs with it, and one that is not
// takes those away that need it, so the choice is always one that can be computed.
import type { RunRequest, ServedPattern, ServedPatterns } from "./server_types";

export class PatternChoice {
  private readonly byId = new Map<string, ServedPattern>();
  private readonly patternOfMetric = new Map<string, string>();
  private readonly neededBy = new Map<string, string[]>();
  private chosen = new Set<string>();
  private readonly byDefault: Set<string>;

  constructor({ metrics, patterns }: ServedPatterns) {
    for (const pattern of patterns) this.byId.set(pattern.id, pattern);
    for (const { id, pattern } of metrics) if (pattern !== null) this.patternOfMetric.set(id, pattern);
    for (const { id } of patterns)
      for (const needed of this.needsOf(id)) this.neededBy.set(needed, [...(this.neededBy.get(needed) ?? []), id]);
    this.byDefault = this.withAll(
      patterns.filter(({ on_by_default }) => on_by_default).map(({ id }) => id),
      (id) => this.needsOf(id),
    );
    this.chosen = new Set(this.byDefault);
  }

  has(id: string): boolean {
    return this.chosen.has(id);
  }
  get count(): number {
    return this.chosen.size;
  }
  pattern(id: string): ServedPattern | undefined {
    return this.byId.get(id);
  }
  /** The patterns that a pattern needs itself. */
  needsOf(id: string): string[] {
    const found = (this.byId.get(id)?.needs ?? [])
      .map((needed) => (this.byId.has(needed) ? needed : this.patternOfMetric.get(needed)))
      .filter((needed) => needed !== undefined && needed !== id);
    return [...new Set(found as string[])];
  }
  neededByOf(id: string): string[] {
    return this.neededBy.get(id) ?? [];
  }
  /** The patterns and all that they lead to. */
  private withAll(ids: Iterable<string>, next: (id: string) => string[]): Set<string> {
    const found = new Set<string>();
    const toVisit = [...ids];
    while (toVisit.length > 0) {
      const id = toVisit.pop()!;
      if (found.has(id)) continue;
      found.add(id);
      toVisit.push(...next(id));
    }
    return found;
  }

  /** Chooses patterns, or not. Returns those that came or went with them. */
  set(ids: string[], isChosen: boolean): string[] {
    const all = this.withAll(ids, (id) => (isChosen ? this.needsOf(id) : this.neededByOf(id)));
    const others = [...all].filter((id) => !ids.includes(id) && this.chosen.has(id) !== isChosen);
    for (const id of all)
      if (isChosen) this.chosen.add(id);
      else this.chosen.delete(id);
    return others;
  }
  setDefault(): void {
    this.chosen = new Set(this.byDefault);
  }
  setNone(): void {
    this.chosen.clear();
  }

  /** The choice as the options of the command line have it, in as few words as possible. */
  request(): Pick<RunRequest, "patterns" | "without"> {
    const more = this.roots([...this.chosen].filter((id) => !this.byDefault.has(id)));
    const less = [...this.byDefault].filter((id) => !this.chosen.has(id));
    // A pattern that needs another one of these goes with it.
    const without = less.filter((id) => !this.needsOf(id).some((needed) => less.includes(needed)));
    const patterns = this.roots([...this.chosen]);
    const isChange = more.length + without.length < patterns.length || this.chosen.size === 0;
    if (!isChange) return { patterns };
    return {
      ...(more.length > 0 ? { patterns: ["all", ...more] } : {}),
      ...(without.length > 0 ? { without } : {}),
    };
  }
  /** Without those that come with others. */
  private roots(ids: string[]): string[] {
    return ids.filter((id) => !this.neededByOf(id).some((other) => ids.includes(other)));
  }
  /** Takes over what a request has. */
  take({ patterns, without }: RunRequest): void {
    const idsOf = (ids: string[] = []) =>
      ids.map((id) => (this.byId.has(id) ? id : this.patternOfMetric.get(id))).filter((id) => id !== undefined);
    this.chosen = new Set(!patterns || patterns.includes("all") ? this.byDefault : []);
    this.set(idsOf(patterns), true);
    this.set(idsOf(without), false);
  }
}
