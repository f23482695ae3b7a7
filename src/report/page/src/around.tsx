// What both pages have around their views: an error is said instead of a view, the keys that work everywhere, the button for
// whole names, the help with its keys; and what stands in many views.
import { Component, type ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { PageStore } from "./page_store";
import { names, visible } from "./report";
import { PageError } from "./sections";

export function errorText(error: unknown): string {
  return error instanceof PageError
    ? error.message
    : `This cannot be shown: the data of this file is damaged, or the page has a mistake (${String(error)}).`;
}

/** What is in it, or why it cannot be drawn; it is tried again whenever something changes. */
export class Guard extends Component<{ children: ComponentChildren }, { error: string }> {
  override state = { error: "" };
  static override getDerivedStateFromError(error: unknown) {
    return { error: errorText(error) };
  }
  override componentWillReceiveProps() {
    this.setState({ error: "" });
  }
  render() {
    return this.state.error === "" ? (
      this.props.children
    ) : (
      <p class="error" role="alert">
        {this.state.error}
      </p>
    );
  }
}

interface Framed {
  store: PageStore;
  skip: string; // where the first link leads to
  top: ComponentChildren; // above the view
  label: string; // of the view
  busy?: boolean;
  help: ComponentChildren;
  more: (key: string) => boolean; // keys of one page only, false if it is none
  children: ComponentChildren;
}
/** A page: what is above its view, the view, the help beside it. */
export function Frame({ store, skip, top, label, busy = false, help, more, children }: Framed) {
  useEffect(() => {
    const key = (event: KeyboardEvent) => onKey(store, event, more);
    const hash = () => (store.readAddress(), store.changed());
    addEventListener("keydown", key);
    addEventListener("hashchange", hash);
    return () => (removeEventListener("keydown", key), removeEventListener("hashchange", hash));
  }, [store]);
  return (
    <>
      <a class="skip" href="#m" onClick={(e) => (e.preventDefault(), document.querySelector("main")?.focus())}>
        {skip}
      </a>
      {top}
      <div class={store.help ? "with-help" : ""}>
        <main tabIndex={-1} aria-busy={busy} aria-label={label}>
          {children}
        </main>
        {store.help && help}
      </div>
      <div class="live" role="status" aria-live="polite">
        {store.message}
      </div>
    </>
  );
}

function onKey(store: PageStore, event: KeyboardEvent, more: (key: string) => boolean): void {
  const target = event.target as HTMLElement;
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.altKey ||
    event.metaKey ||
    /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)
  )
    return;
  if (event.key.length === 1 && !store.letters) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === "?") store.toggleHelp();
  else if (key === "z") ((store.zeros = !store.zeros), store.say(store.zeros ? "zeros are shown" : "zeros are hidden"));
  else if (key === "/") (target.closest(".pane") ?? document).querySelector<HTMLInputElement>(".search")?.focus();
  else if (!more(key)) return;
  event.preventDefault();
}

/** What is less important than the view. */
export const Note = ({ children }: { children: ComponentChildren }) => <p class="quiet">{children}</p>;
/** Instead of what is being unpacked. */
export const Unpacking = () => <p aria-busy="true">Unpacking…</p>;
/** Names, and what there is; those without a text are left out. */
export const Facts = ({ facts }: { facts: [string, string | undefined][] }) => (
  <dl class="facts">
    {facts.map(
      ([name, text]) =>
        text && (
          <>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </>
        ),
    )}
  </dl>
);
export const List = ({ id, items }: { id?: string; items: string[] }) => (
  <ul id={id}>
    {items.map((i) => (
      <li>{i}</li>
    ))}
  </ul>
);
export const Details = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <details>
    <summary>{title}</summary>
    {children}
  </details>
);
/** What the file shows without scripts, too. */
export function ReportText({ title }: { title: string }) {
  const text = document.getElementById("static")?.textContent ?? "";
  return text.trim() === "" ? null : (
    <Details title={title}>
      <pre class="text">{text}</pre>
    </Details>
  );
}
export const ZerosButton = ({ store, text }: { store: PageStore; text: string }) => (
  <button
    id="zeros"
    aria-pressed={store.zeros}
    onClick={() => ((store.zeros = !store.zeros), store.changed())}
    title="Z"
  >
    {text}
  </button>
);

/** Only where a name was cut. */
export function WholeNames({ store }: { store: PageStore }) {
  if (!names.cut) return null;
  const whole = names.most > 2000;
  return (
    <button
      id="whole"
      aria-pressed={whole}
      onClick={() => (
        (names.most = whole ? 2000 : Infinity),
        store.say(whole ? "long names are cut" : "names are whole")
      )}
    >
      whole names
    </button>
  );
}

export interface Told {
  title: string;
  reading: string; // how to read the view
  metric: string;
  facts: [string, string | undefined][];
  note?: string;
  keys: [string, string][];
}
export function HelpPanel({ store, title, reading, metric, facts, note, keys }: Told & { store: PageStore }) {
  return (
    <aside id="help" aria-label="Help">
      <button class="close" onClick={() => store.toggleHelp()} title="?">
        Close
      </button>
      <h2>{title}</h2>
      <p>{reading}</p>
      <h2>{metric}</h2>
      <dl>
        {facts.map(
          ([name, text]) =>
            text && (
              <>
                <dt>{name}</dt>
                <dd>{visible(text)}</dd>
              </>
            ),
        )}
      </dl>
      {note && <Note>{note}</Note>}
      <h2>Keys</h2>
      <dl class="facts">
        {keys.map(([key, what]) => (
          <>
            <dt>
              {key.split(" ").map((k) => (
                <kbd>{k}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <button aria-pressed={store.letters} onClick={() => ((store.letters = !store.letters), store.changed())}>
        {store.letters ? "Keys that are letters are on" : "Keys that are letters are off"}
      </button>
    </aside>
  );
}
export function HelpButton({ store }: { store: PageStore }) {
  return (
    <button id="view-help" aria-expanded={store.help} aria-controls="help" title="?" onClick={() => store.toggleHelp()}>
      Help
    </button>
  );
}

export const treeKeys: [string, string][] = [
  ["?", "this help"],
  ["\u2191 \u2193 Home End", "in a tree: move and select; with Shift a range; Ctrl and click adds one"],
  ["\u2192 \u2190", "open and close; * opens all below; letters go to the next name that begins so"],
  ["/", "only rows with a text (re:\u2026 for a regular expression), Enter goes to the next"],
  ["Z", "show what is zero, or the same"],
];
export const chartKeys: [string, string][] = [
  ["\u2190 \u2191 \u2192 \u2193", "in a chart: read what it shows, one by one; Enter selects it"],
  ["T C", "a chart as a table; copy it as CSV"],
];
