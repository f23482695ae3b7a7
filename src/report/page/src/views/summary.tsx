// The problems as sentences, each with a button that leads to where it is; the efficiency; what the trace cannot tell;
// what was analysed, and how.
import { Details, Facts, List, Note, ReportText, type Fact } from "../frame/elements";
import type { Diagnostic, Efficiency, Problem } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { efficiencyFactors, factorName } from "../text/efficiency_names";
import { countText, percentText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { diagnosticText, placeText } from "./diagnostic_text";
import { NeverEnded } from "./never_ended";

export function Summary({ store }: { store: ReportStore }) {
  const { meta } = store.report;
  const efficiency = meta.efficiency?.["without_init_exit"] ?? meta.efficiency?.["whole"];
  return (
    <>
      <NeverEnded store={store} />
      <Problems store={store} />
      {efficiency && <EfficiencyFacts store={store} efficiency={efficiency} />}
      <MissingLocations store={store} />
      <Damage store={store} />
      <Omissions store={store} />
      {meta.unanswered.length > 0 && (
        <Details title={`Unknown in this trace (${meta.unanswered.length})`}>
          <List items={meta.unanswered.map(({ metric, sentence }) => `${visible(metric)}: ${visible(sentence)}`)} />
        </Details>
      )}
      <RunFacts store={store} />
      <Details title={`Patterns that were run, with their parameters (${meta.patterns.length})`}>
        <List
          items={meta.patterns.map(
            ({ id, parameters }) =>
              visible(id) + parameters.map(({ name, value }) => ` ${visible(name)}=${visible(value)}`).join(""),
          )}
        />
      </Details>
      <ReportText title="The report as text" />
    </>
  );
}

function Problems({ store }: { store: ReportStore }) {
  const { problems, problems_note } = store.report.meta;
  return (
    <>
      <h2>Where the time is lost</h2>
      {store.report.initExitPaths && (
        <Note>
          {`Shares and efficiency are of the time without ${store.report.initExitText}, as in the trees, `}
          {"unless these are counted (see above). They are of the whole run and of all locations."}
        </Note>
      )}
      {problems.length === 0 && <p>{visible(problems_note ?? "No wait state takes time in this run.")}</p>}
      {problems.map((problem) => (
        <article class="problem">
          <p>{visible(problem.sentence)}</p>
          {problem.advice && <Note>{visible(problem.advice)}</Note>}
          <ProblemButtons store={store} problem={problem} />
        </article>
      ))}
    </>
  );
}

/** Buttons that lead to the values that the sentence names. */
function ProblemButtons({ store, problem }: { store: ReportStore; problem: Problem }) {
  const { report } = store;
  const { title, ticks, callpath, callpath_ticks, instance, metric, source } = problem;
  return (
    <span class="tools">
      <button class="all" onClick={() => store.showProblem(problem)}>
        {`Show ${visible(title)} (${report.durationText(ticks)}) in the trees`}
      </button>
      {callpath !== null && callpath_ticks !== ticks && (
        <button class="worst" title={source} onClick={() => store.showWorstCallPath(problem)}>
          {`Worst call path (${report.durationText(callpath_ticks)})`}
        </button>
      )}
      {metric !== null && instance !== null && (
        <button class="wait" onClick={() => store.showWorstWait(problem)}>
          Worst wait
        </button>
      )}
    </span>
  );
}

function EfficiencyFacts({ store, efficiency }: { store: ReportStore; efficiency: Efficiency }) {
  const { unknown, ideal_machine: ideal, left_out, over } = efficiency;
  const factors = efficiencyFactors.map((factor): Fact => [factorName(factor), shareText(efficiency[factor])]);
  return (
    <>
      <h3>Efficiency</h3>
      {unknown ? <p>{visible(unknown)}</p> : <Facts facts={[...factors, ...idealMachineFacts(store, ideal)]} />}
      {ideal?.unknown && <p>{visible(ideal.unknown)}</p>}
      {left_out > 0 && (
        <Note>{`${left_out} of the ${over} ${left_out === 1 ? "is" : "are"} left out: some events are missing.`}</Note>
      )}
      <Details title="What these numbers are">
        <List
          items={store.report.meta.factors.map(
            ({ id, summary, formula, source }) =>
              `${visible(id.replaceAll("_", " "))}: ${visible(summary)} ${visible(formula)} (${visible(source)})`,
          )}
        />
      </Details>
    </>
  );
}

const shareText = (share: number | null): string => percentText(share ?? NaN);

/** How long the run would take on a machine whose messages take no time, and with balanced computation. */
function idealMachineFacts({ report }: ReportStore, ideal: Efficiency["ideal_machine"]): Fact[] {
  if (!ideal) return [];
  const facts: Fact[] = [];
  if (ideal.ideal_run_time !== null) {
    const { serialisation_efficiency, transfer_efficiency, ideal_run_time, bound } = ideal;
    facts.push(
      ["serialisation, transfer", `${shareText(serialisation_efficiency)}, ${shareText(transfer_efficiency)}`],
      ["if messages were free", report.durationText(ideal_run_time) + (bound && `, or more: ${visible(bound)}`)],
    );
  }
  if (ideal.unbalanced !== null && ideal.balanced_run_time !== null)
    facts.push([
      "if balanced",
      `${report.durationText(ideal.balanced_run_time)}, with ${report.callPathName(ideal.unbalanced)}`,
    ]);
  return facts;
}

/** Locations of which events are missing. */
function MissingLocations({ store }: { store: ReportStore }) {
  const { report } = store;
  const { missing_locations } = report.meta;
  if (missing_locations.length === 0) return null;
  return (
    <div class="warning" id="missing">
      <h3>Locations whose events are missing</h3>
      <List
        items={missing_locations.map(
          ({ location, from }) =>
            `${report.locationName(location)}: ` +
            (from === null ? "all of its events" : `its events from ${report.timeText(from)} on`),
        )}
      />
    </div>
  );
}

function Damage({ store }: { store: ReportStore }) {
  const damage = store.report.meta.diagnostics.filter(({ count, severity }) => count > 0 && severity !== "note");
  if (damage.length === 0) return null;
  return (
    <div class="warning" id="damage">
      <h3>Missing data and anomalies of the trace</h3>
      <ul>
        {damage.map((diagnostic) => (
          <li>
            {diagnosticText(store, diagnostic)}
            {diagnostic.places.length > 0 && (
              <Details title={`Where (${placesTitle(diagnostic)})`}>
                <List items={diagnostic.places.map((place) => placeText(store, place))} />
              </Details>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
const placesTitle = ({ count, places }: Diagnostic): string =>
  places.length < count ? `the first ${places.length} of ${countText(count)}` : `${places.length}`;

function Omissions({ store }: { store: ReportStore }) {
  const { omissions } = store.report;
  if (omissions.length === 0) return null;
  return (
    <div class="warning">
      <h3>Data that did not fit into this file</h3>
      <p>The file was written with a limit on its size (--max-size); sums are still exact and complete.</p>
      <List id="reduced" items={omissions.map(visible)} />
    </div>
  );
}

function RunFacts({ store }: { store: ReportStore }) {
  const { report } = store;
  const { trace, totals, processes, locations, waitstate_version } = report.meta;
  const processCount = processes.filter(({ type }) => type === "process").length;
  return (
    <>
      <h3>Run</h3>
      <Facts
        facts={[
          ["trace", visible(trace.path)],
          ["command", trace.command && visible(trace.command)],
          ["date", trace.date ?? "not known"],
          ["recorder", visible(trace.creator)],
          ["machine", visible(trace.machine) || "not known"],
          ["duration", report.durationText(totals.duration)],
          ["processes, locations", `${processCount}, ${locations.length}`],
          ["events, messages", `${countText(totals.events)}, ${countText(totals.messages)}`],
          ["waitstate", visible(waitstate_version)],
          ["part of the run", focusText(store)],
        ]}
      />
    </>
  );
}

/** The part of the run that was analysed. */
function focusText({ report }: ReportStore): string {
  const { focus, totals } = report.meta;
  const parts: string[] = [];
  if (focus.region) parts.push(`inside ${visible(focus.region)}`);
  if (focus.locations.length > 0) parts.push(`${focus.locations.length} locations`);
  if (focus.from > totals.first_time || focus.to !== null) {
    const end = focus.to === null ? "" : ` to ${report.timeText(focus.to)}`;
    parts.push(`from ${report.timeText(Math.max(focus.from, totals.first_time))}${end}`);
  }
  return parts.join(", ") || "all of it";
}
