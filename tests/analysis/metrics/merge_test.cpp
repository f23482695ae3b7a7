// The books of several parts of an analysis, merged, are what one book would be, however the events were divided, and
// in whatever order the parts are merged.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "analysis/metrics/communication_book.hpp"
#include "analysis/metrics/phase_book.hpp"
#include "analysis/metrics/series_book.hpp"
#include "analysis/metrics/wait_log.hpp"
#include "analysis/metrics/wait_statistics.hpp"
#include "analysis/queues/queue_log.hpp"
#include "waitstate/result/severities.hpp"

namespace waitstate::analysis {
namespace {

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t n) { return random() % n; }

/// A duration of any size: each number of bits is as frequent as another.
std::uint64_t any_size(Random& random, unsigned most_bits) { return random() >> (64 - 1 - below(random, most_bits)); }

std::vector<Wait> random_waits(Random& random, std::size_t n) {
  std::vector<Wait> waits(n);
  for (Wait& w : waits) {
    w.location = LocationId{below(random, 20)};
    w.callpath = CallPathId{below(random, 4)};
    w.enter = 1000 + any_size(random, 40);
    w.begin = w.enter + below(random, 3);
    w.ticks = static_cast<Ticks>(any_size(random, 30));
    w.exit = w.begin + static_cast<Time>(w.ticks) + below(random, 5);
    if (below(random, 5) != 0) {
      w.culprit = LocationId{below(random, 20)};
      w.culprit_callpath = CallPathId{below(random, 4)};
    }
  }
  return waits;
}

/// Gives each thing to one of some books made by `make`, merges them in random order, and compares with one that has
/// all.
template <class Book, class Thing, class Make, class Add, class Text>
void expect_same(Random& random, const std::vector<Thing>& things, const Make& make, const Add& add, const Text& text) {
  Book whole = make();
  for (const Thing& t : things) add(*whole, t);
  std::vector<Book> parts;
  for (std::uint64_t n = 1 + below(random, 5); parts.size() < n;) parts.push_back(make());
  for (const Thing& t : things) add(*parts[below(random, parts.size())], t);
  std::shuffle(parts.begin(), parts.end(), random);
  for (std::size_t p = 1; p < parts.size(); ++p) parts[0]->merge(*parts[p]);
  EXPECT_EQ(text(*parts[0]), text(*whole));
}

template <class Body>
void with_many_seeds(Body&& body) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    body(random, any_size(random, 12));
    if (testing::Test::HasFailure()) return;
  }
}

std::string text_of(const WaitStatistics& s) {
  std::ostringstream text;
  text.precision(17);
  text << s.count << ' ' << s.sum << ' ' << s.minimum << ' ' << s.maximum << ' ' << s.mean << ' ' << s.variance << ' '
       << s.quartile25 << ' ' << s.median << ' ' << s.quartile75 << ' ' << s.quantile_error;
  return text.str();
}

TEST(Merge, durations) {
  with_many_seeds([](Random& random, std::uint64_t n) {
    std::vector<Ticks> ticks;
    for (std::uint64_t i = 0; i < n; ++i) ticks.push_back(static_cast<Ticks>(any_size(random, 50)));
    const bool classes = below(random, 2) == 0;
    using Book = DurationBook<64, 6>;
    expect_same<std::unique_ptr<Book>>(
        random, ticks,
        [&] {
          auto book = std::make_unique<Book>();
          if (classes) book->with_classes();
          return book;
        },
        [](Book& book, Ticks t) { book.add(t); },
        [&](Book& book) {
          std::ostringstream text;
          text << text_of(book.result());
          if (classes)
            for (const DurationClass& c : book.classes()) text << '\n' << c.from << ' ' << c.count << ' ' << c.ticks;
          return text.str();
        });
  });
}

