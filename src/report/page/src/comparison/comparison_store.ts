// The state of the page of a comparison. Its trees show the values of run B less those of run A.
import type { Report } from "../data/report";
import type { Metric } from "../report_types";
import { ReportStore, type MetricCells } from "../state/report_store";
import { visible } from "../text/visible_names";
import { changeText, signed, valueTexts } from "./change_text";
import type { Comparison, MetricChange } from "./comparison_types";

export class ComparisonStore extends ReportStore {
  override readonly showsChanges = true;
  private readonly waitIds = new Set<string>();
  private readonly changes: (MetricChange | undefined)[]; // by metric of the report

  constructor(
    readonly comparison: Comparison,
    report: Report,
    redraw: () => void,
  ) {
    super(report, redraw);
    const { metrics } = report.meta;
    for (const { id, kind } of metrics) if (kind === "wait") this.waitIds.add(id);
    this.changes = metrics.map(({ id }) => comparison.metrics.find(({ metric }) => metric === id));
    this.selectWorst();
  }
  /** The metric that changed most. */
  protected override selectWorst(): void {
    if (!this.changes) return; // while the report alone is known
    const largest = this.worstChanges(1)[0] ?? this.worstChanges(-1)[0] ?? this.comparison.metrics[0];
    this.selectMetric(largest?.metric ?? "");
  }
  /** All of the time is compared. */
  override get uncountedPaths(): undefined {
    return undefined;
  }
  override get baseText(): string {
    return "the total time";
  }
  /** There is only one view. */
  protected override address(): string[] {
    return super.address().filter((part) => !part.startsWith("v="));
  }

  /** That of the selected metric. */
  get change(): MetricChange | undefined {
    return this.changes[this.metrics.selected[0] ?? 0];
  }
  override valueText(metric: Metric, value: number, isApproximate = false): string {
    return value === 0 ? "0" : signed(value, super.valueText(metric, Math.abs(value), isApproximate));
  }
  override metricCells(metric: number): MetricCells {
    const change = this.changes[metric];
    const { id, summary } = this.report.meta.metrics[metric]!;
    const title = `${visible(id)}: ${visible(summary)}`;
    if (!change) return { title, moreColumns: ["", "", ""] };
    if (!this.metrics.isExclusive(metric))
      return { title, text: changeText(change), moreColumns: ["", ...valueTexts(change)] };
    const own = this.ownChange(metric, change);
    return { title, text: changeText(own), moreColumns: [changeText(change), ...valueTexts(own)] };
  }
  /** The change of an open metric without those below it, such that the row adds up: A and the change are B. */
  private ownChange(metric: number, change: MetricChange): MetricChange {
    const parts = this.values.partsOf(metric).map((part) => this.changes[part]);
    const own = (side: "before" | "after") =>
      parts.reduce<number | null>((sum, part) => (sum === null ? null : sum - (part?.[side] ?? 0)), change[side]);
    const [before, after] = [own("before"), own("after")].map((value) => withoutRounding(value, change));
    const known = before !== null && after !== null;
    return { ...change, before: before!, after: after!, change: known ? after! - before! : null, relative: null };
  }
  override whyUnknown(): string | undefined {
    const { aggregation, told, title, id } = this.metric;
    if (told !== "unknown") return undefined;
    const reason = aggregation ? "extremes are compared only as a whole" : "the changes are not known";
    return `${visible(title || id)}: ${reason}.`;
  }

  /**
   * Wait states that grew (1) or shrank (-1), the largest change first. Those that are parts of another one are left
   * out.
   */
  worstChanges(sign: 1 | -1): MetricChange[] {
    return this.comparison.metrics
      .filter(
        ({ metric, unit, change }) =>
          this.waitIds.has(metric) &&
          unit === "sec" &&
          change !== null &&
          change * sign > 0 &&
          !this.isPartOfWaitState(metric),
      )
      .sort((a, b) => Math.abs(b.change!) - Math.abs(a.change!));
  }
  private isPartOfWaitState(id: string): boolean {
    const { metricOf, metricTree, meta } = this.report;
    for (let above = metricTree.parent[metricOf.get(id) ?? 0]!; above >= 0; above = metricTree.parent[above]!)
      if (this.waitIds.has(meta.metrics[above]!.id)) return true;
    return false;
  }
}

/** Values are decimal fractions: a difference that is as small as their rounding is zero. */
function withoutRounding(value: number | null, { before, after }: MetricChange): number | null {
  return value !== null && Math.abs(value) < 1e-12 * Math.max(before ?? 0, after ?? 0) ? 0 : value;
}
