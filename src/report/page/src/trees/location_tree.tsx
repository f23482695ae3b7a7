// The tree of machine, nodes, processes and threads with the values of the selected metrics in the selected call paths.
import type { ReportStore } from "../state/report_store";
import type { LocationValues } from "../state/selected_values";
import { visible } from "../text/visible_names";
import { callPathsText, valuesNotStored } from "./selection_text";
import { TreeView } from "./tree_view";
import { barOf, largestSibling, nonzeroNodes, shareText } from "./value_shares";

export function LocationTree({ store }: { store: ReportStore }) {
  const { report, places: state } = store;
  const found = store.values.byLocation();
  const values = found?.values ?? new Float64Array(report.meta.locations.length);
  const inclusive = report.places.map((_, place) => store.values.ofPlace(place, values));
  const valueOf = (place: number) => (state.isExclusive(place) ? 0 : inclusive[place]!);
  const isNonzero = nonzeroNodes(state.tree, (place) => inclusive[place]!);
  const total = report.placeTree.roots.reduce((sum, root) => sum + inclusive[root]!, 0);
  const largest = largestOfKinds(store, inclusive);
  const whyUnknown = store.whyUnknown();
  const textOf = (place: number, value: number): string => {
    if (whyUnknown) return "cannot tell";
    if (found === undefined) return "\u2026";
    if (found.isMissing) return "unknown";
    const siblingMaximum = () => largestSibling(report.placeTree, place, (sibling) => inclusive[sibling]!);
    return shareText(store, value, total, siblingMaximum) ?? valueText(store, value, found.isApproximate);
  };
  return (
    <TreeView
      store={store}
      state={state}
      id="places"
      heading="Locations"
      meaning={meaningOf(store, found)}
      moreHeadings={["in all", ...rangeHeadings(store, found)]}
      emptyText={whyUnknown ?? (found?.isMissing ? "Only sums over all call paths are known." : undefined)}
      isShown={(place) => store.showsZeros || isNonzero[place] === 1 || found === undefined}
      nameOf={(place) => report.placeName(place)}
      rowOf={(place) => {
        const { kind } = report.places[place]!;
        const fullBar = largest.get(kind) ?? 0;
        return {
          text: textOf(place, valueOf(place)),
          ...barOf(store, fullBar === 0 ? 0 : valueOf(place) / fullBar),
          moreColumns: [
            state.isExclusive(place) ? textOf(place, inclusive[place]!) : "",
            ...rangeTexts(store, found, place, inclusive[place]!),
          ],
          title: `${visible(kind)}: ${report.placeName(place)}`,
        };
      }}
    />
  );
}

/** A bar compares places of one kind: processes with processes, threads with threads. */
function largestOfKinds({ report }: ReportStore, values: number[]): Map<string, number> {
  const largest = new Map<string, number>();
  report.places.forEach(({ kind }, place) =>
    largest.set(kind, Math.max(largest.get(kind) ?? 0, Math.abs(values[place]!))),
  );
  return largest;
}

function rangeHeadings({ report }: ReportStore, found: LocationValues | undefined): string[] {
  return report.hasManyLocations ? ["least", "mean", "most"] : found?.groupSize ? ["from", "to"] : [];
}

function meaningOf(store: ReportStore, found: LocationValues | undefined): string {
  if (found?.isMissing) return valuesNotStored;
  const means = found?.groupSize
    ? `; means of ${found.groupSize} neighbours, with their smallest and largest values`
    : "";
  return `in ${callPathsText(store)}${means}`;
}

function valueText(store: ReportStore, value: number, isApproximate: boolean): string {
  return store.valueText(store.metric, value, isApproximate && value !== 0);
}

/**
 * The texts beside the value of a place. For a single location whose value is the mean of neighbours they are the
 * limits of its own value; where there are many locations, they are least, mean and most of those below the place.
 */
function rangeTexts(store: ReportStore, found: LocationValues | undefined, place: number, value: number): string[] {
  const { report, metric } = store;
  const { hasManyLocations } = report;
  const { locations } = report.places[place]!;
  const noTexts = hasManyLocations ? ["", "", ""] : found?.groupSize ? ["", ""] : [];
  if (!found || found.isMissing || store.whyUnknown()) return noTexts;
  const { values, groupSize, isApproximate } = found;
  const [least, most] = groupSize ? [found.least, found.most] : [values, values];
  if (groupSize && locations.length === 1) {
    const [low, high] = [least[locations[0]!]!, most[locations[0]!]!];
    return [valueText(store, low, true), ...noTexts.slice(2), valueText(store, high, true)];
  }
  if (!hasManyLocations || locations.length === 1) return noTexts;
  let [low, high] = [Infinity, -Infinity];
  for (const location of locations) {
    low = Math.min(low, least[location]!);
    high = Math.max(high, most[location]!);
  }
  const mean = metric.aggregation ? "" : valueText(store, value / locations.length, isApproximate);
  return [valueText(store, low, isApproximate), mean, valueText(store, high, isApproximate)];
}
