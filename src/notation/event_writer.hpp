// Writes traces in the notation that document.hpp describes, so that Document::parse gives back the same trace. Appends
// to a text that the caller owns; nothing is kept, and different threads may write at the same time.
#pragma once

#include <string>
#include <vector>

#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate::notation {

class EventWriter {
 public:
  /// Borrows `definitions`, which must not change while the writer is in use. Prepares the names of the regions.
  explicit EventWriter(const Definitions& definitions);
  /// Appends the event's line, without position and links.
  void append(std::string& out, const Event& event) const;

 private:
  const Definitions& definitions_;
  std::vector<std::string> regions_;  ///< how each region is written: its name, or # and its index
};

}  // namespace waitstate::notation
