// Where results go: standard output, or a file (report/format/output_file.hpp), and the rules for what may be written
// to.
//
// Whatever can be known of an output before the work begins is checked then, so that a long analysis does not end in
// vain, and no input is ever overwritten. A reader that closes the pipe (`waitstate print … | head`) has seen enough:
// ClosedPipe is treated as success.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "report/format/layout.hpp"
#include "report/format/output_file.hpp"

namespace waitstate::cli {

class Output {
 public:
  /// `path` empty: standard output. Throws OutputError, as the other two, which also throw ClosedPipe.
  explicit Output(const std::string& path);

  std::ostream& stream() { return file_ ? file_->stream() : stream_; }
  /// Writes what is buffered and gives a file its name. Call it once, last.
  void commit();

 private:
  std::optional<report::OutputFile> file_;
  std::optional<report::FdBuffer> buffer_;
  std::ostream stream_;
};

/// Throws UsageError if nothing can be written to `path` (empty: standard output), or if that would destroy one of
/// `inputs`, or a file of a trace archive.
void check_output(const std::string& path, const std::vector<std::string>& inputs);

/// Takes the numbers of standard input, output and error where the caller has closed them, so that no file that is
/// opened later gets one of them and is read or written in its place. Writing to them fails as if they were closed.
void reserve_standard_streams();

/// True of a terminal that knows escape sequences: $TERM is set and not "dumb".
bool is_terminal(int fd);

/// Width ($COLUMNS, else the terminal's, else 100) and colour (only on a terminal, and not if $NO_COLOR is set or $TERM
/// is "dumb") for text on standard output, or in a file.
report::Style text_style(bool to_file);

}  // namespace waitstate::cli
