// The timeline of the whole run: rows by process and thread. It is drawn at once when it is zoomed or moved, with what
// is there, and again when the server has answered.
import { useEffect, useState } from "preact/hooks";
import { drawRowNames, nameColumnWidth } from "../charts/canvas";
import { Chart } from "../charts/chart";
import type { TableRow } from "../charts/data_table";
import { faintColour } from "../charts/colours";
import { Legend, type LegendEntry } from "../charts/legend";
import { useTimeRuler, ZoomButtons } from "../charts/time_ruler";
import { axisHeight, TimeWindow } from "../charts/time_window";
import type { RunClock } from "../data/run_clock";
import { Note } from "../frame/elements";
import type { TimeRange } from "../state/time_range";
import { countText, percentText, significantText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { PerfettoDialogue } from "./perfetto_dialogue";
import { showInReport } from "./places";
import type { ServeStore } from "./serve_store";
import {
  classCount,
  sharesOfRow,
  transferKinds,
  type CounterData,
  type CounterValue,
  type TimelineData,
} from "./timeline_data";
import { colourOfClass, RunDrawing, TimelineLayout, transferDash } from "./timeline_drawing";
import { levels, rowCounts, type TimelinePlace } from "./timeline_state";

const leastWidth = 200;
const nextByKey: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 16, PageUp: -16 };

export function RunTimeline({ store }: { store: ServeStore }) {
  const { timeline, clock } = store;
  const { data, marked, place } = timeline;
  const ruler = useTimeRuler(store);
  const [exported, setExported] = useState<TimeRange | null>(null);
  const limits: TimeRange = [clock.firstTime, clock.firstTime + clock.duration];
  const window = new TimeWindow(clock, limits, timeline.window ?? limits, (shown) => timeline.show(shown));
  const rows = data ? Math.max(1, Math.min(timeline.mostRows, data.totalRows - timeline.first)) : 1;
  const layout = new TimelineLayout(rows, timeline.first, timeline.counter !== "");
  const names = Array.from({ length: rows }, (_, row) => rowName(store, row + timeline.first));
  let width = leastWidth;
  useEffect(() => timeline.want(limits, Math.max(leastWidth, width)));
  const pick = (x: number, y: number) => {
    const row = layout.rowAt(y);
    ruler.clear();
    timeline.place = row < 0 ? null : { row: row + timeline.first, time: window.time(x) };
    store.redraw();
  };
  const placeRange = place ? rangeOf(data, place) : undefined;
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const rowsOn = nextByKey[event.key];
    if (rowsOn !== undefined) movePlace(store, window, rowsOn);
    else if (event.key === "." || event.key === ",") stepCall(store, window, event.key === "." ? 1 : -1);
    else if (event.key === "Escape" && place && !ruler.range) timeline.place = null;
    else return ruler.handleKey(window, event, ruler.range ?? placeRange ?? null);
    store.redraw();
    event.preventDefault();
    event.stopPropagation();
  };
  const drawing = (canvas: CanvasRenderingContext2D) => data && new RunDrawing(canvas, window, layout, data);
  return (
    <>
      <Chart
        store={store}
        id="run"
        height={layout.height}
        caption={captionOf(store, window)}
        columns={["row", "what", "from (s)", "to (s)", "share (%)"]}
        rows={() => tableRows(store, window)}
        message={ruler.text || (place ? placeText(store, place) : "")}
        onKey={onKey}
        pointer={ruler.pointer(window, (x, y) => {
          const row = layout.rowAt(y);
          return row < 0 ? undefined : rangeOf(data, { row: row + timeline.first, time: window.time(x) });
        })}
        onPick={pick}
        textAt={(x, y) => {
          const row = layout.rowAt(y);
          const time = window.time(x);
          return row < 0 ? clock.timeText(time) : placeText(store, { row: row + timeline.first, time });
        }}
        arrange={(canvas, chartWidth) => {
          const nameWidth = nameColumnWidth(canvas, names, chartWidth);
          width = chartWidth - nameWidth - 6;
          window.place(nameWidth, width);
        }}
        draw={(canvas, _, height) => {
          window.drawAxis(canvas, height);
          drawRowNames(canvas, names, window.left - 8, layout.rowHeight, (row) => layout.middle(row));
          const drawn = drawing(canvas);
          if (!drawn) return;
          window.drawClipped(canvas, axisHeight, height, () => {
            if (data!.showsCalls) {
              const drawCallNames = drawn.drawCalls();
              drawn.drawWaits();
              drawCallNames();
            } else drawn.drawShares(); // these have the waits
            drawn.drawCounter();
            for (const { location, from, to } of marked?.path ?? [])
              drawn.drawPath(rowOfLocation(store, location), from, to);
            drawn.drawMessages();
            for (const { location, begin, ticks } of marked?.waits ?? [])
              drawn.drawMark(rowOfLocation(store, location), begin, begin + ticks);
          });
        }}
        drawAbove={(canvas, _, height) =>
          window.drawClipped(canvas, axisHeight, height, () => {
            if (place && placeRange && data) drawing(canvas)!.drawMark(place.row - data.first, ...placeRange);
            ruler.draw(canvas, window, height);
          })
        }
        below={<Legend store={store} entries={legendOf(data, marked !== null)} />}
      >
        <CounterChoice store={store} />
        <RowButtons store={store} />
        <ZoomButtons window={window} selected={ruler.range ?? placeRange ?? null} />
      </Chart>
      {timeline.error !== "" && (
        <p class="error" role="alert">
          {timeline.error}
        </p>
      )}
      {timeline.waitsFor !== "" && <p aria-busy="true">{timeline.waitsFor}</p>}
      <LeftOut store={store} />
      <PlaceButtons store={store} onExport={() => setExported(timeline.window ?? limits)} />
      {exported && <PerfettoDialogue store={store} part={exported} onClose={() => setExported(null)} />}
    </>
  );
}

