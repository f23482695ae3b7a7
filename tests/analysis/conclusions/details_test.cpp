// The data that is kept beside the sums of waits, if it is asked for: members and causes of instances, the distribution
// of durations, waits over time, who sent how much to whom. The file is long because each trace stands beside the
// numbers that follow from it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate {
namespace {

// Four ranks in a barrier: begins at 102, 152, 202, 302, so they wait 200, 150, 100 for rank 3. First end 310:
// completion 0, 2, 1, 5. Then rank 0 waits from 350 to 400 for a message from rank 3.
constexpr const char* four_ranks = R"(0 0 enter main
0 100 enter MPI_Barrier
0 102 collective_begin
0 310 collective_end op=barrier sent=0 received=0
0 312 exit
0 350 enter MPI_Recv
0 405 recv src=3 tag=7 com=0 len=8192
0 410 exit
0 500 exit
1 0 enter main
1 150 enter MPI_Barrier
1 152 collective_begin
1 312 collective_end op=barrier sent=0 received=0
1 314 exit
1 500 exit
2 0 enter main
2 200 enter MPI_Barrier
2 202 collective_begin
2 311 collective_end op=barrier sent=0 received=0
2 313 exit
2 500 exit
3 0 enter main
3 300 enter MPI_Barrier
3 302 collective_begin
3 315 collective_end op=barrier sent=0 received=0
3 317 exit
3 400 enter MPI_Send
3 402 send dest=0 tag=7 com=0 len=8192
3 404 exit
3 500 exit
)";

AnalysisResult detailed(const std::string& text) {
  AnalysisOptions options;
  options.keep.details = options.keep.series = true;
  return analyze(support::TraceFile(text).path(), options);
}

const SevereInstance& worst(const AnalysisResult& r, const char* metric) {
  return r.waits.at(r.metrics.at(metric)).severe.begin()->second.front();
}

// Location 1 is slow from 20 to 120, and late at the barrier. A message that it sends first does not hide that; a call
// that lasts as long, in which it may have waited itself, does.
TEST(Details, a_region_is_named_behind_a_later_call) {
  const auto culprit_at = [](const std::string& between) {
    const AnalysisResult r = detailed(
        "0 0 enter main\n0 20 enter MPI_Barrier\n0 20 collective_begin\n0 400 collective_end op=barrier sent=0 "
        "received=0\n"
        "0 400 exit\n0 410 exit\n1 0 enter main\n1 20 enter slow\n1 120 exit\n" +
        between +
        "1 390 enter MPI_Barrier\n1 390 collective_begin\n1 400 collective_end op=barrier sent=0 received=0\n1 400 "
        "exit\n"
        "1 410 exit\n");
    return r.call_tree.path(worst(r, "mpi_barrier_wait").longest.culprit_callpath, r.definitions);
  };
  const std::string send = "1 {0} enter MPI_Send\n1 {0} send dest=0 tag=1 com=0 len=8\n1 {1} exit\n";
  EXPECT_EQ(culprit_at(fmt::format(fmt::runtime(send), 300, 301)), "main");  // 179 in main after slow
  EXPECT_EQ(culprit_at(fmt::format(fmt::runtime(send), 121, 122) + fmt::format(fmt::runtime(send), 200, 280) +
                       fmt::format(fmt::runtime(send), 330, 331)),
            "main/slow");
  EXPECT_EQ(culprit_at(fmt::format(fmt::runtime(send), 121, 122) + fmt::format(fmt::runtime(send), 200, 320) +
                       fmt::format(fmt::runtime(send), 321, 322)),
            "main");
}

TEST(Details, members_and_cause_of_an_operation) {
  const AnalysisResult r = detailed(four_ranks);
  const SevereInstance& barrier = worst(r, "mpi_barrier_wait");
  std::vector<std::pair<std::uint32_t, Ticks>> members;
  for (const Wait& w : barrier.members) members.emplace_back(w.location.value, w.ticks);
  EXPECT_EQ(members, (std::vector<std::pair<std::uint32_t, Ticks>>{{0, 200}, {1, 150}, {2, 100}}));
  EXPECT_EQ(barrier.members[2].enter, 200u);
  EXPECT_EQ(barrier.members[2].exit, 313u);
  EXPECT_EQ(barrier.members_left_out, 0u);
  const WaitCause rank3{.kind = WaitCause::Kind::collective,
                        .comm = CommId{0},
                        .operation = CollectiveOp::barrier,
                        .culprit_enter = 300,
                        .culprit_exit = 317};
  EXPECT_EQ(barrier.cause, rank3);
  const WaitCause nobody{.kind = WaitCause::Kind::collective, .comm = CommId{0}, .operation = CollectiveOp::barrier};
  EXPECT_EQ(worst(r, "mpi_barrier_completion").cause, nobody);
}

TEST(Details, cause_of_a_wait_for_a_message) {
  const AnalysisResult r = detailed(four_ranks);
  const SevereInstance& late = worst(r, "mpi_latesender");
  EXPECT_TRUE(late.members.empty());
  const WaitCause message{.kind = WaitCause::Kind::message,
                          .sent = 402,
                          .received = 405,
                          .bytes = 8192,
                          .tag = 7,
                          .comm = CommId{0},
                          .culprit_enter = 400,
                          .culprit_exit = 404};
  EXPECT_EQ(late.cause, message);
}

// Rank 0 sends tag 1 at 102 and tag 2 at 122; rank 1 asks for tag 2 first, from 50 on, and gets it at 126. Only when it
// receives tag 1, at 142, is it known that it waited in the wrong order.
TEST(Details, cause_of_a_wait_in_the_wrong_order) {
  AnalysisOptions options;
  options.keep.details = options.keep.contexts = true;
  const AnalysisResult r = analyze(support::TraceFile(R"(0 0 enter main
0 100 enter MPI_Send
0 102 send dest=1 tag=1 com=0 len=8
0 104 exit
0 120 enter MPI_Send
0 122 send dest=1 tag=2 com=0 len=16
0 124 exit
0 200 exit
1 0 enter main
1 50 enter MPI_Recv
1 126 recv src=0 tag=2 com=0 len=16
1 130 exit
1 140 enter MPI_Recv
1 142 recv src=0 tag=1 com=0 len=8
1 150 exit
1 200 exit
)")
                                       .path(),
                                   options);
  const SevereInstance& early = worst(r, "mpi_lswo_same");
  EXPECT_EQ(early.longest.ticks, 70);
  const WaitCause message{.kind = WaitCause::Kind::message,
                          .sent = 122,
                          .received = 126,
                          .bytes = 16,
                          .tag = 2,
                          .comm = CommId{0},
                          .culprit_enter = 120,
                          .culprit_exit = 124};
  EXPECT_EQ(early.cause, message);
  EXPECT_EQ(worst(r, "mpi_latesender").cause, message);
  ASSERT_NE(early.context, WaitContext::none);
  const auto& messages = r.contexts[early.context].messages;
  EXPECT_TRUE(std::any_of(messages.begin(), messages.end(), [](const WaitContext::Message& m) {
    return m.sent == 122 && m.received == 126 && m.sender.value == 0 && m.receiver.value == 1;
  }));
}

