// The page of a report: what is selected, the buttons of the views, and one view.
import type { ComponentChildren } from "preact";
import { ErrorGuard } from "../frame/error_guard";
import { HelpButton, WholeNamesButton, ZerosButton } from "../frame/page_buttons";
import { PageFrame } from "../frame/page_frame";
import type { ReportStore } from "../state/report_store";
import { unitTitle, valueUnits, viewNames, viewTitles, type ValueUnit, type ViewName } from "../state/view_names";
import { countText, percentText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { callPathsText, locationsText, metricsText, timeText } from "../trees/selection_text";
import { ThreeTrees } from "../trees/three_trees";
import { totalTime } from "../trees/value_shares";
import { ByRegion } from "./by_region";
import { Communication } from "./communication";
import { Counters } from "./counters";
import { CriticalPath } from "./critical_path";
import { stepToInstance } from "./instance_text";
import { Instances } from "./instances";
import { OverTime } from "./over_time";
import { Phases } from "./phases";
import { ReportHelp } from "./report_help";
import { Statistics } from "./statistics";
import { Summary } from "./summary";
import { Timeline } from "./timeline";
import { Topology } from "./topology";
import { TraceView } from "./trace_view";
import { WhoWaits } from "./who_waits";

const views: Record<ViewName, (props: { store: ReportStore }) => ComponentChildren> = {
  summary: Summary,
  trees: ThreeTrees,
  flat: ByRegion,
  statistics: Statistics,
  instances: Instances,
  timeline: Timeline,
  time: OverTime,
  phases: Phases,
  path: CriticalPath,
  matrix: WhoWaits,
  communication: Communication,
  topology: Topology,
  counters: Counters,
  trace: TraceView,
};

/** `tools`: more buttons beside the selection. */
export function ReportPage({ store, tools }: { store: ReportStore; tools?: ComponentChildren }) {
  const View = views[store.view];
  return (
    <PageFrame
      store={store}
      skipText="Skip to the view"
      label={viewTitles[store.view]}
      isBusy={store.sections.pending > 0}
      onPageKey={(key) => handleKey(store, key)}
      help={
        <ErrorGuard>
          <ReportHelp store={store} />
        </ErrorGuard>
      }
      header={
        <>
          <Heading store={store} />
          <ViewButtons store={store} />
          <SelectionBar store={store} tools={tools} />
        </>
      }
    >
      <ErrorGuard>
        <View store={store} />
      </ErrorGuard>
    </PageFrame>
  );
}

function Heading({ store }: { store: ReportStore }) {
  const { trace, totals, locations } = store.report.meta;
  const duration = store.report.durationText(totals.duration);
  return (
    <header>
      <h1>{`Wait states of ${visible(trace.path)}`}</h1>
      <div class="quiet">
        {[duration, `${countText(locations.length)} locations`, visible(trace.creator)].filter(Boolean).join(", ")}
      </div>
    </header>
  );
}

function ViewButtons({ store }: { store: ReportStore }) {
  const show = (view: ViewName) => {
    store.view = view;
    store.changed();
  };
  return (
    <nav aria-label="Views">
      {viewNames
        .filter((view) => store.hasView(view))
        .map((view) => (
          <button
            id={`view-${view}`}
            aria-current={store.view === view ? "page" : undefined}
            onClick={() => show(view)}
          >
            {viewTitles[view]}
          </button>
        ))}
      <HelpButton store={store} />
    </nav>
  );
}

/** What is selected, its value, and how values are shown. */
function SelectionBar({ store, tools }: { store: ReportStore; tools: ComponentChildren }) {
  const selectUnit = (unit: string) => {
    store.valueUnit = unit as ValueUnit;
    store.changed();
  };
  return (
    <div class="selection">
      <SelectedParts store={store} />
      <label>
        show{" "}
        <select id="unit" value={store.valueUnit} onChange={(event) => selectUnit(event.currentTarget.value)}>
          {valueUnits.map((unit) => (
            <option value={unit}>{unitTitle(unit, store.baseText)}</option>
          ))}
        </select>
      </label>
      <InitExitButton store={store} />
      <ZerosButton store={store} text="zeros" />
      <button onClick={() => store.selectAll()} title="Esc">
        select all
      </button>
      <WholeNamesButton store={store} />
      {tools}
    </div>
  );
}

/** The parts of the selection, each with a button that takes it away. */
function SelectedParts({ store }: { store: ReportStore }) {
  const { callPaths, places, time, locationPair } = store;
  const without = (undo: () => void) => () => {
    undo();
    store.changed();
  };
  const parts: [id: string, text: string, undo: (() => void) | undefined][] = [
    ["metric", metricsText(store), undefined],
    [
      "calls",
      callPathsText(store),
      callPaths.selected.length > 0 ? without(() => (callPaths.selected = [])) : undefined,
    ],
    ["places", locationsText(store), places.selected.length > 0 ? without(() => (places.selected = [])) : undefined],
  ];
  if (time) parts.push(["time", timeText(store), without(() => (store.time = null))]);
  if (locationPair) parts.push(["pair", pairText(store), without(() => store.showAllInstances())]);
  return (
    <span id="selected">
      {"Selected: "}
      {parts.map(([id, text, undo], i) => (
        <>
          {i > 0 && " \u00b7 "}
          <span id={`selected-${id}`}>{text}</span>
          {undo && (
            <button class="undo" aria-label={`not only ${text}`} title={`not only ${text}`} onClick={undo}>
              {"\u00d7"}
            </button>
          )}
        </>
      ))}
      {": "}
      <SelectedTotal store={store} />
    </span>
  );
}

function pairText({ report, locationPair }: ReportStore): string {
  const [culprit, waiter] = locationPair!;
  return `${report.locationName(waiter)} waiting for ${report.locationName(culprit)}`;
}

/** Counts the time of MPI_Init and the like, or does not, as the text report. */
function InitExitButton({ store }: { store: ReportStore }) {
  const { report, countsInitExit } = store;
  if (!report.initExitPaths || store.showsChanges) return null;
  const toggle = () => {
    store.countsInitExit = !countsInitExit;
    store.announce(countsInitExit ? "their time is not counted" : "their time is counted");
  };
  return (
    <button id="init-exit" aria-pressed={countsInitExit} onClick={toggle}>
      {`count ${report.initExitText}`}
    </button>
  );
}

/** The value of all that is selected. Where its sections cannot be read, the view says why. */
function SelectedTotal({ store }: { store: ReportStore }) {
  let [text, share] = ["unknown", ""];
  try {
    const total = store.selectedTotal();
    if (total === undefined) text = "\u2026";
    else if (total !== "unknown") {
      text = store.report.valueText(store.metric, total.value, total.isApproximate && total.value !== 0);
      if (store.metric.unit === "ticks")
        share = `, ${percentText(total.value / totalTime(store))} of ${store.baseText}`;
    }
  } catch {
    // The view throws the same error.
  }
  return (
    <>
      <b id="sum">{text}</b>
      <span id="share">{share}</span>
    </>
  );
}

/** False if the key is none of this page. */
function handleKey(store: ReportStore, key: string): boolean {
  const tree = ["metrics", "calls", "places"][Number(key) - 1];
  if (tree) focusTree(store, tree);
  else if (key === "Escape") store.selectAll();
  else if (key === "u") showNextUnit(store);
  else if (key === "n") stepToInstance(store, 1);
  else if (key === "p") stepToInstance(store, -1);
  else return false;
  return true;
}

function focusTree(store: ReportStore, id: string): void {
  if (store.view !== "trees") {
    store.view = "trees";
    store.changed();
  }
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

function showNextUnit(store: ReportStore): void {
  store.valueUnit = valueUnits[(valueUnits.indexOf(store.valueUnit) + 1) % valueUnits.length]!;
  store.announce(unitTitle(store.valueUnit, store.baseText));
}
