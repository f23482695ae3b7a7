// Matrices of locations or processes: who waits for whom, who sends to whom. Beyond some hundred rows neighbours share
// one; colours are logarithmic, totals stand at the margins.
import { Chart, DataTable, faint, fit, severityColour, write } from "./chart";
import { visible } from "./report";
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

export function Matrix({ store, id, caption, size, rowTitle, columnTitle, name, cells, text, unit, scale, pick }: Props) {
  const block = Math.ceil(size / mostDrawn);
  const n = Math.max(1, Math.ceil(size / block));
  const values = new Float64Array(n * n);
  const rowSum = new Float64Array(n);
  const columnSum = new Float64Array(n);
  for (const c of cells) {
    const [r, k] = [Math.floor(c.row / block), Math.floor(c.column / block)];
    values[r * n + k] = values[r * n + k]! + c.value;
    rowSum[r] = rowSum[r]! + c.value;
    columnSum[k] = columnSum[k]! + c.value;
  }
  const most = Math.max(1, ...values);
  const least = Math.min(most, ...values.filter((v) => v > 0));
  const shade = (v: number) => (most === least ? 1 : 0.12 + (0.88 * Math.log(v / least)) / Math.log(most / least));
  let drawn = { label: 0, cell: 1 };
  const at = (x: number, y: number): [number, number] | undefined => {
    const [k, r] = [Math.floor((x - drawn.label) / drawn.cell), Math.floor((y - 22) / drawn.cell)];
    return k >= 0 && r >= 0 && k < n && r < n ? [r, k] : undefined;
  };
  const label = (i: number) => (block === 1 ? name(i) : `${name(i * block)} to ${name(Math.min(size - 1, (i + 1) * block - 1))}`);
  const height = Math.min(640, Math.max(160, n * 26 + 60));
  return (
    <Chart
      store={store} id={id} caption={block === 1 ? caption : `${caption}; ${block} neighbours share a row`} height={height}
      columns={[rowTitle, columnTitle, unit]}
      rows={() => cells.map((c) => ({ cells: [name(c.row), name(c.column), c.value * scale], ...(pick ? { pick: () => pick(c.row, c.column) } : {}) }))}
      pick={(x, y) => {
        const hit = at(x, y);
        if (hit && block === 1 && values[hit[0] * n + hit[1]]! > 0) pick?.(hit[0], hit[1]);
      }}
      read={(x, y) => {
        const hit = at(x, y);
        return hit ? `${rowTitle} ${label(hit[0])}, ${columnTitle} ${label(hit[1])}: ${text(values[hit[0] * n + hit[1]]!)}` : "";
      }}
      draw={(c, width, h) => {
        const names = Math.min(150, width * 0.25);
        const cell = Math.max(1, Math.min(40, (h - 46) / n, (width - names - 90) / n));
        drawn = { label: names, cell };
        write(c, `${rowTitle} \u2193   ${columnTitle} \u2192`, 0, 9);
        for (let r = 0; r < n; ++r)
          for (let k = 0; k < n; ++k) {
            const v = values[r * n + k]!;
            c.fillStyle = v > 0 ? severityColour(shade(v)) : faint();
            const inset = cell > 6 ? 1 : 0;
            if (v > 0 || cell > 6) c.fillRect(names + k * cell, 22 + r * cell, cell - inset, v > 0 ? cell - inset : Math.min(1, cell));
          }
        if (cell >= 12) {
          for (let r = 0; r < n; ++r) {
            write(c, fit(c, label(r), names - 8), names - 6, 22 + (r + 0.5) * cell, "right");
            if (rowSum[r]! > 0) write(c, text(rowSum[r]!), names + n * cell + 6, 22 + (r + 0.5) * cell);
          }
          if (cell >= 22) for (let k = 0; k < n; ++k) write(c, String(k * block), names + (k + 0.5) * cell, 22 + n * cell + 10, "center");
        }
      }}
    />
  );
}

