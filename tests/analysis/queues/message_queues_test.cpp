// Message queues: traces whose profiles are derived by hand, and random traces against a slow count at every event.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "analysis/queues/queue_log.hpp"
#include "analysis/queues/queue_sweep.hpp"
#include "link/messages/mpi_presence.hpp"
#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate::analysis {
namespace {

/// "process comm: entered remaining greatest_length populated total least greatest, search total greatest, of source
/// total greatest"
std::string text(const QueueProfile& q) {
  std::ostringstream out;
  out << q.entered << ' ' << q.remaining << ' ' << q.greatest_length << ' ' << q.populated << ' ' << q.total << ' '
      << q.least << ' ' << q.greatest << ", " << q.search_total << ' ' << q.search_greatest << ", " << q.source_total
      << ' ' << q.source_greatest;
  return out.str();
}
std::string text(const MessageQueues& queues) {
  std::string all;
  for (const QueueRow& row : queues.rows) {
    const std::string who =
        std::to_string(row.process.value) + ' ' + (row.comm.valid() ? std::to_string(row.comm.value) : "all");
    if (row.posted != QueueProfile{}) all += who + " posted " + text(row.posted) + '\n';
    if (row.unexpected != QueueProfile{}) all += who + " unexpected " + text(row.unexpected) + '\n';
  }
  return all;
}

AnalysisResult analyzed(const std::string& trace, unsigned threads = 1) {
  const support::TraceFile file(trace);
  AnalysisOptions options;
  options.threads = threads;
  options.patterns = PatternRegistry().chosen({"mpi_posted_count"}, {});
  options.built_in = false;
  return analyze(file.path(), options);
}

// Rank 1 is sent three messages at 10, 20 and 30 before it receives them: the second one first at 100, the first one at
// 110. The third is never received, and stays from 30 to 200. In the queue: 1 from 10, 2 from 20, 3 from 30 to 100, 2
// to 110, 1 to 200. Times: 100 (10 to 110), 80 (20 to 100), 170. Populated from 10 to 200. The second one was second in
// the list, the first one first. Rank 0 posts a receive at 50 for the message sent at 120: 70 in the posted queue. One
// posted at 130 never completes: 70 more.
TEST(MessageQueues, PostedFirstSentFirstAndNeverReceived) {
  const std::string trace =
      "0 0 enter main\n"
      "0 10 enter MPI_Send\n0 11 send dest=1 tag=1 com=0 len=8\n0 12 exit\n"
      "0 20 enter MPI_Send\n0 21 send dest=1 tag=2 com=0 len=16\n0 22 exit\n"
      "0 30 enter MPI_Send\n0 31 send dest=1 tag=3 com=0 len=8\n0 32 exit\n"
      "0 50 enter MPI_Recv\n0 125 recv src=1 tag=4 com=0 len=8\n0 126 exit\n"
      "0 130 enter MPI_Irecv\n0 131 irecv_request request=7\n0 132 exit\n"
      "0 200 exit\n"
      "1 0 enter main\n"
      "1 100 enter MPI_Recv\n1 101 recv src=0 tag=2 com=0 len=16\n1 102 exit\n"
      "1 110 enter MPI_Recv\n1 111 recv src=0 tag=1 com=0 len=8\n1 112 exit\n"
      "1 120 enter MPI_Send\n1 121 send dest=0 tag=4 com=0 len=8\n1 122 exit\n"
      "1 200 exit\n";
  for (const unsigned threads : {1U, 3U})
    EXPECT_EQ(text(analyzed(trace, threads).queues),
              "0 all posted 2 1 1 140 140 70 70, 1 1, 1 1\n"
              "0 0 posted 1 0 1 70 70 70 70, 1 1, 1 1\n"
              "1 all unexpected 3 1 3 190 350 80 170, 3 2, 3 2\n"
              "1 0 unexpected 3 1 3 190 350 80 170, 3 2, 3 2\n");
}

// One message is sent when the other's receive is posted (40): entries leave before others enter, so there are never
// two at once. A message that is sent when its receive is posted is in no queue.
TEST(MessageQueues, RemovalBeforeInsertionAndEqualTimes) {
  const AnalysisResult result = analyzed(
      "0 10 enter MPI_Send\n0 11 send dest=1 tag=1 com=0 len=8\n0 12 exit\n"
      "0 40 enter MPI_Send\n0 41 send dest=1 tag=1 com=0 len=8\n0 42 exit\n"
      "0 70 enter MPI_Send\n0 71 send dest=1 tag=1 com=0 len=8\n0 72 exit\n"
      "1 40 enter MPI_Recv\n1 41 recv src=0 tag=1 com=0 len=8\n1 42 exit\n"
      "1 60 enter MPI_Recv\n1 61 recv src=0 tag=1 com=0 len=8\n1 62 exit\n"
      "1 70 enter MPI_Recv\n1 73 recv src=0 tag=1 com=0 len=8\n1 74 exit\n");
  EXPECT_EQ(text(result.queues),
            "1 all unexpected 2 0 1 50 50 20 30, 2 1, 2 1\n"
            "1 0 unexpected 2 0 1 50 50 20 30, 2 1, 2 1\n");
}

// From two senders: the message of rank 2 (sent at 20) is taken first, from behind that of rank 1 (10): second of its
// communicator, first of its sender. The run has 100 ticks in parts of 2: from 10 to 20 one message, to 50 two, to 60
// one: means 1, 2, 1 in parts 5 to 9, 10 to 24, 25 to 29.
TEST(MessageQueues, SearchesOfOneListAndOfAListForEachSenderAndTheCourse) {
  const AnalysisResult result = analyzed(
      "0 0 enter main\n"
      "0 50 enter MPI_Recv\n0 51 recv src=2 tag=1 com=0 len=8\n0 52 exit\n"
      "0 60 enter MPI_Recv\n0 61 recv src=1 tag=1 com=0 len=8\n0 62 exit\n"
      "0 100 exit\n"
      "1 10 enter MPI_Send\n1 11 send dest=0 tag=1 com=0 len=8\n1 12 exit\n"
      "2 20 enter MPI_Send\n2 21 send dest=0 tag=1 com=0 len=8\n2 22 exit\n");
  EXPECT_EQ(text(result.queues),
            "0 all unexpected 2 0 2 50 80 30 50, 3 2, 2 1\n"
            "0 0 unexpected 2 0 2 50 80 30 50, 3 2, 2 1\n");
  ASSERT_EQ(result.queues.parts.size(), MessageQueues::part_count);
  for (std::size_t i = 0; i < MessageQueues::part_count; ++i) {
    const unsigned length = i < 5 ? 0 : i < 10 ? 1 : i < 25 ? 2 : i < 30 ? 1 : 0;
    EXPECT_EQ(result.queues.parts[i].unexpected_greatest, length) << i;
    EXPECT_EQ(result.queues.parts[i].unexpected_mean, length) << i;
    EXPECT_EQ(result.queues.parts[i].posted_mean, 0) << i;
    for (const QueueRow& row : result.queues.rows) EXPECT_EQ(row.parts[i], result.queues.parts[i]) << i;
  }
}

// Persistent and non-blocking receives are posted when they are started, wherever they complete.
TEST(MessageQueues, ReceivesThatAreStartedBefore) {
  const AnalysisResult result = analyzed(
      "0 50 enter MPI_Send\n0 51 send dest=1 tag=1 com=0 len=8\n0 52 exit\n"
      "1 0 enter main\n"
      "1 20 enter MPI_Start\n1 21 irecv_request request=1\n1 22 exit\n"
      "1 90 enter MPI_Wait\n1 91 irecv request=1 src=0 tag=1 com=0 len=8\n1 92 exit\n"
      "1 100 exit\n");
  EXPECT_EQ(text(result.queues),
            "1 all posted 1 0 1 30 30 30 30, 1 1, 1 1\n"
            "1 0 posted 1 0 1 30 30 30 30, 1 1, 1 1\n");
  std::int64_t posted_time = 0;
  for (const SeverityRow& row : result.table())
    if (result.metrics[row.metric].id == "mpi_posted_time") posted_time += row.value;
  EXPECT_EQ(posted_time, 30);
}

TEST(MessageQueues, NobodyAskedNothingIsKept) {
  const support::TraceFile file("0 0 enter main\n0 1 exit\n");
  EXPECT_FALSE(analyze(file.path()).queues.known);
}

/// The queues as their definition says, looked at at every time at which something happens.
class SlowCount {
 public:
  explicit SlowCount(const std::vector<QueueEntry>& all, Time end) : all_(all), end_(end) {}

