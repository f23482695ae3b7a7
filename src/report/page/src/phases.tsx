// The run in phases, which are visits of one region or stretches of time: how the efficiency, each wait state and the
// times develop from one to the next.
import { Note } from "./around";
import { Legend } from "./bars";
import { fill, palette, severityColour } from "./chart";
import { Columns, type ColumnsProps } from "./columns";
import { countText, factorName, factors, percentText, type Phase } from "./report";
import type { Store } from "./store";

/** A chart with a column a phase. */
function OfPhases({
  store,
  columns,
  cells,
  read,
  ...others
}: Omit<ColumnsProps, "name" | "end" | "count" | "said" | "store" | "cells"> & {
  store: Store;
  cells: (phase: Phase) => (string | number)[];
  read: (phase: number) => string;
}) {
  const { report } = store;
  const { phases, region } = report.meta.phases!;
  const name = (i: number) => (region === null ? report.time(phases[i]!.begin) : `phase ${i}`);
  return (
    <Columns
      {...others}
      store={store}
      count={phases.length}
      columns={["phase", "from (s)", "to (s)", ...columns]}
      name={name}
      end={region === null ? report.time(phases[phases.length - 1]!.end) : undefined}
      said={(i) => `${name(i)}${region === null ? "" : `, from ${report.time(phases[i]!.begin)}`}: ${read(i)}`}
      cells={(i) => [i, ...[phases[i]!.begin, phases[i]!.end].map((t) => report.since(t)), ...cells(phases[i]!)]}
    />
  );
}

const lines: [string, number[]][] = [
  ["#d55e00", []],
  ["#0072b2", [7, 3]],
  ["#009e73", [2, 3]],
]; // of the factors

