#include "cli/help_formatter.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "cli/output.hpp"
#include "report/format/layout.hpp"

namespace waitstate::cli {
namespace {

constexpr std::size_t description_column = 28;  // the column where descriptions begin

std::size_t help_width() { return std::clamp(text_style(false).width, 60U, 100U); }

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string help_entry(const std::string& name, const std::string& description) {
  const std::string lead = "  " + name;
  if (lead.size() + 2 > description_column)
    return lead + '\n' + report::paragraph(std::string(description_column, ' '), one_line(description), help_width());
  return report::paragraph(report::left(lead, description_column), one_line(description), help_width());
}

/// "Exit code" of "Exit code: 0 if no gate fails"; "" if the line has no heading.
std::string heading_of(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || (colon + 1 < line.size() && line[colon + 1] != ' ')) return "";
  const std::string_view heading = line.substr(0, colon);
  const bool words =
      std::all_of(heading.begin(), heading.end(), [](unsigned char c) { return std::isalpha(c) != 0 || c == ' '; });
  const bool title = !heading.empty() && std::isupper(static_cast<unsigned char>(heading.front())) != 0 &&
                     std::count(heading.begin(), heading.end(), ' ') <= 1;
  return words && title ? std::string(heading) : "";
}

}  // namespace

std::vector<HelpBlock> help_blocks(const std::string& footer) {
  std::vector<HelpBlock> blocks;
  bool open = false;  // the last block continues in the next line
  for (std::string_view rest = footer; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) {
      open = false;
    } else if (line.front() == ' ') {
      if (!open || !blocks.back().verbatim) {
        const std::string heading = blocks.empty() ? "" : blocks.back().heading;
        blocks.push_back({heading, !heading.empty(), true, ""});
      }
      blocks.back().text += std::string(line) + '\n';
      open = true;
    } else if (open && !blocks.back().verbatim) {
      blocks.back().text += ' ' + std::string(line);
    } else {
      const std::string heading = heading_of(line);
      if (!heading.empty()) line.remove_prefix(std::min(heading.size() + 2, line.size()));
      blocks.push_back({heading, false, false, std::string(line)});
      open = true;
    }
  }
  return blocks;
}

HelpFormatter::HelpFormatter(std::string program) : program_(std::move(program)) {
  label("SUBCOMMAND", "COMMAND ...");
  label("REQUIRED", "");
  label("Positionals", "Arguments");
}

std::string HelpFormatter::usage(const CLI::App& app) const {
  const std::string text = CLI::Formatter::make_usage(&app, call_of(app));  // "Usage: …\n"
  return text.substr(text.find(' ') + 1, text.size() - text.find(' ') - 2) + (program_.empty() ? "" : " " + program_);
}

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  if (const auto comma = name.find(','); comma != std::string::npos) name.insert(comma + 1, " ");
  return name;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  std::string text = CLI::Formatter::make_option_opts(option);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
  for (auto at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
  return text;
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return report::paragraph("", one_line(app->get_description()), help_width()) + '\n';
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string /*name*/) const {
  return "Usage: " + usage(*app) + '\n';
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return help_entry(make_option_name(option, is_positional) + make_option_opts(option), option->get_description());
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return help_entry(command->get_name(), command->get_description());
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  std::string text;
  for (const HelpBlock& block : help_blocks(app->get_footer())) {
    if (!text.empty() && !block.continues) text += '\n';
    if (block.verbatim)
      text += block.text;
    else if (block.text.empty())
      text += block.heading + ":\n";
    else
      text += report::paragraph("", (block.heading.empty() ? "" : block.heading + ": ") + block.text, help_width());
  }
  return text;
}

const HelpFormatter& formatter_of(const CLI::App& app) {
  return dynamic_cast<const HelpFormatter&>(*app.get_formatter());
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* o) { return o->nonpositional() && !o->get_group().empty(); });
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* o) { return o->get_positional() && !o->get_group().empty(); });
}

std::string call_of(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name()
                                         : command.get_parent()->get_name() + " " + command.get_name();
}

}  // namespace waitstate::cli