// Two threads of rank 0 send on one channel in turn, the second one first; two of rank 1 receive in turn. In the order
// of time, and in no other, all lengths agree.
constexpr const char* threads_of_two = R"(process 0
process 1
location 0 process=0
location 1 process=0
location 2 process=1
location 3 process=1
comm 0 name=MPI_COMM_WORLD members=all
0 0 enter main
0 500 enter MPI_Send
0 510 send dest=2 tag=1 com=0 len=16
0 520 exit
0 900 exit
1 0 enter main
1 400 enter MPI_Send
1 410 send dest=2 tag=1 com=0 len=8
1 420 exit
1 600 enter MPI_Send
1 610 send dest=2 tag=1 com=0 len=24
1 620 exit
1 900 exit
2 0 enter main
2 100 enter MPI_Recv
2 430 recv src=0 tag=1 com=0 len=8
2 440 exit
2 445 enter MPI_Recv
2 615 recv src=0 tag=1 com=0 len=24
2 640 exit
2 900 exit
3 0 enter main
3 441 enter MPI_Recv
3 515 recv src=0 tag=1 com=0 len=16
3 540 exit
3 900 exit
)";

TEST(Details, messages_of_threads_are_matched_in_the_order_of_time) {
  AnalysisOptions options;
  options.keep.contexts = true;
  const AnalysisResult r = analyze(support::TraceFile(threads_of_two).path(), options);
  ASSERT_FALSE(r.contexts.empty());
  std::vector<std::vector<std::uint64_t>> found;
  for (const WaitContext& c : r.contexts)
    if (c.locations.size() == 4)
      for (const WaitContext::Message& m : c.messages)
        found.push_back({m.sender.value, m.sent, m.receiver.value, m.received});
  EXPECT_EQ(found, (std::vector<std::vector<std::uint64_t>>{{1, 410, 2, 430}, {0, 510, 3, 515}, {1, 610, 2, 615}}));
}

// Around the wait from 650 to 1000 lie a send and two receives of tag 2. The send before it lies outside, so that both
// receives fit by their order and lengths: only who matched them when the trace was read knows.
constexpr const char* two_that_fit = R"(0 0 enter main
0 590 enter MPI_Recv
0 600 recv src=1 tag=2 com=0 len=8
0 601 exit
0 605 enter MPI_Recv
0 610 recv src=1 tag=2 com=0 len=8
0 611 exit
0 650 enter MPI_Recv
0 1010 recv src=1 tag=1 com=0 len=8
0 1020 exit
0 2000 exit
1 0 enter main
1 510 enter MPI_Send
1 520 send dest=0 tag=2 com=0 len=8
1 525 exit
1 535 enter MPI_Send
1 540 send dest=0 tag=2 com=0 len=8
1 545 exit
1 1000 enter MPI_Send
1 1000 send dest=0 tag=1 com=0 len=8
1 1005 exit
1 2000 exit
)";

TEST(Details, messages_of_contexts_are_those_that_were_matched) {
  AnalysisOptions options;
  options.keep.details = options.keep.contexts = true;
  const AnalysisResult r = analyze(support::TraceFile(two_that_fit).path(), options);
  ASSERT_EQ(r.contexts.size(), 1u);
  const WaitContext& c = r.contexts[0];
  EXPECT_GT(c.from, 520u);
  EXPECT_LT(c.from, 540u);
  std::vector<std::pair<Time, Time>> found;
  for (const WaitContext::Message& m : c.messages) found.emplace_back(m.sent, m.received);
  EXPECT_EQ(found, (std::vector<std::pair<Time, Time>>{{540, 610}, {1000, 1010}}));
  EXPECT_EQ(c.messages_left_out, 1u);  // the receive whose send lies outside
}

// 100 lies in [91, 108), 150 in [128, 152), 200 in [182, 216).
TEST(Details, durations) {
  const AnalysisResult r = detailed(four_ranks);
  const WaitSummary& waits = r.waits.at(r.metrics.at("mpi_barrier_wait"));
  EXPECT_EQ(waits.histogram, (std::vector<DurationClass>{{91, 108, 1, 100}, {128, 152, 1, 150}, {182, 216, 1, 200}}));
  ASSERT_EQ(waits.by_callpath.size(), 1u);
  EXPECT_EQ(r.call_tree.path(waits.by_callpath[0].callpath, r.definitions), "main/MPI_Barrier");
  const WaitStatistics& s = waits.by_callpath[0].statistics;
  EXPECT_EQ(s.count, 3u);
  EXPECT_EQ(s.sum, 450);
  EXPECT_EQ((std::vector<double>{s.quartile25, s.median, s.quartile75}), (std::vector<double>{125, 150, 175}));
  EXPECT_EQ(waits.callpaths_left_out, 0u);
}

// The worker is idle from 0 to 10 and from 100 to 150, of which its master is 20 + 10 in main and 30 in work.
TEST(Details, durations_of_idle_threads_by_call_path_are_those_of_the_metric) {
  const AnalysisResult r = detailed(R"(region 0 name=main
region 1 name="!$omp parallel @a.c:1" role=parallel paradigm=openmp
process 0
location 0 process=0
location 1 process=0
comm 0 paradigm=openmp members=(0,1)
0 0 enter main
0 10 thread_fork paradigm=openmp requested=2
0 10 thread_team_begin team=0
0 10 enter #1
0 100 exit
0 100 thread_team_end team=0
0 100 thread_join paradigm=openmp
0 100 enter work
0 130 exit
0 150 exit
1 10 thread_team_begin team=0
1 10 enter #1
1 100 exit
1 100 thread_team_end team=0
)");
  const MetricIndex idle = r.metrics.at("omp_idle_threads");
  std::vector<std::string> found;
  for (const CallPathWaits& w : r.waits.at(idle).by_callpath) {
    std::int64_t charged = 0;
    r.severities.for_each(idle, [&](CallPathId path, LocationId, std::int64_t value) {
      if (path == w.callpath) charged += value;
    });
    EXPECT_EQ(w.statistics.sum, charged);
    found.push_back(
        fmt::format("{} {} {}", r.call_tree.path(w.callpath, r.definitions), w.statistics.count, w.statistics.sum));
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<std::string>{"main 1 30", "main/work 1 30"}));
}

// The waits last from 102 to 399: 298 bins of one tick, and half as many for groups.
TEST(Details, series_of_a_short_run) {
  const AnalysisResult r = detailed(four_ranks);
  const WaitSeries& s = *r.series;
  EXPECT_EQ(s.start, 102u);
  EXPECT_EQ(s.bin_ticks, 1u);
  EXPECT_EQ(s.bins, 298u);
  EXPECT_EQ(s.bins_per_group_bin, 2u);
  ASSERT_EQ(s.groups.size(), 4u);
  EXPECT_EQ(s.groups[3], std::pair(LocationId{3}, LocationId{3}));
  std::vector<Ticks> waits(298, 0);
  for (const std::size_t from : {0, 50, 100})
    for (std::size_t i = from; i < 200; ++i) ++waits[i];
  const WaitSeries::OfMetric& barrier = s.metrics.at(r.metrics.at("mpi_barrier_wait"));
  EXPECT_EQ(barrier.ticks, waits);
  EXPECT_EQ(barrier.without_time, 0);
  ASSERT_EQ(barrier.groups.size(), 3u);
  std::vector<Ticks> of_rank1(149, 0);
  std::fill(of_rank1.begin() + 25, of_rank1.begin() + 100, 2);
  EXPECT_EQ(barrier.groups[1], (std::pair<std::uint32_t, std::vector<Ticks>>{1, of_rank1}));
}

