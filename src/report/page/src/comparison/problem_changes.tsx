// Problems of both runs beside each other.
import { DataTable, type TableRow } from "../charts/data_table";
import { visible } from "../text/visible_names";
import { cellsOf } from "./change_text";
import type { ComparisonStore } from "./comparison_store";

export function ProblemChanges({ store }: { store: ComparisonStore }) {
  const { problems = [] } = store.comparison;
  if (problems.length === 0) return null;
  return (
    <section id="problems" aria-label="Problems">
      <h2>Problems</h2>
      <DataTable
        store={store}
        id="problems"
        label="Wait states that are a problem of A or of B"
        columns={["problem", "A (s)", "B (s)", "change (s)", "most of it in"]}
        rows={problems.map(({ metric, title, seconds, callpath }): TableRow => ({
          cells: [
            visible(title),
            ...cellsOf(seconds),
            seconds.change ?? (seconds.before === null ? "new" : "gone"),
            visible(callpath),
          ],
          onPick: () => store.selectMetric(metric),
        }))}
      />
    </section>
  );
}
