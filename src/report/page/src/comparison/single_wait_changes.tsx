// How long single waits of the selected wait state are in both runs.
import { DataTable } from "../charts/data_table";
import { countText, durationText, headingText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { cellOf, cellsOf } from "./change_text";
import type { ComparisonStore } from "./comparison_store";
import type { Pair, WaitChanges } from "./comparison_types";
import { PairedColumns } from "./paired_columns";

export function SingleWaitChanges({ store }: { store: ComparisonStore }) {
  const waits = store.comparison.waits.find(({ metric }) => metric === store.metric.id);
  if (!waits) return null;
  const title = store.report.metricTitle(waits.metric);
  return (
    <section id="single" tabIndex={-1} aria-label="Single waits">
      <h2>{`Single waits of ${title}`}</h2>
      <DataTable
        store={store}
        id="numbers"
        label="All of them"
        columns={["name", "A", "B", "change"]}
        rows={numbersOf(waits).map(([name, pair]) => ({
          cells: [headingText(name), ...cellsOf(pair), cellOf(pair.change)],
          heading: name,
        }))}
      />
      {waits.histogram.length > 0 && (
        <PairedColumns
          store={store}
          id="lengths"
          caption={`Number of waits of ${title} by duration`}
          textOf={(count) => `${countText(count)} waits`}
          pairs={waits.histogram.map(({ from, to, before, after }) => ({
            name: `${durationText(from)} to ${durationText(to)}`,
            before,
            after,
          }))}
        />
      )}
      {waits.by_callpath.length > 0 && (
        <DataTable
          store={store}
          id="waits-paths"
          label="By call path"
          columns={[
            "call path",
            ...["waits A", "waits B"],
            ...["median A (s)", "median B (s)"],
            ...["longest A (s)", "longest B (s)"],
            ...["sum A (s)", "sum B (s)", "change of the sum (s)"],
          ]}
          rows={waits.by_callpath.map(({ callpath, count, median, longest, sum }) => ({
            cells: [visible(callpath), ...[count, median, longest, sum].flatMap(cellsOf), cellOf(sum.change)],
          }))}
        />
      )}
    </section>
  );
}

const numbersOf = ({ count, mean, median, longest, sum }: WaitChanges): [string, Pair][] => [
  ["number", count],
  ["mean (s)", mean],
  ["median (s)", median],
  ["longest (s)", longest],
  ["sum (s)", sum],
];
