// The one way in which names are shortened. A call path is cut at slashes and keeps both ends, where the program begins
// and what was called; a single element keeps both of its ends. Names that differ stay different: they keep the element
// in which they differ, or get a number. The text report and the Python module do the same (src/report/format/layout).

const ellipsis = "\u2026";
export type Fits = (text: string) => boolean;

export function shortName(name: string, fits: Fits): string {
  if (fits(name)) return name;
  const elements = name.split("/");
  const leaf = elements[elements.length - 1]!;
  let best = "";
  for (const kept of [1, 0]) {
    if (elements.length < kept + 2) continue;
    const begin = kept === 1 ? `${elements[0]}/${ellipsis}/` : `${ellipsis}/`;
    for (let first = elements.length - 1; first > kept; --first) {
      const text = begin + elements.slice(first).join("/");
      if (!fits(text)) break;
      best = text;
    }
    if (best !== "") return best;
  }
  return elements.length > 1 && fits(ellipsis + leaf) ? ellipsis + leaf : cutInTheMiddle(leaf, fits);
}

/** The longest text of a begin and an end of the name that fits. */
function cutInTheMiddle(name: string, fits: Fits): string {
  if (fits(name)) return name;
  const characters = [...name];
  const cut = (kept: number) => {
    const behind = Math.floor(kept / 2);
    return (
      characters.slice(0, kept - behind).join("") + ellipsis + characters.slice(characters.length - behind).join("")
    );
  };
  let [kept, tooMany] = [1, characters.length];
  while (kept + 1 < tooMany) {
    const middle = (kept + tooMany) >> 1;
    if (fits(cut(middle))) kept = middle;
    else tooMany = middle;
  }
  if (kept > 1 && fits(cut(kept))) return cut(kept);
  return fits(ellipsis) ? ellipsis : "";
}

/** Each name shortened; those that differ have different texts. */
export function shortNames(names: string[], fits: Fits): string[] {
  const different = [...new Set(names)];
  const labels = new Map(different.map((name) => [name, shortName(name, fits)]));
  const namesOf = new Map<string, string[]>();
  for (const [name, label] of labels) namesOf.set(label, [...(namesOf.get(label) ?? []), name]);
  for (const [label, same] of namesOf) {
    if (same.length < 2 || label === "" || tellApart(same, labels, fits)) continue;
    same.slice(1).forEach((name, i) => {
      const number = ` #${i + 2}`;
      labels.set(
        name,
        shortName(name, (text) => fits(text + number)),
      );
      labels.set(name, labels.get(name)! + number);
    });
  }
  return names.map((name) => labels.get(name)!);
}

/** Gives names with one label others, which keep the first element in which they differ; false if they cannot. */
function tellApart(same: string[], labels: Map<string, string>, fits: Fits): boolean {
  const elements = same.map((name) => name.split("/"));
  let kept = 0;
  while (elements.every((one) => kept < one.length && one[kept] === elements[0]![kept])) ++kept;
  if (elements.some((one) => kept >= one.length)) return false;
  const found = elements.map((one) => withElement(one, kept));
  const isTaken = new Set(labels.values());
  if (new Set(found).size < found.length || found.some((label) => isTaken.has(label) || !fits(label))) return false;
  same.forEach((name, i) => labels.set(name, found[i]!));
  return true;
}

function withElement(elements: string[], kept: number): string {
  const begin = (kept === 0 ? "" : `${ellipsis}/`) + elements[kept]!;
  if (kept + 1 >= elements.length) return begin;
  return `${begin}/${kept + 2 < elements.length ? `${ellipsis}/` : ""}${elements[elements.length - 1]!}`;
}

/** Neighbours together, by the names of the first and the last. */
export const rangeName = (first: number, last: number, nameOf: (one: number) => string): string =>
  first === last ? nameOf(first) : `${nameOf(first)} to ${nameOf(last)}`;
