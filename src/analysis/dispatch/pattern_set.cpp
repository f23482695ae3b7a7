#include "analysis/dispatch/pattern_set.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <typeinfo>
#include <unordered_map>

#include "waitstate/error.hpp"

namespace waitstate::analysis {
namespace {

/// The name of a C++ class without its namespaces.
std::string class_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                    &std::free);
  if (!name) return type.name();
  const std::string_view whole = name.get();
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (whole[i] == '<' || whole[i] == '(') ++depth;
    if ((whole[i] == '>' || whole[i] == ')') && depth > 0) --depth;
    if (depth == 0 && whole[i] == ':') begin = i + 1;
  }
  return std::string(whole.substr(begin));
}

/// Visits nodes that depend on each other, depth first: calls place(i) once all nodes that i depends on have been
/// placed, and circle(…) if they depend on each other in a circle.
template <class Dependencies, class Place, class Circle>
void in_order(std::size_t count, const Dependencies& dependencies, const Place& place, const Circle& circle) {
  struct Open {
    std::size_t node;
    std::vector<std::size_t> left;  ///< the next one is the last element
  };
  enum class State : std::uint8_t { new_one, open, placed };
  std::vector<State> states(count, State::new_one);
  std::vector<Open> open;
  const auto begin = [&](std::size_t node) {
    std::vector<std::size_t> left = dependencies(node);
    states[node] = State::open;
    open.push_back({node, {left.rbegin(), left.rend()}});
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (states[i] == State::new_one) begin(i);
    while (!open.empty()) {
      if (open.back().left.empty()) {
        place(open.back().node);
        states[open.back().node] = State::placed;
        open.pop_back();
        continue;
      }
      const std::size_t next = open.back().left.back();
      open.back().left.pop_back();
      if (states[next] == State::new_one)
        begin(next);
      else if (states[next] == State::open) {
        std::vector<std::size_t> nodes;
        for (std::size_t k = open.size(); k-- > 0;) {
          nodes.insert(nodes.begin(), open[k].node);
          if (open[k].node == next) break;
        }
        circle(nodes);
      }
    }
  }
}

}  // namespace

std::string described(const PatternHandle& pattern, std::string_view id) {
  std::string text = "pattern '" + std::string(id) + "'";
  if (pattern.is_built_in()) return text;
  const std::string& place = pattern.place;
  const std::string name = pattern.class_name.empty() ? "" : "class " + pattern.class_name;
  if (!name.empty() || !place.empty()) text += " (" + name + (name.empty() || place.empty() ? "" : ", ") + place + ")";
  return text;
}

void set_origin(PatternHandle& pattern, const std::string& origin) {
  pattern.origin = origin;
  if (pattern.class_name.empty() && pattern.pattern) {
    const Pattern& made = *pattern.pattern;
    pattern.class_name = class_name(typeid(made));
  }
  if (pattern.place.empty() && !origin.starts_with("class ")) pattern.place = origin;
}

void in_its_name(const PatternHandle& pattern, const char* function, const std::function<void()>& body) {
  const auto failure = [&](const std::string& why) {
    return PatternError(described(pattern, pattern.id()) + " failed in " + function + ": " + why);
  };
  try {
    body();
  } catch (const std::bad_alloc&) {
    if (pattern.is_built_in()) throw;
    throw failure(no_memory);
  } catch (const std::exception& e) {
    throw failure(e.what());
  } catch (...) {
    throw failure("an exception of an unknown type");
  }
}

