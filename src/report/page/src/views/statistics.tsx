// How long single waits are: of all wait states, and of the selected one by call path and as a histogram.
import { records } from "../data/record_tables";
import { Note } from "../frame/elements";
import type { WaitStatistics } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { visible } from "../text/visible_names";
import { callPathsText } from "../trees/selection_text";
import { BoxPlot, type BoxPlotRow } from "./box_plot";
import { DurationHistogram } from "./duration_histogram";
import { SelectionNote } from "./selection_note";

export function Statistics({ store }: { store: ReportStore }) {
  const { report } = store;
  const { waits } = report.meta;
  const waitStates = store.waitStates().filter(({ id }) => waits[id]!.statistics.count > 0);
  if (waitStates.length === 0) return <p>This report has no statistics of single waits.</p>;
  const showInstances = (metric: string) => {
    store.selectMetric(metric);
    store.view = "instances";
  };
  const selected = waits[store.metric.id];
  const byCallPath = selected?.by_callpath;
  const isSelected = store.values.callPathsInSelection();
  const rows = byCallPath ? records<WaitStatistics & { callpath: number }>(byCallPath) : [];
  const shownRows = rows.filter(({ callpath }) => isSelected[callpath] === 1);
  return (
    <>
      <SelectionNote store={store} passesOver={["place", "time"]} ofWaits />
      <BoxPlot
        store={store}
        id="boxes"
        caption="Duration of single waits by wait state, in all call paths: minimum, quartiles, maximum (logarithmic)"
        rows={waitStates.map(({ id, title }) =>
          boxPlotRow(visible(title), waits[id]!.statistics, () => showInstances(id)),
        )}
      />
      {byCallPath && shownRows.length === 0 && (
        <Note>{`No statistics of ${store.metricTitle} are kept for ${callPathsText(store)}.`}</Note>
      )}
      {byCallPath ? (
        shownRows.length > 0 && (
          <BoxPlot
            store={store}
            id="path-boxes"
            caption={
              `${store.metricTitle} by call path` +
              (shownRows.length < rows.length ? `, in ${callPathsText(store)}` : "") +
              (byCallPath.left_out > 0 ? `; ${byCallPath.left_out} more call paths have smaller values` : "")
            }
            rows={shownRows.map((row) =>
              boxPlotRow(report.callPathName(row.callpath), row, () => store.selectCallPath(row.callpath)),
            )}
          />
        )
      ) : (
        <Note>{`This report has no statistics of ${store.metricTitle} per call path.`}</Note>
      )}
      {selected?.histogram ? (
        <DurationHistogram store={store} histogram={selected.histogram} />
      ) : (
        <Note>{`This report has no histogram of ${store.metricTitle}.`}</Note>
      )}
    </>
  );
}

/** Where quartiles are not known, they are taken to be at the ends. */
function boxPlotRow(name: string, statistics: WaitStatistics, onPick: () => void): BoxPlotRow {
  const { count, sum, minimum, maximum, mean, quartile25, median, quartile75, quantile_error } = statistics;
  return {
    name,
    count,
    sum,
    mean: mean ?? 0,
    quantileError: quantile_error ?? 0,
    fiveNumbers: [minimum, quartile25 ?? minimum, median ?? minimum, quartile75 ?? maximum, maximum],
    onPick,
  };
}
