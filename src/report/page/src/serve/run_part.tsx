// The part of the run that the next analysis is about: a region, a time, locations; and how it is analysed.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Chart } from "../charts/chart";
import { useTimeRuler } from "../charts/time_ruler";
import { axisHeight, TimeWindow } from "../charts/time_window";
import { treeOf } from "../data/tree";
import { Details } from "../frame/elements";
import type { TimeRange } from "../state/time_range";
import { TreeState } from "../state/tree_state";
import { visible } from "../text/visible_names";
import { TreeView } from "../trees/tree_view";
import { numbersOfRanges, rangesOfNumbers } from "./location_ranges";
import type { ServedLocation } from "./server_types";
import type { ServeStore } from "./serve_store";
import { sharesOfRow } from "./timeline_data";
import { RunDrawing, TimelineLayout } from "./timeline_drawing";

export function RegionField({ store }: { store: ServeStore }) {
  const { choice, server } = store;
  const [names, setNames] = useState<string[]>([]);
  const timer = useRef(0);
  const ask = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      server.json<string[]>(`regions?q=${encodeURIComponent(text)}`).then(setNames, () => setNames([]));
    }, 100);
  };
  return (
    <div class="field">
      <label for="region">Region</label>
      <span class="value">
        <input
          id="region"
          type="search"
          list="regions"
          autocomplete="off"
          placeholder="the whole program"
          value={choice.region}
          onFocus={() => ask(choice.region)}
          onInput={(event) => {
            choice.region = event.currentTarget.value;
            ask(choice.region);
            store.choiceChanged();
          }}
        />
      </span>
      <datalist id="regions">
        {names.map((name) => (
          <option value={name}>{visible(name)}</option>
        ))}
      </datalist>
      <div class="quiet">only this function, and what is called inside it</div>
    </div>
  );
}

export function TimeFields({ store }: { store: ServeStore }) {
  const { clock, time } = store;
  const limits: TimeRange = [clock.firstTime, clock.firstTime + clock.duration];
  const [begin, end] = time ?? limits;
  const set = (text: string, side: 0 | 1) => {
    const ticks = clock.firstTime + Number(text) * clock.ticksPerSecond;
    const range: TimeRange = side === 0 ? [ticks, end] : [begin, ticks];
    if (text.trim() === "" || !Number.isFinite(ticks)) return store.announce("give each time as a number of seconds");
    if (range[0] >= range[1]) return store.announce("the first time must be smaller than the second one");
    store.selectTime([Math.max(range[0], limits[0]), Math.min(range[1], limits[1])]);
  };
  const field = (side: 0 | 1, id: string, ticks: number) => (
    <input
      id={id}
      type="text"
      inputMode="decimal"
      aria-label={`${id}, in seconds`}
      value={clock.timeText(ticks).replace(" s", "")}
      onChange={(event) => set(event.currentTarget.value, side)}
    />
  );
  return (
    <>
      <div class="field">
        <span id="time-label">Time</span>
        <span class="value">
          {field(0, "from", begin)}
          {" to "}
          {field(1, "to", end)}
          {" s "}
          <button disabled={!time} onClick={() => store.selectTime(null)}>
            All
          </button>
        </span>
      </div>
      <Overview store={store} limits={limits} />
    </>
  );
}

/** All of the run in one row, in which dragging selects a time. */
function Overview({ store, limits }: { store: ServeStore; limits: TimeRange }) {
  const { timeline, clock } = store;
  const ruler = useTimeRuler(store);
  const window = new TimeWindow(clock, limits, limits, () => undefined);
  const layout = new TimelineLayout(1, 0);
  useEffect(() => timeline.wantOverview(limits), []);
  const { overview } = timeline;
  return (
    <Chart
      store={store}
      id="overview"
      height={layout.height}
      caption="The whole run: drag to select a time"
      columns={["what", "share (%)"]}
      rows={() => (overview ? sharesOfRow(overview, 0).map((cells) => ({ cells })) : [])}
      message={ruler.text}
      onKey={(event) => ruler.handleKey(window, event)}
      pointer={ruler.pointer(window)}
      textAt={(x) => clock.timeText(window.time(x))}
      arrange={(_, width) => window.place(0, width)}
      draw={(canvas, _, height) => {
        window.drawAxis(canvas, height);
        if (!overview) return;
        new RunDrawing(canvas, window, layout, overview).drawShares();
      }}
      drawAbove={(canvas, _, height) =>
        window.drawClipped(canvas, axisHeight, height, () => ruler.draw(canvas, window, height))
      }
    />
  );
}

