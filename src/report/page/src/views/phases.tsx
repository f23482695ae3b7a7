// The run in phases, which are visits of one region or stretches of time: how the efficiency, each wait state and the
// times develop from one to the next.
import type { Canvas } from "../charts/canvas";
import { fillBox } from "../charts/canvas";
import { computationColour, severityColour } from "../charts/colours";
import { largestComputationColour, palette } from "../charts/colour_table";
import { ColumnChart, type ColumnArea, type ColumnChartProps } from "../charts/column_chart";
import type { Cell } from "../charts/data_table";
import { Legend } from "../charts/legend";
import { Note } from "../frame/elements";
import type { Report } from "../data/report";
import type { ReportDocument, Phase } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { efficiencyFactors, factorName, type EfficiencyFactor } from "../text/efficiency_names";
import { countText, percentText } from "../text/number_text";
import { SelectionNote } from "./selection_note";

type PhaseData = NonNullable<ReportDocument["phases"]>;

export function Phases({ store }: { store: ReportStore }) {
  const data = store.report.meta.phases!;
  const { phases } = data;
  if (phases.length === 0) return <p>The region of the phases was never entered.</p>;
  return (
    <>
      <h2>{`Phases: ${descriptionOf(store, data)}`}</h2>
      <SelectionNote store={store} passesOver={["call path", "place", "time"]} ofWaits />
      {phases.some(({ parallel_efficiency }) => parallel_efficiency !== null) ? (
        <EfficiencyOfPhases store={store} phases={phases} />
      ) : (
        <Note>
          The efficiency of these phases is not known: only one location has them, or they contain no computation.
        </Note>
      )}
      <WaitsOfPhases store={store} phases={phases} />
      <TimesOfPhases store={store} phases={phases} />
    </>
  );
}

function descriptionOf({ report }: ReportStore, { region, visits, visits_per_phase, phases }: PhaseData): string {
  if (region === null) {
    const { begin, end } = phases[0]!;
    return `${phases.length} stretches of time, ${report.durationText(end - begin)} each`;
  }
  const perPhase = visits_per_phase > 1 ? `, ${visits_per_phase} in each phase` : "";
  return `${countText(visits)} visits of ${report.regionName(region)}${perPhase}`;
}

interface PhaseChartProps extends Omit<
  ColumnChartProps,
  "columnName" | "lastName" | "count" | "columnText" | "store" | "cells"
> {
  store: ReportStore;
  cellsOf: (phase: Phase) => Cell[];
  textOf: (phase: Phase) => string;
}
/** A chart with a column for each phase. Phases that are stretches of time are named by their times. */
function PhaseChart({ store, columns, cellsOf, textOf, ...others }: PhaseChartProps) {
  const { report } = store;
  const { phases, region } = report.meta.phases!;
  const isTime = region === null;
  const nameOf = (i: number) => (isTime ? report.timeText(phases[i]!.begin) : `phase ${i}`);
  return (
    <ColumnChart
      {...others}
      store={store}
      count={phases.length}
      columns={["phase", "from (s)", "to (s)", ...columns]}
      columnName={nameOf}
      lastName={isTime ? report.timeText(phases[phases.length - 1]!.end) : undefined}
      columnText={(i) => {
        const begin = isTime ? "" : `, from ${report.timeText(phases[i]!.begin)}`;
        return `${nameOf(i)}${begin}: ${textOf(phases[i]!)}`;
      }}
      cells={(i) => {
        const { begin, end } = phases[i]!;
        return [i, report.secondsFromStart(begin), report.secondsFromStart(end), ...cellsOf(phases[i]!)];
      }}
    />
  );
}

interface PhasesProps {
  store: ReportStore;
  phases: Phase[];
}

// ---- efficiency ----

const linesOfFactors: Record<EfficiencyFactor, { colour: string; dash: number[] }> = {
  parallel_efficiency: { colour: palette[1]!, dash: [] },
  load_balance: { colour: palette[0]!, dash: [7, 3] },
  communication_efficiency: { colour: palette[2]!, dash: [2, 3] },
};

function EfficiencyOfPhases({ store, phases }: PhasesProps) {
  return (
    <>
      <PhaseChart
        store={store}
        id="phase-efficiency"
        height={190}
        axisEnd="100 %"
        caption="Efficiency of each phase"
        columns={efficiencyFactors.map((factor) => `${factorName(factor)} (%)`)}
        cellsOf={(phase) =>
          efficiencyFactors.map((factor) => (phase[factor] === null ? "unknown" : 100 * phase[factor]))
        }
        textOf={(phase) =>
          efficiencyFactors.map((factor) => `${factorName(factor)} ${percentText(phase[factor] ?? NaN)}`).join(", ")
        }
        draw={(canvas, area) => {
          for (const factor of efficiencyFactors) drawFactor(canvas, area, phases, factor);
          canvas.setLineDash([]);
          canvas.lineWidth = 1;
        }}
      />
      <Legend
        store={store}
        entries={efficiencyFactors.map((factor) => ({ name: factorName(factor), ...linesOfFactors[factor] }))}
      />
    </>
  );
}

/** A line with steps, which is interrupted where the factor is not known. */
function drawFactor(canvas: Canvas, area: ColumnArea, phases: Phase[], factor: EfficiencyFactor): void {
  const { colour, dash } = linesOfFactors[factor];
  const isWide = area.columnWidth > 6;
  const gap = area.columnWidth > 8 ? 1 : 0;
  canvas.strokeStyle = colour;
  canvas.lineWidth = isWide ? 2.5 : 1.2;
  canvas.setLineDash(isWide ? dash : []);
  canvas.beginPath();
  let isInterrupted = true;
  phases.forEach((phase, i) => {
    const value = phase[factor];
    if (value !== null) {
      const y = area.y(value);
      if (isInterrupted) canvas.moveTo(area.x(i) + gap, y);
      else canvas.lineTo(area.x(i) + gap, y);
      canvas.lineTo(area.x(i + 1) - gap, y);
    }
    isInterrupted = value === null;
  });
  canvas.stroke();
}

