// Opens the file: shows the report or the comparison that it holds, or why it cannot be shown.
import { render } from "preact";
import { ComparisonPage } from "./comparison/comparison_page";
import { ComparisonStore } from "./comparison/comparison_store";
import { loadComparison } from "./comparison/load_comparison";
import { loadReport } from "./data/load_report";
import { fileSections } from "./data/sections";
import { drawPage } from "./frame/draw_page";
import { ErrorText, errorText } from "./frame/error_guard";
import { pageStatus, type PageStore } from "./state/page_store";
import { ReportStore } from "./state/report_store";
import { ReportPage } from "./views/report_page";

async function start(): Promise<void> {
  const root = document.getElementById("app")!;
  warnIfCut(document.getElementById("cut")!);
  try {
    const store = await openFile(root);
    store.readAddress();
    store.changed(true);
    document.getElementById("static")!.hidden = true;
    pageStatus["ready"] = "1";
  } catch (error) {
    render(<ErrorText text={errorText(error)} />, root);
    pageStatus["ready"] = "0";
  }
}

/** The element says from the begin that the file may be cut; it is hidden unless the end of the file is missing. */
function warnIfCut(element: HTMLElement): void {
  element.hidden = true;
  document.addEventListener("DOMContentLoaded", () => {
    if (document.getElementById("end")) return;
    element.textContent = "The file is truncated: values are missing.";
    element.hidden = false;
  });
}

async function openFile(root: Element): Promise<PageStore> {
  const found = await loadComparison(fileSections);
  if (found) {
    const { comparison, report } = found;
    const store: ComparisonStore = new ComparisonStore(comparison, report, () =>
      drawPage(root, () => <ComparisonPage store={store} />),
    );
    return store;
  }
  const store: ReportStore = new ReportStore(await loadReport(fileSections), () =>
    drawPage(root, () => <ReportPage store={store} />),
  );
  return store;
}

void start();
