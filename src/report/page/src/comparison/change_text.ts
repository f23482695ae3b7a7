// Changes in words. A sign says in which direction a value went.
import type { Cell } from "../charts/data_table";
import { durationText, percentText } from "../text/number_text";
import type { MetricChange, Pair } from "./comparison_types";

const unknownValue = "\u2013";

/** The text of a change, with the sign of its value. */
export const signed = (change: number, text: string): string => (change > 0 ? "+" : "\u2212") + text;

/** The text of the size of a change, with its sign. */
export const signedText = (change: number, textOf: (size: number) => string): string =>
  signed(change, textOf(Math.abs(change)));

function valueText(unit: string, value: number): string {
  return unit === "sec" ? durationText(value) : value.toLocaleString("en", { maximumSignificantDigits: 6 });
}
function knownText(unit: string, value: number | null, certainty: MetricChange["before_told"]): string {
  if (value !== null) return (certainty === "at least" ? "\u2265\u202f" : "") + valueText(unit, value);
  if (certainty === "exactly") return unknownValue;
  return certainty === "unknown" ? "cannot tell" : certainty;
}
/** The values of A and of B. */
export function valueTexts({ unit, before, before_told, after, after_told }: MetricChange): [string, string] {
  return [knownText(unit, before, before_told), knownText(unit, after, after_told)];
}

export function changeText({ unit, before, after, change }: MetricChange): string {
  if (change !== null) return change === 0 ? "same" : signedText(change, (size) => valueText(unit, size));
  if (before === null && after !== null) return "only in B";
  return after === null && before !== null ? "only in A" : "unknown";
}

/** The change of a metric with its relative size and the values of both runs. */
export function changeSentence(metricChange: MetricChange): string {
  const { change, relative } = metricChange;
  const [before, after] = valueTexts(metricChange);
  const share = relative === null || change === 0 ? "" : ` (${signedText(relative, percentText)})`;
  return `${changeText(metricChange)}${share}, from ${before} to ${after}`;
}

/** A number in a table, or a dash where there is none. */
export const cellOf = (value: string | number | null): Cell => value ?? unknownValue;
export const cellsOf = (pair: Pair): Cell[] => [cellOf(pair.before), cellOf(pair.after)];
