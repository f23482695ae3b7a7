// User-defined patterns: the events and compound events that they receive, the services that they may use, and
// failures. The file is long because it has a pattern for each callback.
#include "waitstate/pattern/pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/late_sender.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate {
namespace {

using support::TraceFile;

std::int64_t total(const AnalysisResult& r, std::string_view metric) {
  std::int64_t sum = 0;
  for (const SeverityRow& row : r.table())
    if (row.metric == r.metrics.at(metric)) sum += row.value;
  return sum;
}

/// Late Sender as figure 1 of the EXPERT paper has it: from single events, by following their links.
class EventLateSender : public Pattern {
 public:
  PatternInfo info() const override { return {.metrics = {{"event_latesender", "", Unit::seconds, false, "", ""}}}; }
  void recv_callback(const Event& recv, Context& c) override {
    if (recv.sendptr == no_position) return;
    const Event send = c.trace().event(recv.sendptr);
    const Event recv_start = c.trace().event(recv.enterptr), send_start = c.trace().event(send.enterptr);
    const auto& regions = c.definitions().regions;
    if (regions[recv_start.region().index()].name != "MPI_Recv" ||
        regions[send_start.region().index()].name != "MPI_Send")
      return;
    const Ticks idle = static_cast<Ticks>(send_start.time - recv_start.time);
    if (idle > 0) c.add({recv_start.callpath, recv.loc}, idle);
  }
};

/// Late Sender computed from messages, without the clamp to the exit of the receive.
class MessageLateSender : public Pattern {
 public:
  PatternInfo info() const override { return {.metrics = {{"message_latesender", "", Unit::seconds, false, "", ""}}}; }
  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    for (const Message& m : r.messages) {
      const Ticks idle = static_cast<Ticks>(m.send->enter - m.recv->enter);
      if (m.recv->function == MpiFunction::recv && m.send->function == MpiFunction::send && idle > 0)
        c.add({r.call.callpath, r.call.location}, idle);
    }
  }
};

struct SendsSeen {
  LocationId location;
  Time enter;
  std::size_t messages;
  Ticks receive_wait;
  bool late;
  bool operator==(const SendsSeen&) const = default;
};

/// Notes every call that completes sends.
class SendsWatcher : public Pattern {
 public:
  SendsWatcher(std::string id, bool late_only, std::vector<SendsSeen>& seen)
      : id_(std::move(id)), late_only_(late_only), seen_(seen) {}
  PatternInfo info() const override {
    return {.metrics = {{id_, "", Unit::occurrences, false, "", ""}}, .late_receives_only = late_only_};
  }
  void completed_sends_callback(const CompletedSends& s, Context&) override {
    const bool late = std::any_of(s.messages.begin(), s.messages.end(), [&](const Message& m) {
      return m.recv_post->enter > s.call.enter && m.recv_post->enter < s.call.exit;
    });
    seen_.push_back({s.call.location, s.call.enter, s.messages.size(), s.receive_wait, late});
  }

 private:
  std::string id_;
  bool late_only_;
  std::vector<SendsSeen>& seen_;
};

TEST(Pattern, SendsDuringWhichNoReceiveIsPostedCanBeLeftOut) {
  for (const char* name : {"p2p", "halo"}) {
    const std::string trace = std::string(WAITSTATE_TRACES "/") + name;
    std::vector<SendsSeen> all, late, beside;
    AnalysisOptions options;
    options.patterns = {make_pattern<SendsWatcher>("late", true, late)};
    analyze(trace, options);
    options.patterns = {make_pattern<SendsWatcher>("all", false, all),
                        make_pattern<SendsWatcher>("late", true, beside)};
    analyze(trace, options);
    EXPECT_LT(late.size(), all.size()) << name;
    EXPECT_EQ(beside, all) << name << ": who asks for less may be given more";
    const auto not_late = [](const SendsSeen& s) { return !s.late; };
    std::erase_if(late, not_late);
    std::erase_if(all, not_late);
    EXPECT_FALSE(all.empty()) << name;
    EXPECT_EQ(late, all) << name;
  }
}