/** A location that is alone in its process is called as the process. */
function rowName({ timeline: { data }, trace, processNames }: ServeStore, row: number): string {
  const { name = "", locations: [begin, end] = [0, 0] } = data?.rows[row - data.first] ?? {};
  const location = end - begin === 1 ? trace.locations[begin] : undefined;
  return visible(processNames.get(location?.id ?? -1) ?? name);
}

/** Among the rows of the data. */
function rowOfLocation({ placeOfLocation, timeline }: ServeStore, location: number | null): number {
  return timeline.data?.rowOf(placeOfLocation.get(location ?? -1) ?? -1) ?? -1;
}

function captionOf({ trace, clock, timeline }: ServeStore, { from, to }: TimeWindow): string {
  const { data, first } = timeline;
  const rows = data ? Math.min(timeline.mostRows, data.totalRows - first) : 0;
  const part =
    data && rows < data.totalRows ? `rows ${first + 1} to ${first + rows} of ${countText(data.totalRows)}` : "all rows";
  const folded = data?.rows.some(({ locations: [begin, end] }) => end - begin > 1)
    ? ", some of which stand for several locations"
    : "";
  const what = data?.showsCalls ? "calls, inner ones above outer ones" : "shares of activities";
  const time = `from ${clock.timeText(from)} to ${clock.timeText(to)}`;
  return `${visible(trace.file)} ${time}, ${part}${folded}: ${what}; waits are hatched`;
}

function legendOf(data: TimelineData | undefined, hasMarks: boolean): LegendEntry[] {
  const namesOfColours = new Map<string, string[]>();
  for (const name of data?.classes ?? []) {
    const colour = colourOfClass(name);
    namesOfColours.set(colour, [...(namesOfColours.get(colour) ?? []), name]);
  }
  const entries: LegendEntry[] = [...namesOfColours].map(([colour, names]) => ({ name: names.join(", "), colour }));
  const kinds = new Set(data?.messages.kind ?? []);
  if (kinds.has(0)) entries.push({ name: "message", colour: "currentColor", dash: [] });
  if ([...kinds].some((kind) => kind !== 0))
    entries.push({ name: "one-sided transfer", colour: "currentColor", dash: transferDash });
  const counter = data?.counter;
  if (counter?.hasValues) {
    const [low, high] = counter.scale.map((value) => counterText(value, counter.unit));
    const name = `${visible(counter.name)}, from ${low} to ${high} in all rows`;
    entries.push({ name: `${name}: its mean, and its range`, colour: faintColour() });
  }
  entries.push({ name: hasMarks ? "wait (framed: this one)" : "wait", colour: "none", isHatched: true });
  return entries;
}

