// The registry: patterns in the order in which they run, and the metric tree that they make. Whatever a pattern refers
// to - patterns that it needs, parents of its metrics - has to be there when it is added. So dependencies point back,
// there are no cycles, and choosing is two walks over the list: from the end for what the chosen ones depend on, from
// the start for what depends on the unwanted ones. Costs nothing that counts: it happens once, before the trace.
#include "waitstate/registry.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "analysis/metrics/add_metric.hpp"
#include "analysis/metrics/metric_names.hpp"
#include "analysis/plugins/plugin_files.hpp"
#include "analysis/plugins/plugin_library.hpp"
#include "waitstate/error.hpp"

namespace waitstate {
namespace {

UsageError always_there(std::string_view id) {
  return UsageError("'" + std::string(id) + "' needs no pattern: it is always there");
}

/// Ids are words in tables, options and file names.
bool is_word(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string did_you_mean(const MetricTree& metrics, std::string_view id) {
  const std::string near = analysis::nearest_metric(id, {&metrics});
  return near.empty() ? "" : ": did you mean '" + near + "'?";
}

}  // namespace

PatternRegistry::PatternRegistry() {
  for (PatternHandle& p : built_in_patterns()) add(std::move(p), "built-in");
}

void PatternRegistry::add(PatternHandle pattern, std::string origin) {
  try {
    add_metrics(pattern.pattern->info(), origin);
  } catch (...) {
    metrics_.keep_first(owner_.size());
    throw;
  }
  owner_.resize(metrics_.size(), entries_.size());
  entries_.push_back({std::move(pattern), std::move(origin)});
}

// Those of a pattern, once all that it says of itself has been checked; `owner_` still ends where they begin.
void PatternRegistry::add_metrics(const PatternInfo& info, const std::string& origin) {
  if (info.metrics.empty())
    throw UsageError("a pattern (" + origin + ") has no metrics: it needs one at least, whose id is the pattern's");
  const std::string who = "pattern '" + info.metrics.front().id + "' (" + origin + ")";
  for (const std::string& id : info.needs) {
    const MetricIndex m = metrics_.find(id);
    if (m == no_metric) throw UsageError(who + " needs '" + id + "', which is no pattern" + did_you_mean(metrics_, id));
    if (owner(m) == nullptr) throw UsageError(who + " needs '" + id + "', which is no pattern: it is always there");
    if (const std::string needed = owner(m)->handle.id(); needed != id)
      throw UsageError(who + " needs '" + id + "', which is a metric of pattern '" + needed + "': name the pattern");
  }
  for (auto p = info.parameters.begin(); p != info.parameters.end(); ++p) {
    if (!is_word(p->name))
      throw UsageError(who + " has a parameter '" + p->name + "': a name consists of letters, digits, '_' and '-'");
    if (std::any_of(info.parameters.begin(), p, [&](const ParameterSpec& other) { return other.name == p->name; }))
      throw UsageError(who + " has two parameters '" + p->name + "': every parameter needs a name of its own");
  }
  for (const MetricSpec& m : info.metrics) {
    if (!is_word(m.id))
      throw UsageError(who + " has a metric '" + m.id + "': an id consists of letters, digits, '_' and '-'");
    if (const MetricIndex taken = metrics_.find(m.id); taken != no_metric) {
      if (taken >= owner_.size())
        throw UsageError(who + " has two metrics '" + m.id + "': every metric needs an id of its own");
      const Entry* other = owner(taken);
      const std::string by = other == nullptr
                                 ? "needs no pattern and is always there"
                                 : "belongs to pattern '" + other->handle.id() + "' (" + other->origin + ")";
      throw UsageError(who + " has a metric '" + m.id + "', which " + by + ": every metric needs an id of its own");
    }
    if (!m.parent.empty() && metrics_.find(m.parent) == no_metric)
      throw UsageError(who + " has a metric '" + m.id + "' below '" + m.parent + "', which is no metric" +
                       did_you_mean(metrics_, m.parent));
    analysis::add_metric(metrics_, m);
  }
}

void PatternRegistry::load_plugin(const std::filesystem::path& library) {
  const std::filesystem::path file = analysis::find_plugin(library, search_path());
  std::error_code error;
  for (const Entry& e : entries_)
    if (std::filesystem::equivalent(e.origin, file, error) && !error) return;
  PatternRegistry more = *this;  // all of its patterns or none
  for (PatternHandle& p : analysis::open_plugin(file)) more.add(std::move(p), file.string());
  *this = std::move(more);
}

std::vector<std::filesystem::path> PatternRegistry::search_path() { return analysis::plugin_search_path(); }

std::size_t PatternRegistry::owner_at(std::string_view id) const {
  const std::size_t entry = owner_[metrics_.at(id)];
  if (entry == no_entry) throw always_there(id);
  return entry;
}

const PatternRegistry::Entry& PatternRegistry::at(std::string_view id) const { return entries_[owner_at(id)]; }

void PatternRegistry::set(std::string_view parameter, std::string_view value) {
  const std::size_t dot = parameter.find('.');
  if (dot == std::string_view::npos)
    throw UsageError("'" + std::string(parameter) + "' names no parameter: expected ID.PARAMETER");
  PatternHandle& handle = entries_[owner_at(parameter.substr(0, dot))].handle;
  try {
    handle.parameters.set(parameter.substr(dot + 1), value);
  } catch (const UsageError& e) {
    throw UsageError("pattern '" + handle.id() + "': " + e.what());
  }
}

// The entries that an id stands for: its pattern, or all below a metric that needs none.
std::vector<std::size_t> PatternRegistry::meant(std::string_view id) const {
  const MetricIndex wanted = metrics_.at(id);
  if (owner_[wanted] != no_entry) return {owner_[wanted]};
  std::vector<std::size_t> entries;
  for (MetricIndex m = 0; m < metrics_.size(); ++m) {
    MetricIndex above = m;
    while (above != wanted && above != no_metric) above = metrics_[above].parent;
    if (above == wanted && owner_[m] != no_entry) entries.push_back(owner_[m]);
  }
  if (entries.empty()) throw always_there(id);
  return entries;
}

// The entries that have to run if this one runs: those it needs, and those that compute the parents of its metrics.
std::vector<std::size_t> PatternRegistry::dependencies(std::size_t entry) const {
  const PatternInfo info = entries_[entry].handle.pattern->info();
  std::vector<std::size_t> result;
  for (const std::string& id : info.needs) result.push_back(owner_[metrics_.at(id)]);
  for (const MetricSpec& m : info.metrics)
    if (!m.parent.empty()) result.push_back(owner_[metrics_.at(m.parent)]);
  std::erase_if(result, [&](std::size_t d) { return d == no_entry || d == entry; });
  return result;
}

std::vector<PatternHandle> PatternRegistry::chosen(const std::vector<std::string>& only,
                                                   const std::vector<std::string>& without) const {
  std::vector<bool> wanted(entries_.size(), only.empty()), unwanted(entries_.size(), false);
  for (const std::string& id : only)
    for (const std::size_t i : meant(id)) wanted[i] = true;
  for (const std::string& id : without)
    for (const std::size_t i : meant(id)) unwanted[i] = true;

  std::vector<std::vector<std::size_t>> needed(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    needed[i] = dependencies(i);
    for (const std::size_t d : needed[i])
      if (unwanted[d]) unwanted[i] = true;
  }
  for (std::size_t i = entries_.size(); i-- > 0;)  // what is unwanted pulls nothing in
    if (wanted[i] && !unwanted[i])
      for (const std::size_t d : needed[i]) wanted[d] = true;

  std::vector<PatternHandle> result;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (wanted[i] && !unwanted[i]) result.push_back(entries_[i].handle);
  return result;
}

}  // namespace waitstate
