// The view of three trees. Each shows values of what is selected in the trees left of it.
import type { ReportStore } from "../state/report_store";
import { CallTree } from "./call_tree";
import { LocationTree } from "./location_tree";
import { MetricTree } from "./metric_tree";

export function ThreeTrees({ store }: { store: ReportStore }) {
  return (
    <div class={store.report.hasManyLocations ? "trees many" : "trees"}>
      <MetricTree store={store} />
      <CallTree store={store} />
      <LocationTree store={store} />
    </div>
  );
}
