// The state of the page of `waitstate serve`: which part is shown, what the next analysis is about, the runs, and where
// the timeline of the whole run is.
import { RunClock } from "../data/run_clock";
import { addressParts, numberOf, safeDecode } from "../state/address";
import { PageStore } from "../state/page_store";
import type { TimeRange, TimeSelection } from "../state/time_range";
import { AnalysisChoice } from "./analysis_choice";
import { RunList } from "./run_list";
import { RunPages, type RunPage } from "./run_pages";
import { requestErrorText, type Server } from "./server";
import type { RunRequest, ServedPatterns, ServedRun, ServedTrace, WaitsFor } from "./server_types";
import { levels, TimelineState } from "./timeline_state";

export const partTitles = { choose: "Choose", runs: "Runs", timeline: "Timeline of the run" } as const;
export type Part = keyof typeof partTitles | "run" | "comparison";

const commandDelay = 150; // milliseconds from a change to the question for its command line

export class ServeStore extends PageStore implements TimeSelection {
  part: Part = "choose";
  /** The runs that are shown: one, or two that are compared. */
  shownRuns: number[] = [];
  time: TimeRange | null = null;
  readonly clock: RunClock;
  /** By the number of a location where it is in the trace's list. */
  readonly placeOfLocation: Map<number, number>;
  /** By the number of a location the name of its process, if it is the only one there. */
  readonly processNames = new Map<number, string>();
  readonly choice: AnalysisChoice;
  readonly runs: RunList;
  readonly pages: RunPages;
  readonly timeline: TimelineState;
  /** The command line of the choice, or why there is none. */
  command = { text: "", error: "" };
  private answeredCommand = ""; // the request that it is of
  /** Why something that was asked for could not be done. */
  failure = "";
  private commandTimer = 0;
  private askedCommand = "";
  private readonly drawAll: () => void;

  constructor(
    readonly server: Server,
    readonly trace: ServedTrace,
    readonly patterns: ServedPatterns,
    redraw: () => void,
  ) {
    super(redraw);
    this.drawAll = redraw;
    this.clock = new RunClock(trace.ticks_per_second, trace.begin, trace.end - trace.begin);
    this.placeOfLocation = new Map(trace.locations.map(({ id }, place) => [id, place]));
    const counts = new Map<number | null, number>();
    for (const { process } of trace.locations) counts.set(process, (counts.get(process) ?? 0) + 1);
    for (const { id, process } of trace.locations) {
      const name = process === null ? undefined : trace.processes[process]?.name;
      if (name !== undefined && counts.get(process) === 1) this.processNames.set(id, name);
    }
    this.choice = new AnalysisChoice(patterns, this.clock);
    this.runs = new RunList(
      server,
      trace,
      () => this.redraw(),
      (run) => this.onRunEnd(run),
    );
    this.pages = new RunPages(server, () => this.redrawPage());
    this.timeline = new TimelineState(this);
  }
  private redrawPage(): void {
    ++this.revision;
    this.drawAll();
  }

  // ---- parts ----

  show(part: Part, runs: number[] = this.shownRuns): void {
    this.part = part;
    this.shownRuns = runs;
    this.failure = "";
    const page = this.shownPage();
    if (page && !(page instanceof Error)) page.changed();
    else this.changed();
  }
  showRun(id: number): void {
    this.show("run", [id]);
  }
  /** The page of the run or comparison that is shown; undefined if it is not there, or if another part is shown. */
  shownPage(): RunPage {
    const [a, b] = this.shownRuns;
    if (this.part === "run" && a !== undefined) return this.pages.report(a);
    if (this.part === "comparison" && a !== undefined && b !== undefined) return this.pages.comparison(a, b);
    return undefined;
  }
  /** Where the shown page is; empty for the parts that are not those of runs. */
  get pageAddress(): string {
    return this.part === "run" || this.part === "comparison" ? `${this.part} ${this.shownRuns.join("-")}` : "";
  }

  async refreshTrace(): Promise<void> {
    const trace = await this.server.json<ServedTrace | WaitsFor>("trace");
    if ("waits_for" in trace) return;
    const { begin, end, events, seconds, programs } = trace;
    Object.assign(this.trace, { end, events, seconds, programs });
    this.clock.duration = end - begin;
  }
  /** The run whose waits the timeline shows: the one that is shown, or the last one. */
  get timelineRun(): ServedRun | undefined {
    const shown = this.runs.run(this.timeline.marked?.run ?? this.shownRuns[0] ?? -1);
    return shown?.state === "done" ? shown : this.runs.runs.findLast(({ state }) => state === "done");
  }

  selectTime(time: TimeRange | null): void {
    this.time = time;
    this.choiceChanged();
  }

  // ---- choice ----

