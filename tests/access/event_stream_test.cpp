// EventStream shows the events of EventTrace, in its order and with its links, also when it reads a second time.
#include "access/event_stream.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/temporary_folder.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate::access {
namespace {

/// All that an event says, but for its call path's number, which depends on nothing else.
std::string text(const Event& e) {
  std::string t = std::to_string(e.pos) + ' ' + std::to_string(e.time) + ' ' + std::to_string(e.loc.value) + ' ' +
                  std::string(name(e.type));
  for (const std::uint64_t a : e.attributes) t += ' ' + std::to_string(a);
  for (const Position p : {e.enterptr, e.sendptr, e.requestptr, e.beginptr, e.startptr, e.originptr})
    t += ' ' + std::to_string(p);
  return t + ' ' + std::to_string(e.callpath.value) + ' ' + std::to_string(e.tail.size());
}

/// Looks at each event, and at the events that it links to while they are still there.
class Look final : public merge::EventConsumer {
 public:
  explicit Look(EventStream& stream) : stream_(stream) {}
  void event(Position pos, EventType type) override {
    const Event e = stream_.event(pos);
    EXPECT_EQ(e.type, type);
    seen.push_back(text(e));
    for (const Position linked : {e.sendptr, e.startptr, e.beginptr})
      if (linked != no_position) {
        EXPECT_EQ(stream_.event(linked).pos, linked);
      }
  }
  std::vector<std::string> seen;

 private:
  EventStream& stream_;
};

std::vector<std::string> expected(const std::string& trace, unsigned threads) {
  const EventTrace events(trace, {.threads = threads, .transfers = true});
  std::vector<std::string> all;
  for (Position p = 0; p < events.size(); ++p) all.push_back(text(events.event(p)));
  return all;
}

class EventStreams : public ::testing::TestWithParam<const char*> {};

TEST_P(EventStreams, are_those_of_the_event_trace) {
  const std::string trace = std::string(WAITSTATE_TRACES) + '/' + GetParam();
  EventStream stream(trace);
  for (const unsigned threads : {1u, 2u}) {
    Look look(stream);
    stream.read(look, {.threads = threads});
    EXPECT_EQ(look.seen, expected(trace, threads));
  }
}

INSTANTIATE_TEST_SUITE_P(traces, EventStreams, ::testing::Values("p2p", "coll", "rma", "hybrid_tasks", "shmem_waits"));

TEST(EventStream, reads_a_notation_file_again) {
  const support::TemporaryFolder folder;
  const std::string trace = folder.file("made.trace",
                                        "0 0 enter main\n0 5 send dest=1 tag=1 com=0 len=8\n0 9 exit\n1 0 enter main\n"
                                        "1 7 recv src=0 tag=1 com=0 len=8\n1 9 exit\n");
  EventStream stream(trace);
  for (int i = 0; i < 2; ++i) {
    Look look(stream);
    stream.read(look, {});
    EXPECT_EQ(look.seen, expected(trace, 1));
    EXPECT_EQ(look.seen.size(), 6u);
  }
}

TEST(EventStream, knows_cancelled_sends_before_it_shows_anything) {
  const support::TemporaryFolder folder;
  const std::string trace = folder.file("made.trace",
                                        "0 0 enter MPI_Isend\n0 1 isend dest=1 tag=1 com=0 len=8 request=1\n0 2 exit\n"
                                        "0 3 enter MPI_Wait\n0 4 request_cancelled request=1\n0 5 exit\n"
                                        "0 6 enter MPI_Send\n0 7 send dest=1 tag=1 com=0 len=8\n0 8 exit\n"
                                        "1 0 enter MPI_Recv\n1 9 recv src=0 tag=1 com=0 len=8\n1 10 exit\n");
  EventStream stream(trace);
  Look look(stream);
  stream.read(look, {.sends_may_be_cancelled = true});
  EXPECT_EQ(look.seen, expected(trace, 1));
}

}  // namespace
}  // namespace waitstate::access
