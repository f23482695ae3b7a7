// For the merge, the call paths of single events. A location numbers its own call paths; which ones of the whole trace
// these are, linking knows when it has processed the chunk. Segments and tasks have call paths below where they were
// forked or created: from the event on with which one begins. Cost: a look-up per enter and exit.
#pragma once

#include <cstdint>
#include <vector>

#include "link/call_paths.hpp"
#include "link/threads/threads.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/paged_table.hpp"

namespace waitstate::link {

class EventCallPaths {
 public:
  EventCallPaths(CallPaths& paths, Threads& threads, std::size_t locations)
      : paths_(paths), threads_(threads), locations_(locations) {}

  /// Puts call paths of the whole trace in place of the location's own numbers into the events of a chunk that has been
  /// processed.
  void put_into(replay::Chunk& chunk);

 private:
  struct LocationState {
    std::uint32_t attachment = CallPaths::not_attached;  ///< attachment of the segment that is executed
    std::vector<std::uint32_t> interrupted;              ///< attachments of segments that tasks interrupt
  };

  void follow_attachments(const replay::Chunk& chunk, std::size_t event, std::size_t& segment, std::size_t& task);

  CallPaths& paths_;
  Threads& threads_;
  util::PagedTable<LocationState> locations_;
};

}  // namespace waitstate::link