// ---- waits ----

function WaitsOfPhases({ store, phases }: PhasesProps) {
  const { report, metric } = store;
  const sums: Record<string, number> = {};
  for (const { waits } of phases) for (const [id, ticks] of Object.entries(waits)) sums[id] = (sums[id] ?? 0) + ticks;
  const ids = Object.keys(sums).sort((a, b) => sums[b]! - sums[a]!);
  if (ids.length === 0) return <p>Nobody waited in these phases.</p>;
  const stacked = ids.filter((id) => !report.isShareOf(id, sums)).slice(0, palette.length);
  return (
    <>
      <StackedWaits store={store} phases={phases} ids={ids} stacked={stacked} />
      {sums[metric.id] ? (
        <SelectedWaits store={store} phases={phases} />
      ) : (
        <Note>{`${store.metricTitle} has no waits in these phases.`}</Note>
      )}
    </>
  );
}

interface StackedWaitsProps extends PhasesProps {
  ids: string[]; // all wait states
  stacked: string[]; // the wait states that are drawn
}
function StackedWaits({ store, phases, ids, stacked }: StackedWaitsProps) {
  const { report } = store;
  const ticksOf = ({ waits }: Phase, id: string) => waits[id] ?? 0;
  const totalOf = (phase: Phase) => stacked.reduce((sum, id) => sum + ticksOf(phase, id), 0);
  const highest = Math.max(1, ...phases.map(totalOf));
  const hidden = ids.length - stacked.length;
  return (
    <>
      <PhaseChart
        store={store}
        id="phase-waits"
        height={220}
        axisEnd={report.durationText(highest)}
        caption={
          "Waits in each phase, all locations together" +
          (hidden > 0 ? `; smaller ones and shares of others (${hidden}) are in the table only` : "")
        }
        columns={ids.map((id) => `${report.metricTitle(id)} (s)`)}
        cellsOf={(phase) => ids.map((id) => report.seconds(ticksOf(phase, id)))}
        textOf={(phase) => {
          const present = stacked.filter((id) => phase.waits[id]);
          const textOf = (id: string) =>
            `${report.metricTitle(id)} ${report.durationText(phase.waits[id]!)}${placesText(report, phase, id)}`;
          return present.map(textOf).join(", ") || "no waits";
        }}
        draw={(canvas, area) =>
          phases.forEach((phase, i) => {
            let bottom = 0;
            stacked.forEach((id, state) => {
              const top = bottom + ticksOf(phase, id) / highest;
              fillBox(canvas, palette[state]!, area.box(i, bottom, top));
              bottom = top;
            });
          })
        }
      />
      <Legend
        store={store}
        entries={stacked.map((id, state) => ({
          name: report.metricTitle(id),
          colour: palette[state]!,
          onPick: () => store.selectMetric(id),
        }))}
      />
    </>
  );
}

/** Where most of the waits of a phase are, with their call path and location; empty if that is not known. */
function placesText(report: Report, { places }: Phase, id: string): string {
  const [callPath] = places?.[id]?.callpaths[0] ?? [];
  const [location] = places?.[id]?.locations[0] ?? [];
  if (callPath === undefined || location === undefined) return "";
  return ` (most in ${report.callPathText(callPath)} and on ${report.locationName(location)})`;
}

/** The selected wait state alone. */
function SelectedWaits({ store, phases }: PhasesProps) {
  const { report, metric, metricTitle } = store;
  const ticksOf = ({ waits }: Phase) => waits[metric.id] ?? 0;
  const highest = Math.max(1, ...phases.map(ticksOf));
  return (
    <PhaseChart
      store={store}
      id="phase-metric"
      height={150}
      axisEnd={report.durationText(highest)}
      caption={`${metricTitle} alone`}
      columns={[`${metricTitle} (s)`]}
      cellsOf={(phase) => [report.seconds(ticksOf(phase))]}
      textOf={(phase) => report.durationText(ticksOf(phase)) + placesText(report, phase, metric.id)}
      draw={(canvas, area) =>
        phases.forEach((phase, i) => {
          const share = ticksOf(phase) / highest;
          if (share > 0) fillBox(canvas, severityColour(share), area.box(i, 0, share));
        })
      }
    />
  );
}

// ---- times ----

function TimesOfPhases({ store, phases }: PhasesProps) {
  const { report } = store;
  const longest = Math.max(1, ...phases.map((phase) => phase.longest));
  return (
    <PhaseChart
      store={store}
      id="phase-times"
      height={150}
      axisEnd={report.durationText(longest)}
      caption="How long each phase took on the slowest location, and the largest computation of a location in it (dark)"
      columns={[
        "locations",
        "in it, all locations (s)",
        "longest (s)",
        "computation, all locations (s)",
        "largest computation (s)",
      ]}
      cellsOf={({ locations, ticks, longest: longestTicks, computation, largest_computation }) => [
        locations,
        ...[ticks, longestTicks, computation, largest_computation].map((value) => report.seconds(value)),
      ]}
      textOf={(phase) => {
        const computation = report.durationText(phase.largest_computation);
        return `longest ${report.durationText(phase.longest)}, largest computation ${computation}`;
      }}
      draw={(canvas, area) =>
        phases.forEach((phase, i) => {
          fillBox(canvas, computationColour, area.box(i, 0, phase.longest / longest));
          fillBox(canvas, largestComputationColour, area.box(i, 0, phase.largest_computation / longest));
        })
      }
    />
  );
}