export function LocationFields({ store }: { store: ServeStore }) {
  const { choice, trace } = store;
  const shown = numbersOfRanges(choice.locations);
  return (
    <>
      <div class="field">
        <label for="locations">Locations</label>
        <span class="value">
          <input
            id="locations"
            type="text"
            placeholder={`all ${trace.locations.length}`}
            value={choice.locations}
            onInput={(event) => {
              choice.locations = event.currentTarget.value;
              store.choiceChanged();
            }}
          />
        </span>
        <div class="quiet">{"numbers and ranges, such as 0-3,7"}</div>
      </div>
      <Details title={shown ? `${shown.size} of ${trace.locations.length} locations` : "Locations by name"}>
        <LocationBoxes store={store} />
      </Details>
    </>
  );
}

function LocationBoxes({ store }: { store: ServeStore }) {
  const { choice, trace } = store;
  const { nodes, state } = useMemo(() => locationNodes(store), [trace]);
  const numbers = numbersOfRanges(choice.locations) ?? new Set<number>();
  const boxOf = (node: number) => {
    const { locations } = nodes[node]!;
    const chosen = locations.filter((id) => numbers.has(id)).length;
    return chosen === locations.length ? true : chosen > 0 ? ("mixed" as const) : false;
  };
  const toggle = (node: number) => {
    const isChosen = boxOf(node) !== true;
    for (const id of nodes[node]!.locations)
      if (isChosen) numbers.add(id);
      else numbers.delete(id);
    choice.locations = rangesOfNumbers(numbers);
    store.choiceChanged(`${nodes[node]!.name}: ${isChosen ? "chosen" : "not chosen"}`);
  };
  return (
    <TreeView
      store={store}
      state={state}
      id="location-list"
      heading="Locations"
      meaning="if none is ticked, all are analysed"
      valueHeading=""
      isShown={isAlwaysShown}
      boxes={{ stateOf: boxOf, toggle }}
      nameOf={(node) => nodes[node]!.name}
      rowOf={(node) => ({
        text: boxOf(node) === true ? "chosen" : "not chosen",
        share: 0,
        source: nodes[node]!.number,
      })}
    />
  );
}
const isAlwaysShown = () => true;

interface LocationNode {
  name: string;
  locations: number[];
  number: string; // empty for several locations
}

/** Processes, and their locations if they have several. */
function locationNodes({ trace }: ServeStore): { nodes: LocationNode[]; state: TreeState } {
  const nodes: LocationNode[] = [];
  const parents: number[] = [];
  const byProcess = new Map<number | null, ServedLocation[]>();
  for (const location of trace.locations) {
    const found = byProcess.get(location.process);
    if (found) found.push(location);
    else byProcess.set(location.process, [location]);
  }
  const processNames = new Map(trace.processes.map(({ id, name }) => [id as number | null, visible(name)]));
  for (const [process, locations] of byProcess) {
    const ids = locations.map(({ id }) => id);
    const parent = nodes.length;
    parents.push(-1);
    nodes.push({
      name: processNames.get(process) ?? "without a process",
      locations: ids,
      number: ids.length === 1 ? `${ids[0]}` : "",
    });
    if (ids.length === 1) continue;
    for (const { id, name } of locations) {
      parents.push(parent);
      nodes.push({ name: visible(name), locations: [id], number: `${id}` });
    }
  }
  return { nodes, state: new TreeState(treeOf(parents)) };
}

/** How it is analysed. */
export function OtherFields({ store }: { store: ServeStore }) {
  const { choice, trace } = store;
  const change = (action: () => void) => {
    action();
    store.choiceChanged();
  };
  return (
    <>
      {trace.has.rma && (
        <div class="field">
          <label for="rma-model">One-sided transfers end</label>
          <span class="value">
            <select
              id="rma-model"
              value={choice.rmaModel}
              onChange={(event) => {
                const { value } = event.currentTarget;
                change(() => (choice.rmaModel = value));
              }}
            >
              <option value="auto">as usual for the library (auto)</option>
              <option value="basic">in the call that starts them (basic)</option>
              <option value="extended">in the call that completes them (extended)</option>
            </select>
          </span>
        </div>
      )}
      {trace.has.counters.length > 0 && (
        <div class="field">
          <span>Counters</span>
          <label class="value">
            <input
              id="counters"
              type="checkbox"
              checked={choice.withCounters}
              onChange={(event) => {
                const { checked } = event.currentTarget;
                change(() => (choice.withCounters = checked));
              }}
            />
            {` ${trace.has.counters.map(visible).join(", ")}`}
          </label>
        </div>
      )}
      <div class="field">
        <label for="phase">Phases</label>
        <span class="value">
          <input
            id="phase"
            type="text"
            placeholder="none"
            value={choice.phase}
            onInput={(event) => {
              const { value } = event.currentTarget;
              change(() => (choice.phase = value));
            }}
          />
        </span>
        <div class="quiet">visits of a region, by its name, or equal parts of the run, such as time:10</div>
      </div>
    </>
  );
}
