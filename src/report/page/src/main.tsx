// Opens the file: shows the report or the comparison that it holds, or why it cannot be shown.
import { render, type ComponentChildren } from "preact";
import { ComparisonPage } from "./comparison/comparison_page";
import { ComparisonStore } from "./comparison/comparison_store";
import { loadComparison } from "./comparison/load_comparison";
import { loadReport } from "./data/load_report";
import { ErrorGuard, ErrorText, errorText } from "./frame/error_guard";
import { pageStatus, type PageStore } from "./state/page_store";
import { ReportStore } from "./state/report_store";
import { nameLength } from "./text/visible_names";
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
  const found = await loadComparison();
  if (found) {
    const { comparison, report } = found;
    const store: ComparisonStore = new ComparisonStore(comparison, report, () =>
      draw(root, () => <ComparisonPage store={store} />),
    );
    return store;
  }
  const store: ReportStore = new ReportStore(await loadReport(), () => draw(root, () => <ReportPage store={store} />));
  return store;
}

/** Draws the page; once more if a name was cut for the first time, because there is a button for whole names then. */
function draw(root: Element, page: () => ComponentChildren): void {
  const wasExceeded = nameLength.wasExceeded;
  const drawPage = () => render(<ErrorGuard>{page()}</ErrorGuard>, root);
  drawPage();
  if (wasExceeded !== nameLength.wasExceeded) drawPage();
}

void start();
