// A table whose columns sort it. Long tables show their first rows until more are asked for. Columns with nothing in
// any row are left out, but a copy as CSV has them.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { PageStore } from "../state/page_store";
import { headingText, numberText } from "../text/number_text";

export type Cell = string | number;
export interface TableRow {
  cells: Cell[];
  onPick?: () => void; // the first cell is a button then
  heading?: string; // its numbers are written by this heading instead of those of their columns
}
interface DataTableProps {
  store: PageStore;
  id: string;
  columns: string[];
  rows: TableRow[];
  label: string;
}
const rowsAtFirst = 200;

export function DataTable({ store, id, columns, rows, label }: DataTableProps) {
  const [mostRows, setMostRows] = useState(rowsAtFirst);
  const [sortedBy, direction] = store.tableOrders.get(id) ?? [-1, 1];
  const sortBy = (column: number) => {
    store.tableOrders.set(id, [column, column === sortedBy ? -direction : -1]);
    store.changed();
  };
  if (rows.length === 0) return <p class="quiet">{`${label}: none.`}</p>;
  const shown = columnsWithCells(columns, rows);
  const hasNumbers = columns.map((_, column) => rows.some(({ cells }) => typeof cells[column] === "number"));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <caption class="quiet">{label}</caption>
        <thead>
          <tr>
            {shown.map((column) => (
              <ColumnHead
                title={columns[column]!}
                isNumber={hasNumbers[column]!}
                direction={column === sortedBy ? direction : 0}
                onSort={() => sortBy(column)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sortedRows(rows, sortedBy, direction)
            .slice(0, mostRows)
            .map(({ cells, onPick, heading }) => (
              <tr>
                {shown.map((column) => (
                  <td {...cellAttributes(cells[column]!, hasNumbers[column]!)}>
                    {column === 0 && onPick ? (
                      <PickButton store={store} onPick={onPick}>
                        {cellText(cells[column]!, heading ?? columns[column]!)}
                      </PickButton>
                    ) : (
                      cellText(cells[column]!, heading ?? columns[column]!)
                    )}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
      {rows.length > mostRows && (
        <button onClick={() => setMostRows(mostRows * 5)}>{`${rows.length - mostRows} more rows`}</button>
      )}
    </div>
  );
}

/** The columns that have something in a row; the first one, which is picked, is always there. */
const columnsWithCells = (columns: string[], rows: TableRow[]): number[] =>
  columns.map((_, column) => column).filter((column) => column === 0 || rows.some(({ cells }) => cells[column] !== ""));

/** `direction`: 1 or -1 if the table is sorted by this column, else 0. */
function ColumnHead(props: { title: string; isNumber: boolean; direction: number; onSort: () => void }) {
  const { title, isNumber, direction, onSort } = props;
  const order = direction === 0 ? "none" : direction < 0 ? "descending" : "ascending";
  return (
    <th scope="col" class={isNumber ? "number" : ""} aria-sort={order} data-column={title}>
      <button onClick={onSort}>
        {headingText(title)}
        {direction === 0 ? "" : direction < 0 ? " \u2193" : " \u2191"}
      </button>
    </th>
  );
}

/** A button that looks like a link and selects something. */
export function PickButton(props: { store: PageStore; onPick: () => void; children: ComponentChildren }) {
  const { store, onPick, children } = props;
  const pick = () => {
    onPick();
    store.changed();
  };
  return (
    <button class="link" onClick={pick}>
      {children}
    </button>
  );
}

/**
 * Numbers are rounded for readers; the exact one, in the unit of the column's heading, is an attribute. Texts among
 * them, as a dash, stand at the right as well.
 */
const cellAttributes = (cell: Cell, isAmongNumbers: boolean) =>
  typeof cell === "number"
    ? { class: "number", "data-value": String(cell) }
    : { class: isAmongNumbers ? "number text" : "" };
function cellText(cell: Cell, heading: string): string {
  return typeof cell === "number" ? numberText(cell, heading) : cell;
}

/** Rows as they are for a negative column. */
function sortedRows(rows: TableRow[], column: number, direction: number): TableRow[] {
  if (column < 0) return rows;
  return rows.slice().sort((a, b) => direction * compareCells(a.cells[column] ?? "", b.cells[column] ?? ""));
}
function compareCells(a: Cell, b: Cell): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

export function csvText(columns: string[], rows: TableRow[]): string {
  const lines = [columns, ...rows.map(({ cells }) => cells)];
  return lines.map((cells) => cells.map(csvField).join(",")).join("\n");
}
function csvField(cell: Cell): string {
  const text = String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
