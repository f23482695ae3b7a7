// Region stacks and the message queue during the run: which patterns may ask for them, when, and the answers.
// cases/properties_test.cpp and cases/random_test.cpp check that the answers equal those of EventTrace, for all traces
// and random ones.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/case_file.hpp"
#include "support/run_state.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/late_sender.hpp"

namespace waitstate {
namespace {

using support::TraceFile;

/// Two messages from location 0, and one from location 2, to location 1, which receives the last one first.
constexpr const char* three_messages = R"(0 0 enter main
0 10 enter MPI_Send
0 11 send dest=1 tag=1 len=8
0 12 exit
0 13 enter MPI_Send
0 14 send dest=1 tag=2 len=8
0 15 exit
2 20 enter MPI_Send
2 21 send dest=1 tag=3 len=8
2 22 exit
1 30 enter MPI_Recv
1 31 recv src=2 tag=3 len=8
1 32 exit
1 40 enter MPI_Recv
1 41 recv src=0 tag=1 len=8
1 42 exit
1 50 enter MPI_Recv
1 51 recv src=0 tag=2 len=8
1 52 exit
0 60 exit
)";

/// Notes the state that it receives, by type of event and time.
class Notes : public Pattern {
 public:
  using Told = std::map<std::string, std::string>;
  explicit Notes(Told& told, bool stack = true, bool queue = true) : told_(told), stack_(stack), queue_(queue) {}
  PatternInfo info() const override {
    return {.metrics = {{.id = "notes", .unit = Unit::occurrences}}, .needs_stack = stack_, .needs_queue = queue_};
  }
  void init(Context&) override { told_.clear(); }
  void enter_callback(const Event& e, Context& c) override { note("enter", e, c); }
  void exit_callback(const Event& e, Context& c) override { note("exit", e, c); }
  void send_callback(const Event& e, Context& c) override { note("send", e, c); }
  void recv_callback(const Event& e, Context& c) override { note("recv", e, c); }
  void event_callback(const Event& e, Context& c) override { note("event", e, c); }

 private:
  void note(const char* what, const Event& e, Context& c) {
    const EventSource& now = c.trace();
    const auto times = [&](const std::vector<Position>& positions) {
      std::vector<Time> t;
      for (const Position p : positions) t.push_back(now.event(p).time);
      return fmt::format("[{}]", fmt::join(t, " "));
    };
    std::string& text = told_[fmt::format("{} at {}", what, e.time)];
    if (stack_) text += "stack " + times(now.stack(e.loc));
    if (stack_ && queue_) text += ", ";
    if (queue_)
      text += "queue " + times(now.queue()) + ", to 1 " + times(now.queue({}, LocationId{1})) + ", from 0 " +
              times(now.queue(LocationId{0})) + ", from 0 to 2 " + times(now.queue(LocationId{0}, LocationId{2}));
  }