export function WhoWaits({ store }: { store: Store }) {
  const { report } = store;
  const waits = report.meta.waits?.[store.metric.id];
  if (!waits) return <p>{`This report does not say who waited for whom in ${visible(store.metric.title)}. Select a wait state.`}</p>;
  const rows = waits.pairs.rows as (number | null)[][];
  const cells = rows.filter((r) => r[0] !== null && r[1] !== null).map((r) => ({ row: r[0]!, column: r[1]!, value: r[3]! }));
  const several = rows.filter((r) => r[1] === null);
  const causes = (waits.causes.rows as (number | null)[][]).slice().sort((a, b) => b[3]! - a[3]!);
  const involved = new Set(cells.flatMap((c) => [c.row, c.column]));
  return (
    <>
      <Matrix
        store={store} id="matrix" caption={`${visible(store.metric.title)}: who makes whom wait`} size={report.meta.locations.length}
        rowTitle="culprit" columnTitle="waiter" name={(l) => report.locationName(l)} cells={cells} text={(v) => report.seconds(v)} unit="s" scale={1 / report.ticks}
        pick={(culprit, waiter) => {
          store.pair = [culprit, waiter];
          store.instance = 0;
          store.view = "instances";
          store.changed();
        }}
      />
      {several.length > 0 && <p>{`Operations of more than 512 members, for whose waiters together: ${several.map((r) => `${report.locationName(r[0]!)} ${report.seconds(r[3]!)}`).join(", ")}.`}</p>}
      {involved.size > 0 && involved.size <= 64 && <Graph store={store} cells={cells} nodes={[...involved].sort((a, b) => a - b)} />}
      <h3>Where the culprits were meanwhile</h3>
      <DataTable
        label={`causes of ${visible(store.metric.title)}`} columns={["call path of the culprit", "culprit", "waits", "s"]}
        rows={causes.map((r) => ({ cells: [report.callPath(r[0]!), report.locationName(r[1]!), r[2]!, r[3]! / report.ticks], pick: () => r[0] !== null && (store.selectCall(r[0]!), store.changed()) }))}
      />
    </>
  );
}

/** Arrows from culprit to waiter, as wide as the wait is long; two that wait for each other have one each way. */
function Graph({ store, cells, nodes }: { store: Store; cells: MatrixCell[]; nodes: number[] }) {
  const { report } = store;
  const most = Math.max(...cells.map((c) => c.value));
  const place = new Map(nodes.map((n, i) => [n, i]));
  return (
    <Chart
      store={store} id="graph" caption="The same as a graph: an arrow leads from a culprit to who waits for it" height={360}
      columns={["culprit", "waiter", "s"]}
      rows={() => cells.map((c) => ({ cells: [report.locationName(c.row), report.locationName(c.column), c.value / report.ticks] }))}
      draw={(c, width, height) => {
        const radius = Math.min(width / 2 - 90, height / 2 - 40);
        const at = (node: number): [number, number] => {
          const angle = (2 * Math.PI * place.get(node)!) / nodes.length - Math.PI / 2;
          return [width / 2 + radius * Math.cos(angle), height / 2 + radius * Math.sin(angle)];
        };
        for (const cell of cells.slice().sort((a, b) => a.value - b.value)) {
          const [x1, y1] = at(cell.row);
          const [x2, y2] = at(cell.column);
          const [mx, my] = [(x1 + x2) / 2 + (y2 - y1) * 0.12, (y1 + y2) / 2 - (x2 - x1) * 0.12];
          c.strokeStyle = c.fillStyle = cell.value > most / 10 ? "#d55e00" : faint();
          c.lineWidth = 0.5 + 5 * Math.sqrt(cell.value / most);
          c.beginPath();
          c.moveTo(x1, y1);
          c.quadraticCurveTo(mx, my, x2, y2);
          c.stroke();
          const angle = Math.atan2(y2 - my, x2 - mx);
          const [ex, ey] = [x2 - 9 * Math.cos(angle), y2 - 9 * Math.sin(angle)];
          c.beginPath();
          c.moveTo(ex, ey);
          for (const turn of [2.6, -2.6]) c.lineTo(ex + 11 * Math.cos(angle + turn), ey + 11 * Math.sin(angle + turn));
          c.fill();
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
          write(c, fit(c, report.locationName(node), 120), x + dx, dx === 0 ? y + (y < height / 2 ? -16 : 16) : y, align);
        }
      }}
    />
  );
}
