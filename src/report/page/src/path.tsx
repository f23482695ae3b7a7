// The critical path: what decides how long the run takes. Its segments over time, a row a location, with a line where it
// goes from one to another; and how much of it is in which call path and on which location.
import { Note, Unpacking } from "./around";
import { Bars, Legend } from "./bars";
import { besides, type Box, Chart, dark, fill, fit, ink, palette, write } from "./chart";
import { countText, percentText, records, type Index, type Report } from "./report";
import { Span, useRuler, ZoomButtons } from "./span";
import type { Store } from "./store";

export interface Segment {
  location: number;
  from: number;
  to: number;
  ticks: number;
  callpath: Index;
  callpath_ticks: number;
  crossing: string;
  waited_in: Index;
}
export const pathColour = (): string => (dark() ? "#f0e442" : "#7a1fa2");

const read = new WeakMap<Report, Segment[]>();
/** In the order of time; none if the report has no critical path. */
export function pathSegments(report: Report): Segment[] {
  let segments = read.get(report);
  if (!segments) {
    const table = report.meta.critical_segments?.segments;
    segments = table ? records<Segment>(table) : [];
    read.set(report, segments);
  }
  return segments;
}

/** By what one location gets on with what another one did. */
export const crossings: Record<string, string> = {
  late_sender: "a message",
  late_receiver: "the receive of its message",
  barrier: "the last one at a barrier",
  n_to_n: "the last one of an N \u00d7 N operation",
  one_to_n: "the root of an operation",
  n_to_one: "the last one that sends to it in an operation",
  finalize: "the last one at MPI_Finalize",
  fork: "its team",
  team_barrier: "the last thread at a barrier",
  window: "the last one at its window",
  epoch: "its part of an epoch",
  passive_target: "its lock, or to call MPI",
  shmem_collective: "the last one, or the root, of an operation",
  shmem_pair: "its lock, or what it writes",
  lock: "its lock",
  task: "a task to be created, or to end",
  device: "its kernel",
  launch: "the launch of its kernel",
  scan: "one of lower rank in a prefix reduction",
};

const other = "#9aa0a6";

