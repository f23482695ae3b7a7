#include "report/facts/runs/communication_by_run.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace waitstate::report {
namespace {

using All = CommunicationByRun;

std::string name_of(const AnalysisResult& run, CommId comm) {
  return comm.valid() && comm.index() < run.definitions.comms.size() ? run.definitions[comm].name : "";
}

std::vector<All::Sum> sums_of(Runs runs) {
  using Pair = Communication::Pair;
  constexpr std::pair<std::string_view, std::uint64_t Pair::*> numbers[] = {
      {"messages", &Pair::messages},   {"bytes", &Pair::bytes}, {"puts", &Pair::puts},
      {"bytes_put", &Pair::bytes_put}, {"gets", &Pair::gets},   {"bytes_got", &Pair::bytes_got}};
  std::vector<All::Sum> sums;
  for (const auto& [id, member] : numbers) {
    ByRun& sum = sums.emplace_back(All::Sum{id, ByRun(runs.size(), 0)}).value;
    for (std::size_t i = 0; i < runs.size(); ++i)
      for (const Pair& p : runs[i]->communication->pairs) *sum[i] += static_cast<double>(p.*member);
  }
  return sums;
}

std::vector<All::Pair> pairs_of(Runs runs) {
  const ByRun none(runs.size(), 0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, All::Pair> by_processes;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const Communication::Pair& p : runs[i]->communication->pairs) {
      const All::Pair empty{p.sender, p.receiver, none, none};
      All::Pair& pair = by_processes.try_emplace({p.sender, p.receiver}, empty).first->second;
      pair.messages[i] = static_cast<double>(p.messages);
      pair.bytes[i] = static_cast<double>(p.bytes);
    }
  std::vector<All::Pair> changed;
  for (auto& [processes, pair] : by_processes)
    if (pair.messages.spread() != 0 || pair.bytes.spread() != 0) changed.push_back(std::move(pair));
  std::stable_sort(changed.begin(), changed.end(), [](const auto& x, const auto& y) {
    return std::tuple(x.bytes.spread(), x.messages.spread()) > std::tuple(y.bytes.spread(), y.messages.spread());
  });
  return changed;
}

std::vector<All::Sizes> sizes_of(Runs runs) {
  std::map<std::uint64_t, All::Sizes> by_size;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const Communication::Sizes& s : runs[i]->communication->sizes) {
      const All::Sizes empty{s.from, s.to, ByRun(runs.size(), 0)};
      by_size.try_emplace(s.from, empty).first->second.messages[i] = static_cast<double>(s.messages);
    }
  std::vector<All::Sizes> all;
  for (auto& [from, sizes] : by_size) all.push_back(std::move(sizes));
  return all;
}

std::vector<All::Operations> collectives_of(Runs runs) {
  const ByRun none(runs.size(), 0);
  std::map<std::pair<std::string, std::string_view>, All::Operations> by_name;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const Communication::Operations& o : runs[i]->communication->collectives) {
      const std::string comm = name_of(*runs[i], o.comm);
      const All::Operations empty{comm, o.operation, none, none, none, none};
      All::Operations& to = by_name.try_emplace({comm, enum_name(o.operation)}, empty).first->second;
      *to.operations[i] += static_cast<double>(o.operations);
      *to.bytes_sent[i] += static_cast<double>(o.bytes_sent);
      *to.seconds[i] += runs[i]->seconds(o.ticks);
      *to.wait_seconds[i] += runs[i]->seconds(o.wait_ticks);
    }
  std::vector<All::Operations> all;
  for (auto& [name, operations] : by_name) all.push_back(std::move(operations));
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& x, const auto& y) { return x.seconds.spread() > y.seconds.spread(); });
  return all;
}

}  // namespace

std::optional<CommunicationByRun> communication_by_run(Runs runs) {
  if (!std::all_of(runs.begin(), runs.end(), [](const AnalysisResult* r) { return r->communication.has_value(); }))
    return std::nullopt;
  const std::uint64_t block = runs.back()->communication->processes_per_block;
  CommunicationByRun all{.sums = sums_of(runs), .processes_per_block = block};
  all.has_pairs = std::all_of(runs.begin(), runs.end(),
                              [&](const AnalysisResult* r) { return r->communication->processes_per_block == block; });
  if (all.has_pairs) all.pairs = pairs_of(runs);
  all.sizes = sizes_of(runs);
  all.collectives = collectives_of(runs);
  return all;
}

}  // namespace waitstate::report
