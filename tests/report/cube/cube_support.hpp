// The common parts of the tests of CUBE reports: a folder of their own, archives made of given members, tables as text.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/cube/archive.hpp"
#include "report/cube/reader.hpp"
#include "support/temporary_folder.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"

namespace waitstate::test {

using Members = std::vector<std::pair<std::string, std::string>>;

class CubeTest : public testing::Test {
 protected:
  std::string file(const char* name = "run.cubex") const { return folder_ / name; }

  std::string archive(const Members& members) const {
    std::ofstream out(file(), std::ios::binary);
    report::CubeArchiveWriter writer(out);
    for (const auto& [name, bytes] : members) {
      writer.begin(name, bytes.size());
      writer.write(bytes);
    }
    writer.finish();
    return file();
  }

  /// The error message of read_cube() without the path; empty if the report can be read.
  std::string complaint() const {
    try {
      report::read_cube(file());
    } catch (const TraceError& e) {
      const std::string text = e.what(), path = file() + ": ";
      EXPECT_TRUE(text.starts_with(path)) << text;
      return text.substr(path.size());
    }
    return "";
  }
  std::string complaint(const Members& members) const {
    archive(members);
    return complaint();
  }

  support::TemporaryFolder folder_;
};

inline std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline Members members_of(const std::string& file) {
  Members members;
  report::for_each_member(file, [&](report::CubeMember& m) {
    const std::string name = m.name();
    members.emplace_back(name, m.read());
  });
  return members;
}

/// A line a row: metric, call path, location, value (times in nanoseconds).
inline std::string table_of(const AnalysisResult& r) {
  std::string text;
  for (const SeverityRow& row : r.table()) {
    const MetricInfo& metric = r.metrics[row.metric];
    const std::int64_t scale =
        metric.unit == Unit::seconds ? static_cast<std::int64_t>(1'000'000'000 / r.definitions.clock.resolution) : 1;
    text += fmt::format("{} {} {} {}\n", metric.id, r.call_tree.path(row.callpath, r.definitions), row.location.value,
                        row.value * scale);
  }
  return text;
}

/// The bytes of the numbers one after the other, in the machine's order or reversed.
template <class T>
std::string numbers(std::initializer_list<T> values, bool swapped = false) {
  std::string bytes;
  for (const T value : values) {
    char one[sizeof value];
    std::memcpy(one, &value, sizeof value);
    if (swapped) std::reverse(one, one + sizeof value);
    bytes.append(one, sizeof value);
  }
  return bytes;
}

inline std::string dense_index() {
  return "CUBEX.INDEX" + numbers<std::uint32_t>({1}) + numbers<std::uint16_t>({0}) + '\3';
}
inline std::string sparse_index(std::initializer_list<std::uint32_t> rows, bool swapped = false) {
  return "CUBEX.INDEX" + numbers<std::uint32_t>({1}, swapped) + numbers<std::uint16_t>({0}) + '\1' +
         numbers<std::uint32_t>({static_cast<std::uint32_t>(rows.size())}, swapped) + numbers(rows, swapped);
}

}  // namespace waitstate::test
