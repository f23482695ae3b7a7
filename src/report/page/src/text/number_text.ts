// Numbers as a reader sees them.

export const countText = (count: number): string => count.toLocaleString("en");

/** How many there are, with the verb: "1 message is", "2 messages are". */
export const plural = (count: number, noun: string): string =>
  `${countText(count)} ${noun}${count === 1 ? " is" : "s are"}`;

/** A duration as in all reports: four digits, in the unit in which they say most; 12,346 s where these are too few. */
export function durationText(seconds: number, digits = 4): string {
  if (seconds === 0) return "0 s";
  let value = Math.abs(seconds);
  const units = ["s", "ms", "\u00b5s", "ns"];
  let unit = units.shift()!;
  while (Number(value.toPrecision(digits)) < 1 && units.length > 0) {
    value *= 1000;
    unit = units.shift()!;
  }
  const rounded = Number(value.toPrecision(digits));
  const text =
    rounded < 1
      ? `${rounded}`
      : rounded < 10 ** (digits - 1)
        ? value.toPrecision(digits)
        : countText(Math.round(value));
  return `${seconds < 0 ? "-" : ""}${text} ${unit}`;
}

/** A share, where 1 is 100 %; a dash if it is not known. */
export function percentText(share: number): string {
  if (!Number.isFinite(share)) return "\u2013";
  if (share !== 0 && Math.abs(share) < 5e-6) return "< 0.001 %";
  return `${(100 * share).toFixed(share !== 0 && Math.abs(share) < 0.001 ? 3 : 1)} %`;
}

/** Digits without zeros at the end of their fraction. */
export function significantText(value: number, digits: number): string {
  return value.toPrecision(digits).replace(/\.0*(?=e|$)|(\.\d*?)0+(?=e|$)/, "$1");
}

/**
 * The unit of numbers by the heading of their column, as "sum (s)" has it: durations are scaled, shares have one digit
 * behind the point, others six digits at most.
 */
export function numberText(value: number, heading: string): string {
  return plainNumberText(value, heading).replace(/^-/, "\u2212");
}
function plainNumberText(value: number, heading: string): string {
  if (/^(from|to) \(s\)$/.test(heading)) return `${value.toFixed(6)} s`; // a time of the run
  if (isDuration(heading)) return durationText(value);
  if (/(^|\()%( of [^)]*)?\)?$|^% /.test(heading)) return percentText(value / 100);
  return Number.isInteger(value) ? countText(value) : significantText(value, 6);
}
const isDuration = (heading: string): boolean => /(^|\()s\)?$/.test(heading);
/** The heading of a column whose numbers have their own units. */
export const headingText = (heading: string): string =>
  isDuration(heading) ? heading.replace(/ ?\(?s\)?$/, "") || "duration" : heading;