export function CriticalPath({ store }: { store: Store }) {
  const { report } = store;
  const path = report.meta.critical_segments!;
  const ruler = useRuler(report);
  const segments = pathSegments(report);
  const inRegion = new Map<string, number>();
  const region = (s: Segment) => (s.callpath === null ? "(unknown)" : report.callName(s.callpath));
  for (const s of segments) inRegion.set(region(s), (inRegion.get(region(s)) ?? 0) + s.ticks);
  const names = [...inRegion]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 6)
    .map(([name]) => name);
  const colour = (s: Segment) => palette[names.indexOf(region(s))] ?? other;

  const rows = [...new Set(segments.map((s) => s.location))].sort((a, b) => a - b);
  const rowOf = new Map(rows.map((l, i) => [l, i]));
  const tall = Math.max(2, Math.min(24, 480 / Math.max(1, rows.length)));
  const { totals } = report.meta;
  const limits: [number, number] = [totals.first_time, totals.last_time];
  const span = new Span(
    report,
    limits,
    store.pathWindow ?? limits,
    (window) => ((store.pathWindow = window), store.changed()),
  );
  const came = (s: Segment) =>
    s.crossing === "none"
      ? ""
      : `${crossings[s.crossing] ?? s.crossing}${s.waited_in === null ? "" : ` in ${report.callPath(s.waited_in)}`}`;
  const box = (s: Segment): Box => [
    span.x(s.from) - 2,
    22 + rowOf.get(s.location)! * tall,
    Math.max(1, span.x(s.to) - span.x(s.from)) + 4,
    tall,
  ];
  const at = (x: number, y: number) =>
    segments.findLast((s) => {
      const [left, top, wide, high] = box(s);
      return x >= left && x < left + wide && y >= top && y < top + high;
    });
  const pick = (s: Segment) => {
    store.selectCall(s.callpath);
    store.selectLocation(s.location);
    store.say(`${report.locationName(s.location)}, ${report.callPath(s.callpath)} is selected`);
  };
  return (
    <>
      <Chart
        store={store}
        id="path"
        height={rows.length * tall + 30}
        caption={`The critical path decides how long the run takes: ${report.seconds(path.ticks)} of ${report.seconds(totals.duration)}, in ${countText(segments.length + path.left_out)} segments${path.left_out > 0 ? `; drawn are the ${countText(segments.length)} longest, ${report.seconds(path.ticks_left_out)} are in the others` : ""}`}
        columns={["location", "from (s)", "to (s)", "counts (s)", "most of it in", "there (s)", "came here by"]}
        rows={() =>
          segments.map((s) => ({
            cells: [
              report.locationName(s.location),
              report.since(s.from),
              report.since(s.to),
              s.ticks / report.ticks,
              report.callPath(s.callpath),
              s.callpath_ticks / report.ticks,
              came(s),
            ],
            pick: () => pick(s),
          }))
        }
        said={ruler.text}
        mouse={ruler.mouse(span, (x, y) => {
          const s = at(x, y);
          return s && [s.from, s.to];
        })}
        keys={(event) => ruler.key(span, event)}
        marks={{
          count: segments.length,
          across: 1,
          box: (i) => box(segments[i]!),
          pick: (i) => pick(segments[i]!),
          text: (i) => {
            const s = segments[i]!;
            return `${report.time(s.from)} to ${report.time(s.to)}, ${report.locationName(s.location)}: ${report.callPath(s.callpath)} ${report.seconds(s.callpath_ticks)} of ${report.seconds(s.ticks)}${came(s) ? `; came here by ${came(s)}` : ""}`;
          },
        }}
        read={(x) => report.time(span.time(x))}
        draw={(c, width, h) => {
          const label =
            tall < 12
              ? 8
              : besides(
                  c,
                  rows.map((l) => report.locationName(l)),
                  width,
                );
          span.place(label, width - label - 6);
          span.axis(c, h);
          if (tall >= 12)
            rows.forEach((l, i) =>
              write(c, fit(c, report.locationName(l), label - 8), label - 8, 22 + (i + 0.5) * tall, "right"),
            );
          span.clipped(c, 18, h, () => {
            const y = (s: Segment) => 22 + rowOf.get(s.location)! * tall;
            c.strokeStyle = ink();
            let last: Segment | undefined;
            let lineAt = -9;
            for (const s of segments) {
              const before = last;
              last = s;
              if (s.to < span.from || s.from > span.to) continue;
              const [left, right] = [span.x(s.from), span.x(s.to)];
              fill(c, colour(s), left, y(s) + (tall > 6 ? 2 : 0), right - left, tall - (tall > 6 ? 4 : 0));
              if (
                !before ||
                before.location === s.location ||
                (path.left_out > 0 && before.to !== s.from) ||
                left - lineAt < 2
              )
                continue;
              lineAt = left;
              c.globalAlpha = 0.55;
              c.beginPath();
              c.moveTo(left, y(before) + tall / 2);
              c.lineTo(left, y(s) + tall / 2);
              c.stroke();
              c.globalAlpha = 1;
            }
            ruler.draw(c, span, h);
          });
        }}
      >
        <ZoomButtons span={span} selected={ruler.range} />
      </Chart>
      <Legend
        store={store}
        entries={[
          ...names.map((name, i) => ({ name, colour: palette[i]! })),
          ...(inRegion.size > names.length ? [{ name: "other regions", colour: other }] : []),
        ]}
      />
      <Profile store={store} />
    </>
  );
}

/** The metric of the same name, by call path and by location. */
function Profile({ store }: { store: Store }) {
  const { report } = store;
  const metric = report.metric.get("critical_path");
  const sums = metric === undefined ? null : store.sumsOf(metric);
  if (sums === undefined) return <Unpacking />;
  if (sums === null) return <Note>This report does not say in which call paths the critical path is.</Note>;
  const total = report.meta.metrics[metric!]!.total;
  const bars = (values: Float64Array, name: (i: number) => string, pick: (i: number) => void) =>
    [...values.keys()]
      .filter((i) => values[i]! > 0)
      .sort((a, b) => values[b]! - values[a]!)
      .map((i) => ({
        name: name(i),
        value: values[i]!,
        text: `${report.seconds(values[i]!)}  ${percentText(values[i]! / total)}`,
        cells: [name(i), values[i]! / report.ticks, (100 * values[i]!) / total],
        pick: () => pick(i),
      }));
  return (
    <div class="two">
      <Bars
        store={store}
        id="path-calls"
        caption="Critical path by call path"
        columns={["call path", "s", "% of the path"]}
        bars={bars(
          sums.callpath,
          (i) => report.callPath(i),
          (i) => store.selectCall(i),
        )}
      />
      <Bars
        store={store}
        id="path-locations"
        caption="Critical path by location"
        columns={["location", "s", "% of the path"]}
        bars={bars(
          sums.location,
          (i) => report.locationName(i),
          (i) => store.selectLocation(i),
        )}
      />
    </div>
  );
}
