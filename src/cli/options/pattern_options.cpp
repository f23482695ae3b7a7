// Reads and merges in an order in which every name is defined before it is used: plug-ins of the file and of the
// command line, then parameters, then the choice. Errors in the file are reported with its name. No request on the
// command line may be ignored silently: a parameter of a pattern that does not run is an error.
#include "cli/options/pattern_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "cli/command.hpp"
#include "cli/working_folder.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;
using Config = PatternOptions::Config;

Strings strings(const std::string& key, const json& value) {
  if (!value.is_array())
    throw UsageError(fmt::format("\"{}\" is of type {}, expected a list of strings", key, value.type_name()));
  Strings list;
  for (const json& element : value) {
    if (!element.is_string())
      throw UsageError(fmt::format("\"{}\" has a value of type {}, expected strings", key, element.type_name()));
    list.push_back(element.get<std::string>());
  }
  return list;
}

std::vector<std::pair<std::string, std::string>> values(const json& value) {
  if (!value.is_object())
    throw UsageError(
        fmt::format("\"set\" is of type {}, expected an object as {{\"ID.PARAM\": 1}}", value.type_name()));
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [name, v] : value.items()) {
    if (!v.is_string() && !v.is_number())
      throw UsageError(fmt::format("\"{}\" is of type {}, expected a number or a string", name, v.type_name()));
    result.emplace_back(name, v.is_string() ? v.get<std::string>() : v.dump());
  }
  return result;
}

json parsed(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw UsageError("it is a folder; expected a JSON file");
  errno = 0;
  std::ifstream in(file);
  if (!in) throw UsageError(std::strerror(errno));
  try {
    return json::parse(in, nullptr, true, true);  // with comments, because people write this file
  } catch (const json::exception& e) {            // "[json.exception.parse_error.101] parse error at line 1, …"
    const std::string text = e.what();
    const auto end = text.find("] ");
    throw UsageError(end == std::string::npos ? text : text.substr(end + 2));
  }
}

Config read_config(const std::string& file) {
  const json root = parsed(file);
  if (!root.is_object())
    throw UsageError(fmt::format("it holds a value of type {}, expected an object", root.type_name()));
  Config config;
  for (const auto& [key, value] : root.items()) {
    if (key == "plugins")
      config.plugins = strings(key, value);
    else if (key == "patterns")
      config.patterns = strings(key, value);
    else if (key == "without")
      config.without = strings(key, value);
    else if (key == "set")
      config.values = values(value);
    else
      throw UsageError(
          fmt::format("unknown key \"{}\"{}", key, did_you_mean(key, {"plugins", "patterns", "without", "set"})));
  }
  // A path is relative to the file; a name without '/' is looked up in the search path.
  for (std::string& plugin : config.plugins)
    if (plugin.find('/') != std::string::npos) plugin = (std::filesystem::path(file).parent_path() / plugin).string();
  return config;
}

/// `first` without the elements of `less`, then `second`.
Strings merged(const Strings& first, const Strings& less, const Strings& second) {
  Strings all;
  for (const std::string& id : first)
    if (std::find(less.begin(), less.end(), id) == less.end()) all.push_back(id);
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

}  // namespace

void PatternOptions::add_to(CLI::App& app) {
  const auto ids = [&](const char* name, Strings& list, const char* description) {
    app.add_option(name, list, description)
        ->delimiter(',')
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("ID[,ID...]");
  };
  ids("--pattern", patterns_,
      "compute only these metrics and the metrics that they need ('waitstate patterns' lists all); all stands for "
      "those that run by default, e.g. all,critical_path,delay");
  ids("--without", without_, "leave out these metrics and the metrics that need them");
  add_set_option(app);
  add_plugin_option(app);
  add_config_option(app);
}

void PatternOptions::add_config_option(CLI::App& app) {
  app.add_option("--config", config_, "a JSON file that chooses metrics, plug-ins and parameters")->type_name("FILE");
}

