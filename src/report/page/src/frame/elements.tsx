// Small elements of which views are made.
import type { ComponentChildren } from "preact";

/** Something less important than the view. */
export const Note = ({ children }: { children: ComponentChildren }) => <p class="quiet">{children}</p>;

/** Stands in place of values that are being unpacked. */
export const Unpacking = () => <p aria-busy="true">Unpacking…</p>;

export type Fact = [name: string, text: string | undefined];

/** Names with texts; those without a text are left out. */
export const Facts = ({ facts, isCompact = true }: { facts: Fact[]; isCompact?: boolean }) => (
  <dl class={isCompact ? "facts" : undefined}>
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
    {items.map((item) => (
      <li>{item}</li>
    ))}
  </ul>
);

/** Children that are shown when the reader opens them. */
export const Details = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <details>
    <summary>{title}</summary>
    {children}
  </details>
);

/** A region that scrolls by itself, and has the focus for that. */
export const ScrollRegion = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
);

/** The text report, which the file shows where scripts are off. */
export function ReportText({ title }: { title: string }) {
  const text = document.getElementById("static")?.textContent ?? "";
  return text.trim() === "" ? null : (
    <Details title={title}>
      <pre class="text">{text}</pre>
    </Details>
  );
}
