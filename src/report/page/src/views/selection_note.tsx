// Says what a view shows instead of what is selected.
import { Note } from "../frame/elements";
import type { ReportStore } from "../state/report_store";
import { passedOverText, type SelectionPart } from "../trees/selection_text";

interface SelectionNoteProps {
  store: ReportStore;
  passesOver: SelectionPart[];
  /** The values are of single waits, those in MPI_Init and the like too. */
  ofWaits?: boolean;
}
export function SelectionNote({ store, passesOver, ofWaits = false }: SelectionNoteProps) {
  const texts = [passedOverText(store, passesOver)];
  const { metric, report, uncountedPaths } = store;
  const uncounted = metric.total - metric.total_without_init_exit;
  if (ofWaits && uncountedPaths && uncounted !== 0)
    texts.push(`Waits in ${report.initExitText} are included: ${report.valueText(metric, uncounted)}.`);
  const text = texts.filter((one) => one !== "").join(" ");
  return text === "" ? null : (
    <div class="passed-over">
      <Note>{text}</Note>
    </div>
  );
}
