// What happened around a wait: a row a location, its calls as nested bars coloured by class, the wait hatched and framed,
// messages as arrows, one-sided transfers as dashed ones. Without the events around it (contexts) the waiting calls and what was late are drawn alone.
import { useState } from "preact/hooks";
import { besides, Chart, classColour, dark, fill, fit, frame, head, ink, paper, textOn, write } from "./chart";
import { records, type Context, type Index, type Instance, visible } from "./report";
import { instanceText, step } from "./instances";
import { pathColour, pathSegments } from "./path";
import { Span, useRuler, ZoomButtons } from "./span";
import type { Store } from "./store";
import { instancesOf, membersOf } from "./summary";

interface Call {
  location: number;
  region: number;
  enter: number;
  exit: number;
  depth: number;
}
interface Message {
  sender: number;
  receiver: number;
  sent: number;
  received: number;
  bytes: number;
  tag: number;
}
interface Transfer {
  origin: number;
  target: number;
  operation: string;
  started: number;
  completed: Index;
  bytes: number;
}
interface Bar extends Omit<Call, "region"> {
  name: string;
  colour: string;
}
interface Arrow {
  from: number;
  to: number;
  sent: number;
  received: number;
  text: string;
  dash: number[]; // none: a message
  colour?: string;
}
interface Picture {
  from: number;
  to: number;
  locations: number[];
  bars: Bar[];
  arrows: Arrow[];
  note: string;
}

function regionBar(store: Store, region: number): { name: string; colour: string } {
  const r = store.report.meta.regions[region];
  return { name: visible(r?.name ?? ""), colour: classColour(r?.region_class ?? "") };
}

function ofContext(store: Store, context: Context): Picture {
  const notes: string[] = [];
  if (context.shortest > 0) notes.push(`calls shorter than ${store.report.seconds(context.shortest)} are left out`);
  if (context.messages_left_out > 0) notes.push(`${context.messages_left_out} messages are left out`);
  const t = context.transfers;
  if (t) notes.push("dashed are one-sided transfers");
  if (t && t.left_out > 0) notes.push(`${t.left_out} of them are left out`);
  return {
    from: context.from,
    to: context.to,
    locations: context.locations,
    note: notes.join("; "),
    bars: records<Call>(context.regions).map((call) => ({ ...call, ...regionBar(store, call.region) })),
    arrows: [
      ...records<Message>(context.messages).map((m): Arrow => ({
        from: m.sender,
        to: m.receiver,
        sent: m.sent,
        received: m.received,
        text: `message, ${m.bytes} bytes, tag ${m.tag}`,
        dash: [],
      })),
      ...(t ? records<Transfer>(t) : []).map(({ origin, target, operation, started, completed, bytes }): Arrow => {
        const [from, to] = operation === "get" ? [target, origin] : [origin, target];
        const end = completed === null ? ", not complete here" : "";
        return {
          from,
          to,
          sent: started,
          received: completed ?? context.to,
          text: `${operation}, ${bytes} bytes${end}`,
          dash: [5, 3],
        };
      }),
    ],
  };
}

function ofInstance(store: Store, i: Instance): Picture {
  const { call_tree } = store.report.meta;
  const bars: Bar[] = [];
  const locations: number[] = [];
  const add = (
    location: number | null,
    callpath: number | null | undefined,
    enter: number | null,
    exit: number | null,
  ) => {
    if (location === null) return;
    if (!locations.includes(location)) locations.push(location);
    const region = callpath === null || callpath === undefined ? null : call_tree[callpath]!.region;
    if (region !== null && enter !== null && exit !== null)
      bars.push({ location, ...regionBar(store, region), enter, exit, depth: 0 });
  };
  add(i.longest.culprit, i.longest.culprit_callpath, i.cause?.culprit_enter ?? null, i.cause?.culprit_exit ?? null);
  for (const w of membersOf(i)) add(w.location, i.callpath, w.enter, w.exit);
  const [from, to] = [Math.min(...membersOf(i).map((w) => w.enter)), Math.max(...membersOf(i).map((w) => w.exit))];
  const margin = Math.max(1, (to - from) / 3);
  const arrows: Arrow[] = [];
  if (
    i.cause &&
    i.cause.sent !== null &&
    i.cause.received !== null &&
    i.longest.culprit !== null &&
    i.longest.location !== null
  )
    arrows.push({
      from: i.longest.culprit,
      to: i.longest.location,
      sent: i.cause.sent,
      received: i.cause.received,
      text: "message",
      dash: [],
    });
  return {
    from: from - margin,
    to: to + margin,
    locations: locations.slice(0, 32),
    bars,
    arrows,
    note: "only the waiting calls are in this report, not what happened around them",
  };
}

