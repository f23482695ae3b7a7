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

let selectionInAddress: string | undefined; // undefined before the first address was written

/**
 * Writes the address. Another selection than that of the last call makes an entry of the history, so that the browser's
 * Back undoes it; `isRead`: the address itself was the reason.
 */
export function writeAddress(parts: string[], selection: string, isRead: boolean): void {
  const hash = `#${parts.join("&")}`;
  const isNew = selectionInAddress !== undefined && selection !== selectionInAddress && !isRead;
  selectionInAddress = selection;
  if (location.hash === hash) return;
  if (isNew) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
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