// A thousand times as long: 102,000 to 399,999. Of 512 ticks each, 199 to 781 are the bins, and the first of a group's
// bin of four is 196. Rank 0 waits from 102,000 on: 400 ticks in bin 199, all 512 in bin 200.
TEST(Details, series_of_a_longer_run) {
  std::string text;
  std::istringstream lines(four_ranks);
  for (std::string location, time, rest; lines >> location >> time && std::getline(lines, rest);)
    text += location + ' ' + time + "000" + rest + '\n';
  const AnalysisResult r = detailed(text);
  const WaitSeries& s = *r.series;
  EXPECT_EQ(s.start, 196u * 512);
  EXPECT_EQ(s.bin_ticks, 512u);
  EXPECT_EQ(s.bins, 586u);
  EXPECT_EQ(s.bins_per_group_bin, 4u);
  const std::vector<Ticks>& waits = s.metrics.at(r.metrics.at("mpi_barrier_wait")).ticks;
  EXPECT_EQ((std::vector<Ticks>{waits.begin(), waits.begin() + 5}), (std::vector<Ticks>{0, 0, 0, 400, 512}));
  EXPECT_EQ(std::accumulate(waits.begin(), waits.end(), Ticks{0}), 450'000);
}

// In the barrier they are 212, 164, 113 and 17 ticks.
TEST(Details, communication) {
  const AnalysisResult r = detailed(four_ranks);
  const Communication& c = *r.communication;
  EXPECT_EQ(c.processes_per_block, 1u);
  EXPECT_EQ(c.pairs, (std::vector<Communication::Pair>{{3, 0, 1, 8192}}));
  EXPECT_EQ(c.sizes, (std::vector<Communication::Sizes>{{8192, 16384, 1, 8192}}));
  EXPECT_EQ(c.collectives,
            (std::vector<Communication::Operations>{{CommId{0}, CollectiveOp::barrier, 1, 4, 0, 0, 506, 458}}));
}

// A put is of the origin's data, a get of the target's.
TEST(Details, one_sided_communication) {
  const AnalysisResult r = detailed(R"(comm 0 name=MPI_COMM_WORLD members=all
rma_win 0 name=w comm=0
0 0 enter main
0 10 enter MPI_Put
0 11 rma_put win=0 remote=1 bytes=8 match=1
0 12 rma_op_complete_blocking win=0 match=1
0 13 exit
0 14 enter MPI_Put
0 15 rma_put win=0 remote=1 bytes=16 match=1
0 16 rma_op_complete_blocking win=0 match=1
0 17 exit
0 18 enter MPI_Get
0 19 rma_get win=0 remote=1 bytes=32 match=1
0 20 rma_op_complete_blocking win=0 match=1
0 21 exit
0 30 enter MPI_Win_fence
0 32 rma_collective_begin
0 60 rma_collective_end op=barrier level=0x1 win=0 sent=0 received=0
0 62 exit
0 100 exit
1 0 enter main
1 30 enter MPI_Win_fence
1 32 rma_collective_begin
1 60 rma_collective_end op=barrier level=0x1 win=0 sent=0 received=0
1 62 exit
1 100 exit
)");
  EXPECT_EQ(r.communication->pairs,
            (std::vector<Communication::Pair>{{.sender = 0, .receiver = 1, .puts = 2, .bytes_put = 24},
                                              {.sender = 1, .receiver = 0, .gets = 1, .bytes_got = 32}}));
}

// The second time location 1 is 20 late, and 0 waits in its receive: of 100 to 200 it computes 60.
constexpr const char* two_steps = R"(0 0 enter main
0 10 enter step
0 50 exit
0 100 enter step
0 160 enter MPI_Recv
0 190 recv src=1 tag=1 com=0 len=8
0 200 exit
0 200 exit
0 300 exit
1 0 enter main
1 12 enter step
1 40 exit
1 100 enter step
1 180 enter MPI_Send
1 181 send dest=0 tag=1 com=0 len=8
1 182 exit
1 190 exit
1 300 exit
)";
TEST(Details, phases) {
  AnalysisOptions options;
  options.keep.phase = "step";
  const support::TraceFile trace(two_steps);
  const AnalysisResult r = analyze(trace.path(), options);
  const MetricIndex late = r.metrics.at("mpi_latesender"), slow = r.metrics.at("slow_slaves");
  ASSERT_TRUE(r.phases);
  EXPECT_EQ(r.definitions[r.phases->region].name, "step");
  EXPECT_EQ(r.phases->visits, 2u);
  EXPECT_EQ(r.phases->visits_per_phase, 1u);
  const Phases::Places receive{{{CallPathId{2}, 20}}, {{LocationId{0}, 20}}};
  EXPECT_EQ(r.call_tree.path(CallPathId{2}, r.definitions), "main/step/MPI_Recv");
  EXPECT_EQ(r.phases->phases,
            (std::vector<Phases::Phase>{
                {10, 50, 2, 68, 40, 68, 40, {}, {}},
                {100, 200, 2, 190, 100, 148, 88, {{late, 20}, {slow, 20}}, {{late, receive}, {slow, receive}}}}));
  EXPECT_DOUBLE_EQ(r.phases->phases[1].parallel_efficiency(), 0.74);
  EXPECT_DOUBLE_EQ(r.phases->phases[1].load_balance(), 74.0 / 88);
  EXPECT_DOUBLE_EQ(r.phases->phases[1].communication_efficiency(), 0.88);
  options.keep.phase = "stpe";
  try {
    analyze(trace.path(), options);
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "the trace has no region 'stpe' whose visits could be phases: did you mean 'step'?");
  }
}

Phases phases_of(const char* trace, const char* phase, Focus focus = {}) {
  AnalysisOptions options;
  options.keep.phase = phase;
  options.focus = std::move(focus);
  const AnalysisResult r = analyze(support::TraceFile(trace).path(), options);
  for (const Phases::Phase& p : r.phases->phases)
    for (const auto& [metric, ticks] : p.waits) EXPECT_GT(ticks, 0) << r.metrics[metric].id;
  return *r.phases;
}
std::vector<Ticks> sums_of_waits(const Phases& phases) {
  std::vector<Ticks> sums;
  for (const Phases::Phase& p : phases.phases)
    sums.push_back(
        std::accumulate(p.waits.begin(), p.waits.end(), Ticks{0}, [](Ticks t, const auto& w) { return t + w.second; }));
  return sums;
}

