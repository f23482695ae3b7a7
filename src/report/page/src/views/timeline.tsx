// The events around a wait. Reports without the events around it (contexts) show only the waiting calls and that of
// the culprit.
import { useMemo, useState } from "preact/hooks";
import { nameColumnWidth } from "../charts/canvas";
import { plural } from "../text/number_text";
import { Chart } from "../charts/chart";
import { drawnClasses } from "../charts/colour_table";
import type { TableRow } from "../charts/data_table";
import { Legend, type LegendEntry } from "../charts/legend";
import { useTimeRuler, ZoomButtons, type TimeRuler } from "../charts/time_ruler";
import { axisHeight, TimeWindow } from "../charts/time_window";
import { criticalSegments, type CriticalSegment } from "../data/critical_path";
import type { SevereInstance } from "../report_types";
import { waitsOf, type ReportStore } from "../state/report_store";
import type { TimeRange } from "../state/time_range";
import { instanceText, stepToInstance } from "./instance_text";
import { TimelineDrawing, TimelineRows } from "./timeline_drawing";
import { initialWindow, pictureOf, wakeUpArrows, type CallBar, type TimelinePicture } from "./timeline_picture";

export function Timeline({ store }: { store: ReportStore }) {
  const instance = store.selectedInstance();
  if (instance) return <InstanceTimeline store={store} instance={instance} />;
  return (
    <p>
      {store.allInstances().length > 0
        ? `None of the kept instances of ${store.metricTitle} is in the selection.`
        : `There is no instance of ${store.metricTitle} in this report: select a wait state.`}
    </p>
  );
}

/** The contents of the timeline of an instance. */
interface TimelineContents {
  instance: SevereInstance;
  picture: TimelinePicture;
  path: CriticalSegment[]; // as far as it is in the picture
  notes: string[];
}

function contentsOf(store: ReportStore, instance: SevereInstance): TimelineContents {
  const picture = pictureOf(store, instance);
  const wakeUps = wakeUpArrows(instance);
  picture.arrows.push(...wakeUps);
  const [begin, end] = picture.limits;
  const path = criticalSegments(store.report).filter(
    ({ location, from, to }) => picture.locations.includes(location) && to > begin && from < end,
  );
  const notes = [...picture.notes];
  if (wakeUps.length > 0) notes.push("a dotted arrow comes from the event that ended the wait");
  if (path.length > 0) notes.push("the stripe below a row is the critical path");
  const others = picture.otherWaits.length;
  if (others > 0) notes.push(`${plural(others, "other wait")} hatched without a frame`);
  if (instance.chain && instance.chain.steps.length > 1) notes.push("the numbers are steps of the chain");
  return { instance, picture, path, notes };
}

function InstanceTimeline({ store, instance }: { store: ReportStore; instance: SevereInstance }) {
  const { report } = store;
  const ruler = useTimeRuler(store);
  const contents = useMemo(() => contentsOf(store, instance), [store.revision, instance]);
  const { picture, path, notes } = contents;
  const shown = store.windows.timeline ?? initialWindow(instance, picture.limits);
  const window = new TimeWindow(report, picture.limits, shown, (newWindow) => {
    store.windows.timeline = newWindow;
    store.changed();
  });
  const rows = new TimelineRows(picture);
  const names = picture.locations.map((location) => report.locationName(location));
  const call = useSelectedCall(contents, window, ruler);
  const selectedRange = ruler.range ?? rangeOf(call.bar) ?? null;
  return (
    <Chart
      store={store}
      id="timeline"
      height={rows.height + 8}
      caption={instanceText(store, instance) + (notes.length > 0 ? ` (${notes.join("; ")})` : "")}
      columns={["location", "what", "from (s)", "to (s)", "depth"]}
      rows={() => tableRows(store, instance, picture, path)}
      message={ruler.text || (call.bar ? callText(store, call.bar) : "")}
      onKey={(event) => {
        if (!call.handleKey(event)) ruler.handleKey(window, event, selectedRange);
      }}
      pointer={ruler.pointer(window, (x, y) => rangeOf(picture.bars[rows.barAt(window.time(x), y)]))}
      onPick={(x, y) => {
        ruler.clear();
        call.select(rows.barAt(window.time(x), y));
      }}
      textAt={(x, y) => placeText(store, instance, picture, rows, window.time(x), y)}
      arrange={(canvas, width) => {
        const nameWidth = nameColumnWidth(canvas, names, width);
        window.place(nameWidth, width - nameWidth - 6);
      }}
      draw={(canvas, _, height) => {
        window.drawAxis(canvas, height);
        const drawing = new TimelineDrawing(canvas, window, rows);
        drawing.drawNames(names);
        window.drawClipped(canvas, axisHeight, height, () => drawContents(drawing, contents));
      }}
      drawAbove={(canvas, _, height) =>
        window.drawClipped(canvas, axisHeight, height, () => {
          if (call.bar) new TimelineDrawing(canvas, window, rows).drawSelectedCall(call.bar);
          ruler.draw(canvas, window, height);
        })
      }
      below={<Legend store={store} entries={legendOf(picture)} />}
    >
      <button onClick={() => stepToInstance(store, -1)} title="P">
        Previous
      </button>
      <button onClick={() => stepToInstance(store, 1)} title="N">
        Next
      </button>
      <ZoomButtons window={window} selected={selectedRange} />
    </Chart>
  );
}

