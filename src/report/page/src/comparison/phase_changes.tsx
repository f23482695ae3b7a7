// Phases of both runs beside each other.
import { durationText, percentText } from "../text/number_text";
import { visible } from "../text/visible_names";
import type { ComparisonStore } from "./comparison_store";
import type { Pair, PhaseChange } from "./comparison_types";
import { PairedColumns, type NamedPair } from "./paired_columns";

export function PhaseChanges({ store }: { store: ComparisonStore }) {
  if (!store.comparison.phases) return null;
  const { of: name, phases } = store.comparison.phases;
  const metric = store.metric.id;
  const pairs = (pairOf: (phase: PhaseChange) => Pair | undefined) =>
    phases.map((phase): NamedPair => {
      const { before = null, after = null } = pairOf(phase) ?? {};
      return { name: `phase ${phase.phase}`, before, after };
    });
  const isKnown = ({ before, after }: Pair) => before !== null || after !== null;
  return (
    <section id="phases" aria-label="Phases">
      <h2>{`Phases: ${visible(name)}`}</h2>
      <PairedColumns
        store={store}
        id="phase-longest"
        caption="How long each phase took on the slowest location"
        unit=" (s)"
        textOf={durationText}
        pairs={pairs(({ longest }) => longest)}
      />
      {phases.some(({ parallel_efficiency }) => isKnown(parallel_efficiency)) && (
        <PairedColumns
          store={store}
          id="phase-parallel"
          caption="Parallel efficiency of each phase"
          textOf={percentText}
          pairs={pairs(({ parallel_efficiency }) => parallel_efficiency)}
        />
      )}
      {phases.some(({ waits }) => waits[metric]) && (
        <PairedColumns
          store={store}
          id="phase-waited"
          caption={`${store.metricTitle} in each phase`}
          unit=" (s)"
          textOf={durationText}
          pairs={pairs(({ waits }) => waits[metric])}
        />
      )}
    </section>
  );
}
