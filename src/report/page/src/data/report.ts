// A report with its trees, and how its names, times and values are written.
import type { Index, ReportDocument, Metric, WaitingCulprit } from "../report_types";
import { countText, durationText, significantText } from "../text/number_text";
import { NodeNames } from "../text/name_hash";
import { visible } from "../text/visible_names";
import { locationTreeOf, type Place } from "./location_tree";
import { records } from "./record_tables";
import { RunClock } from "./run_clock";
import type { Sections } from "./sections";
import { subtreeEnds, treeOf, type Tree } from "./tree";

/** With more locations than this they are not shown one by one at first. */
const fewLocations = 4096;

/** The heading of a column of Report.ownWaitPercent(). */
export const ownWaitHeading = "it itself waited (% of its time there)";

export class Report extends RunClock {
  readonly metricOf = new Map<string, number>(); // by id
  readonly metricTree: Tree;
  readonly callTree: Tree;
  readonly callTreeEnds: Uint32Array; // for each call path the first one behind it that is not below it
  readonly placeTree: Tree;
  readonly places: Place[];
  readonly placeOfLocation: number[];
  readonly placeOfProcess: number[];
  readonly hasManyLocations: boolean;
  /** By call path 1 if it lies in a call that starts or ends MPI or SHMEM; undefined if no time is spent there. */
  readonly initExitPaths: Uint8Array | undefined;
  private ownWaits: Map<string, number> | undefined;
  private callNames: NodeNames | undefined;
  private placeNames: NodeNames | undefined;

  /** `omissions`: sentences that say what does not fit into the file. */
  constructor(
    readonly meta: ReportDocument,
    readonly sections: Sections,
    readonly omissions: string[] = [],
  ) {
    super(meta.trace.clock.ticks_per_second, meta.totals.first_time, meta.totals.duration);
    meta.metrics.forEach(({ id }, metric) => this.metricOf.set(id, metric));
    this.hasManyLocations = meta.locations.length > fewLocations;
    this.metricTree = treeOf(
      meta.metrics.map(({ parent }) => (parent === null ? -1 : (this.metricOf.get(parent) ?? -1))),
    );
    this.callTree = treeOf(meta.call_tree.map(({ parent }) => parent ?? -1));
    this.callTreeEnds = subtreeEnds(this.callTree.parent);
    const { tree, places, placeOfLocation, placeOfProcess } = locationTreeOf(meta);
    this.placeTree = tree;
    this.places = places;
    this.placeOfLocation = placeOfLocation;
    this.placeOfProcess = placeOfProcess;
    this.initExitPaths = this.findInitExit();
  }
  /** The calls of which the text report leaves out the time. */
  get initExitText(): string {
    const has = (library: string) =>
      this.meta.call_tree.some(
        ({ region }) => region !== null && this.meta.regions[region]!.region_class === `${library}_init_exit`,
      );
    if (has("mpi"))
      return has("shmem") ? "initialisation and finalisation of MPI and SHMEM" : "MPI_Init and MPI_Finalize";
    return "initialisation and finalisation of SHMEM";
  }
  private findInitExit(): Uint8Array | undefined {
    const { metrics, call_tree, regions } = this.meta;
    if (metrics.every(({ total, total_without_init_exit }) => total === total_without_init_exit)) return undefined;
    const found = new Uint8Array(call_tree.length);
    call_tree.forEach(({ parent, region }, node) => {
      const isOne = region !== null && /^(mpi|shmem)_init_exit$/.test(regions[region]!.region_class);
      if (isOne || (parent !== null && found[parent] === 1)) found[node] = 1;
    });
    return found;
  }

  // ---- names ----

