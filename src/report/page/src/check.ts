// Checks the definitions of a report once, when it is opened: numbers are finite, rows have a value a column, and what refers
// to another thing refers to one that exists. What is drawn later can rely on it.
import type { Meta } from "./report";
import { damaged } from "./sections";

/** What numbers of a name refer to, wherever they stand. */
const refer = {
  locations: ["location", "locations", "culprit", "sender", "receiver", "origin", "target", "members", "waiter"],
  call_tree: ["callpath", "culprit_callpath", "root", "waited_in"],
  regions: ["region"],
  programs: ["program"],
  processes: ["process"],
  system_tree: ["system_tree_node", "parent"],
  communicators: ["communicator"],
  cart_dimensions: ["dimensions"],
  contexts: ["context"],
} as const;

export function check(meta: Meta): void {
  const counts = new Map<string, number>();
  const parts = meta as unknown as Record<string, unknown[] | undefined>;
  for (const [list, names] of Object.entries(refer)) {
    const found = parts[list];
    if (!Array.isArray(found) && list !== "contexts") throw damaged(`it has no ${list}`);
    for (const name of names) counts.set(name, found?.length ?? 0);
  }
  const at: (string | number)[] = []; // where we are
  const place = () =>
    at.map((step, i) => (typeof step === "number" ? `[${step}]` : i === 0 ? step : `.${step}`)).join("");
  const number = (value: number, name: string) => {
    const count = counts.get(name);
    if (!Number.isFinite(value)) throw damaged(`${place()} is no number`);
    if (count !== undefined && !(Number.isInteger(value) && value >= 0 && value < count))
      throw damaged(`${place()} is ${value}, but there are ${count}`);
  };
  const inside = (value: unknown, name: string, step: string | number) => {
    at.push(step);
    walk(value, name);
    at.pop();
  };
  const walk = (value: unknown, name: string): void => {
    if (typeof value === "number") return number(value, name);
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) return value.forEach((v, i) => inside(v, name, i));
    const { columns, rows } = value as { columns?: unknown; rows?: unknown };
    if (Array.isArray(columns) && Array.isArray(rows))
      rows.forEach((row, i) => {
        at.push("rows", i);
        if (!Array.isArray(row) || row.length !== columns.length)
          throw damaged(`${place()} has another length than its columns`);
        row.forEach((v, k) => typeof v === "number" && inside(v, columns[k] as string, columns[k] as string));
        at.length -= 2;
      });
    // A list of phases counts its locations; its places are pairs of a place and ticks, which the page does not show.
    else
      for (const key in value)
        if (key !== "places")
          inside(
            (value as Record<string, unknown>)[key],
            key === "locations" && !Array.isArray((value as Record<string, unknown>)[key]) ? "" : key,
            key,
          );
  };
  const { communication, series, call_tree, metrics, contexts, waits, trace, ...others } = meta;
  walk({ ...others, trace, contexts, waits }, "");
  counts.set("parent", call_tree.length);
  inside(call_tree, "", "call_tree");
  counts.delete("parent");
  inside(metrics, "", "metrics");
  if (!(trace.clock.ticks_per_second > 0)) throw damaged("its clock stands still");
  if (series) {
    if (!(series.bins >= 0 && series.bins <= 1024 && series.bin_ticks > 0 && series.bins_per_group_bin >= 1))
      throw damaged("series has a number of bins that cannot be");
    inside(series.groups, "location", "series.groups");
    counts.set("group", series.groups.length);
    const groupBins = Math.ceil(series.bins / series.bins_per_group_bin);
    for (const [id, s] of Object.entries(series.metrics)) {
      inside(s, "", `series.${id}`);
      if (s.ticks.length !== series.bins || s.groups.some((g) => g.ticks.length !== groupBins))
        throw damaged(`series.${id} has another number of bins`);
    }
  }
  if (communication) {
    if (!(communication.processes_per_block >= 1)) throw damaged("communication has no processes in a block");
    for (const name of ["sender", "receiver"])
      counts.set(name, Math.ceil(meta.processes.length / communication.processes_per_block));
    inside(communication, "", "communication");
  }
}
