// The local definitions of one location, and how they change its events: the recorder's own numbers of definitions
// become the archive's (id maps), and its clock's time becomes the archive's (clock offsets).
//
// Time between two measured offsets is corrected by the line through both, and outside of them by the first or last
// such line; one offset alone corrects nothing. This is the rule of the OTF2 library, with the same arithmetic, so that
// corrected times are equal to the tick. tests/otf2/library_events_test.cpp compares them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "otf2/file_check.hpp"
#include "otf2/format.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::otf2 {

/// Corrects times of a recorder's clock to the archive's clock.
class ClockCorrection {
 public:
  /// Adds an offset to the archive's clock, measured at `time` of the recorder's clock. Returns false if it does not
  /// come after the one before: both are then left out, as in the library.
  bool add(Time time, std::int64_t offset);

  /// The corrected time. Times come in the order of the file, so the search for the line continues from the last one
  /// used.
  // Always inline: it is called for every event, and GCC would decide by the size of the callers.
  [[gnu::always_inline]] Time correct(Time time) { return lines_.empty() ? time : on_line(time); }
  bool corrects() const { return !lines_.empty(); }

 private:
  struct Line {
    Time begin = 0, end = 0;
    std::int64_t offset = 0;
    double slope = 0;
  };

  [[gnu::always_inline]] Time on_line(Time time) {
    while (current_ + 1 < lines_.size() && time > lines_[current_].end) ++current_;
    const Line& line = lines_[current_];
    const double since =
        time >= line.begin ? static_cast<double>(time - line.begin) : -static_cast<double>(line.begin - time);
    const double drift = line.slope * since;
    if (!(std::abs(drift) < 9e18)) [[unlikely]]  // caused by damaged offsets
      return time;
    return time + static_cast<std::uint64_t>(line.offset) + static_cast<std::uint64_t>(std::llrint(drift));
  }

  std::vector<Line> lines_;
  std::optional<Line> open_;  ///< the line that the latest offset begins
  std::size_t current_ = 0;
};

/// The map of one kind of definition. A number without an entry stands for itself.
class IdMap {
 public:
  IdMap() = default;
  /// Reads the map from a file; see file_check.cpp. As the library does, it keeps 32 bits of each number, except for
  /// those of locations, which are `wide`.
  IdMap(ByteReader& in, bool wide);

  std::uint64_t operator[](std::uint64_t local) const {
    if (local < dense_.size()) return dense_[local];
    return sparse_.empty() ? local : find(local);
  }

 private:
  struct Pair {
    std::uint64_t local = 0, global = 0;
  };
  std::uint64_t find(std::uint64_t local) const;

  std::vector<std::uint64_t> dense_;
  std::vector<Pair> sparse_;  ///< sorted by `local`
};

struct LocalDefinitions {
  ClockCorrection clock;
  std::array<IdMap, 15> maps;  ///< indexed by OTF2's type of map, which is our kind of reference
  std::array<bool, 15> mapped{};

  std::uint64_t global(RefKind kind, std::uint64_t local) const {
    const auto i = static_cast<std::size_t>(kind);
    return i < maps.size() && mapped[i] ? maps[i][local] : local;
  }
  /// True if numbers or times are changed: without this file, the location's events would be taken for others.
  bool change_events() const {
    return clock.corrects() || std::find(mapped.begin(), mapped.end(), true) != mapped.end();
  }
};

/// Reads a location's file. Whatever contradicts earlier records (a second map of one kind, an offset measured before
/// the last one) is left out, and reported as damage if there is no worse.
CheckedFile read_local_definitions(const std::filesystem::path& path, std::uint64_t chunk_size,
                                   LocalDefinitions& definitions);

}  // namespace waitstate::otf2