TEST(Pattern, EventsAndMessagesTellTheSame) {
  for (const char* name : {"p2p", "lammps", "eztrace_late"})
    for (std::size_t chunk : {0, 17}) {
      AnalysisOptions options;
      options.chunk_events = chunk;
      options.patterns = {make_pattern<EventLateSender>(), make_pattern<MessageLateSender>()};
      const AnalysisResult r = analyze(std::string(WAITSTATE_TRACES "/") + name, options);
      EXPECT_EQ(total(r, "event_latesender"), total(r, "message_latesender")) << name;
      if (name != std::string("lammps")) {  // LAMMPS receives with Irecv
        EXPECT_GT(total(r, "event_latesender"), 0) << name;
      }
    }
}

/// Writes down every event that it gets.
class StreamRecorder : public Pattern {
 public:
  explicit StreamRecorder(std::vector<Event>& events) : events_(events) {}
  PatternInfo info() const override { return {.metrics = {{"recorder", "", Unit::occurrences, false, "", ""}}}; }
  void enter_callback(const Event& e, Context&) override { events_.push_back(e); }
  void exit_callback(const Event& e, Context&) override { events_.push_back(e); }
  void send_callback(const Event& e, Context&) override { events_.push_back(e); }
  void recv_callback(const Event& e, Context&) override { events_.push_back(e); }
  void event_callback(const Event& e, Context&) override { events_.push_back(e); }

 private:
  std::vector<Event>& events_;
};

TEST(Pattern, TheStreamingPassGivesTheEventsOfTheEventTrace) {
  for (const char* name : {"p2p", "coll", "rma", "hybrid", "shmem", "eztrace_late", "lammps"})
    for (unsigned threads : {1u, 2u}) {
      std::vector<Event> events;
      AnalysisOptions options;
      options.threads = threads;
      options.chunk_events = 100;
      options.patterns = {make_pattern<StreamRecorder>(events)};
      const std::string path = std::string(WAITSTATE_TRACES "/") + name;
      analyze(path, options);
      const EventTrace trace(path);
      ASSERT_EQ(events.size(), trace.size()) << name;
      for (Position p = 0; p < trace.size(); ++p) {
        const Event a = events[p], b = trace.event(p);
        ASSERT_EQ(a.pos, b.pos);
        ASSERT_EQ(a.time, b.time);
        ASSERT_EQ(a.loc, b.loc);
        ASSERT_EQ(a.type, b.type);
        ASSERT_EQ(a.enterptr, b.enterptr);
        ASSERT_EQ(a.sendptr, b.sendptr);
        ASSERT_EQ(a.requestptr, b.requestptr);
        ASSERT_EQ(a.beginptr, b.beginptr);
        ASSERT_EQ(a.attributes, b.attributes);
      }
    }
}

/// Counts the callbacks that come from another thread than the one that made it, and call paths that it cannot look up.
class ThreadWatch : public Pattern {
 public:
  ThreadWatch(std::size_t& calls, std::size_t& wrong) : calls_(calls), wrong_(wrong) {}
  PatternInfo info() const override { return {.metrics = {{"thread_watch", "", Unit::occurrences, false, "", ""}}}; }
  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    look(r.call, c);
    for (const Message& m : r.messages) look(*m.send, c);
  }
  void collective_callback(const Collective& o, Context& c) override {
    for (const CollectiveMember& m : o.members) look(*m.call, c);
  }

 private:
  void look(const Call& call, Context& c) {
    ++calls_;
    const bool known =
        call.callpath.index() < c.call_tree().size() && c.call_tree()[call.callpath].region == call.region;
    if (std::this_thread::get_id() != self_ || !known) ++wrong_;
  }
  const std::thread::id self_ = std::this_thread::get_id();
  std::size_t &calls_, &wrong_;
};

TEST(Pattern, CallbacksComeFromTheThreadThatAnalyses) {
  for (const unsigned threads : {1u, 2u, 4u})
    for (const std::size_t chunk : {0, 7}) {
      std::size_t calls = 0, wrong = 0, told = 0;
      const std::thread::id self = std::this_thread::get_id();
      AnalysisOptions options;
      options.threads = threads;
      options.chunk_events = chunk;
      options.patterns = {make_pattern<ThreadWatch>(calls, wrong)};
      options.progress = [&](std::uint64_t, std::uint64_t) {
        told += std::this_thread::get_id() == self ? 1 : 1000000;
      };
      analyze(WAITSTATE_TRACES "/lammps", options);
      EXPECT_GT(calls, 1000u);
      EXPECT_EQ(wrong, 0u) << threads << " threads";
      EXPECT_GT(told, 0u);
      EXPECT_LT(told, 1000000u) << "progress is told by another thread";
    }
}