  Told& told_;
  const bool stack_, queue_;
};

Notes::Told told(const std::string& text, bool stack = true, bool queue = true) {
  const TraceFile trace(text);
  Notes::Told notes;
  AnalysisOptions options;
  options.patterns = {make_pattern<Notes>(notes, stack, queue)};
  (void)analyze(trace.path(), options);
  return notes;
}

TEST(RunState, IsThatAfterTheEvent) {
  Notes::Told notes = told(three_messages);
  EXPECT_EQ(notes["enter at 10"], "stack [0 10], queue [], to 1 [], from 0 [], from 0 to 2 []");
  EXPECT_EQ(notes["send at 11"], "stack [0 10], queue [11], to 1 [11], from 0 [11], from 0 to 2 []");
  EXPECT_EQ(notes["exit at 12"], "stack [0], queue [11], to 1 [11], from 0 [11], from 0 to 2 []");
  EXPECT_EQ(notes["send at 21"], "stack [20], queue [11 14 21], to 1 [11 14 21], from 0 [11 14], from 0 to 2 []");
  EXPECT_EQ(notes["recv at 31"], "stack [30], queue [11 14], to 1 [11 14], from 0 [11 14], from 0 to 2 []");
  EXPECT_EQ(notes["exit at 32"], "stack [], queue [11 14], to 1 [11 14], from 0 [11 14], from 0 to 2 []");
  EXPECT_EQ(notes["recv at 41"], "stack [40], queue [14], to 1 [14], from 0 [14], from 0 to 2 []");
  EXPECT_EQ(notes["recv at 51"], "stack [50], queue [], to 1 [], from 0 [], from 0 to 2 []");
  EXPECT_EQ(notes["exit at 60"], "stack [], queue [], to 1 [], from 0 [], from 0 to 2 []");
}

TEST(RunState, OneCanBeHadWithoutTheOther) {
  EXPECT_EQ(told(three_messages, true, false)["send at 11"], "stack [0 10]");
  EXPECT_EQ(told(three_messages, false, true)["send at 11"], "queue [11], to 1 [11], from 0 [11], from 0 to 2 []");
}

// A message whose receiver the trace does not name is on its way to nobody in particular; a message that nobody
// receives stays in the queue.
TEST(RunState, WhatIsNeverReceivedStaysInTheQueue) {
  Notes::Told notes = told(R"(0 10 enter MPI_Send
0 11 send dest=1 tag=1 len=8
0 12 exit
0 13 enter MPI_Send
0 14 send dest=none tag=2 len=8
0 15 exit
1 20 enter main
1 30 exit
)");
  EXPECT_EQ(notes["exit at 30"], "stack [], queue [11 14], to 1 [11], from 0 [11 14], from 0 to 2 []");
}

// It is absent from its beginning: patterns receive their final answers when it is known that the send is cancelled.
TEST(RunState, ACancelledSendIsNeverInTheQueue) {
  Notes::Told notes = told(R"(0 10 enter MPI_Isend
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
  for (const char* const none : {"send at 11", "exit at 12", "enter at 50", "recv at 106"})
    EXPECT_NE(notes[none].find("queue [], to 1 [],"), std::string::npos) << none << ": " << notes[none];
  EXPECT_NE(notes["send at 102"].find("queue [102],"), std::string::npos) << notes["send at 102"];
}

// The receiver's clock is early: the receive comes after its send, and in between its message is in the queue.
TEST(RunState, FollowsTheOrderOfTheStreamNotTheClocks) {
  Notes::Told notes = told(R"(
0 100 enter MPI_Send
0 110 send dest=1 tag=1 len=8
0 120 exit
1 50 enter MPI_Recv
1 70 recv src=0 tag=1 len=8
1 80 exit
)");
  EXPECT_EQ(notes["send at 110"], "stack [100], queue [110], to 1 [110], from 0 [110], from 0 to 2 []");
  EXPECT_EQ(notes["recv at 70"], "stack [50], queue [], to 1 [], from 0 [], from 0 to 2 []");
}

// The task's own region is on the stack while the task runs, the interrupted regions before and after.
TEST(RunState, ATasksStackIsItsOwn) {
  const std::string text = R"(region 0 name=main
region 1 name=task role=task paradigm=openmp
process 0
location 0 process=0
comm 0 paradigm=openmp members=(0)
0 0 enter main
0 10 thread_fork paradigm=openmp requested=1
0 10 thread_team_begin team=0
0 20 thread_task_create team=0 creator=0 generation=1
0 30 thread_task_switch team=0 creator=0 generation=1
0 40 enter task
0 50 exit
0 60 thread_task_complete team=0 creator=0 generation=1
)";
  Notes::Told notes =
      told(text + "0 70 thread_team_end team=0\n0 70 thread_join paradigm=openmp\n0 80 exit\n", true, false);
  EXPECT_EQ(notes["event at 20"], "stack [0]");
  EXPECT_EQ(notes["event at 30"], "stack []");
  EXPECT_EQ(notes["enter at 40"], "stack [40]");
  EXPECT_EQ(notes["exit at 50"], "stack []");
  EXPECT_EQ(notes["event at 60"], "stack [0]");
  EXPECT_EQ(notes["exit at 80"], "stack []");
  // A task that is interrupted by the end of the program, and whose begin is missing from the trace.
  const std::string cut = text.substr(0, text.find("0 50 exit")) + "0 50 program_end status=0\n0 60 exit\n";
  notes = told(cut, true, false);
  EXPECT_EQ(notes["event at 50"], "stack [0]");
  EXPECT_EQ(notes["exit at 60"], "stack []");
  EXPECT_EQ(support::state_differences(TraceFile(cut).path()), "");
}

class Asks : public Pattern {
 public:
  Asks(bool stack, bool queue) : stack_(stack), queue_(queue) {}
  PatternInfo info() const override {
    return {.metrics = {{.id = "asks", .unit = Unit::occurrences}}, .needs_stack = stack_, .needs_queue = queue_};
  }
  void send_callback(const Event& e, Context& c) override {
    if (queue_) (void)c.trace().stack(e.loc);
    (void)c.trace().queue();
  }

