// Where results go: standard output, or a file (report/format/output_file.hpp), and the rules for what may be written
// to.
//
// Whatever can be known of an output before the work begins is checked then, so that a long analysis does not end in
// vain, and no input is ever overwritten. A reader that closes the pipe (`waitstate print … | head`) has seen enough:
// ClosedPipe is treated as success.
//
// All text passes util::printable_lines() on its way out, whatever names of a trace or a report are in it: so nothing
// of them controls a terminal, whichever part of the program has written them. Bytes that are plain cost one
// comparison.
#pragma once

#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "report/format/layout.hpp"
#include "report/format/output_file.hpp"

namespace waitstate::cli {

/// Hands text on line by line, as it may be shown.
class PrintableBuffer : public std::streambuf {
 public:
  explicit PrintableBuffer(std::ostream& to) : to_(to) {}

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;
  int sync() override;

 private:
  void hand_on(std::size_t bytes);

  std::ostream& to_;
  std::string text_;
};

class Output {
 public:
  enum class Content { text, bytes };
  /// `path` empty: standard output. Throws OutputError, as the other two, which also throw ClosedPipe.
  explicit Output(const std::string& path, Content content = Content::text);

  std::ostream& stream() { return printable_ ? printable_stream_ : target(); }
  /// Writes what is buffered and gives a file its name. Call it once, last.
  void commit();

 private:
  std::ostream& target() { return file_ ? file_->stream() : stream_; }

  std::optional<report::OutputFile> file_;
  std::optional<report::FdBuffer> buffer_;
  std::ostream stream_;
  std::optional<PrintableBuffer> printable_;  ///< of text
  std::ostream printable_stream_;
};

/// Throws UsageError if nothing can be written to `path` (empty: standard output), or if that would destroy one of
/// `inputs`, or a file of a trace archive, or be taken for one.
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
