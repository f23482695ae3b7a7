// The address of the page. It holds the whole state, so that a link leads to the same place: names and
// values after the number sign, as "v=trees&c=3&oc=0-2,7".

/** The pairs of name and text in the address. */
export function addressParts(): [string, string][] {
  return location.hash
    .slice(1)
    .split("&")
    .map((part) => part.split("="))
    .map(([name, text = ""]) => [name!, text]);
}

/** Replaces the address without another entry of the history. */
export function replaceAddress(parts: string[]): void {
  const hash = `#${parts.join("&")}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

/** An address may come from anybody; more words than this are not read. */
export const mostWords = 100;

/** The decoded text, or an empty one if it cannot be decoded. */
export function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Undefined if the text is no number, or has more than nine digits. */
export const numberOf = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);

/** Numbers in ascending order as "0-3,7". */
export function rangesText(numbers: Iterable<number>): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  const ranges: string[] = [];
  for (let first = 0; first < sorted.length;) {
    let last = first;
    while (sorted[last + 1] === sorted[last]! + 1) ++last;
    ranges.push(last === first ? `${sorted[first]}` : `${sorted[first]}-${sorted[last]}`);
    first = last + 1;
  }
  return ranges.join(",");
}

/** The numbers of a text as rangesText() writes it, as far as they are below `limit`. */
export function numbersOfRanges(text: string, limit: number): number[] {
  const numbers: number[] = [];
  for (const range of text.split(",")) {
    const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range) ?? [];
    for (let number = Number(from); number <= Number(to) && number < limit; ++number) numbers.push(number);
  }
  return numbers;
}
