// The pages of runs and comparisons that are open, which are those of HTML reports: they are loaded when they are first
// shown, and then kept.
import { ComparisonStore } from "../comparison/comparison_store";
import { loadComparison } from "../comparison/load_comparison";
import { loadReport } from "../data/load_report";
import { bytesOfBase64, Sections } from "../data/sections";
import { ReportStore } from "../state/report_store";
import type { Server } from "./server";

/** The elements that an HTML report has its sections in. (The page must not contain the tag itself.) */
const sectionElements = /<[s]cript type="application\/octet-stream" id="s:([^"]*)">([^<]*)<\/[s]cript>/g;

function sectionsOf(text: string): Sections {
  const packed = new Map<string, string>();
  for (const [, name, base64] of text.matchAll(sectionElements)) packed.set(name!, base64!);
  return new Sections(async (name) => {
    const found = packed.get(name);
    return found === undefined ? undefined : bytesOfBase64(found);
  });
}

/** Undefined: it is being loaded. */
export type RunPage = ReportStore | Error | undefined;

const mostKept = 6;
const reportBegin = (id: number): string => `s=run&r=${id}`;

export class RunPages {
  private readonly pages = new Map<string, RunPage>();

  /** `redraw` is called when a page is there, and whenever it changes. */
  constructor(
    private readonly server: Server,
    private readonly redraw: () => void,
  ) {}

  report(id: number): RunPage {
    return this.page(reportBegin(id), (begin) => this.load(id, begin));
  }
  /** The page of a run, when it is there. */
  async loaded(id: number): Promise<ReportStore> {
    const found = this.pages.get(reportBegin(id));
    if (found instanceof ReportStore) return found;
    const page = await this.load(id, reportBegin(id));
    this.pages.set(reportBegin(id), page);
    return page;
  }
  private async load(id: number, begin: string): Promise<ReportStore> {
    const report = await loadReport(sectionsOf(await this.server.text(`runs/${id}/page`)));
    return this.opened(new ReportStore(report, this.redraw), begin);
  }
  comparison(a: number, b: number): RunPage {
    return this.page(`s=comparison&r=${a}-${b}`, async (begin) => {
      const found = await loadComparison(sectionsOf(await this.server.text(`compare/page?a=${a}&b=${b}`)));
      if (!found) throw new Error("there is no comparison in the answer");
      return this.opened(new ComparisonStore(found.comparison, found.report, this.redraw), begin);
    });
  }
  private page(begin: string, load: (begin: string) => Promise<ReportStore>): RunPage {
    const found = this.pages.get(begin);
    if (found || this.pages.has(begin)) return found;
    for (const oldest of [...this.pages.keys()].slice(0, Math.max(0, this.pages.size + 1 - mostKept)))
      this.pages.delete(oldest);
    this.pages.set(begin, undefined);
    load(begin)
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
      .then((page) => {
        this.pages.set(begin, page);
        this.redraw();
      });
    return undefined;
  }
  private opened(store: ReportStore, begin: string): ReportStore {
    store.addressBegin = begin.split("&");
    if (location.hash.startsWith(`#${begin}&`)) store.readAddress();
    return store;
  }
}
