// Who waits for whom as a graph: locations on a circle, and arrows from a culprit to who waited for it, the wider the
// longer. Two that wait for each other have an arrow each way, as arrows are bent.
import { drawArrowHead, drawText, fillCircle, textsThatFit, type Box, type Canvas } from "../charts/canvas";
import { Chart } from "../charts/chart";
import { computationColour, greyColour, highlightColour } from "../charts/colours";
import type { Cell } from "../charts/data_table";
import type { ReportStore } from "../state/report_store";

/** An arrow; the value decides how wide it is. */
export interface GraphEdge {
  from: number;
  to: number;
  value: number;
  isMarked?: boolean; // stands out, however small its value is
}
interface WaitGraphProps {
  store: ReportStore;
  id: string;
  caption: string;
  edges: GraphEdge[];
  locations: number[];
  columns: string[]; // headings of the table: from, to, and one of the value
  textOf: (edge: GraphEdge) => string;
  cellOf: (edge: GraphEdge) => Cell;
  onPick?: (from: number, to: number) => void;
}
type Point = [x: number, y: number];

export function WaitGraph({ store, edges, locations, textOf, cellOf, onPick, ...others }: WaitGraphProps) {
  const { report } = store;
  const longest = edges.reduce((most, { value }) => Math.max(most, value), 1e-300);
  let layout = new CircleLayout(locations, 1, 1);
  return (
    <Chart
      {...others}
      store={store}
      height={Math.max(360, Math.min(640, locations.length * 22))}
      rows={() =>
        edges.map((edge) => ({ cells: [report.locationName(edge.from), report.locationName(edge.to), cellOf(edge)] }))
      }
      marks={{
        count: edges.length,
        perRow: 1,
        onPick: onPick && ((i) => onPick(edges[i]!.from, edges[i]!.to)),
        text: (i) => textOf(edges[i]!),
        box: (i) => layout.edgeBox(edges[i]!),
      }}
      draw={(canvas, width, height) => {
        layout = new CircleLayout(locations, width, height);
        // The longest waits are drawn last, on top of the others.
        for (const edge of edges.slice().sort((a, b) => a.value - b.value))
          drawEdge(canvas, layout.curve(edge), edge.value / longest, edge.isMarked ?? edge.value > 0.1 * longest);
        canvas.lineWidth = 1;
        const names = textsThatFit(
          canvas,
          locations.map((location) => report.locationName(location)),
          layout.nameWidth,
        );
        locations.forEach((location, i) => drawLocation(canvas, layout, location, names[i]!));
      }}
    />
  );
}

class CircleLayout {
  private readonly positions: Map<number, number>; // on the circle
  constructor(
    locations: number[],
    private readonly width: number,
    private readonly height: number,
  ) {
    this.positions = new Map(locations.map((location, position) => [location, position]));
  }
  /** Names have so much room at each side of the circle. */
  get nameWidth(): number {
    return Math.min(200, this.width * 0.27);
  }
  get centre(): Point {
    return [this.width / 2, this.height / 2];
  }
  point(location: number): Point {
    const [x, y] = this.centre;
    const radius = Math.min(x - this.nameWidth - 14, y - 40);
    const angle = (2 * Math.PI * this.positions.get(location)!) / this.positions.size - Math.PI / 2;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  }
  /** Begin, control point and end of a quadratic curve. */
  curve({ from, to }: GraphEdge): [Point, Point, Point] {
    const [beginX, beginY] = this.point(from);
    const [endX, endY] = this.point(to);
    const control: Point = [(beginX + endX) / 2 + (endY - beginY) * 0.12, (beginY + endY) / 2 - (endX - beginX) * 0.12];
    return [[beginX, beginY], control, [endX, endY]];
  }
  /** A box around the middle of an edge. */
  edgeBox(edge: GraphEdge): Box {
    const [begin, control, end] = this.curve(edge);
    const middle = (axis: 0 | 1) => (begin[axis] + 2 * control[axis] + end[axis]) / 4;
    return [middle(0) - 8, middle(1) - 8, 16, 16];
  }
}

function drawEdge(
  canvas: Canvas,
  [begin, control, end]: [Point, Point, Point],
  share: number,
  isMarked: boolean,
): void {
  canvas.strokeStyle = canvas.fillStyle = isMarked ? highlightColour : greyColour;
  canvas.lineWidth = 0.5 + 5 * Math.sqrt(share);
  canvas.beginPath();
  canvas.moveTo(...begin);
  canvas.quadraticCurveTo(...control, ...end);
  canvas.stroke();
  const angle = Math.atan2(end[1] - control[1], end[0] - control[0]);
  drawArrowHead(canvas, end[0] - 9 * Math.cos(angle), end[1] - 9 * Math.sin(angle), angle, 11);
}

/** A dot with its name, which stands outside of the circle. */
function drawLocation(canvas: Canvas, layout: CircleLayout, location: number, text: string): void {
  const [x, y] = layout.point(location);
  const [centreX, centreY] = layout.centre;
  fillCircle(canvas, x, y, 7, computationColour);
  if (x < centreX - 5) drawText(canvas, text, x - 12, y, { align: "right" });
  else if (x > centreX + 5) drawText(canvas, text, x + 12, y);
  else drawText(canvas, text, x, y + (y < centreY ? -16 : 16), { align: "center" });
}
