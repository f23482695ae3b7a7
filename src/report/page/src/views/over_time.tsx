// When locations waited: all wait states, and the selected one by location. Both charts show the same part of the run.
import type { ReportStore } from "../state/report_store";
import { useTimeRuler } from "../charts/time_ruler";
import { TimeWindow } from "../charts/time_window";
import { Note } from "../frame/elements";
import type { WaitSeries as SeriesData } from "../report_types";
import { SelectionNote } from "./selection_note";
import { WaitHeatMap } from "./wait_heat_map";
import { WaitSeries } from "./wait_series";

export function OverTime({ store }: { store: ReportStore }) {
  const { series } = store.report.meta;
  if (!series)
    return (
      <p>This report does not say when locations waited (series): it was written without that, or by another tool.</p>
    );
  if (series.bins === 0) return <p>Nobody waited at a known time.</p>;
  return <SeriesCharts store={store} series={series} />;
}

function SeriesCharts({ store, series }: { store: ReportStore; series: SeriesData }) {
  const { report } = store;
  const ruler = useTimeRuler(store);
  const newWindow = () => seriesWindow(store, series);
  const timesUnknown = Object.entries(series.metrics)
    .filter(([, { without_time }]) => without_time !== 0)
    .map(([id, { without_time }]) => `${report.metricTitle(id)} ${report.durationText(without_time)}`);
  return (
    <>
      <SelectionNote store={store} passesOver={["call path"]} ofWaits />
      <WaitSeries store={store} series={series} ruler={ruler} window={newWindow()} />
      <WaitHeatMap store={store} series={series} ruler={ruler} window={newWindow()} />
      {timesUnknown.length > 0 && <Note>{`Waits at unknown times are left out: ${timesUnknown.join(", ")}.`}</Note>}
    </>
  );
}

/** Each chart has a window of its own, as they have names of different widths at their left. */
function seriesWindow(store: ReportStore, { start, bins, bin_ticks }: SeriesData): TimeWindow {
  const limits: [number, number] = [start, start + bins * bin_ticks];
  return new TimeWindow(store.report, limits, store.windows.series ?? limits, (window) => {
    store.windows.series = window;
    store.changed();
  });
}
