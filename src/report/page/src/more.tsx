// Communication, Cartesian topologies, and counters.
import { Note, Unpacking } from "./around";
import { block, Chart, DataTable, fit, severityColour, textOn, write } from "./chart";
import { Matrix } from "./matrix";
import { countText, records, visible, type Index } from "./report";
import type { Store } from "./store";
import { callsText, largest, notStored, scaleOf, selectionText } from "./trees";

export function Communication({ store }: { store: Store }) {
  const { report } = store;
  const found = report.meta.communication;
  if (!found)
    return (
      <p>This report does not say who sent to whom (communication): it was written without, or by another tool.</p>
    );
  const { columns } = found.pairs;
  const choices = columns.slice(2).filter((_, i) => found.pairs.rows.some((r) => Number(r[i + 2]) > 0));
  const chosen = choices.includes(store.exchanged) ? store.exchanged : (choices[0] ?? "messages");
  const at = columns.indexOf(chosen);
  const block = found.processes_per_block;
  const size = Math.ceil(report.meta.processes.length / block);
  const name = (p: number) => {
    const first = visible(report.meta.processes[p * block]?.name ?? "");
    return block === 1 ? first : `${first} and ${block - 1} more`;
  };
  return (
    <>
      {choices.length === 0 ? (
        <p>No process sent to another one.</p>
      ) : (
        <>
          <label>
            show{" "}
            <select value={chosen} onChange={(e) => ((store.exchanged = e.currentTarget.value), store.changed())}>
              {choices.map((c) => (
                <option value={c}>{c.replace("_", " ")}</option>
              ))}
            </select>
          </label>
          <Matrix
            store={store}
            id="communication"
            caption={`Who sends to whom: ${chosen.replace("_", " ")}`}
            size={size}
            rowTitle="sender"
            columnTitle="receiver"
            name={name}
            cells={found.pairs.rows
              .map((r) => ({ row: Number(r[0]), column: Number(r[1]), value: Number(r[at]) }))
              .filter((c) => c.value > 0)}
            text={countText}
            unit={chosen.replace("_", " ")}
            scale={1}
          />
        </>
      )}
      <DataTable
        store={store}
        id="sizes"
        label="Messages by size"
        columns={["from (bytes)", "below (bytes)", "messages", "bytes"]}
        rows={found.sizes.rows.map((r) => ({ cells: r.map(Number) }))}
      />
      <DataTable
        store={store}
        id="collectives"
        label="Collective operations"
        columns={[
          "communicator",
          "operation",
          "operations",
          "calls",
          "bytes sent",
          "bytes received",
          "in them (s)",
          "waits in them (s)",
        ]}
        rows={found.collectives.rows.map((r) => ({
          cells: [
            r[0] === null ? "" : visible(report.meta.communicators[Number(r[0])]?.name ?? ""),
            visible(String(r[1])),
            ...r.slice(2, 6).map(Number),
            Number(r[6]) / report.ticks,
            Number(r[7]) / report.ticks,
          ],
        }))}
      />
    </>
  );
}

export function Topology({ store }: { store: Store }) {
  const { report } = store;
  const { meta } = report;
  const found = store.locationValues();
  if (meta.cart_topologies.length === 0) return <p>The trace has no Cartesian topology.</p>;
  if (!found) return <Unpacking />;
  if (store.unknown() || found.missing) return <Note>{store.unknown() ?? notStored}</Note>;
  return (
    <>
      {meta.cart_topologies.map((_, i) => (
        <Grid store={store} topology={i} values={found.values} approximate={found.approximate} />
      ))}
    </>
  );
}