 private:
  const bool stack_, queue_;
};

std::string failure_of(PatternHandle pattern) {
  const TraceFile trace(three_messages);
  AnalysisOptions options;
  options.patterns = {std::move(pattern)};
  try {
    (void)analyze(trace.path(), options);
    return "none";
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(RunState, WhoHasNotDeclaredTheWishIsRefused) {
  EXPECT_EQ(failure_of(make_pattern<Asks>(true, false)),
            "pattern 'asks' failed in send_callback at event 2 on location 0 (Rank 0) at time 11: queue() is available "
            "only to patterns that ask for it: needs_queue of PatternInfo is false, expected true");
  EXPECT_EQ(failure_of(make_pattern<Asks>(false, true)),
            "pattern 'asks' failed in send_callback at event 2 on location 0 (Rank 0) at time 11: stack() is available "
            "only to patterns that ask for it: needs_stack of PatternInfo is false, expected true");
}

/// Keeps the event source of an event callback, and asks it elsewhere.
class AsksLater : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "asks_later", .unit = Unit::occurrences}}, .needs_queue = true};
  }
  void enter_callback(const Event&, Context& c) override { events_ = &c.trace(); }
  void wrapup(Context&) override { (void)events_->queue(); }

 private:
  const EventSource* events_ = nullptr;
};

class AsksNever : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "asks_never", .unit = Unit::occurrences}}, .needs_stack = true};
  }
  void completed_receives_callback(const CompletedReceives&, Context&) override {}
};

TEST(RunState, IsThereInEventCallbacksOnly) {
  EXPECT_EQ(failure_of(make_pattern<AsksLater>()),
            "pattern 'asks_later' failed in wrapup: the message queue is available only during event callbacks");
  EXPECT_EQ(failure_of(make_pattern<AsksNever>()),
            "pattern 'asks_never' has needs_stack, but no event callback to ask in: expected enter_callback, "
            "exit_callback, send_callback, recv_callback, metric_callback or event_callback");
}

/// Publishes each receive; Subscribes asks for the queue then, without an event callback of its own.
struct Received {};
class Publishes : public Pattern {
 public:
  PatternInfo info() const override { return {.metrics = {{.id = "publishes", .unit = Unit::occurrences}}}; }
  void recv_callback(const Event&, Context& c) override { c.publish(Received{}); }
};
class Subscribes : public Pattern {
 public:
  explicit Subscribes(std::vector<std::size_t>& sizes) : sizes_(sizes) {}
  PatternInfo info() const override {
    return {.metrics = {{.id = "subscribes", .unit = Unit::occurrences}}, .needs = {"publishes"}, .needs_queue = true};
  }
  void published_callback(const Published&, Context& c) override { sizes_.push_back(c.trace().queue().size()); }

 private:
  std::vector<std::size_t>& sizes_;
};

TEST(RunState, CanBeAskedForWhereAnEventLedTo) {
  const TraceFile trace(three_messages);
  std::vector<std::size_t> sizes;
  AnalysisOptions options;
  options.patterns = {make_pattern<Publishes>(), make_pattern<Subscribes>(sizes)};
  (void)analyze(trace.path(), options);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 1, 0}));
}

}  // namespace
}  // namespace waitstate
