// Where the timeline of the whole run is, the data that it shows, and what a run's report has marked in it. What was
// answered last is shown until the next answer is there, so that zooming never waits.
import type { CriticalSegment } from "../data/critical_path";
import type { RunClock } from "../data/run_clock";
import type { Wait } from "../report_types";
import type { TimeRange } from "../state/time_range";
import { NotYet, requestErrorText, type Server } from "./server";
import { TimelineData } from "./timeline_data";

/** What a report leads to in the timeline. */
export interface MarkedPlace {
  run: number;
  title: string;
  waits: Wait[];
  path: CriticalSegment[];
}

/** What was clicked, or read by keys: a time in a row. */
export interface TimelinePlace {
  row: number; // counted from the first row of all
  time: number;
}

/** The page that the timeline is a part of. */
interface TimelinePage {
  readonly part: string;
  readonly server: Server;
  readonly clock: RunClock;
  readonly timelineRun: { id: number } | undefined;
  redraw(): void;
  changed(isRead: boolean): void;
  /** Asks for the facts of the trace again, whose end is known only when all of it was read. */
  refreshTrace(): Promise<void>;
}

const addressDelay = 300; // milliseconds: browsers do not let a page write its address with every move of the mouse
const retryTime = 300; // milliseconds
const messagesRetryTime = 1000;
/** Things that a row can be for. */
export const levels = ["location", "process", "node"];
export const rowCounts = [8, 16, 32, 64, 128];

export class TimelineState {
  /** Null: the whole run. */
  window: TimeRange | null = null;
  first = 0; // the first row that is shown
  mostRows = 32;
  counter = ""; // the name of the one that is drawn; empty: none is
  level = ""; // a row is for a location, process or node; empty: as the server chooses
  data: TimelineData | undefined;
  /** All of the run in one row. */
  overview: TimelineData | undefined;
  error = "";
  /** Why the server has no timeline yet; it is asked again until it has. */
  waitsFor = "";
  marked: MarkedPlace | null = null;
  place: TimelinePlace | null = null;
  private addressTimer = 0;
  private asked = "";
  private next = "";
  private isAsking = false;
  private hasWaited = false;
  private overviewIsAsked = false;

  constructor(private readonly page: TimelinePage) {}

  show(window: TimeRange | null, first = this.first): void {
    this.window = window;
    this.first = Math.max(0, Math.min(first, (this.data?.totalRows ?? Infinity) - 1));
    this.page.redraw();
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => {
      if (this.page.part === "timeline") this.page.changed(true);
    }, addressDelay);
  }

  /** Asks for what is to be shown, unless that was asked for. */
  want(limits: TimeRange, width: number): void {
    const [from, to] = (this.window ?? limits).map((time) => Math.round(time - limits[0]));
    this.next = `timeline?from=${from}&to=${to}&first=${this.first}&rows=${this.mostRows}&width=${Math.round(width)}`;
    const run = this.page.timelineRun?.id;
    if (run !== undefined) this.next += `&run=${run}`; // its waits
    if (this.counter !== "") this.next += `&counter=${encodeURIComponent(this.counter)}`;
    if (this.level !== "") this.next += `&level=${this.level}`;
    if (!this.isAsking) void this.ask();
  }
  private async ask(): Promise<void> {
    this.isAsking = true;
    while (this.next !== this.asked) {
      const path = this.next;
      const isThere = await this.load(path, (data) => (this.data = data));
      const waitsForMessages = isThere && this.error === "" && this.data!.messagesWaitFor !== "";
      if (isThere && !waitsForMessages) this.asked = path;
      else await this.sleep(waitsForMessages ? messagesRetryTime : retryTime, path);
    }
    this.isAsking = false;
  }
  /** Waits, unless something else is wanted meanwhile. */
  private async sleep(time: number, path: string): Promise<void> {
    for (let slept = 0; slept < time && this.next === path; slept += 50)
      await new Promise((resume) => setTimeout(resume, 50));
  }
  wantOverview(limits: TimeRange): void {
    if (this.overviewIsAsked) return;
    this.overviewIsAsked = true;
    void this.loadOverview(`timeline?from=0&to=${Math.round(limits[1] - limits[0])}&rows=512&width=512&level=node`);
  }
  private async loadOverview(path: string): Promise<void> {
    while (!(await this.load(path, (data) => (this.overview = data.fold()))))
      await new Promise((resume) => setTimeout(resume, retryTime));
  }
  /** False if the server has no timeline yet. */
  private async load(path: string, take: (data: TimelineData) => void): Promise<boolean> {
    let isThere = true;
    let text = "";
    try {
      take(new TimelineData(await this.page.server.bytes(path), this.page.clock.firstTime));
      if (this.hasWaited) await this.page.refreshTrace();
      this.hasWaited = false;
    } catch (error) {
      isThere = !(error instanceof NotYet);
      this.hasWaited ||= !isThere;
      text = requestErrorText(error);
    }
    this.error = isThere ? text : "";
    this.waitsFor = isThere ? "" : text;
    this.page.redraw();
    return isThere;
  }
}
