// A canvas with its caption, and the same numbers as a table (key T, or the button), so that nothing can be read from
// pixels only. Hovering, and the arrow keys, say what is drawn.
//
// The canvas is drawn again only when what it shows has changed: the state of the page, the size, the colour scheme.
// The frame of the mark with the cursor, and all else that follows pointer and keys, is drawn on a second canvas
// above it, and the text about a place is written without rendering anything. So a move of the mouse costs the search
// for its mark.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PageStore } from "../state/page_store";
import { contains, drawFrame, type Box, type Canvas } from "./canvas";
import { csvText, DataTable, type TableRow } from "./data_table";

/** Things that are drawn and can be read one by one. */
export interface Marks {
  count: number;
  /** How many stand beside each other: the keys up and down go as far. */
  perRow: number;
  /** Where a mark is; it is asked for only after drawing. */
  box: (mark: number) => Box;
  /** The mark at a place, -1 if there is none; charts of very many marks have it, else all boxes are searched. */
  at?: (x: number, y: number) => number;
  text: (mark: number) => string;
  /** Selects something; a click or Enter calls it. The chart and the table show what is selected. */
  onPick?: ((mark: number) => void) | undefined;
}

/** Dragging and the wheel on a chart of times; `x` and `y` are pixels of the canvas. */
export interface PointerHandler {
  onDown: (x: number, event: PointerEvent) => void;
  /** True while the pointer drags. */
  onMove: (x: number) => boolean;
  onUp: () => void;
  onDoubleClick: (x: number, y: number) => void;
  onWheel: (x: number, event: WheelEvent) => void;
  /** Whether a selected stretch is there. A click in it selects nothing, as it may be half of a double click. */
  isSelected: (x: number) => boolean;
}

interface ChartProps {
  store: PageStore;
  id: string;
  caption: string;
  height: number;
  /** Says where things are; it is called whenever the chart is rendered, before anything is drawn. */
  arrange?: (canvas: Canvas, width: number, height: number) => void;
  draw: (canvas: Canvas, width: number, height: number) => void;
  /** Draws what changes more often than the chart itself, above it. */
  drawAbove?: (canvas: Canvas, width: number, height: number) => void;
  /** Where it is another one, the chart is drawn again, although the page's state is the same. */
  redrawKey?: unknown;
  columns: string[]; // headings of the table
  rows: () => TableRow[];
  marks?: Marks;
  /** Handles a click where no mark is. */
  onPick?: (x: number, y: number) => void;
  /** What is said of a place where no mark is. */
  textAt?: (x: number, y: number) => string;
  onKey?: (event: KeyboardEvent) => void;
  message?: string; // is said until the pointer moves
  pointer?: PointerHandler;
  children?: ComponentChildren; // more buttons
  below?: ComponentChildren; // stands below the canvas: a key to its colours
}

export function Chart(props: ChartProps) {
  const { store, id, caption, height, columns, rows, marks, message, children, below } = props;
  const base = useRef<HTMLCanvasElement>(null);
  const above = useRef<HTMLCanvasElement>(null);
  const output = useRef<HTMLOutputElement>(null);
  const cursor = useRef(-1); // the mark that has it
  const isTable = store.shownAsTables.has(id);
  const size = useSize(base, isTable);
  const speak = (text: string) => {
    if (output.current && output.current.textContent !== text) output.current.textContent = text;
  };
  const drawAbove = () =>
    drawInto(above.current, height, (canvas, width) => {
      props.drawAbove?.(canvas, width, height);
      if (marks && cursor.current >= 0 && cursor.current < marks.count) drawFrame(canvas, marks.box(cursor.current));
    });
  useLayoutEffect(() => {
    const canvas = base.current?.getContext("2d");
    if (canvas) setFont(canvas);
    if (canvas) props.arrange?.(canvas, base.current!.clientWidth, height);
  });
  useLayoutEffect(
    () => drawInto(base.current, height, (canvas, width) => props.draw(canvas, width, height)),
    [store.revision, props.redrawKey, size, isTable, id, height],
  );
  useLayoutEffect(drawAbove);
  const announcement =
    message || (marks && cursor.current >= 0 && cursor.current < marks.count ? marks.text(cursor.current) : "");
  useEffect(() => speak(announcement), [announcement]);

  const moveTo = (mark: number) => {
    cursor.current = mark;
    drawAbove();
    speak(mark < 0 ? "" : marks!.text(mark));
  };
  const copy = () =>
    navigator.clipboard?.writeText(csvText(columns, rows())).then(
      () => speak("copied as CSV"),
      () => speak("the browser does not allow pages to copy"),
    );
  const pick = (mark: number) => {
    if (!marks!.onPick) return;
    marks!.onPick(mark);
    store.changed();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || (event.key.length === 1 && !store.letterKeysWork)) return;
    if (event.key === "t") store.toggleTable(id);
    else if (event.key === "c") copy();
    else {
      props.onKey?.(event);
      if (event.defaultPrevented || event.target !== event.currentTarget || isTable) return;
      const last = cursor.current < (marks?.count ?? 0) ? cursor.current : -1;
      if (!marks || !handleMarkKey(event.key, marks, last, moveTo, pick)) return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const onClickMark = (mark: number) => {
    cursor.current = mark;
    drawAbove();
    pick(mark);
  };
  const pointerEvents = usePointerEvents(base, props, onClickMark, speak);
  return (
    <figure id={`chart-${id}`} tabIndex={0} aria-label={caption} onKeyDown={onKey}>
      <figcaption>
        <span>{caption}</span>
        <span class="tools">
          {children}
          <button aria-pressed={isTable} onClick={() => store.toggleTable(id)} title="T">
            {isTable ? "Chart" : "Table"}
          </button>
          <button onClick={copy} title="C">
            Copy CSV
          </button>
        </span>
      </figcaption>
      {isTable ? (
        <DataTable store={store} id={id} columns={columns} rows={rows()} label={caption} />
      ) : (
        <div class="layers" style={{ height: `${height}px` }}>
          <canvas ref={base} role="img" aria-label={caption} {...pointerEvents} />
          <canvas ref={above} class="above" aria-hidden="true" />
        </div>
      )}
      {!isTable && below}
      <output ref={output} class="quiet" />
    </figure>
  );
}

/** Another number whenever the chart's width or the browser's colour scheme changes. */
function useSize(canvasElement: RefObject<HTMLCanvasElement | null>, isTable: boolean): number {
  const [size, setSize] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver((entries) => setSize(entries[0]!.contentRect.width));
    if (canvasElement.current) observer.observe(canvasElement.current);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const redraw = () => setSize((width) => width + 0.001);
    scheme.addEventListener("change", redraw);
    return () => {
      observer.disconnect();
      scheme.removeEventListener("change", redraw);
    };
  }, [isTable]);
  return size;
}

