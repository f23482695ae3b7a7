// Why a wait was: whom it waited for, whom that one waited for, and so on, back to somebody who was busy. A culprit that
// waited itself is never called the cause; what the trace cannot tell is said. The words are those of show --why.
import { crossings } from "./path";
import { percentText, type Chain } from "./report";
import type { Store } from "./store";

function endText(store: Store, chain: Chain): string {
  const { report } = store;
  const culprit = chain.steps[chain.steps.length - 1]!.culprit;
  const who = culprit === null ? "This wait" : report.locationName(culprit);
  const there = `, which was in ${report.callPath(chain.root)} (${percentText(chain.root_share)} of the delay)`;
  const ends: Record<string, string> = {
    work: there + (chain.waited_share >= 0.01 ? ` and waited itself for ${percentText(chain.waited_share)} of it` : ""),
    unexplained: `${there}: why it took so long there, the trace does not tell`,
    not_followed: `${there}: waits there are followed only with --set critical_path.all_waits=1`,
    no_record: `${there}: the trace has no record of what it waited for there, so the chain ends`,
    no_culprit: ", and for whom that is is not known",
    nothing: ", which came late, but was nowhere longer than who waited for it",
    circle: ", and so on in a circle, as the clocks disagree",
    left_out: ", and so on: the chain is longer than what is followed",
  };
  // What the trace lacks there.
  const lacking: Record<string, string> = {
    record: "the other half of a message",
    member: "a member of the operation",
    start: "the start of what completes",
    part: "a part of the epoch, or the owner before of the lock,",
  };
  const lacks = lacking[chain.end.replace("missing_", "")];
  const longer =
    chain.root === null ? "" : `; it was there ${report.seconds(chain.root_ticks)} longer than who waited for it`;
  return `${who}${lacks ? `${there}: the trace lacks ${lacks} there, so the chain ends` : (ends[chain.end] ?? "")}${longer}.`;
}

export function Why({ store, chain }: { store: Store; chain: Chain }) {
  const { report } = store;
  const go = (location: number | null, callpath: number | null) => {
    store.selectLocation(location);
    store.selectCall(callpath);
    store.say(`${report.locationName(location)}, ${report.callPath(callpath)} is selected`);
  };
  return (
    <section class="chain" aria-label="Why this wait was">
      <h3>Why</h3>
      <ol>
        {chain.steps.map((s, i) => (
          <li>
            <button
              class="link"
              onClick={() => go(s.location, s.callpath)}
            >{`${report.locationName(s.location)} waited ${report.seconds(s.ticks)}`}</button>
            {` in ${report.callPath(s.callpath)}, entered at ${report.time(s.enter)}${s.culprit === null ? "" : `, for ${report.locationName(s.culprit)}: ${crossings[s.crossing] ?? "something"}`}`}
            {i > 0 && `; ${percentText(s.share)} of the first wait goes through here`}
          </li>
        ))}
      </ol>
      <p>
        {endText(store, chain)}
        {chain.root !== null && (
          <>
            {" "}
            <button onClick={() => go(chain.steps[chain.steps.length - 1]!.culprit, chain.root)}>Select it</button>
          </>
        )}
      </p>
    </section>
  );
}
