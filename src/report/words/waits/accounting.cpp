#include "report/words/waits/accounting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace waitstate::report {
namespace {

constexpr std::array<const char*, FunctionAccount::part_count> part_names{"wait", "transfer", "management", "local",
                                                                          "unknown"};

/// Of one account: the metric of each part, no_metric where it has none.
std::array<MetricIndex, FunctionAccount::part_count> parts_of(const MetricTree& metrics, MetricIndex account) {
  std::array<MetricIndex, FunctionAccount::part_count> parts{};
  parts.fill(no_metric);
  for (const MetricIndex m : metrics.children(account))
    if (metrics[m].kind > MetricKind::account)
      parts[static_cast<std::size_t>(metrics[m].kind) - static_cast<std::size_t>(MetricKind::account_wait)] = m;
  return parts;
}

/// The node of every process, if all are on one and there are several; "" otherwise.
std::string only_node(const Definitions& definitions) {
  std::set<std::string> nodes;
  std::size_t processes = 0;
  for (const LocationGroup& p : definitions.processes) {
    if (p.rank < 0) continue;
    ++processes;
    SystemNodeId node = p.parent, found = p.parent;
    for (; node.valid(); node = definitions.system_tree[node.index()].parent)
      if (definitions.system_tree[node.index()].class_name == "node") found = node;
    if (!found.valid()) return "";
    nodes.insert(definitions.system_tree[found.index()].name);
  }
  return processes > 1 && nodes.size() == 1 ? *nodes.begin() : "";
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
  // Some recorders define a function once for each process: it is told by its name.
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
        function.total += values[path];
        function.parts[part] += values[path];
        if (values[path] > function.worst[part].second) function.worst[part] = {CallPathId{path}, values[path]};
      }
    }
  }
  for (MetricIndex m = 0; m < metrics.size(); ++m) {
    if (totals.of(m) == 0 || !is_wait_state(metrics, m)) continue;
    std::map<std::string, std::int64_t> found;
    const std::vector<std::int64_t> values = totals.by_callpath(m);
    for (std::size_t path = 0; path < values.size(); ++path)
      if (const std::string* const name = name_of(path); values[path] != 0 && name != nullptr)
        found[*name] += values[path];
    for (const auto& [name, value] : found)
      if (const auto known = by_name.find(name); known != by_name.end()) known->second.states.emplace_back(m, value);
  }
  if (const MetricIndex visits = metrics.find("visits"); visits != no_metric) {
    const std::vector<std::int64_t> values = totals.by_callpath(visits);
    for (std::size_t path = 0; path < values.size(); ++path)
      if (const std::string* const name = name_of(path); values[path] != 0 && name != nullptr)
        if (const auto known = by_name.find(*name); known != by_name.end()) known->second.calls += values[path];
  }
  std::vector<FunctionAccount> accounts;
  for (auto& [name, account] : by_name) {
    account.function = printable(name);
    std::stable_sort(account.states.begin(), account.states.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    accounts.push_back(std::move(account));
  }
  std::stable_sort(accounts.begin(), accounts.end(),
                   [](const FunctionAccount& a, const FunctionAccount& b) { return a.total > b.total; });
  return accounts;
}

Remainder largest_remainder(const std::vector<FunctionAccount>& accounts) {
  Remainder largest;
  for (const FunctionAccount& a : accounts)
    if (a.transfers)
      for (const auto part : {FunctionAccount::transfer, FunctionAccount::local, FunctionAccount::unknown})
        if (a.parts[part] > largest.ticks) largest = {&a, part, a.parts[part]};
  return largest;
}

std::string title(const Remainder& r) {
  switch (r.part) {
    case FunctionAccount::transfer:
      return "Transfer in " + r.account->function;
    case FunctionAccount::local:
      return "Local time in " + r.account->function;
    default:
      return "Unknown time in " + r.account->function;
  }
}

std::string advice(const Remainder& r, const AnalysisResult& result) {
  switch (r.part) {
    case FunctionAccount::transfer: {
      std::string text =
          "That is after everybody had come. Send fewer and larger messages, overlap "
          "them with computation, let partners that compute call MPI now and then, or keep them close to each other.";
      if (const std::string node = only_node(result.definitions); !node.empty())
        text += " All processes ran on one node, " + printable(node) +
                ": more processes than cores slow down every transfer.";
      return text;
    }
    case FunctionAccount::local:
      return "These calls depend on nobody else: call them less often.";
    default:
      return "The trace does not tell whether somebody was waited for there; see mpi_unknown in --full for the "
             "reasons.";
  }
}

std::string accounting_text(const AnalysisResult& result, const std::vector<FunctionAccount>& accounts,
                            std::int64_t whole, std::size_t most, const Style& style) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, accounts.size()); ++i) {
    const FunctionAccount& a = accounts[i];
    if (static_cast<double>(a.total) < 0.01 * static_cast<double>(whole)) break;
    std::string parts;
    const auto add = [&](std::int64_t ticks, const std::string& name) {
      if (static_cast<double>(ticks) < 0.0005 * static_cast<double>(whole)) return;
      parts += fmt::format("{}{} % {}", parts.empty() ? "" : ", ", percent(ticks, whole), name);
    };
    std::int64_t wait = a.parts[FunctionAccount::wait];
    // Wait states may overlap, and are counted from the begin of an operation on: they are named as far as they fit.
    for (const auto& [metric, ticks] : a.states) {
      const MetricInfo& info = result.metrics[metric];
      if (ticks > wait) continue;
      add(ticks, info.title.empty() ? info.id : info.title);
      wait -= ticks;
    }
    add(wait, a.states.empty() ? part_names[FunctionAccount::wait] : "other waits");
    for (const auto part :
         {FunctionAccount::transfer, FunctionAccount::management, FunctionAccount::local, FunctionAccount::unknown})
      add(a.parts[part], part_names[part]);
    if (parts.empty()) continue;
    text += paragraph("", fmt::format("{} % of the time is in {}: {}.", percent(a.total, whole), a.function, parts),
                      style.width);
  }
  return text;
}

}  // namespace waitstate::report
