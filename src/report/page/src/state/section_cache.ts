// Sections with the values of metrics, which are unpacked when they are first asked for and then kept.
import type { Report } from "../data/report";
import { damaged, type Bytes } from "../data/sections";
import { readSums, SingleValues, singleValuesSize, sumsSize, type Sums } from "../data/severity_sections";
import { pageStatus } from "./page_store";

/** By metric: what was read, the error with which that failed, or null if the file has no such section. */
type Sections<T> = Map<number, T | Error | null>;

export class SectionCache {
  /** How many sections are being unpacked. */
  pending = 0;
  private readonly sumsOf: Sections<Sums> = new Map();
  private readonly singleValuesOf: Sections<SingleValues> = new Map();
  private readonly started = new Set<string>();

  /** `redraw` is called when everything that was asked for is there. */
  constructor(
    private readonly report: Report,
    private readonly redraw: () => void,
  ) {}

  /**
   * The metric's own values summed by call path and by location; null if it has none, undefined while it is unpacked.
   */
  sums(metric: number): Sums | null | undefined {
    const { call_tree, locations } = this.report.meta;
    const [callPaths, locationCount] = [call_tree.length, locations.length];
    const name = `sum:${metric}`;
    const sums = this.unpacked(this.sumsOf, name, metric, sumsSize(callPaths, locationCount), (bytes) =>
      readSums(bytes, name, callPaths, locationCount),
    );
    if (sums === null && this.hasOwnValues(metric)) throw damaged(`section ${name} is missing`);
    return sums;
  }
  /**
   * Whether a metric has values beside those of the children that are added up to it, which have sections of their own.
   */
  private hasOwnValues(metric: number): boolean {
    const { metrics } = this.report.meta;
    const { told, total } = metrics[metric]!;
    let own = total;
    for (const child of this.report.metricTree.children[metric]!)
      if (!metrics[child]!.within_parent) own -= metrics[child]!.total;
    return told !== "unknown" && Math.abs(own) > 1e-9 * Math.abs(total);
  }

  /** Like singleValues(), but a missing section is no error. It is called to unpack values that are needed soon. */
  startSingleValues(metric: number): SingleValues | null | undefined {
    const { call_tree, locations } = this.report.meta;
    const [callPaths, locationCount] = [call_tree.length, locations.length];
    const name = `cells:${metric}`;
    return this.unpacked(
      this.singleValuesOf,
      name,
      metric,
      singleValuesSize(callPaths, locationCount),
      (bytes) => new SingleValues(bytes, name, callPaths, locationCount),
    );
  }
  /** Values by call path and location; null if they did not fit into the file, undefined while they are unpacked. */
  singleValues(metric: number): SingleValues | null | undefined {
    const values = this.startSingleValues(metric);
    if (values === null && this.report.omissions.length === 0) throw damaged(`section cells:${metric} is missing`);
    return values;
  }

  /** Starts to unpack what is not there yet, and throws the error with which that failed. */
  private unpacked<T>(
    sections: Sections<T>,
    name: string,
    metric: number,
    limit: number,
    read: (bytes: Bytes) => T,
  ): T | null | undefined {
    const found = sections.get(metric);
    if (found instanceof Error) throw found;
    if (found !== undefined || this.started.has(name)) return found;
    this.started.add(name);
    this.countPending(1);
    this.report.sections
      .bytes(name, limit)
      .then((bytes) => sections.set(metric, bytes ? read(bytes) : null))
      .catch((error: unknown) => sections.set(metric, error instanceof Error ? error : damaged(`section ${name}`)))
      .finally(() => {
        --this.pending;
        if (this.pending === 0) this.redraw();
        this.countPending(0);
      });
    return undefined;
  }
  private countPending(more: number): void {
    this.pending += more;
    pageStatus["pending"] = String(this.pending);
  }
}
