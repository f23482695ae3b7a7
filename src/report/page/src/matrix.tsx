// Matrices of locations or processes: who waits for whom, who sends to whom. Beyond some hundred rows neighbours share
// one; colours are logarithmic, totals stand at the margins.
import { useState } from "preact/hooks";
import { besides, block as box, Chart, DataTable, faint, fill, fit, head, severityColour, write } from "./chart";
import { countText, visible } from "./report";
import type { Store } from "./store";

export interface MatrixCell {
  row: number;
  column: number;
  value: number;
}
interface Props {
  store: Store;
  id: string;
  caption: string;
  size: number;
  rowTitle: string;
  columnTitle: string;
  name: (index: number) => string;
  cells: MatrixCell[];
  text: (value: number) => string;
  unit: string;
  scale: number;
  pick?: (row: number, column: number) => void;
}
const mostDrawn = 128;

export function Matrix({
  store,
  id,
  caption,
  size,
  rowTitle,
  columnTitle,
  name,
  cells,
  text,
  unit,
  scale,
  pick,
}: Props) {
  // What is shown: from and to, of rows and of columns. Where neighbours share a row, a click shows them alone.
  const [[top, bottom, left, right], setPart] = useState([0, size, 0, size]);
  const block = Math.ceil(Math.max(bottom! - top!, right! - left!) / mostDrawn);
  const count = (from: number, to: number) => Math.max(1, Math.ceil((to - from) / block));
  const [n, m] = [count(top!, bottom!), count(left!, right!)];
  // A row and a column more: the totals, the margins.
  const values = new Float64Array((n + 1) * (m + 1));
  const add = (r: number, k: number, v: number) => (values[r * (m + 1) + k] = values[r * (m + 1) + k]! + v);
  for (const c of cells) {
    if (c.row < top! || c.row >= bottom! || c.column < left! || c.column >= right!) continue;
    const [r, k] = [Math.floor((c.row - top!) / block), Math.floor((c.column - left!) / block)];
    (add(r, k, c.value), add(r, m, c.value), add(n, k, c.value), add(n, m, c.value));
  }
  const of = (i: number): [number, number] => [Math.floor(i / (m + 1)), i % (m + 1)];
  const margin = (i: number) => of(i)[0] === n || of(i)[1] === m;
  const shades = [false, true].map((margins) => {
    const some = [...values].filter((v, i) => v > 0 && margin(i) === margins && i < values.length - 1);
    const [least, most] = [Math.min(...some), Math.max(...some)];
    return (v: number) => (most === least ? 1 : 0.12 + (0.88 * Math.log(v / least)) / Math.log(most / least));
  });
  let drawn = { names: 0, cell: 1 };
  const end = (from: number, to: number, i: number) => Math.min(to, from + (i + 1) * block) - 1;
  const label = (from: number, to: number, i: number) =>
    block === 1 ? name(from + i) : `${name(from + i * block)} to ${name(end(from, to, i))}`;
  const rowName = (r: number) => label(top!, bottom!, r);
  const columnName = (k: number) => label(left!, right!, k);
  const gap = 6; // before the margins
  return (
    <Chart
      store={store}
      id={id}
      height={Math.min(700, Math.max(160, n * 26 + 130))}
      caption={block === 1 ? caption : `${caption}; ${block} neighbours share a row, a click shows them alone`}
      columns={[rowTitle, columnTitle, unit]}
      rows={() =>
        cells.map((c) => ({
          cells: [name(c.row), name(c.column), c.value * scale],
          ...(pick ? { pick: () => pick(c.row, c.column) } : {}),
        }))
      }
      marks={{
        count: values.length,
        across: m + 1,
        box: (i) => {
          const [r, k] = of(i);
          return [
            drawn.names + k * drawn.cell + (k === m ? gap : 0),
            22 + r * drawn.cell + (r === n ? gap : 0),
            drawn.cell,
            drawn.cell,
          ];
        },
        text: (i) => {
          const [r, k] = of(i);
          const parts = [
            r < n ? `${rowTitle} ${rowName(r)}` : "",
            k < m ? `${columnTitle} ${columnName(k)}` : "",
          ].filter((p) => p !== "");
          return `${parts.join(", ") || "all"}: ${text(values[i]!)}${margin(i) ? " in all" : ""}`;
        },
        pick: (i) => {
          const [r, k] = of(i);
          if (margin(i) || values[i] === 0) return;
          if (block > 1)
            setPart([top! + r * block, end(top!, bottom!, r) + 1, left! + k * block, end(left!, right!, k) + 1]);
          else pick?.(top! + r, left! + k);
        },
      }}
      draw={(c, width, h) => {
        const title = `${rowTitle} \u2193   ${columnTitle} \u2192`;
        const names = besides(c, [title, ...Array.from({ length: n }, (_, r) => rowName(r))], width);
        const cell = Math.max(1, Math.min(40, (h - 110) / (n + 1), (width - names - 90) / (m + 1)));
        drawn = { names, cell };
        write(c, title, 0, 9);
        const inset = cell > 6 ? 1 : 0;
        values.forEach((v, i) => {
          const [r, k] = of(i);
          const [x, y] = [names + k * cell + (k === m ? gap : 0), 22 + r * cell + (r === n ? gap : 0)];
          if (i === values.length - 1) return;
          if (v > 0) box(c, severityColour(shades[margin(i) ? 1 : 0]!(v)), x, y, cell - inset, cell - inset);
          else if (cell > 6) fill(c, faint(), x, y, cell - inset, 1);
        });
        if (cell < 12) return;
        const [rightOf, below] = [names + (m + 1) * cell + gap + 4, 22 + (n + 1) * cell + gap + 4];
        for (let r = 0; r < n; ++r) {
          write(c, fit(c, rowName(r), names - 8), names - 6, 22 + (r + 0.5) * cell, "right");
          if (values[r * (m + 1) + m]! > 0) write(c, text(values[r * (m + 1) + m]!), rightOf, 22 + (r + 0.5) * cell);
        }
        write(c, "sum", names - 6, 22 + (n + 0.5) * cell + gap, "right");
        for (let k = 0; k < m; ++k) {
          if (cell >= 22) write(c, String(left! + k * block), names + (k + 0.5) * cell, 10, "center");
          if (values[n * (m + 1) + k] === 0) continue;
          c.save();
          c.translate(names + (k + 0.5) * cell, below);
          c.rotate(Math.PI / 2);
          write(c, text(values[n * (m + 1) + k]!), 0, 0);
          c.restore();
        }
      }}
    >
      {(bottom! - top! < size || right! - left! < size) && (
        <button onClick={() => setPart([0, size, 0, size])}>Show all</button>
      )}
    </Chart>
  );
}

