// Links what several locations did (linker.cpp; collectives.hpp): messages by first in first out
// per (communicator, sending process, receiving process, tag), requests per process, and the compound events that
// patterns receive.
//
// No global order is needed for that, only the order of each process's own records, so chunks of different locations
// are processed as they come. Each process is single-threaded in the common case and then its records are linked
// straight from the chunk; the records of a process with several threads are first brought into time order among these
// threads, because MPI orders messages per process and any thread may complete what another one started.
//
// Of receives of one channel, the one that completes first has the message that was sent first. MPI gives that to the
// one that was posted first, which is another one where a program waits for them in another order (MPI_Waitany); but
// where one that was posted earlier receives from, a trace tells only when it completes, which may be at the end of the
// run.
//
// Cost: constant per record (a hash lookup per channel or request), however long a queue is. Memory: what is open -
// messages sent and not received or not completed, requests, receives whose sender has not been read that far. Sends in
// long queues go into a scratch file where there are many (linker_losses.cpp).
// Which sends were cancelled has to be known before: cancelled_sends.hpp.
// A receive whose send is not in the trace holds back the later receives of its location until the sending process has
// been read to its end, or abandon() gives it up.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "link/call_paths.hpp"
#include "link/calls.hpp"
#include "link/cancelled_sends.hpp"
#include "link/collectives/collectives.hpp"
#include "link/devices.hpp"
#include "link/listener.hpp"
#include "link/merge_feed.hpp"
#include "link/threads/threads.hpp"
#include "replay/chunk.hpp"
#include "util/flat_map.hpp"
#include "util/front_queue.hpp"
#include "util/pool.hpp"
#include "util/scratch_file.hpp"
#include "waitstate/call_tree.hpp"
#include "waitstate/definitions.hpp"
#include "waitstate/diagnostics.hpp"
#include "waitstate/message.hpp"

namespace waitstate::link {

class Rma;

class Linker {
 public:
  /// With `feed`, the merge is told what all records link to.
  Linker(const Definitions& definitions, CallTree& call_tree, Diagnostics& diagnostics, Listener* listener,
         MergeFeed* feed, CancelledSends cancelled = {});
  ~Linker();

  /// Takes note of the next chunk of a location. False if it cannot be processed yet, because it has a part in a team
  /// whose fork has not been scanned.
  bool scan(const replay::Chunk& chunk);
  /// False as long as the chunk that the location has scanned cannot be processed.
  bool may_consume(LocationId l) const { return threads_.resolved(l); }
  /// Whose fork it waits for; none if that cannot be told.
  LocationId awaited_fork(LocationId l) { return threads_.awaited(l); }
  /// Gives up the first fork that it waits for.
  void give_up_fork(LocationId l) { threads_.give_up(l); }
  /// Processes the chunk scanned last, or scans and processes it; forks that are not known yet are given up.
  void process(const replay::Chunk& chunk);
  /// Every location has been processed to its end: what is still open will stay so.
  void finish();

  /// Call path of the whole trace for a number of the location's own tree; none for 0, and for those of segments.
  CallPathId call_path(LocationId location, std::uint32_t number) const { return paths_.at(location, number); }

  // For the scheduler: which location is to be read next.
  bool at_end(LocationId l) const { return locations_[l.index()].at_end; }
  /// Time since the first event of the location's process, up to which the location has been processed.
  Ticks progress(LocationId l) const { return locations_[l.index()].progress; }
  /// Time of the last event that has been processed of the location, 0 if there is none.
  Time read_up_to(LocationId l) const { return locations_[l.index()].processed; }
  /// True if so many receives of the location wait for their senders that it should not be read on.
  bool waits_for_others(LocationId l) const { return locations_[l.index()].receives.size() > most_waiting_; }
  /// Gives up a receive, whose send is then counted as missing, when all locations that have not been read to their end
  /// wait for others, this one among them. False if nothing has changed: then the location is to be read on all the
  /// same.
  bool abandon(LocationId waiting);

  /// For the merge: puts call paths of the whole trace in place of the location's own numbers into the events of a
  /// chunk that has been processed.
  void name_call_paths(replay::Chunk& chunk);

  ProcessId process_id(LocationId l) const { return process_ids_[l.index()]; }
  const Collectives& collectives() const { return collectives_; }
  /// True if chunks have to bring library_enters and library_exits.
  bool wants_library_calls() const;
  /// True if chunks have to bring device_records.
  bool wants_device_calls() const { return devices_ != nullptr; }
  /// Grows whenever something that somebody may wait for has turned out to be missing.
  std::uint64_t losses() const { return losses_ + collectives_.losses(); }

  /// Those that are known, and those that have been found.
  const CancelledSends& cancelled() const { return cancelled_; }

  std::uint64_t messages_matched() const { return messages_matched_; }
  /// Largest number of messages and receives that were open at once (for figures on memory).
  std::size_t open_messages() const { return messages_.alive(); }
  /// Sends that are in the scratch file.
  std::size_t aside() const { return static_cast<std::size_t>(file_.size() / sizeof(AsideSend)); }
  /// Number of notes on who waits, or waited, for whom (for figures on memory).
  std::size_t waiters() const {
    std::size_t n = 0;
    for (const ProcessState& p : processes_) n += p.waiters.size();
    return n;
  }

