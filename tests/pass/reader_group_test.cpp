// Readers of some locations: reading goes on from any place, by whatever readers of the same input.
#include "pass/reader_group.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <utility>
#include <vector>

#include "pass/trace_input.hpp"
#include "support/case_file.hpp"

namespace waitstate::pass {
namespace {

/// Keeps types and times of events.
struct TypesAndTimes {
  std::vector<std::pair<EventType, Time>> events;
  void enter(Time t, RegionId) { events.emplace_back(EventType::enter, t); }
  void exit(Time t, RegionId) { events.emplace_back(EventType::exit, t); }
  void event(EventType type, Time t, const std::uint64_t*, std::span<const Value>) { events.emplace_back(type, t); }
  void attribute_list(std::span<const ListedAttribute>) {}
};
using TestReaders = Readers<TypesAndTimes>;

std::string messages_in_notation() {
  std::ostringstream out;
  for (int l = 0; l < 3; ++l)
    for (int i = 0; i < 100; ++i)
      out << l << ' ' << 10 * i << " enter MPI_Send\n"
          << l << ' ' << 10 * i + 1 << " send dest=0 tag=1 com=0 len=8\n"
          << l << ' ' << 10 * i + 2 << " exit\n";
  return out.str();
}

/// Each test runs on an archive and on a text.
class ReadersOfBothForms : public testing::TestWithParam<bool> {
 protected:
  ReadersOfBothForms()
      : text(messages_in_notation()),
        input(GetParam() ? std::filesystem::path(WAITSTATE_TRACES) / "p2p" : text.path()) {
    for (std::size_t l = 0; l < input.definitions().locations.size(); ++l) locations.emplace_back(l);
  }
  std::unique_ptr<TestReaders> readers() { return input.readers<TypesAndTimes>(locations, false, 2); }

  support::TraceFile text;
  TraceInput input;
  std::vector<LocationId> locations;
};
INSTANTIATE_TEST_SUITE_P(, ReadersOfBothForms, testing::Bool(),
                         [](const auto& form) { return form.param ? "archive" : "text"; });

TEST_P(ReadersOfBothForms, TheSizeOfTheTurnsChangesNothing) {
  const auto any = readers();
  for (const LocationId l : locations) {
    TypesAndTimes by_turns, at_once;
    while (any->read(l, by_turns, 7) == 7) {
    }
    EXPECT_TRUE(any->at_end(l));
    any->go_to(l, {});
    const std::size_t read = any->read(l, at_once, 1'000'000);
    EXPECT_EQ(read, at_once.events.size());
    EXPECT_GT(read, 0u);
    EXPECT_EQ(by_turns.events, at_once.events) << l.value;
    EXPECT_EQ(any->read(l, at_once, 7), 0u) << "there is nothing behind the end";
  }
}

TEST_P(ReadersOfBothForms, OtherReadersGoOnFromAPlace) {
  const auto first = readers(), second = readers();
  for (const LocationId l : locations) {
    TypesAndTimes all, rest;
    first->read(l, all, 25);
    ASSERT_FALSE(first->at_end(l));
    const ReadingPlace place = first->place(l);
    const std::size_t read = all.events.size();
    first->read(l, all, 1'000'000);
    second->go_to(l, place);
    second->read(l, rest, 1'000'000);
    EXPECT_EQ(rest.events,
              decltype(rest.events)(all.events.begin() + static_cast<std::ptrdiff_t>(read), all.events.end()));
  }
}

TEST_P(ReadersOfBothForms, TheFirstPlaceIsTheBegin) {
  const auto again = readers();
  const LocationId l = locations.back();
  TypesAndTimes before, after;
  again->read(l, before, 1'000'000);
  again->go_to(l, {});
  EXPECT_FALSE(again->at_end(l));
  again->read(l, after, 1'000'000);
  EXPECT_EQ(after.events, before.events);
}

TEST_P(ReadersOfBothForms, OnlyReadersOfAnArchiveFindDamage) {
  EXPECT_EQ(readers()->diagnostics() != nullptr, GetParam());
}

}  // namespace
}  // namespace waitstate::pass
