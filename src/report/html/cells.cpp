#include "report/html/cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <ostream>

namespace waitstate::report {
namespace {

static_assert(std::endian::native == std::endian::little, "sections are little endian");

template <class T>
void put_numbers(std::ostream& out, const std::vector<T>& numbers) {
  out.write(reinterpret_cast<const char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * sizeof(T)));
}

/// The step of a value on the logarithmic scale that begins at `least`.
std::uint16_t log_step(double value, double least) {
  static const double scale = 1 / std::log(1.001);
  return static_cast<std::uint16_t>(std::min(65535.0, std::round(std::log(value / least) * scale)));
}

}  // namespace

Cells::Cells(const AnalysisResult& result, MetricIndex metric, std::span<const std::uint32_t> places) {
  if (metric >= result.severities.metric_count()) return;
  result.severities.for_each(metric, places, [&](CallPathId callpath, LocationId location, std::int64_t value) {
    const std::uint32_t row = places[callpath.index()];
    if (rows.empty() || rows.back().callpath != row) rows.push_back({row, values.size(), values.size()});
    locations.push_back(location.value);
    values.push_back(value);
    rows.back().end = values.size();
  });
}

CellSums::CellSums(const AnalysisResult& result, MetricIndex metric, std::span<const std::uint32_t> places)
    : by_callpath(places.size()), by_location(result.definitions.locations.size()) {
  if (metric >= result.severities.metric_count()) return;
  const Aggregation aggregation = result.metrics[metric].aggregation;
  result.severities.for_each(metric, [&](CallPathId callpath, LocationId location, std::int64_t value) {
    ++values;
    can_be_coded = can_be_coded && value > 0;
    std::int64_t &of_path = by_callpath[places[callpath.index()]], &of_location = by_location[location.index()];
    of_path = aggregate(aggregation, of_path, value);
    of_location = aggregate(aggregation, of_location, value);
  });
}

void write_sums(const CellSums& sums, std::ostream& out) {
  out.write("WSS1", 4);
  put_numbers<std::uint32_t>(
      out, {static_cast<std::uint32_t>(sums.by_callpath.size()), static_cast<std::uint32_t>(sums.by_location.size())});
  put_numbers(out, std::vector<double>(sums.by_callpath.begin(), sums.by_callpath.end()));
  put_numbers(out, std::vector<double>(sums.by_location.begin(), sums.by_location.end()));
}

void write_cells(const Cells& cells, std::size_t callpaths, std::size_t locations, bool coded, std::ostream& out) {
  std::vector<std::uint32_t> paths, counts;
  std::vector<double> least;
  std::vector<std::uint8_t> gaps;
  for (const Cells::Row& row : cells.rows) {
    paths.push_back(row.callpath);
    counts.push_back(static_cast<std::uint32_t>(row.end - row.begin));
    const auto begin = cells.values.begin() + static_cast<std::ptrdiff_t>(row.begin);
    least.push_back(coded ? static_cast<double>(*std::min_element(begin, begin + counts.back())) : 0);
    if (counts.back() == locations) continue;
    std::uint32_t next = 0;  // the location behind the last one
    for (std::size_t i = row.begin; i < row.end; ++i) {
      std::uint32_t gap = cells.locations[i] - next;
      next = cells.locations[i] + 1;
      for (; gap > 127; gap >>= 7) gaps.push_back(static_cast<std::uint8_t>(gap | 128));
      gaps.push_back(static_cast<std::uint8_t>(gap));
    }
  }
  out.write("WSC1", 4);
  put_numbers<std::uint32_t>(
      out, {static_cast<std::uint32_t>(callpaths), static_cast<std::uint32_t>(locations),
            static_cast<std::uint32_t>(paths.size()), static_cast<std::uint32_t>(cells.values.size()), coded ? 1u : 0u,
            static_cast<std::uint32_t>(gaps.size()), 0u});
  put_numbers(out, paths);
  put_numbers(out, counts);
  put_numbers(out, least);
  put_numbers(out, gaps);
  if (!coded) return put_numbers(out, std::vector<double>(cells.values.begin(), cells.values.end()));
  std::vector<std::uint8_t> low;
  low.reserve(cells.values.size());
  std::vector<std::uint8_t> high;
  high.reserve(cells.values.size());
  for (std::size_t r = 0; r < cells.rows.size(); ++r)
    for (std::size_t i = cells.rows[r].begin; i < cells.rows[r].end; ++i) {
      const std::uint16_t coded_value = log_step(static_cast<double>(cells.values[i]), least[r]);
      high.push_back(static_cast<std::uint8_t>(coded_value >> 8));
      low.push_back(static_cast<std::uint8_t>(coded_value & 255));
    }
  put_numbers(out, high);
  put_numbers(out, low);
}

}  // namespace waitstate::report
