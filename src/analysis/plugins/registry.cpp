// The registry: patterns in the order in which they run, and the metric tree that they make. Everything that a pattern
// refers to - patterns that it needs, parents of its metrics - has to be there, or to be added with it: then none of
// them depends on itself. The cost does not matter: it happens once, before the trace.
#include "waitstate/pattern/registry.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "analysis/dispatch/pattern_set.hpp"
#include "analysis/metrics/metric_names.hpp"
#include "analysis/plugins/plugin_files.hpp"
#include "analysis/plugins/plugin_library.hpp"
#include "util/nearest.hpp"
#include "waitstate/error.hpp"

namespace waitstate {
namespace {

UsageError always_there(std::string_view id) {
  return UsageError("'" + std::string(id) + "' needs no pattern: it is always computed");
}

/// Ids are words in tables, options and file names.
bool is_word(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

/// Says what is wrong with the range of a parameter; empty if nothing is.
std::string wrong_range(const ParameterSpec& p) {
  if (!p.minimum && !p.maximum) return "";
  if (std::holds_alternative<std::string>(p.fallback)) return "with a range: a text has none";
  if (p.minimum && p.maximum && !(*p.minimum <= *p.maximum)) return "whose minimum is above its maximum";
  try {
    Parameters one({p});
    one.set(p.name, one.value_text(0));
  } catch (const UsageError&) {
    return "whose default is outside of its range, " + range_text(p);
  }
  return "";
}

}  // namespace

PatternRegistry::PatternRegistry() {
  std::vector<Entry> all;
  for (PatternHandle& p : built_in_patterns()) all.push_back({std::move(p), std::string(built_in_origin)});
  for (PatternHandle& p : patterns_on_request()) all.push_back({std::move(p), std::string(built_in_origin), true});
  add(std::move(all));
}

void PatternRegistry::add(PatternHandle pattern, std::string origin) {
  std::vector<Entry> one;
  one.push_back({std::move(pattern), std::move(origin)});
  add(std::move(one));
}

void PatternRegistry::add(std::vector<Entry> patterns) {
  std::vector<PatternInfo> infos;
  for (Entry& e : patterns) {
    analysis::set_origin(e.handle, e.origin);
    infos.push_back(e.handle.pattern->info());
    if (infos.back().metrics.empty())
      throw UsageError("a pattern (class " + e.handle.class_name + ", " + e.handle.place +
                       ") has no metrics: it needs at least one, whose id is the pattern's");
  }
  for (std::size_t i = 0; i < patterns.size(); ++i) check(patterns[i], infos[i], infos, patterns);
  std::vector<const PatternHandle*> handles;
  for (const Entry& e : patterns) handles.push_back(&e.handle);
  const std::vector<std::size_t> order = analysis::run_order(handles);
  std::vector<std::vector<MetricIndex>> metrics;
  try {
    metrics = analysis::add_metrics(metrics_, handles);
  } catch (...) {
    metrics_.keep_first(owner_.size());
    throw;
  }
  owner_.resize(metrics_.size());
  for (const std::size_t i : order) {
    for (const MetricIndex m : metrics[i]) owner_[m] = entries_.size();
    entries_.push_back(std::move(patterns[i]));
  }
}

// Checks everything that a pattern says about itself, except for the order. `others` are added with it.
void PatternRegistry::check(const Entry& entry, const PatternInfo& info, const std::vector<PatternInfo>& others,
                            const std::vector<Entry>& of_others) const {
  const PatternHandle& handle = entry.handle;
  const std::string who = analysis::described(handle, info.metrics.front().id);
  std::vector<std::string_view> known;  // ids of metrics
  for (MetricIndex m = 0; m < metrics_.size(); ++m) known.push_back(metrics_[m].id);
  for (const PatternInfo& other : others)
    for (const MetricSpec& m : other.metrics) known.push_back(m.id);
  const auto near = [&](std::string_view id) {
    std::string name = analysis::nearest_metric(id, {&metrics_});
    if (name.empty()) name = util::nearest(id, known);
    return name.empty() || name == id ? std::string() : ": did you mean '" + name + "'?";
  };
  // The pattern beside this one that has a metric of this id; others.size() if there is none.
  const auto beside = [&](std::string_view id) {
    std::size_t i = 0;
    while (i < others.size() && std::none_of(others[i].metrics.begin(), others[i].metrics.end(),
                                             [&](const MetricSpec& m) { return m.id == id; }))
      ++i;
    return i;
  };
  const auto of_pattern = [](const std::string& needed, const std::string& id) {
    return needed == id ? "" : "', which is a metric of pattern '" + needed + "': name the pattern";
  };

  for (const std::string& id : info.needs) {
    std::string wrong;
    if (const MetricIndex m = metrics_.find(id); m != no_metric)
      wrong = owner(m) == nullptr ? "', which is not a pattern: it is always computed"
                                  : of_pattern(owner(m)->handle.id(), id);
    else if (const std::size_t other = beside(id); other != others.size())
      wrong = of_pattern(others[other].metrics.front().id, id);
    else
      wrong = "', which is not a pattern" + near(id);
    if (!wrong.empty()) throw UsageError(who + " needs '" + id + wrong);
  }
  for (auto p = info.parameters.begin(); p != info.parameters.end(); ++p) {
    if (!is_word(p->name))
      throw UsageError(who + " has a parameter '" + p->name + "': a name consists of letters, digits, '_' and '-'");
    if (std::any_of(info.parameters.begin(), p, [&](const ParameterSpec& other) { return other.name == p->name; }))
      throw UsageError(who + " has two parameters '" + p->name + "': every parameter needs a name of its own");
    if (const std::string wrong = wrong_range(*p); !wrong.empty())
      throw UsageError(who + " has a parameter '" + p->name + "' " + wrong);
  }
  for (auto m = info.metrics.begin(); m != info.metrics.end(); ++m) {
    if (!is_word(m->id))
      throw UsageError(who + " has a metric '" + m->id + "': an id consists of letters, digits, '_' and '-'");
    if (std::any_of(info.metrics.begin(), m, [&](const MetricSpec& other) { return other.id == m->id; }))
      throw UsageError(who + " has two metrics '" + m->id + "': every metric needs an id of its own");
    std::string by;
    if (const MetricIndex taken = metrics_.find(m->id); taken != no_metric) {
      const Entry* const other = owner(taken);
      by = other == nullptr ? "needs no pattern and is always there"
                            : "belongs to pattern '" + other->handle.id() + "' (" + other->origin + ")";
    } else if (const std::size_t first = beside(m->id); first != others.size() && &others[first] != &info) {
      by = "belongs to " + analysis::described(of_others[first].handle, others[first].metrics.front().id) + " too";
    }
    if (!by.empty())
      throw UsageError(who + " has a metric '" + m->id + "', which " + by + ": every metric needs an id of its own");
    if (!m->parent.empty() && metrics_.find(m->parent) == no_metric && beside(m->parent) == others.size())
      throw UsageError(who + " has a metric '" + m->id + "' below '" + m->parent + "', which is not a metric" +
                       near(m->parent));
  }
  if ((handle.interests & interest_published) != 0 && info.needs.empty())
    throw UsageError(who +
                     " has a published_callback, but names no patterns in `needs` whose compound events it could "
                     "receive");
  if (handle.idle)
    throw UsageError(who + " has no callback and so does nothing: expected one such as completed_receives_callback");
}

void PatternRegistry::open_plugin(const std::filesystem::path& library, std::vector<Entry>& patterns) const {
  const std::filesystem::path file = analysis::find_plugin(library, search_path());
  const auto is_there = [&](const std::vector<Entry>& entries) {
    return std::any_of(entries.begin(), entries.end(), [&](const Entry& e) {
      std::error_code error;
      return std::filesystem::equivalent(e.origin, file, error) && !error;
    });
  };
  if (is_there(entries_) || is_there(patterns)) return;
  for (PatternHandle& p : analysis::open_plugin(file)) {
    analysis::set_origin(p, file.string());
    patterns.push_back({std::move(p), file.string()});
  }
}

void PatternRegistry::load_plugin(const std::filesystem::path& library) {
  std::vector<Entry> patterns;
  open_plugin(library, patterns);
  add(std::move(patterns));
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

// The entries that an id stands for: its pattern, or all patterns below a metric that needs none.
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
  std::vector<bool> wanted(entries_.size()), unwanted(entries_.size(), false);
  for (std::size_t i = 0; i < entries_.size(); ++i) wanted[i] = only.empty() && !entries_[i].on_request;
  for (const std::string& id : only) {
    if (id == all_patterns) {
      for (std::size_t i = 0; i < entries_.size(); ++i) wanted[i] = wanted[i] || !entries_[i].on_request;
      continue;
    }
    for (const std::size_t i : meant(id)) wanted[i] = true;
  }
  for (const std::string& id : without)
    for (const std::size_t i : meant(id)) unwanted[i] = true;

  std::vector<std::vector<std::size_t>> needed(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) needed[i] = dependencies(i);
  for (bool more = true; more;) {  // a parent's pattern may stand behind
    more = false;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (!unwanted[i] && std::any_of(needed[i].begin(), needed[i].end(), [&](std::size_t d) { return unwanted[d]; }))
        unwanted[i] = more = true;
  }
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (wanted[i] && !unwanted[i]) open.push_back(i);  // an unwanted entry pulls nothing in
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    for (const std::size_t d : needed[i])
      if (!wanted[d]) wanted[d] = true, open.push_back(d);
  }

  std::vector<PatternHandle> result;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (wanted[i] && !unwanted[i]) result.push_back(entries_[i].handle);
  return result;
}

}  // namespace waitstate