export function WhoWaits({ store }: { store: Store }) {
  const { report } = store;
  const waits = report.meta.waits?.[store.metric.id];
  if (!waits) return <p>{`This report does not say who waited for whom in ${store.title}. Select a wait state.`}</p>;
  const rows = waits.pairs.rows as (number | null)[][];
  const cells = rows
    .filter((r) => r[0] !== null && r[1] !== null)
    .map((r) => ({ row: r[0]!, column: r[1]!, value: r[3]! }));
  const several = rows.filter((r) => r[1] === null);
  const causes = (waits.causes.rows as (number | null)[][]).slice().sort((a, b) => b[3]! - a[3]!);
  const pick = (culprit: number, waiter: number) => {
    store.pair = [culprit, waiter];
    store.instance = 0;
    store.view = "instances";
  };
  const process = (p: number) => visible(report.meta.processes[p]?.name ?? "");
  const involved = new Set(cells.flatMap((c) => [c.row, c.column]));
  return (
    <>
      <Matrix
        store={store}
        id="matrix"
        caption={`${store.title}: who makes whom wait`}
        size={report.meta.locations.length}
        rowTitle="culprit"
        columnTitle="waiter"
        name={(l) => report.locationName(l)}
        cells={cells}
        text={(v) => report.seconds(v)}
        unit="s"
        scale={1 / report.ticks}
        pick={pick}
      />
      {several.length > 0 && (
        <p>{`Operations of more than 512 members, for whose waiters together: ${several.map((r) => `${report.locationName(r[0]!)} ${report.seconds(r[3]!)}`).join(", ")}.`}</p>
      )}
      {involved.size > 0 && involved.size <= 64 && (
        <Graph store={store} cells={cells} nodes={[...involved].sort((a, b) => a - b)} pick={pick} />
      )}
      {report.meta.wait_groups?.length ? (
        <>
          <h3>Who waits for each other, over all wait states</h3>
          <ul id="groups">
            {report.meta.wait_groups.map((g) => (
              <li>{`${g.processes.map(process).join(", ")}${g.left_out ? ` and ${g.left_out} more` : ""}: ${countText(g.count)} waits, ${report.seconds(g.ticks)}${
                g.circle.length > 1
                  ? `; in a circle ${[...g.circle, g.circle[0]!].map(process).join(" for ")}, at least ${report.seconds(g.circle_ticks)} each`
                  : ""
              }`}</li>
            ))}
          </ul>
        </>
      ) : null}
      <h3>Where the culprits were meanwhile</h3>
      <DataTable
        store={store}
        id="causes"
        label={`causes of ${store.title}`}
        columns={["call path of the culprit", "culprit", "waits", "s"]}
        rows={causes.map((r) => ({
          cells: [report.callPath(r[0]!), report.locationName(r[1]!), r[2]!, r[3]! / report.ticks],
          pick: () => r[0] !== null && store.selectCall(r[0]!),
        }))}
      />
    </>
  );
}

