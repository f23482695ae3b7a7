// An instance of a wait state in words.
import type { WaitCause, SevereInstance } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { countText, percentText } from "../text/number_text";
import { visible } from "../text/visible_names";

/** Who waited for whom, how long and where; and whether the culprit waited itself, as it is not the reason then. */
export function instanceText(store: ReportStore, instance: SevereInstance): string {
  const { report } = store;
  const { longest, waiters, total, callpath } = instance;
  const { location, ticks, culprit, culprit_callpath } = longest;
  const waiter = report.locationName(location);
  const duration = report.durationText(ticks);
  const who =
    waiters > 1
      ? `${waiters} locations waited ${report.durationText(total)} in total, ${waiter} longest: ${duration}`
      : `${waiter} waited ${duration}`;
  const where = ` in ${report.callPathText(callpath)}`;
  if (culprit === null) return who + where;
  const culpritPlace = culprit_callpath === null ? "" : `, which was in ${report.callPathText(culprit_callpath)}`;
  return `${who}${where} for ${report.locationName(culprit)}${culpritPlace}${culpritWaitText(store, instance)}`;
}

const leastShareTold = 0.01;

/** "; it itself waited for 3.000 ms (50.0 %) of that time for …"; empty if it hardly waited, or if this is unknown. */
function culpritWaitText({ report }: ReportStore, { culprit_wait, longest }: SevereInstance): string {
  if (!culprit_wait || culprit_wait.ticks < leastShareTold * longest.ticks) return "";
  const { ticks, most, culprit, callpath } = culprit_wait;
  const whom = culprit === null ? "" : ` for ${report.locationName(culprit)}`;
  const where = callpath === null ? "" : ` in ${report.callPathText(callpath)}`;
  const largest = most === ticks ? "" : `, most of it (${report.durationText(most)})`;
  const share = percentText(ticks / longest.ticks);
  return `; it itself waited for ${report.durationText(ticks)} (${share}) of that time${largest}${whom}${where}`;
}

const kindsOfCauses: Record<string, string> = {
  message: "a message",
  collective: "a collective operation",
  transfer: "one-sided communication",
  lock: "a lock",
  team: "a barrier of threads",
  task: "tasks",
  device: "an accelerator",
};

/** What ended the wait. */
export function causeText({ report }: ReportStore, cause: WaitCause): string {
  const { operation, bytes, tag, communicator, sent, received } = cause;
  const kind = kindsOfCauses[cause.kind] ?? visible(cause.kind);
  const parts = [operation === null ? kind : `${kind} (${visible(String(operation))})`];
  if (bytes !== null) parts.push(`${countText(bytes)} bytes`);
  if (tag !== null) parts.push(`tag ${tag}`);
  if (communicator !== null)
    parts.push(`in ${visible(report.meta.communicators[communicator]?.name || `communicator ${communicator}`)}`);
  if (sent !== null) parts.push(`sent at ${report.timeText(sent)}`);
  if (received !== null) parts.push(`received at ${report.timeText(received)}`);
  return parts.join(", ");
}

/** Selects another instance, `distance` behind the selected one, and says which. */
export function stepToInstance(store: ReportStore, distance: number): void {
  const shown = store.instances();
  if (shown.length === 0) return;
  const current = shown.indexOf(store.selectedInstance()!);
  const next = shown[(current + distance + shown.length) % shown.length]!;
  store.selectInstance(next);
  store.announce(instanceText(store, next));
}
