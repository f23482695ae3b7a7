// The selection in words.
import type { ReportStore } from "../state/report_store";
import type { TimeRange } from "../state/time_range";

export function metricsText({ metrics, metricTitle }: ReportStore): string {
  const { selected } = metrics;
  if (selected.length > 1) return `${selected.length} metrics`;
  return metricTitle + (metrics.isExclusive(selected[0]!) ? " (itself)" : "");
}

export function callPathsText({ callPaths, report }: ReportStore): string {
  const { selected } = callPaths;
  if (selected.length === 0) return "all call paths";
  if (selected.length > 1) return `${selected.length} call paths`;
  const node = selected[0]!;
  const name = report.callPathText(node);
  if (report.callTree.children[node]!.length === 0) return name;
  return name + (callPaths.isExclusive(node) ? " (itself)" : " (with callees)");
}

export function locationsText({ places, report }: ReportStore): string {
  const { selected } = places;
  if (selected.length === 0) return "all locations";
  return selected.length === 1 ? report.placeName(selected[0]!) : `${selected.length} locations`;
}

export function timeText({ report, time }: ReportStore): string {
  return time === null ? "the whole run" : rangeText(time, (ticks) => report.timeText(ticks));
}
const rangeText = ([from, to]: TimeRange, textOf: (time: number) => string): string =>
  `${textOf(from)} to ${textOf(to)}`;

/** The parts of the selection that a view may pass over. */
export type SelectionPart = "metric" | "call path" | "place" | "time";

/** What a view shows instead of the parts of the selection that it passes over; empty if it passes over none. */
export function passedOverText(store: ReportStore, passedOver: SelectionPart[]): string {
  const { callPaths, places, time } = store;
  const parts: string[] = [];
  if (passedOver.includes("metric")) parts.push(`all metrics (not only ${metricsText(store)})`);
  if (passedOver.includes("call path") && callPaths.selected.length > 0)
    parts.push(`all call paths (not only ${callPathsText(store)})`);
  if (passedOver.includes("place") && places.selected.length > 0)
    parts.push(`all locations (not only ${locationsText(store)})`);
  if (passedOver.includes("time") && time !== null) parts.push(`the whole run (not only ${timeText(store)})`);
  if (parts.length === 0) return "";
  return `Shown here: ${parts.join("; ")}.`;
}

/** Is said where a page with a limit of its size lacks values. */
export const valuesNotStored = "single values do not fit into this file";
