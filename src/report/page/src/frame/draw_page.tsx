// Draws a page into the document.
import { render, type ComponentChildren } from "preact";
import { nameLength } from "../text/visible_names";
import { ErrorGuard } from "./error_guard";

/** Draws the page; once more if a name was cut for the first time, because there is a button for whole names then. */
export function drawPage(root: Element, page: () => ComponentChildren): void {
  const wasExceeded = nameLength.wasExceeded;
  const draw = () => render(<ErrorGuard>{page()}</ErrorGuard>, root);
  draw();
  if (wasExceeded !== nameLength.wasExceeded) draw();
}
