#include "report/form.hpp"

#include <algorithm>
#include <cctype>
#include <ostream>

#include "report/csv/csv_writer.hpp"
#include "report/cube/reader.hpp"
#include "report/cube/writer.hpp"
#include "report/json/json_reader.hpp"
#include "report/json/json_writer.hpp"
#include "report/pages.hpp"

namespace waitstate::report {
namespace {

constexpr std::size_t tar_magic_at = 257;
constexpr std::string_view tar_magic = "ustar";

bool begins_like_json(std::string_view bytes) {
  const auto begin = bytes.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && bytes[begin] == '{';
}

bool begins_like_cube(std::string_view bytes) {
  return bytes.size() > tar_magic_at && bytes.substr(tar_magic_at).starts_with(tar_magic);
}

std::vector<Form> all_forms() {
  using enum Subject;
  return {
      {.name = "text",
       .endings = {".txt", ".text", ".log", ".out"},
       .subjects = {report, difference, graph},
       .summary = "text for people",
       .write = [](const AnalysisResult& result, const WriteOptions& options,
                   std::ostream& out) { out << analysis_text(result, options.style, options.text); }},
      {.name = "csv",
       .endings = {".csv"},
       .subjects = {report, difference},
       .summary = "a table of comma-separated values",
       .write = [](const AnalysisResult& result, const WriteOptions&, std::ostream& out) { write_csv(result, out); }},
      {.name = "json",
       .endings = {".json"},
       .subjects = {report, difference, verdicts},
       .summary = "the whole report for programs, which can be read back",
       .write = [](const AnalysisResult& result, const WriteOptions& options,
                   std::ostream& out) { write_json(result, out, CallPathNumbers::depth_first, {}, options.threads); },
       .begins = begins_like_json,
       .read = read_json,
       .readable = "a .json of waitstate"},
      {.name = "cubex",
       .endings = {".cubex"},
       .subjects = {archive},
       .summary = "a CUBE 4 report, for the CUBE viewer and other tools",
       .is_raw = true,
       .write = [](const AnalysisResult& result, const WriteOptions&, std::ostream& out) { write_cube(result, out); },
       .begins = begins_like_cube,
       .read = read_cube,
       .readable = "any .cubex"},
      {.name = "html",
       .endings = {".html", ".htm"},
       .subjects = {report, difference},
       .summary = "a page for the browser, in one file",
       .is_raw = true,
       .write =
           [](const AnalysisResult& result, const WriteOptions& options, std::ostream& out) {
             write_html(result, out,
                        {.summary = analysis_text(result, Style{}, options.text),
                         .max_bytes = options.max_bytes,
                         .threads = options.threads});
           }},
      {.name = "dot", .endings = {".dot", ".gv"}, .subjects = {graph}, .summary = "a drawing for Graphviz"},
      {.name = "graphml",
       .endings = {".graphml"},
       .subjects = {graph},
       .summary = "a graph for programs that lay out and analyse graphs"},
      {.name = "junit",
       .endings = {".xml"},
       .subjects = {verdicts},
       .summary = "a JUnit report for CI systems, in which each gate is a test case"},
  };
}

}  // namespace

bool Form::is_of(Subject subject) const {
  return std::find(subjects.begin(), subjects.end(), subject) != subjects.end();
}

std::span<const Form> forms() {
  static const std::vector<Form> all = all_forms();
  return all;
}

const Form* form_of_name(std::string_view name) {
  const auto all = forms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Form& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const Form* form_of_ending(std::string_view ending) {
  std::string lower(ending);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto all = forms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Form& f) {
    return std::find(f.endings.begin(), f.endings.end(), lower) != f.endings.end();
  });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> form_names(Subject subject) {
  std::vector<std::string> names;
  for (const Form& f : forms())
    if (f.is_of(subject)) names.emplace_back(f.name);
  return names;
}

std::string readable_files() {
  std::string text;
  for (const Form& f : forms())
    if (f.read != nullptr) text.append(text.empty() ? "" : ", or ").append(f.readable);
  return text;
}

}  // namespace waitstate::report
