// All runs since the server was started, the last one first: how far they are, what they found, and what can be done
// with them.
import { useState } from "preact/hooks";
import { List, Note } from "../frame/elements";
import { countText, durationText, percentText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { saveFile } from "./downloads";
import { SendButton } from "./send_button";
import type { RunProgress, RunRequest, ServedRun } from "./server_types";
import type { ServeStore } from "./serve_store";

/** What the kinds of files are, by their endings without ".gz". */
const kindNames: Record<string, string> = {
  html: "page",
  json: "report for programs",
  csv: "table",
  txt: "text",
  cubex: "profile for CUBE",
  stat: "statistics for CUBE",
  pftrace: "timeline for Perfetto",
  "speedscope.json": "profile for speedscope",
  folded: "folded stacks",
  "otf2.tar": "OTF2 archive of this part",
};
function kindText(kind: string): string {
  const name = kindNames[kind.replace(/\.gz$/, "")];
  return (name === undefined ? "" : `${name}: `) + `.${visible(kind)}`;
}

export function RunEntries({ store }: { store: ServeStore }) {
  const { runs } = store.runs;
  const [compared, setCompared] = useState<number[]>([]);
  const toggle = (id: number, isChosen: boolean) =>
    setCompared(isChosen ? [...compared, id].slice(-2) : compared.filter((other) => other !== id));
  const [a, b] = compared.slice().sort((one, other) => one - other);
  return (
    <>
      {runs.length === 0 && (
        <p>
          Nothing has been analysed yet. <button onClick={() => store.show("choose")}>Choose what to analyse</button>
        </p>
      )}
      {runs.filter(({ state }) => state === "done").length > 1 && (
        <p class="tools">
          <button
            id="compare"
            disabled={a === undefined || b === undefined}
            onClick={() => store.show("comparison", [a!, b!])}
          >
            {b === undefined ? "Compare two runs" : `Compare run ${a} with run ${b}`}
          </button>
          {b === undefined && <span class="quiet">Tick two runs that are done.</span>}
        </p>
      )}
      {runs
        .slice()
        .sort((one, other) => other.id - one.id)
        .map((run) => (
          <RunEntry key={run.id} store={store} run={run} isCompared={compared.includes(run.id)} onCompare={toggle} />
        ))}
    </>
  );
}

interface RunEntryProps {
  store: ServeStore;
  run: ServedRun;
  isCompared: boolean;
  onCompare: (id: number, isChosen: boolean) => void;
}

function RunEntry({ store, run, isCompared, onCompare }: RunEntryProps) {
  const { id, state, seconds, events, command, error, parameters, notes, reports } = run;
  const about = state === "done" ? `: ${countText(events)} events in ${durationText(seconds)}` : "";
  return (
    <article class={`run ${state}`} id={`run-${id}`}>
      <h3>{`Run ${id}, ${state}${about}`}</h3>
      {state === "running" && <Progress store={store} id={id} progress={store.runs.progress.get(id)} />}
      {error && <p class="error">{visible(error)}</p>}
      <Note>{parametersText(parameters)}</Note>
      <pre class="text">{visible(command)}</pre>
      {state === "done" && <Findings run={run} />}
      {notes.length > 0 && <List items={notes.map(visible)} />}
      <div class="tools">
        {reports.length > 0 && (
          <>
            <button class="open main" onClick={() => store.showRun(id)}>
              Show the report
            </button>
            <Download store={store} run={run} />
            <label>
              <input
                type="checkbox"
                class="compared"
                checked={isCompared}
                onChange={(event) => onCompare(id, event.currentTarget.checked)}
              />
              {" compare"}
            </label>
          </>
        )}
        <button class="again" onClick={() => store.chooseAgain(parameters)}>
          Choose the same
        </button>
      </div>
    </article>
  );
}

/** What was asked for, in words; all that is as it is by default is left out. */
function parametersText(request: RunRequest): string {
  const { patterns, without, set, region, from, to, locations, rma_model, counters, phase } = request;
  const parts = [
    patterns && `patterns ${patterns.join(", ")}`,
    without && `without ${without.join(", ")}`,
    ...Object.entries(set ?? {}).map(([name, value]) => `${name} = ${value}`),
    region && `inside ${region}`,
    (from !== undefined || to !== undefined) && `from ${from ?? 0} s to ${to === undefined ? "the end" : `${to} s`}`,
    locations && `locations ${locations}`,
    rma_model && `one-sided transfers ${rma_model}`,
    counters === false && "without counters",
    phase && `phases ${phase}`,
  ].filter((part) => typeof part === "string" && part !== "");
  return parts.length === 0 ? "all patterns that are on by default, in the whole run" : visible(parts.join("; "));
}

function Progress({ store, id, progress }: { store: ServeStore; id: number; progress: RunProgress | undefined }) {
  const { events = 0, of = 0, events_per_second = 0, seconds_left } = progress ?? {};
  const share = of > 0 ? events / of : 0;
  return (
    <>
      <progress max={1} value={share} aria-label={`progress of run ${id}`} />
      <p class="progress">
        {progress
          ? `${countText(events)} of ${countText(of)} events (${percentText(share)}), ` +
            `${countText(Math.round(events_per_second))} events a second` +
            (seconds_left === undefined ? "" : `, ${durationText(seconds_left, 2)} left`)
          : "It begins\u2026"}
      </p>
      <div class="tools">
        <SendButton id={`cancel-${id}`} onSend={() => store.cancel(id)}>
          Cancel
        </SendButton>
      </div>
    </>
  );
}

function Findings({ run: { severities } }: { run: ServedRun }) {
  if (severities.length === 0) return null;
  return (
    <List
      items={severities.map(
        ({ name, seconds, share }) =>
          `${visible(name)}: ${durationText(seconds)}${share === null ? "" : `, ${percentText(share)}`}`,
      )}
    />
  );
}

function Download({ store, run: { id, reports } }: { store: ServeStore; run: ServedRun }) {
  const [ending, setEnding] = useState(reports.includes("html") ? "html" : reports[0]!);
  const download = () =>
    store.attempt(async () => {
      saveFile(await store.server.blob(`runs/${id}/report.${ending}`), `run${id}.${ending}`);
      store.announce(`run${id}.${ending} is there`);
    });
  return (
    <span class="download">
      <select
        aria-label={`format of run ${id}`}
        value={ending}
        onChange={(event) => setEnding(event.currentTarget.value)}
      >
        {reports.map((kind) => (
          <option value={kind}>{kindText(kind)}</option>
        ))}
      </select>{" "}
      <SendButton onSend={download}>Download</SendButton>
    </span>
  );
}
