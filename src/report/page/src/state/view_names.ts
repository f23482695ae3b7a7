// The views of a report and the units of its values, with the words that the page shows for them.

export const viewTitles = {
  summary: "Summary",
  trees: "Trees",
  flat: "Flat",
  statistics: "Statistics",
  instances: "Instances",
  timeline: "Timeline",
  time: "Over time",
  phases: "Phases",
  path: "Critical path",
  matrix: "Who waits",
  communication: "Communication",
  topology: "Topology",
  counters: "Counters",
  trace: "Trace",
} as const;
export type ViewName = keyof typeof viewTitles;
export const viewNames = Object.keys(viewTitles) as ViewName[];

export type ValueUnit = "absolute" | "total" | "selection" | "peer";
export const valueUnits: ValueUnit[] = ["absolute", "total", "selection", "peer"];
/** `base`: the time that shares of the total refer to, in words. */
export const unitTitle = (unit: ValueUnit, base: string): string =>
  ({
    absolute: "values",
    total: `% of ${base}`,
    selection: "% of the selection to the left",
    peer: "% of the largest sibling",
  })[unit];
