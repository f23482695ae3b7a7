// Formats the text of --help: lines of the terminal's width, whatever the width of the source. Provides the parts of
// the text, from which the man pages are made too, so that each text exists once.
//
// The text below the options of a command ("footer") has paragraphs, and lines that stay as they are because they begin
// with a space. A paragraph may begin with a heading, which ends in a colon:
//
//   Examples:
//     waitstate info scorep_run
//
//   Exit code: 0 if no gate fails, 1 if one does.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <vector>

namespace waitstate::cli {

/// A paragraph, or lines that stay as they are, in the text below the options.
struct HelpBlock {
  std::string heading;     ///< e.g. "Examples", without the colon; may be empty
  bool continues = false;  ///< belongs to the block before, under the same heading
  bool verbatim = false;
  std::string text;  ///< a paragraph in one line, or lines, each with its indent and '\n'
};
std::vector<HelpBlock> help_blocks(const std::string& footer);

class HelpFormatter : public CLI::Formatter {
 public:
  /// `program` is the part of the usage behind the options of a command that runs another program.
  explicit HelpFormatter(std::string program = "");

  /// "waitstate info [OPTIONS] TRACE"
  std::string usage(const CLI::App& app) const;
  /// "-o, --output", or the name of an argument.
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  /// " FILE"
  std::string make_option_opts(const CLI::Option* option) const override;
  bool runs_a_program() const { return !program_.empty(); }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;

 private:
  std::string program_;
};

/// The formatter of one of our commands.
const HelpFormatter& formatter_of(const CLI::App& app);

/// The commands that the help lists, in its order.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
/// The options and the arguments that the help of a command lists, in its order.
std::vector<const CLI::Option*> options_of(const CLI::App& command);
std::vector<const CLI::Option*> arguments_of(const CLI::App& command);
/// "waitstate analyze"
std::string call_of(const CLI::App& command);

}  // namespace waitstate::cli
