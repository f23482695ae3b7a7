#include "report/report_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "report/csv/csv_writer.hpp"
#include "report/cube/writer.hpp"
#include "report/form.hpp"
#include "report/json/json_writer.hpp"
#include "waitstate/error.hpp"
#include "waitstate/result/report.hpp"

namespace waitstate::report {
namespace {

constexpr const char* expected_file = "expected a report of waitstate (JSON), or a CUBE 4 report (.cubex)";

/// The first block of the file, empty if it cannot be read.
std::string first_bytes(const std::filesystem::path& file) {
  std::string bytes(512, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

std::string_view without_blanks(std::string_view bytes) {
  const auto begin = bytes.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view{} : bytes.substr(begin);
}

const Form* form_of_bytes(std::string_view bytes) {
  for (const Form& form : forms())
    if (form.begins != nullptr && form.begins(bytes)) return &form;
  return nullptr;
}

/// Says what the file is likely to be instead, and what can be done about it.
std::string other_kind(std::string_view bytes) {
  if (bytes.empty()) return fmt::format("the file is empty, {}", expected_file);
  if (bytes.starts_with("\x1f\x8b")) return fmt::format("found a gzip file, {}: unpack it first", expected_file);
  if (bytes.starts_with("metric,callpath,"))
    return fmt::format("found a CSV report, which does not hold everything, {}: write it with -o FILE.json",
                       expected_file);
  if (without_blanks(bytes).starts_with('<')) return fmt::format("found XML, maybe a CUBE 3 report, {}", expected_file);
  return fmt::format("found no report, {}: if it is a trace, analyse it first", expected_file);
}

}  // namespace

bool is_report(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && form_of_bytes(first_bytes(file)) != nullptr;
}

AnalysisResult read_report(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw TraceError(name, "no such file");
  if (std::filesystem::is_directory(status))
    throw TraceError(name, fmt::format("found a directory, {}: if it is a trace, analyse it first", expected_file));
  if (!std::filesystem::is_regular_file(status))  // a pipe would be waited for
    throw TraceError(name, fmt::format("found no regular file, {}", expected_file));
  if (!std::ifstream(file, std::ios::binary))
    throw TraceError(name, fmt::format("cannot be opened: {}", std::strerror(errno)));
  const std::string bytes = first_bytes(file);
  if (const Form* form = form_of_bytes(bytes)) return form->read(file);
  throw TraceError(name, other_kind(bytes));
}

}  // namespace waitstate::report

namespace waitstate {

void write_csv(const AnalysisResult& result, std::ostream& out) { report::write_csv(result, out); }
void write_json(const AnalysisResult& result, std::ostream& out) { report::write_json(result, out); }
void write_cube(const AnalysisResult& result, const std::filesystem::path& file) { report::write_cube(result, file); }
bool is_report(const std::filesystem::path& file) { return report::is_report(file); }
AnalysisResult read_report(const std::filesystem::path& file) { return report::read_report(file); }

}  // namespace waitstate
