// The problems as sentences, each a link to where it is; what the trace cannot tell; what was analysed, and how.
import { Details, Facts, List, Note, ReportText } from "./around";
import { countText, factorName, factors, percentText, visible, type Instance, type Problem, type Wait } from "./report";
import type { Store } from "./store";

/** Selects metric, call path, location and instance of a problem at once. */
function follow(store: Store, problem: Problem): void {
  store.selectMetric(problem.metric ?? "time"); // without a metric it is about time that nothing explains
  store.selectCall(problem.callpath);
  store.selectLocation(problem.location);
  if (problem.metric !== null && problem.instance !== null) {
    const all = instancesOf(store);
    const wanted = store.report.meta.waits?.[problem.metric]?.instances[problem.instance];
    store.instance = Math.max(0, wanted ? all.indexOf(wanted) : 0);
  }
  store.view = "trees";
  store.say(`selected: ${visible(problem.title)}`);
}

export const membersOf = (i: Instance): Wait[] => i.members ?? [i.longest];

/** Instances of the selected wait state, the most severe first; only of the chosen pair, if one is. */
export function instancesOf(store: Store) {
  const all = store.report.meta.waits?.[store.metric.id]?.instances ?? [];
  const pair = store.pair;
  return all
    .filter((i) => !pair || membersOf(i).some((w) => w.culprit === pair[0] && w.location === pair[1]))
    .sort((a, b) => b.total - a.total);
}

export function Summary({ store }: { store: Store }) {
  const { report } = store;
  const { meta } = report;
  const { problems, trace } = meta;
  const efficiency = meta.efficiency?.["without_init_exit"] ?? meta.efficiency?.["whole"];
  const ideal = efficiency?.ideal_machine;
  const damage = meta.diagnostics.filter((d) => d.count > 0 && d.severity !== "note");
  const bound = ideal && ideal.ideal_run_time !== null ? ideal : undefined;
  return (
    <>
      <h2>Where the time is lost</h2>
      {problems.length === 0 && <p>{visible(meta.problems_note ?? "No wait state takes time in this run.")}</p>}
      {problems.map((p) => (
        <article class="problem">
          <p>{visible(p.sentence)}</p>
          {p.advice && <Note>{visible(p.advice)}</Note>}
          <button onClick={() => follow(store, p)}>{`Show ${visible(p.title)} in the trees`}</button>
        </article>
      ))}
      {efficiency && (
        <>
          <h3>Efficiency</h3>
          {efficiency.unknown ? (
            <p>{visible(efficiency.unknown)}</p>
          ) : (
            <Facts
              facts={[
                ...factors.map((f): [string, string] => [factorName(f), percentText(efficiency[f] ?? NaN)]),
                [
                  "serialisation, transfer",
                  bound &&
                    `${percentText(bound.serialisation_efficiency ?? NaN)}, ${percentText(bound.transfer_efficiency ?? NaN)}`,
                ],
                [
                  "if messages were free",
                  bound &&
                    `${report.seconds(bound.ideal_run_time!)}${bound.bound && `, or more: ${visible(bound.bound)}`}`,
                ],
                [
                  "if balanced",
                  ideal && ideal.unbalanced !== null && ideal.balanced_run_time !== null
                    ? `${report.seconds(ideal.balanced_run_time)}, with ${report.callPath(ideal.unbalanced)}`
                    : "",
                ],
              ]}
            />
          )}
          {ideal?.unknown && <p>{visible(ideal.unknown)}</p>}
        </>
      )}
      {damage.length > 0 && (
        <div class="warning">
          <h3>What is missing or odd about the trace</h3>
          <List
            items={damage.map(
              (d) => visible(d.sentence) + (d.places[0] ? ` (first: ${visible(d.places[0].text)})` : ""),
            )}
          />
        </div>
      )}
      {report.reduced.length > 0 && (
        <div class="warning">
          <h3>What does not fit into this file</h3>
          <p>It was written with a limit of its size (--max-size); sums are exact and complete all the same.</p>
          <List id="reduced" items={report.reduced.map(visible)} />
        </div>
      )}
      {meta.unanswered.length > 0 && (
        <Details title={`What this trace cannot tell (${meta.unanswered.length})`}>
          <List items={meta.unanswered.map((u) => `${visible(u.metric)}: ${visible(u.sentence)}`)} />
        </Details>
      )}
      <h3>Run</h3>
      <Facts
        facts={[
          ["trace", visible(trace.path)],
          ["command", trace.command && visible(trace.command)],
          ["date", trace.date ?? "not known"],
          ["recorder", visible(trace.creator)],
          ["machine", visible(trace.machine) || "not known"],
          ["duration", report.seconds(meta.totals.duration)],
          [
            "processes, locations",
            `${meta.processes.filter((p) => p.type === "process").length}, ${meta.locations.length}`,
          ],
          ["events, messages", `${countText(meta.totals.events)}, ${countText(meta.totals.messages)}`],
          ["waitstate", visible(meta.waitstate_version)],
          ["part of the run", focusText(store)],
        ]}
      />
      <Details title={`Patterns that were run, with their parameters (${meta.patterns.length})`}>
        <List
          items={meta.patterns.map(
            (p) => visible(p.id) + p.parameters.map((v) => ` ${visible(v.name)}=${visible(v.value)}`).join(""),
          )}
        />
      </Details>
      <ReportText title="The report as text" />
    </>
  );
}

function focusText(store: Store): string {
  const { focus, totals } = store.report.meta;
  const parts: string[] = [];
  if (focus.region) parts.push(`inside ${visible(focus.region)}`);
  if (focus.locations.length > 0) parts.push(`${focus.locations.length} locations`);
  if (focus.from > totals.first_time || focus.to !== null)
    parts.push(
      `from ${store.report.time(Math.max(focus.from, totals.first_time))}${focus.to === null ? "" : ` to ${store.report.time(focus.to)}`}`,
    );
  return parts.join(", ") || "all of it";
}
