// Determines the format of an output: the value of --format, or else the format that the ending of the file's name
// stands for, or else text.
//
// An ending that stands for no format of the command is an error: only the reader of a file run.xml would find out that
// it holds text. Text itself may have no ending, or one of the usual endings of text files.
#pragma once

#include <CLI/App.hpp>

#include <optional>
#include <string>

#include "cli/output.hpp"
#include "report/form.hpp"

namespace waitstate::cli {

/// `given`: the value of --format, empty if it was not given; `file`: the value of -o, empty for standard output;
/// `further`: a subject whose formats only the ending of a file can ask for. Throws UsageError if `given` is no format
/// of the subject, if it and the ending disagree, and if the ending is not known.
std::string output_format(const std::string& given, const std::string& file, report::Subject subject,
                          std::optional<report::Subject> further = {});

/// Adds --format with the formats of a subject; `more` follows in its description.
CLI::Option* add_format(CLI::App& options, std::string& value, report::Subject subject, const std::string& more = "");
/// The endings that choose a format of either subject, for help: ".csv, .json or .txt".
std::string usual_endings(report::Subject subject, report::Subject further);

/// Whether a report of this format passes through Output as text or as bytes.
Output::Content content_of(const std::string& format);

/// The option --max-size of commands that write HTML.
class HtmlSize {
 public:
  void add_to(CLI::App& options);
  /// Throws UsageError if the option was given for another format.
  void check(const std::string& format) const;
  std::size_t bytes() const { return megabytes_ * 1'000'000; }

 private:
  std::size_t megabytes_ = 40;
  const CLI::Option* option_ = nullptr;
};

}  // namespace waitstate::cli