  /** The names of call paths and places in addresses. */
  get callPathNames(): NodeNames {
    return (this.callNames ??= new NodeNames(this.callTree.parent, (node) => {
      const { region, program } = this.meta.call_tree[node]!;
      if (region !== null) return this.meta.regions[region]!.name;
      return program === null ? "" : this.meta.programs[program]!.replace(/.*\//s, "");
    }));
  }
  get placeNamesInAddress(): NodeNames {
    // Ranks have the same names wherever they run, so a process is named without what is above it.
    return (this.placeNames ??= new NodeNames(
      this.placeTree.parent.map((parent, place) => (this.places[place]!.kind === "process" ? -1 : parent)),
      (place) => this.places[place]!.name,
    ));
  }

  placeName(place: number): string {
    return visible(this.places[place]!.name);
  }
  processName(process: number): string {
    return visible(this.meta.processes[process]?.name ?? "");
  }
  /** The last region of a call path. */
  callName(callPath: number): string {
    const { region, program } = this.meta.call_tree[callPath]!;
    if (region !== null) return visible(this.meta.regions[region]?.name ?? "");
    return program !== null ? visible(this.meta.programs[program]!.replace(/.*\//s, "")) : "(unknown region)";
  }
  /** All regions of a call path, separated by slashes. */
  callPathName(callPath: Index): string {
    if (callPath === null) return "(unknown)";
    const names: string[] = [];
    for (let node = callPath; node >= 0; node = this.callTree.parent[node]!) names.push(this.callName(node));
    return names.reverse().join("/");
  }
  /** File and line of the last function of a call path whose place is known, as "halo.c:120"; empty if none is. */
  sourceOf(callPath: Index, isWhole = false): string {
    for (let node = callPath ?? -1; node >= 0; node = this.callTree.parent[node]!) {
      const { region } = this.meta.call_tree[node]!;
      const text = region === null ? "" : this.sourceOfRegion(region, isWhole);
      if (text !== "") return text;
    }
    return "";
  }
  /** Where a region begins; `isWhole`: with the folders of the file. */
  sourceOfRegion(region: number, isWhole = false): string {
    const { file, begin_line } = this.meta.regions[region]!;
    if (file === "" || begin_line === 0) return "";
    return `${visible(isWhole ? file : file.replace(/.*\//s, ""))}:${begin_line}`;
  }
  /** A call path, and where its code is. */
  callPathText(callPath: Index): string {
    const source = this.sourceOf(callPath);
    return this.callPathName(callPath) + (source === "" ? "" : ` (${source})`);
  }
  locationName(location: Index): string {
    if (location === null) return "(several)";
    const { name, process } = this.meta.locations[location]!;
    const place = this.placeOfLocation[location]!;
    if (place >= 0 && this.places[place]!.kind !== "thread") return this.placeName(place);
    return (process === null ? "" : `${visible(this.meta.processes[process]!.name)} `) + visible(name);
  }
  regionName(region: Index): string {
    return region === null ? "(unknown region)" : visible(this.meta.regions[region]?.name ?? "");
  }
  metricTitle(id: string): string {
    return visible(this.meta.metrics[this.metricOf.get(id) ?? -1]?.title || id);
  }

  // ---- values of metrics ----

  /**
   * For which share of its time in a call path a culprit itself waited, in per cent; 0: hardly, "": not known. Only for
   * call paths in which others waited for it.
   */
  ownWaitPercent(callPath: Index, culprit: Index): number | "" {
    this.ownWaits ??= new Map(
      records<WaitingCulprit>(this.meta.waiting_culprits).map(({ callpath, culprit, time, waited }) => [
        `${callpath} ${culprit}`,
        (100 * waited) / time,
      ]),
    );
    return callPath === null || culprit === null ? "" : (this.ownWaits.get(`${callPath} ${culprit}`) ?? 0);
  }

  /** What a value of the report is multiplied by to be one of the metric's unit. */
  unitScale(metric: Metric): number {
    if (metric.unit === "ticks") return 1 / this.ticksPerSecond;
    return metric.unit === "counter" ? (this.meta.counters?.[metric.id]?.scale ?? 1) : 1;
  }
  unitName(metric: Metric): string {
    switch (metric.unit) {
      case "ticks":
        return "s";
      case "bytes":
        return "bytes";
      case "occ":
        return "occurrences";
      default:
        return visible(this.meta.counters?.[metric.id]?.severity_unit ?? "");
    }
  }
  /** A value with its unit, if the unit is one of time. Rounded values are marked and have fewer digits. */
  valueText(metric: Metric, value: number, isApproximate = false): string {
    const mark = isApproximate ? "\u2248\u202f" : "";
    switch (metric.unit) {
      case "ticks":
        return mark + durationText(this.seconds(value), isApproximate ? 3 : 4);
      case "counter":
        return mark + significantText(value * this.unitScale(metric), isApproximate ? 3 : 6);
      default:
        return mark + countText(isApproximate ? Number(value.toPrecision(3)) : value);
    }
  }
  /**
   * Whether waits of this wait state may be waits of another one of `others` as well, so that a sum would count them
   * twice.
   */
  isShareOf(id: string, others: Record<string, unknown>): boolean {
    const { metrics } = this.meta;
    for (let metric = this.metricOf.get(id) ?? -1; metric >= 0; metric = this.metricTree.parent[metric]!) {
      const { siblings, within_parent } = metrics[metric]!;
      const parent = this.metricTree.parent[metric]!;
      if (siblings === "overlapping" || (within_parent && parent >= 0 && others[metrics[parent]!.id])) return true;
    }
    return false;
  }
}
