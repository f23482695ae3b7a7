// Sections are in the usual order of man pages. A page of a command has the exit codes of the program, unless its help
// has its own.
#include "cli/pages/man_page.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "cli/help_formatter.hpp"

namespace waitstate::cli::pages {
namespace {

/// Text that roff prints literally: no request at the beginning of a line, and characters that can be pasted into a
/// shell.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '"':
        out += "\\(dq";
        break;
      case '\n':
        out += '\n';
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

/// Makes a sentence: "write to FILE" becomes "Write to FILE."
std::string sentence(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.empty()) return text;
  if (std::isupper(static_cast<unsigned char>(text[1])) == 0)
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.back() == '.' ? text : text + '.';
}

std::string section(std::string_view name) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return ".SH " + (upper.find(' ') == std::string::npos ? upper : '"' + upper + '"') + '\n';
}

std::string tagged(const std::string& tag, const std::string& text) { return ".TP\n" + tag + '\n' + text + '\n'; }

/// "\fB-o\fR, \fB--output\fR \fIFILE\fR"
std::string tag_of(const CLI::App& command, const CLI::Option& option) {
  const HelpFormatter& formatter = formatter_of(command);
  const std::string name = formatter.make_option_name(&option, option.get_positional());
  const std::string value = formatter.make_option_opts(&option);
  if (option.get_positional()) return italic(name + value);
  std::string tag;
  if (const auto comma = name.find(", "); comma != std::string::npos)
    tag = bold(name.substr(0, comma)) + ", " + bold(name.substr(comma + 2));
  else
    tag = bold(name);
  return value.empty() ? tag : tag + ' ' + italic(value.substr(1));
}

std::string block_text(const HelpBlock& block) {
  if (!block.verbatim) return ".PP\n" + roff(block.text) + '\n';
  std::string lines;
  for (std::string_view rest = block.text; !rest.empty();) {
    const auto end = rest.find('\n');
    lines += roff(rest.substr(std::min<std::size_t>(2, end), end - std::min<std::size_t>(2, end))) + '\n';
    rest.remove_prefix(end + 1);
  }
  return ".PP\n.nf\n.RS 4\n" + lines + ".RE\n.fi\n";
}

bool is_exit_code(const HelpBlock& block) { return block.heading.rfind("Exit code", 0) == 0; }

/// The blocks for which `wanted` is true, with the heading of each new section.
template <class Wanted>
std::string sections(const std::vector<HelpBlock>& blocks, const Wanted& wanted) {
  std::string text, last;
  for (const HelpBlock& block : blocks) {
    if (!wanted(block) || block.text.empty()) continue;  // a heading alone is repeated in the next block
    const std::string heading = is_exit_code(block) ? "Exit status" : block.heading;
    std::string of_block = block_text(block);
    if (heading != last && !heading.empty()) {
      text += section(heading);
      if (of_block.rfind(".PP\n", 0) == 0) of_block.erase(0, 4);
    }
    last = heading;
    text += of_block;
  }
  return text;
}

const CLI::App& program_of(const CLI::App& command) {
  return command.get_parent() == nullptr ? command : *command.get_parent();
}

std::string reference(const std::string& page) { return ".BR " + roff(page) + " (1)"; }

}  // namespace

std::string page_name(const CLI::App& command) {
  std::string name = call_of(command);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string man_page(const CLI::App& command) {
  const CLI::App& program = program_of(command);
  const bool whole = command.get_parent() == nullptr;
  const std::string name = page_name(command), description = command.get_description();
  std::string title = name, what = description.substr(0, description.find(':'));
  std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
  what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));

  std::string text =
      ".\\\" Generated from the options of the program by 'waitstate generate'.\n"
      ".TH " +
      roff(title) + " 1 \"\" \"" + roff(program.version()) + "\" \"User Commands\"\n.nh\n.ad l\n";
  text += section("Name") + roff(name) + " \\- " + roff(what) + '\n';
  const std::string call = call_of(command), usage = formatter_of(command).usage(command);
  text += section("Synopsis") + bold(call) + roff(usage.substr(call.size())) + '\n';

  std::vector<HelpBlock> blocks = help_blocks(command.get_footer());
  if (!whole && std::none_of(blocks.begin(), blocks.end(), is_exit_code))
    for (const HelpBlock& block : help_blocks(program.get_footer()))
      if (is_exit_code(block)) blocks.push_back(block);
  const auto is_example = [](const HelpBlock& b) { return b.heading == "Examples"; };
  text += section("Description") + roff(sentence(description)) + '\n' +
          sections(blocks, [](const HelpBlock& b) { return b.heading.empty(); });
  if (const auto arguments = arguments_of(command); !arguments.empty()) {
    text += section("Arguments");
    for (const CLI::Option* argument : arguments)
      text += tagged(tag_of(command, *argument), roff(sentence(argument->get_description())));
  }
  text += section("Options");
  for (const CLI::Option* option : options_of(command))
    text += tagged(tag_of(command, *option), roff(sentence(option->get_description())));
  if (whole) {
    text += section("Commands");
    for (const CLI::App* c : commands_of(program))
      text += ".TP\n" + reference(page_name(*c)) + '\n' + roff(sentence(c->get_description())) + '\n';
  }
  text +=
      sections(blocks, [&](const HelpBlock& b) { return !b.heading.empty() && !is_example(b) && !is_exit_code(b); });
  text += sections(blocks, is_exit_code);
  text += sections(blocks, is_example);

  text += section("See also");
  std::vector<std::string> others;
  if (!whole) others.push_back(page_name(program));
  for (const CLI::App* c : commands_of(program))
    if (c != &command) others.push_back(page_name(*c));
  for (std::size_t i = 0; i < others.size(); ++i)
    text += reference(others[i]) + (i + 1 < others.size() ? " ,\n" : "\n");
  return text;
}

}  // namespace waitstate::cli::pages
