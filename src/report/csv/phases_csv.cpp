#include "report/csv/phases_csv.hpp"

#include <string>
#include <string_view>

#include "report/format/csv.hpp"
#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"

namespace waitstate::report {

void write_phases_csv(const AnalysisResult& result, std::ostream& out) {
  TextStream text(out);
  text.print("phase,begin,end,quantity,value,callpath,location\n");
  const Time first = first_event(result);
  CsvPaths paths(result);
  const std::size_t n = result.phases ? result.phases->phases.size() : 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Phases::Phase& phase = result.phases->phases[i];
    const std::string lead =
        fmt::format("{},{:.12g},{:.12g}", i, result.seconds(static_cast<Ticks>(phase.begin - first)),
                    result.seconds(static_cast<Ticks>(phase.end - first)));
    const auto row = [&](std::string_view quantity, double value, const std::string& place = ",") {
      text.print("{},{},{:.12g},{}\n", lead, csv_field(quantity), value, place);
    };
    row("time", result.seconds(phase.ticks));
    row("longest", result.seconds(phase.longest));
    if (phase.has_efficiency()) {
      row("parallel_efficiency", phase.parallel_efficiency());
      row("load_balance", phase.load_balance());
      row("communication_efficiency", phase.communication_efficiency());
    }
    for (const auto& [metric, ticks] : phase.waits) row(result.metrics[metric].id, result.seconds(ticks));
    for (const auto& [metric, places] : phase.places) {
      const std::string& id = result.metrics[metric].id;
      for (const auto& [path, ticks] : places.callpaths)
        row(id, result.seconds(ticks), csv_field(paths.path(path)) + ',');
      for (const auto& [l, ticks] : places.locations) row(id, result.seconds(ticks), fmt::format(",{}", l.value));
    }
  }
  text.flush();
}

}  // namespace waitstate::report
