// The text of a search in a tree.

/** Undefined: nothing is searched for; "invalid": the text is no regular expression. */
export type NameMatcher = ((name: string) => boolean) | "invalid" | undefined;

const expressionPrefix = "re:";

/** Finds names with a substring in letters of either case, or with a regular expression that stands behind "re:". */
export function nameMatcher(text: string): NameMatcher {
  if (text === "" || text === expressionPrefix) return undefined;
  if (!text.startsWith(expressionPrefix)) {
    const substring = text.toLowerCase();
    return (name) => name.toLowerCase().includes(substring);
  }
  try {
    const expression = new RegExp(text.slice(expressionPrefix.length), "i");
    return (name) => expression.test(name);
  } catch {
    return "invalid";
  }
}
