// The worst instances of the selected wait state: who waited, for whom, where that was, and what ended the wait.
import { DataTable } from "../charts/data_table";
import { Note } from "../frame/elements";
import type { SevereInstance } from "../report_types";
import { waitsOf, type ReportStore } from "../state/report_store";
import { callPathsText, locationsText, timeText } from "../trees/selection_text";
import { causeText, instanceText } from "./instance_text";
import { Timeline } from "./timeline";
import { WaitChain } from "./wait_chain";

const mostListed = 500;

export function Instances({ store }: { store: ReportStore }) {
  const { metricTitle, locationPair } = store;
  const selected = store.selectedInstance();
  const ofPair = locationPair ? " of this pair (only the most severe per call path are kept)" : "";
  return (
    <>
      {locationPair && <PairFilter store={store} culprit={locationPair[0]} waiter={locationPair[1]} />}
      {selected ? (
        <>
          <Note>
            {`These are the most severe instances of ${metricTitle} in ${callPathsText(store)} `}
            {`on ${locationsText(store)}, in ${timeText(store)}; at most five per call path are kept. `}
            {"N and P go to the next and the previous one."}
          </Note>
          <InstanceList store={store} selected={selected} />
          <InstanceDetails store={store} instance={selected} />
        </>
      ) : (
        <p>
          {store.allInstances().length > 0
            ? `None of the kept instances of ${metricTitle}${ofPair} is in the selection.`
            : `This report contains no single waits of ${metricTitle}${ofPair}.`}
        </p>
      )}
    </>
  );
}

/** Says that only instances of two locations are shown. */
function PairFilter({ store, culprit, waiter }: { store: ReportStore; culprit: number; waiter: number | null }) {
  const { report } = store;
  const showAll = () => {
    store.showAllInstances();
    store.changed();
  };
  return (
    <p>
      {`Only where ${report.locationName(waiter)} waited for ${report.locationName(culprit)}. `}
      <button onClick={showAll}>Show all</button>
    </p>
  );
}

function InstanceList({ store, selected }: { store: ReportStore; selected: SevereInstance }) {
  const { report } = store;
  const select = (instance: SevereInstance) => {
    store.selectInstance(instance);
    store.changed();
  };
  return (
    <ol class="instances">
      {store
        .instances()
        .slice(0, mostListed)
        .map((instance, i) => {
          const { total, longest } = instance;
          const when = `${report.durationText(total)} at ${report.timeText(longest.begin)}`;
          return (
            <li>
              <button aria-current={instance === selected ? "true" : undefined} onClick={() => select(instance)}>
                {`${i + 1}. ${when}: ${instanceText(store, instance)}`}
              </button>
            </li>
          );
        })}
    </ol>
  );
}

function InstanceDetails({ store, instance }: { store: ReportStore; instance: SevereInstance }) {
  const { report } = store;
  const { cause, chain, members_left_out = 0 } = instance;
  return (
    <>
      {cause && <p>{`The wait was ended by ${causeText(store, cause)}.`}</p>}
      {chain ? (
        <div class="beside">
          <Timeline store={store} />
          <WaitChain store={store} chain={chain} />
        </div>
      ) : (
        <Timeline store={store} />
      )}
      <DataTable
        store={store}
        id="waiters"
        label="Who waited"
        columns={["location", "from (s)", "waited (s)", "for", "which was in"]}
        rows={waitsOf(instance).map(({ location, begin, ticks, culprit, culprit_callpath }) => ({
          cells: [
            report.locationName(location),
            report.secondsFromStart(begin),
            report.seconds(ticks),
            culprit === null ? "" : report.locationName(culprit),
            culprit_callpath === null ? "" : report.callPathText(culprit_callpath),
          ],
          onPick: () => store.selectLocation(location),
        }))}
      />
      {members_left_out > 0 && <p>{`${members_left_out} shorter waits are not listed.`}</p>}
    </>
  );
}