/** The classes of regions that are there, and the hatching of waits. */
function legendOf({ bars }: TimelinePicture): LegendEntry[] {
  const present = new Set(bars.map(({ colour }) => colour));
  return [
    ...drawnClasses.filter(({ colour }) => present.has(colour)).map(({ name, colour }) => ({ name, colour })),
    { name: "wait (framed: this one)", colour: "none", isHatched: true },
  ];
}

function drawContents(drawing: TimelineDrawing, { instance, picture, path }: TimelineContents): void {
  const drawCallNames = drawing.drawCalls(picture.bars);
  drawing.drawWaits(picture.otherWaits, false);
  drawing.drawWaits(waitsOf(instance), true);
  drawCallNames();
  drawing.drawCriticalPath(path);
  drawing.drawArrows(picture.arrows);
  drawing.drawChain(instance.chain?.steps ?? []);
}

/** The call that a click or the keys of comma and full stop have selected. */
interface SelectedCall {
  bar: CallBar | undefined;
  /** Does nothing if there is no call of that number. */
  select: (number: number) => void;
  /** False if the key does nothing with calls. */
  handleKey: (event: KeyboardEvent) => boolean;
}

function useSelectedCall({ instance, picture }: TimelineContents, window: TimeWindow, ruler: TimeRuler): SelectedCall {
  const [selected, setSelected] = useState<{ instance: SevereInstance; number: number } | null>(null);
  // Another instance has other calls, of which none is selected.
  const number = selected?.instance === instance ? selected.number : -1;
  const bar = picture.bars[number];
  const select = (newNumber: number) => {
    const target = picture.bars[newNumber];
    if (!target) return;
    ruler.clear();
    setSelected({ instance, number: newNumber });
    panTo(window, target);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === ".") select(nextBar(instance, picture, number, 1));
    else if (event.key === ",") select(nextBar(instance, picture, number, -1));
    else if (event.key === "Escape" && bar) {
      ruler.clear();
      setSelected(null);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { bar, select, handleKey };
}

const rangeOf = (bar: CallBar | undefined): TimeRange | undefined => bar && [bar.enter, bar.exit];

/** Moves a call to the middle if nothing of it is shown. */
function panTo(window: TimeWindow, { enter, exit }: CallBar): void {
  if (exit > window.from && enter < window.to) return;
  const distance = (enter + exit) / 2 - (window.from + window.to) / 2;
  window.pan(distance / (window.to - window.from));
}

/**
 * The number of the call before or behind the selected one in its row; if none is selected, that of the waiting call.
 */
function nextBar({ longest }: SevereInstance, { bars }: TimelinePicture, selected: number, distance: number): number {
  const current = bars[selected];
  if (!current)
    return bars.findLastIndex(
      ({ location, enter, exit }) => location === longest.location && enter <= longest.begin && exit > longest.begin,
    );
  const row = [...bars.keys()].filter(
    (number) => bars[number]!.location === current.location && bars[number]!.depth === current.depth,
  );
  return row[row.indexOf(selected) + distance] ?? selected;
}

function callText({ report }: ReportStore, { location, name, source, enter, exit }: CallBar): string {
  const times = `${report.durationText(exit - enter)}, from ${report.timeText(enter)} to ${report.timeText(exit)}`;
  return `${report.locationName(location)}: ${nameWithSource(name, source)}, ${times}`;
}

const nameWithSource = (name: string, source: string): string => name + (source === "" ? "" : ` (${source})`);

/** What is at a time and a height. */
function placeText(
  { report }: ReportStore,
  instance: SevereInstance,
  picture: TimelinePicture,
  rows: TimelineRows,
  time: number,
  y: number,
): string {
  const location = rows.locationAt(y);
  if (location === undefined) return report.timeText(time);
  const bar = picture.bars[rows.barAt(time, y)];
  const wait = [...waitsOf(instance), ...picture.otherWaits].find(
    (one) => one.location === location && time >= one.begin && time < one.begin + one.ticks,
  );
  const callPart = bar ? `: ${nameWithSource(bar.name, bar.source)}, ${report.durationText(bar.exit - bar.enter)}` : "";
  const waitPart = wait ? `; waits ${report.durationText(wait.ticks)}` : "";
  return `${report.timeText(time)}  ${report.locationName(location)}${callPart}${waitPart}`;
}

function tableRows(
  { report, metricTitle }: ReportStore,
  instance: SevereInstance,
  picture: TimelinePicture,
  path: CriticalSegment[],
): TableRow[] {
  const row = (location: number | null, what: string, from: number, to: number, depth: number | "" = "") => ({
    cells: [report.locationName(location), what, report.secondsFromStart(from), report.secondsFromStart(to), depth],
  });
  return [
    ...waitsOf(instance).map(({ location, begin, ticks }) =>
      row(location, `waits: ${metricTitle}`, begin, begin + ticks),
    ),
    ...path.map(({ location, from, to }) => row(location, "critical path", from, to)),
    ...picture.arrows.map(({ from, to, sent, received, text, colour }) =>
      row(from, `${text}${colour ? "" : " to"} ${report.locationName(to)}`, sent, received),
    ),
    ...picture.bars.map(({ location, name, enter, exit, depth }) => row(location, name, enter, exit, depth)),
  ];
}
