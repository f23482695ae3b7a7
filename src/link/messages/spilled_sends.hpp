// Sends that nobody has received so far, out of memory into a scratch file. A queue is received from its front, so what
// stands behind that need not be at hand: rows of sends go into the file, and a run (SpilledRun) takes their place in
// the queue, until it is the queue's front.
//
// Only a send that has completed in its own call may go, where that call did nothing else, and one of another worker's:
// then message and call refer to each other alone. If the file cannot be made or is full, the sends stay where they
// are. AwaySends puts those that another worker receives into the same file. Cost: a copy of message and call each way,
// by rows. Memory: what stays, and one row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "link/messages/messages.hpp"
#include "util/spill/scratch_file.hpp"

namespace waitstate::link {

class SpilledSends {
 public:
  struct Send {
    MessageState message;
    Call call;            ///< the call that sent it, and completed it if that is the worker's own
    Ticks exclusive = 0;  ///< for the call's account, if it has one
  };

  /// Messages that may be in memory before some are spilled.
  SpilledSends(Messages& messages, Calls& calls, std::size_t most_in_memory)
      : messages_(messages), calls_(calls), most_in_memory_(most_in_memory), next_at_(most_in_memory) {}

  /// True if there are so many messages that Channels::spill() should be called.
  bool due() const { return messages_.alive() >= next_at_; }
  // Around the rows that it spills.
  void begin();
  void end();

  bool may_spill(QueueEntry entry) const;
  /// The run that stands for these messages from now on, which are all of one channel and in its order. None if they
  /// have to stay.
  std::optional<QueueEntry> spill(std::span<const MessageRef> row);
  /// The sends that the run stands for; the run is gone then. Valid until the next call of take() or spill().
  std::span<const Send> take(QueueEntry run);
  /// Messages again, their own calls with them.
  MessageRef bring_back(const Send& send);

  // For who keeps account of what is in the file.
  /// The place of these messages in the file, in their order, after which they are gone from memory. None if they have
  /// to stay.
  std::optional<std::uint64_t> put(std::span<const MessageRef> row);
  /// One of those that are at the place; it stays there. (Reading some more with it has cost time: each receiver's
  /// answers come in an order of their own.)
  Send get(std::uint64_t place, std::size_t number) const;
  /// Frees the room of all sends at the place.
  void drop(std::uint64_t place, std::size_t count) { file_.drop(place, count * sizeof(Send)); }

  /// Sends that are in the file.
  std::size_t size() const { return static_cast<std::size_t>(file_.size() / sizeof(Send)); }

 private:
  Messages& messages_;
  Calls& calls_;
  util::ScratchFile file_;
  std::size_t most_in_memory_;
  std::size_t next_at_;  ///< at least that, more where not all could be spilled the last time
  std::size_t last_spilled_ = 0, brought_back_ = 0;  ///< sends, the last time and since
  std::vector<Send> sends_;                          ///< scratch, of one row
};

}  // namespace waitstate::link