// From 100 to 200 rank 0 computes until 160, rank 1 all but 180 to 182. The wait from 160 to 180 counts twice: it is
// slow_slaves, too.
TEST(Details, phases_over_time) {
  const Phases p = phases_of(two_steps, "time:3");
  EXPECT_FALSE(p.region.valid());
  EXPECT_EQ(p.visits, 3u);
  EXPECT_EQ(p.visits_per_phase, 1u);
  ASSERT_EQ(p.phases.size(), 3u);
  EXPECT_EQ(p.phases[0], (Phases::Phase{0, 100, 2, 200, 100, 200, 100, {}}));
  EXPECT_EQ(p.phases[2], (Phases::Phase{200, 300, 2, 200, 100, 200, 100, {}}));
  Phases::Phase middle = p.phases[1];
  ASSERT_EQ(middle.places.size(), 2u);
  EXPECT_EQ(middle.places.begin()->second, (Phases::Places{{{CallPathId{2}, 20}}, {{LocationId{0}, 20}}}));
  middle.waits.clear();
  middle.places.clear();
  EXPECT_EQ(middle, (Phases::Phase{100, 200, 2, 200, 100, 158, 98, {}}));
  EXPECT_EQ(sums_of_waits(p), (std::vector<Ticks>{0, 40, 0}));
  EXPECT_DOUBLE_EQ(p.phases[1].parallel_efficiency(), 0.79);
  EXPECT_DOUBLE_EQ(p.phases[1].load_balance(), 79.0 / 98);
  EXPECT_DOUBLE_EQ(p.phases[1].communication_efficiency(), 0.98);
}

TEST(Details, a_wait_counts_in_each_stretch_as_far_as_it_lies_there) {
  const std::vector<Ticks> sums =
      sums_of_waits(phases_of(two_steps, "time:20"));  // parts of 15 ticks: 150 to 165 to 180
  std::vector<Ticks> expected(20, 0);
  expected[10] = 2 * 5, expected[11] = 2 * 15;
  EXPECT_EQ(sums, expected);
}

TEST(Details, stretches_of_time_have_no_gaps) {
  const Phases p = phases_of(two_steps, "time:7");
  std::vector<Time> begins;
  for (std::size_t i = 0; i < p.phases.size(); ++i) {
    begins.push_back(p.phases[i].begin);
    EXPECT_EQ(p.phases[i].end, i + 1 < p.phases.size() ? p.phases[i + 1].begin : 300);
  }
  EXPECT_EQ(begins, (std::vector<Time>{0, 42, 85, 128, 171, 214, 257}));
  EXPECT_EQ(phases_of(two_steps, "time:1024").phases.size(), 300u);  // parts of one tick each
}

TEST(Details, stretches_of_a_part_of_the_run) {
  Focus focus;
  focus.from = 150, focus.to = 190;
  focus.locations = {LocationId{0}};
  const Phases p = phases_of(two_steps, "time:2", focus);
  ASSERT_EQ(p.phases.size(), 2u);
  EXPECT_EQ(p.phases[0].begin, 150u);
  EXPECT_EQ(p.phases[1].end, 190u);
  EXPECT_EQ(p.phases[0].locations, 1u);
  EXPECT_EQ(p.phases[0].ticks, 20);
  EXPECT_EQ(p.phases[0].computation, 10);
  EXPECT_EQ(sums_of_waits(p), (std::vector<Ticks>{20, 20}));
}

// Rank 0 is in the program but in no region from 0 to 10 and from 90 to 100, and is not measured from 40 to 60; rank 1
// begins at 50.
TEST(Details, stretches_count_what_is_in_regions_and_measured) {
  const Phases p = phases_of(R"(0 0 program_begin "/apps/x"
0 10 enter main
0 40 measurement_on_off mode=off
0 60 measurement_on_off mode=on
0 90 exit
0 100 program_end status=0
1 50 enter main
1 80 enter MPI_Barrier
1 90 exit
1 100 exit
)",
                             "time:2");
  ASSERT_EQ(p.phases.size(), 2u);
  EXPECT_EQ(p.phases[0], (Phases::Phase{0, 50, 1, 40, 40, 40, 40, {}}));
  EXPECT_EQ(p.phases[1], (Phases::Phase{50, 100, 2, 90, 50, 80, 40, {}}));
}

TEST(Details, a_number_of_stretches_has_to_be_one) {
  for (const char* wrong : {"time:0", "time:1025", "time:99999999999999999999"}) {
    try {
      phases_of(two_steps, wrong);
      FAIL() << wrong;
    } catch (const UsageError& e) {
      EXPECT_EQ(std::string(e.what()), fmt::format("phase '{}': expected a number of stretches of time from 1 to 1024, "
                                                   "e.g. time:20",
                                                   wrong));
    }
  }
  EXPECT_THROW(phases_of(two_steps, "time:"), UsageError);  // there is no such region
  EXPECT_THROW(phases_of(two_steps, "time::step"), UsageError);
}

TEST(Details, many_visits_are_one_phase) {
  std::string text = "0 0 enter main\n";
  for (int i = 0; i < 1500; ++i) text += fmt::format("0 {} enter step\n0 {} exit\n", 10 * i + 1, 10 * i + 4);
  AnalysisOptions options;
  options.keep.phase = "step";
  const AnalysisResult r = analyze(support::TraceFile(text + "0 20000 exit\n").path(), options);
  EXPECT_EQ(r.phases->visits, 1500u);
  EXPECT_EQ(r.phases->visits_per_phase, 2u);
  ASSERT_EQ(r.phases->phases.size(), 750u);
  EXPECT_EQ(r.phases->phases[1], (Phases::Phase{21, 34, 1, 6, 6, 6, 6, {}}));
  EXPECT_FALSE(r.phases->phases[1].has_efficiency());
}

// Rank 1 waits from 12 to 52 in the fence, so its context is from 0 to 66. Number 1 is used again for a put that does
// not complete there; a completion that says more comes later than another one.
TEST(Details, transfers_of_contexts) {
  AnalysisOptions options;
  options.keep.details = options.keep.contexts = true;
  const AnalysisResult r = analyze(support::TraceFile(R"(comm 0 name=MPI_COMM_WORLD members=all
rma_win 0 name=w comm=0
0 0 enter main
0 5 enter MPI_Put
0 6 rma_put win=0 remote=1 bytes=8 match=1
0 7 exit
0 8 enter MPI_Get
0 9 rma_get win=0 remote=1 bytes=16 match=2
0 10 exit
0 20 rma_op_complete_nonblocking win=0 match=1
0 30 rma_op_complete_remote win=0 match=1
0 31 enter MPI_Put
0 32 rma_put win=0 remote=1 bytes=24 match=1
0 33 exit
0 50 enter MPI_Win_fence
0 52 rma_collective_begin
0 60 rma_collective_end op=barrier level=0x1 win=0 sent=0 received=0
0 61 exit
0 90 rma_op_complete_nonblocking win=0 match=1
0 95 enter MPI_Put
0 96 rma_put win=0 remote=1 bytes=32 match=3
0 97 exit
0 1000 exit
1 0 enter main
1 2 enter MPI_Fetch_and_op
1 3 rma_atomic win=0 remote=0 type=fetch_and_accumulate sent=4 received=64 match=9
1 4 rma_op_complete_blocking win=0 match=9
1 5 exit
1 10 enter MPI_Win_fence
1 12 rma_collective_begin
1 60 rma_collective_end op=barrier level=0x1 win=0 sent=0 received=0
1 61 exit
1 1000 exit
)")
                                       .path(),
                                   options);
  const SevereInstance& fence = worst(r, "mpi_rma_wait_at_fence");
  ASSERT_LT(fence.context, r.contexts.size());
  const WaitContext& c = r.contexts[fence.context];
  EXPECT_EQ(c.from, 0u);
  EXPECT_EQ(c.to, 66u);
  const LocationId a{0}, b{1};
  const Time unknown = WaitContext::Transfer::unknown;
  EXPECT_EQ(c.transfers, (std::vector<WaitContext::Transfer>{{b, a, RmaOperationKind::atomic, 3, 4, 4},
                                                             {a, b, RmaOperationKind::put, 6, 30, 8},
                                                             {a, b, RmaOperationKind::get, 9, unknown, 16},
                                                             {a, b, RmaOperationKind::put, 32, unknown, 24}}));
  EXPECT_EQ(c.transfers_left_out, 0u);
}

