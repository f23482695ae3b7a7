// The runs since the server was started, as it tells of them, and how far those are that have not ended.
import { requestErrorText, type Server } from "./server";
import type { RunProgress, RunRequest, ServedRun, ServedTrace } from "./server_types";

const pollingTime = 2000; // in milliseconds
const pollsOfTrace = 5; // every fifth poll asks whether the trace is still the same

export class RunList {
  runs: ServedRun[] = [];
  readonly progress = new Map<number, RunProgress>();
  /** Why the server could not be asked the last time; empty if it could. */
  trouble = "";
  /** The trace has been replaced by another one since this page was opened. */
  traceIsReplaced = false;
  private readonly followed = new Set<number>();
  private readonly own = new Set<number>(); // started here, and not ended
  private polls = 0;

  /** `onEnd` is called when a run has ended that was started here. */
  constructor(
    private readonly server: Server,
    private readonly trace: ServedTrace,
    private readonly redraw: () => void,
    private readonly onEnd: (run: ServedRun) => void,
  ) {}

  run(id: number): ServedRun | undefined {
    return this.runs.find((one) => one.id === id);
  }
  get running(): ServedRun | undefined {
    return this.runs.find(({ state }) => state === "running");
  }
  poll(): void {
    void this.refresh();
    setInterval(() => {
      if (document.visibilityState === "visible") void this.refresh();
    }, pollingTime);
  }
  async refresh(): Promise<void> {
    const state = () => JSON.stringify([this.runs, this.trouble, this.traceIsReplaced]);
    const before = state();
    try {
      this.runs = await this.server.json<ServedRun[]>("runs");
      if (++this.polls % pollsOfTrace === 0) await this.lookForReplacedTrace();
      this.trouble = "";
    } catch (error) {
      this.trouble = requestErrorText(error);
    }
    for (const { id, state } of this.runs) if (state === "running") void this.follow(id);
    if (state() !== before) this.redraw();
  }
  private async lookForReplacedTrace(): Promise<void> {
    const { version } = await this.server.json<{ version: number }>("trace/version");
    this.traceIsReplaced = version !== this.trace.version;
  }
  /** Starts a run; `onStart` takes its number, before its end can be told. */
  async start(request: RunRequest, onStart: (id: number) => void): Promise<void> {
    const { id } = await this.server.json<{ id: number }>("runs", request);
    onStart(id);
    this.own.add(id);
    void this.follow(id); // unless the list of runs had it already, and it is followed
    await this.refresh();
  }
  async cancel(id: number): Promise<void> {
    await this.server.json(`runs/${id}`, undefined, "DELETE");
    await this.refresh();
  }

  private async follow(id: number): Promise<void> {
    if (this.followed.has(id)) return;
    this.followed.add(id);
    try {
      await this.server.lines<RunProgress>(`runs/${id}/progress`, (line) => {
        this.progress.set(id, line);
        this.redraw();
      });
    } catch {
      // The list of runs tells how it went on.
    }
    this.progress.delete(id);
    await this.refresh();
    const run = this.run(id);
    setTimeout(() => this.followed.delete(id), run?.state === "running" ? pollingTime : 0);
    if (run && run.state !== "running" && this.own.delete(id)) this.onEnd(run);
    this.redraw();
  }
}
