// The calls that never ended: in a run that hung nothing else matters, so this stands before everything else. The
// sentences are those of the text report; the picture shows who waits for whom, and the table all of these calls.
import { DataTable } from "../charts/data_table";
import { List } from "../frame/elements";
import type { OpenCall, OpenWait } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { countText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { WaitGraph, type GraphEdge } from "./wait_graph";

const largestGraph = 64; // locations

export function NeverEnded({ store }: { store: ReportStore }) {
  const { report } = store;
  const { open_calls, never_ended = [] } = report.meta;
  if (open_calls.length === 0) return null;
  const edges = edgesOf(store);
  const locations = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  return (
    <section id="never-ended" class="warning" aria-label="Calls that never ended">
      <h2>This run did not end</h2>
      <List items={never_ended.map(visible)} />
      {edges.length > 0 && locations.length <= largestGraph && (
        <WaitGraph
          store={store}
          id="open-calls"
          caption={
            "Who waits for whom when the trace ends: an arrow leads from a location to the one that it waits for" +
            (report.meta.deadlocks.length > 0 ? "; orange ones are a deadlock" : "")
          }
          edges={edges}
          locations={locations}
          columns={["location", "waits for", "in"]}
          textOf={({ from, to }) =>
            `${report.locationName(from)} waits for ${report.locationName(to)} in ${callsOf(store, from)}`
          }
          cellOf={({ from }) => callsOf(store, from)}
        />
      )}
      <DataTable
        store={store}
        id="open-calls-table"
        label="Calls that never ended"
        columns={["location", "in", "from (s)", "waits for", "messages that nobody received"]}
        rows={open_calls.map((call) => ({
          cells: [
            report.locationName(call.location),
            callName(store, call),
            report.secondsFromStart(call.enter),
            call.waits.map((wait) => waitText(store, wait)).join("; "),
            unreceivedText(store, call),
          ],
          onPick: () => store.goTo(call.location, call.callpath),
        }))}
      />
    </section>
  );
}

function edgesOf({ report }: ReportStore): GraphEdge[] {
  const { open_calls, deadlocks } = report.meta;
  const inCircle = new Set(
    deadlocks.flatMap((circle) => circle.map((from, i) => `${from} ${circle[(i + 1) % circle.length]}`)),
  );
  const edges = new Map<string, GraphEdge>();
  for (const { location, waits } of open_calls)
    for (const { whom } of waits)
      for (const to of whom) {
        const key = `${location} ${to}`;
        edges.set(key, { from: location, to, value: 1, isMarked: inCircle.has(key) });
      }
  return [...edges.values()];
}

const callName = ({ report }: ReportStore, { callpath, region }: OpenCall): string =>
  callpath === null ? report.regionName(region) : report.callPathText(callpath);
const callsOf = (store: ReportStore, location: number): string =>
  store.report.meta.open_calls
    .filter((call) => call.location === location)
    .map((call) => callName(store, call))
    .join(", ");

const kindsOfWaits: Record<OpenWait["kind"], string> = {
  receive: "a message from",
  send: "the receive of its message by",
  collective: "the arrival at an operation of",
  window: "the arrival at a window of",
  lock: "a lock of a window held by",
  thread_lock: "a lock held by",
};
const mostNamed = 8;

function waitText({ report }: ReportStore, { kind, communicator, target, tag, whom, any }: OpenWait): string {
  const named = whom.slice(0, mostNamed).map((location) => report.locationName(location));
  const more = whom.length > named.length ? ` and ${whom.length - named.length} more` : "";
  const who = whom.length === 0 ? "somebody" : named.join(any ? " or " : ", ") + more;
  const details = [
    tag === null ? "" : `tag ${tag}`,
    communicator === null ? "" : `on ${visible(report.meta.communicators[communicator]!.name || "a communicator")}`,
    target === null ? "" : `at ${report.locationName(target)}`,
  ].filter((text) => text !== "");
  return `${kindsOfWaits[kind]} ${who}${details.length > 0 ? ` (${details.join(" ")})` : ""}`;
}

function unreceivedText({ report }: ReportStore, { unreceived = [] }: OpenCall): string {
  return unreceived
    .map(({ sender, communicator, tag, count }) => {
      const where = communicator === null ? "" : ` on ${visible(report.meta.communicators[communicator]!.name)}`;
      return `${countText(count)} from ${report.locationName(sender)} (tag ${tag}${where})`;
    })
    .join(", ");
}
