#include "report/facts/waits/accounts.hpp"

#include <algorithm>
#include <map>

#include "util/text.hpp"

namespace waitstate::report {
namespace {

/// The metric of each part of an account, no_metric where it has none.
// Values may be so large, by damage, that sums wrap around: reports say then that they mean nothing.
void add(std::int64_t& sum, std::int64_t value) { sum = add_ticks(sum, static_cast<std::uint64_t>(value)); }

std::array<MetricIndex, FunctionAccount::part_count> parts_of(const MetricTree& metrics, MetricIndex account) {
  std::array<MetricIndex, FunctionAccount::part_count> parts{};
  parts.fill(no_metric);
  for (const MetricIndex m : metrics.children(account))
    if (metrics[m].kind > MetricKind::account)
      parts[static_cast<std::size_t>(metrics[m].kind) - static_cast<std::size_t>(MetricKind::account_wait)] = m;
  return parts;
}

bool is_wait_state(const MetricTree& metrics, MetricIndex m) {
  if (metrics[m].kind != MetricKind::wait || !metrics[m].within_parent) return false;
  for (MetricIndex above = metrics[m].parent; above != no_metric; above = metrics[above].parent)
    if (metrics[above].kind == MetricKind::wait) return false;
  return true;
}

}  // namespace

std::vector<FunctionAccount> function_accounts(const AnalysisResult& result, const Totals& totals) {
  const MetricTree& metrics = result.metrics;
  std::map<std::string, FunctionAccount> by_name;
  // Some recorders define a function once for each process: functions are identified by name.
  const auto name_of = [&](std::size_t path) -> const std::string* {
    const RegionId region = result.call_tree[CallPathId{path}].region;
    return region.valid() ? &result.definitions[region].name : nullptr;
  };
  for (MetricIndex account = 0; account < metrics.size(); ++account) {
    if (metrics[account].kind != MetricKind::account) continue;
    const auto parts = parts_of(metrics, account);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      if (parts[part] == no_metric || totals.of(parts[part]) == 0) continue;
      const std::vector<std::int64_t> values = totals.by_callpath(parts[part]);
      for (std::size_t path = 0; path < values.size(); ++path) {
        const std::string* const name = name_of(path);
        if (values[path] == 0 || name == nullptr) continue;
        FunctionAccount& function = by_name[*name];
        function.transfers = parts[FunctionAccount::transfer] != no_metric;
        function.metrics = parts;
        add(function.total, values[path]);
        add(function.parts[part], values[path]);
        if (values[path] > function.worst[part].second) function.worst[part] = {CallPathId{path}, values[path]};
      }
    }
  }
  for (MetricIndex m = 0; m < metrics.size(); ++m) {
    if (metrics[m].kind != MetricKind::account_possible_wait || totals.of(m) == 0) continue;
    const std::vector<std::int64_t> values = totals.by_callpath(m);
    for (std::size_t path = 0; path < values.size(); ++path)
      if (const std::string* const name = name_of(path); values[path] != 0 && name != nullptr)
        if (const auto known = by_name.find(*name); known != by_name.end())
          add(known->second.possible_wait, values[path]);
  }
  for (MetricIndex m = 0; m < metrics.size(); ++m) {
    if (totals.of(m) == 0 || !is_wait_state(metrics, m)) continue;
    std::map<std::string, std::int64_t> found;
    const std::vector<std::int64_t> values = totals.by_callpath(m);
    for (std::size_t path = 0; path < values.size(); ++path)
      if (const std::string* const name = name_of(path); values[path] != 0 && name != nullptr)
        add(found[*name], values[path]);
    for (const auto& [name, value] : found)
      if (const auto known = by_name.find(name); known != by_name.end()) known->second.states.emplace_back(m, value);
  }
  if (const MetricIndex visits = metrics.find("visits"); visits != no_metric) {
    const std::vector<std::int64_t> values = totals.by_callpath(visits);
    for (std::size_t path = 0; path < values.size(); ++path)
      if (const std::string* const name = name_of(path); values[path] != 0 && name != nullptr)
        if (const auto known = by_name.find(*name); known != by_name.end()) add(known->second.calls, values[path]);
  }
  std::vector<FunctionAccount> accounts;
  for (auto& [name, account] : by_name) {
    account.function = util::printable(name);
    std::stable_sort(account.states.begin(), account.states.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    accounts.push_back(std::move(account));
  }
  std::stable_sort(accounts.begin(), accounts.end(),
                   [](const FunctionAccount& a, const FunctionAccount& b) { return a.total > b.total; });
  return accounts;
}

TimeOfWaiting time_of_waiting(const AnalysisResult& result, const Totals& totals) {
  TimeOfWaiting time;
  for (MetricIndex m = 0; m < result.metrics.size(); ++m) {
    if (result.metrics[m].kind == MetricKind::account_wait) add(time.waited, totals.of(m));
    if (result.metrics[m].kind == MetricKind::account_unknown) add(time.unknown, totals.of(m));
    if (result.metrics[m].kind == MetricKind::account_possible_wait) add(time.unknown, totals.of(m));
  }
  return time;
}

Remainder largest_remainder(const std::vector<FunctionAccount>& accounts) {
  Remainder largest;
  for (const FunctionAccount& a : accounts)
    if (a.transfers)
      for (const auto part : {FunctionAccount::transfer, FunctionAccount::local, FunctionAccount::unknown})
        if (a.parts[part] > largest.ticks)
          largest = {a.function,
                     part,
                     a.metrics[part],
                     a.parts[part],
                     part == FunctionAccount::transfer ? a.possible_wait : 0,
                     a.calls,
                     a.worst[part].first,
                     a.worst[part].second};
  return largest;
}

}  // namespace waitstate::report
