#include "report/html/cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace waitstate::report {
namespace {

static_assert(std::endian::native == std::endian::little, "sections are little endian");

template <class T>
void put_numbers(std::string& out, const std::vector<T>& numbers) {
  out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}

constexpr std::uint32_t is_grouped = ~std::uint32_t{0};

/// The codes of all values of a metric: high and low bytes apart.
class Codes {
 public:
  Codes(Coding coding, std::size_t most) : scale_(1 / std::log(coding == Coding::fine ? 1.001 : 1.01)) {
    high_.reserve(most);
    low_.reserve(most);
  }
  void add(double value, double least) {
    const double step = value <= 0 ? -1 : std::round(std::log(value / least) * scale_);
    const auto code = static_cast<std::uint32_t>(std::clamp(step + 1, 0.0, 65535.0));
    high_.push_back(static_cast<std::uint8_t>(code >> 8));
    low_.push_back(static_cast<std::uint8_t>(code & 255));
  }
  std::size_t size() const { return low_.size(); }
  void put(std::string& out) const {
    put_numbers(out, high_);
    put_numbers(out, low_);
  }

 private:
  double scale_;
  std::vector<std::uint8_t> high_, low_;
};

struct OfGroup {
  std::int64_t smallest = 0, largest = 0;
  double mean = 0;
  std::size_t values = 0;  ///< the number of values that are not 0
};

/// The groups of a row. Locations that it lacks are 0.
std::vector<OfGroup> groups_of(const Cells& cells, const Cells::Row& row, std::size_t locations,
                               std::size_t group_size) {
  std::vector<OfGroup> groups((locations + group_size - 1) / group_size);
  for (std::size_t i = row.begin; i < row.end; ++i) {
    OfGroup& g = groups[cells.locations[i] / group_size];
    const std::int64_t value = cells.values[i];
    g.smallest = g.values == 0 ? value : std::min(g.smallest, value);
    g.largest = std::max(g.largest, value);
    g.mean += static_cast<double>(value);
    ++g.values;
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t size = std::min(group_size, locations - g * group_size);
    groups[g].mean /= static_cast<double>(size);
    if (groups[g].values < size) groups[g].smallest = 0;
  }
  return groups;
}

}  // namespace

Cells::Cells(const AnalysisResult& result, MetricIndex metric, std::span<const std::uint32_t> places,
             std::size_t count) {
  if (count == 0) return;
  locations.reserve(count);
  values.reserve(count);
  result.severities.for_each(metric, places, [&](CallPathId callpath, LocationId location, std::int64_t value) {
    const std::uint32_t row = places[callpath.index()];
    if (rows.empty() || rows.back().callpath != row) rows.push_back({row, values.size(), values.size()});
    locations.push_back(location.value);
    values.push_back(value);
    rows.back().end = values.size();
  });
}

bool Cells::can_be_coded() const {
  return std::all_of(values.begin(), values.end(), [](std::int64_t value) { return value > 0; });
}

std::string sums_section(const Cells& cells, std::size_t callpaths, std::size_t locations, Aggregation aggregation) {
  std::vector<std::int64_t> by_callpath(callpaths), by_location(locations);
  for (const Cells::Row& row : cells.rows)
    for (std::size_t i = row.begin; i < row.end; ++i) {
      std::int64_t& of_path = by_callpath[row.callpath];
      std::int64_t& of_location = by_location[cells.locations[i]];
      of_path = aggregate(aggregation, of_path, cells.values[i]);
      of_location = aggregate(aggregation, of_location, cells.values[i]);
    }
  std::string out = "WSS1";
  put_numbers<std::uint32_t>(out, {static_cast<std::uint32_t>(callpaths), static_cast<std::uint32_t>(locations)});
  put_numbers(out, std::vector<double>(by_callpath.begin(), by_callpath.end()));
  put_numbers(out, std::vector<double>(by_location.begin(), by_location.end()));
  return out;
}

CellsSection cells_section(const Cells& cells, std::size_t callpaths, std::size_t locations, const CellForm& form) {
  const bool coded = form.coding != Coding::exact;
  const std::size_t group_size = (locations + CellForm::most_groups - 1) / CellForm::most_groups;
  double total = 0;
  for (const std::int64_t value : cells.values) total += static_cast<double>(value);
  std::vector<std::uint32_t> paths, counts;
  std::vector<double> least;
  std::vector<std::uint8_t> gaps;
  Codes codes(form.coding, coded ? cells.values.size() : 0);
  CellsSection section;
  for (const Cells::Row& row : cells.rows) {
    const auto begin = cells.values.begin() + static_cast<std::ptrdiff_t>(row.begin);
    const auto end = cells.values.begin() + static_cast<std::ptrdiff_t>(row.end);
    paths.push_back(row.callpath);
    least.push_back(coded ? static_cast<double>(*std::min_element(begin, end)) : 0);
    const double sum = coded ? std::accumulate(begin, end, 0.0) : 0;
    // Three values a group take less than the values only where a group has more than three.
    if (coded && sum < form.grouped_below * total && row.end - row.begin > 3 * CellForm::most_groups) {
      ++section.grouped;
      counts.push_back(is_grouped);
      const std::vector<OfGroup> groups = groups_of(cells, row, locations, group_size);
      for (const OfGroup& g : groups)  // a mean may be smaller than all values, of which some are 0
        if (g.values != 0) least.back() = std::min(least.back(), g.mean);
      for (const OfGroup& g : groups)
        for (const double value : {static_cast<double>(g.smallest), g.mean, static_cast<double>(g.largest)})
          codes.add(value, least.back());
      continue;
    }
    counts.push_back(static_cast<std::uint32_t>(row.end - row.begin));
    if (coded)
      for (std::size_t i = row.begin; i < row.end; ++i) codes.add(static_cast<double>(cells.values[i]), least.back());
    if (counts.back() == locations) continue;
    std::uint32_t next = 0;  // the location behind the last one
    for (std::size_t i = row.begin; i < row.end; ++i) {
      std::uint32_t gap = cells.locations[i] - next;
      next = cells.locations[i] + 1;
      for (; gap > 127; gap >>= 7) gaps.push_back(static_cast<std::uint8_t>(gap | 128));
      gaps.push_back(static_cast<std::uint8_t>(gap));
    }
  }
  std::string& out = section.contents;
  out = "WSC2";
  out.reserve(40 + paths.size() * 16 + gaps.size() + (coded ? 2 * codes.size() : 8 * cells.values.size()));
  put_numbers<std::uint32_t>(out, {static_cast<std::uint32_t>(callpaths), static_cast<std::uint32_t>(locations),
                                   static_cast<std::uint32_t>(paths.size()),
                                   static_cast<std::uint32_t>(coded ? codes.size() : cells.values.size()),
                                   static_cast<std::uint32_t>(form.coding), static_cast<std::uint32_t>(gaps.size()),
                                   static_cast<std::uint32_t>(group_size)});
  put_numbers(out, paths);
  put_numbers(out, counts);
  put_numbers(out, least);
  put_numbers(out, gaps);
  if (coded)
    codes.put(out);
  else
    put_numbers(out, std::vector<double>(cells.values.begin(), cells.values.end()));
  return section;
}

}  // namespace waitstate::report
