// The exceptions that leave the library. Every message is one or two lower-case sentences: what was found, what was
// expected, where, and what to do. The library never prints and never exits; the command line maps each type to an exit
// code in one place (src/cli/main.cpp).
#pragma once

#include <stdexcept>
#include <string>

namespace waitstate {

/// Base of all exceptions of this library.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller asked for something that does not exist or does not fit together (exit code 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A result cannot be written: the path and the system's reason (exit code 4).
class OutputError : public Error {
 public:
  using Error::Error;
};

/// An input that cannot be read at all (exit code 3). Damage that leaves something to analyse is no exception but an
/// entry in Diagnostics.
class TraceError : public Error {
 public:
  TraceError(std::string path, const std::string& what) : Error(path + ": " + what), path_(std::move(path)) {}
  /// The file or directory that cannot be read.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A pattern threw: the message names the pattern, the compound event and its place (exit code 1).
class PatternError : public Error {
 public:
  using Error::Error;
};

}  // namespace waitstate
