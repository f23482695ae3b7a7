#include "serve/pattern_list.hpp"

#include <nlohmann/json.hpp>
#include <variant>

#include "analysis/dispatch/pattern_set.hpp"
#include "util/text.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {
namespace {

using nlohmann::json;

const char* type_of(const ParameterValue& value) {
  if (std::holds_alternative<std::int64_t>(value)) return "integer";
  return std::holds_alternative<double>(value) ? "number" : "text";
}

json parameters_of(const PatternInfo& info) {
  json list = json::array();
  const Parameters defaults(info.parameters);
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const ParameterSpec& spec = info.parameters[i];
    json one = {{"name", spec.name},
                {"type", type_of(spec.fallback)},
                {"unit", spec.unit},
                {"default", defaults.value_text(i)},
                {"description", spec.summary}};
    if (spec.minimum) one["minimum"] = *spec.minimum;
    if (spec.maximum) one["maximum"] = *spec.maximum;
    list.push_back(std::move(one));
  }
  return list;
}

/// From 0 to 1; null if the pattern cannot say.
json confidence_of(const PatternHandle& handle) {
  json confidence;
  try {
    analysis::in_its_name(handle, "confidence", [&] { confidence = handle.pattern->confidence(); });
  } catch (const Error&) {
    return {};
  }
  return confidence;
}

/// The patterns that run with this one, without it.
json needs_of(const PatternRegistry& registry, const std::string& id) {
  json ids = json::array();
  for (const PatternHandle& handle : registry.chosen({id}, {}))
    if (handle.id() != id) ids.push_back(handle.id());
  return ids;
}

}  // namespace

std::string patterns_json(const PatternRegistry& registry) {
  json metrics = json::array(), patterns = json::array();
  const MetricTree& tree = registry.metrics();
  for (const MetricIndex m : tree.depth_first()) {
    const MetricInfo& info = tree[m];
    const PatternRegistry::Entry* const owner = registry.owner(m);
    metrics.push_back({{"id", info.id},
                       {"name", info.title},
                       {"parent", info.parent == no_metric ? json() : json(tree[info.parent].id)},
                       {"unit", name(info.unit)},
                       {"description", info.summary},
                       {"pattern", owner == nullptr ? json() : json(owner->handle.id())}});
  }
  for (const PatternRegistry::Entry& entry : registry.entries()) {
    const PatternInfo info = entry.handle.pattern->info();
    const std::string id = entry.handle.id();
    const MetricIndex own = tree.find(id);
    json ids = json::array();
    for (const MetricIndex m : tree.depth_first())
      if (registry.owner(m) == &entry) ids.push_back(tree[m].id);
    patterns.push_back({{"id", id},
                        {"name", own == no_metric ? id : tree[own].title},
                        {"description", own == no_metric ? "" : tree[own].summary},
                        {"metrics", std::move(ids)},
                        {"needs", needs_of(registry, id)},
                        {"on_by_default", !entry.on_request},
                        {"confidence", confidence_of(entry.handle)},
                        {"plugin", !entry.handle.is_built_in()},
                        {"parameters", parameters_of(info)}});
  }
  return util::printable_json(json{{"metrics", std::move(metrics)}, {"patterns", std::move(patterns)}}.dump(
      -1, ' ', false, json::error_handler_t::replace));
}

}  // namespace waitstate::serve
