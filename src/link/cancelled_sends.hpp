// Sends that the program has cancelled: nobody receives them, and the receives of their channel belong to later sends.
//
// Whether a send was cancelled the trace tells only when its request ends, and by then the next receive of its channel
// may have been linked with it, or may not: that depends on which location has been read how far. So a trace with
// cancelled sends is read twice. The first pass finds them, the second one knows them (read_again()). Hardly any trace
// has some: MPI has deprecated that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <vector>

#include "waitstate/trace/event_type.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::link {

class CancelledSends {
 public:
  /// A send by its event's location, time and request: was it found in an earlier pass?
  bool contains(LocationId l, Time time, std::uint64_t request) const {
    return !known_.empty() && std::binary_search(known_.begin(), known_.end(), Send{l, time, request});
  }
  /// In this pass a send turns out to be cancelled.
  void found(LocationId l, Time time, std::uint64_t request) {
    if (!contains(l, time, request)) found_.push_back({l, time, request});
  }
  /// Takes those that another worker has found.
  void join(const CancelledSends& other) { found_.insert(found_.end(), other.found_.begin(), other.found_.end()); }
  /// Brings those that are known, and those that were found, to another process.
  template <class Archive>
  void travel(Archive& archive) {
    archive(known_, found_);
  }
  /// At the end of a pass: true if its results are to be thrown away, as sends were found that it did not know.
  bool read_again() {
    if (found_.empty()) return false;
    std::copy(found_.begin(), found_.end(), std::back_inserter(known_));
    found_.clear();
    std::sort(known_.begin(), known_.end());
    return true;
  }

 private:
  using Send = std::tuple<LocationId, Time, std::uint64_t>;
  std::vector<Send> known_;  ///< sorted
  std::vector<Send> found_;
};

}  // namespace waitstate::link
