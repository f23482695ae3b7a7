// Cartesian topologies: the values of what is selected, where the program has arranged its processes.
import { drawText, fillEdgedBox, textThatFits, textWidth, type Canvas } from "../charts/canvas";
import { Chart } from "../charts/chart";
import { ColourKey } from "../charts/colour_key";
import { severityColour, textColourOn } from "../charts/colours";
import { Note, Unpacking } from "../frame/elements";
import type { ReportDocument } from "../report_types";
import type { ReportStore } from "../state/report_store";
import type { LocationValues } from "../state/selected_values";
import { visible } from "../text/visible_names";
import { callPathsText, locationsText, metricsText, valuesNotStored } from "../trees/selection_text";
import { largestOf } from "../trees/value_shares";
import { SelectionNote } from "./selection_note";

type CartesianTopology = ReportDocument["cart_topologies"][number];

export function Topology({ store }: { store: ReportStore }) {
  const { cart_topologies } = store.report.meta;
  const found = store.values.byLocation();
  if (cart_topologies.length === 0) return <p>The trace has no Cartesian topology.</p>;
  if (!found) return <Unpacking />;
  if (store.whyUnknown() || found.isMissing) return <Note>{store.whyUnknown() ?? valuesNotStored}</Note>;
  return (
    <>
      <SelectionNote store={store} passesOver={["time"]} />
      {cart_topologies.map((topology, i) => (
        <TopologyGrid store={store} id={`topology-${i}`} topology={topology} found={found} />
      ))}
    </>
  );
}

/** A process or thread at its coordinates. */
interface GridCell {
  location: number;
  place: number;
  coordinates: number[];
  value: number;
}

interface TopologyGridProps {
  store: ReportStore;
  id: string;
  topology: CartesianTopology;
  found: LocationValues;
}
function TopologyGrid({ store, id, topology, found }: TopologyGridProps) {
  const { report, metric } = store;
  const { cart_dimensions } = report.meta;
  const dimensions = topology.dimensions.map((dimension) =>
    dimension === null ? undefined : cart_dimensions[dimension],
  );
  const sizes = dimensions.map((dimension) => dimension?.size ?? 1);
  const names = dimensions.map((dimension, i) => visible(dimension?.name || `dimension ${i}`));
  const cells = cellsOf(store, topology, found.values);
  if (cells.length === 0) return <p>{`The processes of the topology ${visible(topology.name)} are not known.`}</p>;
  const largest = largestOf(cells.map(({ value }) => value));
  const nameOf = ({ place }: GridCell) => report.placeName(place);
  const textOf = (value: number) => report.valueText(metric, value, found.isApproximate);
  const scale = report.unitScale(metric);
  const locations = store.values.locationsInSelection();
  let layout = new GridLayout(sizes, 0, 0);
  return (
    <Chart
      store={store}
      id={id}
      height={layout.chartHeight}
      caption={
        `${visible(topology.name) || "topology"} (${sizes.join(" \u00d7 ")}): ` +
        `${metricsText(store)} in ${callPathsText(store)}, the brightest is ${textOf(largest)}${axesText(names)}` +
        (locations ? `; all but ${locationsText(store)} are faint` : "")
      }
      columns={["process", ...names, `value (${report.unitName(metric)})`]}
      rows={() =>
        cells.map((cell) => ({
          cells: [nameOf(cell), ...cell.coordinates, cell.value * scale],
          onPick: () => store.selectLocation(cell.location),
        }))
      }
      marks={{
        count: cells.length,
        perRow: layout.columns,
        box: (i) => [...layout.point(cells[i]!.coordinates), layout.cellSize, layout.cellSize],
        text: (i) => {
          const cell = cells[i]!;
          return `${nameOf(cell)} at (${cell.coordinates.join(", ")}): ${textOf(cell.value)}`;
        },
        onPick: (i) => store.selectPlace(cells[i]!.place),
      }}
      draw={(canvas, width, height) => {
        layout = new GridLayout(sizes, width, height);
        for (const cell of cells) {
          const colour = severityColour(largest === 0 ? 0 : Math.abs(cell.value) / largest);
          const isOutside =
            locations !== undefined && !report.places[cell.place]!.locations.some((l) => locations.has(l));
          canvas.globalAlpha = isOutside ? 0.25 : 1;
          drawCell(canvas, layout, cell, colour, nameOf(cell), textOf(cell.value));
        }
        canvas.globalAlpha = 1;
      }}
      below={<ColourKey least={textOf(0)} most={textOf(largest)} />}
    />
  );
}

