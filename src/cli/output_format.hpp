// Which format an output has: what --format says, else what the ending of the file's name asks for, else text.
//
// An ending that stands for no format of the command is an error: a file run.xml that holds text would be found out
// only by whoever opens it. Text itself may have no ending, or one of those that people give to text.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

#include "cli/output.hpp"

namespace waitstate::cli {

/// `given`: of --format, empty if it was not; `file`: of -o, empty for standard output; `formats`: those of the
/// command, "text" among them; `further`: those that only the ending of a file can ask for. Throws UsageError if
/// `given` is not one of `formats`, if it and the ending disagree, and if the ending is not known.
std::string output_format(const std::string& given, const std::string& file, const std::vector<std::string>& formats,
                          const std::vector<std::string>& further = {});

/// How a report of that format goes through Output.
Output::Content content_of(const std::string& format);

/// The option --max-size of commands that write HTML.
class HtmlSize {
 public:
  void add_to(CLI::App& options);
  /// Throws UsageError if it was given for another format.
  void check(const std::string& format) const;
  std::size_t bytes() const { return megabytes_ * 1'000'000; }

 private:
  std::size_t megabytes_ = 40;
  const CLI::Option* option_ = nullptr;
};

}  // namespace waitstate::cli