/// Writes down which callbacks come, of single events and of what linking delivers.
class OrderWatch : public Pattern {
 public:
  using Entry = std::tuple<char, LocationId, Time>;
  OrderWatch(std::vector<Entry>& order, std::size_t& wrong) : order_(order), wrong_(wrong) {}
  PatternInfo info() const override { return {.metrics = {{"order_watch", "", Unit::occurrences, false, "", ""}}}; }
  void enter_callback(const Event& e, Context& c) override {
    note('e', e.loc, e.time,
         e.callpath.index() < c.call_tree().size() && c.call_tree()[e.callpath].region == e.region());
  }
  void recv_callback(const Event& e, Context&) override { note('r', e.loc, e.time, true); }
  void completed_receives_callback(const CompletedReceives& r, Context&) override {
    note('m', r.call.location, r.call.exit, true);
  }
  void collective_callback(const Collective& o, Context&) override {
    note('c', o.members.front().call->location, o.members.front().begin, true);
  }

 private:
  void note(char what, LocationId l, Time t, bool right) {
    order_.emplace_back(what, l, t);
    if (!right || std::this_thread::get_id() != self_) ++wrong_;
  }
  const std::thread::id self_ = std::this_thread::get_id();
  std::vector<Entry>& order_;
  std::size_t& wrong_;
};

TEST(Pattern, CallbacksOfEventsAndOfMessagesComeInTheSameOrderWithAnyNumberOfThreads) {
  for (const char* name : {"lammps", "coll", "hybrid_tasks"})
    for (const std::size_t chunk : {0, 7}) {
      std::vector<OrderWatch::Entry> expected;
      for (const unsigned threads : {1u, 2u, 3u, 4u}) {
        std::vector<OrderWatch::Entry> order;
        std::size_t wrong = 0;
        AnalysisOptions options;
        options.threads = threads;
        options.chunk_events = chunk;
        options.patterns = {make_pattern<OrderWatch>(order, wrong)};
        analyze(std::string(WAITSTATE_TRACES "/") + name, options);
        EXPECT_EQ(wrong, 0u) << "a callback from another thread, or a call path that cannot be looked up";
        if (threads == 1) expected = order;
        EXPECT_GT(order.size(), 100u);
        EXPECT_TRUE(order == expected) << name << ", " << threads << " threads, chunks of " << chunk;
      }
    }
}

constexpr const char* one_message =
    "0 10 enter MPI_Send\n0 20 send dest=1 len=8\n0 30 exit\n"
    "1 10 enter MPI_Recv\n1 40 recv src=0 len=8\n1 50 exit\n";

class Failing : public Pattern {
 public:
  PatternInfo info() const override { return {.metrics = {{"failing", "", Unit::occurrences, false, "", ""}}}; }
  void completed_receives_callback(const CompletedReceives&, Context&) override { throw std::runtime_error("no idea"); }
};

TEST(Pattern, OneThatThrowsIsNamedWithItsPlace) {
  const TraceFile trace(one_message);
  for (const unsigned threads : {1u, 2u}) {
    AnalysisOptions options;
    options.threads = threads;
    options.patterns = {make_pattern<Failing>()};
    try {
      analyze(trace.path(), options);
      FAIL();
    } catch (const PatternError& e) {
      const AnalysisResult r = analyze(trace.path());
      EXPECT_EQ(std::string(e.what()), "pattern 'failing' failed in completed_receives_callback on location 1 (" +
                                           r.definitions.locations[1].name + ") at time 50: no idea");
    }
  }
}

class OutOfMemory : public Pattern {
 public:
  PatternInfo info() const override { return {.metrics = {{"greedy", "", Unit::occurrences, false, "", ""}}}; }
  void completed_receives_callback(const CompletedReceives&, Context&) override { throw std::bad_alloc(); }
};