TEST(Merge, severities) {
  struct Value {
    MetricIndex metric;
    CallPathId path;
    LocationId location;
    std::int64_t value;
  };
  with_many_seeds([](Random& random, std::uint64_t n) {
    std::vector<Value> values;
    for (std::uint64_t i = 0; i < n; ++i)
      values.push_back({static_cast<MetricIndex>(below(random, 3)), CallPathId{below(random, 5)},
                        LocationId{below(random, 30)}, static_cast<std::int64_t>(any_size(random, 63))});
    expect_same<std::unique_ptr<Severities>>(
        random, values, [] { return std::make_unique<Severities>(3); },
        [](Severities& s, const Value& v) { s.add(v.metric, v.path, v.location, v.value); },
        [](Severities& s) {
          std::ostringstream text;
          const std::vector<std::uint32_t> places{0, 1, 2, 3, 4};
          for (MetricIndex m = 0; m < 3; ++m)
            s.for_each(m, places, [&](CallPathId path, LocationId l, std::int64_t value) {
              text << m << ' ' << path.value << ' ' << l.value << ' ' << value << '\n';
            });
          return text.str();
        });
  });
  Severities large(1), more(1);
  for (int i = 0; i < 2; ++i) more.add(0, CallPathId{0u}, LocationId{0u}, std::int64_t{1} << 62);
  large.merge(more);
  EXPECT_TRUE(large.wrapped(0));
}

/// A wait, or the waits of the members of an operation, which a recorder is given at once.
using Instance = std::vector<Wait>;

/// The location that a wait is about tells of it, so that instances can be compared that were kept with their causes.
struct LocationAsCause final : CauseFinder {
  bool find(const Wait& wait, WaitCause& cause) const override {
    cause.tag = wait.location.value;
    return true;
  }
};

std::string text_of(const Wait& w) {
  std::ostringstream text;
  text << w.location.value << ' ' << w.callpath.value << ' ' << w.enter << ' ' << w.exit << ' ' << w.begin << ' '
       << w.ticks << ' ' << w.culprit.value << ' ' << w.culprit_callpath.value;
  return text.str();
}

std::string text_of(const WaitSummary& s) {
  std::ostringstream text;
  text << text_of(s.statistics) << '\n';
  for (const auto& [key, pair] : s.pairs)
    text << "pair " << key.first.value << ' ' << key.second.value << ' ' << pair.count << ' ' << pair.ticks << '\n';
  for (const auto& [key, pair] : s.causes)
    text << "cause " << key.first.value << ' ' << key.second.value << ' ' << pair.count << ' ' << pair.ticks << '\n';
  for (const auto& [path, instances] : s.severe)
    for (const SevereInstance& i : instances) {
      text << "severe " << path.value << ' ' << i.total << ' ' << i.waiters << ' ' << text_of(i.longest) << " left out "
           << i.members_left_out << ' ' << (i.cause ? std::to_string(i.cause->tag) : "") << ' ' << i.culprit_wait.known
           << ' ' << i.culprit_wait.ticks << ' ' << i.culprit_wait.most << ' ' << i.culprit_wait.culprit.value << '\n';
      for (const Wait& member : i.members) text << "  " << text_of(member) << '\n';
    }
  for (const CallPathWaits& c : s.by_callpath) text << c.callpath.value << ' ' << text_of(c.statistics) << '\n';
  for (const DurationClass& c : s.histogram) text << c.from << ' ' << c.count << ' ' << c.ticks << '\n';
  return text.str();
}

TEST(Merge, summaries_of_waits) {
  const LocationAsCause causes;
  with_many_seeds([&](Random& random, std::uint64_t n) {
    std::vector<Instance> instances(n);
    for (Instance& i : instances) i = random_waits(random, below(random, 2) == 0 ? 1 : 1 + below(random, 40));
    const CauseFinder* const finder = below(random, 2) == 0 ? &causes : nullptr;
    expect_same<std::unique_ptr<WaitRecorder>>(
        random, instances, [&] { return std::make_unique<WaitRecorder>(1, finder); },
        [](WaitRecorder& recorder, const Instance& instance) {
          if (instance.size() > 1) recorder.open(instance.size());
          for (const Wait& w : instance) recorder.add(0, w), recorder.note(w);
          if (instance.size() > 1) recorder.close();
        },
        [](WaitRecorder& recorder) {
          CallTree tree;
          for (std::size_t i = 0; i < 4; ++i) tree.find_or_add({.parent = {}, .region = RegionId{i}, .program = {}});
          auto all = recorder.summaries(CallPathOrder(tree));
          if (all.empty()) return std::string();
          auto& paths = all.at(0).by_callpath;
          std::sort(paths.begin(), paths.end(), [](const auto& a, const auto& b) { return a.callpath < b.callpath; });
          return text_of(all.at(0));
        });
  });
}

