// EventTrace against an obvious reimplementation that walks all events from the first one: links, stacks, queues,
// order. Long because the reimplementation stands here whole.
#include "waitstate/trace/event_trace.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "support/case_file.hpp"

namespace waitstate {
namespace {

using support::TraceFile;

// Region stacks and message queue after each event, by definition.
class NaiveState {
 public:
  void apply(const Event& e, const EventTrace& trace) {
    auto& stack = stacks_[e.loc];
    const Position enclosing = stack.empty() ? no_position : stack.back();
    if (e.type == EventType::enter || e.type == EventType::program_begin) {
      EXPECT_EQ(e.enterptr, enclosing) << "event " << e.pos;
      stack.push_back(e.pos);
    } else if (e.type == EventType::exit || e.type == EventType::program_end) {
      // The event's own enter: the innermost open one of the same region; regions that are open inside of it were never
      // left.
      const auto own = std::find_if(stack.rbegin(), stack.rend(), [&](Position p) {
        const Event enter = trace.event(p);
        return e.type == EventType::program_end ? enter.type == EventType::program_begin
                                                : enter.type == EventType::enter && enter.region() == e.region();
      });
      if (own == stack.rend()) {
        EXPECT_EQ(e.enterptr, no_position) << "event " << e.pos;
      } else {
        EXPECT_EQ(e.enterptr, *own) << "event " << e.pos;
        stack.erase(own.base() - 1, stack.end());
      }
    } else {
      EXPECT_EQ(e.enterptr, enclosing) << "event " << e.pos;
    }
    const bool send = e.type == EventType::send || e.type == EventType::isend;
    const bool receive = e.type == EventType::recv || e.type == EventType::irecv;
    if (send) queue_.push_back(e.pos);
    if (receive) {
      const auto match = std::find_if(queue_.begin(), queue_.end(), [&](Position p) {
        const Event s = trace.event(p);
        const Definitions& d = trace.definitions();
        return s.com() == e.com() && s.tag() == e.tag() && d[s.loc].process == d[e.peer()].process &&
               d[s.peer()].process == d[e.loc].process;
      });
      EXPECT_EQ(e.sendptr, match == queue_.end() ? no_position : *match) << "event " << e.pos;
      if (match != queue_.end()) queue_.erase(match);
    }
  }
  const std::vector<Position>& stack(LocationId l) { return stacks_[l]; }
  const std::vector<Position>& queue() const { return queue_; }

