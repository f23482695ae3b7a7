// Links what several locations did: composes the parts that each deal with one kind of record, and gives every record
// to its part.
//
//   inside a process: ProcessOrder (records of several threads in order of time), Requests, Threads
//   between processes: Channels and MessageDelivery, Collectives, Rma. They take a record and a call each time, and
//     never ask the other side's location for anything.
//
// With several workers each has a linker for its own processes. What concerns processes of several workers goes as a
// value to the one where it meets, and an answer comes back: exchange/records.hpp.
//
// No global order is needed for that, only the order of each process's own records, so chunks of different locations
// are processed as they come. What is found does not depend on who is read first, nor how far.
// Each chunk is looked at twice: scanned as soon as it is read, processed when its call paths are known.
//
// Cost: constant per record. Memory: what is open - messages sent and not received or not completed, requests, receives
// whose sender has not been read that far. Which sends were cancelled has to be known before: CancelledSends.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "link/call_accounts.hpp"
#include "link/call_builder.hpp"
#include "link/call_paths.hpp"
#include "link/calls.hpp"
#include "link/cancelled_sends.hpp"
#include "link/collectives/collectives.hpp"
#include "link/devices.hpp"
#include "link/event_call_paths.hpp"
#include "link/exchange/port.hpp"
#include "link/listener.hpp"
#include "link/merge_feed.hpp"
#include "link/messages/away_sends.hpp"
#include "link/messages/channels.hpp"
#include "link/messages/found_messages.hpp"
#include "link/messages/message_delivery.hpp"
#include "link/messages/message_prefetch.hpp"
#include "link/messages/message_searches.hpp"
#include "link/messages/messages.hpp"
#include "link/messages/messages_in_flight.hpp"
#include "link/messages/requests.hpp"
#include "link/messages/spilled_sends.hpp"
#include "link/process_order.hpp"
#include "link/processes.hpp"
#include "link/rma/held_lock.hpp"
#include "link/threads/threads.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/paged_table.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class Rma;

class Linker {
 public:
  /// With `feed`, the merge is told what all records link to. `port`: the worker's, if there are several; then only
  /// chunks of its own locations may come, and there is no merge.
  Linker(const Definitions& definitions, CallTree& call_tree, Diagnostics& diagnostics, Listener* listener,
         MergeFeed* feed, CancelledSends cancelled = {}, Port* port = nullptr);
  ~Linker();

  /// Takes note of the next chunk of a location. False if it cannot be processed yet, because it has a part in a team
  /// whose fork has not been scanned.
  bool scan(const replay::Chunk& chunk);
  /// False as long as the chunk that the location has scanned cannot be processed.
  bool may_process(LocationId l) const { return threads_.resolved(l); }
  /// The location whose fork it waits for; none if that cannot be known.
  LocationId awaited_fork(LocationId l) { return threads_.awaited(l); }
  /// Gives up the first fork that it waits for.
  void give_up_fork(LocationId l) { threads_.give_up(l); }
  /// Processes the chunk scanned last, or scans and processes it; forks that are not known yet are given up.
  void process(const replay::Chunk& chunk);
  /// Every location has been processed to its end: what is still open will stay so.
  void finish();

  // With several workers. Each calls these instead of finish(), one after the other, when all workers have done
  // what is before it and everything that they have posted has been taken; join() and finish_joined() are called by one
  // thread in the end.
  /// Takes what others have posted; false if there is nothing.
  bool take_posted();
  /// Sends batches that have at least so many bytes.
  void send_batches(std::size_t least) { port_->send_batches(earliest_send(), least); }
  /// All locations of the worker have been processed to their end: tells the others.
  void end_reading();
  /// True if all others have told as much as this worker.
  bool all_told() const { return told_by_others_[told_ - 1] == port_->workers() - 1; }
  /// Answers what is open, as no receive will come, and tells the others.
  void answer_rest();
  /// Tells the others that this worker has taken the answers, which may have had answers: so many times.
  unsigned more_stages() const;
  void end_stage();
  /// Closes what the answers have closed.
  void close();
  /// Takes what the linker of another worker has, before finish_joined() for all.
  void join(Linker& other);
  /// Brings what join() takes to the linker of another process, which has nothing.
  template <class Archive>
  void travel(Archive& archive) {
    if constexpr (!Archive::reads) {
      held_by_others_ = held_thread_locks();
      windows_held_by_others_ = held_locks();
    }
    archive(collectives_, delivery_, open_calls_, leftovers_, held_by_others_, windows_held_by_others_, cancelled_);
    if (accounts_) archive(*accounts_);
  }
  void finish_joined();