// Blocks of three waits, of which two stay in memory: the logs of parts are in files too.
TEST(Merge, logs_of_waits) {
  with_many_seeds([](Random& random, std::uint64_t n) {
    const std::vector<Wait> waits = random_waits(random, n);
    std::vector<WaitLog::Window> windows;
    for (int i = 0; i < 20; ++i) {
      const Time begin = any_size(random, 40);
      windows.push_back({LocationId{below(random, 20)}, begin, begin + any_size(random, 40)});
    }
    expect_same<std::unique_ptr<WaitLog>>(
        random, waits, [] { return std::make_unique<WaitLog>(2, 3); }, [](WaitLog& log, const Wait& w) { log.add(w); },
        [&](WaitLog& log) {
          std::ostringstream text;
          CallTree tree;
          for (std::size_t i = 0; i < 4; ++i) tree.find_or_add({.parent = {}, .region = RegionId{i}, .program = {}});
          for (const CulpritWait& w : log.waited_in(windows, CallPathOrder(tree)))
            text << w.known << ' ' << w.ticks << ' ' << w.most << ' ' << w.culprit.value << ' ' << w.callpath.value
                 << '\n';
          return text.str();
        });
  });
}

TEST(Merge, series) {
  with_many_seeds([](Random& random, std::uint64_t n) {
    const std::vector<Wait> waits = random_waits(random, n);
    expect_same<std::unique_ptr<SeriesBook>>(
        random, waits, [] { return std::make_unique<SeriesBook>(20); },
        [](SeriesBook& book, const Wait& w) { book.add(w.callpath.value, w.location, w.begin, w.ticks); },
        [](SeriesBook& book) {
          std::ostringstream text;
          const WaitSeries s = book.finish(Severities(4));
          text << s.start << ' ' << s.bin_ticks << ' ' << s.bins << ' ' << s.bins_per_group_bin << '\n';
          for (const auto& [metric, of] : s.metrics) {
            text << metric << ':';
            for (const Ticks t : of.ticks) text << ' ' << t;
            for (const auto& [group, ticks] : of.groups) {
              text << "\n " << group << ':';
              for (const Ticks t : ticks) text << ' ' << t;
            }
          }
          return text.str();
        });
  });
}

struct FourPhases final : PhaseBook {
  FourPhases() { phases_.phases.resize(4); }
  void add(MetricIndex metric, const Wait& wait) override {
    count(metric, wait.begin % 4, wait, static_cast<std::uint64_t>(wait.ticks));
  }
  std::unique_ptr<PhaseBook> another() const override { return std::make_unique<FourPhases>(); }
};

TEST(Merge, phases) {
  with_many_seeds([](Random& random, std::uint64_t n) {
    const std::vector<Wait> waits = random_waits(random, n);
    const FourPhases first;
    expect_same<std::unique_ptr<PhaseBook>>(
        random, waits, [&] { return first.another(); },
        [](PhaseBook& book, const Wait& w) { book.add(w.location.value % 3, w); },
        [](PhaseBook& book) {
          std::ostringstream text;
          CallTree tree;
          for (std::size_t i = 0; i < 4; ++i) tree.find_or_add({.parent = {}, .region = RegionId{i}, .program = {}});
          for (const Phases::Phase& phase : book.finish(CallPathOrder(tree)).phases) {
            for (const auto& [metric, ticks] : phase.waits) text << metric << ' ' << ticks << '\n';
            for (const auto& [metric, places] : phase.places) {
              for (const auto& [path, ticks] : places.callpaths) text << "path " << path.value << ' ' << ticks << '\n';
              for (const auto& [location, ticks] : places.locations) text << location.value << ' ' << ticks << '\n';
            }
          }
          return text.str();
        });
  });
}

