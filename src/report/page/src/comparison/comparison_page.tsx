// The page of a comparison shows what changed from run A to run B (waitstate diff -o FILE.html): both runs beside each
// other, what got better and worse, and every metric and call path that changed. All numbers are those of `diff
// --format json`. Times and waits that grow are worse, efficiency that grows is better; the sign of a change says it,
// and the colour repeats it: orange is more in B, blue less.
import { List, ReportText } from "../frame/elements";
import { chartKeys, HelpPanel, treeKeys, type KeyHelp } from "../frame/help_panel";
import { HelpButton, WholeNamesButton, ZerosButton } from "../frame/page_buttons";
import { PageFrame } from "../frame/page_frame";
import { visible } from "../text/visible_names";
import { CallPathChanges } from "./call_path_changes";
import type { ComparisonStore } from "./comparison_store";
import { PhaseChanges } from "./phase_changes";
import { ProblemChanges } from "./problem_changes";
import { RunTable } from "./run_table";
import { SingleWaitChanges } from "./single_wait_changes";
import { WaitStateChanges } from "./wait_state_changes";

const title = "What changed from A to B";
const keys: KeyHelp[] = [...treeKeys, ["1 2 3", "tree of metrics, call paths, locations"], ...chartKeys];

export function ComparisonPage({ store }: { store: ComparisonStore }) {
  return (
    <PageFrame
      store={store}
      skipText="Skip to the changes"
      label="What changed"
      onPageKey={focusTree}
      help={<ComparisonHelp store={store} />}
      header={
        <>
          <header>
            <h1>{title}</h1>
            <div class="quiet">
              Orange and + is more in B, blue and {"\u2212"} less. Less time and less waiting are better.
            </div>
          </header>
          <div class="selection">
            <ZerosButton store={store} text="what is the same" />
            <WholeNamesButton store={store} />
            <HelpButton store={store} />
          </div>
        </>
      }
    >
      {!store.comparison.comparable && (
        <p class="warning">
          The two runs are not directly comparable: see their numbers of processes and locations, and the parts of the
          run that were analysed.
        </p>
      )}
      <RunTable comparison={store.comparison} />
      <Gates store={store} />
      <div class="two changes">
        <WaitStateChanges store={store} sign={1} title="Got worse" noneText="No wait state grew." />
        <WaitStateChanges store={store} sign={-1} title="Got better" noneText="No wait state shrank." />
      </div>
      <ProblemChanges store={store} />
      <CallPathChanges store={store} />
      <SingleWaitChanges store={store} />
      <PhaseChanges store={store} />
      <ReportText title="The same as text" />
    </PageFrame>
  );
}

/** Keys that are numbers lead to the trees; false for other keys. */
function focusTree(key: string): boolean {
  const tree = document.getElementById(["metrics", "calls", "places"][Number(key) - 1] ?? "");
  tree?.focus();
  return tree !== null;
}

function ComparisonHelp({ store }: { store: ComparisonStore }) {
  return (
    <HelpPanel
      store={store}
      title={title}
      keys={keys}
      metricTitle={`${store.metricTitle} (${visible(store.metric.id)})`}
      metricFacts={[["Summary", store.metric.summary]]}
      reading={
        "The sign of a change says in which direction a value went, and its colour repeats that: orange is more " +
        "in B, blue less. Each tree shows changes of what is selected in the trees left of it. Below are the call " +
        "paths in which the selected metric changed, and how long its single waits are in both runs."
      }
    />
  );
}

function Gates({ store }: { store: ComparisonStore }) {
  const { gates } = store.comparison;
  if (gates.length === 0) return null;
  return (
    <>
      <h2>Gates</h2>
      <List
        items={gates.map(({ gate, verdict, value, reason }) =>
          verdict === "undecided"
            ? `UNDECIDED: ${visible(reason)}`
            : `${verdict === "failed" ? "FAILED" : verdict}: ${visible(gate)} (${visible(value)})`,
        )}
      />
    </>
  );
}
