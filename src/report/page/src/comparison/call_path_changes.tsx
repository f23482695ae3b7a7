// Every metric that changed, as trees, and the call paths in which the selected one changed.
import { DataTable } from "../charts/data_table";
import { visible } from "../text/visible_names";
import { ThreeTrees } from "../trees/three_trees";
import { changeSentence, valueTexts } from "./change_text";
import type { ComparisonStore } from "./comparison_store";
import type { CallPathChange } from "./comparison_types";

export function CallPathChanges({ store }: { store: ComparisonStore }) {
  const { comparison, report, change, metricTitle } = store;
  const changes = comparison.callpaths.filter(({ metric }) => metric === change?.metric);
  return (
    <>
      {report.meta.processes.length === 0 && comparison.after.processes > 0 && (
        <p class="quiet">A and B have different processes or threads, so they cannot be compared by location.</p>
      )}
      <div class="changes">
        <ThreeTrees store={store} />
      </div>
      <section id="paths" tabIndex={-1} aria-labelledby="paths-title">
        <h2 id="paths-title">{`Call paths of ${metricTitle}`}</h2>
        {change && <p>{`${changeSentence(change)}; ${countSentence(changes.length)}.`}</p>}
        {change && changes.length > 0 && (
          <DataTable
            store={store}
            id="paths"
            label={labelOf(change.unit)}
            columns={["call path", ...["change", "%", "A", "B"].map((title) => title + unitOf(title, change.unit))]}
            rows={changes.map((one) => ({ cells: rowCells(one) }))}
          />
        )}
      </section>
    </>
  );
}

const unitNames: Record<string, string> = { occ: "occurrences" };
const labelOf = (unit: string): string =>
  `by size of the change${unit === "sec" ? "" : `, in ${unitNames[unit] ?? unit}`}`;
const unitOf = (title: string, unit: string): string => (unit === "sec" && title !== "%" ? " (s)" : "");

function countSentence(changed: number): string {
  if (changed === 0) return "no call path changed";
  return changed === 1 ? "one call path changed" : `${changed} call paths changed`;
}

function rowCells(callPathChange: CallPathChange): (string | number)[] {
  const { callpath, before, after, change, relative } = callPathChange;
  const [beforeText, afterText] = valueTexts(callPathChange);
  return [visible(callpath), change, relative === null ? "" : 100 * relative, before ?? beforeText, after ?? afterText];
}