TEST(Pattern, ThatThereIsNoMoreMemoryIsTheFailureOfAPatternThatIsNotBuiltIn) {
  const TraceFile trace(one_message);
  for (const unsigned threads : {1u, 2u}) {
    AnalysisOptions options;
    options.threads = threads;
    options.patterns = {make_pattern<OutOfMemory>()};
    try {
      analyze(trace.path(), options);
      FAIL();
    } catch (const PatternError& e) {
      EXPECT_EQ(std::string(e.what()).find("pattern 'greedy' failed in completed_receives_callback on location 1 ("),
                0u);
      EXPECT_TRUE(std::string(e.what()).ends_with(": it asked for more memory than is available")) << e.what();
    }
    options.patterns.front().origin = built_in_origin;
    EXPECT_THROW(analyze(trace.path(), options), std::bad_alloc);
  }
}

/// Asks for events and for severities wherever it is called.
class AsksEverywhere : public Pattern {
 public:
  explicit AsksEverywhere(std::map<std::string, std::string>& told) : told_(told) {}
  PatternInfo info() const override { return {.metrics = {{"asks_everywhere", "", Unit::seconds, false, "", ""}}}; }
  void init(Context& c) override { ask("init", c); }
  void enter_callback(const Event& e, Context& c) override { ask("enter", c, e.pos); }
  void completed_receives_callback(const CompletedReceives&, Context& c) override { ask("receives", c); }
  void wrapup(Context& c) override { ask("wrapup", c); }

 private:
  template <class Question>
  static std::string answer(Question&& question) {
    try {
      question();
      return "yes";
    } catch (const UsageError& e) {
      return e.what();
    }
  }
  void ask(const std::string& where, Context& c, Position pos = 0) {
    told_[where + " event"] = answer([&] { (void)c.trace().event(pos); });
    told_[where + " severities"] = answer([&] { (void)c.severities(); });
  }
  std::map<std::string, std::string>& told_;
};

TEST(Pattern, EventsAreThereInEventCallbacksAndSeveritiesInWrapupOnly) {
  std::map<std::string, std::string> told;
  AnalysisOptions options;
  options.patterns.push_back(make_pattern<AsksEverywhere>(told));
  (void)analyze(WAITSTATE_TRACES "/p2p", options);
  const std::string no_events = "events are available only during event callbacks";
  const std::string no_severities = "severities are available only in wrapup: they are not complete earlier";
  const std::map<std::string, std::string> expected{
      {"init event", no_events},           {"init severities", no_severities}, {"enter event", "yes"},
      {"enter severities", no_severities}, {"receives event", no_events},      {"receives severities", no_severities},
      {"wrapup event", no_events},         {"wrapup severities", "yes"}};
  EXPECT_EQ(told, expected);
}

/// Fails at once, while other threads are busy with the rest of the trace: none of them may be left waiting.
TEST(Pattern, OneThatThrowsEndsTheAnalysis) {
  std::ostringstream text;
  for (int i = 0; i < 20000; ++i)
    text << "0 " << 100 * i + 10 << " enter MPI_Send\n0 " << 100 * i + 20 << " send dest=1 len=8\n0 " << 100 * i + 30
         << " exit\n1 " << 100 * i + 10 << " enter MPI_Recv\n1 " << 100 * i + 40 << " recv src=0 len=8\n1 "
         << 100 * i + 50 << " exit\n";
  const TraceFile trace(text.str());
  for (int round = 0; round < 10; ++round)
    for (const unsigned threads : {2u, 4u}) {
      AnalysisOptions options;
      options.threads = threads;
      options.chunk_events = 12;
      options.patterns = {make_pattern<Failing>()};
      EXPECT_THROW(analyze(trace.path(), options), PatternError);
      options.patterns.clear();
      options.progress = [](std::uint64_t, std::uint64_t) { throw std::runtime_error("stop"); };
      EXPECT_THROW(analyze(trace.path(), options), std::runtime_error);
    }
}

class Duplicate : public Pattern {
 public:
  PatternInfo info() const override { return {.metrics = {{"mpi_latesender", "", Unit::occurrences, false, "", ""}}}; }
};

TEST(Pattern, AnIdMayBeUsedOnce) {
  AnalysisOptions options;
  options.patterns = {make_pattern<Duplicate>()};
  try {
    analyze(WAITSTATE_TRACES "/p2p", options);
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "metric 'mpi_latesender' is defined twice: every pattern needs ids of its own");
  }
}

class WithoutMetrics : public Pattern {
 public:
  PatternInfo info() const override { return {}; }
};

