// Who waits for whom in the selected wait state: as a matrix, as a graph, and where the culprits were meanwhile.
import { DataTable } from "../charts/data_table";
import { ownWaitHeading, type Report } from "../data/report";
import type { Table } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { countText } from "../text/number_text";
import { rangeName } from "../text/short_names";
import { locationsText } from "../trees/selection_text";
import { Matrix, type MatrixEntry } from "./matrix";
import { SelectionNote } from "./selection_note";
import { WaitGraph } from "./wait_graph";

/** A row of the table of pairs. Without a waiter the value is that of all waiters of large operations together. */
type PairRow = [culprit: number | null, waiter: number | null, count: number, ticks: number];
type CauseRow = [callPath: number | null, culprit: number | null, count: number, ticks: number];

const largestGraph = 64; // locations

export function WhoWaits({ store }: { store: ReportStore }) {
  const { report } = store;
  const waits = report.meta.waits?.[store.metric.id];
  if (!waits)
    return (
      <p>{`This report does not say which location waited for which in ${store.metricTitle}. Select a wait state.`}</p>
    );
  const pairs = waits.pairs.rows as PairRow[];
  const locations = store.values.locationsInSelection();
  const entries = pairs.flatMap(([culprit, waiter, , ticks]): MatrixEntry[] => {
    if (culprit === null || waiter === null) return [];
    if (locations && !locations.has(culprit) && !locations.has(waiter)) return [];
    return [{ row: culprit, column: waiter, value: ticks }];
  });
  const waitOf = new Map<number, number>();
  for (const [, waiter, , ticks] of pairs) if (waiter !== null) waitOf.set(waiter, (waitOf.get(waiter) ?? 0) + ticks);
  const ownWait = (culprit: number) => {
    const ticks = waitOf.get(culprit);
    return ticks ? `; ${report.locationName(culprit)} itself waits for ${report.durationText(ticks)} in all` : "";
  };
  const involved = new Set(entries.flatMap(({ row, column }) => [row, column]));
  const showInstances = (culprit: number, waiter: number) => store.showInstancesOf(culprit, waiter);
  return (
    <>
      <SelectionNote store={store} passesOver={["call path", "time"]} ofWaits />
      <Matrix
        store={store}
        id="matrix"
        moreText={ownWait}
        caption={
          `${store.metricTitle}: who makes whom wait` +
          (locations ? `, as far as ${locationsText(store)} takes part` : "")
        }
        count={report.meta.locations.length}
        perIndex={1}
        rowTitle="culprit"
        columnTitle="waiter"
        nameOf={(location) => report.locationName(location)}
        entries={entries}
        textOf={(ticks) => report.durationText(ticks)}
        unit="s"
        unitScale={1 / report.ticksPerSecond}
        onPick={showInstances}
      />
      <LargeOperations store={store} rows={pairs.filter(([, waiter]) => waiter === null)} ownWait={ownWait} />
      {involved.size > 0 && involved.size <= largestGraph && (
        <WaitGraph
          store={store}
          id="graph"
          caption={
            "The matrix as a graph: an arrow leads from a culprit to the location that waits for it; " +
            "grey: below a tenth of the longest"
          }
          edges={entries.map(({ row, column, value }) => ({ from: row, to: column, value }))}
          locations={[...involved].sort((a, b) => a - b)}
          columns={["culprit", "waiter", "s"]}
          textOf={({ from, to, value }) =>
            `${report.locationName(from)} makes ${report.locationName(to)} wait ${report.durationText(value)}` +
            ownWait(from)
          }
          cellOf={({ value }) => report.seconds(value)}
          onPick={showInstances}
        />
      )}
      <WaitGroups store={store} />
      <Causes store={store} causes={waits.causes} />
    </>
  );
}

function LargeOperations(props: { store: ReportStore; rows: PairRow[]; ownWait: (culprit: number) => string }) {
  const { store, rows, ownWait } = props;
  const { report } = store;
  if (rows.length === 0) return null;
  const culprits = rows.map(
    ([culprit, , , ticks]) =>
      `${report.locationName(culprit)} ${report.durationText(ticks)}${culprit === null ? "" : ownWait(culprit)}`,
  );
  return <p>{`In operations of more than 512 members only the culprits are known: ${culprits.join("; ")}.`}</p>;
}

/** Groups of processes that wait for each other, over all wait states. */
function WaitGroups({ store }: { store: ReportStore }) {
  const { report } = store;
  const groups = report.meta.wait_groups ?? [];
  if (groups.length === 0) return null;
  return (
    <>
      <h3>Locations that wait for each other, over all wait states</h3>
      <ul id="groups">
        {groups.map(({ processes, left_out, count, ticks, circle, circle_ticks }) => {
          const members = rangeNames(report, processes).join(", ") + (left_out ? ` and ${left_out} more` : "");
          const waits = `${countText(count)} waits, ${report.durationText(ticks)}`;
          return <li>{`${members}: ${waits}${circleText(report, circle, circle_ticks)}`}</li>;
        })}
      </ul>
    </>
  );
}

/** Processes that follow each other are named together. */
function rangeNames(report: Report, processes: number[]): string[] {
  const ranges: [first: number, last: number][] = [];
  for (const process of processes) {
    const range = ranges[ranges.length - 1];
    if (range && range[1] + 1 === process) range[1] = process;
    else ranges.push([process, process]);
  }
  return ranges.map(([first, last]) => rangeName(first, last, (process) => report.processName(process)));
}

/** A circle of processes that wait for each other, each at least `ticks`; empty if there is none. */
function circleText(report: Report, circle: number[], ticks: number): string {
  if (circle.length < 2) return "";
  const names = [...circle, circle[0]!].map((process) => report.processName(process));
  return `; in a circle ${names.join(" waits for ")}, at least ${report.durationText(ticks)} each`;
}

function Causes({ store, causes }: { store: ReportStore; causes: Table }) {
  const { report } = store;
  const rows = (causes.rows as CauseRow[]).slice().sort((a, b) => b[3] - a[3]);
  return (
    <>
      <h3>Where the culprits were meanwhile</h3>
      <DataTable
        store={store}
        id="causes"
        label={`causes of ${store.metricTitle}`}
        columns={["call path of the culprit", "culprit", "waits", "s", ownWaitHeading]}
        rows={rows.map(([callPath, culprit, count, ticks]) => ({
          cells: [
            report.callPathText(callPath),
            report.locationName(culprit),
            count,
            report.seconds(ticks),
            report.ownWaitPercent(callPath, culprit),
          ],
          ...(callPath === null ? {} : { onPick: () => store.selectCallPath(callPath) }),
        }))}
      />
    </>
  );
}