/** Arrows from culprit to waiter, as wide as the wait is long; two that wait for each other have one each way. */
function Graph({
  store,
  cells,
  nodes,
  pick,
}: {
  store: Store;
  cells: MatrixCell[];
  nodes: number[];
  pick: (culprit: number, waiter: number) => void;
}) {
  const { report } = store;
  const most = Math.max(...cells.map((c) => c.value));
  const place = new Map(nodes.map((n, i) => [n, i]));
  let [width, height] = [1, 1];
  const at = (node: number): [number, number] => {
    const radius = Math.min(width / 2 - 90, height / 2 - 40);
    const angle = (2 * Math.PI * place.get(node)!) / nodes.length - Math.PI / 2;
    return [width / 2 + radius * Math.cos(angle), height / 2 + radius * Math.sin(angle)];
  };
  /** Where it begins, what it is drawn to, where it ends. */
  const curve = (cell: MatrixCell): [number, number, number, number, number, number] => {
    const [[x1, y1], [x2, y2]] = [at(cell.row), at(cell.column)];
    return [x1, y1, (x1 + x2) / 2 + (y2 - y1) * 0.12, (y1 + y2) / 2 - (x2 - x1) * 0.12, x2, y2];
  };
  return (
    <Chart
      store={store}
      id="graph"
      caption="The same as a graph: an arrow leads from a culprit to who waits for it"
      height={360}
      columns={["culprit", "waiter", "s"]}
      rows={() =>
        cells.map((c) => ({
          cells: [report.locationName(c.row), report.locationName(c.column), c.value / report.ticks],
        }))
      }
      marks={{
        count: cells.length,
        across: 1,
        pick: (i) => pick(cells[i]!.row, cells[i]!.column),
        text: (i) =>
          `${report.locationName(cells[i]!.row)} makes ${report.locationName(cells[i]!.column)} wait ${report.seconds(cells[i]!.value)}`,
        box: (i) => {
          const [x1, y1, mx, my, x2, y2] = curve(cells[i]!);
          return [(x1 + 2 * mx + x2) / 4 - 8, (y1 + 2 * my + y2) / 4 - 8, 16, 16];
        },
      }}
      draw={(c, w, h) => {
        [width, height] = [w, h];
        for (const cell of cells.slice().sort((a, b) => a.value - b.value)) {
          const [x1, y1, mx, my, x2, y2] = curve(cell);
          c.strokeStyle = c.fillStyle = cell.value > most / 10 ? "#d55e00" : faint();
          c.lineWidth = 0.5 + 5 * Math.sqrt(cell.value / most);
          c.beginPath();
          c.moveTo(x1, y1);
          c.quadraticCurveTo(mx, my, x2, y2);
          c.stroke();
          const angle = Math.atan2(y2 - my, x2 - mx);
          head(c, x2 - 9 * Math.cos(angle), y2 - 9 * Math.sin(angle), angle, 11);
        }
        c.lineWidth = 1;
        for (const node of nodes) {
          const [x, y] = at(node);
          c.fillStyle = "#7fb2d6";
          c.beginPath();
          c.arc(x, y, 7, 0, 7);
          c.fill();
          const align = x < width / 2 - 5 ? "right" : x > width / 2 + 5 ? "left" : "center";
          const dx = align === "right" ? -12 : align === "left" ? 12 : 0;
          write(
            c,
            fit(c, report.locationName(node), 120),
            x + dx,
            dx === 0 ? y + (y < height / 2 ? -16 : 16) : y,
            align,
          );
        }
      }}
    />
  );
}