// Thread 0 executes tasks, one of which is interrupted by the others: so is the implicit task. Wherever reading begins
// again, what is open is main (0), the parallel region (1) and what the task that was interrupted is in (3, 4).
TEST(Details, contexts_in_tasks_have_all_regions_that_are_open) {
  std::string text = R"(
region 0 name=main
region 1 name="!$omp parallel @a.c:1" role=parallel paradigm=openmp
region 2 name="!$omp implicit barrier @a.c:9" role=implicit_barrier paradigm=openmp
region 3 name="!$omp task @a.c:4" role=task paradigm=openmp
region 4 name="!$omp taskwait @a.c:6" role=task_wait paradigm=openmp
region 5 name=work
process 0
location 0 process=0
location 1 process=0
comm 0 paradigm=openmp members=(0,1)
0 0 enter main
0 10 thread_fork paradigm=openmp requested=2
0 10 thread_team_begin team=0
0 10 enter #1
1 10 thread_team_begin team=0
1 10 enter #1
1 20 enter #2
0 20 thread_task_create team=0 creator=0 generation=1
0 21 thread_task_switch team=0 creator=0 generation=1
0 21 enter #3
0 22 enter #4
)";
  Time t = 30;
  for (int i = 2; i < 500; ++i, t += 10)
    text += fmt::format(
        "0 {} thread_task_create team=0 creator=0 generation={}\n"
        "0 {} thread_task_switch team=0 creator=0 generation={}\n0 {} enter #3\n"
        "0 {} enter work\n0 {} exit\n0 {} enter work\n0 {} exit\n0 {} exit\n"
        "0 {} thread_task_complete team=0 creator=0 generation={}\n",
        t, i, t + 1, i, t + 1, t + 2, t + 3, t + 4, t + 5, t + 6, t + 6, i);
  text += fmt::format(
      "0 {0} thread_task_switch team=0 creator=0 generation=1\n0 {0} exit\n0 {0} exit\n"
      "0 {0} thread_task_complete team=0 creator=0 generation=1\n0 {1} enter #2\n0 {2} exit\n"
      "0 {2} exit\n0 {2} thread_team_end team=0\n0 {2} thread_join paradigm=openmp\n0 {3} exit\n"
      "1 {2} exit\n1 {2} exit\n1 {2} thread_team_end team=0\n",
      t, t + 1, t + 10, t + 50);
  const support::TraceFile file(text);
  const auto regions = [&](std::size_t chunk_events) {
    AnalysisOptions options;
    options.keep.contexts = true;
    options.chunk_events = chunk_events;
    const AnalysisResult r = analyze(file.path(), options);
    std::vector<std::vector<std::uint64_t>> rows;
    for (const WaitContext& c : r.contexts)
      for (const WaitContext::Interval& region : c.regions)
        rows.push_back({region.location.value, region.region.value, region.enter, region.depth});
    return rows;
  };
  const auto whole = regions(1'000'000);
  ASSERT_GT(whole.size(), 4u);
  for (std::uint64_t depth = 0; depth < 4; ++depth)
    EXPECT_EQ((std::vector<std::uint64_t>{whole[depth][0], whole[depth][1], whole[depth][3]}),
              (std::vector<std::uint64_t>{0,
                                          depth == 0   ? 0
                                          : depth == 1 ? 1
                                                       : depth + 1,
                                          depth}));
  EXPECT_EQ(regions(100), whole);
}

TEST(Details, nothing_is_kept_that_nobody_asked_for) {
  const AnalysisResult r = analyze(support::TraceFile(four_ranks).path());
  EXPECT_FALSE(r.series);
  EXPECT_FALSE(r.communication);
  const WaitSummary& waits = r.waits.at(r.metrics.at("mpi_barrier_wait"));
  EXPECT_TRUE(waits.histogram.empty() && waits.by_callpath.empty());
  EXPECT_TRUE(worst(r, "mpi_barrier_wait").members.empty());
  EXPECT_FALSE(worst(r, "mpi_barrier_wait").cause);
}

// A part of the run has the waits that lie in it: from 152 to 251 rank 0 and 1 wait 100 ticks each, rank 2 waits 50.
TEST(Details, series_of_a_part_of_the_run) {
  AnalysisOptions options;
  options.keep.details = options.keep.series = true;
  options.focus.from = 152, options.focus.to = 252;
  options.focus.locations = {LocationId{0}, LocationId{2}};
  const AnalysisResult r = analyze(support::TraceFile(four_ranks).path(), options);
  const WaitSeries::OfMetric& barrier = r.series->metrics.at(r.metrics.at("mpi_barrier_wait"));
  EXPECT_EQ(std::accumulate(barrier.ticks.begin(), barrier.ticks.end(), Ticks{0}), 150);
  EXPECT_EQ(barrier.without_time, 0);
}

// ---- chains of causes ----

AnalysisResult with_causes(const std::string& text, bool all_waits = false) {
  AnalysisOptions options;
  options.built_in = false;
  PatternRegistry registry;
  if (all_waits) registry.set("critical_path.all_waits", "1");
  options.patterns = registry.chosen({"all", "critical_path"}, {});
  return analyze(support::TraceFile(text).path(), options);
}

/// A rank that receives from the one before it (unless it is the first), works, and sends to the next (unless it is the
/// last). Times: begin and end of the receive, end of the work.
std::string link_of_chain(int rank, int ranks, const std::string& work, int recv, int got, int send) {
  std::string t = fmt::format("{0} 0 enter main\n{0} 0 enter MPI_Init\n{0} 10 exit\n", rank);
  if (rank > 0)
    t += fmt::format("{0} {1} enter MPI_Recv\n{0} {2} recv src={3} tag=1 com=0 len=8\n{0} {2} exit\n", rank, recv, got,
                     rank - 1);
  if (send > got) t += fmt::format("{0} {1} enter {2}\n{0} {3} exit\n", rank, got, work, send);
  if (rank + 1 < ranks)
    t += fmt::format("{0} {1} enter MPI_Send\n{0} {2} send dest={3} tag=1 com=0 len=8\n{0} {2} exit\n", rank, send,
                     send + 1, rank + 1);
  return t +
         fmt::format("{0} {1} enter MPI_Finalize\n{0} 200 exit\n{0} 200 exit\n", rank, rank + 1 == ranks ? 195 : 190);
}

