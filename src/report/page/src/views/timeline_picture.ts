// The contents of the timeline of an instance: calls as bars, messages and transfers as arrows, and what ended the
// wait.
import { plural } from "../text/number_text";
import { records } from "../data/record_tables";
import { drawnClassOf, wakeUpColour } from "../charts/colours";
import type { WaitContext, Index, SevereInstance, Wait } from "../report_types";
import { waitsOf, type ReportStore } from "../state/report_store";
import type { TimeRange } from "../state/time_range";
import { visible } from "../text/visible_names";

/** A call. Times are in ticks; the depth is 0 for calls at the top of a row. */
export interface CallBar {
  location: number;
  name: string;
  source: string; // file and line, empty if unknown
  colour: string;
  enter: number;
  exit: number;
  depth: number;
}
export interface Arrow {
  from: number; // location
  to: number;
  sent: number;
  received: number;
  text: string;
  dash: number[]; // empty: the arrow is a message
  colour?: string; // only arrows that show what ended a wait have one
}
export interface TimelinePicture {
  limits: TimeRange;
  locations: number[]; // a row each
  bars: CallBar[];
  arrows: Arrow[];
  otherWaits: Wait[]; // waits of other instances and wait states, as far as the report keeps them
  notes: string[];
}

const mostRows = 32; // without a context
const transferDash = [5, 3];
const wakeUpDash = [2, 3];

// ---- from the context: the events around the wait ----

interface ContextCall {
  location: number;
  region: Index;
  enter: number;
  exit: number;
  depth: number;
}
interface ContextMessage {
  sender: number;
  receiver: number;
  sent: number;
  received: number;
  bytes: number;
  tag: number;
}
interface ContextTransfer {
  origin: number;
  target: number;
  operation: string;
  started: number;
  completed: Index;
  bytes: number;
}

export function pictureOf(store: ReportStore, instance: SevereInstance): TimelinePicture {
  const context = instance.context === undefined ? undefined : store.report.meta.contexts?.[instance.context];
  const picture = context ? pictureOfContext(store, context) : pictureOfCalls(store, instance);
  picture.locations.sort((a, b) => a - b); // the order of ranks
  picture.otherWaits = otherWaits(store, instance, picture);
  return picture;
}

/** The waits that the report keeps of these locations and this time, each once, although shares repeat them. */
function otherWaits({ report }: ReportStore, shown: SevereInstance, { locations, limits }: TimelinePicture): Wait[] {
  const key = ({ location, begin, ticks }: Wait) => `${location} ${begin} ${ticks}`;
  const found = new Map(waitsOf(shown).map((wait) => [key(wait), wait]));
  const own = found.size;
  const rows = new Set<Index>(locations);
  for (const { instances } of Object.values(report.meta.waits))
    for (const instance of instances)
      for (const wait of waitsOf(instance))
        if (rows.has(wait.location) && wait.begin < limits[1] && wait.begin + wait.ticks > limits[0])
          if (!found.has(key(wait))) found.set(key(wait), wait);
  return [...found.values()].slice(own);
}

function pictureOfContext(store: ReportStore, context: WaitContext): TimelinePicture {
  const { from, to, locations, regions, messages, transfers } = context;
  return {
    limits: [from, to],
    locations: locations.slice(),
    otherWaits: [],
    bars: records<ContextCall>(regions).map(({ region, ...call }) => ({ ...call, ...regionBar(store, region) })),
    arrows: [
      ...records<ContextMessage>(messages).map(messageArrow),
      ...(transfers ? records<ContextTransfer>(transfers) : []).map((transfer) => transferArrow(transfer, to)),
    ],
    notes: notesOfContext(store, context),
  };
}

function regionBar({ report }: ReportStore, region: Index): Pick<CallBar, "name" | "source" | "colour"> {
  const { name = "(unknown region)", region_class = "" } = region === null ? {} : report.meta.regions[region]!;
  const source = region === null ? "" : report.sourceOfRegion(region);
  return { name: visible(name), source, colour: drawnClassOf(region_class).colour };
}

function messageArrow({ sender, receiver, sent, received, bytes, tag }: ContextMessage): Arrow {
  return { from: sender, to: receiver, sent, received, text: `message, ${bytes} bytes, tag ${tag}`, dash: [] };
}