function Grid({
  store,
  topology,
  values,
  approximate,
}: {
  store: Store;
  topology: number;
  values: Float64Array;
  approximate: boolean;
}) {
  const { report } = store;
  const { meta } = report;
  const t = meta.cart_topologies[topology]!;
  const sizes = t.dimensions.map((d) => (d === null ? 1 : (meta.cart_dimensions[d]?.size ?? 1)));
  const members = t.communicator === null ? [] : (meta.communicators[t.communicator]?.members ?? []);
  const stride = sizes.length + 1;
  // A rank is its process, unless the topology tells threads of a process apart.
  const processes = members.filter((l) => l !== null).map((l) => meta.locations[l]?.process ?? null);
  const threads = new Set(processes).size < processes.length;
  const cells: { location: number; place: number; at: number[]; value: number }[] = [];
  for (let i = 0; i + stride <= t.coordinates.length; i += stride) {
    const location = members[t.coordinates[i]!];
    if (location === null || location === undefined) continue;
    const process = meta.locations[location]?.process ?? null;
    const place = process === null || threads ? report.placeOfLocation[location]! : report.placeOfProcess[process]!;
    if (place >= 0)
      cells.push({
        location,
        place,
        at: t.coordinates.slice(i + 1, i + stride),
        value: store.placeValue(place, values),
      });
  }
  cells.sort((a, b) => a.at.map((x, i) => x - b.at[i]!).find((d) => d !== 0) ?? 0); // as the arrow keys go
  if (cells.length === 0) return <p>{`The processes of the topology ${visible(t.name)} are not known.`}</p>;
  // The last dimension goes right, the one before it down, all others are slices side by side.
  const wide = sizes[sizes.length - 1] ?? 1;
  const high = sizes[sizes.length - 2] ?? 1;
  const slices = sizes.slice(0, -2).reduce((a, b) => a * b, 1);
  const most = Math.max(1, largest(cells.map((c) => c.value)));
  let cell = 40;
  let perLine = 1;
  const place = (c: { at: number[] }): [number, number] => {
    const slice = c.at.slice(0, -2).reduce((sum, x, i) => sum * sizes[i]! + x, 0);
    const [x, y] = [c.at[c.at.length - 1]!, c.at.length > 1 ? c.at[c.at.length - 2]! : 0];
    return [((slice % perLine) * (wide + 1) + x) * cell, Math.floor(slice / perLine) * (high + 1) * cell + y * cell];
  };
  const name = (c: { place: number }) => report.placeName(c.place);
  return (
    <Chart
      store={store}
      id={`topology-${topology}`}
      height={Math.min(600, Math.max(60, high * 74 * Math.min(slices, 4)))}
      caption={`${visible(t.name) || "topology"} (${sizes.join(" \u00d7 ")}): ${selectionText(store)} in ${callsText(store)}, the brightest is ${report.value(store.metric, most, approximate)}`}
      columns={[
        "process",
        ...t.dimensions.map((d, i) => visible((d === null ? "" : meta.cart_dimensions[d]?.name) || `dimension ${i}`)),
        `value (${report.unit(store.metric)})`,
      ]}
      rows={() =>
        cells.map((c) => ({
          cells: [name(c), ...c.at, c.value * scaleOf(store)],
          pick: () => store.selectLocation(c.location),
        }))
      }
      marks={{
        count: cells.length,
        across: wide,
        box: (i) => [...place(cells[i]!), cell, cell],
        text: (i) =>
          `${name(cells[i]!)} at (${cells[i]!.at.join(", ")}): ${report.value(store.metric, cells[i]!.value, approximate)}`,
        pick: (i) => (store.places.reveal(cells[i]!.place), store.places.select(cells[i]!.place)),
      }}
      draw={(c, width, height) => {
        perLine = Math.max(1, Math.min(slices, Math.floor(width / ((wide + 1) * 24)) || 1));
        cell = Math.max(
          1,
          Math.min(
            90,
            width / (perLine * (wide + 1)),
            height / (Math.ceil(slices / perLine) * (high + (slices > 1 ? 1 : 0))),
          ),
        );
        for (const one of cells) {
          const [x, y] = place(one);
          const colour = severityColour(Math.abs(one.value) / most);
          block(c, colour, x, y, cell - 1, Math.max(1, cell - 1));
          if (cell < 34) continue;
          write(c, fit(c, name(one), cell - 4), x + cell / 2, y + cell / 2 - 7, "center", textOn(colour));
          const value = report.value(store.metric, one.value, approximate);
          if (c.measureText(value).width < cell - 2) c.fillText(value, x + cell / 2, y + cell / 2 + 8); // a cut number is another one
        }
      }}
    />
  );
}

interface CounterRow {
  callpath: number;
  location: number;
  samples: number;
  least: number;
  greatest: number;
  mean?: Index;
  rate?: Index;
}
export function Counters({ store }: { store: Store }) {
  const { report } = store;
  const ids = Object.keys(report.meta.counters ?? {});
  const own = store.callValues();
  const types = Object.keys(report.meta.events_by_type ?? {});
  if (ids.length === 0)
    return (
      <p>
        {types.length === 0 || types.includes("METRIC")
          ? "This report does not hold the counters of the trace, if it has some."
          : "The trace has no counters."}
      </p>
    );
  return (
    <>
      {ids.map((id, n) => {
        const counter = report.meta.counters[id]!;
        const metric = report.meta.metrics[report.metric.get(id) ?? -1];
        const absolute = counter.kind === "absolute";
        const wait = store.metric.unit === "ticks";
        return (
          <DataTable
            store={store}
            id={`counter-${n}`}
            label={`${visible(metric?.title || id)} in ${visible(counter.unit)}${wait ? `, beside ${selectionText(store)}` : ""}`}
            columns={[
              "call path",
              "location",
              "values",
              "least",
              "greatest",
              absolute ? "mean" : `rate (${visible(counter.severity_unit)}/s)`,
              ...(wait ? ["call path's wait or time (s)"] : []),
            ]}
            rows={records<CounterRow>(counter.values).map((r) => ({
              cells: [
                report.callPath(r.callpath),
                report.locationName(r.location),
                r.samples,
                r.least,
                r.greatest,
                (absolute ? r.mean : r.rate) ?? "",
                ...(wait ? [own ? own[r.callpath]! / report.ticks : ""] : []),
              ],
              pick: () => store.selectCall(r.callpath),
            }))}
          />
        );
      })}
    </>
  );
}
