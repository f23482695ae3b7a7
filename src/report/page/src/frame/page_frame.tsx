// The frame of a page around its view: the part above it, the help beside it, and the keys that work everywhere.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { PageStore } from "../state/page_store";

interface PageFrameProps {
  store: PageStore;
  skipText: string; // the link that skips what is above the view
  header: ComponentChildren;
  label: string; // the name of the view for screen readers
  isBusy?: boolean;
  help: ComponentChildren;
  /** Handles keys that only this page has; false if the key is none of them. */
  onPageKey: (key: string) => boolean;
  children: ComponentChildren;
}

export function PageFrame(props: PageFrameProps) {
  const { store, skipText, header, label, isBusy = false, help, onPageKey, children } = props;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => handleKey(store, event, onPageKey);
    const onAddress = () => {
      store.readAddress();
      store.changed(true);
    };
    addEventListener("keydown", onKey);
    addEventListener("hashchange", onAddress);
    return () => {
      removeEventListener("keydown", onKey);
      removeEventListener("hashchange", onAddress);
    };
  }, [store]);
  return (
    <>
      <a class="skip" href="#m" onClick={skipToView}>
        {skipText}
      </a>
      {header}
      <div class={store.helpIsOpen ? "with-help" : ""}>
        <main tabIndex={-1} aria-busy={isBusy} aria-label={label}>
          {children}
        </main>
        {store.helpIsOpen && help}
      </div>
      <div class="live" role="status" aria-live="polite">
        {store.message}
      </div>
    </>
  );
}

function skipToView(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector("main")?.focus();
}

function handleKey(store: PageStore, event: KeyboardEvent, onPageKey: (key: string) => boolean): void {
  const target = event.target as HTMLElement;
  const isModified = event.ctrlKey || event.altKey || event.metaKey;
  const isLetter = event.key.length === 1;
  if (event.defaultPrevented || isModified || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
  if (isLetter && !store.letterKeysWork) return;
  const key = isLetter ? event.key.toLowerCase() : event.key;
  if (key === "?") store.toggleHelp();
  else if (key === "/") focusSearch(target);
  else if (key === "z") {
    store.toggleZeros();
    store.announce(store.showsZeros ? "zeros are shown" : "zeros are hidden");
  } else if (!onPageKey(key)) return;
  event.preventDefault();
}

/** Moves the focus to the search of the tree that has it, or to the first one. */
function focusSearch(target: HTMLElement): void {
  (target.closest(".pane") ?? document).querySelector<HTMLInputElement>(".search")?.focus();
}