  /// Calls that may wait for their senders, of all locations together and of each at least: where nothing is missing,
  /// somebody may always be read on, however few they are (the one whose next event is the earliest of all).
  static constexpr std::size_t most_waiting = 1 << 15, most_waiting_of_each = 64;
  /// Messages in memory from which on sends that stand in long queues are set aside: so many, and so many of each
  /// location.
  static constexpr std::size_t most_in_memory = 1 << 17, most_in_memory_of_each = 64;

 private:
  static constexpr std::uint32_t none = util::Pool<int>::none;
  static constexpr std::size_t fewest_incoming = 16, fewest_waiters = 16;  // for which looking at them pays

  struct MessageState {
    Time send_time = 0, recv_time = 0;
    std::uint64_t bytes = 0;
    LocationId sender, receiver;
    std::uint32_t tag = 0;
    CommId comm;
    std::uint32_t send_call = none, recv_post = none, recv_call = none, send_done_call = none;
    std::uint32_t next_in_channel = none, next_receive = none, next_send = none;
    std::uint32_t place = none;  ///< for the merge: of its send
    std::uint8_t holds = 0;
    bool has_send = false, has_recv = false, missing = false, delivered = false;
    /// Stands for `next_send` sends in a row that are in the scratch file, at `bytes`; the time is that of the first.
    bool aside = false;
  };
  struct AsideSend {
    MessageState message;
    Call call;  ///< that sent and completed it, and nothing else
  };
  struct ChannelKey {
    std::uint64_t what = 0, who = 0;
    bool operator==(const ChannelKey&) const = default;
    std::uint64_t hash() const {
      std::uint64_t h = (what ^ who * 0x9e3779b97f4a7c15u) * 0xc2b2ae3d27d4eb4fu;
      return (h ^ h >> 29) * 0x9e3779b97f4a7c15u;
    }
  };
  struct Channel {
    std::uint32_t head = none, tail = none;
    bool of_receives = false;
  };
  struct Ahead {  ///< a record that look_ahead() is on its way for
    ChannelKey key;
    std::uint32_t message = none;
    bool partner = false, sends = false;
  };
  struct RequestKey {
    std::uint64_t number = 0;
    bool operator==(const RequestKey&) const = default;
    std::uint64_t hash() const { return (number ^ number >> 32) * 0x9e3779b97f4a7c15u; }
  };
  struct Request {
    EventType type{};
    std::uint32_t state = none;  ///< message of an isend, call of an irecv_request, number of a collective
    std::uint32_t place = none;  ///< for the merge: of its start
    LocationId location;
    Time time = 0;
  };
  struct Waiting {
    replay::CommRecord record;
    std::uint32_t call;
  };
  struct Sent {
    std::uint32_t message;
    Time time;
  };
  struct LocationState {
    util::FrontQueue<std::uint32_t> receives;  ///< calls that completed receives and are not delivered yet, in order
    util::FrontQueue<Waiting> waiting;         ///< records of a process with several threads, not in order yet
    std::uint32_t attachment = CallPaths::not_attached;  ///< of the segment that is named, see name_call_paths()
    std::vector<std::uint32_t> interrupted;              ///< of what tasks interrupt
    Interval last_call;                                  ///< the latest call with records
    Time processed = 0;
    Ticks progress = -1;
    std::uint32_t scanned = 0;  ///< chunks that are still to be processed
    bool at_end = false;
  };
  struct ProcessState {
    std::vector<LocationId> threads;  ///< those that can communicate: all but accelerator and metric locations
    util::FlatMap<RequestKey, Request> requests;
    std::vector<LocationId> waiters;  ///< locations whose oldest receive waits, or waited, for this process
    std::size_t waiters_limit = fewest_waiters;
    Time first_time = 0;
    bool started = false;
  };
  struct Incoming {
    std::vector<Sent> sent;  ///< messages to a process that may be undelivered
    std::size_t limit = fewest_incoming;
  };

  LocationState& state(LocationId l) { return locations_[l.index()]; }
  ProcessState& process_of(LocationId l) { return processes_[process_id(l).index()]; }

