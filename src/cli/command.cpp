// CLI11 knows which argument it could not place, but does not explain it helpfully. So surplus arguments are collected
// (allow_extras) and explained here, before any other complaint: a misspelt option is the cause, and "TRACE is
// required" only its consequence.
#include "cli/command.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string_view>
#include <system_error>

#include "cli/help_formatter.hpp"
#include "cli/output.hpp"
#include "report/form.hpp"
#include "util/nearest.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty())  // hidden ones are not suggested
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

const std::vector<std::string> orders = {"severity", "tree"};

std::string near_hint(const std::string& word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string near = util::nearest(word, views);
  return near.empty() ? "" : fmt::format(": did you mean '{}'?", near);
}

std::string help_hint(const std::string& call) { return fmt::format("; see '{} --help'", call); }

void refuse_extras(const CLI::App& app, const std::string& call) {
  std::vector<std::string> extras = app.remaining();
  if (const auto mark = std::find(extras.begin(), extras.end(), "--"); mark != extras.end()) extras.erase(mark);
  if (extras.empty()) return;
  const std::string& first = extras.front();
  if (first.size() > 1 && first[0] == '-') {
    const std::string name = first.substr(0, first.find('='));
    const std::string hint = near_hint(name, option_names(app));
    throw UsageError(fmt::format("'{}' has no option '{}'{}", call, name, hint.empty() ? help_hint(call) : hint));
  }
  if (app.get_parent() != nullptr)
    throw UsageError(fmt::format("'{}' takes no further argument: '{}'{}", call, first, help_hint(call)));
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  throw UsageError(fmt::format("there is no command '{}'{}", first, did_you_mean(first, names)));
}

/// Refuses an empty value, such as an unset variable of the shell: it must not read as an option that was left out.
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& value : option->get_lnames().empty() ? CLI::results_t{} : option->results())
      if (value.empty())
        throw UsageError(fmt::format("--{} has an empty value: give {}, or leave the option out",
                                     option->get_lnames().front(),
                                     option->get_type_name().empty() ? "one" : option->get_type_name()));
}

/// Refuses numbers that CLI11 misreads: '-1', and numbers that are too large.
void refuse_wrong_numbers(const CLI::App& app, const std::string& call) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& value : option->get_type_name() == "N" ? option->results() : CLI::results_t{}) {
      std::uint64_t number = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (error != std::errc{} || end != value.data() + value.size())
        throw UsageError(
            fmt::format("--{}: cannot read '{}' as N{}", option->get_lnames().front(), value, help_hint(call)));
    }
}

/// CLI11's complaint, in our words where it names an option.
std::string explained(const Command& command, const CLI::ParseError& error) {
  const CLI::App& app = *command.options;
  const std::string_view text = error.what();
  if (error.get_name() == "RequiredError")  // only arguments are ever required
    for (std::size_t i = 0; i < command.arguments.size(); ++i)
      if (app.get_option(command.arguments[i].name)->count() == 0) return command.arguments[i].missing;
  const auto type_of = [&](std::string_view option) {
    const CLI::Option* known = app.get_option_no_throw(std::string(option));
    return known != nullptr ? known->get_type_name() : std::string("a value");
  };
  if (error.get_name() == "ArgumentMismatch") {  // "--time: 2 required FROM TO missing"
    const std::string_view option = text.substr(0, text.find(':'));
    if (text.find(": At Most ") != std::string_view::npos)
      return fmt::format("{} is given more than once: give it once, with {}", option, type_of(option));
    return fmt::format("{} needs {}", option, type_of(option));
  }
  constexpr std::string_view conversion = "Could not convert: ";  // "Could not convert: --threads = x"
  const auto equals = text.find(" = ");
  if (text.substr(0, conversion.size()) == conversion && equals != std::string_view::npos) {
    const std::string_view option = text.substr(conversion.size(), equals - conversion.size());
    if (type_of(option).empty())
      return fmt::format("{} takes no value: leave '={}' out", option, text.substr(equals + 3));
    return fmt::format("{}: cannot read '{}' as {}", option, text.substr(equals + 3), type_of(option));
  }
  return std::string(text);
}

}  // namespace

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known, const std::string& advice) {
  if (std::string hint = near_hint(word, known); !hint.empty()) return hint;
  if (!advice.empty()) return "; " + advice;
  return fmt::format("; known: {}", fmt::join(known, ", "));
}

void check_word(const char* what, const std::string& word, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) == known.end())
    throw UsageError(fmt::format("unknown {} '{}'{}", what, word, did_you_mean(word, known)));
}

CLI::Option* add_choice(CLI::App& options, const std::string& name, std::string& value,
                        const std::vector<std::string>& choices, const std::string& description) {
  return options.add_option(name, value, description)->type_name(fmt::format("{}", fmt::join(choices, "|")));
}

