// The page: heading, views, what is selected, and the keys.
import { render, type ComponentChildren } from "preact";
import { errorText, Frame, Guard, HelpButton, WholeNames, ZerosButton } from "./around";
import { DiffPage, DiffStore, loadDiff } from "./diff";
import { Instances, step } from "./instances";
import { WhoWaits } from "./matrix";
import { Help } from "./help";
import { Communication, Counters, Topology } from "./more";
import { CriticalPath } from "./path";
import { dataset } from "./page_store";
import { Phases } from "./phases";
import { countText, loadReport, names, visible } from "./report";
import { OverTime } from "./series";
import { Statistics } from "./statistics";
import { Store, units, views, type Unit, type View } from "./store";
import { Summary } from "./summary";
import { Timeline } from "./timeline";
import { callsText, Flat, selectionText, Trees } from "./trees";

const drawn: Record<View, (props: { store: Store }) => ComponentChildren> = {
  summary: Summary,
  trees: Trees,
  flat: Flat,
  statistics: Statistics,
  instances: Instances,
  timeline: Timeline,
  time: OverTime,
  phases: Phases,
  path: CriticalPath,
  matrix: WhoWaits,
  communication: Communication,
  topology: Topology,
  counters: Counters,
};

function App({ store }: { store: Store }) {
  const { meta } = store.report;
  const View = drawn[store.view];
  const places = store.places.nodes;
  const place =
    places.length === 0
      ? "all locations"
      : places.length === 1
        ? store.report.placeName(places[0]!)
        : `${places.length} locations`;
  return (
    <Frame
      store={store}
      skip="Skip to the view"
      label={views[store.view]}
      busy={store.pending > 0}
      more={(key) => reportKey(store, key)}
      help={
        <Guard>
          <Help store={store} />
        </Guard>
      }
      top={
        <>
          <header>
            <h1>{`Wait states of ${visible(meta.trace.path)}`}</h1>
            <div class="quiet">{`${store.report.seconds(meta.totals.duration)}, ${countText(meta.locations.length)} locations, ${visible(meta.trace.creator)}`}</div>
          </header>
          <nav aria-label="Views">
            {(Object.keys(views) as View[])
              .filter((v) => store.has(v))
              .map((v) => (
                <button
                  id={`view-${v}`}
                  aria-current={store.view === v ? "page" : undefined}
                  onClick={() => ((store.view = v), store.changed())}
                >
                  {views[v]}
                </button>
              ))}
            <HelpButton store={store} />
          </nav>
          <div class="selection">
            <span>
              {`Selected: ${selectionText(store)} \u00b7 ${callsText(store)} \u00b7 ${place}: `}
              <Sum store={store} />
            </span>
            <label>
              show{" "}
              <select
                id="unit"
                value={store.unit}
                onChange={(e) => ((store.unit = e.currentTarget.value as Unit), store.changed())}
              >
                {(Object.keys(units) as Unit[]).map((u) => (
                  <option value={u}>{units[u]}</option>
                ))}
              </select>
            </label>
            <ZerosButton store={store} text="zeros" />
            <button onClick={() => clear(store)} title="Esc">
              all call paths
            </button>
            <WholeNames store={store} />
          </div>
        </>
      }
    >
      <Guard>
        <View store={store} />
      </Guard>
    </Frame>
  );
}

/** Of all that is selected together; where it cannot be read, the view says why. */
function Sum({ store }: { store: Store }) {
  let text = "unknown";
  try {
    const sum = store.sum();
    if (sum === undefined) text = "\u2026";
    else if (sum !== "unknown") text = store.report.value(store.metric, sum.value, sum.approximate && sum.value !== 0);
  } catch {}
  return <b id="sum">{text}</b>;
}

/** Selects nothing. */
function clear(store: Store): void {
  store.calls.nodes = [];
  store.places.nodes = [];
  store.pair = null;
  store.changed();
}

/** False if it is none. */
function reportKey(store: Store, key: string): boolean {
  const order = Object.keys(units) as Unit[];
  const tree = ["metrics", "calls", "places"][Number(key) - 1];
  if (tree) {
    if (store.view !== "trees") ((store.view = "trees"), store.changed());
    requestAnimationFrame(() => document.getElementById(tree)?.focus());
  } else if (key === "Escape") clear(store);
  else if (key === "u")
    ((store.unit = order[(order.indexOf(store.unit) + 1) % order.length]!), store.say(units[store.unit]));
  else if (key === "n" || key === "p") step(store, key === "n" ? 1 : -1);
  else return false;
  return true;
}

/** Draws, and once more where a name was cut, as there is a button for whole ones then. */
function drawer(root: Element, page: () => ComponentChildren): () => void {
  return () => {
    const cut = names.cut;
    render(page(), root);
    if (cut !== names.cut) render(page(), root);
  };
}

async function start(): Promise<void> {
  const root = document.getElementById("app")!;
  const cut = document.getElementById("cut")!;
  cut.hidden = true;
  document.addEventListener("DOMContentLoaded", () => {
    if (document.getElementById("end")) return;
    cut.textContent = "The file is cut: values are missing.";
    cut.hidden = false;
  });
  try {
    const two = await loadDiff();
    const store: Store | DiffStore = two
      ? new DiffStore(
          two.diff,
          two.report,
          drawer(root, () => (
            <Guard>
              <DiffPage store={store as DiffStore} />
            </Guard>
          )),
        )
      : new Store(
          await loadReport(),
          drawer(root, () => (
            <Guard>
              <App store={store as Store} />
            </Guard>
          )),
        );
    store.readAddress();
    store.draw();
    document.getElementById("static")!.hidden = true;
    dataset["ready"] = "1";
  } catch (error) {
    render(
      <p class="error" role="alert">
        {errorText(error)}
      </p>,
      root,
    );
    dataset["ready"] = "0";
  }
}
void start();
