// A canvas with its caption, and the same numbers as a table (key T, or the button): nothing can be read from pixels only.
// Also colours, axes, and the table itself, which columns sort.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Mouse } from "./span";

export const dark = (): boolean => matchMedia("(prefers-color-scheme: dark)").matches;
export const ink = (): string => (dark() ? "#e8e8e8" : "#1b1b1b");
export const faint = (): string => (dark() ? "#565b63" : "#c3c7cd");
export const paper = (): string => (dark() ? "#16181c" : "#ffffff");

/** Blue to white (paper) to orange: -1 to 1. Readable for all kinds of colour vision. */
export function changeColour(part: number): string {
  const strength = Math.min(1, Math.abs(part || 0)) ** 0.5;
  const [r, g, b] = part < 0 ? [0x00, 0x72, 0xb2] : [0xd5, 0x5e, 0x00];
  const mix = (v: number) => Math.round(0xf4 + (v - 0xf4) * strength);
  return `rgb(${mix(r!)} ${mix(g!)} ${mix(b!)})`;
}

// Cividis at eleven places: readable for all kinds of colour vision, and even in grey.
const cividis = [
  "#00204d",
  "#00306f",
  "#2a406c",
  "#48526b",
  "#5e626e",
  "#727374",
  "#878479",
  "#9e9677",
  "#b6a971",
  "#d0be67",
  "#ffea46",
];
/** 0 to 1. */
export function severityColour(share: number): string {
  const at = Math.max(0, Math.min(1, share || 0)) * (cividis.length - 1);
  const low = cividis[Math.floor(at)]!;
  const high = cividis[Math.ceil(at)]!;
  const part = at - Math.floor(at);
  const mix = (i: number) =>
    Math.round(parseInt(low.slice(i, i + 2), 16) * (1 - part) + parseInt(high.slice(i, i + 2), 16) * part);
  return `rgb(${mix(1)} ${mix(3)} ${mix(5)})`;
}
/** Black or white, whichever is read better on the colour. */
export function textOn(colour: string): string {
  const numbers = colour.startsWith("#")
    ? [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16))
    : (colour.match(/\d+/g) ?? []).map(Number);
  const [r = 0, g = 0, b = 0] = numbers.map((v) => (v / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000" : "#fff";
}
const classes: [RegExp, string][] = [
  [/^comp/, "#7fb2d6"],
  [/device|accelerator|cuda|hip|kernel/, "#56b4e9"],
  [/omp|pthread|thread|task/, "#009e73"],
  [/rma|shmem|one_sided|onesided/, "#cc79a7"],
  [/coll|sync|barrier/, "#e69f00"],
  [/point|p2p/, "#d55e00"],
  [/mpi/, "#9aa0a6"],
];
export function classColour(id: string): string {
  return classes.find(([name]) => name.test(id))?.[1] ?? "#9aa0a6";
}
export const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#f0e442"];

/** A rectangle. Dark ones have an edge on dark paper, so that they are seen. */
export function block(
  c: CanvasRenderingContext2D,
  colour: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const edge = dark() && textOn(colour) === "#fff" ? 1 : 0;
  if (edge) fill(c, ink(), x, y, width, height);
  if (!edge || width > 2) fill(c, colour, x + edge, y + edge, width - 2 * edge, Math.max(0, height - 2 * edge));
}

export type Draw = (context: CanvasRenderingContext2D, width: number, height: number) => void;
export interface Row {
  cells: (string | number)[];
  pick?: () => void;
}

/** What tables and charts need of the store of their page. */
export interface ShownBy {
  tables: Set<string>;
  sorts: Map<string, [number, number]>;
  letters: boolean;
  changed: () => void;
}

export function DataTable({
  store,
  id,
  columns,
  rows,
  label,
}: {
  store: ShownBy;
  id: string;
  columns: string[];
  rows: Row[];
  label: string;
}) {
  const [most, setMost] = useState(200);
  const [by, direction] = store.sorts.get(id) ?? [-1, 1];
  const sorted =
    by < 0
      ? rows
      : rows.slice().sort((a, b) => {
          const [x, y] = [a.cells[by] ?? "", b.cells[by] ?? ""];
          return (
            direction *
            (typeof x === "number" && typeof y === "number"
              ? x - y
              : String(x).localeCompare(String(y), "en", { numeric: true }))
          );
        });
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <caption class="quiet">{label}</caption>
        <thead>
          <tr>
            {columns.map((c, i) => (
              <th
                scope="col"
                class={typeof rows[0]?.cells[i] === "number" ? "number" : ""}
                aria-sort={by === i ? (direction < 0 ? "descending" : "ascending") : "none"}
              >
                <button onClick={() => (store.sorts.set(id, [i, by === i ? -direction : -1]), store.changed())}>
                  {c}
                  {by === i ? (direction < 0 ? " \u2193" : " \u2191") : ""}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, most).map((r) => (
            <tr>
              {r.cells.map((c, i) => (
                <td class={typeof c === "number" ? "number" : ""}>
                  {i === 0 && r.pick ? (
                    <button class="link" onClick={() => (r.pick!(), store.changed())}>
                      {c}
                    </button>
                  ) : typeof c === "number" ? (
                    c.toLocaleString("en", { maximumSignificantDigits: 12 })
                  ) : (
                    c
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && <button onClick={() => setMost(most * 5)}>{`${rows.length - most} more rows`}</button>}
    </div>
  );
}

const field = (cell: string | number): string =>
  /[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell);

/** Left, top, width, height. */
export type Box = [number, number, number, number];
/** What of a chart can be read one by one: hovering and the arrow keys say it, a click and Enter pick it. What is selected so
 * is drawn by the chart, and by the table. */
export interface Marks {
  count: number;
  across: number; // that stand beside each other: so far go the keys up and down
  /** Where it is drawn; asked for after drawing. */
  box: (i: number) => Box;
  text: (i: number) => string;
  pick?: (i: number) => void;
}
interface ChartProps {
  store: ShownBy;
  id: string;
  caption: string;
  height: number;
  draw: Draw;
  columns: string[];
  rows: () => Row[];
  marks?: Marks;
  /** Where no mark is. */
  pick?: (x: number, y: number) => void;
  read?: (x: number, y: number) => string;
  keys?: (event: KeyboardEvent) => void;
  said?: string; // what the keys lead to; the mouse is heard after it
  mouse?: Mouse;
  children?: ComponentChildren;
}
export function Chart({
  store,
  id,
  caption,
  height,
  draw,
  columns,
  rows,
  marks,
  pick,
  read,
  keys,
  said = "",
  mouse,
  children,
}: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [value, setValue] = useState("");
  const [at, setAt] = useState(-1);
  const [, setWidth] = useState(0);
  const dragged = useRef(false);
  const table = store.tables.has(id);
  const cursor = marks && at < marks.count ? at : -1;
  const told = said || (cursor < 0 ? "" : marks!.text(cursor));
  useEffect(() => setValue(told), [told]);
  useEffect(() => {
    const watch = new ResizeObserver((entries) => setWidth(entries[0]!.contentRect.width));
    if (canvas.current) watch.observe(canvas.current);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const again = () => setWidth((w) => w + 0.001);
    scheme.addEventListener("change", again);
    return () => (watch.disconnect(), scheme.removeEventListener("change", again));
  }, [table]);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const ratio = devicePixelRatio || 1;
    const width = element.clientWidth;
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    draw(context, width, height);
    if (cursor >= 0) frame(context, marks!.box(cursor));
  });
  const place = (event: MouseEvent): [number, number] => {
    const box = canvas.current!.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const hit = (x: number, y: number): number => {
    for (let i = (marks?.count ?? 0) - 1; i >= 0; --i) {
      const [left, top, wide, high] = marks!.box(i);
      if (x >= left && x < left + wide && y >= top && y < top + high) return i;
    }
    return -1;
  };
  const toggle = () => (table ? store.tables.delete(id) : store.tables.add(id), store.changed());
  const copy = () => {
    const lines = [columns, ...rows().map((r) => r.cells)].map((cells) => cells.map(field).join(","));
    navigator.clipboard?.writeText(lines.join("\n")).then(
      () => setValue("copied as CSV"),
      () => setValue("the browser does not let pages copy"),
    );
  };
  /** True if the key moves the cursor, or does what is at it. */
  const moves = (key: string): boolean => {
    if (!marks || table || marks.count === 0) return false;
    if (key === "Enter" && cursor >= 0 && marks.pick) return (marks.pick(cursor), store.changed(), true);
    if (key === "Escape" && cursor >= 0) return (setAt(-1), true);
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: marks.across, ArrowUp: -marks.across }[key];
    const to =
      key === "Home" ? 0 : key === "End" ? marks.count - 1 : by === undefined ? -1 : cursor < 0 ? 0 : cursor + by;
    if (by === undefined && to < 0) return false;
    if (to >= 0 && to < marks.count) (setAt(to), setValue(marks.text(to)));
    return true;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || (event.key.length === 1 && !store.letters)) return;
    if (event.key === "t") toggle();
    else if (event.key === "c") copy();
    else {
      keys?.(event);
      if (event.defaultPrevented || event.target !== event.currentTarget || !moves(event.key)) return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <figure id={`chart-${id}`} tabIndex={0} aria-label={caption} onKeyDown={onKey}>
      <figcaption>
        <span>{caption}</span>
        <span class="tools">
          {children}
          <button aria-pressed={table} onClick={toggle} title="T">
            {table ? "Chart" : "Table"}
          </button>
          <button onClick={copy} title="C">
            Copy CSV
          </button>
        </span>
      </figcaption>
      {table ? (
        <DataTable store={store} id={id} columns={columns} rows={rows()} label={caption} />
      ) : (
        <canvas
          ref={canvas}
          role="img"
          aria-label={caption}
          style={{ height: `${height}px` }}
          onClick={(e) => {
            const [x, y] = place(e);
            const i = hit(x, y);
            if (dragged.current || mouse?.has(x)) return;
            if (i >= 0) (setAt(i), marks!.pick && (marks!.pick(i), store.changed()));
            else pick?.(x, y);
          }}
          onDblClick={(e) => mouse?.double(...place(e))}
          onPointerDown={(e) => ((dragged.current = false), mouse?.down(place(e)[0], e))}
          onPointerMove={(e) => mouse?.move(place(e)[0]) && (dragged.current = true)}
          onPointerUp={() => mouse?.up()}
          onWheel={(e) => mouse?.wheel(place(e)[0], e)}
          onMouseMove={(e) => {
            if (e.buttons !== 0) return;
            const i = hit(...place(e));
            if (i >= 0 || read) setValue(i >= 0 ? marks!.text(i) : read!(...place(e)));
          }}
        />
      )}
      <output class="quiet">{value}</output>
    </figure>
  );
}

/** A frame that is seen on all colours. */
export function frame(c: CanvasRenderingContext2D, [x, y, width, height]: Box): void {
  for (const [colour, wide] of [
    [paper(), 5],
    [ink(), 2],
  ] as const) {
    c.strokeStyle = colour;
    c.lineWidth = wide;
    c.strokeRect(x, y, Math.max(2, width), height);
  }
  c.lineWidth = 1;
}
/** A rectangle of whole pixels from left to right, at least one: those beside each other neither overlap nor leave a gap. */
export function fill(
  c: CanvasRenderingContext2D,
  colour: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const left = Math.round(x);
  c.fillStyle = colour;
  c.fillRect(left, y, Math.max(1, Math.round(x + width) - left), height);
}
/** The head of an arrow that ends there. */
export function head(c: CanvasRenderingContext2D, x: number, y: number, angle: number, size: number): void {
  c.beginPath();
  c.moveTo(x, y);
  for (const turn of [2.7, -2.7]) c.lineTo(x + size * Math.cos(angle + turn), y + size * Math.sin(angle + turn));
  c.fill();
}
/** How wide the names beside a chart are: as wide as they need, at most 40 % of it. */
export function besides(c: CanvasRenderingContext2D, names: string[], width: number): number {
  return Math.min(width * 0.4, 16 + Math.max(50, ...names.map((n) => c.measureText(n).width)));
}
export function write(
  c: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  align: CanvasTextAlign = "left",
  colour = ink(),
): void {
  c.fillStyle = colour;
  c.textAlign = align;
  c.fillText(text, x, y);
}
/** The text, cut from the left so that it fits. */
export function fit(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (context.measureText(`\u2026${text.slice(middle)}`).width <= width) high = middle;
    else low = middle + 1;
  }
  return low >= text.length ? "" : `\u2026${text.slice(low)}`;
}

/** 1, 2 or 5 times a power of ten. */
export function ticksBetween(from: number, to: number, most: number): number[] {
  const raw = (to - from) / Math.max(1, most);
  if (!(raw > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((s) => s * power >= raw) ?? 10);
  const found: number[] = [];
  for (let t = Math.ceil(from / step) * step; t <= to && found.length < 100; t += step) found.push(t);
  return found;
}
