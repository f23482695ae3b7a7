// Writes results to standard output or a file (report/format/output_file.hpp), and checks what may be written.
//
// Everything that can be known about an output is checked before the work begins, so that a long analysis is not in
// vain, and no input is ever overwritten. A reader that closes the pipe (`waitstate print … | head`) has seen enough:
// ClosedPipe is treated as success.
//
// All text passes util::printable_lines() on its way out, because it may contain names of a trace or a report: so these
// cannot control a terminal, whichever part of the program wrote them. Plain bytes cost one comparison.
#pragma once

#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "report/format/layout.hpp"
#include "report/format/output_file.hpp"

namespace waitstate::cli {

/// Passes text on line by line, in printable form.
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
  /// An empty `path` means standard output. The constructor and the two functions below throw OutputError; the latter
  /// also throw ClosedPipe.
  explicit Output(const std::string& path, Content content = Content::text);
  /// Writes to a descriptor that somebody else owns; `name` is what errors call it.
  Output(int fd, const std::string& name, Content content);

  std::ostream& stream() { return printable_ ? printable_stream_ : target(); }
  /// Writes the buffered text and gives a file its name. Call it once, last.
  void commit();

 private:
  void set_descriptor(int fd, const std::string& name);
  void set_content(Content content);
  std::ostream& target() { return file_ ? file_->stream() : stream_; }

  std::optional<report::OutputFile> file_;
  std::optional<report::FdBuffer> buffer_;
  std::ostream stream_;
  std::optional<PrintableBuffer> printable_;  ///< present for text
  std::ostream printable_stream_;
};

/// Throws UsageError if nothing can be written to `path` (empty: standard output), if writing would destroy one of
/// `inputs` or a file of a trace archive, or if the file would be taken for part of an archive.
void check_output(const std::string& path, const std::vector<std::string>& inputs);

/// Throws UsageError if a folder of that name cannot be made, or is there already.
void check_new_folder(const std::string& path);

/// Takes the numbers of standard input, output and error where the caller has closed them, so that no file that is
/// opened later gets one of them and is read or written in its place. Writing to them fails as if they were closed.
void reserve_standard_streams();

/// True for a terminal that knows escape sequences: $TERM is set and not "dumb".
bool is_terminal(int fd);

/// Width ($COLUMNS, else the terminal's, else 100) and colour (only on a terminal, and not if $NO_COLOR is set or $TERM
/// is "dumb") for text on standard output, or in a file.
report::Style text_style(bool to_file);

}  // namespace waitstate::cli
