#include "cli/pages/values.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <utility>

#include "cli/commands/mpit.hpp"
#include "cli/help_formatter.hpp"
#include "record/core/groups.hpp"
#include "report/facts/ideal_machine.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/registry.hpp"
#include "waitstate/trace/event_type.hpp"

namespace waitstate::cli::pages {
namespace {

struct Known {
  std::string_view name;
  Kind kind;
  std::string_view vocabulary;
};
constexpr std::array known_values = {
    Known{"ID", Kind::word, "metrics"},
    Known{"ID[,ID...]", Kind::list, "metrics"},
    Known{"ID[:N]", Kind::begin, "metrics"},
    Known{"ID.PARAM=VALUE", Kind::begin, "parameters"},
    Known{"GATE", Kind::begin, "gates"},
    Known{"TYPE[,TYPE...]", Kind::list, "types"},
    Known{"GROUP[,GROUP...]", Kind::list, "groups"},
    Known{"COMMAND", Kind::word, "commands"},
    Known{"LIST", Kind::word, "lists"},
    Known{"WHEN", Kind::word, "moments"},
    Known{"FILE", Kind::file, ""},
    Known{"TRACE", Kind::file, ""},
    Known{"REPORT", Kind::file, ""},
    Known{"A", Kind::file, ""},
    Known{"B", Kind::file, ""},
    Known{"FOLDER", Kind::folder, ""},
};

std::vector<std::string> split(std::string_view text, char mark) {
  std::vector<std::string> words;
  for (;;) {
    const auto end = text.find(mark);
    words.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

bool can_be_chosen(const PatternRegistry& registry, const std::string& id) {
  try {
    return !registry.chosen({id}, {}).empty();
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

Values values_of(const CLI::Option& option) {
  Values values;
  values.name = option.get_positional() ? option.get_name(true, false) : option.get_type_name();
  values.count = option.get_items_expected_max() > 0 ? option.get_type_size_max() : 0;
  values.several = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (option.get_positional()) values.several = option.get_expected_max() > 1;
  if (values.name.find('|') != std::string::npos) {
    values.kind = Kind::word;
    values.words = split(values.name, '|');
  }
  for (const Known& k : known_values)
    if (k.name == values.name) {
      values.kind = k.kind;
      values.vocabulary = k.vocabulary;
    }
  if (option.check_lname("pattern") || (option.check_lname("without") && values.vocabulary == "metrics"))
    values.vocabulary = "patterns";
  return values;
}

std::vector<Vocabulary> vocabularies(const CLI::App& app) {
  Vocabulary metrics{"metrics", {}}, patterns{"patterns", {}}, parameters{"parameters", {}}, gates{"gates", {}},
      types{"types", {}}, groups{"groups", {"all"}}, commands{"commands", {}}, lists{"lists", mpit_lists()},
      moments{"moments", {"call"}};
  const PatternRegistry registry;
  for (const MetricIndex m : registry.metrics().depth_first()) {
    const std::string& id = registry.metrics()[m].id;
    metrics.words.push_back(id);
    if (can_be_chosen(registry, id)) patterns.words.push_back(id);
  }
  for (const PatternRegistry::Entry& entry : registry.entries())
    for (const ParameterSpec& parameter : entry.handle.parameters.specs())
      parameters.words.push_back(entry.handle.id() + "." + parameter.name + "=");
  gates.words = metrics.words;
  for (const report::EfficiencyFactor& factor : report::efficiency_factors) gates.words.emplace_back(factor.id);
  for (const report::IdealFactor& factor : report::ideal_factors) gates.words.emplace_back(factor.id);
  for (const EventTypeSpec& type : event_types) types.words.emplace_back(type.name);
  for (const record::NamedGroup& group : record::named_groups) groups.words.emplace_back(group.name);
  for (const CLI::App* command : commands_of(app)) commands.words.push_back(command->get_name());
  return {metrics, patterns, parameters, gates, types, groups, commands, lists, moments};
}

}  // namespace waitstate::cli::pages