const SevereInstance& worst_of(const AnalysisResult& r, int rank, const char* metric = "mpi_latesender") {
  for (const auto& [path, instances] : r.waits.at(r.metrics.at(metric)).severe)
    for (const SevereInstance& i : instances)
      if (i.longest.location == LocationId{static_cast<std::size_t>(rank)}) return i;
  throw std::out_of_range("no such wait");
}

// Rank 0 is slow from 10 to 100; 1, 2 and 3 wait 90, 91 and 92, each through the one before. Of rank 3's wait rank 2
// did 1 itself (the end of its receive), of that of rank 2 rank 1 did: 91/92 times 90/91 are rank 0's.
TEST(Chains, lead_over_those_who_waited_to_who_was_busy) {
  const AnalysisResult r =
      with_causes(link_of_chain(0, 4, "slow", 10, 10, 100) + link_of_chain(1, 4, "work", 10, 101, 101) +
                  link_of_chain(2, 4, "work", 10, 102, 102) + link_of_chain(3, 4, "work", 10, 103, 103));
  const WaitChain chain = worst_of(r, 3).chain.value();
  ASSERT_EQ(chain.steps.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(chain.steps[i].location, LocationId{3 - i});
    EXPECT_EQ(chain.steps[i].culprit, LocationId{2 - i});
    EXPECT_EQ(chain.steps[i].ticks, static_cast<Ticks>(92 - i));
    EXPECT_EQ(chain.steps[i].crossing, Crossing::late_sender);
  }
  EXPECT_EQ(chain.end, WaitChain::End::work);
  EXPECT_EQ(r.call_tree.path(chain.root, r.definitions), "main/slow");
  EXPECT_EQ(chain.root_ticks, 90);
  EXPECT_DOUBLE_EQ(chain.root_share, 90.0 / 92);
  EXPECT_DOUBLE_EQ(chain.waited_share, 0);

  const CriticalPath path = r.critical_path.value();  // each rank only for as long as nobody else is late
  EXPECT_EQ(path.left_out, 0u);
  Ticks sum = 0;
  for (const CriticalSegment& s : path.segments) sum += s.ticks;
  EXPECT_EQ(sum, path.ticks);
  ASSERT_EQ(path.segments.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(path.segments[i].location, LocationId{i});
    EXPECT_EQ(path.segments[i].crossing, i == 0 ? Crossing::none : Crossing::late_sender);
    if (i > 0) {
      EXPECT_EQ(path.segments[i].from, path.segments[i - 1].to);
    }
  }
  EXPECT_EQ(path.segments[0].from, 0u);
  EXPECT_EQ(r.call_tree.path(path.segments[0].callpath, r.definitions), "main/slow");
  EXPECT_EQ(path.segments[3].to, 195u);
}

// Rank 2 waits 91 for rank 1, which worked 60 and waited 30 of it for rank 0.
TEST(Chains, of_two_sources_the_larger_is_the_root_and_the_other_is_said) {
  const AnalysisResult r =
      with_causes(link_of_chain(0, 3, "slow", 10, 10, 40) + link_of_chain(1, 3, "extra", 10, 41, 101) +
                  link_of_chain(2, 3, "work", 10, 102, 102));
  const WaitChain chain = worst_of(r, 2).chain.value();
  ASSERT_EQ(chain.steps.size(), 1u);
  EXPECT_EQ(chain.end, WaitChain::End::work);
  EXPECT_EQ(r.call_tree.path(chain.root, r.definitions), "main/extra");
  EXPECT_EQ(chain.root_ticks, 60);
  EXPECT_DOUBLE_EQ(chain.root_share, 60.0 / 91);
  EXPECT_DOUBLE_EQ(chain.waited_share, 30.0 / 91);
}

// With 25 and 20 in two call paths, 30 is more than either, so the wait for rank 0 is the reason.
TEST(Chains, go_on_over_a_wait_that_is_longer_than_what_was_done_in_any_one_call_path) {
  std::string rank_1 = link_of_chain(1, 3, "a", 10, 41, 86);
  const std::string work = "1 41 enter a\n1 86 exit\n";
  rank_1.replace(rank_1.find(work), work.size(), "1 41 enter a\n1 66 exit\n1 66 enter b\n1 86 exit\n");
  const AnalysisResult r =
      with_causes(link_of_chain(0, 3, "slow", 10, 10, 40) + rank_1 + link_of_chain(2, 3, "work", 10, 87, 87));
  const WaitChain chain = worst_of(r, 2).chain.value();
  ASSERT_EQ(chain.steps.size(), 2u);
  EXPECT_EQ(chain.steps[1].location, LocationId{1});
  EXPECT_DOUBLE_EQ(chain.steps[1].share, 30.0 / 76);
  EXPECT_EQ(chain.end, WaitChain::End::work);
  EXPECT_EQ(r.call_tree.path(chain.root, r.definitions), "main/slow");
}

/// Rank 2 waits for rank 1, which is from 10 to 101 in what these lines say instead of receiving from rank 0.
WaitChain chain_over(const std::string& instead, const std::string& definitions = "", bool all_waits = false) {
  std::string rank_1 = link_of_chain(1, 3, "work", 10, 101, 101);
  const std::string receive = "1 10 enter MPI_Recv\n1 101 recv src=0 tag=1 com=0 len=8\n1 101 exit\n";
  rank_1.replace(rank_1.find(receive), receive.size(), instead);
  return worst_of(
             with_causes(definitions + "0 0 enter main\n0 0 enter MPI_Init\n0 10 exit\n0 10 enter slow\n0 50 exit\n" +
                             rank_1 + link_of_chain(2, 3, "work", 10, 102, 102),
                         all_waits),
             2)
      .chain.value();
}

TEST(Chains, say_what_the_trace_lacks_of_the_call_in_which_they_end) {
  using End = WaitChain::End;
  const std::string all = "comm 0 name=MPI_COMM_WORLD members=all\n",
                    window = all + "comm 1 members=(0,1)\nrma_win 0 comm=1\n";
  const auto end_in = [](const WaitChain& chain) {
    EXPECT_EQ(chain.steps.size(), 1u);
    EXPECT_EQ(chain.root_ticks, 91);
    return chain.end;
  };
  EXPECT_EQ(end_in(chain_over("1 10 enter MPI_Ssend\n1 11 send dest=0 tag=9 com=0 len=8\n1 101 exit\n")),
            End::missing_record);
  EXPECT_EQ(end_in(chain_over("1 10 enter MPI_Recv\n1 100 recv src=77 tag=9 com=0 len=8\n1 101 exit\n")),
            End::missing_record);
  EXPECT_EQ(end_in(chain_over("1 10 enter MPI_Wait\n1 100 isend_complete request=4\n1 101 exit\n")),
            End::missing_start);
  EXPECT_EQ(end_in(chain_over(
                "1 5 enter MPI_Irecv\n1 6 irecv_request request=4\n1 8 exit\n1 10 enter MPI_Wait\n1 101 exit\n")),
            End::no_record);
  EXPECT_EQ(end_in(chain_over("1 10 enter MPI_Probe\n1 101 exit\n")), End::no_record);
  const std::string fence =
      "1 10 enter MPI_Win_fence\n1 10 rma_collective_begin\n1 100 rma_collective_end op=barrier level=0x1 win=0 sent=0 "
      "received=0\n1 101 exit\n";
  EXPECT_EQ(end_in(chain_over(fence, window, true)), End::missing_member);
  EXPECT_EQ(end_in(chain_over(fence, window)), End::missing_member);
  EXPECT_EQ(end_in(chain_over("1 10 enter MPI_Win_start\n1 100 rma_group_sync level=0x1 win=0 group=0\n1 101 exit\n",
                              window + "group 0 type=locations members=(0)\n", true)),
            End::missing_part);
}

