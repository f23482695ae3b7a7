// Opens the page of `waitstate serve`: asks the server for the trace, and shows what is to be done with it.
import { render } from "preact";
import { drawPage } from "./frame/draw_page";
import { ErrorText, errorText } from "./frame/error_guard";
import { Server } from "./serve/server";
import type { ServedPatterns, ServedTrace, WaitsFor } from "./serve/server_types";
import { ServePage } from "./serve/serve_page";
import { ServeStore } from "./serve/serve_store";
import { addressParts } from "./state/address";
import { pageStatus } from "./state/page_store";
import { visible } from "./text/visible_names";

async function start(): Promise<void> {
  const root = document.getElementById("app")!;
  for (const id of ["static", "cut"]) document.getElementById(id)!.hidden = true;
  const server = new Server();
  const takeToken = () => {
    const parts = addressParts();
    if (!server.takeToken(parts)) return;
    const others = parts.filter(([name]) => name !== "token").map((part) => part.join("="));
    history.replaceState(null, "", `#${others.join("&")}`);
  };
  takeToken();
  try {
    const trace = await openedTrace(server, root);
    const patterns = await server.json<ServedPatterns>("patterns");
    document.title = `${visible(trace.file)} - waitstate`;
    const store: ServeStore = new ServeStore(server, trace, patterns, () =>
      drawPage(root, () => <ServePage store={store} />),
    );
    // Before the listeners of the pages of runs: another part of the address is not theirs.
    addEventListener("hashchange", (event) => {
      takeToken();
      const before = store.pageAddress;
      store.readAddress();
      store.askCommand();
      if (store.pageAddress === before && before !== "") return;
      event.stopImmediatePropagation();
      const page = store.shownPage();
      if (page && !(page instanceof Error)) page.readAddress();
      (page && !(page instanceof Error) ? page : store).changed(true);
    });
    store.readAddress();
    store.redraw();
    store.runs.poll();
    store.askCommand();
    pageStatus["ready"] = "1";
  } catch (error) {
    render(<ErrorText text={errorText(error)} />, root);
    pageStatus["ready"] = "0";
  }
}

/** The trace, as soon as the server has opened it. */
async function openedTrace(server: Server, root: Element): Promise<ServedTrace> {
  for (;;) {
    const trace = await server.json<ServedTrace | WaitsFor>("trace");
    if (!("waits_for" in trace)) return trace;
    render(<p aria-busy="true">{trace.waits_for}</p>, root);
    await new Promise((resume) => setTimeout(resume, 300));
  }
}

void start();
