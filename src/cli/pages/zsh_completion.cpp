// Zsh knows how options and arguments follow each other. _arguments needs a specification for each of them, such as
//
//   '--format=[form of the output]:text|csv|json:(text csv json)'
#include "cli/pages/zsh_completion.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/help_formatter.hpp"
#include "cli/pages/values.hpp"

namespace waitstate::cli::pages {
namespace {

/// Escapes a text for a specification in '…', in which brackets and colons have a meaning.
std::string in_specification(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '\n')
      out += ' ';
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string function_of(const std::string& vocabulary) { return "_waitstate_" + vocabulary; }

/// The action with which _arguments completes a value.
std::string action(const Values& values) {
  const std::string function = function_of(values.vocabulary);
  switch (values.kind) {
    case Kind::word:
      return values.vocabulary.empty() ? fmt::format("({})", fmt::join(values.words, " ")) : function;
    case Kind::list:
      return "_sequence " + function;
    case Kind::begin:
      return function + " -S \"\"";
    case Kind::file:
      return "_files";
    case Kind::folder:
      return "_files -/";
    case Kind::unknown:
      break;
  }
  return " ";
}

std::string specification(const CLI::Option& option) {
  const Values values = values_of(option);
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name + (values.count > 0 ? "+" : ""));
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name + (values.count > 0 ? "=" : ""));
  std::string rest = fmt::format("[{}]", in_specification(option.get_description()));
  std::string_view value_names = values.name;  // "FROM TO" for two values
  for (int i = 0; i < values.count; ++i) {
    const auto end = i + 1 < values.count ? value_names.find(' ') : std::string_view::npos;
    rest += fmt::format(":{}:{}", in_specification(value_names.substr(0, end)), action(values));
    value_names.remove_prefix(end == std::string_view::npos ? value_names.size() : end + 1);
  }
  const std::string several = values.several ? "*" : "";
  if (names.size() == 1) return fmt::format("'{}{}{}'", several, names.front(), rest);
  std::vector<std::string> plain = names;
  for (std::string& name : plain) name.erase(name.find_last_not_of("+=") + 1);
  return fmt::format("'({})'{{{}}}'{}'", fmt::join(plain, " "), fmt::join(names, ","), rest);
}

std::string argument_list(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : options_of(command)) text += " \\\n        " + specification(*option);
  for (const CLI::Option* argument : arguments_of(command)) {
    const Values values = values_of(*argument);
    text += fmt::format(" \\\n        '{}:{}:{}'", values.several ? "*" : "", in_specification(values.name),
                        action(values));
  }
  if (formatter_of(command).runs_a_program())
    text += " \\\n        '(-):program:_command_names -e' \\\n        '*::arguments:_normal'";
  return text;
}

}  // namespace

std::string zsh_completion(const CLI::App& app) {
  std::string text =
      "#compdef waitstate\n"
      "# Completion of waitstate's arguments in zsh. Generated from the options of the program by 'waitstate "
      "generate'.\n\n";
  for (const Vocabulary& v : vocabularies(app))
    if (v.name == "commands") {
      text += function_of(v.name) + "() {\n  local -a commands=(\n";
      for (const CLI::App* command : commands_of(app))
        text += fmt::format("    '{}:{}'\n", command->get_name(), in_specification(command->get_description()));
      text += "  )\n  _describe -t commands command commands\n}\n\n";
    } else {
      text += fmt::format("{}() {{\n  compadd \"$@\" - {}\n}}\n\n", function_of(v.name), fmt::join(v.words, " "));
    }
  text += "_waitstate() {\n  local curcontext=$curcontext state line\n  typeset -A opt_args\n  _arguments -C";
  for (const CLI::Option* option : options_of(app)) text += " \\\n    " + specification(*option);
  text +=
      " \\\n    '1:command:_waitstate_commands' \\\n    '*::argument:->arguments'\n"
      "  [[ $state == arguments ]] || return\n"
      "  curcontext=${curcontext%:*:*}:waitstate-$line[1]:\n  case $line[1] in\n";
  for (const CLI::App* command : commands_of(app))
    text += fmt::format("    {})\n      _arguments -S{}\n      ;;\n", command->get_name(), argument_list(*command));
  return text + "  esac\n}\n\n_waitstate \"$@\"\n";
}

}  // namespace waitstate::cli::pages