// Thread 2 never comes to the barrier in which thread 0 is from 30 to 62, before it sends.
TEST(Chains, end_at_a_barrier_of_a_team_that_a_thread_does_not_come_to) {
  const AnalysisResult r = with_causes(R"(region 0 name=main
region 1 name="!$omp parallel @a.c:1" role=parallel paradigm=openmp
region 2 name=work
region 3 name="!$omp implicit barrier @a.c:3" role=implicit_barrier paradigm=openmp
process 0
process 1
location 0 process=0
location 1 process=1
location 2 process=0
comm 0 paradigm=openmp members=(0,2)
comm 1 name=MPI_COMM_WORLD members=(0,1)
0 0 enter main
0 10 thread_fork paradigm=openmp requested=2
0 10 thread_team_begin team=0
0 10 enter #1
0 10 enter work
0 30 exit
0 30 enter #3
0 62 exit
0 62 exit
0 62 thread_team_end team=0
0 64 thread_join paradigm=openmp
0 64 enter MPI_Send
0 65 send dest=1 tag=1 com=1 len=8
0 66 exit
0 100 exit
1 0 enter main
1 5 enter MPI_Recv
1 67 recv src=0 tag=1 com=1 len=8
1 67 exit
1 100 exit
2 15 thread_team_begin team=0
2 15 enter #1
2 15 enter work
2 60 exit
2 61 exit
2 61 thread_team_end team=0
)");
  const WaitChain chain = worst_of(r, 1).chain.value();
  EXPECT_EQ(chain.end, WaitChain::End::missing_member);
  EXPECT_EQ(chain.root_ticks, 32);
}

// The previous owner of lock 3 is not in the trace; thread 1 waits for lock 4, which thread 0 takes after that.
TEST(Chains, end_at_a_lock_of_which_the_owner_before_is_missing) {
  const AnalysisResult r = with_causes(R"(process 0
location 0 process=0
location 1 process=0
0 0 enter main
0 10 enter pthread_mutex_lock
0 60 thread_acquire_lock paradigm=pthread lock=3 order=2
0 60 exit
0 60 enter pthread_mutex_lock
0 61 thread_acquire_lock paradigm=pthread lock=4 order=1
0 61 exit
0 80 enter pthread_mutex_unlock
0 80 thread_release_lock paradigm=pthread lock=4 order=1
0 81 exit
0 99 exit
1 0 enter main
1 20 enter pthread_mutex_lock
1 82 thread_acquire_lock paradigm=pthread lock=4 order=2
1 82 exit
1 99 exit
)",
                                       true);
  const WaitChain chain = worst_of(r, 1, "pthread_lock_contention_mutex_lock").chain.value();
  EXPECT_EQ(chain.end, WaitChain::End::missing_part);
  EXPECT_EQ(r.call_tree.path(chain.root, r.definitions), "main/pthread_mutex_lock");
}

// Processing element 2 never comes to the barrier in which 0 is from 10 to 100, before it writes what 1 waits for.
TEST(Chains, end_at_a_barrier_of_shmem_that_somebody_does_not_come_to) {
  const AnalysisResult r = with_causes(R"(region 0 name=main
region 1 name=shmem_barrier_all paradigm=shmem role=function
region 2 name=shmem_long_wait_until paradigm=shmem role=function
region 3 name=shmem_long_p paradigm=shmem role=function
comm 0 paradigm=shmem members=(0,1)
comm 1 paradigm=shmem members=(0,2)
rma_win 0 comm=0
rma_win 1 comm=1
0 0 enter main
0 10 enter shmem_barrier_all
0 11 rma_collective_begin
0 100 rma_collective_end op=barrier level=0x3 win=1 sent=0 received=0
0 100 exit
0 100 enter shmem_long_p
0 101 rma_put win=0 remote=1 bytes=8 match=1
0 102 exit
0 140 exit
1 0 enter main
1 10 enter shmem_long_wait_until
1 103 rma_wait_change win=0
1 103 exit
1 140 exit
2 0 enter main
2 5 exit
)",
                                       true);
  const WaitChain chain = worst_of(r, 1, "shmem_wait_until").chain.value();
  EXPECT_EQ(chain.end, WaitChain::End::missing_member);
  EXPECT_EQ(r.call_tree.path(chain.root, r.definitions), "main/shmem_barrier_all");
}

// Two threads: the second is idle until 10 and from 64 on, while the first is in main, and in MPI_Recv from 70 to 90,
// where it waits 15 for rank 1.
TEST(Chains, of_idle_threads_lead_to_what_the_first_thread_did) {
  const std::string text = R"(region 0 name=main
region 1 name="!$omp parallel @a.c:1" role=parallel paradigm=openmp
region 2 name=work
region 3 name="!$omp implicit barrier @a.c:3" role=implicit_barrier paradigm=openmp
process 0
process 1
location 0 process=0
location 1 process=1
location 2 process=0
comm 0 paradigm=openmp members=(0,2)
comm 1 name=MPI_COMM_WORLD members=(0,1)
0 0 enter main
0 10 thread_fork paradigm=openmp requested=2
0 10 thread_team_begin team=0
0 10 enter #1
0 30 enter #3
0 62 exit
0 62 exit
0 62 thread_team_end team=0
0 64 thread_join paradigm=openmp
0 70 enter MPI_Recv
0 90 recv src=1 tag=1 com=1 len=8
0 90 exit
0 END exit
1 0 enter main
1 0 enter slow
1 85 exit
1 85 enter MPI_Send
1 86 send dest=0 tag=1 com=1 len=8
1 86 exit
1 99 exit
2 15 thread_team_begin team=0
2 15 enter #1
2 60 enter #3
2 61 exit
2 61 exit
2 61 thread_team_end team=0
)";
  const auto chain_until = [&](const std::string& end, std::string& root) {
    std::string whole = text;
    whole.replace(whole.find("END"), 3, end);
    const AnalysisResult r = with_causes(whole);
    const MetricIndex idle = r.metrics.at("omp_idle_threads");
    for (const auto& [path, instances] : r.waits.at(idle).severe)
      for (const SevereInstance& i : instances)
        if (i.longest.enter == 64) {
          root = r.call_tree.path(i.chain.value().root, r.definitions);
          return i.chain.value();
        }
    throw std::out_of_range("no such wait");
  };
  std::string root;
  const WaitChain busy = chain_until("190", root);  // main 6 and 100, MPI_Recv 20 - 15
  ASSERT_EQ(busy.steps.size(), 1u);
  EXPECT_EQ(busy.steps[0].crossing, Crossing::fork);
  EXPECT_EQ(busy.steps[0].location, LocationId{2});
  EXPECT_EQ(busy.steps[0].culprit, LocationId{0});
  EXPECT_EQ(busy.steps[0].ticks, 126);
  EXPECT_EQ(busy.end, WaitChain::End::work);
  EXPECT_EQ(root, "main");
  EXPECT_EQ(busy.root_ticks, 106);
  EXPECT_DOUBLE_EQ(busy.root_share, 106.0 / 126);
  EXPECT_DOUBLE_EQ(busy.waited_share, 15.0 / 126);
  const WaitChain waited = chain_until("91", root);  // main 6 and 1, MPI_Recv 5: less than the wait
  ASSERT_EQ(waited.steps.size(), 2u);
  EXPECT_EQ(waited.steps[1].crossing, Crossing::late_sender);
  EXPECT_EQ(waited.steps[1].culprit, LocationId{1});
  EXPECT_EQ(waited.steps[1].ticks, 15);
  EXPECT_DOUBLE_EQ(waited.steps[1].share, 15.0 / 27);
  EXPECT_EQ(root, "main/slow");
}

