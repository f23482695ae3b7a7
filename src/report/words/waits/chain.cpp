#include "report/words/waits/chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "report/format/names.hpp"

namespace waitstate::report {
namespace {

constexpr std::size_t most_names = 4;  ///< of those who waited, in a sentence

std::string share_text(double share) { return fmt::format("{:.{}f} %", 100 * share, share < 0.9995 ? 1 : 0); }

std::string name_of(const AnalysisResult& result, LocationId l) { return location_label(result.definitions, l); }

/// Behind the name of the last culprit: ", which was in main/work (82.0 % of the delay)".
std::string end_clause(const WaitChain& chain, const std::function<std::string(CallPathId)>& path) {
  const std::string share = fmt::format(" ({} of the delay)", share_text(chain.root_share));
  switch (chain.end) {
    case WaitChain::End::work:
      return ", which was in " + path(chain.root) + share +
             (last_waited_too(chain) ? fmt::format(" and waited itself for {} of it", share_text(chain.waited_share))
                                     : "");
    case WaitChain::End::unexplained:
      return ", which was in " + path(chain.root) + share + ": why it took so long there, the trace does not tell";
    case WaitChain::End::missing_record:
      return ", which was in " + path(chain.root) + share +
             ": the trace lacks the other half of a message there, so the chain ends";
    case WaitChain::End::missing_member:
      return ", which was in " + path(chain.root) + share +
             ": the trace lacks a member of the operation there, so the chain ends";
    case WaitChain::End::missing_start:
      return ", which was in " + path(chain.root) + share +
             ": the trace lacks the start of what completes there, so the chain ends";
    case WaitChain::End::missing_part:
      return ", which was in " + path(chain.root) + share +
             ": the trace lacks a part of the epoch, or the owner before of the lock, there, so the chain ends";
    case WaitChain::End::no_record:
      return ", which was in " + path(chain.root) + share +
             ": the trace has no record of what it waited for there, so the chain ends";
    case WaitChain::End::not_followed:
      return ", which was in " + path(chain.root) + share +
             ": waits there are followed only with --set critical_path.all_waits=1";
    case WaitChain::End::no_culprit:
      return ", and for whom that is is not known";
    case WaitChain::End::nothing:
      return ", which came late, but was nowhere longer than who waited for it";
    case WaitChain::End::circle:
      return ", and so on in a circle, as the clocks disagree";
    case WaitChain::End::left_out:
      return ", and so on: the chain is longer than what is followed";
  }
  return "";
}

const char* words(Crossing crossing) {
  switch (crossing) {
    case Crossing::late_sender:
      return "a message";
    case Crossing::late_receiver:
      return "the receive of its message";
    case Crossing::barrier:
      return "the last one at a barrier";
    case Crossing::n_to_n:
      return "the last one of an N x N operation";
    case Crossing::one_to_n:
      return "the root of an operation";
    case Crossing::n_to_one:
      return "the last one that sends to it in an operation";
    case Crossing::finalize:
      return "the last one at MPI_Finalize";
    case Crossing::fork:
      return "its team";
    case Crossing::team_barrier:
      return "the last thread at a barrier";
    case Crossing::window:
      return "the last one at its window";
    case Crossing::epoch:
      return "its part of an epoch";
    case Crossing::passive_target:
      return "its lock, or to call MPI";
    case Crossing::shmem_collective:
      return "the last one, or the root, of an operation";
    case Crossing::shmem_pair:
      return "its lock, or what it writes";
    case Crossing::lock:
      return "its lock";
    case Crossing::task:
      return "a task to be created, or to end";
    case Crossing::device:
      return "its kernel";
    case Crossing::launch:
      return "the launch of its kernel";
    case Crossing::scan:
      return "one of lower rank in a prefix reduction";
    case Crossing::none:
      break;
  }
  return "something";
}

Seconds seconds_of(const AnalysisResult& result) { return {result.definitions.clock, result.duration()}; }

Ticks since_first(const AnalysisResult& result, Time t) {
  const Time first = first_event(result);
  return t < first ? 0 : static_cast<Ticks>(t - first);
}

}  // namespace

bool last_waited_too(const WaitChain& chain) {
  constexpr double told_from = 0.01;
  return chain.end == WaitChain::End::work && chain.waited_share >= told_from;
}

std::string chain_clause(const AnalysisResult& result, const WaitChain& chain,
                         const std::function<std::string(CallPathId)>& path) {
  std::string text;
  const std::size_t hops = chain.steps.size() - 1;  // behind the first culprit
  const std::size_t shown = hops <= most_names ? hops : most_names - 1;
  for (std::size_t i = 1; i <= shown; ++i) {
    const LocationId next = chain.steps[i].culprit;
    text += ", itself waiting";
    if (next.valid()) text += " for " + name_of(result, next);
  }
  if (shown < hops) {
    const LocationId last = chain.steps.back().culprit;
    text += fmt::format(", and so on over {} more waits", hops - shown);
    if (last.valid()) text += " to " + name_of(result, last);
  }
  return text + end_clause(chain, path);
}

std::vector<NumberedInstance> most_severe(const AnalysisResult& result, MetricIndex metric) {
  std::vector<NumberedInstance> all;
  const auto waits = result.waits.find(metric);
  if (waits == result.waits.end()) return all;
  for (const auto& [path, instances] : waits->second.severe)
    for (const SevereInstance& i : instances) all.push_back({metric, 0, &i});
  std::stable_sort(all.begin(), all.end(), [](const NumberedInstance& a, const NumberedInstance& b) {
    const SevereInstance &x = *a.instance, &y = *b.instance;
    return x.total != y.total ? x.total > y.total : x.longest.begin < y.longest.begin;
  });
  for (std::size_t i = 0; i < all.size(); ++i) all[i].number = i + 1;
  return all;
}

std::vector<NumberedInstance> with_chains(const AnalysisResult& result, const std::vector<MetricIndex>& metrics,
                                          std::size_t most) {
  std::vector<NumberedInstance> all;
  const auto is_asked = [&](MetricIndex metric) {
    for (MetricIndex m = metric; m != no_metric; m = result.metrics[m].parent)
      if (std::find(metrics.begin(), metrics.end(), m) != metrics.end()) return true;
    return metrics.empty();
  };
  std::set<std::pair<LocationId, Time>> seen;
  for (const auto& waits : result.waits) {
    if (!is_asked(waits.first)) continue;
    std::size_t number = 0;
    for (const NumberedInstance& i : most_severe(result, waits.first)) {
      if (!i.instance->chain || number++ >= most) continue;
      const ChainStep& first = i.instance->chain->steps.front();
      if (seen.emplace(first.location, first.enter).second) all.push_back(i);
    }
  }
  return all;
}

std::string chain_text(const AnalysisResult& result, const NumberedInstance& asked, const Style& style) {
  const WaitChain& chain = *asked.instance->chain;
  const Wait& wait = asked.instance->longest;
  const Seconds seconds = seconds_of(result);
  const auto path = [&](CallPathId id) { return callpath_label(result, id); };
  const MetricInfo& info = result.metrics[asked.metric];
  std::string text = style.bold(fmt::format("{} {}", info.id, asked.number)) +
                     fmt::format("  at {} s", seconds.text(since_first(result, wait.begin)));
  if (asked.instance->waiters > 1)
    text += fmt::format(", {} waited {} s together: the longest of them",
                        count(asked.instance->waiters, "location", "locations"), seconds.text(asked.instance->total));
  text += '\n';
  std::size_t number = 0;
  for (const ChainStep& s : chain.steps) {
    const std::string lead = fmt::format("{:>3}. ", ++number);
    std::string line =
        fmt::format("{} waited {} in {} (entered at {} s)", name_of(result, s.location), seconds.brief(s.ticks),
                    path(s.callpath), seconds.text(since_first(result, s.enter)));
    if (s.culprit.valid()) line += fmt::format(" for {}: {}", name_of(result, s.culprit), words(s.crossing));
    if (number > 1) line += fmt::format("; {} of the first wait goes through here", share_text(s.share));
    text += paragraph(lead, line, style.width);
  }
  std::string end = chain.steps.back().culprit.valid() ? name_of(result, chain.steps.back().culprit) : "this wait";
  end += end_clause(chain, path);
  if (chain.root.valid())
    end += fmt::format("; it was there {} longer than who waited for it", seconds.brief(chain.root_ticks));
  return text + paragraph("     ", end + '.', style.width);
}

void write_chain_json(const AnalysisResult& result, const NumberedInstance& asked, std::ostream& out) {
  const WaitChain& chain = *asked.instance->chain;
  const auto seconds = [&](std::int64_t ticks) { return result.seconds(ticks); };
  const auto name_or_null = [&](LocationId l) {
    return l.valid() ? nlohmann::ordered_json(name_of(result, l)) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const ChainStep& s : chain.steps)
    steps.push_back({{"location", name_or_null(s.location)},
                     {"callpath", callpath_label(result, s.callpath)},
                     {"entered", seconds(since_first(result, s.enter))},
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
  const nlohmann::ordered_json all = {{"metric", result.metrics[asked.metric].id},
                                      {"instance", asked.number},
                                      {"total", seconds(asked.instance->total)},
                                      {"waiters", asked.instance->waiters},
                                      {"steps", steps},
                                      {"end", enum_name(chain.end)},
                                      {"root", root}};
  out << all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

}  // namespace waitstate::report
