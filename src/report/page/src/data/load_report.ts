// Reads a report from its sections.
import type { ReportDocument } from "../report_types";
import { checkReferences } from "./check_references";
import { Report } from "./report";
import { damaged, PageError, type Sections } from "./sections";

export async function loadReport(sections: Sections): Promise<Report> {
  const meta = await sections.json<ReportDocument>("meta");
  if (!meta)
    throw new PageError(
      "This file holds no report: its section meta is missing. Write it again with waitstate analyze -o.",
    );
  if (meta.format !== "waitstate" || meta.version !== 2)
    throw new PageError(
      `The report in this file has version ${String(meta.version)} of the format; this page reads version 2.`,
    );
  const omissions = (await sections.json<string[]>("reduced")) ?? [];
  try {
    checkReferences(meta);
    return new Report(meta, sections, omissions);
  } catch (error) {
    throw error instanceof PageError ? error : damaged(`its definitions are incomplete (${String(error)})`);
  }
}
