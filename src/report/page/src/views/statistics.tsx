// How long single waits are: of all wait states, and of the selected one by call path and as a histogram.
import { records } from "../data/record_tables";
import { Note } from "../frame/elements";
import type { WaitStatistics } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { visible } from "../text/visible_names";
import { BoxPlot, type BoxPlotRow } from "./box_plot";
import { DurationHistogram } from "./duration_histogram";

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
  return (
    <>
      <BoxPlot
        store={store}
        id="boxes"
        caption="Duration of single waits by wait state: minimum, quartiles, maximum (logarithmic)"
        rows={waitStates.map(({ id, title }) =>
          boxPlotRow(visible(title), waits[id]!.statistics, () => showInstances(id)),
        )}
      />
      {byCallPath ? (
        <BoxPlot
          store={store}
          id="path-boxes"
          caption={
            `${store.metricTitle} by call path` +
            (byCallPath.left_out > 0 ? `; ${byCallPath.left_out} more call paths have smaller values` : "")
          }
          rows={records<WaitStatistics & { callpath: number }>(byCallPath).map((row) =>
            boxPlotRow(report.callPathName(row.callpath), row, () => store.selectCallPath(row.callpath)),
          )}
        />
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
