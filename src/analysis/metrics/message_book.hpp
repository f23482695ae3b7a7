// Keeps which send belongs to which receive, for the pictures of what happened around severe waits. These waits are
// known only when everything has been read, and the events are read again then, but not matched again: a channel may
// have many messages of one length, and nothing in a part of the run says which of them was the first.
//
// All messages are kept up to a limit; beyond it those of which a hash ends in zeros, one more zero each time that
// there are too many. So what is kept depends neither on the order in which messages come, nor on the parts into which
// an analysis is divided. One message that is kept tells the order of all others of its channel.
//
// Cost: a hash and a copy of 40 bytes a message, at most 1 MB. With 16 times as many, a JSON report of 10 million
// events takes a quarter longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "waitstate/pattern/compound_events.hpp"
#include "waitstate/result/wait_context.hpp"

namespace waitstate::analysis {

class MessageBook {
 public:
  static constexpr std::size_t usual_limit = std::size_t{1} << 14;
  explicit MessageBook(std::size_t limit = usual_limit) : limit_(limit) {}

  /// Events that have to be delivered to it.
  static constexpr Interests interests = interest_completed_receives;

  void add(const CompletedReceives& r);
  /// Adds what another book has of the same trace.
  void merge(const MessageBook& other);
  template <class Archive>
  void travel(Archive& archive) {
    archive(zeros_, messages_);
  }

  /// The messages that are kept, by the times of their sends.
  std::vector<WaitContext::Message> messages() const;
  /// False if there are more messages than those that are kept.
  bool is_complete() const { return zeros_ == 0; }

 private:
  void add(const WaitContext::Message& message);
  bool is_kept(const WaitContext::Message& message) const;
  /// Drops messages that are no longer kept.
  void drop();
  /// Drops messages until there are not too many.
  void thin_out();

  std::size_t limit_;
  unsigned zeros_ = 0;  ///< number of bits of the hash that are zero in all messages that are kept
  std::vector<WaitContext::Message> messages_;
};

}  // namespace waitstate::analysis
