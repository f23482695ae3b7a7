// The problems as sentences, each a link to where it is; what the trace cannot tell; what was analysed, and how.
import { countText, percentText, visible, type Instance, type Problem, type Wait } from "./report";
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
  const { meta } = store.report;
  const { problems } = meta;
  const efficiency = meta.efficiency?.["without_init_exit"] ?? meta.efficiency?.["whole"];
  const ideal = efficiency?.ideal_machine;
  const damage = meta.diagnostics.filter((d) => d.count > 0 && d.severity !== "note");
  const text = document.getElementById("static")?.textContent ?? "";
  return (
    <>
      <h2>Where the time is lost</h2>
      {problems.length === 0 && <p>{visible(meta.problems_note ?? "No wait state takes time in this run.")}</p>}
      {problems.map((p) => (
        <article class="problem">
          <p>{visible(p.sentence)}</p>
          {p.advice && <p class="quiet">{visible(p.advice)}</p>}
          <button onClick={() => follow(store, p)}>{`Show ${visible(p.title)} in the trees`}</button>
        </article>
      ))}
      {efficiency && (
        <>
          <h3>Efficiency</h3>
          {efficiency.unknown ? <p>{visible(efficiency.unknown)}</p> : (
            <dl class="facts">
              <dt>parallel efficiency</dt><dd>{percentText(efficiency.parallel_efficiency ?? NaN)}</dd>
              <dt>load balance</dt><dd>{percentText(efficiency.load_balance ?? NaN)}</dd>
              <dt>communication efficiency</dt><dd>{percentText(efficiency.communication_efficiency ?? NaN)}</dd>
              {ideal && ideal.ideal_run_time !== null && (
                <>
                  <dt>serialisation, transfer</dt><dd>{`${percentText(ideal.serialisation_efficiency ?? NaN)}, ${percentText(ideal.transfer_efficiency ?? NaN)}`}</dd>
                  <dt>if messages were free</dt><dd>{`${store.report.seconds(ideal.ideal_run_time)}${ideal.bound && `, or more: ${visible(ideal.bound)}`}`}</dd>
                </>
              )}
              {ideal && ideal.unbalanced !== null && ideal.balanced_run_time !== null && (
                <>
                  <dt>if balanced</dt><dd>{`${store.report.seconds(ideal.balanced_run_time)}, with ${store.report.callPath(ideal.unbalanced)}`}</dd>
                </>
              )}
            </dl>
          )}
          {ideal?.unknown && <p>{visible(ideal.unknown)}</p>}
        </>
      )}
      {damage.length > 0 && (
        <div class="warning">
          <h3>What is missing or odd about the trace</h3>
          <ul>{damage.map((d) => <li>{`${visible(d.sentence)}${d.places[0] ? ` (first: ${visible(d.places[0].text)})` : ""}`}</li>)}</ul>
        </div>
      )}
      {store.report.reduced.length > 0 && (
        <div class="warning">
          <h3>What does not fit into this file</h3>
          <p>It was written with a limit of its size (--max-size); sums are exact and complete all the same.</p>
          <ul id="reduced">{store.report.reduced.map((r) => <li>{visible(r)}</li>)}</ul>
        </div>
      )}
      {meta.unanswered.length > 0 && (
        <details>
          <summary>{`What this trace cannot tell (${meta.unanswered.length})`}</summary>
          <ul>{meta.unanswered.map((u) => <li>{`${visible(u.metric)}: ${visible(u.sentence)}`}</li>)}</ul>
        </details>
      )}
      <h3>Run</h3>
      <dl class="facts">
        <dt>trace</dt><dd>{visible(meta.trace.path)}</dd>
        {meta.trace.command && <><dt>command</dt><dd>{visible(meta.trace.command)}</dd></>}
        <dt>date</dt><dd>{meta.trace.date ?? "not known"}</dd>
        <dt>recorder</dt><dd>{visible(meta.trace.creator)}</dd>
        <dt>machine</dt><dd>{visible(meta.trace.machine) || "not known"}</dd>
        <dt>duration</dt><dd>{store.report.seconds(meta.totals.duration)}</dd>
        <dt>processes, locations</dt><dd>{`${meta.processes.filter((p) => p.type === "process").length}, ${meta.locations.length}`}</dd>
        <dt>events, messages</dt><dd>{`${countText(meta.totals.events)}, ${countText(meta.totals.messages)}`}</dd>
        <dt>waitstate</dt><dd>{visible(meta.waitstate_version)}</dd>
        <dt>part of the run</dt><dd>{focusText(store)}</dd>
      </dl>
      <details>
        <summary>{`Patterns that were run, with their parameters (${meta.patterns.length})`}</summary>
        <ul>{meta.patterns.map((p) => <li>{`${visible(p.id)}${p.parameters.map((v) => ` ${visible(v.name)}=${visible(v.value)}`).join("")}`}</li>)}</ul>
      </details>
      {text.trim() !== "" && <details><summary>The report as text</summary><pre class="text">{text}</pre></details>}
    </>
  );
}

function focusText(store: Store): string {
  const { focus, totals } = store.report.meta;
  const parts: string[] = [];
  if (focus.region) parts.push(`inside ${visible(focus.region)}`);
  if (focus.locations.length > 0) parts.push(`${focus.locations.length} locations`);
  if (focus.from > totals.first_time || focus.to !== null)
    parts.push(`from ${store.report.time(Math.max(focus.from, totals.first_time))}${focus.to === null ? "" : ` to ${store.report.time(focus.to)}`}`);
  return parts.join(", ") || "all of it";
}
