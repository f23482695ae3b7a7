// The page: heading, views, what is selected, and the keys.
import { render, type ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { DiffPage, DiffStore, loadDiff } from "./diff";
import { Instances, step } from "./instances";
import { WhoWaits } from "./matrix";
import { Help } from "./help";
import { Communication, Counters, Topology } from "./more";
import { CriticalPath } from "./path";
import { Phases } from "./phases";
import { loadReport, visible } from "./report";
import { OverTime } from "./series";
import { Statistics } from "./statistics";
import { Store, units, views, type Unit, type View } from "./store";
import { Summary } from "./summary";
import { Timeline } from "./timeline";
import { callsText, Flat, selectionText, Trees } from "./trees";

const drawn: Record<View, (props: { store: Store }) => ComponentChildren> = {
  summary: Summary, trees: Trees, flat: Flat, statistics: Statistics, instances: Instances, timeline: Timeline, time: OverTime,
  phases: Phases, path: CriticalPath, matrix: WhoWaits, communication: Communication, topology: Topology, counters: Counters,
};

function App({ store }: { store: Store }) {
  const { meta } = store.report;
  const View = drawn[store.view];
  useEffect(() => {
    const key = (event: KeyboardEvent) => onKey(store, event);
    const hash = () => (store.readAddress(), store.changed());
    addEventListener("keydown", key);
    addEventListener("hashchange", hash);
    return () => (removeEventListener("keydown", key), removeEventListener("hashchange", hash));
  }, [store]);
  const places = store.places.nodes;
  const place = places.length === 0 ? "all locations" : places.length === 1 ? store.report.places[places[0]!]!.name : `${places.length} locations`;
  return (
    <>
      <a class="skip" href="#v=trees" onClick={(e) => (e.preventDefault(), document.querySelector("main")?.focus())}>Skip to the view</a>
      <header>
        <h1>{`Wait states of ${visible(meta.trace.path)}`}</h1>
        <div class="quiet">{`${store.report.seconds(meta.totals.duration)}, ${meta.locations.length.toLocaleString("en")} locations, ${visible(meta.trace.creator)}`}</div>
      </header>
      <nav aria-label="Views">
        {(Object.keys(views) as View[]).filter((v) => store.has(v)).map((v) => (
          <button id={`view-${v}`} aria-current={store.view === v ? "page" : undefined} onClick={() => ((store.view = v), store.changed())}>{views[v]}</button>
        ))}
        <button id="view-help" aria-expanded={store.help} aria-controls="help" title="?" onClick={() => store.toggleHelp()}>Help</button>
      </nav>
      <div class="selection">
        <span>{`Selected: ${selectionText(store)} \u00b7 ${callsText(store)} \u00b7 ${place}`}</span>
        <label>show <select id="unit" value={store.unit} onChange={(e) => ((store.unit = e.currentTarget.value as Unit), store.changed())}>{(Object.keys(units) as Unit[]).map((u) => <option value={u}>{units[u]}</option>)}</select></label>
        <button id="zeros" aria-pressed={store.zeros} onClick={() => ((store.zeros = !store.zeros), store.changed())} title="Z">zeros</button>
        <button onClick={() => ((store.calls.nodes = []), (store.places.nodes = []), (store.pair = null), store.changed())} title="Esc">all call paths</button>
      </div>
      {store.error !== "" && <p class="error" role="alert">{visible(store.error)}</p>}
      <div class={store.help ? "with-help" : ""}>
        <main tabIndex={-1} aria-busy={store.pending > 0} aria-label={views[store.view]}><View store={store} /></main>
        {store.help && <Help store={store} />}
      </div>
      <div class="live" role="status" aria-live="polite">{store.message}</div>
    </>
  );
}

function onKey(store: Store, event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
  const focus = (id: string) => {
    if (store.view !== "trees") (store.view = "trees"), store.changed();
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  };
  const order = Object.keys(units) as Unit[];
  if (event.key === "Escape") {
    store.calls.nodes = [];
    store.places.nodes = [];
    store.pair = null;
    store.changed();
    return;
  }
  if (!store.letters) return;
  switch (event.key) {
    case "1": focus("metrics"); break;
    case "2": focus("calls"); break;
    case "3": focus("places"); break;
    case "/": (target.closest(".pane") ?? document).querySelector<HTMLInputElement>(".search")?.focus(); break;
    case "u": store.unit = order[(order.indexOf(store.unit) + 1) % order.length]!; store.message = units[store.unit]; store.changed(); break;
    case "z": store.zeros = !store.zeros; store.message = store.zeros ? "zeros are shown" : "zeros are hidden"; store.changed(); break;
    case "n": step(store, 1); break;
    case "p": step(store, -1); break;
    case "?": store.toggleHelp(); break;
    default: return;
  }
  event.preventDefault();
}

async function start(): Promise<void> {
  const root = document.getElementById("app")!;
  const text = document.getElementById("static")!;
  try {
    const two = await loadDiff();
    if (two) {
      const draw = () => render(<DiffPage store={store} />, root);
      const store: DiffStore = new DiffStore(two.diff, two.before, two.after, draw);
      draw();
    } else {
      const report = await loadReport();
      const draw = () => render(<App store={store} />, root);
      const store: Store = new Store(report, draw);
      store.readAddress();
      draw();
    }
    text.hidden = true;
    document.documentElement.dataset["ready"] = "1";
  } catch (error) {
    render(<p class="error" role="alert">{error instanceof Error ? error.message : String(error)}</p>, root);
    document.documentElement.dataset["ready"] = "0";
  }
}
void start();