/** From the culprit to who waited for it, when the wait ended: at the end of a wait the culprit mostly enters the call that
 * was late, and is still in it. */
function endings(i: Instance): Arrow[] {
  const { culprit } = i.longest;
  const { culprit_enter: enter = null, culprit_exit: exit = null } = i.cause ?? {};
  if (culprit === null || exit === null) return [];
  return membersOf(i).flatMap((w): Arrow[] => {
    if (w.culprit !== culprit || w.location === null || w.location === culprit) return [];
    const end = w.begin + w.ticks;
    return [
      {
        from: culprit,
        to: w.location,
        sent: Math.max(enter ?? exit, Math.min(exit, end)),
        received: end,
        text: "ends the wait of",
        dash: [2, 3],
        colour: endColour(),
      },
    ];
  });
}
const endColour = (): string => (dark() ? "#ff9d5c" : "#b34700");

/** What is drawn at first: the waits and a third of their length beside them. A context may be longer, where instances share it. */
function firstWindow(picture: Picture, waits: { begin: number; ticks: number }[]): [number, number] {
  const [begin, end] = [Math.min(...waits.map((w) => w.begin)), Math.max(...waits.map((w) => w.begin + w.ticks))];
  if (!(end > begin)) return [picture.from, picture.to];
  const margin = Math.max(1, (end - begin) / 3);
  return [Math.max(picture.from, begin - margin), Math.min(picture.to, end + margin)];
}

