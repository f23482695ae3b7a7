#include "analysis/dispatch/overtaking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <sstream>
#include <tuple>
#include <vector>

#include "link/linker.hpp"
#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::analysis {
namespace {

using Found = std::vector<std::tuple<std::uint64_t, Ticks, std::uint32_t, std::uint32_t>>;

Definitions two_processes() {
  Definitions d;
  for (std::size_t i = 0; i < 2; ++i) {
    d.processes.emplace_back();
    d.locations.emplace_back();
    d.locations.back().process = ProcessId{i};
  }
  return d;
}

Message message(std::size_t receiver, Time sent, std::uint64_t bytes) {
  static const Call send{};
  Message m;
  m.send = &send;
  m.sender = LocationId{1 - receiver};
  m.receiver = LocationId{receiver};
  m.send_time = sent;
  m.bytes = bytes;
  return m;
}

/// The result of the class without its order, its bounds and its file.
struct Obvious {
  std::vector<std::pair<Message, std::uint32_t>> watched;
  Found received(const Message& m) {
    Found found;
    std::erase_if(watched, [&](const auto& w) {
      if (w.first.receiver != m.receiver || w.first.send_time <= m.send_time) return false;
      found.emplace_back(w.first.bytes, static_cast<Ticks>(w.first.bytes), w.second, m.sender.value);
      return true;
    });
    return found;
  }
};

// A queue of messages that are received mostly in order; some are much later, some never.
TEST(Overtaking, FindsTheSameWhateverIsSetAside) {
  const Definitions definitions = two_processes();
  std::mt19937 random(7);
  std::size_t aside = 0, found_in_all = 0;  // the most of one room; of all
  for (const std::size_t room : {std::size_t{1}, std::size_t{400}, Overtaking::most_watched}) {
    Overtaking overtaking(definitions, room);
    Obvious obvious;
    std::vector<Message> on_their_way;
    Time now = 0;
    for (std::uint64_t n = 0; n < 8000; ++n) {
      now += random() % 3;
      on_their_way.push_back(message(random() % 2, now, n));
      std::size_t which = on_their_way.size() - 1;
      if (n % 50 == 0) continue;  // received later, or never
      if (n % 777 == 1) which = random() % on_their_way.size();
      const Message m = on_their_way[which];
      on_their_way.erase(on_their_way.begin() + static_cast<std::ptrdiff_t>(which));
      Found found;
      overtaking.received(m, [&](const Overtaken& o, std::uint32_t watcher) {
        found.emplace_back(o.bytes, o.wait.ticks, watcher, o.overtaker.value);
      });
      Found expected = obvious.received(m);
      std::sort(found.begin(), found.end());
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(found, expected) << "message " << n << ", room for " << room;
      found_in_all += found.size();
      Wait wait;
      wait.ticks = static_cast<Ticks>(m.bytes);
      const auto watcher = static_cast<std::uint32_t>(n % 5);
      // Now and then, watches a receive that is older than the ones watched already.
      const Message w = n % 1000 == 3 ? message(m.receiver.index(), m.send_time / 2, m.bytes) : m;
      overtaking.watch(w, wait, watcher);
      obvious.watched.emplace_back(w, watcher);
      if (n % 3000 == 2999) {  // messages that have not been received by now are lost
        on_their_way.clear();
        for (std::size_t p = 0; p < 2; ++p) overtaking.watermark(ProcessId{p}, now);
      }
      aside = std::max(aside, overtaking.aside());
    }
    if (room == 1) {
      EXPECT_GT(aside, 1000u);
    } else if (room == Overtaking::most_watched) {
      EXPECT_EQ(aside, 0u);
    }
    aside = 0;
  }
  EXPECT_GT(found_in_all, 3000u);
}

// One message that is on its way all the time: two numbers for each set of receives that are aside, and no more.
TEST(Overtaking, KeepsNoMoreInMemoryThanThereIsRoomFor) {
  Overtaking overtaking(two_processes(), 2000);
  overtaking.watermark(ProcessId{0}, 1);
  for (Time t = 2; t < 100000; ++t) overtaking.watch(message(0, t, t), Wait{}, 0);
  EXPECT_GE(overtaking.aside(), 99000u);
  std::uint64_t next = 99999, wrong = 0;
  overtaking.received(message(0, 1, 0), [&](const Overtaken& o, std::uint32_t) { wrong += o.bytes != next--; });
  EXPECT_EQ(next, 1u);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(overtaking.aside(), 0u);
}

TEST(Overtaking, GivesUpTheRoomOfWhatNothingCanOvertake) {
  Overtaking overtaking(two_processes(), 2000);
  for (Time t = 2; t < 10000; ++t) overtaking.watch(message(0, t, t), Wait{}, 0);
  EXPECT_GE(overtaking.aside(), 8000u);
  overtaking.watermark(ProcessId{0}, 10000);
  for (Time t = 10000; t < 12000; ++t) overtaking.watch(message(0, t, t), Wait{}, 0);
  EXPECT_LT(overtaking.aside(), 2000u);
}

TEST(Overtaking, WithoutAFolderForFilesEverythingStaysInMemory) {
  ::setenv("TMPDIR", "/no/such/folder", 1);
  Overtaking overtaking(two_processes(), 1);
  for (Time t = 2; t < 10000; ++t) overtaking.watch(message(0, t, t), Wait{}, 0);
  ::unsetenv("TMPDIR");
  EXPECT_EQ(overtaking.aside(), 0u);
  std::size_t found = 0;
  overtaking.received(message(0, 1, 0), [&](const Overtaken&, std::uint32_t) { ++found; });
  EXPECT_EQ(found, 9998u);
}

// Messages that wait so long that linking has set them aside are older than those that are received before them.
TEST(Overtaking, OfMessagesThatWereSetAsideIsFound) {
  constexpr std::size_t many = link::Linker::most_in_memory + 10000, few = 1000, first_receive = 3 * (many + few);
  std::ostringstream text;
  const auto call = [&](int location, std::size_t t, const char* name, const char* record, int tag) {
    text << location << ' ' << t << " enter " << name << '\n'
         << location << ' ' << t + 1 << ' ' << record << " tag=" << tag << " com=0 len=8\n"
         << location << ' ' << t + 2 << " exit\n";
  };
  for (std::size_t i = 0; i < many + few; ++i) call(0, 3 * i, "MPI_Send", "send dest=1", i < many ? 1 : 2);
  for (std::size_t i = 0; i < many + few; ++i)
    call(1, first_receive + 3 * i, "MPI_Recv", "recv src=0", i < few ? 2 : 1);
  const support::TraceFile trace(text.str());
  const AnalysisResult r = analyze(trace.path());
  std::int64_t ticks = 0;
  for (const SeverityRow& row : r.table())
    if (row.metric == r.metrics.at("wrong_order")) ticks += row.value;
  EXPECT_EQ(ticks, 2 * static_cast<std::int64_t>(few));
}

}  // namespace
}  // namespace waitstate::analysis
