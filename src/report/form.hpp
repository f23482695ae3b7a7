// The list of formats: how each is called, by which endings a file asks for it, what it can show, and the functions
// that write and read it. The command line with its help and completions, and Python, take all of this from here, so a
// new format is a row in form.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/format/layout.hpp"
#include "report/text/analysis_text.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Something that is written in one of several formats.
enum class Subject : std::uint8_t {
  report,      ///< a result, to standard output or into a file
  archive,     ///< a result, into a file of its own only
  difference,  ///< the change from one result to another
  graph,       ///< a graph of waits, chains or dependencies
  verdicts,    ///< whether gates hold, into a file of its own only
};

struct WriteOptions {
  Style style{};                       ///< for text
  TextOptions text{};                  ///< for text, and for the summary of a page
  std::size_t max_bytes = 40'000'000;  ///< for a page
  std::size_t threads = 1;             ///< for JSON and a page: how many may format a large report
};

struct Form {
  std::string_view name;                  ///< "json"
  std::vector<std::string_view> endings;  ///< endings of file names, in lower case; the first one is the usual one
  std::vector<Subject> subjects;          ///< the things that it can show
  std::string_view summary;               ///< a noun phrase
  bool is_raw = false;                    ///< its bytes are written as they are, not as printable text
  /// Writes a result; null if the format is none of results. A failed write is the stream's to report.
  void (*write)(const AnalysisResult& result, const WriteOptions& options, std::ostream& out) = nullptr;
  /// Whether a file that begins with these bytes has the format; null if it cannot be read.
  bool (*begins)(std::string_view bytes) = nullptr;
  /// Reads a result. Throws TraceError that says what is wrong with the file. Null if the format cannot be read.
  AnalysisResult (*read)(const std::filesystem::path& file) = nullptr;
  std::string_view readable{};  ///< files that read() takes, for sentences: "any .cubex"

  bool is_of(Subject subject) const;
};

/// All, in the order in which help and messages name them.
std::span<const Form> forms();
/// Null if no format is called so.
const Form* form_of_name(std::string_view name);
/// `ending` with its dot, in any case. Null if no format has it.
const Form* form_of_ending(std::string_view ending);

/// Names of the formats of a subject.
std::vector<std::string> form_names(Subject subject);
/// Files that can be read as a report, for sentences: "a .json of waitstate, or any .cubex".
std::string readable_files();

}  // namespace waitstate::report
