// The trace itself: where it is from, the machine, its locations and events, what is odd about it, and what of the
// report has no view of its own: software counters, message queues, functions.
import { DataTable, type Cell, type TableRow } from "../charts/data_table";
import { records } from "../data/record_tables";
import { Details, Facts, List, Note } from "../frame/elements";
import type { DiagnosticPair, MessageQueues, NamedValue } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { visible } from "../text/visible_names";
import { diagnosticText, placeText } from "./diagnostic_text";
import { SelectionNote } from "./selection_note";

export function TraceView({ store }: { store: ReportStore }) {
  return (
    <>
      <SelectionNote store={store} passesOver={["metric", "call path", "time"]} />
      <TraceFacts store={store} />
      <Hosts store={store} />
      <Locations store={store} />
      <Diagnostics store={store} />
      <Events store={store} />
      <Regions store={store} />
      <SoftwareCounters store={store} />
      <Queues store={store} />
    </>
  );
}

const namedText = ({ name, value }: NamedValue): string => `${visible(name)} = ${visible(value)}`;
const wordText = (value: string | number): string => visible(String(value)).replaceAll("_", " ");

function TraceFacts({ store }: { store: ReportStore }) {
  const { report } = store;
  const { trace, paradigms, programs, communicators } = report.meta;
  const { clock } = trace;
  return (
    <>
      <h2>Trace</h2>
      <Facts
        facts={[
          ["file", visible(trace.path)],
          ["description", visible(trace.description)],
          ["recorder", visible(trace.creator)],
          ["OTF2", visible(trace.otf2_version)],
          ["id", visible(trace.trace_id)],
          ["clock", `${clock.ticks_per_second.toLocaleString("en")} ticks per second`],
          ["recorded", report.durationText(clock.length)],
          [
            "programming models",
            paradigms.map(({ name, class: kind }) => `${visible(name)} (${wordText(kind)})`).join(", "),
          ],
          ["programs", programs.map(visible).join(", ")],
          [
            "communicators",
            communicators
              .map(({ name, self }) => visible(name || "(no name)") + (self ? " (each process)" : ""))
              .join(", "),
          ],
        ]}
      />
      {trace.properties.length > 0 && (
        <Details title={`Notes of the recorder (${trace.properties.length})`}>
          <List items={trace.properties.map(namedText)} />
        </Details>
      )}
    </>
  );
}

function Hosts({ store }: { store: ReportStore }) {
  const { hosts } = store.report.meta;
  if (hosts.length === 0) return <Note>The trace names no hosts.</Note>;
  return (
    <DataTable
      store={store}
      id="hosts"
      label="Hosts, and the ranks that ran on them"
      columns={["host", "processes", "ranks"]}
      rows={hosts.map(({ name, processes, ranks }) => ({
        cells: [visible(name), processes.length, rangesText(ranks)],
      }))}
    />
  );
}

/** Ascending numbers as "0-3, 7". */
function rangesText(numbers: number[]): string {
  const ranges: string[] = [];
  for (let first = 0; first < numbers.length;) {
    let last = first;
    while (numbers[last + 1] === numbers[last]! + 1) ++last;
    ranges.push(last === first ? `${numbers[first]}` : `${numbers[first]}-${numbers[last]}`);
    first = last + 1;
  }
  return ranges.join(", ");
}

function Locations({ store }: { store: ReportStore }) {
  const { report } = store;
  const { locations, processes, system_tree, hosts } = report.meta;
  const chosen = store.values.locationsInSelection();
  const hostOf = new Map(hosts.flatMap(({ name, processes: all }) => all.map((process) => [process, name] as const)));
  const nodeName = (node: number | null) => (node === null ? "" : visible(system_tree[node]!.name));
  const rows = locations.flatMap((location, i): TableRow[] => {
    if (chosen && !chosen.has(i)) return [];
    const { type, process, events, first_time, last_time, last_callpath = null, last_enter } = location;
    const owner = process === null ? undefined : processes[process]!;
    return [
      {
        cells: [
          report.locationName(i),
          wordText(type),
          visible((process === null ? undefined : hostOf.get(process)) ?? nodeName(owner?.system_tree_node ?? null)),
          events,
          report.secondsFromStart(first_time),
          report.secondsFromStart(last_time),
          last_callpath === null || last_enter === undefined
            ? ""
            : `${report.callPathText(last_callpath)}, since ${report.timeText(last_enter)}`,
          owner ? owner.properties.map(namedText).join(", ") : "",
        ],
        onPick: () => store.selectLocation(i),
      },
    ];
  });
  return (
    <DataTable
      store={store}
      id="locations"
      label="Locations"
      columns={[
        "location",
        "kind",
        "runs on",
        "events",
        "from (s)",
        "to (s)",
        "was in, at its end",
        "settings of its process",
      ]}
      rows={rows}
    />
  );
}