/** A value of a counter, with its unit. */
function counterText(value: number, unit: string): string {
  const digits = Math.abs(value) >= 1000 ? countText(Number(value.toPrecision(5))) : significantText(value, 5);
  return unit === "" ? digits : `${digits} ${visible(unit)}`;
}

function counterValueText({ name, unit }: CounterData, { least, greatest, mean }: CounterValue): string {
  const range = least === greatest ? "" : `, from ${counterText(least, unit)} to ${counterText(greatest, unit)}`;
  return `${visible(name)} ${counterText(mean, unit)}${range}`;
}

/** The counter at a place; empty if there is none, or if it has no value there. */
function counterAt({ counter }: TimelineData, row: number, time: number): string {
  const found = counter?.valueAt(row, time);
  return counter && found ? `; ${counterValueText(counter, found)}` : "";
}

/** The call at a place, or its bin. */
function rangeOf(data: TimelineData | undefined, { row, time }: TimelinePlace): TimeRange | undefined {
  if (!data || !data.rows[row - data.first]) return undefined;
  const call = data.callAt(row - data.first, time);
  if (call >= 0) return [data.calls.enter[call]!, data.calls.exit[call]!];
  const bin = data.binAt(time);
  const ticks = (data.to - data.from) / data.bins;
  return data.showsCalls ? undefined : [data.from + bin * ticks, data.from + (bin + 1) * ticks];
}

function placeText(store: ServeStore, { row, time }: TimelinePlace): string {
  const { timeline, clock } = store;
  const { data } = timeline;
  const begin = `${clock.timeText(time)}  ${rowName(store, row)}`;
  if (!data || !data.rows[row - data.first] || time < data.from || time > data.to) return begin;
  const waits = waitsText(store, data, row - data.first, time) + counterAt(data, row - data.first, time);
  const call = data.callAt(row - data.first, time);
  if (call >= 0) {
    const { enter, exit, region } = data.calls;
    const duration = clock.durationText(exit[call]! - enter[call]!);
    return `${begin}: ${visible(data.regionName(region[call]!))}, ${duration}${waits}`;
  }
  if (data.showsCalls) return begin + waits;
  const shares = data.sharesAt(row - data.first, data.binAt(time));
  const parts = data.classes.map((name, kind) => [name, shares[kind]! / 255] as const).filter(([, share]) => share > 0);
  if (shares[classCount]! > 0) parts.push(["waits", shares[classCount]! / 255]);
  const text = parts.map(([name, share]) => `${name} ${percentText(share)}`).join(", ");
  return `${begin}: ${text || "nothing"}${waits}`;
}

const metricName = ({ patterns }: ServeStore, id: string): string =>
  visible(patterns.metrics.find((metric) => metric.id === id)?.name ?? id);

/** The waits of a row at a time. */
function waitsText(store: ServeStore, data: TimelineData, row: number, time: number): string {
  const { count, begin, end, row: rows, metric } = data.waits;
  const found: [ticks: number, name: string][] = [];
  for (let wait = 0; wait < count; ++wait)
    if (rows[wait] === row && begin[wait]! <= time && end[wait]! > time)
      found.push([end[wait]! - begin[wait]!, metricName(store, data.metricId(metric[wait]!))]);
  return found.map(([ticks, name]) => `; waits ${store.clock.durationText(ticks)}: ${name}`).join("");
}

/** Moves to another row; at the edge of those that are shown, these move. */
function movePlace({ timeline }: ServeStore, window: TimeWindow, rows: number): void {
  const total = timeline.data?.totalRows ?? 1;
  const { place, first, mostRows } = timeline;
  const time = place?.time ?? (window.from + window.to) / 2;
  const row = place ? Math.max(0, Math.min(total - 1, place.row + rows)) : first;
  timeline.place = { row, time };
  if (row < first) timeline.first = row;
  else if (row >= first + mostRows) timeline.first = row - mostRows + 1;
}

/** The call, or bin, before or behind the one with the cursor. */
function stepCall({ timeline }: ServeStore, window: TimeWindow, direction: 1 | -1): void {
  const { data, first } = timeline;
  const place = (timeline.place ??= { row: first, time: window.from });
  const range = rangeOf(data, place);
  if (!data) return;
  const small = (data.to - data.from) / data.bins / 2;
  const time = range
    ? direction > 0
      ? range[1] + (data.showsCalls ? 0 : small)
      : range[0] - (data.showsCalls ? 1 : small)
    : place.time + direction * small * 2;
  if (time < window.limits[0] || time >= window.limits[1]) return;
  timeline.place = { row: place.row, time };
  if (time < window.from || time > window.to)
    window.pan((time - (window.from + window.to) / 2) / (window.to - window.from));
}

