// Selects times in a chart: dragging selects a stretch of the run, for all views, and says its length; a double click
// zooms to it.
import { useRef, useState } from "preact/hooks";
import type { TimeRange, TimeSelection } from "../state/time_range";
import { drawText, textWidth, type Canvas } from "./canvas";
import type { PointerHandler } from "./chart";
import { inkColour, paperColour } from "./colours";
import { axisHeight, type TimeWindow } from "./time_window";

export interface TimeRuler {
  range: TimeRange | null; // the selected stretch, or the one that is being dragged
  text: string;
  clear: () => void;
  /** Handles Escape, and the keys of zoom and pan. */
  handleKey: (window: TimeWindow, event: KeyboardEvent, selected?: TimeRange | null) => void;
  /** `barAt`: the begin and end of what is drawn at a place; a double click there zooms to it. */
  pointer: (window: TimeWindow, barAt?: (x: number, y: number) => TimeRange | undefined) => PointerHandler;
  draw: (canvas: Canvas, window: TimeWindow, height: number) => void;
}

/** Where dragging began, and what was shown then. With Shift it pans. */
interface Drag {
  x: number;
  from: number;
  to: number;
  pans: boolean;
}

export function useTimeRuler(store: TimeSelection): TimeRuler {
  const { clock } = store;
  const [dragged, setDragged] = useState<TimeRange | null>(null);
  const latest = useRef<TimeRange | null>(null); // the last one, as events may come before a rendering
  const drag = useRef<Drag | null>(null);
  const range = dragged ?? store.time;
  const length = range ? clock.durationText(range[1] - range[0]) : "";
  const includes = (time: number) => range !== null && time >= range[0] && time <= range[1];
  return {
    range,
    text: range ? `selected: ${length}, from ${clock.timeText(range[0])} to ${clock.timeText(range[1])}` : "",
    clear: () => {
      if (store.time) store.selectTime(null);
    },
    handleKey: (window, event, selected = range) => {
      if (event.target !== event.currentTarget && event.key === "Enter") return;
      if (event.key === "Escape" && range) store.selectTime(null);
      else if (!window.handleKey(event.key, selected)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    pointer: (window, barAt) => ({
      onDown: (x, event) => {
        if (event.button !== 0 || event.pointerType === "touch") return;
        drag.current = { x, from: window.from, to: window.to, pans: event.shiftKey };
        (event.target as Element).setPointerCapture?.(event.pointerId);
      },
      onMove: (x) => {
        if (!drag.current || Math.abs(x - drag.current.x) < 4) return false;
        if (drag.current.pans) panBy(window, drag.current, x);
        else setDragged((latest.current = draggedRange(window, drag.current, x)));
        return true;
      },
      onUp: () => {
        drag.current = null;
        const found = latest.current;
        latest.current = null;
        setDragged(null);
        if (found && found[1] > found[0]) store.selectTime(found);
      },
      onDoubleClick: (x, y) => {
        const target = range && includes(window.time(x)) ? range : barAt?.(x, y);
        if (!target) return;
        store.time = null; // else all that is shown would be selected
        window.show(...target);
      },
      onWheel: (x, event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        window.zoom(event.deltaY < 0 ? 0.8 : 1.25, window.time(x));
      },
      isSelected: (x) => includes(window.time(x)),
    }),
    draw: (canvas, window, height) => {
      if (range) drawRuler(canvas, window, height, range, length);
    },
  };
}

function panBy(window: TimeWindow, { x, from, to }: Drag, newX: number): void {
  const ticksPerPixel = (to - from) / window.width;
  const ticks = window.limitedShift(from, to, (x - newX) * ticksPerPixel);
  window.show(from + ticks, to + ticks);
}

function draggedRange(window: TimeWindow, { x, from, to }: Drag, newX: number): TimeRange {
  const [begin, end] = [x, newX].map((pixel) => Math.max(from, Math.min(to, window.time(pixel)))).sort((a, b) => a - b);
  return [begin!, end!];
}

/** The selected stretch, with its length at the bottom. */
function drawRuler(canvas: Canvas, window: TimeWindow, height: number, range: TimeRange, length: string): void {
  const left = Math.max(window.left, window.x(range[0]));
  const right = Math.min(window.right, window.x(range[1]));
  if (right <= left) return;
  canvas.globalAlpha = 0.22;
  canvas.fillStyle = inkColour();
  canvas.fillRect(left, axisHeight, right - left, height - axisHeight);
  canvas.globalAlpha = 1;
  canvas.fillRect(left, axisHeight, 1, height - axisHeight);
  canvas.fillRect(right, axisHeight, 1, height - axisHeight);
  const labelWidth = textWidth(canvas, length) + 10;
  const labelLeft = Math.max(window.left, Math.min(window.right - labelWidth, (left + right - labelWidth) / 2));
  canvas.fillRect(labelLeft, height - 18, labelWidth, 17);
  drawText(canvas, length, labelLeft + 5, height - 9, { colour: paperColour() });
}

/** Buttons for the keys of zoom. */
export function ZoomButtons({ window, selected }: { window: TimeWindow; selected: TimeRange | null }) {
  return (
    <>
      <button onClick={() => window.zoom(0.5)} title="W" aria-label="zoom in">
        +
      </button>
      <button onClick={() => window.zoom(2)} title="S" aria-label="zoom out">
        {"\u2212"}
      </button>
      <button onClick={() => window.fit(selected)} title="F">
        Fit
      </button>
    </>
  );
}
