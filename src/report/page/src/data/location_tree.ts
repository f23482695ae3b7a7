// The tree of machine, nodes, processes and threads. Nodes that hold no location are left out, and a thread that is
// alone in its process is shown as the process.
import type { ReportDocument } from "../report_types";
import { treeOf, type Tree } from "./tree";

/** A node of the tree of locations. */
export interface Place {
  name: string; // as the trace has it, not yet visible
  kind: string; // the class of a node of the system tree, or "process", "thread", "location"
  locations: number[]; // all that lie below the node
}

export interface LocationTree {
  tree: Tree;
  places: Place[];
  placeOfLocation: number[]; // -1: the location is not in the tree
  placeOfProcess: number[];
}

export function locationTreeOf(meta: ReportDocument): LocationTree {
  return new LocationTreeBuilder(meta).build();
}

class LocationTreeBuilder {
  private readonly parents: number[] = [];
  private readonly places: Place[] = [];
  private readonly placeOfLocation: number[];
  private readonly placeOfProcess: number[];
  private readonly locationsOfProcess: number[][];
  private readonly processesOfNode: number[][];
  private readonly nodesBelow: number[][];

  constructor(private readonly meta: ReportDocument) {
    this.placeOfLocation = meta.locations.map(() => -1);
    this.placeOfProcess = meta.processes.map(() => -1);
    this.locationsOfProcess = meta.processes.map(() => []);
    this.processesOfNode = meta.system_tree.map(() => []);
    this.nodesBelow = meta.system_tree.map(() => []);
  }

  build(): LocationTree {
    const { system_tree, processes, locations } = this.meta;
    const roots: number[] = [];
    const processesWithoutNode: number[] = [];
    const locationsWithoutProcess: number[] = [];
    locations.forEach(({ process }, location) =>
      (process === null ? locationsWithoutProcess : this.locationsOfProcess[process]!).push(location),
    );
    system_tree.forEach(({ parent }, node) => (parent === null ? roots : this.nodesBelow[parent]!).push(node));
    processes.forEach(({ system_tree_node: node }, process) =>
      (node === null ? processesWithoutNode : this.processesOfNode[node]!).push(process),
    );
    for (const node of roots) this.addNode(-1, node);
    for (const process of processesWithoutNode) this.addProcess(-1, process);
    for (const location of locationsWithoutProcess)
      this.addLocation(this.addPlace(-1, locations[location]!.name, "location"), location);
    return {
      tree: treeOf(this.parents),
      places: this.places,
      placeOfLocation: this.placeOfLocation,
      placeOfProcess: this.placeOfProcess,
    };
  }

  private holdsLocations(node: number): boolean {
    return (
      this.processesOfNode[node]!.some((process) => this.locationsOfProcess[process]!.length > 0) ||
      this.nodesBelow[node]!.some((below) => this.holdsLocations(below))
    );
  }

  private addPlace(parent: number, name: string, kind: string): number {
    this.parents.push(parent);
    this.places.push({ name, kind, locations: [] });
    return this.parents.length - 1;
  }

  private addNode(parent: number, node: number): void {
    if (!this.holdsLocations(node)) return;
    const { name, class: kind } = this.meta.system_tree[node]!;
    const place = this.addPlace(parent, name, kind);
    for (const process of this.processesOfNode[node]!) this.addProcess(place, process);
    for (const below of this.nodesBelow[node]!) this.addNode(place, below);
  }

  private addProcess(parent: number, process: number): void {
    const locations = this.locationsOfProcess[process]!;
    if (locations.length === 0) return;
    const place = this.addPlace(parent, this.meta.processes[process]!.name, "process");
    this.placeOfProcess[process] = place;
    if (locations.length === 1) this.addLocation(place, locations[0]!);
    else
      for (const location of locations)
        this.addLocation(this.addPlace(place, this.meta.locations[location]!.name, "thread"), location);
  }

  private addLocation(place: number, location: number): void {
    this.placeOfLocation[location] = place;
    for (let above = place; above >= 0; above = this.parents[above]!) this.places[above]!.locations.push(location);
  }
}