  /// Call path of the whole trace for a number of the location's own tree; none for 0, and for those of segments.
  CallPathId call_path(LocationId location, std::uint32_t number) const { return paths_.at(location, number); }

  // For the scheduler: which location is to be read next.
  bool at_end(LocationId l) const { return processes_.at_end(l); }
  /// Time since the first event of the location's process, up to which the location has been processed.
  Ticks progress(LocationId l) const { return processes_.progress(l); }
  /// Time of the last event that has been processed of the location, 0 if there is none.
  Time read_up_to(LocationId l) const { return processes_.read_up_to(l); }
  /// True if calls that look for messages are to have records.
  bool wants_searches() const { return searches_.has_value(); }
  /// True if so many receives of the location wait for their senders that it should not be read on.
  bool waits_for_others(LocationId l) const { return delivery_.waits_for_others(l); }

  /// For the merge: puts call paths of the whole trace in place of the location's own numbers into the events of a
  /// chunk that has been processed.
  void name_call_paths(replay::Chunk& chunk) { event_call_paths_.put_into(chunk); }

  ProcessId process_id(LocationId l) const { return processes_.of(l); }
  const Collectives& collectives() const { return collectives_; }
  /// True if chunks have to bring mpi_enters and mpi_exits.
  bool wants_mpi_calls() const;
  /// True if there is one-sided communication that somebody wants to know of.
  bool has_windows() const { return rma_ != nullptr; }
  /// True if chunks have to bring device_records.
  bool wants_device_calls() const { return devices_ != nullptr; }
  /// True if chunks have to bring what locations did.
  bool wants_work() const { return wants_work_; }
  /// True if chunks have to bring steps.
  bool wants_steps() const { return wants_steps_; }
  bool wants_work_to_end_of_team() const { return wants_work_ && listener_->wanted().work_to_end_of_team; }
  /// Grows whenever something that somebody may wait for has turned out to be missing.
  std::uint64_t missing_count() const {
    return ended_processes_ + delivery_.missing_count() + collectives_.missing_count();
  }

  /// Cancelled sends: those known before this pass, and those found in it.
  const CancelledSends& cancelled() const { return cancelled_; }

  /// The last of each location that ended in a call that waits for others; in no order, without what came before.
  struct OpenCall {
    Call call;
    LocationId receiver;  ///< receiver of a message that is sent in it; none if none is
    CommId comm;
    std::uint32_t tag = 0;
  };
  const std::vector<OpenCall>& open_calls() const { return open_calls_; }
  /// A message that nobody received, or a non-blocking receive that never completed.
  struct Leftover {
    ProcessId receiver;
    CommId comm;       ///< communicator of a message
    ProcessId sender;  ///< sender of a message
    Time time = 0;     ///< enter of the call that sent the message, or posted the receive
    bool sent = false;
    LocationId location{};  ///< location that sent the message
    std::uint32_t tag = 0;  ///< tag of a message
  };
  /// The leftovers of the whole trace, in no order, after finish(). Without message queues only messages, and only if a
  /// call is open.
  const std::vector<Leftover>& leftovers() const { return leftovers_; }
  /// Locks of windows that are never released, by location; empty if nobody wants one-sided communication.
  std::vector<HeldLock> held_locks() const;
  /// Locks of threads that are never released, by location.
  std::vector<HeldThreadLock> held_thread_locks() const;

  std::uint64_t messages_matched() const { return delivery_.messages_matched(); }
  /// Largest number of messages and receives that were open at once (for figures on memory).
  std::size_t open_messages() const { return messages_.alive(); }
  /// Sends that are in the scratch file.
  std::size_t spilled() const { return spilled_.size(); }
  /// Number of notes on who waits, or waited, for whom (for figures on memory).
  std::size_t waiters() const { return delivery_.waiters(); }

  /// Messages in memory, of all workers together, from which on sends that stand in long queues are spilled: so many,
  /// and so many of each location; but of each worker as many as it may have because it is ahead of others.
  static constexpr std::size_t most_in_memory = 1 << 17, most_in_memory_of_each = 64,
                               most_in_memory_of_worker = 1 << 15;