// Two entries stay in memory.
TEST(Merge, message_queues) {
  with_many_seeds([](Random& random, std::uint64_t n) {
    std::vector<QueueEntry> entries(std::min<std::uint64_t>(n, 300));
    std::uint32_t order = 0;
    for (QueueEntry& e : entries)
      e = {any_size(random, 12),
           any_size(random, 12),
           static_cast<std::uint32_t>(below(random, 3)),
           CommId{below(random, 2)},
           static_cast<std::uint32_t>(below(random, 3)),
           CallPathId{below(random, 3)},
           LocationId{below(random, 3)},
           order++};
    expect_same<std::unique_ptr<QueueLog>>(
        random, entries, [] { return std::make_unique<QueueLog>(2); },
        [](QueueLog& log, const QueueEntry& e) { log.add(e); },
        [](QueueLog& log) {
          std::ostringstream text;
          QueuePlaces places;
          const MessageQueues queues = log.profile(0, 5000, &places);
          for (const QueuePlace& p : places.all()) {
            text << p.path.value << ' ' << p.location.value << ':';
            for (const auto value : p.values) text << ' ' << value;
            text << '\n';
          }
          for (const QueueRow& r : queues.rows)
            text << r.process.value << ' ' << r.comm.value << ' ' << r.posted.entered << ' ' << r.posted.total << ' '
                 << r.posted.greatest_length << ' ' << r.unexpected.entered << ' ' << r.unexpected.total << '\n';
          return text.str();
        });
  });
}

TEST(Merge, communication) {
  Definitions definitions;
  definitions.processes.resize(6);
  for (std::size_t l = 0; l < 6; ++l) {
    Location& location = definitions.locations.emplace_back();
    location.process = l == 5 ? ProcessId::none() : ProcessId{l};
  }
  struct Sent {
    Message message;
    RmaOperationKind kind;
    std::uint64_t bytes_put, bytes_got;
  };
  with_many_seeds([&](Random& random, std::uint64_t n) {
    std::vector<Sent> sent(n);
    for (Sent& s : sent) {
      s.message.sender = LocationId{below(random, 6)};
      s.message.receiver = LocationId{below(random, 6)};
      s.message.bytes = any_size(random, 40);
      s.kind = below(random, 2) == 0 ? RmaOperationKind::put : RmaOperationKind::get;
      s.bytes_put = any_size(random, 20);
      s.bytes_got = below(random, 2) * any_size(random, 20);
    }
    expect_same<std::unique_ptr<CommunicationBook>>(
        random, sent, [&] { return std::make_unique<CommunicationBook>(definitions); },
        [](CommunicationBook& book, const Sent& s) {
          const Call call{};
          const CollectiveMember member{.call = &call, .bytes_sent = s.bytes_put, .bytes_received = s.bytes_got};
          book.add(CompletedReceives{call, {&s.message, 1}});
          book.add(
              RmaOperation{s.kind, {}, s.message.sender, s.message.receiver, s.bytes_put, s.bytes_got, call, 0, call});
          Collective c;
          c.comm = CommId{s.bytes_got % 2};
          c.op = CollectiveOp::barrier;
          c.members = {&member, 1};
          book.add(c, 3);
        },
        [](CommunicationBook& book) {
          std::ostringstream text;
          const Communication all = book.finish();
          for (const auto& p : all.pairs)
            text << p.sender << ' ' << p.receiver << ' ' << p.messages << ' ' << p.bytes << ' ' << p.puts << ' '
                 << p.bytes_put << ' ' << p.gets << ' ' << p.bytes_got << '\n';
          for (const auto& s : all.sizes) text << s.from << ' ' << s.messages << ' ' << s.bytes << '\n';
          for (const auto& c : all.collectives)
            text << c.comm.value << ' ' << c.operations << ' ' << c.calls << ' ' << c.bytes_sent << ' '
                 << c.bytes_received << ' ' << c.wait_ticks << '\n';
          return text.str();
        });
  });
}

}  // namespace
}  // namespace waitstate::analysis
