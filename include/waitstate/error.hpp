// The exceptions that leave the library. Every message is one or two lower-case sentences that say what was found, what
// was expected, where, and what to do. The library never prints and never exits; the command line maps each type to an
// exit code in one place (src/cli/errors.cpp).
#pragma once

#include <stdexcept>
#include <string>

namespace waitstate {

/// Base of all exceptions of this library.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(whole(what)) {}
  explicit Error(const char* what) : std::runtime_error(what) {}

 private:
  // Cuts the text at a NUL character, where what() ends: names that a user gave may contain one.
  static std::string whole(std::string text) {
    for (std::size_t at = 0; (at = text.find('\0', at)) != std::string::npos; at += 2) text.replace(at, 1, "\\0");
    return text;
  }
};

/// The caller asked for something that does not exist, or for a contradictory combination (exit code 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A result cannot be written: the path and the system's reason (exit code 2).
class OutputError : public Error {
 public:
  using Error::Error;
};

/// An input cannot be read at all (exit code 3). Damage that leaves something to analyse is not an exception but an
/// entry in Diagnostics.
class TraceError : public Error {
 public:
  TraceError(std::string path, const std::string& what) : Error(path + ": " + what), path_(std::move(path)) {}
  /// The file or directory that cannot be read.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The caller asked for an end (AnalysisOptions::stop): there is no result, and nothing is left behind.
class Stopped : public Error {
 public:
  Stopped() : Error("stopped: the caller asked for it") {}
};

/// A pattern threw: the message names the pattern, the compound event and its place (exit code 1).
class PatternError : public Error {
 public:
  using Error::Error;
};

}  // namespace waitstate