  QueueProfile of(std::uint32_t process, CommId comm, bool posted) const {
    std::vector<QueueEntry> entries;
    std::set<Time> times;
    QueueProfile p;
    for (const QueueEntry& e : all_)
      if (e.process == process && (!comm.valid() || e.comm == comm) && (e.posted < e.sent) == posted) {
        entries.push_back(e);
        times.insert(e.entered());
        times.insert(left(e));
        const auto ticks = static_cast<Ticks>(left(e) - e.entered());
        p.least = p.entered == 0 ? ticks : std::min(p.least, ticks);
        p.greatest = std::max(p.greatest, ticks);
        p.total += ticks;
        p.remaining += e.left() == QueueEntry::never;
        ++p.entered;
      }
    for (auto t = times.begin(); t != times.end(); ++t) {
      std::uint64_t length = 0;
      for (const QueueEntry& e : entries) length += e.entered() <= *t && *t < left(e);
      p.greatest_length = std::max(p.greatest_length, length);
      if (length != 0) p.populated += static_cast<Ticks>(*std::next(t) - *t);
    }
    for (const QueueEntry& e : entries) {
      if (e.left() == QueueEntry::never) continue;
      std::uint64_t place = 1, of_source = 1;
      for (const QueueEntry& other : entries)
        if (other.comm == e.comm && other.entered() < e.entered() && left(other) > left(e))
          ++place, of_source += other.sender == e.sender;
      p.search_total += place, p.search_greatest = std::max(p.search_greatest, place);
      p.source_total += of_source, p.source_greatest = std::max(p.source_greatest, of_source);
    }
    return p;
  }