  get request(): RunRequest {
    return this.choice.request(this.time);
  }
  /** Call it after every change of the choice, instead of changed(). */
  choiceChanged(message?: string): void {
    if (message !== undefined) this.message = message;
    this.changed();
    this.askCommand();
  }
  /** Whether the command line is still that of an earlier choice. */
  get commandIsLate(): boolean {
    return JSON.stringify(this.request) !== this.answeredCommand;
  }
  askCommand(): void {
    clearTimeout(this.commandTimer);
    this.commandTimer = setTimeout(() => void this.updateCommand(), commandDelay);
  }
  private async updateCommand(): Promise<void> {
    const { request } = this;
    const asked = JSON.stringify(request);
    if (asked === this.askedCommand && this.runs.trouble === "") return;
    this.askedCommand = asked;
    const answer = await this.commandOf(request);
    if (asked !== this.askedCommand) return; // it has changed meanwhile
    this.command = answer;
    this.answeredCommand = asked;
    this.redraw();
  }
  /** The command line for a request, or what the command line says of it. */
  async commandOf(request: RunRequest): Promise<{ text: string; error: string }> {
    try {
      const { command } = await this.server.json<{ command: string }>("command", request);
      return { text: command, error: "" };
    } catch (error) {
      return { text: "", error: requestErrorText(error) };
    }
  }
  /** Chooses what another run was asked for. */
  chooseAgain(request: RunRequest): void {
    this.time = this.choice.take(request);
    this.part = "choose";
    this.choiceChanged("the choice is that of the run");
  }

  // ---- runs ----

  async start(): Promise<void> {
    await this.attempt(() =>
      this.runs.start(this.request, (id) => {
        this.part = "runs";
        this.announce(`run ${id} has started`);
      }),
    );
  }
  async cancel(id: number): Promise<void> {
    await this.attempt(async () => {
      await this.runs.cancel(id);
      this.announce(`run ${id} is cancelled`);
    });
  }
  private onRunEnd({ id, state }: ServedRun): void {
    if (state === "done" && this.part === "runs") this.showRun(id);
    this.announceAnywhere(`run ${id}: ${state}`);
  }
  /** The shown page has the message, too, as it stands in its frame. */
  private announceAnywhere(message: string): void {
    this.message = message;
    const page = this.shownPage();
    if (page && !(page instanceof Error)) page.message = message;
    this.redraw();
  }
  /** Does something, or says why that cannot be done. */
  async attempt(action: () => Promise<void>): Promise<void> {
    this.failure = "";
    try {
      await action();
    } catch (error) {
      this.failure = requestErrorText(error);
      this.redraw();
    }
  }

  // ---- address ----

  protected override selectionKey(): string {
    return `s=${this.part}`;
  }
  protected override address(): string[] {
    const parts = [`s=${this.part}`];
    if (this.pageAddress !== "") parts.push(`r=${this.shownRuns.join("-")}`);
    const request = JSON.stringify(this.request);
    if (request !== "{}") parts.push(`q=${encodeURIComponent(request)}`);
    const { window, first, level, counter } = this.timeline;
    if (window) parts.push(`t=${window.map((time) => this.clock.secondsFromStart(time).toFixed(9)).join("-")}`);
    if (first > 0) parts.push(`f=${first}`);
    if (level !== "") parts.push(`lv=${level}`);
    if (counter !== "") parts.push(`cn=${encodeURIComponent(counter)}`);
    return [...parts, ...super.address()];
  }
  protected override readPart(name: string, text: string): void {
    super.readPart(name, text);
    if (name === "q") this.readRequest(text);
    if (name === "t") this.timeline.window = this.readTime(text);
    if (name === "f") this.timeline.first = Math.min(numberOf(text) ?? 0, this.trace.locations.length - 1);
    if (name === "cn") this.timeline.counter = this.trace.has.counters.find((one) => one === safeDecode(text)) ?? "";
    if (name === "lv") this.timeline.level = levels.find((level) => level === text) ?? "";
  }
  private readRequest(text: string): void {
    try {
      this.time = this.choice.take(JSON.parse(safeDecode(text)) as RunRequest);
    } catch {
      this.time = this.choice.take({});
    }
  }
  private readTime(text: string): TimeRange | null {
    const [from, to] = text
      .split("-")
      .map((seconds) => Number(seconds) * this.clock.ticksPerSecond + this.clock.firstTime);
    const { firstTime, duration } = this.clock;
    if (from === undefined || to === undefined || !(from < to && from < firstTime + duration && to > firstTime))
      return null;
    return [Math.max(from, firstTime), Math.min(to, firstTime + duration)];
  }
  /** Takes the part from the address; the shown page of a run reads the rest itself. */
  readPartOfAddress(): void {
    const parts = new Map(addressParts());
    const part = parts.get("s");
    const runs = (parts.get("r") ?? "").split("-").map(numberOf);
    const known = runs.every((id) => id !== undefined) ? (runs as number[]) : [];
    this.part = part !== undefined && part in partTitles ? (part as Part) : "choose";
    if (part === "run" && known.length === 1) this.part = "run";
    if (part === "comparison" && known.length === 2) this.part = "comparison";
    if (known.length > 0) this.shownRuns = known;
  }
  override readAddress(): void {
    this.readPartOfAddress();
    if (this.pageAddress !== "") return;
    this.timeline.window = null;
    this.timeline.first = 0;
    this.timeline.level = this.timeline.counter = "";
    this.readRequest("{}");
    super.readAddress();
  }
}
