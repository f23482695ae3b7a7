// Whatever travels from one process to another is there what it was here.
#include "peers/archive.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "notation/definition_writer.hpp"
#include "pass/trace_input.hpp"
#include "util/flat_map.hpp"
#include "util/spill/spilled_sums.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::peers {
namespace {

/// Brings `from` to `to` by pieces.
template <class T>
void bring(T& from, T& to) {
  std::deque<std::vector<std::byte>> pieces;
  ArchiveWriter writer([&](std::vector<std::byte> piece) { pieces.push_back(std::move(piece)); });
  writer(from);
  writer.flush();
  ArchiveReader reader([&] {
    std::vector<std::byte> piece = std::move(pieces.front());
    pieces.pop_front();
    return piece;
  });
  reader(to);
  EXPECT_TRUE(pieces.empty());
}

struct Everything {
  std::string text = "text";
  std::vector<std::string> texts{"a", "", "ccc"};
  std::vector<bool> flags{true, false, true};
  std::vector<std::uint64_t> numbers{1, 2, 3};
  std::map<int, std::vector<int>> map{{1, {1}}, {7, {}}};
  std::optional<std::string> one = "one", none;
  std::pair<std::string, int> pair{"pair", 2};
  std::tuple<int, std::string> tuple{3, "tuple"};
  std::array<std::string, 2> array{"x", "y"};
  std::filesystem::path path = "/a/b";

  template <class Archive>
  void travel(Archive& archive) {
    archive(text, texts, flags, numbers, map, one, none, pair, tuple, array, path);
  }
  bool operator==(const Everything&) const = default;
};

TEST(archive, containers) {
  Everything from, to{"", {}, {}, {9}, {{2, {}}}, {}, "some", {}, {}, {}, ""};
  bring(from, to);
  EXPECT_EQ(from, to);
}

TEST(archive, large_pieces) {
  std::vector<std::uint64_t> from(1'000'000), to;  // eight pieces
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = i * i;
  bring(from, to);
  EXPECT_EQ(from, to);
}

TEST(archive, spilled) {
  util::SpilledVector<int> from(0), to(0);
  for (int i = 0; i < 20'000; ++i) from.push_back(i);
  bring(from, to);
  ASSERT_EQ(to.size(), from.size());
  for (std::size_t i = 0; i < to.size(); ++i) ASSERT_EQ(to[i], static_cast<int>(i));

  util::SpilledSums sums(16), others(16);
  for (std::uint64_t i = 0; i < 1000; ++i) sums.add(i % 100, 1);
  bring(sums, others);
  std::size_t keys = 0;
  others.each([&](std::uint64_t key, std::uint64_t sum) {
    EXPECT_EQ(key, keys++);
    EXPECT_EQ(sum, 10u);
  });
  EXPECT_EQ(keys, 100u);
}

struct Key {
  std::uint64_t number = 0;
  bool operator==(const Key&) const = default;
  std::uint64_t hash() const { return number * 0x9e3779b97f4a7c15; }
};

TEST(archive, maps) {
  util::FlatMap<Key, std::vector<int>> from, to;
  for (int i = 0; i < 100; ++i) from.find_or_insert({static_cast<std::uint64_t>(i)}) = {i, i};
  bring(from, to);
  EXPECT_EQ(to.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(*to.find({static_cast<std::uint64_t>(i)}), (std::vector<int>{i, i}));
}

// The notation has everything that a definition records; members that are derived are compared one by one.
TEST(archive, definitions_of_traces) {
  for (const char* const name : {"p2p", "hybrid_waits", "rma_waits", "cuda_waits", "shmem_waits"}) {
    pass::TraceInput from(std::filesystem::path(WAITSTATE_TRACES) / name), to;
    bring(from, to);
    std::string here, there;
    notation::write_definitions(here, from.definitions());
    notation::write_definitions(there, to.definitions());
    EXPECT_EQ(here, there) << name;
    EXPECT_EQ(from.path(), to.path());
    const Definitions &a = from.definitions(), &b = to.definitions();
    EXPECT_EQ(a.strings, b.strings);
    ASSERT_EQ(a.processes.size(), b.processes.size());
    for (std::size_t p = 0; p < a.processes.size(); ++p) {
      EXPECT_EQ(a.processes[p].locations, b.processes[p].locations);
      EXPECT_EQ(a.processes[p].rank, b.processes[p].rank);
      EXPECT_EQ(a.processes[p].host, b.processes[p].host);
    }
    ASSERT_EQ(a.comms.size(), b.comms.size());
    for (std::size_t c = 0; c < a.comms.size(); ++c) EXPECT_EQ(a.comms[c].members, b.comms[c].members);
    for (std::size_t r = 0; r < a.regions.size(); ++r) {
      EXPECT_EQ(a.regions[r].region_class, b.regions[r].region_class);
      EXPECT_EQ(a.regions[r].mpi_function, b.regions[r].mpi_function);
      EXPECT_EQ(a.regions[r].shares_name, b.regions[r].shares_name);
    }
  }
}

}  // namespace
}  // namespace waitstate::peers
