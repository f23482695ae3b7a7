#include "report/json/chain_json.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

#include "report/format/names.hpp"

namespace waitstate::report {

void write_chain_json(const AnalysisResult& result, const NumberedInstance& asked, std::ostream& out) {
  const WaitChain& chain = *asked.instance->chain;
  const auto seconds = [&](std::int64_t ticks) { return result.seconds(ticks); };
  const auto name_or_null = [&](LocationId l) {
    return l.valid() ? nlohmann::ordered_json(location_label(result.definitions, l)) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const ChainStep& s : chain.steps)
    steps.push_back({{"location", name_or_null(s.location)},
                     {"callpath", callpath_label(result, s.callpath)},
                     {"entered", seconds(ticks_since_first(result, s.enter))},
                     {"seconds", seconds(s.ticks)},
                     {"crossing", enum_name(s.crossing)},
                     {"culprit", name_or_null(s.culprit)},
                     {"share", s.share}});
  nlohmann::ordered_json root;
  if (chain.root.valid())
    root = {{"location", name_or_null(chain.steps.back().culprit)},
            {"callpath", callpath_label(result, chain.root)},
            {"seconds", seconds(chain.root_ticks)},
            {"share", chain.root_share},
            {"waited_share", chain.waited_share}};
  nlohmann::ordered_json causes = nlohmann::ordered_json::array();
  for (const ChainCause& c : chain.causes)
    causes.push_back({{"location", name_or_null(c.location)},
                      {"callpath", callpath_label(result, c.callpath)},
                      {"seconds", seconds(c.ticks)},
                      {"share", c.share}});
  const nlohmann::ordered_json all = {{"metric", result.metrics[asked.metric].id},
                                      {"instance", asked.number},
                                      {"total", seconds(asked.instance->total)},
                                      {"waiters", asked.instance->waiters},
                                      {"steps", steps},
                                      {"end", enum_name(chain.end)},
                                      {"root", root},
                                      {"causes", causes}};
  out << all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

}  // namespace waitstate::report
