// Colours. They can be told apart with all kinds of colour vision, and are those of the drawings of the Python module
// (python/waitstate: plot.py, timeline.py).

export const isDark = (): boolean => matchMedia("(prefers-color-scheme: dark)").matches;
/** Of text and lines. */
export const inkColour = (): string => (isDark() ? "#e8e8e8" : "#1b1b1b");
/** Of lines that only guide the eye. */
export const faintColour = (): string => (isDark() ? "#565b63" : "#c3c7cd");
export const paperColour = (): string => (isDark() ? "#16181c" : "#ffffff");
export const criticalPathColour = (): string => (isDark() ? "#f0e442" : "#7a1fa2");
/** Of what ended a wait. */
export const wakeUpColour = (): string => (isDark() ? "#ff9d5c" : "#b34700");

/** For things that stand beside each other. */
export const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#f0e442"];
export const computationColour = "#7fb2d6";
export const largestComputationColour = "#0b5cad";
export const highlightColour = "#d55e00";
export const otherColour = "#9aa0a6";

const coloursOfRegionClasses: [RegExp, string][] = [
  [/^comp/, computationColour],
  [/device|accelerator|cuda|hip|kernel/, "#56b4e9"],
  [/omp|pthread|thread|task/, "#009e73"],
  [/rma|shmem|one_sided|onesided/, "#cc79a7"],
  [/coll|sync|barrier/, "#e69f00"],
  [/point|p2p/, "#d55e00"],
  [/mpi/, otherColour],
];
export function regionColour(regionClass: string): string {
  return coloursOfRegionClasses.find(([name]) => name.test(regionClass))?.[1] ?? otherColour;
}

/** Blue for -1, a white that is like paper for 0, orange for 1. */
export function changeColour(change: number): string {
  const strength = Math.min(1, Math.abs(change || 0)) ** 0.5;
  const [red, green, blue] = change < 0 ? [0x00, 0x72, 0xb2] : [0xd5, 0x5e, 0x00];
  const mixed = (part: number) => Math.round(0xf4 + (part - 0xf4) * strength);
  return `rgb(${mixed(red!)} ${mixed(green!)} ${mixed(blue!)})`;
}

// The colour map cividis at eleven places; it can be read even in grey.
const cividis = [
  "#00204d",
  "#00306f",
  "#2a406c",
  "#48526b",
  "#5e626e",
  "#727374",
  "#878479",
  "#9e9677",
  "#b6a971",
  "#d0be67",
  "#ffea46",
];
/** From dark for 0 to bright for 1. */
export function severityColour(share: number): string {
  const place = Math.max(0, Math.min(1, share || 0)) * (cividis.length - 1);
  const below = partsOf(cividis[Math.floor(place)]!);
  const above = partsOf(cividis[Math.ceil(place)]!);
  const weight = place - Math.floor(place);
  const mixed = below.map((part, i) => Math.round(part * (1 - weight) + above[i]! * weight));
  return `rgb(${mixed.join(" ")})`;
}

/** Red, green and blue, from 0 to 255, of a colour as the functions here return it. */
function partsOf(colour: string): number[] {
  if (colour.startsWith("#")) return [1, 3, 5].map((begin) => parseInt(colour.slice(begin, begin + 2), 16));
  return (colour.match(/\d+/g) ?? []).map(Number);
}

/** Black or white, whichever can be read better on the colour. */
export function textColourOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => (part / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000" : "#fff";
}
