// The waits of a run, in the order of locations and times, in a file that `waitstate analyze` has written for the
// server:
//
//   u64 bytes of what follows, JSON: the ids of all metrics, padded with spaces to a multiple of 8; then WaitRecords
//
// The file is mapped into memory, so it takes none of its own. To open it costs a look at each record: then it is known
// how much of each bin of time a location waited, whatever the number of waits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "serve/http/descriptor.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::serve {

struct WaitRecord {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t begin = 0, end = 0;
  std::uint64_t sent = none, received = none;  ///< times of the message that ended it
  std::uint32_t location = 0, metric = 0;
  std::uint32_t sender = 0, bytes = 0;  ///< its sender and its length
};
static_assert(sizeof(WaitRecord) == 48);

/// The begin of such a file.
std::string wait_file_head(const MetricTree& metrics);

/// Bins of time in which the waits of each location are added up.
struct WaitBins {
  Time start = 0, width = 1;
  std::size_t count = 1;
};

class WaitFile {
 public:
  /// Throws OutputError if the file cannot be read, or has another form.
  WaitFile(const std::string& path, std::size_t locations, WaitBins bins);
  ~WaitFile();
  WaitFile(const WaitFile&) = delete;
  WaitFile& operator=(const WaitFile&) = delete;

  const std::vector<std::string>& metrics() const { return metrics_; }
  /// How many waits the locations from `first` to before `last` have.
  std::size_t count(std::size_t first, std::size_t last) const { return begin_of_[last] - begin_of_[first]; }
  /// Waits of a location: all of which a part lies in [from, to), and a few others.
  std::span<const WaitRecord> around(LocationId l, Time from, Time to) const;
  /// Adds to each bin the time in it in which the location waited, however many metrics say so: looks at each wait.
  void add_waiting(LocationId l, Time from, Time width, std::span<std::uint64_t> bins) const;
  /// Like it, for the locations from `first` to before `last`, by shares of the bins that are rounded to 1/255.
  void add_shares(std::size_t first, std::size_t last, Time from, Time width, std::span<std::uint64_t> bins) const;

 private:
  std::span<const WaitRecord> of(LocationId l) const;

  Descriptor file_;
  void* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::string> metrics_;
  std::span<const WaitRecord> records_;
  std::vector<std::size_t> begin_of_;  ///< by location, and one behind the last
  std::vector<Time> longest_of_;       ///< by location: the longest wait
  const WaitBins bins_;
  std::vector<std::uint8_t> shares_;  ///< by location and bin
};

}  // namespace waitstate::serve
