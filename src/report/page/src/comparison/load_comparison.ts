// Reads a comparison from its sections. Beside it stands a report whose values are those of run B less those of run A.
import { loadReport } from "../data/load_report";
import type { Report } from "../data/report";
import { PageError, type Sections } from "../data/sections";
import type { Comparison } from "./comparison_types";

/** Undefined: they are the report of one run. */
export async function loadComparison(
  sections: Sections,
): Promise<{ comparison: Comparison; report: Report } | undefined> {
  const comparison = await sections.json<Comparison>("diff");
  if (!comparison) return undefined;
  const report = await loadReport(sections);
  if (comparison.format !== "waitstate diff" || comparison.version !== 2)
    throw new PageError(
      `The comparison in this file has version ${String(comparison.version)} of the format; this page reads version 2.`,
    );
  const { meta } = report;
  meta.problems = []; // the report has the problems of one run
  const changes = new Map(comparison.metrics.map((change) => [change.metric, change]));
  for (const metric of meta.metrics)
    metric.told = metric.aggregation || changes.get(metric.id)?.change === null ? "unknown" : "exactly";
  return { comparison, report };
}
