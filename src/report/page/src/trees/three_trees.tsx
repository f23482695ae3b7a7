// The view of three trees. Each shows values of what is selected in the trees left of it.
import type { ReportStore } from "../state/report_store";
import { CallTree } from "./call_tree";
import { Note } from "../frame/elements";
import { LocationTree } from "./location_tree";
import { MetricTree } from "./metric_tree";
import { passedOverText } from "./selection_text";

export function ThreeTrees({ store }: { store: ReportStore }) {
  return (
    <>
      {passedOverText(store, ["time"]) && <Note>{passedOverText(store, ["time"])}</Note>}
      <div class={store.report.hasManyLocations ? "trees many" : "trees"}>
        <MetricTree store={store} />
        <CallTree store={store} />
        <LocationTree store={store} />
      </div>
    </>
  );
}