void PatternOptions::add_set_option(CLI::App& app) {
  app.add_option("--set", assignments_,
                 "set a parameter of a pattern ('waitstate explain ID' lists them); may be given several times")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("ID.PARAM=VALUE");
}

void PatternOptions::add_plugin_option(CLI::App& app) {
  app.add_option("--plugin", plugins_,
                 "load a plug-in with patterns of your own, in C++ (.so) or Python (.py); a name without '/' is looked "
                 "up in WAITSTATE_PLUGIN_PATH; may be given several times")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("FILE");
}

void PatternOptions::run_too(const std::string& id) {
  if (patterns_.empty()) patterns_.emplace_back("all");
  patterns_.push_back(id);
}

std::string PatternOptions::plugins() const { return fmt::format("{}", fmt::join(plugins_, ", ")); }

Strings PatternOptions::as_words() const {
  Strings words;
  const auto add = [&](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  for (const std::string& plugin : plugins_) add("--plugin", plugin);
  if (!config_.empty()) add("--config", config_);
  return words;
}

Strings PatternOptions::files() const { return merged({config_}, {}, plugins_); }

// The code of a plug-in runs as soon as it is loaded, may crash or end the process, and one in Python brings an
// interpreter with it. So it is loaded in the process that does the work (guard.hpp).
void PatternOptions::check() {
  if (!config_.empty()) {
    try {
      from_file_ = read_config(config_);  // read once: it may be a pipe
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("configuration file '{}': {}", config_, e.what()));
    }
  }
  if (plugins_.empty() && from_file_.plugins.empty())
    load();
  else
    running_ = std::make_shared<RunningPlugin>();
}

const PatternRegistry& PatternOptions::registry() {
  if (!registry_) load();
  return *registry_;
}

std::vector<PatternHandle> PatternOptions::chosen() {
  if (!registry_) load();
  return chosen_;
}

void PatternOptions::load() {
  registry_.emplace();
  const Config& config = from_file_;
  const auto of_config = [&](const auto& step) {
    try {
      step();
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("configuration file '{}': {}", config_, e.what()));
    }
  };
  std::vector<PatternRegistry::Entry> opened;  // added together: they may build on each other
  const auto open = [&](const std::string& plugin) {
    const WorkingFolder folder;
    const RunningPlugin::Mark loading(*running_, running_->number(plugin), "");
    registry_->open_plugin(plugin, opened);
  };
  of_config([&] {
    for (const std::string& plugin : config.plugins) open(plugin);
  });
  for (const std::string& plugin : plugins_) open(plugin);
  for (PatternRegistry::Entry& e : opened) e.handle = marked(std::move(e.handle), running_);
  registry_->add(std::move(opened));
  of_config([&] {
    for (const auto& [name, value] : config.values) registry_->set(name, value);
    registry_->chosen(config.patterns, config.without);  // checks the names only
  });

  Strings set;
  for (const std::string& assignment : assignments_) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos)
      throw UsageError(fmt::format("--set expects ID.PARAM=VALUE, not '{}'", assignment));
    registry_->set(std::string_view(assignment).substr(0, equals), std::string_view(assignment).substr(equals + 1));
    set.push_back(assignment.substr(0, assignment.find('.')));
  }

  const Strings only = merged(config.patterns, without_, patterns_),
                without = merged(config.without, patterns_, without_);
  chosen_ = registry_->chosen(only, without);
  if (chosen_.empty() && !only.empty())
    throw UsageError("no pattern is left to run: --without excludes all chosen patterns, or patterns that they need");
  for (const std::string& id : set) {
    const auto& wanted = registry_->at(id).handle.pattern;
    if (std::none_of(chosen_.begin(), chosen_.end(), [&](const PatternHandle& h) { return h.pattern == wanted; }))
      throw UsageError(
          fmt::format("--set {}.… has no effect: pattern '{}' is not chosen", id, registry_->at(id).handle.id()));
  }
}

}  // namespace waitstate::cli
