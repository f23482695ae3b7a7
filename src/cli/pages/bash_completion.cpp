// The script walks over the words before the cursor, as the program does: the command, options with their values,
// arguments. The facts that it needs are in three generated tables; the rest of the text is fixed. Of the package
// bash-completion it uses only, if installed, the completion of other programs behind `waitstate record`.
#include "cli/pages/bash_completion.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <utility>
#include <vector>

#include "cli/help_formatter.hpp"
#include "cli/pages/values.hpp"

namespace waitstate::cli::pages {
namespace {

constexpr const char* code = R"bash(
# KIND WORDS: what is offered for the word at the cursor.
_waitstate_offer() {
  case $1 in
    file) compopt -o default ;;
    folder) compopt -o dirnames ;;
    word) COMPREPLY=($(compgen -W "$2" -- "$cur")) ;;
    begin)
      compopt -o nospace
      COMPREPLY=($(compgen -W "$2" -- "$cur"))
      ;;
    list)
      local before=
      if [[ $cur == *,* ]]; then before=${cur%,*},; fi
      compopt -o nospace
      COMPREPLY=($(compgen -P "$before" -W "$2" -- "${cur##*,}"))
      ;;
  esac
}

_waitstate() {
  local IFS=$' \t\n' cur=${COMP_WORDS[COMP_CWORD]} command= left=0 arguments=0 options=1 i word takes kind words
  local value_kind= value_words=
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then
      continue # bash breaks --format=json there
    elif ((left > 0)); then
      left=$((left - 1))
    elif [[ $word == -- ]]; then
      options=0
    elif ((options)) && [[ $word == -* ]]; then
      _waitstate_values "$command" "$word"
      left=$takes value_kind=$kind value_words=$words
    elif [[ -z $command ]]; then
      command=$word
    elif [[ " $_waitstate_launchers " == *" $command "* ]]; then
      break # the program that is run, and its arguments
    else
      arguments=$((arguments + 1))
    fi
  done
  if [[ $cur == '=' ]]; then cur=; fi
  cur=${cur#[\'\"]}
  if ((i < COMP_CWORD)); then
    if declare -F _command_offset >/dev/null; then _command_offset "$i"; else compopt -o default; fi
  elif ((left > 0)); then
    _waitstate_offer "$value_kind" "$value_words"
  elif ((options)) && [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$(_waitstate_options "$command")" -- "$cur"))
  elif [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "$_waitstate_commands" -- "$cur"))
  elif [[ " $_waitstate_launchers " == *" $command "* ]]; then
    COMPREPLY=($(compgen -c -- "$cur"))
    compopt -o default
  else
    _waitstate_arguments "$command" "$((arguments + 1))"
    _waitstate_offer "$kind" "$words"
  fi
}

complete -F _waitstate waitstate
)bash";

std::string quoted(const std::vector<std::string>& words) { return fmt::format("'{}'", fmt::join(words, " ")); }

constexpr const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::word:
      return "word";
    case Kind::list:
      return "list";
    case Kind::begin:
      return "begin";
    case Kind::file:
      return "file";
    case Kind::folder:
      return "folder";
    case Kind::unknown:
      break;
  }
  return "";
}

/// The assignments that describe the words, "kind=word words=$_waitstate_metrics".
std::string assignments(const Values& values) {
  if (values.kind == Kind::unknown) return "";
  std::string text = fmt::format("kind={}", name_of(values.kind));
  if (!values.vocabulary.empty())
    text += fmt::format(" words=$_waitstate_{}", values.vocabulary);
  else if (!values.words.empty())
    text += " words=" + quoted(values.words);
  return text;
}

/// Collects the cases of a `case`; several may share an action.
class Cases {
 public:
  void add(const std::string& pattern, const std::string& action) {
    for (auto& [known, patterns] : cases_)
      if (known == action) return patterns.push_back(pattern);
    cases_.push_back({action, {pattern}});
  }
  std::string text() const {
    std::string text;
    for (const auto& [action, patterns] : cases_)
      text += fmt::format("    {})\n      {}\n      ;;\n", fmt::join(patterns, " |\\\n      "),
                          action.empty() ? ":" : action);
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> cases_;
};

struct Tables {
  Cases options, values, arguments;
  std::vector<std::string> launchers;  ///< commands that run another program

  void add(const CLI::App& command, const std::string& name) {
    if (formatter_of(command).runs_a_program()) launchers.push_back(name);
    std::vector<std::string> names;
    for (const CLI::Option* option : options_of(command)) {
      const Values of_option = values_of(*option);
      std::vector<std::string> forms;
      for (const std::string& form : option->get_snames()) forms.push_back("-" + form);
      for (const std::string& form : option->get_lnames()) names.push_back(forms.emplace_back("--" + form));
      if (of_option.count == 0) continue;
      const std::string what = assignments(of_option);
      const std::string action = fmt::format("takes={}{}{}", of_option.count, what.empty() ? "" : " ", what);
      for (const std::string& form : forms) values.add(fmt::format("'{} {}'", name, form), action);
    }
    options.add(fmt::format("'{}'", name), fmt::format("echo {}", quoted(names)));
    std::size_t number = 0;
    for (const CLI::Option* argument : arguments_of(command)) {
      const Values of_argument = values_of(*argument);
      arguments.add(of_argument.several ? fmt::format("'{} '*", name) : fmt::format("'{} {}'", name, ++number),
                    assignments(of_argument));
    }
  }
};

}  // namespace

std::string bash_completion(const CLI::App& app) {
  Tables tables;
  tables.add(app, "");
  for (const CLI::App* command : commands_of(app)) tables.add(*command, command->get_name());
  std::string text =
      "# Completion of waitstate's arguments in bash. Generated from the options of the program by 'waitstate "
      "generate'.\n\n";
  for (const Vocabulary& v : vocabularies(app)) text += fmt::format("_waitstate_{}={}\n", v.name, quoted(v.words));
  text += fmt::format("_waitstate_launchers={}\n", quoted(tables.launchers));
  text +=
      "\n"
      "# Prints the options of COMMAND.\n"
      "_waitstate_options() {\n"
      "  case $1 in\n" +
      tables.options.text() + "  esac\n}\n";
  text +=
      "\n"
      "# COMMAND OPTION: sets the number of values that the option takes, and their kind and words.\n"
      "_waitstate_values() {\n"
      "  takes=0 kind= words=\n"
      "  case \"$1 $2\" in\n" +
      tables.values.text() + "  esac\n}\n";
  text +=
      "\n"
      "# COMMAND NUMBER: sets the kind and words of this argument.\n"
      "_waitstate_arguments() {\n"
      "  kind= words=\n"
      "  case \"$1 $2\" in\n" +
      tables.arguments.text() + "  esac\n}\n";
  return text + code;
}

}  // namespace waitstate::cli::pages
