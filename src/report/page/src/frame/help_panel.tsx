// The help beside a view: how to read it, what the selected metric means, and the keys.
import type { PageStore } from "../state/page_store";
import { visible } from "../text/visible_names";
import { Facts, Note, type Fact } from "./elements";

/** Keys, separated by spaces, and what they do. */
export type KeyHelp = [keys: string, meaning: string];

interface HelpPanelProps {
  store: PageStore;
  title: string;
  reading: string; // how to read the view
  metricTitle: string;
  metricFacts: Fact[]; // their texts come from the report
  note?: string | undefined;
  keys: KeyHelp[];
}

export function HelpPanel({ store, title, reading, metricTitle, metricFacts, note, keys }: HelpPanelProps) {
  const toggleLetterKeys = () => {
    store.letterKeysWork = !store.letterKeysWork;
    store.changed();
  };
  return (
    <aside id="help" aria-label="Help">
      <button class="close" onClick={() => store.toggleHelp()} title="?">
        Close
      </button>
      <h2>{title}</h2>
      <p>{reading}</p>
      <h2>{metricTitle}</h2>
      <Facts facts={metricFacts.map(([name, text]): Fact => [name, text && visible(text)])} isCompact={false} />
      {note && <Note>{note}</Note>}
      <h2>Keys</h2>
      <dl class="facts">
        {keys.map(([names, meaning]) => (
          <>
            <dt>
              {names.split(" ").map((name) => (
                <kbd>{name}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
      <button aria-pressed={store.letterKeysWork} onClick={toggleLetterKeys}>
        {store.letterKeysWork ? "Letter keys are on" : "Letter keys are off"}
      </button>
    </aside>
  );
}

export const treeKeys: KeyHelp[] = [
  ["?", "this help"],
  ["\u2191 \u2193 Home End", "in a tree: move and select; with Shift a range; Ctrl and click adds one"],
  ["\u2192 \u2190", "open and close; * opens all below; a letter goes to the next name that begins with it"],
  ["/", "only rows with a text (re:\u2026 for a regular expression), Enter goes to the next"],
  ["Z", "show values that are zero, or unchanged"],
];
export const chartKeys: KeyHelp[] = [
  ["\u2190 \u2191 \u2192 \u2193", "in a chart: read its values, one by one; Enter selects one"],
  ["T C", "a chart as a table; copy it as CSV"],
];
