// The help beside each view of a report.
import { chartKeys, HelpPanel, treeKeys, type KeyHelp } from "../frame/help_panel";
import type { ReportStore } from "../state/report_store";
import { viewTitles, type ViewName } from "../state/view_names";
import { visible } from "../text/visible_names";

/** How to read each view. */
const readings: Record<ViewName, string> = {
  summary:
    "Each box is a problem: how much time it took, where, and who made whom wait. Its button selects that in " +
    "the trees. Parallel efficiency (mean computation by the run's time) is load balance (mean by largest " +
    "computation) times communication efficiency (largest computation by the run's time).",
  trees:
    "A closed node stands for itself and all below it, an open one for what is left without that. \u201cOf " +
    "which\u201d marks shares of what the parent has anyway. The tree of call paths shows the selected " +
    "metric, that of locations the selected metric in the selected call paths. The colour goes from dark " +
    "(little) to bright (much). \u201c\u2248\u201d marks rounded values; all others are exact.",
  flat:
    "The selected metric by region, wherever that was called, without what it called; below it by location, " +
    "in the selected call paths.",
  statistics:
    "How long single waits were. A box spans the middle half of them, the orange line is the median, the thin " +
    "line goes from the shortest to the longest. Many short waits are another problem than a few long ones.",
  instances:
    "The most severe waits: who waited for whom, where both were, and what ended the wait. Beside it, where " +
    "that is known, why: whom the culprit waited for itself, back to somebody who was busy, the reason.",
  timeline:
    "A row is a location, its bars are calls, the lower ones called by those above. Blue is computation, " +
    "red-brown point to point, orange collective or synchronisation, pink one-sided, green threads, grey " +
    "other. Hatched in a frame is the wait. An arrow is a message, a dashed one a one-sided transfer, a " +
    "dotted one leads from who ended the wait to who waited.",
  time:
    "How long all locations together waited in each stretch of time, one colour a wait state. Below, the " +
    "selected one by location: bright is much.",
  phases:
    "From one visit of a region, or one stretch of time, to the next. A trend is a load that drifts; single " +
    "peaks are disturbances.",
  path:
    "The run gets faster only if what is on this path does. Where it goes from one row to another, the second " +
    "one waited for the first. A call path with much time, but little of it here, is not worth an " +
    "optimisation.",
  matrix:
    "A row makes a column wait; the colour is logarithmic, sums stand at the margins. A full row is late for " +
    "many, a full column waits for many; along the diagonal neighbours wait for each other. A click shows the " +
    "instances of a pair.",
  communication: "A row sends, a column receives. Below, how large messages were, and what collective operations took.",
  topology:
    "The processes as the program has arranged them. Borders or corners that are bright point to the " +
    "decomposition.",
  counters: "Values of the trace's counters by call path and location, beside the selected metric.",
};

const keys: KeyHelp[] = [
  ...treeKeys,
  ["1 2 3", "trees of metrics, call paths, locations"],
  ["U", "values, or per cent of the whole, of the selection, of the largest sibling"],
  ["N P", "next and previous instance"],
  ...chartKeys,
  ["W S A D", "over time: zoom in and out, go left and right; also Ctrl and wheel, Shift and drag"],
  [". ,", "in the timeline: next and previous bar of the row"],
  ["drag", "a stretch of time: its length is shown; double click or Enter zooms to it"],
  ["F", "fits what is selected; if nothing is, all"],
  ["Esc", "nothing is selected"],
];

export function ReportHelp({ store }: { store: ReportStore }) {
  const { id, title, summary, definition, charged_to, diagnosis, source } = store.metric;
  return (
    <HelpPanel
      store={store}
      title={viewTitles[store.view]}
      reading={readings[store.view]}
      keys={keys}
      metricTitle={`${visible(title)} (${visible(id)})`}
      metricFacts={[
        ["Summary", summary],
        ["How it is computed", definition],
        ["Charged to", charged_to],
        ["What to do", diagnosis],
        ["Source", source],
      ]}
      note={
        definition === undefined
          ? `This report holds no definition; waitstate explain ${visible(id)} prints it.`
          : undefined
      }
    />
  );
}
