// An instance of a wait state in words.
import type { WaitCause, SevereInstance } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { countText } from "../text/number_text";
import { visible } from "../text/visible_names";

/** Who waited for whom, how long and where. */
export function instanceText({ report }: ReportStore, { longest, waiters, total, callpath }: SevereInstance): string {
  const { location, ticks, culprit, culprit_callpath } = longest;
  const waiter = report.locationName(location);
  const duration = report.durationText(ticks);
  const who =
    waiters > 1
      ? `${waiters} waited ${report.durationText(total)} in total, ${waiter} longest: ${duration}`
      : `${waiter} waited ${duration}`;
  const where = ` in ${report.callPathName(callpath)}`;
  if (culprit === null) return who + where;
  const culpritPlace = culprit_callpath === null ? "" : `, which was in ${report.callPathName(culprit_callpath)}`;
  return `${who}${where} for ${report.locationName(culprit)}${culpritPlace}`;
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
  const count = store.instances().length;
  if (count === 0) return;
  store.instance = (store.instance + distance + count) % count;
  store.announce(instanceText(store, store.instances()[store.instance]!));
}
