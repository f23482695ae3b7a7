// Ways from a place in a report to the timeline of the whole run, and back; and from what is selected in a report to
// the next choice.
import { criticalSegments } from "../data/critical_path";
import type { SevereInstance } from "../report_types";
import { waitsOf, type ReportStore } from "../state/report_store";
import type { TimeRange } from "../state/time_range";
import { rangesOfNumbers } from "./location_ranges";
import type { ServeStore } from "./serve_store";

/** Shows the selected instance of a report in the timeline, else its selected time. */
export function showInTimeline(store: ServeStore, run: number, page: ReportStore): void {
  const { timeline, clock } = store;
  const instance = page.selectedInstance();
  timeline.place = null;
  if (instance) {
    const waits = waitsOf(instance);
    const begin = Math.min(...waits.map((wait) => wait.begin));
    const end = Math.max(...waits.map((wait) => wait.begin + wait.ticks));
    const around = Math.max(2, end - begin);
    timeline.window = [
      Math.max(clock.firstTime, begin - around),
      Math.min(clock.firstTime + clock.duration, end + around),
    ];
    timeline.marked = { run, title: page.metricTitle, waits, path: criticalSegments(page.report) };
    timeline.first = firstRowFor(store, instance);
  } else {
    timeline.window = page.time;
    timeline.marked = { run, title: page.metricTitle, waits: [], path: criticalSegments(page.report) };
  }
  if (page.time) store.time = page.time;
  store.show("timeline");
}

/** The first row such that the waiting location is shown. Where rows are folded, they hold about equally many. */
function firstRowFor(
  { trace, timeline, placeOfLocation }: ServeStore,
  { longest, members = [] }: SevereInstance,
): number {
  const total = timeline.data?.totalRows ?? trace.locations.length;
  const waiting = [longest, ...members].flatMap(({ location, culprit }) => [location, culprit ?? null]);
  const rows = waiting
    .map((location) => placeOfLocation.get(location ?? -1) ?? -1)
    .filter((row) => row >= 0)
    .map((row) => Math.floor((row * total) / trace.locations.length));
  if (rows.length === 0) return 0;
  const least = Math.min(...rows);
  const spread = Math.max(...rows) - least;
  const wanted = spread < timeline.mostRows ? least : rows[0]! - Math.floor(timeline.mostRows / 2);
  return Math.max(0, Math.min(total - timeline.mostRows, wanted));
}

/** Shows the largest wait of a run at the selected place and time of the timeline. */
export async function showInReport(store: ServeStore, run: number): Promise<void> {
  const { timeline, trace } = store;
  const page = await store.pages.loaded(run);
  const { place, data } = timeline;
  const row = place && data?.rows[place.row - data.first];
  const locations = row ? trace.locations.slice(...row.locations).map(({ id }) => id) : [];
  const time: TimeRange | null = store.time ?? (place ? [place.time, place.time] : null);
  const isHere = (instance: SevereInstance) =>
    waitsOf(instance).some(
      ({ location, begin, ticks }) =>
        (!time || (begin <= time[1] && begin + ticks >= time[0])) &&
        (locations.length === 0 || (location !== null && locations.includes(location))),
    );
  let worst: { metric: string; instance: SevereInstance } | undefined;
  for (const { id } of page.waitStates())
    for (const instance of page.report.meta.waits?.[id]?.instances ?? [])
      if (isHere(instance) && (!worst || instance.total > worst.instance.total)) worst = { metric: id, instance };
  page.callPaths.selected = [];
  page.places.selected = [];
  page.time = store.time;
  if (worst) {
    page.selectMetric(worst.metric);
    page.selectInstance(worst.instance);
    page.view = "instances";
  } else {
    page.view = "trees";
    if (locations.length === 1) page.selectLocation(locations[0]!);
    page.message = "none of the kept waits of the report is here";
  }
  store.showRun(run);
}

/** The next choice is about what is selected in a report: its time, its locations, its region. */
export function chooseSelection(store: ServeStore, page: ReportStore): void {
  const { choice } = store;
  const { report, callPaths, places } = page;
  if (page.time) store.time = page.time;
  const locations = page.values.locationsInSelection();
  if (locations && places.selected.length > 0) choice.locations = rangesOfNumbers(locations);
  const [callPath] = callPaths.selected;
  const region = callPath === undefined ? null : report.meta.call_tree[callPath]!.region;
  if (callPaths.selected.length === 1 && region !== null) choice.region = report.meta.regions[region]!.name;
  store.part = "choose";
  store.choiceChanged("the choice is about what was selected");
}
