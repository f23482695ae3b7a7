// Names of a trace are hostile: they may be very long, invisible, or turn the direction of writing. Every name that the
// page shows passes visible().

const longestName = 2000;

/** Whether a name was cut since the page was opened, and whether the reader has asked for whole names. */
export const nameLength = { limit: longestName, wasExceeded: false };

export const showsWholeNames = (): boolean => nameLength.limit > longestName;
export function showWholeNames(whole: boolean): void {
  nameLength.limit = whole ? Infinity : longestName;
}

// Control characters, soft hyphens, spaces of no width, and characters that change the direction of writing.
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The name with visible escapes for invisible characters, cut where it is too long. */
export function visible(name: string): string {
  const isLong = name.length > nameLength.limit;
  if (isLong) nameLength.wasExceeded = true;
  const shown = isLong ? `${name.slice(0, nameLength.limit)}\u2026` : name;
  return shown.replace(invisible, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
