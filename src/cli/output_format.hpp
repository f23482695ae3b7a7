// Determines the format of an output: the value of --format, or else the format that the ending of the file's name
// stands for, or else text.
//
// An ending that stands for no format of the command is an error: only the reader of a file run.xml would find out that
// it holds text. Text itself may have no ending, or one of the usual endings of text files.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

#include "cli/output.hpp"

namespace waitstate::cli {

/// `given` is the value of --format, empty if there is none; `file` is that of -o, empty for standard output; `formats`
/// are those of the command, "text" among them; `further` are formats that only the ending of a file can ask for.
/// Throws UsageError if `given` is not one of `formats`, if it and the ending disagree, and if the ending is not known.
std::string output_format(const std::string& given, const std::string& file, const std::vector<std::string>& formats,
                          const std::vector<std::string>& further = {});

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
