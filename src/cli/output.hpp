// Where results go: standard output, or a file that appears under its name only once it is complete.
//
// A stream on a file descriptor with a buffer of its own: results are large and written in order, so a write() per 256
// KiB is all that is needed. Failures are exceptions, because a result that is silently cut off would be wrong. A
// reader that closes the pipe (`waitstate print … | head`) has seen enough: that is ClosedPipe, which the program
// treats as success.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "report/layout.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {

/// The result cannot be written (exit code 2).
class OutputError : public Error {
 public:
  using Error::Error;
};

/// The reader of the output went away.
class ClosedPipe : public Error {
 public:
  using Error::Error;
};

/// Buffered writes to a file descriptor that somebody else owns; throws OutputError or ClosedPipe.
class FdBuffer : public std::streambuf {
 public:
  FdBuffer(int fd, std::string name);

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  int fd_;
  std::string name_;
  std::vector<char> buffer_;
};

class Output {
 public:
  /// `path` empty: standard output. Else a new file beside `path` that commit() renames to `path`; a path that is no
  /// regular file (/dev/null, a pipe) is written to directly. Throws OutputError if that cannot work.
  explicit Output(const std::string& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  /// Removes what was not committed.
  ~Output();

  std::ostream& stream() { return stream_; }
  /// Writes what is buffered and gives the file its name. Call it once, last.
  void commit();

 private:
  int open(const std::string& path);

  std::string target_, temporary_;  ///< temporary_ is empty where the target is written to directly
  int fd_;
  FdBuffer buffer_;
  std::ostream stream_;
};

/// Throws OutputError if nothing can be written to `path`, so that a long analysis does not end in vain.
void check_writable(const std::string& path);

/// Width ($COLUMNS, else the terminal's, else 100) and colour (only on a terminal, and not if $NO_COLOR is set or $TERM
/// is "dumb") for text on standard output, or in a file.
report::Style text_style(bool to_file);

}  // namespace waitstate::cli
