#include "serve/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "util/nearest.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

enum class Form { text, list, assignments, number, absent_if_true, from, to };

struct Parameter {
  std::string_view name, option;
  Form form;
  bool of_report = false;  ///< changes only what a report has beside severities
};
constexpr Parameter known[] = {{"patterns", "--pattern", Form::list},
                               {"without", "--without", Form::list},
                               {"set", "--set", Form::assignments},
                               {"region", "--region", Form::text},
                               {"from", "--time", Form::from},
                               {"to", "--time", Form::to},
                               {"locations", "--location", Form::text},
                               {"rma_model", "--rma-model", Form::text},
                               {"counters", "--no-counters", Form::absent_if_true},
                               {"threads", "--threads", Form::number},
                               {"phase", "--phase", Form::text, true},
                               {"series", "--no-series", Form::absent_if_true, true},
                               {"contexts", "--no-contexts", Form::absent_if_true, true}};

[[noreturn]] void refuse(std::string_view name, const json& value, const char* expected) {
  throw UsageError(fmt::format("\"{}\" is of type {}, expected {}", name, value.type_name(), expected));
}

std::string text(std::string_view name, const json& value) {
  if (!value.is_string()) refuse(name, value, "a string");
  auto word = value.get<std::string>();
  if (word.find('\0') != std::string::npos) throw UsageError(fmt::format("\"{}\" has a NUL character", name));
  return word;
}

std::string number(std::string_view name, const json& value) {
  if (!value.is_number()) refuse(name, value, "a number");
  return value.dump();
}

void add(Words& words, std::string_view option, const std::string& value) {
  if (value.starts_with('-') || value.empty()) {  // it would be taken for an option
    words.push_back(fmt::format("{}={}", option, value));
  } else {
    words.emplace_back(option);
    words.push_back(value);
  }
}

void add(Words& words, const Parameter& p, const json& value) {
  switch (p.form) {
    case Form::text:
      return add(words, p.option, text(p.name, value));
    case Form::number:
      return add(words, p.option, number(p.name, value));
    case Form::list: {
      if (!value.is_array()) refuse(p.name, value, "a list of strings");
      std::string list;
      for (const json& element : value) list += (list.empty() ? "" : ",") + text(p.name, element);
      if (!value.empty()) add(words, p.option, list);
      return;
    }
    case Form::assignments:
      if (!value.is_object()) refuse(p.name, value, "an object such as {\"ID.PARAM\": \"1\"}");
      for (const auto& [name, v] : value.items())
        add(words, p.option, fmt::format("{}={}", name, v.is_number() ? v.dump() : text(name, v)));
      return;
    case Form::absent_if_true:
      if (!value.is_boolean()) refuse(p.name, value, "true or false");
      if (!value.get<bool>()) words.emplace_back(p.option);
      return;
    case Form::from:
    case Form::to:
      number(p.name, value);  // both are one option
      return;
  }
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./,:=@%+").find(c) != std::string_view::npos;
}

}  // namespace

Words options_of(const json& parameters, bool for_export) {
  if (!parameters.is_object())
    throw UsageError(fmt::format("the body is of type {}, expected an object", parameters.type_name()));
  for (const auto& [name, value] : parameters.items()) {
    if (std::any_of(std::begin(known), std::end(known),
                    [&, &wanted = name](const Parameter& p) { return p.name == wanted; }))
      continue;
    std::vector<std::string_view> names;
    for (const Parameter& p : known) names.push_back(p.name);
    const std::string near = util::nearest(name, names);
    throw UsageError(fmt::format("unknown parameter \"{}\"{}", name,
                                 near.empty() ? "" : fmt::format(": did you mean \"{}\"?", near)));
  }
  const auto given = [&](const char* name) {
    const auto found = parameters.find(name);
    return found != parameters.end() && !found->is_null();
  };
  Words words;
  for (const Parameter& p : known) {
    const auto found = parameters.find(std::string(p.name));
    if (found == parameters.end() || found->is_null() || (for_export && p.of_report)) continue;
    add(words, p, *found);
    if (p.form != Form::from && !(p.form == Form::to && !given("from"))) continue;
    words.emplace_back(p.option);
    words.push_back(given("from") ? parameters["from"].dump() : "0");
    words.push_back(given("to") ? parameters["to"].dump() : "inf");
  }
  return words;
}

std::string shell_line(const Words& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) c == '\'' ? line += "'\\''" : line += c;
    line += '\'';
  }
  return line;
}

}  // namespace waitstate::serve
