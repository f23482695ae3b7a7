// Buttons of both pages.
import type { PageStore } from "../state/page_store";
import { nameLength, showsWholeNames, showWholeNames } from "../text/visible_names";

export function ZerosButton({ store, text }: { store: PageStore; text: string }) {
  const toggle = () => {
    store.toggleZeros();
    store.changed();
  };
  return (
    <button id="zeros" aria-pressed={store.showsZeros} onClick={toggle} title="Z">
      {text}
    </button>
  );
}

/** Is there only where a name was cut. */
export function WholeNamesButton({ store }: { store: PageStore }) {
  if (!nameLength.wasExceeded) return null;
  const isPressed = showsWholeNames();
  const toggle = () => {
    showWholeNames(!isPressed);
    store.announce(isPressed ? "long names are cut" : "names are whole");
  };
  return (
    <button id="whole" aria-pressed={isPressed} onClick={toggle}>
      whole names
    </button>
  );
}

export function HelpButton({ store }: { store: PageStore }) {
  return (
    <button
      id="view-help"
      aria-expanded={store.helpIsOpen}
      aria-controls="help"
      title="?"
      onClick={() => store.toggleHelp()}
    >
      Help
    </button>
  );
}
