// The selected metric by region, wherever the region was called, by callers, and by location.
import { BarList } from "../charts/bar_list";
import { Unpacking } from "../frame/elements";
import type { Report } from "../data/report";
import type { ReportStore } from "../state/report_store";
import { percentText } from "../text/number_text";
import { metricsText } from "../trees/selection_text";
import { CallersTree } from "../trees/callers_tree";
import { LocationBars } from "./location_bars";
import { SelectionNote } from "./selection_note";

interface RegionValue {
  name: string;
  place: string; // file and line, where they are known
  value: number;
  callPaths: number[];
}

export function ByRegion({ store }: { store: ReportStore }) {
  const { report, metric } = store;
  const exclusive = store.values.byCallPath();
  if (!exclusive) return <Unpacking />;
  if (store.whyUnknown()) return <p>{store.whyUnknown()}</p>;
  const regions = valuesOfRegions(store, exclusive);
  const total = regions.reduce((sum, { value }) => sum + value, 0);
  const scale = report.unitScale(metric);
  const pick = (callPaths: number[]) => {
    store.selectCallPathsAlone(callPaths);
    store.announce(`${callPaths.length} call paths are selected`);
  };
  return (
    <>
      <SelectionNote store={store} passesOver={["call path", "time"]} />
      <div class="two">
        <BarList
          store={store}
          id="flat"
          caption={`${metricsText(store)} by region, without what it calls; % of all regions`}
          columns={["region", `value (${report.unitName(metric)})`, "% of all", "place"]}
          bars={regions
            .filter(({ value }) => store.showsZeros || value !== 0)
            .sort((a, b) => b.value - a.value)
            .map(({ name, place, value, callPaths }) => ({
              name,
              value,
              text: `${report.valueText(metric, value)}  ${percentText(value / total)}`,
              cells: [name, value * scale, (100 * value) / total, place],
              onPick: () => pick(callPaths),
            }))}
        />
        <CallersTree store={store} exclusive={exclusive} />
      </div>
      <LocationBars store={store} />
    </>
  );
}

function valuesOfRegions({ report }: ReportStore, exclusive: Float64Array): RegionValue[] {
  const found = new Map<number | null, RegionValue>();
  report.meta.call_tree.forEach(({ region }, callPath) => {
    let entry = found.get(region);
    if (!entry) found.set(region, (entry = { ...describeRegion(report, region), value: 0, callPaths: [] }));
    entry.value += exclusive[callPath]!;
    entry.callPaths.push(callPath);
  });
  return [...found.values()];
}

function describeRegion(report: Report, region: number | null): { name: string; place: string } {
  if (region === null) return { name: "(the program itself)", place: "" };
  return { name: report.regionName(region), place: report.sourceOfRegion(region, true) };
}
