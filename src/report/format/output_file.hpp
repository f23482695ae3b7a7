// A result on its way into a file: the one way in which this project writes files.
//
// A file appears under its name only once it is complete: the bytes go into a new file beside it, which commit() gives
// the name, so that its readers find what was there before, or the whole result. A full disk, an exception, a
// killed process never leave half of one. A process that a signal ends leaves the new file behind; its name tells the
// process, so that the parent can remove it (src/cli/guard.cpp). If the parent was killed too, the next process that
// writes the same file removes it: a writer holds a lock, which tells the files that nobody writes any more.
//
// Nothing is forced to the disk (fsync): it would cost more than most analyses, and all that a machine that loses its
// power can lose is a result that can be computed again.
//
// Results are large and written in order, so a write() per 256 KiB is all that is needed. Failures are exceptions,
// because a result that is silently cut off would be wrong.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "waitstate/error.hpp"

namespace waitstate::report {

/// The reader of the output went away.
class ClosedPipe : public Error {
 public:
  using Error::Error;
};

/// Buffered writes to a file descriptor that somebody else owns; throws OutputError, or ClosedPipe where SIGPIPE is
/// ignored. `name` is what errors call it.
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

/// While it lives, nobody else has one of the same folder (empty: the current one), so that files that belong together
/// can be replaced together. Where the file system has no locks, or somebody keeps one for seconds, it holds nobody up.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int fd_;
};

class OutputFile {
 public:
  /// Follows a symbolic link; a file of this user that is replaced keeps its permissions. A path that is not a regular
  /// file (/dev/null, a named pipe) is written to directly. Inputs are never overwritten: neither `input`, if it is
  /// given, nor a file of an OTF2 archive. Throws OutputError with path and reason.
  explicit OutputFile(const std::filesystem::path& path, const std::filesystem::path& input = {});
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Removes what was not committed.
  ~OutputFile();

  /// Throws OutputError, or ClosedPipe.
  std::ostream& stream() { return stream_; }
  /// Writes what is buffered and gives the file its name. Call it once, last. Throws OutputError.
  void commit();

  /// Why nothing is to be written to `path`, or where it links to: there is a file that by its name belongs to an OTF2
  /// archive, or a new one of that name would be in the folder of an archive. Empty if nothing is against it.
  static std::string kept(const std::filesystem::path& path);

  /// The file in which thread `writer` prepares what `path` is going to be, so that several may write the same one. The
  /// first thread of a process has the process's number. Its name is no longer than the file system allows, however
  /// long that of `path` is.
  static std::filesystem::path temporary(const std::filesystem::path& path, pid_t writer);
  /// Removes the folders that killed processes have left of their attempts to make `path` of temporary(); those that
  /// are written hold a FolderLock.
  static void remove_abandoned_folders(const std::filesystem::path& path);
  /// Removes a temporary file that its writer cannot remove any more, if it is a regular file of this user. Safe in a
  /// signal handler.
  static void remove_temporary(const char* file) noexcept;

 private:
  int open(const std::filesystem::path& input);
  [[noreturn]] void fail(int error) const;

  std::filesystem::path path_, target_, temporary_;  ///< temporary_ is empty where the target is written to directly
  int fd_;
  FdBuffer buffer_;
  std::ostream stream_;
};

}  // namespace waitstate::report
