// The legend of a chart: a name for each of its colours.
import type { PageStore } from "../state/page_store";
import { PickButton } from "./data_table";

export interface LegendEntry {
  name: string;
  colour: string;
  dash?: number[]; // draws a line with these dashes instead of a rectangle
  isHatched?: boolean; // the rectangle is empty but for hatching
  onPick?: () => void;
}

export function Legend({ store, entries }: { store: PageStore; entries: LegendEntry[] }) {
  return (
    <ul class="legend">
      {entries.map(({ name, colour, dash, isHatched, onPick }) => (
        <li>
          <svg width="22" height="10" aria-hidden="true">
            {dash ? (
              <line x1="0" y1="5" x2="22" y2="5" stroke={colour} stroke-width="2.5" stroke-dasharray={dash.join(" ")} />
            ) : (
              <rect width="14" height="10" x="4" fill={colour} />
            )}
            {isHatched && <path d="M4 10L14 0M9 10L18 1M4 5L9 0M14 10L18 6M4 0H18V10H4Z" class="hatching" />}
          </svg>
          {onPick ? (
            <PickButton store={store} onPick={onPick}>
              {name}
            </PickButton>
          ) : (
            name
          )}
        </li>
      ))}
    </ul>
  );
}