export function Timeline({ store }: { store: Store }) {
  const { report } = store;
  const ruler = useRuler(report);
  const [chosen, setChosen] = useState<{ of: Instance; bar: number } | null>(null);
  const all = instancesOf(store);
  const instance = all[Math.min(store.instance, all.length - 1)];
  if (!instance) return <p>{`There is no instance of ${store.title} in this report: select a wait state.`}</p>;
  const context = instance.context === undefined ? undefined : report.meta.contexts?.[instance.context];
  const picture = context ? ofContext(store, context) : ofInstance(store, instance);
  const waits = membersOf(instance);
  const ends = endings(instance);
  picture.arrows.push(...ends);
  const [from, to] = store.window ?? firstWindow(picture, waits);
  const deepest = picture.locations.map((l) =>
    picture.bars.reduce((d, b) => (b.location === l ? Math.max(d, b.depth) : d), 0),
  );
  const bar = 16;
  const tops: number[] = [];
  let height = 22;
  for (const depth of deepest) {
    tops.push(height);
    height += (Math.min(depth, 12) + 1) * bar + 12;
  }
  const bottom = (row: number) => tops[row]! + (Math.min(deepest[row]!, 12) + 1) * bar;
  const path = pathSegments(report).filter(
    (s) => picture.locations.includes(s.location) && s.to > picture.from && s.from < picture.to,
  );
  const notes = [
    picture.note,
    ends.length > 0 ? "dotted is what ended the wait" : "",
    path.length > 0 ? "the stripe below a row is the critical path" : "",
    instance.chain && instance.chain.steps.length > 1 ? "numbers are steps of the chain" : "",
  ].filter((n) => n !== "");
  const span = new Span(
    report,
    [picture.from, picture.to],
    [from, to],
    (window) => ((store.window = window), store.changed()),
  );
  const at = (x: number, y: number) => {
    const row = tops.findLastIndex((top) => y >= top);
    const depth = Math.floor((y - (tops[row] ?? 0)) / bar);
    return picture.bars.findIndex(
      (b) =>
        b.location === picture.locations[row] && b.depth === depth && span.time(x) >= b.enter && span.time(x) < b.exit,
    );
  };
  const current = chosen?.of === instance ? picture.bars[chosen.bar] : undefined;
  const choose = (bar: number) => {
    const b = picture.bars[bar];
    if (!b) return;
    ruler.clear();
    setChosen({ of: instance, bar });
    if (b.exit <= span.from || b.enter >= span.to)
      span.pan(((b.enter + b.exit) / 2 - (span.from + span.to) / 2) / (span.to - span.from));
  };
  /** The next bar of the row; the first time the waiting call. */
  const next = (by: number) => {
    const w = instance.longest;
    if (!current)
      return choose(
        picture.bars.findLastIndex((b) => b.location === w.location && b.enter <= w.begin && b.exit > w.begin),
      );
    const row = [...picture.bars.keys()].filter(
      (i) => picture.bars[i]!.location === current.location && picture.bars[i]!.depth === current.depth,
    );
    choose(row[row.indexOf(chosen!.bar) + by] ?? chosen!.bar);
  };
  const selected: [number, number] | null = ruler.range ?? (current ? [current.enter, current.exit] : null);
  const keys = (event: KeyboardEvent) => {
    if (event.key === "." || event.key === ",") next(event.key === "." ? 1 : -1);
    else if (event.key === "Escape" && current) (ruler.clear(), setChosen(null));
    else return ruler.key(span, event, selected);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Chart
      store={store}
      id="timeline"
      height={height + 8}
      keys={keys}
      caption={`${instanceText(store, instance)}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`}
      columns={["location", "what", "from (s)", "to (s)", "depth"]}
      rows={() => [
        ...waits.map((w) => ({
          cells: [
            report.locationName(w.location),
            `waits: ${store.title}`,
            ...[w.begin, w.begin + w.ticks].map((t) => report.since(t)),
            "",
          ],
        })),
        ...path.map((s) => ({
          cells: [report.locationName(s.location), "critical path", ...[s.from, s.to].map((t) => report.since(t)), ""],
        })),
        ...picture.arrows.map((a) => ({
          cells: [
            report.locationName(a.from),
            `${a.text}${a.colour ? "" : " to"} ${report.locationName(a.to)}`,
            ...[a.sent, a.received].map((t) => report.since(t)),
            "",
          ],
        })),
        ...picture.bars.map((b) => ({
          cells: [report.locationName(b.location), b.name, ...[b.enter, b.exit].map((t) => report.since(t)), b.depth],
        })),
      ]}
      said={
        ruler.text ||
        (current
          ? `${report.locationName(current.location)}: ${current.name}, ${report.seconds(current.exit - current.enter)}, from ${report.time(current.enter)} to ${report.time(current.exit)}`
          : "")
      }
      mouse={ruler.mouse(span, (x, y) => {
        const b = picture.bars[at(x, y)];
        return b && [b.enter, b.exit];
      })}
      pick={(x, y) => (ruler.clear(), choose(at(x, y)))}
      read={(x, y) => {
        const t = span.time(x);
        const l = picture.locations[tops.findLastIndex((top) => y >= top)];
        if (l === undefined) return report.time(t);
        const wait = waits.find((w) => w.location === l && t >= w.begin && t < w.begin + w.ticks);
        const hit = picture.bars[at(x, y)];
        return `${report.time(t)}  ${report.locationName(l)}${hit ? `: ${hit.name}, ${report.seconds(hit.exit - hit.enter)}` : ""}${wait ? `; waits ${report.seconds(wait.ticks)}` : ""}`;
      }}
      draw={(c, width, h) => {
        const label = besides(
          c,
          picture.locations.map((l) => report.locationName(l)),
          width,
        );
        span.place(label, width - label - 6);
        const x = (t: number) => span.x(t);
        span.axis(c, h);
        picture.locations.forEach((l, i) => {
          write(c, fit(c, report.locationName(l), label - 8), label - 8, tops[i]! + bar / 2, "right");
        });
        span.clipped(c, 18, h, () => {
          const labels: (() => void)[] = []; // over the hatching
          for (const b of picture.bars) {
            const row = picture.locations.indexOf(b.location);
            if (row < 0 || b.depth > 12 || b.exit < from || b.enter > to) continue;
            const [left, right] = [Math.max(label, x(b.enter)), Math.min(width - 6, x(b.exit))];
            const y = tops[row]! + b.depth * bar;
            fill(c, b.colour, left, y, right - left, bar - 1);
            if (right - left > 24) {
              const name =
                b.name.length * 5 > right - left
                  ? `${b.name.slice(0, Math.max(0, Math.floor((right - left) / 7) - 1))}\u2026`
                  : b.name;
              if (c.measureText(name).width < right - left - 4)
                labels.push(() => write(c, name, left + 3, y + bar / 2, "left", textOn(b.colour)));
            }
          }
          for (const w of waits) {
            const row = picture.locations.indexOf(w.location ?? -1);
            if (row < 0) continue;
            const [left, right] = [x(w.begin), x(w.begin + w.ticks)];
            const [top, tall] = [tops[row]! - 2, (Math.min(deepest[row]!, 12) + 1) * bar + 4];
            c.save();
            c.beginPath();
            c.rect(left, top, Math.max(2, right - left), tall);
            c.clip();
            c.strokeStyle = dark() ? "#ffffff" : "#000000";
            c.globalAlpha = 0.45;
            c.lineWidth = 1.5;
            for (let d = Math.floor(Math.max(left, label) / 9) * 9 - tall; d < Math.min(right, width); d += 9) {
              c.beginPath();
              c.moveTo(d, top + tall);
              c.lineTo(d + tall, top);
              c.stroke();
            }
            c.restore();
            c.strokeStyle = ink();
            c.lineWidth = 2;
            c.strokeRect(left, top, Math.max(2, right - left), tall);
            c.lineWidth = 1;
          }
          for (const label of labels) label();
          for (const s of path) {
            const row = picture.locations.indexOf(s.location);
            if (row < 0 || s.to < from || s.from > to) continue;
            fill(c, pathColour(), x(s.from), bottom(row) + 3, x(s.to) - x(s.from), 4);
          }
          for (const arrow of picture.arrows) {
            const [r1, r2] = [picture.locations.indexOf(arrow.from), picture.locations.indexOf(arrow.to)];
            if (r1 < 0 || r2 < 0) continue;
            const y = (row: number, end: boolean) => (end ? bottom(row) : tops[row]!);
            const down = r1 < r2;
            const [x1, y1, x2, y2] = [x(arrow.sent), y(r1, down), x(arrow.received), y(r2, !down)];
            c.strokeStyle = c.fillStyle = arrow.colour ?? ink();
            c.setLineDash(arrow.dash);
            c.lineWidth = arrow.colour ? 2.5 : 1;
            c.beginPath();
            c.moveTo(x1, y1);
            c.lineTo(x2, y2);
            c.stroke();
            c.setLineDash([]);
            c.lineWidth = 1;
            head(c, x2, y2, Math.atan2(y2 - y1, x2 - x1), 8);
          }
          instance.chain?.steps.forEach((s, i) => {
            const row = picture.locations.indexOf(s.location);
            if (row < 0 || s.enter < from || s.enter > to) return;
            const [at, y] = [x(s.enter), Math.max(27, tops[row]!)];
            c.fillStyle = ink();
            c.beginPath();
            c.arc(at, y, 8, 0, 7);
            c.fill();
            write(c, String(i + 1), at, y + 1, "center", paper());
          });
          if (current) {
            const y = tops[picture.locations.indexOf(current.location)]! + current.depth * bar;
            const [left, right] = [Math.max(label - 3, x(current.enter)), Math.min(width + 3, x(current.exit))];
            frame(c, [left, y - 1, right - left, bar + 1]);
          }
          ruler.draw(c, span, h);
        });
      }}
    >
      <button onClick={() => step(store, -1)} title="P">
        Previous
      </button>
      <button onClick={() => step(store, 1)} title="N">
        Next
      </button>
      <ZoomButtons span={span} selected={selected} />
    </Chart>
  );
}
