// The readers want files: an input becomes one in memory, which costs a few microseconds and leaves nothing behind.
#include "fuzz/targets.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "notation/document.hpp"
#include "report/csv/csv_writer.hpp"
#include "report/cube/reader.hpp"
#include "report/graph/wait_graph_text.hpp"
#include "report/json/json_reader.hpp"
#include "report/json/json_writer.hpp"
#include "report/text/analysis_text.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/result/wait_graph.hpp"
#include "waitstate/trace/notation.hpp"

namespace waitstate::fuzz {
namespace {

/// No Error, so that nobody takes it for a refusal: it ends a fuzzer, and fails a test.
[[noreturn]] void finding(const char* what) { throw std::logic_error(std::string("finding: ") + what); }

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : fd_(::memfd_create("input", MFD_CLOEXEC)) {
    while (fd_ >= 0 && !bytes.empty()) {
      const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
      if (n < 0) break;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    if (fd_ < 0 || !bytes.empty()) {
      std::perror("no file in memory");
      std::exit(1);
    }
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::filesystem::path path() const { return fmt::format("/proc/self/fd/{}", fd_); }

 private:
  int fd_;
};

std::string json_of(const AnalysisResult& result) {
  std::ostringstream out;
  report::write_json(result, out);
  return out.str();
}

/// Everything that `show` and `graph` do with a report.
void show(const AnalysisResult& result) {
  std::ostringstream out;
  report::write_csv(result, out);
  report::TextOptions options;
  options.full = true;
  out << report::analysis_text(result, {}, options);
  const WaitGraph graph(result, {}, WaitGraph::Level::process);
  graph.write_dot(out);
  out << report::wait_graph_text(result, graph, {});
}

/// The report without the places of damage: if several members of a collective operation are missing, the place depends
/// on which location ended first.
std::string json_without_places(AnalysisResult result) {
  Diagnostics counts;
  for (int i = 0; i < diagnostic_count; ++i) {
    const auto id = static_cast<DiagnosticId>(i);
    const DiagnosticEntry& entry = result.diagnostics[id];
    counts.add(id, {LocationId::none(), ~Time{0}, {}}, entry.largest, entry.count);
  }
  result.diagnostics = counts;
  return json_of(result);
}

void notation(std::string_view bytes) {
  try {
    notation::Document::looks_like(bytes.substr(0, 4096));
    const notation::Document document = notation::Document::parse(bytes);
    const std::string text = to_notation(document.definitions());
    if (to_notation(notation::Document::parse(text).definitions()) != text)
      finding("definitions that are written and read again are others");
  } catch (const TraceError&) {
  }
}

void analysis(std::string_view bytes) {
  if (!notation::Document::looks_like(bytes.substr(0, 4096))) return;
  const MemoryFile file(bytes);
  try {
    AnalysisOptions options;
    options.threads = 1;
    const AnalysisResult result = analyze(file.path(), options);
    show(result);
    // Of cancelled sends it does depend on it, see linker.hpp.
    if (result.events_by_type[static_cast<std::size_t>(EventType::request_cancelled)] != 0) return;
    const std::string expected = json_without_places(result);
    for (const std::size_t chunk : {1, 3}) {
      options.chunk_events = chunk;
      if (json_without_places(analyze(file.path(), options)) != expected)
        finding("the result depends on the size of chunks");
    }
  } catch (const TraceError&) {
  }
}

void read_again(const AnalysisResult& result) {
  const std::string once = json_of(result);
  const MemoryFile again(once);
  if (json_of(report::read_json(again.path())) != once) finding("a report that is written and read again is another");
}

void json(std::string_view bytes) {
  const MemoryFile file(bytes);
  try {
    const AnalysisResult result = report::read_json(file.path());
    show(result);
    read_again(result);
  } catch (const TraceError& e) {
    if (std::string_view(e.what()).empty()) finding("an error without a text");
  }
}

void cubex(std::string_view bytes) {
  const MemoryFile file(bytes);
  AnalysisResult result;
  try {
    result = report::read_cube(file.path());
  } catch (const TraceError&) {
    return;
  }
  show(result);
  read_again(result);
}

void cubex_members(std::string_view members) { cubex(packed(members)); }

std::string tar_header(std::string_view name, std::size_t size) {
  std::string header(512, '\0');
  const auto put = [&](std::size_t at, std::string_view text) { header.replace(at, text.size(), text); };
  put(0, name.substr(0, 99));
  put(100, "0000644");
  put(124, fmt::format("{:011o}", size));
  put(136, "00000000000");
  put(148, "        ");
  put(156, "0");
  put(257, std::string_view("ustar\00000", 8));
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum));
  header[154] = '\0';
  return header;
}

constexpr std::string_view begin_of_member = "=== ";

constexpr Target all[] = {{"notation", notation, notation_seeds},
                          {"analysis", analysis, notation_seeds},
                          {"json", json, json_seeds},
                          {"cubex", cubex, cubex_seeds},
                          {"cubex_members", cubex_members, cubex_member_seeds},
                          {"events", events, event_seeds}};

}  // namespace

std::string packed(std::string_view members) {
  std::string archive;
  while (members.starts_with(begin_of_member)) {
    members.remove_prefix(begin_of_member.size());
    const std::size_t line = std::min(members.find('\n'), members.size());
    const std::string_view name = members.substr(0, line);
    members.remove_prefix(std::min(line + 1, members.size()));
    const std::size_t end = std::min(members.find(fmt::format("\n{}", begin_of_member)), members.size());
    archive += tar_header(name, end);
    archive += members.substr(0, end);
    archive.resize((archive.size() + 511) / 512 * 512);
    members.remove_prefix(std::min(end + 1, members.size()));
  }
  return archive + std::string(1024, '\0');
}

std::span<const Target> targets() { return all; }

const Target& target(std::string_view name) {
  const auto found = std::find_if(std::begin(all), std::end(all), [&](const Target& t) { return t.name == name; });
  if (found == std::end(all)) finding("no target of that name");
  return *found;
}

}  // namespace waitstate::fuzz
