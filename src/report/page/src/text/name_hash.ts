// Short names for things whose numbers are others in another run: a hash of their names, so that a link finds the call
// path of the same name there.

const prime = 16777619;

/** The hash FNV-1a of 32 bits (Fowler, Noll, Vo), from a given start. */
function hash32(text: string, start: number): number {
  let hash = start;
  for (let i = 0; i < text.length; ++i) {
    const code = text.charCodeAt(i);
    hash = Math.imul(hash ^ (code & 255), prime);
    hash = Math.imul(hash ^ (code >> 8), prime);
  }
  return hash >>> 0;
}
/** Two hashes, so that names of a large program hardly ever collide. */
const hashText = (text: string): string =>
  hash32(text, 2166136261).toString(36) + hash32(text, 3735928559).toString(36);

/** Names of the nodes of a tree, by the names from the root to them; those of the same names are numbered. */
export class NodeNames {
  private readonly texts: string[] = [];
  private readonly nodes = new Map<string, number>();

  /** `parents` are smaller than their children; negative for roots. `names` may be anything. */
  constructor(parents: ArrayLike<number>, names: (node: number) => string) {
    for (let node = 0; node < parents.length; ++node) {
      const parent = parents[node]!;
      const own = hashText(`${parent < 0 ? "" : this.texts[parent]!}/${names(node)}`);
      let text = own;
      for (let number = 1; this.nodes.has(text); ++number) text = `${own}.${number}`;
      this.texts.push(text);
      this.nodes.set(text, node);
    }
  }
  text(node: number): string {
    return this.texts[node]!;
  }
  node(text: string): number | undefined {
    return this.nodes.get(text);
  }
}