 private:
  Time left(const QueueEntry& e) const { return e.left() == QueueEntry::never ? end_ : e.left(); }

  const std::vector<QueueEntry>& all_;
  Time end_;
};

// Times differ, except for removals, because the order of equal times decides about positions.
TEST(MessageQueues, RandomQueuesAreThoseOfASlowCount) {
  const char* const more = std::getenv("WAITSTATE_QUEUE_CASES");
  const int cases = more != nullptr ? std::atoi(more) : 60;
  constexpr Time end = 3000;
  std::size_t aside = 0;
  for (int c = 0; c < cases; ++c) {
    std::mt19937 random(static_cast<unsigned>(c));
    const auto any = [&](unsigned below) { return static_cast<std::uint32_t>(random() % below); };
    std::vector<QueueEntry> all;
    std::set<std::pair<std::uint32_t, Time>> used;
    for (unsigned i = 0, n = 1 + any(150); i < n; ++i) {
      QueueEntry e{any(2000), any(2000), any(3), CommId{any(3)}, any(3), CallPathId{any(2)}, LocationId{any(2)}};
      if (any(20) == 0) e.sent = QueueEntry::never;
      if (any(20) == 0 && e.sent != QueueEntry::never) e.posted = QueueEntry::never;
      if (e.posted == e.sent || !used.insert({e.process, e.entered()}).second) continue;
      all.push_back(e);
    }
    QueueLog log(1 + any(40));
    for (const QueueEntry& e : all) log.add(e);
    aside += log.aside();
    QueuePlaces by_path;
    const MessageQueues found = log.profile(0, end, &by_path);
    const SlowCount slow(all, end);
    std::size_t rows = 0;
    for (const QueueRow& row : found.rows) {
      EXPECT_EQ(text(row.posted), text(slow.of(row.process.value, row.comm, true))) << "case " << c;
      EXPECT_EQ(text(row.unexpected), text(slow.of(row.process.value, row.comm, false))) << "case " << c;
      rows += row.comm.valid();
    }
    // The values charged to call paths are all the values.
    std::array<std::int64_t, 4> charged{}, all_places{};
    for (const QueuePlace& p : by_path.all())
      for (std::size_t i = 0; i < 4; ++i) charged[i] += p.values[i / 2 * queue_values + 3 + i % 2];
    for (const QueueRow& row : found.rows)
      if (!row.comm.valid())
        for (std::size_t i = 0; i < 4; ++i) {
          const QueueProfile& q = i < 2 ? row.posted : row.unexpected;
          all_places[i] += static_cast<std::int64_t>(i % 2 == 0 ? q.search_total : q.source_total);
        }
    EXPECT_EQ(charged, all_places) << "case " << c;
    std::set<std::pair<std::uint32_t, std::uint32_t>> expected;
    for (const QueueEntry& e : all) expected.insert({e.process, e.comm.value});
    EXPECT_EQ(rows, expected.size());
  }
  EXPECT_GT(aside, 0U);
}

// The process is in MPI from 100 to 110, 200 to 210, …: it is inside at 205, and outside from 215 to 300.
TEST(MessageQueues, WhenAProcessWasInMpi) {
  Definitions definitions;
  definitions.processes.emplace_back();
  definitions.locations.emplace_back();
  definitions.locations.back().process = ProcessId{0};
  definitions.processes.back().locations = {LocationId{0}};
  const link::Processes processes(definitions);
  link::MpiPresence presence(processes, 0);
  const auto first = [&](Time t, Time at_most) { return presence.first_inside(ProcessId{0}, t, at_most); };
  const auto call = [&](Time enter) {
    replay::CallRecord record;
    record.enter = enter;
    const Time exit = enter + 10;
    presence.read(LocationId{0}, {&record, 1}, {&exit, 1});
  };
  for (Time t = 100; t <= 1000; t += 100) call(t);
  EXPECT_EQ(first(50, 1000), 100U);
  EXPECT_EQ(first(50, 70), 70U);
  EXPECT_EQ(first(205, 1000), 205U);
  EXPECT_EQ(first(210, 1000), 300U);
  EXPECT_EQ(first(2000, 2500), 2500U);
  for (Time t = 1100; t <= 500'000; t += 100) call(t);
  EXPECT_EQ(first(215, 1000), 300U);
  EXPECT_EQ(first(50, 1000), 100U);
  EXPECT_EQ(first(50'015, 60'000), 50'100U);
}

TEST(MessageQueues, PlacesInAList) {
  PositionList list;
  std::vector<std::uint64_t> plain;
  std::mt19937 random(5);
  for (std::uint64_t n = 0; n < 3000; ++n) {
    list.push_back(n);
    plain.push_back(n);
    while (!plain.empty() && random() % 100 < (n < 1500 ? 40U : 60U)) {
      const auto at = plain.begin() + static_cast<std::ptrdiff_t>(random() % plain.size());
      ASSERT_EQ(list.remove(*at), static_cast<std::uint64_t>(at - plain.begin()) + 1);
      plain.erase(at);
    }
  }
}

}  // namespace
}  // namespace waitstate::analysis
