// The worst instances of the selected wait state: who waited, for whom, where that was, and what ended the wait.
import { Note } from "./around";
import { Why } from "./chain";
import { DataTable } from "./chart";
import { countText, type Instance, visible } from "./report";
import type { Store } from "./store";
import { instancesOf, membersOf } from "./summary";
import { Timeline } from "./timeline";

export function causeText(store: Store, i: Instance): string {
  const { report } = store;
  const c = i.cause;
  if (!c) return "";
  const parts: string[] = [];
  const names: Record<string, string> = {
    message: "a message",
    collective: "a collective operation",
    transfer: "one-sided communication",
    lock: "a lock",
    team: "a barrier of threads",
    task: "tasks",
    device: "an accelerator",
  };
  parts.push(
    c.operation !== null
      ? `${names[c.kind] ?? visible(c.kind)} (${visible(String(c.operation))})`
      : (names[c.kind] ?? visible(c.kind)),
  );
  if (c.bytes !== null) parts.push(`${countText(c.bytes)} bytes`);
  if (c.tag !== null) parts.push(`tag ${c.tag}`);
  if (c.communicator !== null)
    parts.push(`in ${visible(report.meta.communicators[c.communicator]?.name || `communicator ${c.communicator}`)}`);
  if (c.sent !== null) parts.push(`sent at ${report.time(c.sent)}`);
  if (c.received !== null) parts.push(`received at ${report.time(c.received)}`);
  return parts.join(", ");
}

export function instanceText(store: Store, i: Instance): string {
  const { report } = store;
  const w = i.longest;
  const who =
    i.waiters > 1
      ? `${i.waiters} waited ${report.seconds(i.total)} in all, ${report.locationName(w.location)} longest: ${report.seconds(w.ticks)}`
      : `${report.locationName(w.location)} waited ${report.seconds(w.ticks)}`;
  const where = ` in ${report.callPath(i.callpath)}`;
  const whom =
    w.culprit === null
      ? ""
      : ` for ${report.locationName(w.culprit)}${w.culprit_callpath === null ? "" : `, which was in ${report.callPath(w.culprit_callpath)}`}`;
  return who + where + whom;
}

export function step(store: Store, by: number): void {
  const count = instancesOf(store).length;
  if (count === 0) return;
  store.instance = (store.instance + by + count) % count;
  store.say(instanceText(store, instancesOf(store)[store.instance]!));
}

export function Instances({ store }: { store: Store }) {
  const { report } = store;
  const all = instancesOf(store);
  const chosen = all[Math.min(store.instance, all.length - 1)];
  const { title } = store;
  return (
    <>
      {store.pair && (
        <p>
          {`Only where ${report.locationName(store.pair[1])} waited for ${report.locationName(store.pair[0])}. `}
          <button onClick={() => ((store.pair = null), (store.instance = 0), store.changed())}>Show all</button>
        </p>
      )}
      {!chosen ? (
        <p>{`This report holds no single waits of ${title}${store.pair ? " of this pair (only the most severe per call path are kept)" : ""}.`}</p>
      ) : (
        <>
          <Note>{`The most severe instances of ${title}, at most five per call path. N and P go to the next and the previous one.`}</Note>
          <ol class="instances">
            {all.slice(0, 500).map((i, n) => (
              <li>
                <button
                  aria-current={i === chosen ? "true" : undefined}
                  onClick={() => ((store.instance = n), store.changed())}
                >
                  {`${n + 1}. ${report.seconds(i.total)} at ${report.time(i.longest.begin)}: ${instanceText(store, i)}`}
                </button>
              </li>
            ))}
          </ol>
          {chosen.cause && <p>{`What ended the wait: ${causeText(store, chosen)}.`}</p>}
          {chosen.chain ? (
            <div class="beside">
              <Timeline store={store} />
              <Why store={store} chain={chosen.chain} />
            </div>
          ) : (
            <Timeline store={store} />
          )}
          <DataTable
            store={store}
            id="waiters"
            label="Who waited"
            columns={["location", "from (s)", "waited (s)", "for", "which was in"]}
            rows={membersOf(chosen).map((w) => ({
              cells: [
                report.locationName(w.location),
                report.since(w.begin),
                w.ticks / report.ticks,
                w.culprit === null ? "" : report.locationName(w.culprit),
                w.culprit_callpath === null ? "" : report.callPath(w.culprit_callpath),
              ],
              pick: () => store.selectLocation(w.location),
            }))}
          />
          {(chosen.members_left_out ?? 0) > 0 && <p>{`${chosen.members_left_out} shorter waits are not listed.`}</p>}
        </>
      )}
    </>
  );
}
