// The critical path decides how long the run takes. Its segments over time, a row for each location, with a line where
// it goes from one to another; and how much of it is in which call path and on which location.
import { BarList } from "../charts/bar_list";
import { contains, drawLine, drawRowNames, fillBox, nameColumnWidth, type Box, type Canvas } from "../charts/canvas";
import { Chart } from "../charts/chart";
import { inkColour, otherColour } from "../charts/colours";
import { palette } from "../charts/colour_table";
import { Legend } from "../charts/legend";
import { useTimeRuler, ZoomButtons } from "../charts/time_ruler";
import { axisHeight, firstRowTop, TimeWindow } from "../charts/time_window";
import { criticalSegments, crossings, type CriticalSegment } from "../data/critical_path";
import { Note, Unpacking } from "../frame/elements";
import type { ReportStore } from "../state/report_store";
import type { TimeRange } from "../state/time_range";
import { countText, percentText } from "../text/number_text";
import { SelectionNote } from "./selection_note";

const mostColours = 6; // regions with a colour of their own

export function CriticalPath({ store }: { store: ReportStore }) {
  return (
    <>
      <SelectionNote store={store} passesOver={["metric", "call path", "place"]} />
      <SegmentChart store={store} />
      <PathProfile store={store} />
    </>
  );
}

function SegmentChart({ store }: { store: ReportStore }) {
  const { report } = store;
  const { totals } = report.meta;
  const ruler = useTimeRuler(store);
  const segments = criticalSegments(report);
  const regions = new RegionColours(store, segments);
  const limits: TimeRange = [totals.first_time, totals.last_time];
  const window = new TimeWindow(report, limits, store.windows.path ?? limits, (newWindow) => {
    store.windows.path = newWindow;
    store.changed();
  });
  const rows = new SegmentRows(segments, window);
  const names = rows.locations.map((location) => report.locationName(location));
  const pick = ({ location, callpath }: CriticalSegment) => store.goTo(location, callpath);
  return (
    <>
      <Chart
        store={store}
        id="path"
        height={rows.height + 8}
        caption={captionOf(store, segments.length)}
        columns={["location", "from (s)", "to (s)", "counts (s)", "most of it in", "there (s)", "came here by"]}
        rows={() =>
          segments.map((segment) => ({
            cells: [
              report.locationName(segment.location),
              report.secondsFromStart(segment.from),
              report.secondsFromStart(segment.to),
              report.seconds(segment.ticks),
              report.callPathName(segment.callpath),
              report.seconds(segment.callpath_ticks),
              crossingText(store, segment),
            ],
            onPick: () => pick(segment),
          }))
        }
        message={ruler.text}
        pointer={ruler.pointer(window, (x, y) => {
          const segment = segments[rows.segmentAt(x, y)];
          return segment && [segment.from, segment.to];
        })}
        onKey={(event) => ruler.handleKey(window, event)}
        marks={{
          count: segments.length,
          perRow: 1,
          box: (i) => rows.box(segments[i]!),
          at: (x, y) => rows.segmentAt(x, y),
          onPick: (i) => pick(segments[i]!),
          text: (i) => segmentText(store, segments[i]!),
        }}
        textAt={(x) => report.timeText(window.time(x))}
        arrange={(canvas, width) => {
          const left = nameColumnWidth(canvas, names, width);
          window.place(left, width - left - 6);
        }}
        draw={(canvas, _, height) => {
          window.drawAxis(canvas, height);
          drawRowNames(canvas, names, window.left - 8, rows.rowHeight, (row) => rows.middle(row));
          window.drawClipped(canvas, axisHeight, height, () =>
            drawSegments(canvas, window, rows, segments, regions, report.meta.critical_segments!.left_out > 0),
          );
        }}
        drawAbove={(canvas, _, height) =>
          window.drawClipped(canvas, axisHeight, height, () => ruler.draw(canvas, window, height))
        }
      >
        <ZoomButtons window={window} selected={ruler.range} />
      </Chart>
      <Legend store={store} entries={regions.legend()} />
    </>
  );
}

/** The regions with the most of the path have colours of their own. */
class RegionColours {
  private readonly named: string[];
  private readonly count: number;

  constructor(
    private readonly store: ReportStore,
    segments: CriticalSegment[],
  ) {
    const ticksOf = new Map<string, number>();
    for (const segment of segments) {
      const name = this.nameOf(segment);
      ticksOf.set(name, (ticksOf.get(name) ?? 0) + segment.ticks);
    }
    this.count = ticksOf.size;
    this.named = [...ticksOf]
      .sort((a, b) => b[1] - a[1])
      .slice(0, mostColours)
      .map(([name]) => name);
  }
  private nameOf({ callpath }: CriticalSegment): string {
    return callpath === null ? "(unknown)" : this.store.report.callName(callpath);
  }
  colour(segment: CriticalSegment): string {
    return palette[this.named.indexOf(this.nameOf(segment))] ?? otherColour;
  }
  legend(): { name: string; colour: string }[] {
    const entries = this.named.map((name, i) => ({ name, colour: palette[i]! }));
    return this.count > this.named.length ? [...entries, { name: "other regions", colour: otherColour }] : entries;
  }
}

/** A row for each location that has a segment. */
class SegmentRows {
  readonly locations: number[];
  readonly rowHeight: number;
  private readonly rowOfLocation: Map<number, number>;
  private readonly segmentsOfRow: number[][];

