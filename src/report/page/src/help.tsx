// The help beside each view: what the selected metric means, how to read the view, and the keys.
import { visible } from "./report";
import { views, type Store, type View } from "./store";

const reading: Record<View, string> = {
  summary:
    "Each box is a problem: how much time it took, where, and who made whom wait. Its button selects that in the trees. Parallel efficiency (mean computation by the run's time) is load balance (mean by largest computation) times communication efficiency (largest computation by the run's time).",
  trees:
    "A closed node stands for itself and all below it, an open one for what is left without that. \u201cOf which\u201d marks shares of what the parent has anyway. The tree of call paths shows the selected metric, that of locations the selected metric in the selected call paths. The colour goes from dark (little) to bright (much). \u201c\u2248\u201d marks rounded values; all others are exact.",
  flat: "The selected metric by region, wherever that was called, without what it called; below it by location, in the selected call paths.",
  statistics:
    "How long single waits were. A box spans the middle half of them, the orange line is the median, the thin line goes from the shortest to the longest. Many short waits are another problem than a few long ones.",
  instances: "The most severe waits: who waited for whom, where both were, and what ended the wait. Beside it, where that is known, why: whom the culprit waited for itself, back to somebody who was busy, the reason.",
  timeline:
    "A row is a location, its bars are calls, the lower ones called by those above. Blue is computation, red-brown point to point, orange collective or synchronisation, pink one-sided, green threads, grey other. Hatched in a frame is the wait. An arrow is a message, a dashed one a one-sided transfer.",
  time: "How long all locations together waited in each stretch of time, one colour a wait state. Below, the selected one by location: bright is much.",
  phases: "From one visit of a region, or one stretch of time, to the next. A trend is a load that drifts; single peaks are disturbances.",
  path: "The run gets faster only if what is on this path does. Where it goes from one row to another, the second one waited for the first. A call path with much time, but little of it here, is not worth an optimisation.",
  matrix: "A row makes a column wait; the colour is logarithmic, sums stand to the right. A full row is late for many, a full column waits for many; along the diagonal neighbours wait for each other. A click shows the instances of a pair.",
  communication: "A row sends, a column receives. Below, how large messages were, and what collective operations took.",
  topology: "The processes as the program has arranged them. Borders or corners that are bright point to the decomposition.",
  counters: "Values of the trace's counters by call path and location, beside the selected metric.",
};

const keys: [string, string][] = [
  ["?", "this help"],
  ["1 2 3", "trees of metrics, call paths, locations"],
  ["\u2191 \u2193 Home End", "in a tree: move and select; with Shift a range; Ctrl and click adds one"],
  ["\u2192 \u2190", "open and close; * opens all below; Enter selects. In phases: next and previous"],
  ["/", "search in a tree (re:\u2026 for a regular expression), Enter goes to the next hit"],
  ["U", "values, or per cent of the whole, of the selection, of the largest"],
  ["Z", "show what is zero"],
  ["N P", "next and previous instance"],
  ["T C", "a chart as a table; copy it as CSV"],
  ["W S A D", "over time: zoom in and out, go left and right; also Ctrl and wheel, Shift and drag"],
  [". ,", "next and previous bar of the row; Enter zooms to it"],
  ["drag", "a stretch of time: its length is shown; double click or Enter zooms to it"],
  ["F Esc", "show all again; nothing is selected"],
];

export function Help({ store }: { store: Store }) {
  const metric = store.metric;
  const facts: [string, string | undefined][] = [
    ["Summary", metric.summary], ["How it is computed", metric.definition], ["Charged to", metric.charged_to],
    ["What to do", metric.diagnosis], ["Source", metric.source],
  ];
  return (
    <aside id="help" aria-label="Help">
      <button class="close" onClick={() => store.toggleHelp()} title="?">Close</button>
      <h2>{views[store.view]}</h2>
      <p>{reading[store.view]}</p>
      <h2>{`${visible(metric.title)} (${visible(metric.id)})`}</h2>
      <dl>{facts.filter(([, text]) => text).map(([name, text]) => <><dt>{name}</dt><dd>{visible(text!)}</dd></>)}</dl>
      {metric.definition === undefined && <p class="quiet">{`This report holds no definition; waitstate explain ${visible(metric.id)} prints it.`}</p>}
      <h2>Keys</h2>
      <dl class="facts">{keys.map(([key, what]) => <><dt>{key.split(" ").map((k) => <kbd>{k}</kbd>)}</dt><dd>{what}</dd></>)}</dl>
      <button aria-pressed={store.letters} onClick={() => ((store.letters = !store.letters), store.changed())}>{store.letters ? "Keys that are letters are on" : "Keys that are letters are off"}</button>
    </aside>
  );
}