function tableRows(store: ServeStore, { from, to }: TimeWindow): TableRow[] {
  const { timeline, clock } = store;
  const { data } = timeline;
  if (!data) return [];
  const row = (number: number, what: string, begin: number, end: number, share: number | "" = "") => ({
    cells: [
      rowName(store, number + data.first),
      what,
      clock.secondsFromStart(begin),
      clock.secondsFromStart(end),
      share,
    ],
  });
  const { calls, waits, messages } = data;
  const found: TableRow[] = counterRows(data, from, to).map(([number, what]) => row(number, what, from, to));
  if (!data.showsCalls)
    for (let number = 0; number < data.rows.length; ++number)
      for (const [what, share] of sharesOfRow(data, number)) found.push(row(number, what, data.from, data.to, share));
  const isIn = (begin: number, end: number) => begin < to && end > from;
  for (let wait = 0; data.showsCalls && wait < waits.count; ++wait)
    if (isIn(waits.begin[wait]!, waits.end[wait]!)) {
      const what = `waits: ${metricName(store, data.metricId(waits.metric[wait]!))}`;
      found.push(row(waits.row[wait]!, what, waits.begin[wait]!, waits.end[wait]!));
    }
  for (let message = 0; message < messages.count; ++message) {
    const { from: sender, to: receiver, sent, received, bytes, kind } = messages;
    const [begin, end] = [sent[message]!, received[message]!];
    if (!isIn(Math.min(begin, end), Math.max(begin, end))) continue;
    const name = rowName(store, receiver[message]! + data.first);
    const what = `${transferKinds[kind[message]!]} of ${countText(bytes[message]!)} bytes to ${name}`;
    found.push(row(sender[message]!, what, begin, end));
  }
  for (let call = 0; data.showsCalls && call < calls.count; ++call)
    if (isIn(calls.enter[call]!, calls.exit[call]!)) {
      const what = visible(data.regionName(calls.region[call]!));
      found.push(row(calls.row[call]!, what, calls.enter[call]!, calls.exit[call]!));
    }
  return found;
}

/** The counter of each row in a time: its mean, its least and its greatest value. */
function counterRows(data: TimelineData, from: number, to: number): [row: number, text: string][] {
  const { counter } = data;
  const found: [number, string][] = [];
  for (let row = 0; counter && row < data.rows.length; ++row) {
    const value = counter.valueIn(row, from, to);
    if (value) found.push([row, counterValueText(counter, value)]);
  }
  return found;
}

function LeftOut({ store: { timeline, clock, trace } }: { store: ServeStore }) {
  const { data } = timeline;
  const { intervals = 0, waits = 0, messages = 0 } = data?.leftOut ?? {};
  const notDrawn = data && !data.showsCalls ? data.calls.count : 0;
  const parts = [
    [intervals + notDrawn, "calls"] as const,
    [waits, "waits"] as const,
    [messages, trace.has.rma ? "messages and one-sided transfers" : "messages"] as const,
  ].filter(([count]) => count > 0);
  const isCoarse = data && !data.showsCalls && data.resolution > (1.5 * (data.to - data.from)) / data.bins;
  const coarse = isCoarse ? ` Shares are known only for intervals of ${clock.durationText(data.resolution)}.` : "";
  const others = [counterNote(data, clock), messagesNote(data)].filter((text) => text !== "");
  if (parts.length === 0 && coarse === "" && others.length === 0) return null;
  const texts = parts.map(([count, what]) => `${countText(count)} ${what}`);
  return (
    <div id="left-out">
      <Note>
        {(texts.length > 0 ? `Not drawn one by one here: ${texts.join(", ")}. ` : "") +
          (data && !data.showsCalls ? "Zoom in to see single calls." : "") +
          coarse}
        {others.map((text) => ` ${text}`)}
      </Note>
    </div>
  );
}

