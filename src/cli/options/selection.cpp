#include "cli/options/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "cli/command.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

constexpr std::size_t most_locations = std::size_t{1} << 24;  // a range of more is a slip of the keyboard

void sort_and_drop_repeated(std::vector<std::size_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

bool read_number(std::string_view text, std::size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

void TimeWindow::check() const {
  const auto [from, to] = seconds;
  if (!(from <= to))  // true also if one is not a number
    throw UsageError(
        fmt::format("--time {} {}: expected two numbers, the second at least as large as the first", from, to));
}

Focus chosen_focus(const std::string& trace, const std::vector<std::size_t>& locations, const TimeWindow& time) {
  Focus focus;
  for (const std::size_t n : locations) focus.locations.emplace_back(n);
  if (time.all()) return focus;
  const pass::TraceStart start = pass::trace_start(trace);
  focus.from = tick_at(start, time.seconds.first, true);
  const Time last = tick_at(start, time.seconds.second, false);
  focus.to = last == ~Time{0} ? last : last + 1;  // our end is inclusive, that of the analysis is not
  if (focus.from >= focus.to)
    throw UsageError(
        fmt::format("--time {} {}: no time stamp of the trace can lie in this window, because its clock has {} ticks a "
                    "second",
                    time.seconds.first, time.seconds.second, start.resolution));
  return focus;
}

Time tick_at(const pass::TraceStart& start, double seconds, bool round_up) {
  const double exact = seconds * static_cast<double>(start.resolution), nearest = std::nearbyint(exact);
  // Seconds that are a whole number of ticks may have no exact binary form.
  const bool whole = std::abs(exact - nearest) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(exact);
  const double ticks = whole ? nearest : round_up ? std::ceil(exact) : std::floor(exact);
  constexpr Time last = std::numeric_limits<Time>::max();
  if (ticks < 0) return -ticks >= static_cast<double>(start.first) ? 0 : start.first - static_cast<Time>(-ticks);
  return ticks >= static_cast<double>(last - start.first) ? last : start.first + static_cast<Time>(ticks);
}

std::vector<std::size_t> location_numbers(const std::vector<std::string>& words) {
  std::vector<std::size_t> numbers;
  for (const std::string& word : words) {
    const auto dash = word.find('-');
    const std::string_view view = word;
    std::size_t first = 0, last = 0;
    const bool read = dash == std::string::npos
                          ? read_number(view, first) && read_number(view, last)
                          : read_number(view.substr(0, dash), first) && read_number(view.substr(dash + 1), last);
    if (!read)
      throw UsageError(
          fmt::format("'{}' is not a location: expected a number as in the first column of the output of 'waitstate "
                      "print', or a range of such numbers like 0-3",
                      word));
    if (last < first) throw UsageError(fmt::format("'{}' is not a range of locations: it ends before it begins", word));
    if (last >= most_locations) throw UsageError(fmt::format("there is no location {}", last));
    for (std::size_t n = first; n <= last; ++n) numbers.push_back(n);
    if (numbers.size() > most_locations) sort_and_drop_repeated(numbers);
  }
  sort_and_drop_repeated(numbers);
  return numbers;
}

void check_locations(const std::vector<std::size_t>& numbers, std::size_t count) {
  for (const std::size_t n : numbers)
    if (n >= count)
      throw UsageError(count == 0
                           ? fmt::format("there is no location {}: this trace has no locations", n)
                           : fmt::format("there is no location {}: this trace has locations 0 to {}", n, count - 1));
}

const std::vector<std::string> rma_models = {"auto", "basic", "extended"};  // in the order of RmaModel

RmaModel rma_model(const std::string& word) {
  check_word("RMA model", word, rma_models);
  return static_cast<RmaModel>(std::find(rma_models.begin(), rma_models.end(), word) - rma_models.begin());
}

}  // namespace waitstate::cli