  std::uint32_t new_call(LocationId l, const replay::CallRecord& record);
  void process_one_sided(const replay::Chunk& chunk);
  void ignore_records(const replay::Chunk& chunk);
  void process_device_records(const replay::Chunk& chunk);
  void link_in_time_order(ProcessState& process);
  void link(LocationId l, const replay::CommRecord& record, std::uint32_t call);
  void look_ahead(const replay::Chunk& chunk, std::size_t record);
  void ask_for_channel(const replay::Chunk& chunk, std::size_t record);
  void ask_for_message(const replay::Chunk& chunk, std::size_t record);
  void ask_for_call(const replay::Chunk& chunk, std::size_t record);
  void look_ahead(const util::FrontQueue<std::uint32_t>& calls);
  std::uint32_t meet(const ChannelKey& key, const replay::CommRecord& r, bool receive, bool& met);
  std::uint32_t start_send(LocationId l, const replay::CommRecord& r, std::uint32_t call);
  std::uint32_t complete_receive(LocationId l, const replay::CommRecord& r, std::uint32_t call, std::uint32_t post);
  void complete_send(std::uint32_t message, std::uint32_t call);
  void resolved(std::uint32_t message);
  void close_record(std::uint32_t call);
  void deliver_receives(LocationId l);
  void deliver_receives_if_first(LocationId l, std::uint32_t call);
  void wait_for(LocationId l, ProcessId sender);
  void deliver_receives_of(std::uint32_t call);
  void deliver_sends_if_ready(std::uint32_t call);
  bool has_late_receive(const CallState& call) const;
  void finish_call(std::uint32_t call);
  struct Overdue {
    std::uint32_t receive = none;
    LocationId location;
    Ticks by = 0;
  };
  bool may_go_aside(std::uint32_t message) const;
  void set_aside();
  std::uint32_t set_aside(Channel& channel, std::uint32_t before, const std::vector<std::uint32_t>& row);
  std::span<const AsideSend> take_aside(std::uint32_t run);
  void bring_back(Channel& channel);
  void release(std::uint32_t message);
  void report_unreceived(const MessageState& m);
  LocationId awaited(LocationId l);
  void look_for_overdue(LocationId l, Overdue& most) const;
  void mark_missing(std::uint32_t message);
  void tell_bound(ProcessId process);
  void update_watermark();
  void end_process(ProcessState& process);
  ChannelKey channel_key(LocationId sender, LocationId receiver, CommId comm, std::uint32_t tag) const;
  void append(Channel& channel, std::uint32_t message);
  void unlink(const MessageState& m, std::uint32_t message);
  Message view(const MessageState& m) const;
  void hold(std::uint32_t call) { calls_.hold(call); }
  void drop_call(std::uint32_t call) { calls_.drop(call); }
  void fill(Call& call, LocationId l, const replay::CallRecord& record);
  void drop(std::uint32_t message);
  Request* find_request(LocationId l, const replay::CommRecord& r);
  void put_request(LocationId l, const replay::CommRecord& r, std::uint32_t state);
  void forget_request(LocationId l, Request& request);
  void follow_attachments(const replay::Chunk& chunk, std::size_t event, std::size_t& segment, std::size_t& task);
  void report(DiagnosticId id, LocationId l, Time t);

  const Definitions& definitions_;
  Diagnostics& diagnostics_;
  Listener* listener_;
  MergeFeed* const feed_;
  CancelledSends cancelled_;
  CallPaths paths_;
  std::vector<LocationState> locations_;
  std::vector<ProcessState> processes_;
  // What is looked up of the partners of messages, side by side: with many locations their states are in no cache.
  std::vector<ProcessId> process_ids_;         ///< by location
  std::vector<std::uint8_t> ended_;            ///< by process: all of it has been processed
  std::vector<std::uint32_t> first_receives_;  ///< by location: the first of its LocationState::receives, or none
  std::vector<ProcessId> blocked_on_;          ///< by location: whom that one waits for, of whose waiters the location
                                               ///< is one; none if it has to be looked at again
  std::vector<Incoming> incoming_;             ///< by process; for tell_bound()
  const std::size_t most_waiting_;             ///< of each location
  std::vector<std::uint32_t> seen_;            ///< by location, if abandon() was called: in which call of it last
  std::uint32_t abandons_ = 0;                 ///< calls of abandon()
  util::FlatMap<ChannelKey, Channel> channels_;
  Calls calls_;
  Collectives collectives_;
  Threads threads_;
  std::unique_ptr<Rma> rma_;          ///< null if nobody listens or there are no windows
  std::unique_ptr<Devices> devices_;  ///< null if nobody listens or there are no streams
  std::vector<Call> library_enters_;  ///< scratch of process_one_sided()
  util::Pool<MessageState> messages_;
  util::ScratchFile file_;                         ///< of sends that wait for their receives
  std::size_t in_memory_ = 0;                      ///< messages, of which some are set aside ...
  std::size_t aside_from_ = 0;                     ///< ... when there are so many, as not all could be the last time
  std::size_t last_aside_ = 0, brought_back_ = 0;  ///< sends, the last time and since
  std::vector<AsideSend> aside_;                   ///< scratch of that
  std::vector<std::uint32_t> call_ids_;            ///< scratch of process()
  bool far_ = false;                               ///< more messages are in flight than stay in the caches
  std::array<Ahead, 32> ahead_;                    ///< of the records to come, by their number
  std::vector<Message> views_;                     ///< scratch of deliveries
  Link link_;                                      ///< scratch of link()
  const Wanted wanted_;
  Time watermark_ = 0;               ///< no location has events before it that have not been linked
  std::size_t until_watermark_ = 0;  ///< chunks until it is looked at again
  std::uint64_t messages_matched_ = 0;
  std::uint64_t losses_ = 0;
};

}  // namespace waitstate::link