void add_order(CLI::App& options, std::string& order) {
  add_choice(options, "--order", order, orders,
             "with --full, list the largest of siblings first (severity, the default), or follow the order of the "
             "trees (tree)");
}

void check_order(const std::string& order, bool full) {
  if (order.empty()) return;
  check_word("order", order, orders);
  if (!full) throw UsageError(fmt::format("--order {} applies only to --full: give --full too", order));
}

void check_top(const Command& command, const std::string& format) {
  if (format != "text" && command.options->count("--top") != 0)
    throw UsageError(fmt::format(
        "--top limits the text report, but --format {} always contains everything: leave one of the two options out",
        format));
}

std::string Command::inputs() const {
  std::string text;
  for (const auto& words : values)
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::vector<std::string> Command::outputs() const {
  std::vector<std::string> all = further_outputs();
  for (const std::string* file : files)
    if (!file->empty()) all.push_back(*file);
  return all;
}

Argument trace_argument() {
  return {"TRACE", "an OTF2 anchor file (.otf2), a folder that contains one, or a trace in the text notation",
          "no trace given"};
}

Argument report_argument(const std::string& name, const std::string& missing) {
  return {name, fmt::format("a report ({}), or a trace, which is analysed first", report::readable_files()), missing};
}

Command& add_command(CLI::App& app, Commands& commands, const std::string& name, const std::string& description,
                     const std::string& examples, std::vector<Argument> arguments, bool reads_traces) {
  Command& command = *commands.emplace_back(std::make_unique<Command>());
  command.options = app.add_subcommand(name, description)->group("Commands");
  command.options->allow_extras();
  command.options->footer("Examples:\n" + examples);
  command.arguments = std::move(arguments);
  command.values.resize(command.arguments.size());  // never resized again: the options point into it
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const Argument& argument = command.arguments[i];
    CLI::Option* option = command.options->add_option(argument.name, command.values[i], argument.description);
    option->type_name("")->required();
    if (!argument.several) option->expected(1)->allow_extra_args(false);
  }
  command.reads_traces = reads_traces;
  if (reads_traces)  // for debuggers, sanitizers and benchmarks
    command.options->add_flag("--no-guard", command.no_guard)->group("");
  return command;
}

void add_output(Command& command, std::string& file, const std::string& description) {
  command.options->add_option("-o,--output", file, description)->type_name("FILE");
  command.output = &file;
  command.files.push_back(&file);
}

Command* parse(CLI::App& app, Commands& commands, int argc, const char* const* argv) {
  app.allow_extras();
  app.require_subcommand(1);
  const auto asked_for = [&]() -> Command* {
    for (const auto& command : commands)
      if (command->options->parsed()) return command.get();
    return nullptr;
  };
  const auto call = [&](const Command* command) {
    return app.get_name() + (command != nullptr ? " " + command->options->get_name() : "");
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answered) {  // --help, --version: CLI11 prints and says so by an exception
    app.exit(answered);
    if (!std::cout.flush() && errno != EPIPE)
      throw OutputError(fmt::format("cannot write standard output: {}", std::strerror(errno)));
    return nullptr;
  } catch (const CLI::ParseError& error) {
    const Command* command = asked_for();
    refuse_extras(app, call(nullptr));
    if (command == nullptr) throw UsageError("no command given" + help_hint(call(nullptr)));
    refuse_extras(*command->options, call(command));
    throw UsageError(explained(*command, error) + help_hint(call(command)));
  }
  refuse_extras(app, call(nullptr));
  Command* command = asked_for();
  refuse_extras(*command->options, call(command));
  refuse_empty_values(*command->options);
  refuse_wrong_numbers(*command->options, call(command));
  if (std::getenv("WAITSTATE_NO_GUARD") != nullptr) command->no_guard = true;
  std::vector<std::string> inputs = command->further_inputs();
  if (command->reads_traces)
    for (const auto& words : command->values) inputs.insert(inputs.end(), words.begin(), words.end());
  // This is checked first, as a file of a trace is in danger.
  if (command->output == nullptr || command->output->empty()) check_output("", inputs);
  for (const std::string* file : command->files)
    if (!file->empty()) {
      if (file == command->output && command->output_is_folder()) {
        check_new_folder(*file);
        continue;
      }
      check_output(*file, inputs);
      if (std::count_if(command->files.begin(), command->files.end(), [&](auto* f) { return *f == *file; }) > 1)
        throw UsageError(fmt::format("cannot write {}: two options name this file; give different names", *file));
    }
  command->check();
  return command;
}

}  // namespace waitstate::cli
