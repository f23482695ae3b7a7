// Calls whose receives are all there but stand behind one that still waits for its sender, out of memory into a scratch
// file. If that message was never sent, they stand there until the sender ends, which may be at the end of the trace.
//
// Only a call goes that nobody but its own messages refers to and whose sends have all been received: then it and its
// messages are all that is left of them. The other calls of its messages go along as copies, since they may still be
// needed elsewhere; and a message whose other half is still to be delivered stays for that one. If the file cannot be
// made or is full, the calls stay where they are.
// Cost: a copy of calls and messages each way, by rows. Memory: what stays, and one row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "link/messages/messages.hpp"
#include "link/messages/messages_in_flight.hpp"
#include "link/processes.hpp"
#include "util/front_queue.hpp"
#include "util/spill/scratch_file.hpp"

namespace waitstate::link {

class SpilledReceives {
 public:
  /// Calls of one location, one after the other, that are in the file.
  struct Row {
    std::uint64_t place = 0;
    std::uint32_t bytes = 0;
    std::uint32_t run = 0;  ///< stands for their messages in `in_flight`
  };

  /// `in_flight` may be null, if nobody wants to know.
  SpilledReceives(const Processes& processes, Calls& calls, Messages& messages, MessagesInFlight* in_flight)
      : processes_(processes), calls_(calls), messages_(messages), in_flight_(in_flight) {}

  bool may_spill(CallRef call) const;
  /// Calls of one location that may be spilled. None if they have to stay.
  std::optional<Row> spill(std::span<const CallRef> calls);
  /// The calls again, behind those in `calls`; they have other numbers now.
  void bring_back(const Row& row, util::FrontQueue<CallRef>& calls);

  /// Bytes in the file.
  std::uint64_t size() const { return file_.size(); }

 private:
  struct SpilledCall {
    Call call;
    CallAccounts::Account account;
    std::uint32_t receives = 0, sends = 0;
  };
  struct SpilledMessage {
    MessageState message;
    Call send, post, recv;
    bool sent_here = false, posted_here = false, received_here = false;  ///< true of the call that is spilled
  };

  void put(CallRef call);
  void put(CallRef call, MessageRef message);
  void let_go(CallRef call);
  template <class T>
  void append(const T& value);
  template <class T>
  T next();
  CallRef bring_back_call(LocationId& location);
  MessageRef bring_back_message(CallRef call);
  CallRef copy_of(const Call& call);

  const Processes& processes_;
  Calls& calls_;
  Messages& messages_;
  MessagesInFlight* const in_flight_;
  util::ScratchFile file_;
  std::vector<std::byte> bytes_;  ///< scratch, of one row
  std::size_t read_ = 0;          ///< place in it
};

}  // namespace waitstate::link