export function Phases({ store }: { store: Store }) {
  const { report } = store;
  const found = report.meta.phases!;
  const { phases } = found;
  if (phases.length === 0) return <p>The region of the phases was never entered.</p>;
  const sums: Record<string, number> = {};
  for (const p of phases) for (const [id, ticks] of Object.entries(p.waits)) sums[id] = (sums[id] ?? 0) + ticks;
  const ids = Object.keys(sums).sort((a, b) => sums[b]! - sums[a]!);
  const stacked = ids.filter((id) => !report.isShare(id, sums)).slice(0, palette.length);
  const most = Math.max(1, ...phases.map((p) => stacked.reduce((sum, id) => sum + (p.waits[id] ?? 0), 0)));
  const longest = Math.max(1, ...phases.map((p) => p.longest));
  const s = (ticks: number) => ticks / report.ticks;
  const what =
    found.region === null
      ? `${phases.length} stretches of time, ${report.seconds(phases[0]!.end - phases[0]!.begin)} each`
      : `${countText(found.visits)} visits of ${report.regionName(found.region)}${found.visits_per_phase > 1 ? `, ${found.visits_per_phase} in each phase` : ""}`;
  const selected = store.metric.id;
  const mostOfIt = Math.max(1, ...phases.map((p) => p.waits[selected] ?? 0));
  const known = phases.some((p) => p.parallel_efficiency !== null);
  return (
    <>
      <h2>{`Phases: ${what}`}</h2>
      {known ? (
        <>
          <OfPhases
            store={store}
            id="phase-efficiency"
            height={190}
            top="100 %"
            caption="Efficiency of each phase"
            columns={factors.map((f) => `${factorName(f)} (%)`)}
            cells={(p) => factors.map((f) => (p[f] === null ? "unknown" : 100 * p[f]!))}
            read={(i) => factors.map((f) => `${factorName(f)} ${percentText(phases[i]![f] ?? NaN)}`).join(", ")}
            draw={(c, x, wide, y) => {
              factors.forEach((f, n) => {
                const [colour, dash] = lines[n]!;
                c.strokeStyle = colour;
                c.lineWidth = wide > 6 ? 2.5 : 1.2;
                c.setLineDash(wide > 6 ? dash : []);
                c.beginPath();
                let drawn = false;
                phases.forEach((p, i) => {
                  const value = p[f];
                  if (value === null) return void (drawn = false);
                  const [at, to] = [x(i) + (wide > 8 ? 1 : 0), x(i + 1) - (wide > 8 ? 1 : 0)];
                  if (drawn) c.lineTo(at, y(value));
                  else c.moveTo(at, y(value));
                  c.lineTo(to, y(value));
                  drawn = true;
                });
                c.stroke();
              });
              c.setLineDash([]);
              c.lineWidth = 1;
            }}
          />
          <Legend
            store={store}
            entries={factors.map((f, n) => ({ name: factorName(f), colour: lines[n]![0], dash: lines[n]![1] }))}
          />
        </>
      ) : (
        <Note>
          The efficiency of these phases is not known: only one location has them, or no computation is in them.
        </Note>
      )}
      {ids.length === 0 ? (
        <p>Nobody waited in these phases.</p>
      ) : (
        <>
          <OfPhases
            store={store}
            id="phase-waits"
            height={220}
            top={report.seconds(most)}
            caption={`Waits in each phase, of all locations together${ids.length > stacked.length ? `; smaller ones and shares of others (${ids.length - stacked.length}) are in the table only` : ""}`}
            columns={ids.map((id) => `${report.metricTitle(id)} (s)`)}
            cells={(p) => ids.map((id) => s(p.waits[id] ?? 0))}
            read={(i) =>
              stacked
                .filter((id) => phases[i]!.waits[id])
                .map((id) => `${report.metricTitle(id)} ${report.seconds(phases[i]!.waits[id]!)}`)
                .join(", ") || "no waits"
            }
            draw={(c, x, wide, y) =>
              phases.forEach((p, i) => {
                let base = 0;
                stacked.forEach((id, n) => {
                  const next = base + (p.waits[id] ?? 0) / most;
                  fill(c, palette[n]!, x(i), y(next), wide - (wide > 4 ? 1 : 0), y(base) - y(next));
                  base = next;
                });
              })
            }
          />
          <Legend
            store={store}
            entries={stacked.map((id, n) => ({
              name: report.metricTitle(id),
              colour: palette[n]!,
              pick: () => store.selectMetric(id),
            }))}
          />
          {sums[selected] ? (
            <OfPhases
              store={store}
              id="phase-metric"
              height={150}
              top={report.seconds(mostOfIt)}
              caption={`${report.metricTitle(selected)} alone`}
              columns={[`${report.metricTitle(selected)} (s)`]}
              cells={(p) => [s(p.waits[selected] ?? 0)]}
              read={(i) => report.seconds(phases[i]!.waits[selected] ?? 0)}
              draw={(c, x, wide, y) =>
                phases.forEach((p, i) => {
                  const share = (p.waits[selected] ?? 0) / mostOfIt;
                  fill(
                    c,
                    severityColour(0.3 + 0.7 * share),
                    x(i),
                    y(share),
                    wide - (wide > 4 ? 1 : 0),
                    y(0) - y(share),
                  );
                })
              }
            />
          ) : (
            <Note>{`${report.metricTitle(selected)} has no waits in these phases.`}</Note>
          )}
        </>
      )}
      <OfPhases
        store={store}
        id="phase-times"
        height={150}
        top={report.seconds(longest)}
        caption="How long each phase took on the slowest location, and the largest computation of a location in it (dark)"
        columns={[
          "locations",
          "in it, all locations (s)",
          "longest (s)",
          "computation, all locations (s)",
          "largest computation (s)",
        ]}
        cells={(p) => [p.locations, s(p.ticks), s(p.longest), s(p.computation), s(p.largest_computation)]}
        read={(i) =>
          `longest ${report.seconds(phases[i]!.longest)}, largest computation ${report.seconds(phases[i]!.largest_computation)}`
        }
        draw={(c, x, wide, y) =>
          phases.forEach((p, i) => {
            const w = wide - (wide > 4 ? 1 : 0);
            for (const [ticks, colour] of [
              [p.longest, "#7fb2d6"],
              [p.largest_computation, "#0b5cad"],
            ] as const) {
              fill(c, colour, x(i), y(ticks / longest), w, y(0) - y(ticks / longest));
            }
          })
        }
      />
    </>
  );
}