std::vector<std::size_t> run_order(std::span<const PatternHandle* const> patterns) {
  std::vector<std::vector<std::string>> needs;
  std::vector<std::string> ids;
  std::unordered_map<std::string, std::size_t> by_id;
  for (const PatternHandle* p : patterns) {
    const PatternInfo info = p->pattern->info();
    needs.push_back(info.needs);
    ids.push_back(info.metrics.empty() ? std::string() : info.metrics.front().id);
    by_id.try_emplace(ids.back(), ids.size() - 1);
  }
  std::vector<std::size_t> order;
  const auto needed = [&](std::size_t i) {
    std::vector<std::size_t> all;
    for (const std::string& id : needs[i])
      if (const auto found = by_id.find(id); found != by_id.end()) all.push_back(found->second);
    return all;
  };
  in_order(
      patterns.size(), needed, [&](std::size_t i) { order.push_back(i); },
      [&](const std::vector<std::size_t>& circle) {
        const std::size_t first = circle.front();
        if (circle.size() == 1) throw UsageError(described(*patterns[first], ids[first]) + " needs itself");
        std::string text;
        for (const std::size_t i : circle) text += described(*patterns[i], ids[i]) + " needs ";
        throw UsageError(text + '\'' + ids[first] + "', which cannot run both before and after them: break the circle");
      });
  return order;
}

std::vector<std::vector<MetricIndex>> add_metrics(MetricTree& metrics, std::span<const PatternHandle* const> patterns) {
  struct Spec {
    std::size_t pattern;
    std::uint32_t handle;
    MetricSpec metric;
  };
  std::vector<Spec> specs;
  std::unordered_map<std::string, std::size_t> by_id;
  std::vector<std::vector<MetricIndex>> indices;
  std::vector<MetricTexts> texts;  // indexed by pattern
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    PatternInfo info = patterns[p]->pattern->info();
    indices.emplace_back(info.metrics.size(), no_metric);
    texts.push_back(
        {std::move(info.severity), std::move(info.charged_to), std::move(info.source), std::move(info.diagnosis)});
    for (std::uint32_t h = 0; h < info.metrics.size(); ++h) {
      by_id.try_emplace(info.metrics[h].id, specs.size());
      specs.push_back({p, h, std::move(info.metrics[h])});
    }
  }
  const auto who = [&](const Spec& s) {
    const auto of_same = [&](const Spec& other) { return other.pattern == s.pattern && other.handle == 0; };
    const Spec& first = *std::find_if(specs.begin(), specs.end(), of_same);
    return described(*patterns[s.pattern], first.metric.id);
  };
  const auto parent = [&](std::size_t i) {
    const std::string& id = specs[i].metric.parent;
    const auto found = by_id.find(id);
    if (id.empty() || metrics.find(id) != no_metric || found == by_id.end()) return std::vector<std::size_t>{};
    return std::vector{found->second};
  };
  const auto add = [&](std::size_t i) {
    const MetricSpec& m = specs[i].metric;
    if (!m.parent.empty() && !m.within_parent)
      if (const Unit whole = metrics[metrics.at(m.parent)].unit; whole != m.unit)
        throw UsageError(who(specs[i]) + " has a metric '" + m.id + "' of the unit " + std::string(name(m.unit)) +
                         ", which is added to '" + m.parent + "' of the unit " + std::string(name(whole)) +
                         ": choose another parent or none, or set within_parent");
    const MetricIndex index = metrics.add(m.id, m.parent, m.unit, m.within_parent, m.title, m.summary, m.kind);
    const bool built_in = patterns[specs[i].pattern]->is_built_in();
    if (!built_in) metrics.set_from_plugin(index);
    if (m.within_parent) metrics.set_siblings(index, built_in ? m.siblings : Siblings::overlapping);
    metrics.set_aggregation(index, aggregation(m.queue_value));
    metrics.set_texts(index, texts[specs[i].pattern]);
    indices[specs[i].pattern][specs[i].handle] = index;
  };
  in_order(specs.size(), parent, add, [&](const std::vector<std::size_t>& circle) {
    const Spec& first = specs[circle.front()];
    std::string text = who(first) + " has a metric '" + first.metric.id + "'";
    if (circle.size() == 1) throw UsageError(text + " below itself");
    for (const std::size_t i : circle)
      text += (i == circle.front() ? " below '" : ", which is below '") + specs[i].metric.parent + "'";
    throw UsageError(text + ": one of them needs another parent, or none");
  });
  return indices;
}

}  // namespace waitstate::analysis
