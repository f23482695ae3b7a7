// Wait states that grew, or those that shrank, as sentences that select them.
import { useState } from "preact/hooks";
import { changeSentence } from "./change_text";
import type { ComparisonStore } from "./comparison_store";

interface WaitStateChangesProps {
  store: ComparisonStore;
  sign: 1 | -1; // 1 for wait states that grew, -1 for those that shrank
  title: string;
  noneText: string;
}
const fewChanges = 6; // are shown at first

export function WaitStateChanges({ store, sign, title, noneText }: WaitStateChangesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const changes = store.worstChanges(sign);
  const titleOf = (metric: string) => store.report.metricTitle(metric);
  const select = (metric: string) => {
    store.selectMetric(metric);
    store.announce(`selected: ${titleOf(metric)}`);
  };
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {changes.length === 0 && <p>{noneText}</p>}
      <ul>
        {changes.slice(0, showsAll ? changes.length : fewChanges).map((change) => (
          <li>
            <button class="link" onClick={() => select(change.metric)}>
              {titleOf(change.metric)}
            </button>
            {`: ${changeSentence(change)}`}
          </li>
        ))}
      </ul>
      {changes.length > fewChanges && !showsAll && (
        <button onClick={() => setShowsAll(true)}>{`${changes.length - fewChanges} more`}</button>
      )}
    </section>
  );
}
