// Chooses what is analysed: patterns, with their parameters, and the part of the run; and shows the command line that
// would do it.
import { useMemo, useState } from "preact/hooks";
import { List } from "../frame/elements";
import { countText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { MetricNodes } from "./metric_nodes";
import { PatternDialogue } from "./pattern_dialogue";
import { MetricDetails, PatternTree } from "./pattern_tree";
import { LocationFields, OtherFields, RegionField, TimeFields } from "./run_part";
import { SendButton } from "./send_button";
import type { ServedPattern } from "./server_types";
import type { ServeStore } from "./serve_store";

export function Choose({ store }: { store: ServeStore }) {
  const nodes = useMemo(() => new MetricNodes(store.patterns), [store]);
  const [configured, setConfigured] = useState<ServedPattern | null>(null);
  const { notices } = store.trace;
  return (
    <>
      {notices.length > 0 && (
        <div class="warning" id="damage">
          <h3>Missing data and anomalies of the trace</h3>
          <List items={notices.map(visible)} />
        </div>
      )}
      <div class="beside choice">
        <div>
          <PresetButtons store={store} />
          <PatternTree store={store} nodes={nodes} onConfigure={setConfigured} />
        </div>
        <div>
          <MetricDetails store={store} nodes={nodes} onConfigure={setConfigured} />
          <section aria-label="Part of the run">
            <h3>Part of the run</h3>
            <RegionField store={store} />
            <TimeFields store={store} />
            <LocationFields store={store} />
            <OtherFields store={store} />
          </section>
        </div>
      </div>
      <CommandLine store={store} />
      {configured && <PatternDialogue store={store} pattern={configured} onClose={() => setConfigured(null)} />}
    </>
  );
}

function PresetButtons({ store }: { store: ServeStore }) {
  const { patterns } = store.choice;
  const off = store.patterns.patterns.filter(({ on_by_default }) => !on_by_default);
  const choose = (action: () => void, text: string) => () => {
    action();
    store.choiceChanged(text);
  };
  return (
    <div class="tools" id="presets">
      <span>{`${countText(patterns.count)} of ${countText(store.patterns.patterns.length)} patterns:`}</span>
      <button onClick={choose(() => patterns.setDefault(), "the patterns that are on by default are chosen")}>
        Default
      </button>
      <button onClick={choose(() => patterns.setNone(), "no pattern is chosen")}>None</button>
      {off.length > 0 && (
        <button
          id="causes"
          title={off.map(({ name }) => visible(name)).join(", ")}
          onClick={choose(
            () =>
              patterns.set(
                off.map(({ id }) => id),
                true,
              ),
            "those that are off by default are chosen too",
          )}
        >
          Causes, and everything else that is off by default
        </button>
      )}
    </div>
  );
}

function CommandLine({ store }: { store: ServeStore }) {
  const { command, runs } = store;
  const [note, setNote] = useState("");
  const copy = () =>
    navigator.clipboard?.writeText(command.text).then(
      () => setNote("copied"),
      () => setNote("the browser does not let pages copy"),
    );
  const running = runs.running;
  return (
    <section id="command" aria-label="Command line" aria-busy={store.commandIsLate}>
      {command.error !== "" ? (
        <p class="error" role="alert">
          {command.error}
        </p>
      ) : (
        <pre class="text">{visible(command.text)}</pre>
      )}
      <div class="tools">
        <SendButton
          id="start"
          isMain
          isDisabled={command.error !== "" || store.choice.patterns.count === 0 || running !== undefined}
          onSend={() => store.start()}
        >
          Run the analysis
        </SendButton>
        <button disabled={command.text === ""} onClick={copy}>
          Copy the command line
        </button>
        {running && <span>{`Run ${running.id} is running.`}</span>}
        <output>{note}</output>
      </div>
    </section>
  );
}