function setFont(canvas: Canvas): void {
  canvas.font = "12px system-ui, sans-serif";
  canvas.textBaseline = "middle";
}

function drawInto(
  element: HTMLCanvasElement | null,
  height: number,
  draw: (canvas: Canvas, width: number) => void,
): void {
  const canvas = element?.getContext("2d");
  if (!element || !canvas) return;
  const pixelRatio = devicePixelRatio || 1;
  const width = element.clientWidth;
  element.width = Math.round(width * pixelRatio);
  element.height = Math.round(height * pixelRatio);
  canvas.scale(pixelRatio, pixelRatio);
  setFont(canvas);
  draw(canvas, width);
}

/** Moves the cursor among the marks, or picks the mark that has it. False if the key does nothing of this. */
function handleMarkKey(
  key: string,
  marks: Marks,
  cursor: number,
  moveTo: (mark: number) => void,
  pick: (mark: number) => void,
): boolean {
  if (marks.count === 0) return false;
  if (key === "Enter" && cursor >= 0 && marks.onPick) {
    pick(cursor);
    return true;
  }
  if (key === "Escape" && cursor >= 0) {
    moveTo(-1);
    return true;
  }
  const next = nextMark(key, marks, cursor);
  if (next === undefined) return false;
  if (next >= 0 && next < marks.count) moveTo(next);
  return true;
}

/** Where a key leads to, which may be beyond the marks; undefined if it is none of the cursor's keys. */
function nextMark(key: string, { count, perRow }: Marks, cursor: number): number | undefined {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const distance = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: perRow, ArrowUp: -perRow }[key];
  if (distance === undefined) return undefined;
  return cursor < 0 ? 0 : cursor + distance;
}

/** The mark that is drawn on top at a place; -1 if there is none. */
function markAt(marks: Marks | undefined, x: number, y: number): number {
  if (marks?.at) return marks.at(x, y);
  for (let mark = (marks?.count ?? 0) - 1; mark >= 0; --mark) if (contains(marks!.box(mark), x, y)) return mark;
  return -1;
}

function usePointerEvents(
  canvasElement: RefObject<HTMLCanvasElement | null>,
  { marks, onPick, textAt, pointer }: ChartProps,
  onClickMark: (mark: number) => void,
  speak: (text: string) => void,
) {
  const wasDragged = useRef(false);
  const placeOf = (event: MouseEvent): [number, number] => {
    const box = canvasElement.current!.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  return {
    onClick: (event: MouseEvent) => {
      const [x, y] = placeOf(event);
      if (wasDragged.current || pointer?.isSelected(x)) return;
      const mark = markAt(marks, x, y);
      if (mark >= 0) onClickMark(mark);
      else onPick?.(x, y);
    },
    onDblClick: (event: MouseEvent) => pointer?.onDoubleClick(...placeOf(event)),
    onPointerDown: (event: PointerEvent) => {
      wasDragged.current = false;
      pointer?.onDown(placeOf(event)[0], event);
    },
    onPointerMove: (event: PointerEvent) => {
      if (pointer?.onMove(placeOf(event)[0])) wasDragged.current = true;
    },
    onPointerUp: () => pointer?.onUp(),
    onWheel: (event: WheelEvent) => pointer?.onWheel(placeOf(event)[0], event),
    onMouseMove: (event: MouseEvent) => {
      if (event.buttons !== 0) return;
      const place = placeOf(event);
      const mark = markAt(marks, ...place);
      if (mark >= 0) speak(marks!.text(mark));
      else if (textAt) speak(textAt(...place));
    },
  };
}
