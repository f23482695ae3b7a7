// Lists of locations as the command line has them: numbers and ranges, as "0-3,7".

/** Undefined if the text is no such list. */
export function numbersOfRanges(text: string): Set<number> | undefined {
  const numbers = new Set<number>();
  for (const part of text.split(",").map((word) => word.trim())) {
    const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    if (first === undefined || Number(last) < Number(first) || Number(last) - Number(first) > 1e6) return undefined;
    for (let number = Number(first); number <= Number(last); ++number) numbers.add(number);
  }
  return numbers;
}

export function rangesOfNumbers(numbers: Iterable<number>): string {
  const ranges: [number, number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges[ranges.length - 1];
    if (last && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}