/** Data of a get goes from the target to the origin. A transfer that is not complete ends at the end of the context. */
function transferArrow(transfer: ContextTransfer, contextEnd: number): Arrow {
  const { origin, target, operation, started, completed, bytes } = transfer;
  const [from, to] = operation === "get" ? [target, origin] : [origin, target];
  const incomplete = completed === null ? ", not complete here" : "";
  const text = `${operation}, ${bytes} bytes${incomplete}`;
  return { from, to, sent: started, received: completed ?? contextEnd, text, dash: transferDash };
}

function notesOfContext({ report }: ReportStore, { shortest, messages_left_out, transfers }: WaitContext): string[] {
  const notes: string[] = [];
  if (shortest > 0) notes.push(`calls shorter than ${report.durationText(shortest)} are left out`);
  if (messages_left_out > 0) notes.push(`${plural(messages_left_out, "message")} left out`);
  if (transfers) notes.push("dashed arrows are one-sided transfers");
  if (transfers && transfers.left_out > 0) notes.push(`${plural(transfers.left_out, "transfer")} left out`);
  return notes;
}

// ---- without a context ----

/** The waiting calls, and that of the culprit, alone. */
function pictureOfCalls(store: ReportStore, instance: SevereInstance): TimelinePicture {
  const { longest, cause, callpath } = instance;
  const waits = waitsOf(instance);
  const calls: [Index, Index | undefined, Index | undefined, Index | undefined][] = [
    [longest.culprit, longest.culprit_callpath, cause?.culprit_enter, cause?.culprit_exit],
    ...waits.map(({ location, enter, exit }): [Index, Index, number, number] => [location, callpath, enter, exit]),
  ];
  const locations = new Set<number>();
  const bars: CallBar[] = [];
  for (const [location, callPath, enter = null, exit = null] of calls) {
    if (location === null) continue;
    locations.add(location);
    const region = callPath === null || callPath === undefined ? null : regionOf(store, callPath);
    if (region !== null && enter !== null && exit !== null)
      bars.push({ location, ...regionBar(store, region), enter, exit, depth: 0 });
  }
  const begin = Math.min(...waits.map(({ enter }) => enter));
  const end = Math.max(...waits.map(({ exit }) => exit));
  const margin = marginOf(begin, end);
  return {
    limits: [begin - margin, end + margin],
    locations: [...locations].slice(0, mostRows),
    bars,
    otherWaits: [],
    arrows: causeArrows(instance),
    notes: ["this report contains only the waiting calls, not the events around them"],
  };
}

const regionOf = ({ report }: ReportStore, callPath: number): Index => report.meta.call_tree[callPath]!.region;
const marginOf = (begin: number, end: number): number => Math.max(1, (end - begin) / 3);

function causeArrows({ longest, cause }: SevereInstance): Arrow[] {
  const { culprit, location } = longest;
  if (!cause || cause.sent === null || cause.received === null || culprit === null || location === null) return [];
  return [{ from: culprit, to: location, sent: cause.sent, received: cause.received, text: "message", dash: [] }];
}

// ---- for both ----

/**
 * Arrows from the culprit to those who waited for it, to the times at which their waits ended. They begin at the same
 * time, as the culprit is mostly still in the call that was late; if it is not, where it entered or left that call.
 */
export function wakeUpArrows(instance: SevereInstance): Arrow[] {
  const { culprit } = instance.longest;
  const { culprit_enter: enter = null, culprit_exit: exit = null } = instance.cause ?? {};
  if (culprit === null || exit === null) return [];
  return waitsOf(instance).flatMap((wait): Arrow[] => {
    if (wait.culprit !== culprit || wait.location === null || wait.location === culprit) return [];
    const waitEnd = wait.begin + wait.ticks;
    const sent = Math.max(enter ?? exit, Math.min(exit, waitEnd));
    return [
      {
        from: culprit,
        to: wait.location,
        sent,
        received: waitEnd,
        text: "ends the wait of",
        dash: wakeUpDash,
        colour: wakeUpColour(),
      },
    ];
  });
}

/**
 * The times that are shown at first: the waits and a third of their length on both sides. A context may be much longer,
 * as instances share it.
 */
export function initialWindow(instance: SevereInstance, limits: TimeRange): TimeRange {
  const waits = waitsOf(instance);
  const begin = Math.min(...waits.map((wait) => wait.begin));
  const end = Math.max(...waits.map((wait) => wait.begin + wait.ticks));
  if (!(end > begin)) return limits;
  const margin = marginOf(begin, end);
  return [Math.max(limits[0], begin - margin), Math.min(limits[1], end + margin)];
}
