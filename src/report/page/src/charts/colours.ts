// Colours. They can be told apart with all kinds of colour vision, and are those of the drawings of the Python module:
// colour_table.ts has those that both draw with.
import { drawnClasses, lessColour, moreColour, severityColours, type DrawnClass } from "./colour_table";

const darkScheme = matchMedia("(prefers-color-scheme: dark)"); // a chart asks for each of its thousands of marks
export const isDark = (): boolean => darkScheme.matches;
/** Of text and lines. */
export const inkColour = (): string => (isDark() ? "#e8e8e8" : "#1b1b1b");
/** Of what is less important, and can be seen on light and dark paper. */
export const greyColour = "#868c95";
/** Of lines that only guide the eye. */
export const faintColour = (): string => (isDark() ? "#565b63" : "#c3c7cd");
export const paperColour = (): string => (isDark() ? "#16181c" : "#ffffff");
export const criticalPathColour = (): string => (isDark() ? "#f0e442" : "#7a1fa2");
/** Of what ended a wait. */
export const wakeUpColour = (): string => (isDark() ? "#ff9d5c" : "#b34700");

export const otherColour = drawnClasses[drawnClasses.length - 1]!.colour;
export const computationColour = drawnClasses[0]!.colour;
export const highlightColour = moreColour;

/** The class of regions with which a region is drawn. */
export const drawnClassOf = (regionClass: string): DrawnClass =>
  drawnClasses.find(({ regions }) => regions.test(regionClass)) ?? drawnClasses[drawnClasses.length - 1]!;

/** Blue for -1, paper for 0, orange for 1. */
export function changeColour(change: number): string {
  if (!change) return paperColour();
  const strength = Math.min(1, Math.abs(change)) ** 0.5;
  return mixed("#f4f4f4", change < 0 ? lessColour : moreColour, strength);
}

/** Paper for 0, then from dark for little to bright for 1: the colour map cividis, which can be read even in grey. */
export function severityColour(share: number): string {
  if (!(share > 0)) return paperColour();
  const step = Math.round(Math.min(1, share) * severitySteps);
  return (mixedSeverities[step] ??= mixedSeverity(step / severitySteps));
}
const severitySteps = 1023; // neighbours look alike
const mixedSeverities: string[] = [];
function mixedSeverity(share: number): string {
  const place = share * (severityColours.length - 1);
  return mixed(severityColours[Math.floor(place)]!, severityColours[Math.ceil(place)]!, place - Math.floor(place));
}

function mixed(from: string, to: string, weight: number): string {
  const [begin, end] = [partsOf(from), partsOf(to)];
  return `rgb(${begin.map((part, i) => Math.round(part * (1 - weight) + end[i]! * weight)).join(" ")})`;
}

/** Red, green and blue, from 0 to 255, of a colour as the functions here return it. */
function partsOf(colour: string): number[] {
  if (colour.startsWith("#")) return [1, 3, 5].map((begin) => parseInt(colour.slice(begin, begin + 2), 16));
  return (colour.match(/\d+/g) ?? []).map(Number);
}

/** Black or white, whichever can be read better on the colour. */
export function textColourOn(colour: string): string {
  let found = textColours.get(colour);
  if (found === undefined) textColours.set(colour, (found = readableOn(colour)));
  return found;
}
const textColours = new Map<string, string>();
function readableOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => (part / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000" : "#fff";
}
