// The page of `waitstate serve`: a bar that leads to its parts, and one of them: the choice, the runs, the timeline of
// the whole run, or the page of a run or of a comparison, which are those of HTML reports.
import { ComparisonPage } from "../comparison/comparison_page";
import { ComparisonStore } from "../comparison/comparison_store";
import { Unpacking } from "../frame/elements";
import { ErrorGuard, ErrorText, errorText } from "../frame/error_guard";
import { chartKeys, HelpPanel, treeKeys, type KeyHelp } from "../frame/help_panel";
import { HelpButton, WholeNamesButton } from "../frame/page_buttons";
import { PageFrame } from "../frame/page_frame";
import type { ReportStore } from "../state/report_store";
import { countText, durationText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { ReportPage } from "../views/report_page";
import { Choose } from "./choose";
import { chooseSelection, showInTimeline } from "./places";
import { RunEntries } from "./run_entries";
import { RunTimeline } from "./run_timeline";
import { partTitles, type Part, type ServeStore } from "./serve_store";

const ownParts = { choose: Choose, runs: RunEntries, timeline: RunTimeline };

export function ServePage({ store }: { store: ServeStore }) {
  return (
    <>
      <PartBar store={store} />
      <Trouble store={store} />
      <PartView store={store} />
    </>
  );
}

function PartView({ store }: { store: ServeStore }) {
  const { part } = store;
  if (part in ownParts) return <OwnPart store={store} part={part as keyof typeof ownParts} />;
  const page = store.shownPage();
  if (page instanceof Error) return <ErrorText text={errorText(page)} />;
  if (!page)
    return (
      <main>
        <Unpacking />
      </main>
    );
  if (page instanceof ComparisonStore) return <ComparisonPage key={store.pageAddress} store={page} />;
  return (
    <ReportPage
      key={store.pageAddress}
      store={page}
      tools={<RunTools store={store} run={store.shownRuns[0]!} page={page} />}
    />
  );
}

/** The parts; a run or a comparison that was shown once stays in reach. */
function PartBar({ store }: { store: ServeStore }) {
  const { part, trace, shownRuns, runs } = store;
  const [a, b] = shownRuns;
  const button = (one: Part, title: string, show = () => store.show(one)) => (
    <button id={`part-${one}`} aria-current={part === one ? "page" : undefined} onClick={show}>
      {title}
    </button>
  );
  const running = runs.running ? ` (run ${runs.running.id} is running)` : "";
  return (
    <nav class="parts" aria-label="Parts">
      {button("choose", partTitles.choose)}
      {button("runs", partTitles.runs + running)}
      {button("timeline", partTitles.timeline)}
      {a !== undefined && b === undefined && button("run", `Report of run ${a}`)}
      {b !== undefined && button("comparison", `Run ${a} and run ${b}`)}
      <span class="quiet">
        {`${visible(trace.file)}: ${programText(trace.programs)}${durationText(trace.seconds)}, ` +
          `${countText(trace.locations.length)} locations, ${countText(trace.events)} events`}
      </span>
    </nav>
  );
}

const programText = (names: string[]): string => (names.length === 0 ? "" : `${visible(names.join(", "))}, `);

/** Why the server could not do something. */
function Trouble({ store }: { store: ServeStore }) {
  const { trouble, traceIsReplaced } = store.runs;
  const replaced = "The trace has been replaced by another one: load this page again. Earlier runs are of the old one.";
  const texts = [...new Set([trouble, store.failure, traceIsReplaced ? replaced : ""].filter((text) => text !== ""))];
  return (
    <>
      {texts.map((text) => (
        <ErrorText text={text} />
      ))}
    </>
  );
}

/** Buttons that lead from a report to the timeline of the whole run, and to another analysis. */
function RunTools({ store, run, page }: { store: ServeStore; run: number; page: ReportStore }) {
  const hasInstance = page.selectedInstance() !== undefined;
  return (
    <>
      <button id="to-timeline" onClick={() => showInTimeline(store, run, page)}>
        {hasInstance ? "Show this wait in the timeline of the run" : "Timeline of the run"}
      </button>
      <button id="analyse-selection" onClick={() => chooseSelection(store, page)}>
        Analyse only the selection
      </button>
    </>
  );
}

const keys: KeyHelp[] = [
  ...treeKeys.slice(0, 4),
  ["Space", "in the tree of metrics: choose the pattern, or remove it"],
  ["W S", "in the timeline: zoom in and out; Ctrl and wheel zoom at the pointer"],
  ["A D", "earlier and later; so does dragging with Shift"],
  ["F", "show the selected time or call, or the whole run"],
  ["\u2191 \u2193 . ,", "the row above and below; the next and the previous call"],
  ["Esc", "select nothing; dragging selects a time"],
  ...chartKeys.slice(1),
];

const reading = {
  choose:
    "Tick what to look for. Patterns that it needs are ticked as well. Region, time and locations choose a part of " +
    "the run; the command line below would do the same.",
  runs: "All analyses since the server was started, the latest first. Only one runs at a time.",
  timeline:
    "There is a row for each location, or for several together. Where too many calls share a pixel, the heights of " +
    "the colours are their shares of the time; the hatched part is spent waiting. Arrows are messages, dashed ones " +
    "one-sided transfers. A chosen counter is drawn below each row: its mean, and the range from its least to its " +
    "greatest value. The next analysis is limited to the selected time.",
};

/** A part with its frame. */
function OwnPart({ store, part }: { store: ServeStore; part: keyof typeof ownParts }) {
  const View = ownParts[part];
  return (
    <PageFrame
      key={part}
      store={store}
      skipText="Skip to the view"
      label={partTitles[part]}
      onPageKey={() => false}
      help={
        <HelpPanel
          store={store}
          title={partTitles[part]}
          reading={reading[part]}
          metricTitle="The trace"
          metricFacts={[
            ["file", store.trace.file],
            ["recorder", store.trace.recorder],
            ["program", store.trace.programs.join(", ") || "not recorded"],
          ]}
          keys={keys}
        />
      }
      header={
        <header class="tools">
          <h1>{part === "choose" ? "What to analyse" : partTitles[part]}</h1>
          <HelpButton store={store} />
          <WholeNamesButton store={store} />
        </header>
      }
    >
      <ErrorGuard>
        <View store={store} />
      </ErrorGuard>
    </PageFrame>
  );
}
