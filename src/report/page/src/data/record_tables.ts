// Tables of the JSON report: column names once, then rows of values.
import type { Table } from "../report_types";

/** The rows as objects that have a property for each column. */
export function records<T>({ columns, rows }: Table): T[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, column) => [name, row[column]])) as T);
}
