// Damage and anomalies of a trace in words.
import type { Diagnostic, DiagnosticPlace } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { countText } from "../text/number_text";
import { visible } from "../text/visible_names";

/** How often something was found, and the largest error where it has a size. */
export function diagnosticText({ report }: ReportStore, { count, sentence, largest }: Diagnostic): string {
  const size = largest > 0 ? `; the largest error is ${report.durationText(largest)}` : "";
  return `${countText(count)} \u00d7 ${visible(sentence)}${size}`;
}

/** Where something was found: the location, the time, the thing itself. */
export function placeText({ report }: ReportStore, { location, time, text }: DiagnosticPlace): string {
  return [
    location === null ? "" : report.locationName(location),
    time === null ? "" : `at ${report.timeText(time)}`,
    visible(text),
  ]
    .filter((part) => part !== "")
    .join(" ");
}