  constructor(
    private readonly segments: CriticalSegment[],
    private readonly window: TimeWindow,
  ) {
    this.locations = [...new Set(segments.map(({ location }) => location))].sort((a, b) => a - b);
    this.rowOfLocation = new Map(this.locations.map((location, row) => [location, row]));
    this.rowHeight = Math.max(2, Math.min(24, 480 / Math.max(1, this.locations.length)));
    this.segmentsOfRow = this.locations.map(() => []);
    segments.forEach(({ location }, i) => this.segmentsOfRow[this.rowOfLocation.get(location)!]!.push(i));
  }
  /** The number of the segment that is drawn on top at a place; -1 if there is none. */
  segmentAt(x: number, y: number): number {
    const row = Math.floor((y - firstRowTop) / this.rowHeight);
    return this.segmentsOfRow[row]?.findLast((i) => contains(this.box(this.segments[i]!), x, y)) ?? -1;
  }
  get height(): number {
    return firstRowTop + this.locations.length * this.rowHeight;
  }
  middle(row: number): number {
    return firstRowTop + (row + 0.5) * this.rowHeight;
  }
  top({ location }: CriticalSegment): number {
    return firstRowTop + this.rowOfLocation.get(location)! * this.rowHeight;
  }
  /** Where a segment can be pointed at: it is a little wider than it is drawn. */
  box(segment: CriticalSegment): Box {
    const left = this.window.x(segment.from);
    return [left - 2, this.top(segment), Math.max(1, this.window.x(segment.to) - left) + 4, this.rowHeight];
  }
}

function captionOf({ report }: ReportStore, drawn: number): string {
  const { totals, critical_segments } = report.meta;
  const { ticks, left_out, ticks_left_out } = critical_segments!;
  const onlyLongest =
    left_out > 0
      ? `; only the ${countText(drawn)} longest are drawn, and ${report.durationText(ticks_left_out)} are in the others`
      : "";
  return (
    `The critical path decides how long the run takes: ${report.durationText(ticks)} of ` +
    `${report.durationText(totals.duration)}, in ${countText(drawn + left_out)} segments${onlyLongest}`
  );
}

/** How the path came to a segment from another location; empty if it did not. */
function crossingText({ report }: ReportStore, { crossing, waited_in }: CriticalSegment): string {
  if (crossing === "none") return "";
  return (crossings[crossing] ?? crossing) + (waited_in === null ? "" : ` in ${report.callPathName(waited_in)}`);
}

function segmentText(store: ReportStore, segment: CriticalSegment): string {
  const { report } = store;
  const { location, from, to, ticks, callpath, callpath_ticks } = segment;
  const when = `${report.timeText(from)} to ${report.timeText(to)}`;
  const share = `${report.durationText(callpath_ticks)} of ${report.durationText(ticks)}`;
  const crossing = crossingText(store, segment);
  return (
    `${when}, ${report.locationName(location)}: ${report.callPathName(callpath)} ${share}` +
    (crossing ? `; reached by ${crossing}` : "")
  );
}

/** `isPart`: segments are missing, so that a line is drawn only between two that follow each other. */
function drawSegments(
  canvas: Canvas,
  window: TimeWindow,
  rows: SegmentRows,
  segments: CriticalSegment[],
  regions: RegionColours,
  isPart: boolean,
): void {
  const inset = rows.rowHeight > 6 ? 2 : 0;
  canvas.strokeStyle = inkColour();
  let lastLine = -9; // lines that are closer than two pixels are left out
  segments.forEach((segment, i) => {
    if (!window.overlaps(segment.from, segment.to)) return;
    const left = window.x(segment.from);
    const width = window.x(segment.to) - left;
    fillBox(canvas, regions.colour(segment), [left, rows.top(segment) + inset, width, rows.rowHeight - 2 * inset]);
    const before = segments[i - 1];
    if (!before || before.location === segment.location || (isPart && before.to !== segment.from)) return;
    if (left - lastLine < 2) return;
    lastLine = left;
    canvas.globalAlpha = 0.55;
    drawLine(canvas, left, rows.top(before) + rows.rowHeight / 2, left, rows.top(segment) + rows.rowHeight / 2);
    canvas.globalAlpha = 1;
  });
}

/** The metric of the critical path by call path and by location. */
function PathProfile({ store }: { store: ReportStore }) {
  const { report } = store;
  const metric = report.metricOf.get("critical_path");
  const sums = metric === undefined ? null : store.sections.sums(metric);
  if (sums === undefined) return <Unpacking />;
  if (sums === null) return <Note>This report does not say which call paths the critical path passes through.</Note>;
  const { total } = report.meta.metrics[metric!]!;
  const bars = (values: Float64Array, nameOf: (i: number) => string, onPick: (i: number) => void) =>
    [...values.keys()]
      .filter((i) => values[i]! > 0)
      .sort((a, b) => values[b]! - values[a]!)
      .map((i) => {
        const [name, value] = [nameOf(i), values[i]!];
        return {
          name,
          value,
          text: `${report.durationText(value)}  ${percentText(value / total)}`,
          cells: [name, report.seconds(value), (100 * value) / total],
          onPick: () => onPick(i),
        };
      });
  return (
    <div class="two">
      <BarList
        store={store}
        id="path-calls"
        caption="Critical path by call path; % of the path"
        columns={["call path", "s", "% of the path"]}
        bars={bars(
          sums.byCallPath,
          (callPath) => report.callPathName(callPath),
          (callPath) => store.selectCallPath(callPath),
        )}
      />
      <BarList
        store={store}
        id="path-locations"
        caption="Critical path by location; % of the path"
        columns={["location", "s", "% of the path"]}
        bars={bars(
          sums.byLocation,
          (location) => report.locationName(location),
          (location) => store.selectLocation(location),
        )}
      />
    </div>
  );
}
