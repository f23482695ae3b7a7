// Colours by what they mean. src/report/fields/generate.py writes this file: colours.json has the colours, which the
// Python module draws with, too.

/** A class of regions: the first one whose expression matches the region's class has it. */
export interface DrawnClass {
  name: string;
  colour: string;
  regions: RegExp;
}
export const drawnClasses: DrawnClass[] = [
  { name: "computation", colour: "#7fb2d6", regions: /^comp/ },
  { name: "device", colour: "#56b4e9", regions: /device|accelerator|cuda|hip|kernel/ },
  { name: "threads", colour: "#009e73", regions: /omp|pthread|thread|task/ },
  { name: "one-sided", colour: "#cc79a7", regions: /rma|shmem|one_sided|onesided/ },
  { name: "collective", colour: "#e69f00", regions: /coll|sync|barrier/ },
  { name: "point to point", colour: "#d55e00", regions: /point|p2p/ },
  { name: "other", colour: "#9aa0a6", regions: /(?:)/ },
];
export const severityColours = [
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
export const lessColour = "#0072b2";
export const moreColour = "#d55e00";
export const runAColour = "#0072b2";
export const runBColour = "#d55e00";
export const largestComputationColour = "#0b5cad";
export const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#f0e442"];