 private:
  std::map<LocationId, std::vector<Position>> stacks_;
  std::vector<Position> queue_;
};

void expect_like_naive(const EventTrace& trace, Position every) {
  NaiveState naive;
  for (Position p = 0; p < trace.size(); ++p) {
    const Event e = trace.event(p);
    ASSERT_EQ(e.pos, p);
    naive.apply(e, trace);
    if (p % every != 0) continue;
    for (std::size_t l = 0; l < trace.location_count(); ++l)
      EXPECT_EQ(trace.stack(LocationId{l}, p), naive.stack(LocationId{l})) << "location " << l << " after " << p;
    EXPECT_EQ(trace.queue(p), naive.queue()) << "after " << p;
    for (std::size_t l = 0; l < trace.location_count(); ++l) {
      std::vector<Position> from, to;
      for (Position s : naive.queue()) {
        if (trace.event(s).loc == LocationId{l}) from.push_back(s);
        if (trace.event(s).peer() == LocationId{l}) to.push_back(s);
      }
      EXPECT_EQ(trace.queue(p, LocationId{l}), from);
      EXPECT_EQ(trace.queue(p, std::nullopt, LocationId{l}), to);
    }
  }
}

class RecordedTrace : public testing::TestWithParam<std::tuple<const char*, Position>> {};

TEST_P(RecordedTrace, LinksStacksAndQueuesAreThoseOfTheNaiveWalk) {
  const auto [name, every] = GetParam();
  for (unsigned threads : {1u, 2u}) {
    EventTraceOptions options;
    options.threads = threads;
    options.chunk_events = threads == 1 ? 0 : 61;
    expect_like_naive(EventTrace(std::string(WAITSTATE_TRACES "/") + name, options), every);
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, RecordedTrace,
                         testing::Values(std::tuple{"p2p", Position{1}}, std::tuple{"coll", Position{1}},
                                         std::tuple{"rma", Position{3}}, std::tuple{"hybrid", Position{1}},
                                         std::tuple{"shmem", Position{1}}, std::tuple{"eztrace_late", Position{1}},
                                         std::tuple{"lammps", Position{997}}));

TEST(EventTrace, IsOrderedByTimeExceptWhereACauseComesLater) {
  const EventTrace trace(WAITSTATE_TRACES "/p2p");
  Time last = 0;
  for (Position p = 0; p < trace.size(); ++p) {
    EXPECT_GE(trace.event(p).time, last);
    last = trace.event(p).time;
  }
}

TEST(EventTrace, AReceiveNeverPrecedesItsSend) {
  // The receiver's clock runs 50 ticks early: recorded, the message arrives before it leaves.
  const EventTrace trace(TraceFile(R"(
0 100 enter MPI_Send
0 110 send dest=1 tag=1 len=8
0 120 exit
1 50 enter MPI_Recv
1 70 recv src=0 tag=1 len=8
1 80 exit
)")
                             .path());
  ASSERT_EQ(trace.size(), 6u);
  std::vector<std::pair<std::uint32_t, Time>> order;
  for (Position p = 0; p < 6; ++p) order.emplace_back(trace.event(p).loc.value, trace.event(p).time);
  EXPECT_EQ(order,
            (std::vector<std::pair<std::uint32_t, Time>>{{1, 50}, {0, 100}, {0, 110}, {1, 70}, {1, 80}, {0, 120}}));
  EXPECT_EQ(trace.event(3).sendptr, 2u);
  EXPECT_EQ(trace.diagnostics()[DiagnosticId::clock_violation].count, 1u);
  EXPECT_EQ(trace.diagnostics()[DiagnosticId::clock_violation].largest, 40);
}

// Seven processes in a ring whose clocks are up to 300 ticks apart: by the definition of the order, the earliest next
// event whose cause has been placed comes next. Chunks of one event are merged one by one, large ones in windows.
TEST(EventTrace, TheEarliestEventWhoseCauseHasBeenPlacedComesNext) {
  constexpr std::uint32_t processes = 7, rounds = 150;
  struct Step {
    Time time;
    char what;  // 'm'ove, 's'end, 'r'eceive
  };
  std::vector<std::vector<Step>> steps(processes);
  std::string text;
  std::uint64_t random = 7;
  const auto below = [&](std::uint64_t n) {
    random = random * 6364136223846793005 + 1442695040888963407;
    return (random >> 33) % n;
  };
  for (std::uint32_t p = 0; p < processes; ++p) {
    Time time = 1000 + below(300);
    const auto line = [&](char what, const std::string& event) {
      steps[p].push_back({time, what});
      text += std::to_string(p) + ' ' + std::to_string(time) + ' ' + event + '\n';
      time += below(4);  // often none
    };
    for (std::uint32_t i = 0; i < rounds; ++i) {
      for (std::uint64_t n = below(3); n > 0; --n) line('m', "enter work"), line('m', "exit");
      line('m', "enter MPI_Send");
      line('s', "send dest=" + std::to_string((p + 1) % processes) + " tag=1 len=8");
      line('m', "exit");
      line('m', "enter MPI_Recv");
      line('r', "recv src=" + std::to_string((p + processes - 1) % processes) + " tag=1 len=8");
      line('m', "exit");
    }
  }
  std::vector<std::pair<std::uint32_t, Time>> expected;
  std::vector<std::size_t> next(processes), sent(processes), received(processes);
  for (;;) {
    std::optional<std::pair<Time, std::uint32_t>> first;
    for (std::uint32_t p = 0; p < processes; ++p) {
      if (next[p] == steps[p].size()) continue;
      const Step& step = steps[p][next[p]];
      if (step.what == 'r' && sent[(p + processes - 1) % processes] == received[p]) continue;
      if (!first || std::pair{step.time, p} < *first) first = {step.time, p};
    }
    if (!first) break;
    const auto [time, p] = *first;
    const char what = steps[p][next[p]++].what;
    sent[p] += what == 's';
    received[p] += what == 'r';
    expected.emplace_back(p, time);
  }
  const TraceFile file(text);
  for (const std::size_t chunk_events : {1, 50, 0}) {
    EventTraceOptions options;
    options.chunk_events = chunk_events;
    const EventTrace trace(file.path(), options);
    EXPECT_GT(trace.diagnostics()[DiagnosticId::clock_violation].count, rounds);
    std::vector<std::pair<std::uint32_t, Time>> order;
    for (Position pos = 0; pos < trace.size(); ++pos) order.emplace_back(trace.location(pos).value, trace.time(pos));
    EXPECT_EQ(order, expected) << chunk_events;
  }
}

// Whether the receiver has been read before the sender's cancellation or not.
TEST(EventTrace, ACancelledSendIsNotReceivedNorInTheQueue) {
  const TraceFile file(R"(0 10 enter MPI_Isend
0 11 isend dest=1 tag=1 len=100 request=3
0 12 exit
0 14 enter MPI_Wait
0 20 request_cancelled request=3
0 24 exit
0 100 enter MPI_Send
0 102 send dest=1 tag=1 len=8
0 104 exit
1 50 enter MPI_Recv
1 106 recv src=0 tag=1 len=8
1 110 exit
)");
  for (const std::size_t chunk_events : {1, 2, 0}) {
    EventTraceOptions options;
    options.chunk_events = chunk_events;
    const EventTrace trace(file.path(), options);
    ASSERT_EQ(trace.size(), 12u);
    for (Position pos = 0; pos < trace.size(); ++pos) {
      const Event e = trace.event(pos);
      if (e.type == EventType::recv) {
        EXPECT_EQ(trace.event(e.sendptr).time, 102u) << chunk_events;
      } else if (e.type == EventType::request_cancelled) {
        EXPECT_EQ(trace.event(e.requestptr).time, 11u) << chunk_events;
      }
    }
    for (Position pos = 0; pos < trace.size(); ++pos) {
      const std::vector<Position> queue = trace.queue(pos);
      for (const Position send : queue) EXPECT_EQ(trace.time(send), 102u) << chunk_events;
      EXPECT_EQ(queue.size(), trace.time(pos) == 102 || trace.time(pos) == 104 ? 1u : 0u) << chunk_events;
    }
  }
}

TEST(EventTrace, ACollectiveEndsAfterTheBeginsThatItWaitsFor) {
  // Location 1's clock is late: its barrier begins after location 0 has left its own.
  const EventTrace trace(TraceFile(R"(
0 10 enter MPI_Barrier
0 10 collective_begin
0 20 collective_end op=barrier com=0 sent=0 received=0
0 21 exit
1 30 enter MPI_Barrier
1 30 collective_begin
1 40 collective_end op=barrier com=0 sent=0 received=0
1 41 exit
)")
                             .path());
  Position begins[2] = {}, ends[2] = {};
  for (Position p = 0; p < trace.size(); ++p) {
    const Event e = trace.event(p);
    if (e.type == EventType::collective_begin) begins[e.loc.index()] = p;
    if (e.type == EventType::collective_end) {
      ends[e.loc.index()] = p;
      EXPECT_EQ(e.beginptr, begins[e.loc.index()]);
    }
  }
  EXPECT_GT(ends[0], begins[1]);
  EXPECT_GT(ends[1], begins[0]);
}

TEST(EventTrace, ABroadcastWaitsForItsRootOnly) {
  const EventTrace trace(TraceFile(R"(
0 10 enter MPI_Bcast
0 10 collective_begin
0 12 collective_end op=bcast com=0 root=0 sent=8 received=0
0 13 exit
1 30 enter MPI_Bcast
1 30 collective_begin
1 40 collective_end op=bcast com=0 root=0 sent=0 received=8
1 41 exit
)")
                             .path());
  EXPECT_EQ(trace.event(2).type, EventType::collective_end);  // the root does not wait for location 1
  EXPECT_EQ(trace.event(2).loc, LocationId{0});
}

// Second threads of both processes take part, and a communicator names the first ones.
TEST(EventTrace, ThreadsTakePartInCollectivesForTheirProcesses) {
  const std::string text = R"(
process 0
process 1
location 0 process=0
location 1 process=0
location 2 process=1
location 3 process=1
comm 0 name=MPI_COMM_WORLD members=(0,2)
0 0 enter main
0 500 exit
1 100 enter MPI_Call
1 102 collective_begin
1 110 collective_end op={} root={} sent=8 received=8
1 112 exit
2 0 enter main
2 500 exit
3 101 enter MPI_Call
3 103 collective_begin
3 108 collective_end op={} root={} sent=8 received=8
3 113 exit
)";
  for (const auto& [op, root] : {std::pair("bcast", "0"), std::pair("reduce", "0"), std::pair("scan", "none")}) {
    const EventTrace trace(TraceFile(fmt::format(fmt::runtime(text), op, root, op, root)).path());
    EXPECT_EQ(trace.diagnostics()[DiagnosticId::order_forced].count, 0u) << op;
    for (Position p = 1; p < trace.size(); ++p) EXPECT_LE(trace.time(p - 1), trace.time(p)) << op << ' ' << p;
  }
  // The root's end, at 110, waits for the start of the other process, whose clock is late.
  std::string late = fmt::format(fmt::runtime(text), "reduce", "0", "reduce", "0");
  for (const auto& [was, is] : {std::pair("3 101", "3 201"), std::pair("3 103", "3 203"), std::pair("3 108", "3 208"),
                                std::pair("3 113", "3 213")})
    late.replace(late.find(was), 5, is);
  const EventTrace trace(TraceFile(late).path());
  Position begun = 0, ended = 0;
  for (Position p = 0; p < trace.size(); ++p) {
    if (trace.type(p) == EventType::collective_begin && trace.location(p).value == 3) begun = p;
    if (trace.type(p) == EventType::collective_end && trace.location(p).value == 1) ended = p;
  }
  EXPECT_LT(begun, ended);
}

// Nothing is to be placed before the ends then: the order is that of time, and nothing in it is forced.
TEST(EventTrace, CollectivesOfRecordersThatWriteNoBeginsStayInOrderOfTime) {
  std::string text;
  for (int location = 0; location < 3; ++location)
    for (int n = 0; n < 200; ++n) {
      const int end = 1000 * n + 160 + location, enter = end - 60 - 20 * location;
      text += fmt::format(
          "{0} {1} enter MPI_Call\n{0} {2} collective_end op={{0}} root={{1}} sent=8 received=8\n{0} {2} exit\n",
          location, enter, end);
      text += fmt::format("{0} {1} enter work\n{0} {2} exit\n", location, end + 10, end + 400);
    }
  for (const auto& [op, root] :
       {std::pair("barrier", "none"), std::pair("bcast", "1"), std::pair("reduce", "0"), std::pair("scan", "none")})
    for (const std::size_t chunk : {7, 0}) {
      EventTraceOptions options;
      options.chunk_events = chunk;
      const EventTrace trace(TraceFile(fmt::format(fmt::runtime(text), op, root)).path(), options);
      EXPECT_EQ(trace.size(), 3000u);
      EXPECT_EQ(trace.diagnostics()[DiagnosticId::order_forced].count, 0u) << op;
      for (Position p = 1; p < trace.size(); ++p) ASSERT_LE(trace.time(p - 1), trace.time(p)) << op << ' ' << p;
    }
}

TEST(EventTrace, AMissingSendStallsNothing) {
  const EventTrace trace(TraceFile(R"(
0 10 enter MPI_Recv
0 20 recv src=1 tag=1 len=8
0 30 exit
0 40 enter MPI_Send
0 50 send dest=1 tag=2 len=8
0 60 exit
1 15 enter MPI_Recv
1 70 recv src=0 tag=2 len=8
1 80 exit
)")
                             .path());
  EXPECT_EQ(trace.size(), 9u);
  EXPECT_EQ(trace.diagnostics()[DiagnosticId::recv_unmatched].count, 1u);
  for (Position p = 0; p < trace.size(); ++p)
    if (const Event e = trace.event(p); e.type == EventType::recv) {
      EXPECT_EQ(e.sendptr == no_position, e.loc == LocationId{0});
    }
}

TEST(EventTrace, ReceivesThatWaitForEachOthersSendsInACircleAreForced) {
  // According to the trace, each process receives the other one's message before that is sent.
  const EventTrace trace(TraceFile(R"(
0 10 enter MPI_Recv
0 20 recv src=1 tag=1 len=8
0 30 exit
0 40 enter MPI_Send
0 50 send dest=1 tag=1 len=8
0 60 exit
1 10 enter MPI_Recv
1 20 recv src=0 tag=1 len=8
1 30 exit
1 40 enter MPI_Send
1 50 send dest=0 tag=1 len=8
1 60 exit
)")
                             .path());
  EXPECT_EQ(trace.size(), 12u);
  EXPECT_EQ(trace.diagnostics()[DiagnosticId::order_forced].count, 1u);
}

TEST(EventTrace, LiteralNamesPositionAndLinks) {
  const EventTrace trace(TraceFile(R"(
0 0 enter main
0 10 enter MPI_Send
0 20 send dest=0 tag=7 len=8
0 30 exit
0 40 enter MPI_Recv
0 50 recv src=0 tag=7 len=8
0 60 exit
)")
                             .path());
  EXPECT_EQ(trace.literal(5), "pos=5 0 50 recv src=0 tag=7 com=0 len=8 enterptr=4 sendptr=2");
}

TEST(EventTrace, APositionBeyondTheEndIsAnError) {
  const EventTrace trace(TraceFile("0 0 enter main\n0 1 exit\n").path());
  try {
    trace.event(2);
    FAIL();
  } catch (const std::out_of_range& e) {
    EXPECT_STREQ(e.what(), "event 2 does not exist: the trace has 2");
  }
}

TEST(EventTrace, RequestsPointToTheirStart) {
  const EventTrace trace(TraceFile(R"(
0 0 enter MPI_Isend
0 1 isend dest=1 tag=1 len=8 request=5
0 2 exit
0 3 enter MPI_Wait
0 4 isend_complete request=5
0 5 exit
1 0 enter MPI_Irecv
1 1 irecv_request request=9
1 2 exit
1 3 enter MPI_Wait
1 6 irecv src=0 tag=1 len=8 request=9
1 7 exit
)")
                             .path());
  for (Position p = 0; p < trace.size(); ++p) {
    const Event e = trace.event(p);
    if (e.type == EventType::isend_complete) {
      EXPECT_EQ(trace.event(e.requestptr).type, EventType::isend);
    }
    if (e.type == EventType::irecv) {
      EXPECT_EQ(trace.event(e.requestptr).type, EventType::irecv_request);
    }
  }
}

}  // namespace
}  // namespace waitstate
