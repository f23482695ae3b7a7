// The help beside each view of a report.
import { chartKeys, HelpPanel, treeKeys, type KeyHelp } from "../frame/help_panel";
import type { ReportStore } from "../state/report_store";
import { viewTitles, type ViewName } from "../state/view_names";
import { visible } from "../text/visible_names";

/** How to read each view. */
const readings: Record<ViewName, string> = {
  summary:
    "Each box is a problem: how much time it took, where, and which location made which other one wait. Its " +
    "buttons lead to the values that it names. Parallel efficiency (mean computation divided by the run time) " +
    "is load balance (mean divided by largest computation) times communication efficiency (largest " +
    "computation divided by the run time).",
  trees:
    "A closed node stands for itself and everything below it, an open one only for itself. \u201cOf which\u201d " +
    "marks values that the parent includes. The tree of call paths shows the selected metric; the tree of " +
    "locations shows the selected metric in the selected call paths. \u201cIn all\u201d is the value of an open node " +
    "with all below it. Zero is blank, then colours go from dark (little) to bright (much). " +
    "\u201c\u2248\u201d marks rounded values; all others are exact.",
  flat:
    "The selected metric by region, wherever the region was called, without the functions that it called. Beside it " +
    "are its callers: below each function those that called it, with its time in these calls. " +
    "Below, the metric by location, in the selected call paths.",
  statistics:
    "The durations of single waits. A box spans the middle half of them, the orange line is the median, and the " +
    "thin line reaches from the shortest to the longest. Many short waits are a different problem from a few " +
    "long ones.",
  instances:
    "The most severe waits: which location waited for which, where both were, and what ended the wait. If the " +
    "reason is known, it is shown beside the wait: which location the culprit itself waited for, and so on, back " +
    "to a location that was busy.",
  timeline:
    "Each row is a location, in the order of ranks, and its bars are calls; lower bars are called by those above " +
    "them. Their colours are explained below. All waits are hatched, and the selected one is framed. An arrow is " +
    "a message, a dashed arrow a one-sided transfer; a dotted one leads from the location that ended the wait to " +
    "the one that waited.",
  time:
    "The time that all locations together waited in each stretch of time, with a colour for each wait state. " +
    "Below is the selected wait state by location: the brighter, the longer.",
  phases:
    "How the run changes from one visit of a region, or one stretch of time, to the next. A trend means that the " +
    "load drifts; single peaks are disturbances.",
  path:
    "The run gets faster only if something on this path does. Where the path goes from one row to another, " +
    "the second location waited for the first. A call path that takes much time, but little of it on this path, " +
    "is not worth optimising.",
  matrix:
    "The location of a row makes the location of a column wait; colours are logarithmic, and sums are at the " +
    "margins. A full row is late for many locations, and a full column waits for many; along the diagonal, " +
    "neighbours wait for each other. A click shows the instances of a pair.",
  communication:
    "A row sends, and a column receives. Below are the sizes of messages and the durations of collective operations.",
  topology:
    "The processes in the arrangement that the program has chosen. Bright borders or corners suggest that the " +
    "decomposition is the reason.",
  trace:
    "The origin of the trace, its hosts, locations and events, and everything that is damaged or odd about it, with " +
    "the first places. Below are functions with their files, and counters and MPI's message queues where they are " +
    "known.",
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
  ["drag", "selects a stretch of time, for all views, and shows its length; double click or Enter zooms to it"],
  ["F", "shows the selected time, or everything if none is selected"],
  ["Esc", "select nothing"],
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
          ? `This report contains no definition; waitstate explain ${visible(id)} prints it.`
          : undefined
      }
    />
  );
}
