// Numbers as a reader sees them.

export const countText = (count: number): string => count.toLocaleString("en");

/** A duration in the largest unit that it has one of. Four significant digits are what a reader compares. */
export function durationText(seconds: number, digits = 4): string {
  if (seconds === 0) return "0";
  const size = Math.abs(seconds);
  const [scale, unit] =
    size >= 1 ? [1, "s"] : size >= 1e-3 ? [1e3, "ms"] : size >= 1e-6 ? [1e6, "\u00b5s"] : [1e9, "ns"];
  const number = seconds * scale;
  return `${Math.abs(number) >= 10 ** digits - 0.5 ? number.toFixed(0) : number.toPrecision(digits)} ${unit}`;
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