/** Where each dimension goes. */
function axesText(names: string[]): string {
  const [right, down] = [names[names.length - 1], names[names.length - 2]];
  const slices = names.slice(0, -2);
  return (
    `; ${right} goes right` +
    (down === undefined ? "" : `, ${down} down`) +
    (slices.length > 0 ? `, slices are ${slices.join(", ")}` : "")
  );
}

/** In the order in which the arrow keys go through them. */
function cellsOf(store: ReportStore, topology: CartesianTopology, values: Float64Array): GridCell[] {
  const { report } = store;
  const { locations, communicators } = report.meta;
  const { communicator, coordinates, dimensions } = topology;
  const members = communicator === null ? [] : (communicators[communicator]?.members ?? []);
  const processOf = (location: number) => locations[location]?.process ?? null;
  // A rank is its process, unless the topology tells threads of a process apart.
  const processes = members.filter((member) => member !== null).map(processOf);
  const hasThreads = new Set(processes).size < processes.length;
  const cells: GridCell[] = [];
  // The coordinates of a member stand behind its rank.
  const stride = dimensions.length + 1;
  for (let begin = 0; begin + stride <= coordinates.length; begin += stride) {
    const location = members[coordinates[begin]!];
    if (location === null || location === undefined) continue;
    const process = processOf(location);
    const place = process === null || hasThreads ? report.placeOfLocation[location]! : report.placeOfProcess[process]!;
    if (place < 0) continue;
    const value = store.values.ofPlace(place, values);
    cells.push({ location, place, coordinates: coordinates.slice(begin + 1, begin + stride), value });
  }
  return cells.sort((a, b) => a.coordinates.map((x, i) => x - b.coordinates[i]!).find((d) => d !== 0) ?? 0);
}

/**
 * Where cells are drawn: the last dimension goes right, the one before it down, and all others are slices side by side.
 */
class GridLayout {
  readonly cellSize: number;
  readonly columns: number;
  readonly chartHeight: number;
  private readonly rows: number;
  private readonly slicesPerLine: number;

  constructor(
    private readonly sizes: number[],
    width: number,
    height: number,
  ) {
    this.columns = sizes[sizes.length - 1] ?? 1;
    this.rows = sizes[sizes.length - 2] ?? 1;
    const slices = sizes.slice(0, -2).reduce((product, size) => product * size, 1);
    this.chartHeight = Math.min(600, Math.max(60, this.rows * 74 * Math.min(slices, 4)));
    this.slicesPerLine = Math.max(1, Math.min(slices, Math.floor(width / ((this.columns + 1) * 24)) || 1));
    const lines = Math.ceil(slices / this.slicesPerLine);
    const widest = width / (this.slicesPerLine * (this.columns + 1));
    const highest = height / (lines * (this.rows + (slices > 1 ? 1 : 0)));
    this.cellSize = Math.max(1, Math.min(90, widest, highest));
  }
  point(coordinates: number[]): [number, number] {
    const slice = coordinates.slice(0, -2).reduce((sum, x, i) => sum * this.sizes[i]! + x, 0);
    const column = coordinates[coordinates.length - 1]!;
    const row = coordinates[coordinates.length - 2] ?? 0;
    const left = (slice % this.slicesPerLine) * (this.columns + 1) + column;
    const top = Math.floor(slice / this.slicesPerLine) * (this.rows + 1) + row;
    return [left * this.cellSize, top * this.cellSize];
  }
}

function drawCell(
  canvas: Canvas,
  layout: GridLayout,
  { coordinates }: GridCell,
  colour: string,
  name: string,
  value: string,
): void {
  const size = layout.cellSize;
  const [x, y] = layout.point(coordinates);
  fillEdgedBox(canvas, colour, [x, y, size - 1, Math.max(1, size - 1)]);
  if (size < 34) return;
  const style = { align: "center", colour: textColourOn(colour) } as const;
  drawText(canvas, textThatFits(canvas, name, size - 4), x + size / 2, y + size / 2 - 7, style);
  // A number that is cut would be another number.
  if (textWidth(canvas, value) < size - 2) drawText(canvas, value, x + size / 2, y + size / 2 + 8, style);
}