function Diagnostics({ store }: { store: ReportStore }) {
  const { diagnostics, diagnostic_pairs } = store.report.meta;
  const found = diagnostics.filter(({ count }) => count > 0);
  const severities = { loss: "missing", odd: "anomaly", note: "note" } as const;
  const pairs = records<DiagnosticPair>(diagnostic_pairs);
  const { report } = store;
  return (
    <>
      <h3>Damage, anomalies, notes</h3>
      <Note>{`Found: ${found.length} of the ${diagnostics.length} kinds that were looked for.`}</Note>
      {found.length > 0 && (
        <DataTable
          store={store}
          id="diagnostics"
          label="All kinds that were found, with the first places"
          columns={["kind", "is", "what", "places"]}
          rows={found.map((diagnostic) => ({
            cells: [
              visible(diagnostic.id),
              severities[diagnostic.severity],
              diagnosticText(store, diagnostic),
              diagnostic.places.map((place) => placeText(store, place)).join("; "),
            ],
          }))}
        />
      )}
      {pairs.length > 0 && (
        <DataTable
          store={store}
          id="diagnostic-pairs"
          label="Between two processes"
          columns={["kind", "sender", "receiver", "number", "largest error (s)"]}
          rows={pairs.map(({ diagnostic, sender, receiver, count, largest }) => ({
            cells: [
              visible(diagnostic),
              sender === null ? "" : report.processName(sender),
              receiver === null ? "" : report.processName(receiver),
              count,
              report.seconds(largest),
            ],
          }))}
        />
      )}
    </>
  );
}

function Events({ store }: { store: ReportStore }) {
  const types = Object.entries(store.report.meta.events_by_type);
  return (
    <DataTable
      store={store}
      id="events"
      label="Events by type"
      columns={["type", "events"]}
      rows={types.map(([type, count]) => ({ cells: [visible(type), count] }))}
    />
  );
}

function Regions({ store }: { store: ReportStore }) {
  const { report } = store;
  const { regions } = report.meta;
  return (
    <Details title={`Functions and other regions (${regions.length})`}>
      <DataTable
        store={store}
        id="regions"
        label="Functions and other regions"
        columns={["name", "place", "to line", "model", "role", "time belongs to", "other name", "description"]}
        rows={regions.map((region, i) => ({
          cells: [
            report.regionName(i),
            report.sourceOfRegion(i, true) || visible(region.file),
            region.end_line === 0 ? "" : region.end_line,
            wordText(region.paradigm),
            wordText(region.role),
            report.metricTitle(region.region_class),
            region.canonical_name === region.name ? "" : visible(region.canonical_name),
            visible(region.description),
          ],
        }))}
      />
    </Details>
  );
}

function SoftwareCounters({ store }: { store: ReportStore }) {
  const { software_counters: counters = [] } = store.report.meta;
  if (counters.length === 0) return null;
  const cells = (values: number[]): Cell[] =>
    values.length === 0
      ? ["", "", ""]
      : [
          values.reduce((a, b) => a + b),
          values.reduce((a, b) => Math.min(a, b)),
          values.reduce((a, b) => Math.max(a, b)),
        ];
  return (
    <Details title={`Software performance counters of Open MPI, as far as the trace tells them (${counters.length})`}>
      <DataTable
        store={store}
        id="software-counters"
        label="All processes together, and the least and the greatest of a process"
        columns={["name", "in all", "least", "greatest", "the library's value is", "in the paper", "meaning"]}
        rows={counters.map(({ name, meaning, bound, of_paper, values }) => ({
          cells: [visible(name), ...cells(values), bound, of_paper ? "yes" : "no", visible(meaning)],
        }))}
      />
    </Details>
  );
}

function Queues({ store }: { store: ReportStore }) {
  const { queues } = store.report.meta;
  return queues ? <QueueTables store={store} queues={queues} /> : null;
}

function QueueTables({ store, queues }: { store: ReportStore; queues: MessageQueues }) {
  const { report } = store;
  const { communicators } = report.meta;
  const profiles = queues.profiles.flatMap(({ process, communicator, posted, unexpected }) =>
    (
      [
        ["posted receives", posted],
        ["unexpected messages", unexpected],
      ] as const
    ).map(([name, queue]): TableRow => ({
      cells: [
        report.processName(process),
        communicator === null ? "all" : visible(communicators[communicator]!.name),
        name,
        queue.entered,
        queue.remaining,
        queue.greatest_length,
        report.seconds(queue.populated),
        report.seconds(queue.total),
        report.seconds(queue.greatest),
        queue.search_greatest,
        queue.source_greatest,
      ],
    })),
  );
  const length = (queues.to - queues.from) / Math.max(1, queues.parts.length);
  return (
    <Details title={`Message queues of MPI (${queues.profiles.length})`}>
      <DataTable
        store={store}
        id="queues"
        label="Queues by process and communicator"
        columns={[
          "process",
          "communicator",
          "queue",
          "entered",
          "left",
          "longest",
          "not empty (s)",
          "time of entries (s)",
          "longest stay (s)",
          "deepest search",
          "deepest search by sender",
        ]}
        rows={profiles}
      />
      <DataTable
        store={store}
        id="queue-parts"
        label="Over time: the longest queue of a process, and the mean of all together"
        columns={["from (s)", "posted, longest", "unexpected, longest", "posted, mean", "unexpected, mean"]}
        rows={queues.parts.map((part, i) => ({
          cells: [
            report.secondsFromStart(queues.from + i * length),
            part.posted_greatest,
            part.unexpected_greatest,
            part.posted_mean,
            part.unexpected_mean,
          ],
        }))}
      />
    </Details>
  );
}
