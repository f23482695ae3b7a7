#include "pass/time_damage.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace waitstate::pass {
namespace {

constexpr Time largest_time = ~Time{0};
constexpr std::uint64_t least_seconds = 10;
constexpr Time implausible = 10'000;

Ticks as_size(Time t) { return static_cast<Ticks>(std::min<Time>(t, std::numeric_limits<Ticks>::max())); }
Time sum(Time a, Time b) { return a > largest_time - b ? largest_time : a + b; }
Time product(Time a, Time b) { return b != 0 && a > largest_time / b ? largest_time : a * b; }

/// By what the recorder says.
void find_outside(const Clock& clock, std::span<const TimeSpan> spans, Diagnostics& diagnostics) {
  const auto length = static_cast<Time>(clock.length);
  const Time slack = std::max(length, product(clock.resolution, least_seconds));
  const Time end = sum(clock.offset, length);
  for (const TimeSpan& s : spans) {
    const Time early = s.first < clock.offset ? clock.offset - s.first : 0, late = s.last > end ? s.last - end : 0;
    if (std::max(early, late) <= slack) continue;
    const std::string by = std::to_string(std::max(early, late)) + " ticks ";
    if (early > late)
      diagnostics.add(DiagnosticId::time_outside, {s.location, s.first, "first event, " + by + "before the begin"},
                      as_size(early));
    else
      diagnostics.add(DiagnosticId::time_outside, {s.location, s.last, "last event, " + by + "after the end"},
                      as_size(late));
  }
}

/// By what all the other events say.
void find_jumps(std::span<const TimeSpan> spans, Diagnostics& diagnostics) {
  Time longest = 0, second = 0;  // the longest of all locations
  for (const TimeSpan& s : spans) {
    const Time length = s.last - s.first;
    second = std::max(second, std::min(length, longest));
    longest = std::max(longest, length);
  }
  for (const TimeSpan& s : spans) {
    const Time length = s.last - s.first, others = length == longest ? second : longest;
    const Time rest = std::max(length - s.jump, others);
    if (rest != 0 && s.jump > product(rest, implausible))
      diagnostics.add(DiagnosticId::time_jump,
                      {s.location, s.jump_end, std::to_string(s.jump) + " ticks without an event"}, as_size(s.jump));
  }
}

}  // namespace

void find_time_damage(const Clock& clock, std::span<const TimeSpan> spans, Diagnostics& diagnostics) {
  if (clock.length > 0)
    find_outside(clock, spans, diagnostics);
  else
    find_jumps(spans, diagnostics);
}

}  // namespace waitstate::pass
