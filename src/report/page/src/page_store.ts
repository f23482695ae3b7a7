// What the page of a report and that of a comparison hold in common: what is said, how charts and tables are shown. The
// address holds it, as all of the state, so that a link leads to the same place.

/** For whoever waits for the page from outside, as tests do. */
export const { dataset } = document.documentElement;

export class PageStore {
  message = ""; // what the live region says
  zeros = false;
  help = false; // beside the view
  letters = true; // keys that are letters or signs do something
  readonly tables = new Set<string>(); // charts that are shown as tables
  readonly sorts = new Map<string, [number, number]>(); // of tables: the column, and 1 or -1

  constructor(readonly draw: () => void) {}

  changed(): void {
    const hash = `#${this.address().join("&")}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
    this.draw();
  }
  toggleHelp(): void {
    this.help = !this.help;
    this.say(this.help ? "the help is open" : "the help is closed");
  }
  say(message: string): void {
    this.message = message;
    this.changed();
  }

  protected address(): string[] {
    const parts: string[] = [];
    if (this.zeros) parts.push("z=1");
    if (this.help) parts.push("h=1");
    if (!this.letters) parts.push("k=0");
    if (this.tables.size > 0) parts.push(`tb=${[...this.tables].join(",")}`);
    if (this.sorts.size > 0)
      parts.push(
        `so=${[...this.sorts].map(([id, [by, direction]]) => `${id}.${by}${direction < 0 ? "d" : "a"}`).join(",")}`,
      );
    return parts;
  }
  protected take(key: string, text: string): void {
    if (key === "z") this.zeros = text === "1";
    if (key === "h") this.help = text === "1";
    if (key === "k") this.letters = text !== "0";
    const words = text.split(",").slice(0, 100);
    if (key === "tb") for (const id of words) if (/^[\w-]+$/.test(id)) this.tables.add(id);
    if (key === "so")
      for (const word of words) {
        const found = /^([\w-]+)\.(\d{1,4})([ad])$/.exec(word);
        if (found) this.sorts.set(found[1]!, [Number(found[2]), found[3] === "d" ? -1 : 1]);
      }
  }
  readAddress(): void {
    this.tables.clear();
    this.sorts.clear();
    this.zeros = this.help = false;
    this.letters = true;
    for (const part of location.hash.slice(1).split("&")) {
      const [key, text = ""] = part.split("=");
      this.take(key!, text);
    }
  }
}

export function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Numbers in ascending order as "0-3,7", and back. */
export function rangesText(numbers: Iterable<number>): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length;) {
    let last = i;
    while (sorted[last + 1] === sorted[last]! + 1) ++last;
    parts.push(last === i ? `${sorted[i]}` : `${sorted[i]}-${sorted[last]}`);
    i = last + 1;
  }
  return parts.join(",");
}
export function rangesOf(text: string, below: number): number[] {
  const found: number[] = [];
  for (const part of text.split(",")) {
    const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    for (let n = Number(from); n <= Number(to) && n < below; ++n) found.push(n);
  }
  return found;
}
