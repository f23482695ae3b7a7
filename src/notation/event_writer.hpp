// Writes traces in the notation that document.hpp describes, so that Document::parse reads the same trace back. It
// appends to a text that the caller owns and keeps nothing, so different threads may write at the same time.
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
  /// Appends the event's line, without its position and links.
  void append(std::string& out, const Event& event) const;

 private:
  const Definitions& definitions_;
  std::vector<std::string> regions_;  ///< the text of each region: its name, or # and its index
};

}  // namespace waitstate::notation
