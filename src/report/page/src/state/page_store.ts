// The state that the page of a report and that of a comparison have in common: the help, messages, and how tables and
// charts are shown.
import { addressParts, mostWords, writeAddress } from "./address";

/** Attributes by which somebody outside, as a test, sees when the page is ready. */
export const pageStatus = document.documentElement.dataset;

/** How a table is sorted: by which column, and 1 for ascending or -1 for descending. */
export type TableOrder = [column: number, direction: number];

export class PageStore {
  message = ""; // is read out by screen readers
  showsZeros = false;
  helpIsOpen = false;
  letterKeysWork = true; // keys that are letters or signs do something
  readonly shownAsTables = new Set<string>(); // ids of charts
  readonly tableOrders = new Map<string, TableOrder>(); // by the table's id

  revision = 0; // another one whenever the state may have changed

  /** Stands before the state in the address: which of several pages this is. */
  addressBegin: string[] = [];

  constructor(private readonly render: () => void) {}
  redraw(): void {
    ++this.revision;
    this.render();
  }

  /** Call it after every change of the state; `isRead`: after readAddress(). */
  changed(isRead = false): void {
    const begin = this.addressBegin;
    writeAddress([...begin, ...this.address()], [...begin, this.selectionKey()].join("&"), isRead);
    this.redraw();
  }
  /** Changes the message, and is called instead of changed(). */
  announce(message: string): void {
    this.message = message;
    this.changed();
  }
  toggleHelp(): void {
    this.helpIsOpen = !this.helpIsOpen;
    this.announce(this.helpIsOpen ? "the help is open" : "the help is closed");
  }
  toggleZeros(): void {
    this.showsZeros = !this.showsZeros;
  }
  toggleTable(chart: string): void {
    if (!this.shownAsTables.delete(chart)) this.shownAsTables.add(chart);
    this.changed();
  }

  // ---- address ----

  /** What is selected, as a text: where it changes, the browser's Back leads to what was selected before. */
  protected selectionKey(): string {
    return "";
  }
  /** The state as parts of the address; what is as it was at first is left out. */
  protected address(): string[] {
    const parts: string[] = [];
    if (this.showsZeros) parts.push("z=1");
    if (this.helpIsOpen) parts.push("h=1");
    if (!this.letterKeysWork) parts.push("k=0");
    if (this.shownAsTables.size > 0) parts.push(`tb=${[...this.shownAsTables].join(",")}`);
    const orders = [...this.tableOrders].map(
      ([id, [column, direction]]) => `${id}.${column}${direction < 0 ? "d" : "a"}`,
    );
    if (orders.length > 0) parts.push(`so=${orders.join(",")}`);
    return parts;
  }
  /** Takes a part of the address over into the state. */
  protected readPart(name: string, text: string): void {
    if (name === "z") this.showsZeros = text === "1";
    if (name === "h") this.helpIsOpen = text === "1";
    if (name === "k") this.letterKeysWork = text !== "0";
    const words = text.split(",").slice(0, mostWords);
    if (name === "tb") for (const id of words) if (/^[\w-]+$/.test(id)) this.shownAsTables.add(id);
    if (name === "so") for (const word of words) this.readTableOrder(word);
  }
  private readTableOrder(word: string): void {
    const [, id, column, direction] = /^([\w-]+)\.(\d{1,4})([ad])$/.exec(word) ?? [];
    if (id !== undefined) this.tableOrders.set(id, [Number(column), direction === "d" ? -1 : 1]);
  }
  readAddress(): void {
    this.shownAsTables.clear();
    this.tableOrders.clear();
    this.showsZeros = this.helpIsOpen = false;
    this.letterKeysWork = true;
    for (const [name, text] of addressParts()) this.readPart(name, text);
  }
}