 private:
  static constexpr std::uint32_t none = CallState::none;

  template <class Record>
  void posted(WorkerId from, const Record& record);
  MessageRef send_away(LocationId l, const replay::CommRecord& r, CallRef call);
  Time earliest_send() const { return told_ != 0 ? ~Time{0} : order_.watermark(); }
  void update_watermark();
  void add_calls(const replay::Chunk& chunk);
  void process_records(const replay::Chunk& chunk, bool in_order);
  void ignore_records(const replay::Chunk& chunk);
  void process_one_sided(const replay::Chunk& chunk);
  void tell_work(const replay::Chunk& chunk);
  void tell_steps(const replay::Chunk& chunk);
  void end_process(ProcessId process);
  void link(LocationId l, const replay::CommRecord& record, CallRef call);
  MessageRef send(LocationId l, const replay::CommRecord& r, CallRef call);
  void lacks(CallRef call, CallAccounts::Lack what, replay::WorkMark::Kind kind);
  void receive(LocationId l, const replay::CommRecord& r, CallRef call, const PostedReceive& post);
  void matched(MessageRef message);
  std::uint32_t take_searches(LocationId l, const replay::CommRecord& r, CallRef receive);
  template <class Operation, class Use>
  void end_request(LocationId l, const replay::CommRecord& r, CallRef call, Use&& use);
  void close_record(CallRef call);
  void close_accounts();
  void deliver_accounts();
  void finish_messages();
  void finish_with_leftovers(bool posted);
  void finish_rest();

  const Definitions& definitions_;
  Diagnostics& diagnostics_;
  Port* const port_;
  MergeFeed* const feed_;
  Listener* const listener_;
  CancelledSends cancelled_;
  std::optional<CallAccounts> accounts_;  ///< if somebody wants them
  Calls calls_;
  CallPaths paths_;
  Processes processes_;
  ProcessOrder<replay::CommRecord> order_;
  Threads threads_;
  CallBuilder call_builder_;
  EventCallPaths event_call_paths_;
  Messages messages_;
  SpilledSends spilled_;
  AwaySends away_;
  std::optional<MessagesInFlight> in_flight_;  ///< if somebody wants watermarks
  Channels channels_;
  std::optional<MpiPresence> presence_;      ///< if somebody wants message queues
  std::optional<MessageSearches> searches_;  ///< if somebody wants to know who looked for messages
  MessageDelivery delivery_;
  MessagePrefetch prefetch_;
  Requests requests_;
  FoundMessages found_messages_;
  Collectives collectives_;
  std::unique_ptr<Rma> rma_;                 ///< null if nobody listens or there are no windows
  std::unique_ptr<Devices> devices_;         ///< null if nobody listens or there are no streams
  util::PagedTable<std::uint32_t> scanned_;  ///< by location: chunks that are still to be processed
  std::vector<CallRef>
      call_ids_;  ///< numbers of the calls of the chunk that is processed, none for calls that have none so far
  std::vector<Call> mpi_enters_;  ///< scratch of process_one_sided()
  std::vector<OpenCall> open_calls_;
  std::vector<Leftover> leftovers_;
  std::vector<HeldThreadLock> held_by_others_;    ///< by threads of other workers
  std::vector<HeldLock> windows_held_by_others_;  ///< locks of windows, by processes of other workers
  const bool wants_work_, wants_steps_;
  std::vector<LocationWork::Share> work_shares_;  ///< scratch of tell_work()
  std::vector<replay::WorkMark> work_marks_;      ///< scratch of tell_work()
  std::vector<replay::StepRecord> steps_;         ///< scratch of tell_steps()
  std::uint32_t first_step_ = 0;                  ///< number of the first step of the chunk that is processed
  Link link_;                                     ///< scratch of link()
  std::size_t until_watermark_ = 0;               ///< chunks until the watermark is looked at again
  std::uint64_t ended_processes_ = 0;
  std::uint32_t told_ = 0;                ///< stages that this worker has ended
  std::uint32_t told_by_others_[4] = {};  ///< by stage: others that have ended it
  bool others_have_open_calls_ = false;
};

}  // namespace waitstate::link
