// The counters of the trace by call path and location, beside the wait or time of the call path.
import { DataTable } from "../charts/data_table";
import { records } from "../data/record_tables";
import type { Index } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { visible } from "../text/visible_names";
import { metricsText } from "../trees/selection_text";
import { SelectionNote } from "./selection_note";

interface CounterRow {
  callpath: number;
  location: number;
  samples: number;
  least: number;
  greatest: number;
  mean?: Index; // only counters with absolute values have it
  rate?: Index; // only other counters have it
}

export function Counters({ store }: { store: ReportStore }) {
  const { counters = {}, events_by_type = {} } = store.report.meta;
  const ids = Object.keys(counters);
  const callPathValues = store.values.byCallPath();
  if (ids.length === 0) {
    const types = Object.keys(events_by_type);
    const mayHaveSome = types.length === 0 || types.includes("METRIC");
    return (
      <p>
        {mayHaveSome
          ? "This report does not contain the counters of the trace, if it has any."
          : "The trace has no counters."}
      </p>
    );
  }
  return (
    <>
      <SelectionNote store={store} passesOver={["time"]} />
      {ids.map((id, i) => (
        <CounterTable store={store} tableId={`counter-${i}`} counterId={id} callPathValues={callPathValues} />
      ))}
    </>
  );
}

interface CounterTableProps {
  store: ReportStore;
  tableId: string;
  counterId: string;
  callPathValues: Float64Array | undefined; // values of the selected metrics
}
function CounterTable({ store, tableId, counterId, callPathValues }: CounterTableProps) {
  const { report } = store;
  const { kind, unit, severity_unit, values } = report.meta.counters[counterId]!;
  const title = report.metricTitle(counterId);
  const isAbsolute = kind === "absolute";
  const hasTime = store.metric.unit === "ticks";
  const isSelected = store.values.callPathsInSelection();
  const locations = store.values.locationsInSelection();
  const rows = records<CounterRow>(values).filter(
    ({ callpath, location }) => isSelected[callpath] === 1 && (!locations || locations.has(location)),
  );
  const timeOf = (callPath: number) => (callPathValues ? report.seconds(callPathValues[callPath]!) : "");
  return (
    <DataTable
      store={store}
      id={tableId}
      label={`${title} in ${visible(unit)}${hasTime ? `, beside ${metricsText(store)}` : ""}`}
      columns={[
        "call path",
        "location",
        "values",
        "least",
        "greatest",
        isAbsolute ? "mean" : `rate (${visible(severity_unit)}/s)`,
        ...(hasTime ? ["call path's wait or time (s)"] : []),
      ]}
      rows={rows.map(({ callpath, location, samples, least, greatest, mean, rate }) => ({
        cells: [
          report.callPathName(callpath),
          report.locationName(location),
          samples,
          least,
          greatest,
          (isAbsolute ? mean : rate) ?? "",
          ...(hasTime ? [timeOf(callpath)] : []),
        ],
        onPick: () => store.selectCallPath(callpath),
      }))}
    />
  );
}