/** What is not known of the counter that was chosen. */
function counterNote(data: TimelineData | undefined, clock: RunClock): string {
  const counter = data?.counter;
  if (!data || !counter) return "";
  const name = visible(counter.name);
  if (!counter.isKnown && !counter.hasValues)
    return `There are too many values of counters to show ${name} here: zoom in, or show fewer rows.`;
  if (!counter.hasValues) return `None of these rows has a value of ${name} here.`;
  const isCoarse = counter.resolution > (1.5 * (data.to - data.from)) / counter.bins;
  return isCoarse ? `Values of ${name} are known only for intervals of ${clock.durationText(counter.resolution)}.` : "";
}

/** Why messages are not drawn that are few enough. */
function messagesNote(data: TimelineData | undefined): string {
  if (!data) return "";
  if (data.messagesWaitFor !== "") return `${visible(data.messagesWaitFor)}.`;
  if (data.messagesNote !== "") return `Messages cannot be shown one by one: ${visible(data.messagesNote)}.`;
  return "";
}

/** Chooses the counter that is drawn below the bars of each row. */
function CounterChoice({ store: { timeline, trace } }: { store: ServeStore }) {
  if (trace.has.counters.length === 0) return null;
  return (
    <label>
      counter{" "}
      <select
        id="counter"
        value={timeline.counter}
        onChange={(event) => {
          timeline.counter = event.currentTarget.value;
          timeline.show(timeline.window);
        }}
      >
        <option value="">none</option>
        {trace.has.counters.map((name) => (
          <option value={name}>{visible(name)}</option>
        ))}
      </select>
    </label>
  );
}

/** How many rows are shown, and which is the first. */
function RowButtons({ store }: { store: ServeStore }) {
  const { timeline } = store;
  const { data, first, mostRows } = timeline;
  if (!data || store.trace.locations.length <= rowCounts[0]!) return null;
  const show = (row: number) => timeline.show(timeline.window, Math.max(0, Math.min(data.totalRows - mostRows, row)));
  return (
    <>
      <label>
        a row for each{" "}
        <select
          id="level"
          value={timeline.level}
          onChange={(event) => {
            timeline.level = event.currentTarget.value;
            timeline.place = null;
            timeline.show(timeline.window, 0);
          }}
        >
          <option value="">location, or fewer</option>
          {levels.map((level) => (
            <option value={level}>{level}</option>
          ))}
        </select>
      </label>
      <label>
        rows{" "}
        <select
          id="row-count"
          value={mostRows}
          onChange={(event) => {
            timeline.mostRows = Number(event.currentTarget.value);
            show(first);
          }}
        >
          {rowCounts.map((count) => (
            <option value={count}>{count}</option>
          ))}
        </select>
      </label>
      <button aria-label="rows above" disabled={first === 0} onClick={() => show(first - mostRows)}>
        {"\u2191"}
      </button>
      <button
        aria-label="rows below"
        disabled={first + mostRows >= data.totalRows}
        onClick={() => show(first + mostRows)}
      >
        {"\u2193"}
      </button>
      {data.totalRows > mostRows && (
        <input
          id="first-row"
          type="range"
          min={0}
          max={data.totalRows - mostRows}
          value={first}
          aria-label="first row"
          onInput={(event) => show(Number(event.currentTarget.value))}
        />
      )}
    </>
  );
}

/** What can be done with the selected time and the selected place. */
function PlaceButtons({ store, onExport }: { store: ServeStore; onExport: () => void }) {
  const { timeline, time, timelineRun: run } = store;
  const { marked, place } = timeline;
  const clearMark = () => {
    timeline.marked = null;
    store.redraw();
  };
  return (
    <div class="tools" id="place-tools">
      <button id="analyse-time" disabled={!time} onClick={() => store.show("choose")}>
        Choose patterns for the selected time
      </button>
      <button
        id="to-report"
        disabled={!run || !(time ?? place)}
        onClick={() => void store.attempt(() => showInReport(store, run!.id))}
      >
        {run ? `Waits of run ${run.id} here` : "Waits here (after a run)"}
      </button>
      <button id="to-perfetto" onClick={onExport}>
        Open in Perfetto&hellip;
      </button>
      {marked && (
        <>
          <button id="back-to-run" onClick={() => store.showRun(marked.run)}>
            {`Back to run ${marked.run}: ${marked.title}`}
          </button>
          <button onClick={clearMark}>Remove the frames</button>
        </>
      )}
    </div>
  );
}
