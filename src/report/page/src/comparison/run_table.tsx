// Both runs beside each other.
import { ScrollRegion } from "../frame/elements";
import { efficiencyFactors, factorName } from "../text/efficiency_names";
import { durationText, percentText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { signedText } from "./change_text";
import type { ComparedRun, Comparison, Pair } from "./comparison_types";

interface RunRow {
  name: string;
  before: string;
  after: string;
  change?: string;
}

export function RunTable({ comparison }: { comparison: Comparison }) {
  const { before, after, efficiency } = comparison;
  const row = (name: string, textOf: (run: ComparedRun) => string, change?: string): RunRow => ({
    name,
    before: textOf(before),
    after: textOf(after),
    ...(change === undefined ? {} : { change }),
  });
  const rows: RunRow[] = [
    row("run", ({ path }) => visible(path)),
    row("processes, locations", ({ processes, locations }) => `${processes}, ${locations}`),
    row("duration", ({ duration }) => durationText(duration), durationChange(before.duration, after.duration)),
    row("part of the run", ({ focus }) => visible(focus) || "all of it"),
    row("missing", ({ missing }) => visible(missing) || "nothing"),
    ...efficiencyFactors.map((factor) => efficiencyRow(factorName(factor), efficiency?.[factor])),
  ];
  const hasChanges = rows.some(({ change }) => change);
  return (
    <ScrollRegion label="The two runs">
      <table id="runs">
        <thead>
          <tr>
            {["\u00a0", "A", "B", ...(hasChanges ? ["change"] : [])].map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, before, after, change }) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{before}</td>
              <td>{after}</td>
              {hasChanges && <td>{change}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function durationChange(before: number, after: number): string {
  const change = after / before - 1;
  return change === 0 || !Number.isFinite(change) ? "" : signedText(change, percentText);
}

function efficiencyRow(name: string, pair: Pair = { before: null, after: null, change: null }): RunRow {
  const shareText = (share: number | null) => (share === null ? "unknown" : percentText(share));
  return { name, before: shareText(pair.before), after: shareText(pair.after), change: pointsText(pair.change) };
}

/** A change of a share in points of per cent. */
function pointsText(change: number | null): string {
  if (change === null) return "";
  const points = 100 * change;
  if (Math.abs(points) < 0.05) return "same";
  return `${signedText(points, (size) => size.toFixed(1))} points, ${points > 0 ? "better" : "worse"}`;
}