// Rank 0 never sends to rank 1: what rank 1 did in MPI_Recv is not a wait that anybody is charged with.
TEST(Chains, end_where_a_record_is_missing) {
  std::string rank_0 = link_of_chain(0, 3, "slow", 10, 10, 100);
  rank_0.erase(rank_0.find("0 101 send"), rank_0.find('\n', rank_0.find("0 101 send")) + 1 - rank_0.find("0 101 send"));
  const AnalysisResult r =
      with_causes(rank_0 + link_of_chain(1, 3, "work", 10, 101, 101) + link_of_chain(2, 3, "work", 10, 102, 102));
  const WaitChain chain = worst_of(r, 2).chain.value();
  ASSERT_EQ(chain.steps.size(), 1u);
  EXPECT_EQ(chain.end, WaitChain::End::missing_record);
  EXPECT_EQ(r.call_tree.path(chain.root, r.definitions), "main/MPI_Recv");
}

// Rank 0's events end at 50: it never comes to the barrier in which rank 1 is from 10 to 101. Nobody is charged for
// that.
TEST(Chains, end_where_a_member_is_missing) {
  std::string text = "comm 0 name=MPI_COMM_WORLD members=all\ncomm 1 members=(0,1)\n";
  text += "0 0 enter main\n0 0 enter MPI_Init\n0 10 exit\n0 10 enter slow\n0 50 exit\n";
  std::string rank_1 = link_of_chain(1, 3, "work", 10, 101, 101);
  const std::string receive = "1 10 enter MPI_Recv\n1 101 recv src=0 tag=1 com=0 len=8\n";
  rank_1.replace(rank_1.find(receive), receive.size(),
                 "1 10 enter MPI_Barrier\n1 10 collective_begin\n1 101 collective_end op=barrier com=1 sent=0 "
                 "received=0\n");
  const AnalysisResult r = with_causes(text + rank_1 + link_of_chain(2, 3, "work", 10, 102, 102));
  const WaitChain chain = worst_of(r, 2).chain.value();
  ASSERT_EQ(chain.steps.size(), 1u);
  EXPECT_EQ(chain.end, WaitChain::End::missing_member);
  EXPECT_EQ(r.call_tree.path(chain.root, r.definitions), "main/MPI_Barrier");
  EXPECT_EQ(r.waits.count(r.metrics.at("mpi_barrier_wait")), 0u);
}

// Chains over what only all_waits makes points of: the waits of cases, whose numbers are derived there. A step as
// "waiter>culprit crossing ticks".
std::string chain_of_case(const std::string& name, const std::string& metric, std::size_t location) {
  const support::CaseFile file =
      support::read_case(std::filesystem::path(WAITSTATE_CASES) / "delay" / (name + ".case"));
  const AnalysisResult r = with_causes(file.trace, true);
  for (const auto& [path, instances] : r.waits.at(r.metrics.at(metric)).severe)
    for (const SevereInstance& i : instances) {
      if (i.longest.location != LocationId{location} || !i.chain) continue;
      std::string text;
      for (const ChainStep& s : i.chain->steps)
        text += fmt::format("{}>{} {} {}, ", s.location.value, s.culprit.value, enum_name(s.crossing), s.ticks);
      text += enum_name(i.chain->end);
      if (i.chain->root.valid())
        text += fmt::format(" {} {} {:.3f}", r.call_tree.path(i.chain->root, r.definitions), i.chain->root_ticks,
                            i.chain->root_share);
      return text;
    }
  return "none";
}

// Location 1 came late for 90 / 92 of what 2 waits for, as it waited itself.
TEST(Chains, cross_fences) {
  EXPECT_EQ(chain_of_case("fence_all_waits", "mpi_rma_wait_at_fence", 2),
            "2>1 window 72, 1>0 late_sender 90, work main/slow 90 0.978");
}
TEST(Chains, cross_epochs) {
  EXPECT_EQ(chain_of_case("post_start_all_waits", "mpi_rma_sync_late_post", 0),
            "0>1 epoch 40, work main/slow 50 1.000");
  EXPECT_EQ(chain_of_case("post_start_all_waits", "mpi_rma_early_wait", 1), "1>0 epoch 39, work main/compute 36 0.923");
}
TEST(Chains, cross_locks_of_windows_and_targets_outside_of_mpi) {
  EXPECT_EQ(chain_of_case("window_lock_all_waits", "mpi_rma_sync_lock_competition", 2),
            "2>1 passive_target 41, work main/slow 38 0.927");
  EXPECT_EQ(chain_of_case("target_outside_mpi_all_waits", "mpi_rma_sync_wait_for_progress", 1),
            "1>0 passive_target 76, work main/slow 80 1.000");
}
TEST(Chains, cross_shmem) {
  EXPECT_EQ(chain_of_case("shmem_all_waits", "shmem_barrier_wait", 2),
            "2>1 shmem_collective 73, 1>0 shmem_pair 90, work main/slow 90 0.968");
}
TEST(Chains, cross_kernels) {
  EXPECT_EQ(chain_of_case("kernel_all_waits", "mpi_latesender", 1),
            "1>0 late_sender 91, 0>2 device 80, work kernel 85 0.879");
  EXPECT_EQ(chain_of_case("kernel_all_waits", "accelerator_wait_kernel", 0), "0>2 device 80, work kernel 85 1.000");
}
TEST(Chains, cross_locks_of_threads) {
  EXPECT_EQ(
      chain_of_case("critical_section_all_waits", "omp_lock_contention_critical", 0),
      "0>2 lock 30, 2>1 lock 45, 1>0 lock 20, work main/!$omp critical @a.c:1/!$omp critical sblock @a.c:1 30 0.435");
}

}  // namespace
}  // namespace waitstate