TEST(Pattern, OneWithoutMetricsIsRefused) {
  const support::TraceFile trace("0 0 enter main\n0 1 exit\n");
  AnalysisOptions options;
  options.patterns.push_back(make_pattern<WithoutMetrics>());
  try {
    analyze(trace.path(), options);
    FAIL() << "was taken";
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "a pattern needs at least one metric, but it has none");
  }
}

TEST(Pattern, OnlyOverriddenCallbacksAreOfInterest) {
  std::vector<Event> events;
  EXPECT_EQ(make_pattern<Duplicate>().interests, 0u);
  EXPECT_EQ(make_pattern<Failing>().interests, interest_completed_receives);
  EXPECT_EQ(make_pattern<EventLateSender>().interests, interest_recv);
  EXPECT_EQ(make_pattern<StreamRecorder>(events).interests, interest_any_event & ~interest_metric);
}

TEST(Pattern, EveryBuiltInOneDefinesItselfCompletely) {
  for (const PatternHandle& p : built_in_patterns()) {
    const PatternInfo info = p.pattern->info();
    ASSERT_FALSE(info.metrics.empty());
    const std::string& id = info.metrics.front().id;
    for (const std::string* text :
         {&info.severity, &info.charged_to, &info.state, &info.source, &info.differs, &info.diagnosis})
      EXPECT_FALSE(text->empty()) << id;
    for (const MetricSpec& m : info.metrics) {
      EXPECT_FALSE(m.title.empty()) << m.id;
      EXPECT_FALSE(m.summary.empty()) << m.id;
    }
    EXPECT_TRUE(std::filesystem::exists(WAITSTATE_SOURCE_DIR "/patterns/" + id + ".cpp")) << id;
    EXPECT_TRUE(std::filesystem::exists(WAITSTATE_CASES "/" + id)) << id;
  }
}

// Problems of reports of other tools, and omp_idle_threads, treat these as waits of MPI.
TEST(Pattern, KindsSayWhatIsAWaitOfMpi) {
  const MetricTree metrics = MetricTree::built_in();
  const auto below_mpi = [&](MetricIndex m) { return metrics.lies_within(m, metrics.at("mpi")); };
  std::string waits, outermost;
  for (MetricIndex m = 0; m < metrics.size(); ++m) {
    const MetricInfo& info = metrics[m];
    EXPECT_TRUE(info.kind == MetricKind::other || info.unit == Unit::seconds) << info.id;
    EXPECT_TRUE(info.kind != MetricKind::idleness || metrics.lies_within(m, metrics.at("omp_idle_threads"))) << info.id;
    if (!below_mpi(m) || !info.within_parent || (info.kind != MetricKind::wait && info.kind != MetricKind::completion))
      continue;
    waits += info.id.substr(0, 4) == "mpi_" ? info.id.substr(4) + ' ' : info.id + ' ';
    bool inner = false;
    for (MetricIndex above = info.parent; above != no_metric; above = metrics[above].parent)
      inner = inner || metrics[above].kind == MetricKind::wait;
    if (info.kind == MetricKind::wait && !inner) outermost += info.id.substr(4) + ' ';
  }
  EXPECT_EQ(
      waits,
      "init_completion finalize_wait barrier_wait barrier_completion latesender latesender_wo probe_wait poll_wait "
      "latereceiver "
      "earlyreduce lateroot earlyscan latebroadcast latemembers wait_nxn nxn_completion comm_wait_at_create "
      "rma_wait_at_create "
      "rma_wait_at_free "
      "rma_wait_at_fence rma_early_fence rma_sync_late_post rma_early_wait rma_late_complete "
      "rma_sync_lock_competition rma_sync_wait_for_progress rma_comm_late_post rma_comm_lock_competition "
      "rma_comm_wait_for_progress rma_poll_wait slow_slaves ");
  EXPECT_EQ(outermost,
            "finalize_wait barrier_wait latesender probe_wait poll_wait latereceiver earlyreduce lateroot earlyscan "
            "latebroadcast latemembers "
            "wait_nxn comm_wait_at_create "
            "rma_wait_at_create rma_wait_at_free rma_wait_at_fence rma_sync_late_post rma_early_wait "
            "rma_sync_lock_competition rma_sync_wait_for_progress rma_comm_late_post rma_comm_lock_competition "
            "rma_comm_wait_for_progress rma_poll_wait ");
}

}  // namespace
}  // namespace waitstate
