// Why a wait was: for whom, for whom that one waited, and so on, back to a location that was busy. A culprit that
// waited itself is never called the cause, and where the trace cannot tell, that is said. `show --why` writes the same
// words.
import { crossings } from "../data/critical_path";
import type { WaitChain as ChainData } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { percentText } from "../text/number_text";

export function WaitChain({ store, chain }: { store: ReportStore; chain: ChainData }) {
  const { root } = chain;
  return (
    <section class="chain" aria-label="Why this wait was">
      <h3>Why</h3>
      <ol>
        {chain.steps.map((step, i) => (
          <ChainStep store={store} step={step} isFirst={i === 0} />
        ))}
      </ol>
      <p>
        {endText(store, chain)}
        {root !== null && (
          <>
            {" "}
            <button onClick={() => store.goTo(lastCulprit(chain), root)}>Select it</button>
          </>
        )}
      </p>
    </section>
  );
}

function ChainStep({
  store,
  step,
  isFirst,
}: {
  store: ReportStore;
  step: ChainData["steps"][number];
  isFirst: boolean;
}) {
  const { report } = store;
  const { location, callpath, enter, ticks, crossing, culprit, share } = step;
  const reason = culprit === null ? "" : `, for ${report.locationName(culprit)}: ${crossings[crossing] ?? "something"}`;
  return (
    <li>
      <button class="link" onClick={() => store.goTo(location, callpath)}>
        {`${report.locationName(location)} waited ${report.durationText(ticks)}`}
      </button>
      {` in ${report.callPathText(callpath)}, entered at ${report.timeText(enter)}${reason}`}
      {!isFirst && `; ${percentText(share)} of the first wait goes through here`}
    </li>
  );
}

const lastCulprit = ({ steps }: ChainData) => steps[steps.length - 1]!.culprit;
const lastWaiter = ({ steps }: ChainData) => steps[steps.length - 1]!.location;

/** What the trace lacks where a chain ends in this way. */
const lackingRecords: Record<string, string> = {
  missing_record: "the other half of a message",
  missing_member: "a member of the operation",
  missing_start: "the start of an operation that completes in it",
  missing_part: "a part of the epoch, or the previous owner of the lock",
};

/** How the chain ends, as a sentence. */
function endText({ report }: ReportStore, chain: ChainData): string {
  const culprit = lastCulprit(chain);
  const who = culprit === null ? "This wait" : report.locationName(culprit);
  const longer =
    chain.root === null
      ? ""
      : `; it spent ${report.durationText(chain.root_ticks)} more there than ${report.locationName(lastWaiter(chain))}`;
  const where = `, which was in ${report.callPathText(chain.root)} (${percentText(chain.root_share)} of the delay)`;
  return `${who}${reasonText(chain, where)}${longer}${furtherCausesText(report, chain)}.`;
}

/** The causes that are worth telling beside the one that the chain ends with. */
function furtherCausesText(report: ReportStore["report"], chain: ChainData): string {
  const further = (chain.causes ?? []).filter(
    ({ location, callpath }) => location !== lastCulprit(chain) || callpath !== chain.root,
  );
  const texts = further.map(
    ({ location, callpath, share }) =>
      `${report.locationName(location)} was in ${report.callPathName(callpath)} (${percentText(share)})`,
  );
  return texts.length === 0 ? "" : `; ${texts.join(", ")}`;
}

/** `where`: where the last culprit was. */
function reasonText({ end, waited_share }: ChainData, where: string): string {
  const lacking = lackingRecords[end];
  if (lacking) return `${where}: the trace lacks ${lacking}, so the chain ends there`;
  switch (end) {
    case "work":
      return where + (waited_share >= 0.01 ? ` and itself waited for ${percentText(waited_share)} of it` : "");
    case "unexplained":
      return `${where}; the trace does not tell why it took so long there`;
    case "not_followed":
      return `${where}: waits there are followed only with --set critical_path.all_waits=1`;
    case "no_record":
      return `${where}: the trace has no record of what it waited for, so the chain ends there`;
    case "no_culprit":
      return "; the trace does not say whom it waited for";
    case "nothing":
      return ", which came late, but spent no more time in any call path than the location that waited for it";
    case "circle":
      return ", and so on in a circle, as the clocks disagree";
    case "left_out":
      return ", and so on: the rest of the chain was not followed";
    default:
      return "";
  }
}
