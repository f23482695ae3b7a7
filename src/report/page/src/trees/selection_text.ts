// The selection in words.
import type { ReportStore } from "../state/report_store";

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
  const name = report.callPathName(node);
  if (report.callTree.children[node]!.length === 0) return name;
  return name + (callPaths.isExclusive(node) ? " (itself)" : " (with callees)");
}

export function locationsText({ places, report }: ReportStore): string {
  const { selected } = places;
  if (selected.length === 0) return "all locations";
  return selected.length === 1 ? report.placeName(selected[0]!) : `${selected.length} locations`;
}

/** Is said where a page with a limit of its size lacks values. */
export const valuesNotStored = "single values do not fit into this file";
