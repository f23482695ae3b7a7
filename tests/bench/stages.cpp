// Where the time of an analysis goes: one trace through more and more of the stages, on one thread, so that nothing
// hides behind decoding. Each figure includes the stages before it; all are measured in turn, so that other load on the
// machine hits all alike, and the median is printed.
//
// usage: stages [--repeat N] TRACE
// prints one stage a line, `stage name seconds`, for example `stage link 1.234`
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "otf2/archive.hpp"
#include "otf2/events/event_reader.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/result/report.hpp"

namespace {

using namespace waitstate;

/// Takes decoded events and does nothing with them.
struct Nothing {
  void enter(Time, RegionId) {}
  void exit(Time, RegionId) {}
  void event(EventType, Time, const std::uint64_t*, std::span<const Value>) {}
  void attribute_list(std::span<const ListedAttribute>) {}
};

void decode(const std::string& trace) {
  const otf2::Archive archive(trace);
  std::vector<LocationId> all;
  for (std::size_t i = 0; i < archive.definitions().locations.size(); ++i) all.emplace_back(i);
  otf2::EventReader<Nothing> reader(archive, all, false);
  Nothing nothing;
  for (const LocationId l : all)
    while (!reader.at_end(l)) reader.read(l, nothing, 1 << 16);
}

AnalysisResult analysis(const std::string& trace, bool patterns) {
  AnalysisOptions options;
  options.threads = 1;
  options.built_in = patterns;
  return analyze(trace, options);
}

int measure(const std::string& trace, int repeat) {
  const std::string report = (std::filesystem::temp_directory_path() / "waitstate-stages-XXXXXX").string();
  std::vector<char> name(report.begin(), report.end());
  name.push_back('\0');
  const char* const folder = mkdtemp(name.data());
  if (folder == nullptr) return std::fprintf(stderr, "stages: cannot create %s\n", report.c_str()), 1;
  const std::vector<std::pair<const char*, std::function<void()>>> stages{
      {"definitions", [&] { otf2::Archive{trace}; }},
      {"decode", [&] { decode(trace); }},
      {"replay_and_link", [&] { analysis(trace, false); }},
      {"patterns", [&] { analysis(trace, true); }},
      {"report",
       [&] {
         std::ofstream out(std::filesystem::path(folder) / "report.json");
         write_json(analysis(trace, true), out);
       }},
  };
  std::vector<std::vector<double>> seconds(stages.size());
  for (int i = 0; i <= repeat; ++i)
    for (std::size_t s = 0; s < stages.size(); ++s) {
      const auto start = std::chrono::steady_clock::now();
      stages[s].second();
      if (i != 0)  // the first round warms the page cache
        seconds[s].push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  std::filesystem::remove_all(folder);
  for (std::size_t s = 0; s < stages.size(); ++s) {
    std::sort(seconds[s].begin(), seconds[s].end());
    std::printf("stage %s %.4f\n", stages[s].first, seconds[s][seconds[s].size() / 2]);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int repeat = 3;
  if (argc == 4 && std::string_view(argv[1]) == "--repeat") {
    repeat = std::atoi(argv[2]);
    argv += 2;
    argc -= 2;
  }
  if (argc != 2 || repeat < 1) return std::fprintf(stderr, "usage: stages [--repeat N] TRACE\n"), 2;
  try {
    return measure(argv[1], repeat);
  } catch (const Error& e) {
    return std::fprintf(stderr, "stages: %s\n", e.what()), 3;
  }
}
