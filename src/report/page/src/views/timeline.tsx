// The events around a wait. Reports without the events around it (contexts) show only the waiting calls and that of
// the culprit.
import { useState } from "preact/hooks";
import { nameColumnWidth } from "../charts/canvas";
import { Chart } from "../charts/chart";
import type { TableRow } from "../charts/data_table";
import { useTimeRuler, ZoomButtons } from "../charts/time_ruler";
import { axisHeight, TimeWindow } from "../charts/time_window";
import { criticalSegments, type CriticalSegment } from "../data/critical_path";
import type { SevereInstance } from "../report_types";
import { waitsOf, type ReportStore, type TimeRange } from "../state/report_store";
import { instanceText, stepToInstance } from "./instance_text";
import { TimelineDrawing, TimelineRows } from "./timeline_drawing";
import { initialWindow, pictureOf, wakeUpArrows, type CallBar, type TimelinePicture } from "./timeline_picture";

export function Timeline({ store }: { store: ReportStore }) {
  const instance = store.selectedInstance();
  return instance ? (
    <InstanceTimeline store={store} instance={instance} />
  ) : (
    <p>{`There is no instance of ${store.metricTitle} in this report: select a wait state.`}</p>
  );
}

/** A call of a picture, by number. */
interface SelectedCall {
  instance: SevereInstance;
  bar: number;
}

function InstanceTimeline({ store, instance }: { store: ReportStore; instance: SevereInstance }) {
  const { report } = store;
  const ruler = useTimeRuler(report);
  const [selectedCall, setSelectedCall] = useState<SelectedCall | null>(null);
  const picture = pictureOf(store, instance);
  const wakeUps = wakeUpArrows(instance);
  picture.arrows.push(...wakeUps);
  const path = criticalSegments(report).filter(
    ({ location, from, to }) =>
      picture.locations.includes(location) && to > picture.limits[0] && from < picture.limits[1],
  );
  const notes = [...picture.notes];
  if (wakeUps.length > 0) notes.push("dotted is what ended the wait");
  if (path.length > 0) notes.push("the stripe below a row is the critical path");
  if (instance.chain && instance.chain.steps.length > 1) notes.push("numbers are steps of the chain");
  const shown = store.windows.timeline ?? initialWindow(instance, picture.limits);
  const window = new TimeWindow(report, picture.limits, shown, (newWindow) => {
    store.windows.timeline = newWindow;
    store.changed();
  });
  const rows = new TimelineRows(picture);
  const barNumber = selectedCall?.instance === instance ? selectedCall.bar : -1;
  const bar = picture.bars[barNumber];
  const select = (number: number) => {
    const target = picture.bars[number];
    if (!target) return;
    ruler.clear();
    setSelectedCall({ instance, bar: number });
    panTo(window, target);
  };
  const selectedRange = ruler.range ?? rangeOf(bar) ?? null;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "." || event.key === ",")
      select(nextBar(instance, picture, barNumber, event.key === "." ? 1 : -1));
    else if (event.key === "Escape" && bar) {
      ruler.clear();
      setSelectedCall(null);
    } else return ruler.handleKey(window, event, selectedRange);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Chart
      store={store}
      id="timeline"
      height={rows.height + 8}
      caption={instanceText(store, instance) + (notes.length > 0 ? ` (${notes.join("; ")})` : "")}
      columns={["location", "what", "from (s)", "to (s)", "depth"]}
      rows={() => tableRows(store, instance, picture, path)}
      message={ruler.text || (bar ? callText(store, bar) : "")}
      onKey={onKey}
      pointer={ruler.pointer(window, (x, y) => rangeOf(picture.bars[rows.barAt(window.time(x), y)]))}
      onPick={(x, y) => {
        ruler.clear();
        select(rows.barAt(window.time(x), y));
      }}
      textAt={(x, y) => placeText(store, instance, picture, rows, window.time(x), y)}
      draw={(canvas, width, height) => {
        const names = picture.locations.map((location) => report.locationName(location));
        const nameWidth = nameColumnWidth(canvas, names, width);
        window.place(nameWidth, width - nameWidth - 6);
        window.drawAxis(canvas, height);
        const drawing = new TimelineDrawing(canvas, window, rows);
        drawing.drawNames(names);
        window.drawClipped(canvas, axisHeight, height, () => {
          const drawCallNames = drawing.drawCalls(picture.bars);
          drawing.drawWaits(waitsOf(instance));
          drawCallNames();
          drawing.drawCriticalPath(path);
          drawing.drawArrows(picture.arrows);
          drawing.drawChain(instance.chain?.steps ?? []);
          if (bar) drawing.drawSelectedCall(bar);
          ruler.draw(canvas, window, height);
        });
      }}
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

function callText({ report }: ReportStore, { location, name, enter, exit }: CallBar): string {
  const times = `${report.durationText(exit - enter)}, from ${report.timeText(enter)} to ${report.timeText(exit)}`;
  return `${report.locationName(location)}: ${name}, ${times}`;
}

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
  const wait = waitsOf(instance).find(
    (one) => one.location === location && time >= one.begin && time < one.begin + one.ticks,
  );
  const callPart = bar ? `: ${bar.name}, ${report.durationText(bar.exit - bar.enter)}` : "";
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
