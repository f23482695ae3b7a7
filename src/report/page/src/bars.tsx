// Bars beside names, the largest first; and what the colours of a chart stand for.
import { besides, block, Chart, fit, severityColour, write, type ShownBy } from "./chart";
import type { Store } from "./store";

export interface Bar {
  name: string;
  value: number;
  text: string;
  cells: (string | number)[]; // of the table
  pick: () => void;
}
const height = 22;
const mostDrawn = 40;

export function Bars({
  store,
  id,
  caption,
  columns,
  bars,
}: {
  store: Store;
  id: string;
  caption: string;
  columns: string[];
  bars: Bar[];
}) {
  const drawn = bars.slice(0, mostDrawn);
  let wide = 1;
  const most = bars.reduce((m, b) => Math.max(m, Math.abs(b.value)), 0);
  return (
    <Chart
      store={store}
      id={id}
      caption={`${caption}${bars.length > drawn.length ? `: the ${drawn.length} largest of ${bars.length}, the table has all` : ""}`}
      height={Math.max(1, drawn.length) * height + 4}
      columns={columns}
      rows={() => bars.map((b) => ({ cells: b.cells, pick: b.pick }))}
      marks={{
        count: drawn.length,
        across: 1,
        box: (i) => [0, i * height + 2, wide, height - 2],
        text: (i) => `${drawn[i]!.name}: ${drawn[i]!.text}`,
        pick: (i) => drawn[i]!.pick(),
      }}
      draw={(c, width) => {
        wide = width;
        const label = besides(
          c,
          drawn.map((b) => b.name),
          width,
        );
        drawn.forEach((b, i) => {
          const y = i * height + 2;
          write(c, fit(c, b.name, label - 8), label - 8, y + height / 2, "right");
          const size = most === 0 ? 0 : ((width - label - 150) * Math.abs(b.value)) / most;
          block(c, severityColour(Math.abs(b.value) / most), label, y + 2, size, height - 5);
          write(c, b.text, label + size + 6, y + height / 2);
        });
      }}
    />
  );
}

/** A name for each colour; those that can be picked are buttons. */
export function Legend({
  store,
  entries,
}: {
  store: ShownBy;
  entries: { name: string; colour: string; dash?: number[]; pick?: () => void }[];
}) {
  return (
    <ul class="legend">
      {entries.map((e) => (
        <li>
          <svg width="22" height="10" aria-hidden="true">
            {e.dash ? (
              <line
                x1="0"
                y1="5"
                x2="22"
                y2="5"
                stroke={e.colour}
                stroke-width="2.5"
                stroke-dasharray={e.dash.join(" ")}
              />
            ) : (
              <rect width="14" height="10" x="4" fill={e.colour} />
            )}
          </svg>
          {e.pick ? (
            <button class="link" onClick={() => (e.pick!(), store.changed())}>
              {e.name}
            </button>
          ) : (
            e.name
          )}
        </li>
      ))}
    </ul>
  );
}
