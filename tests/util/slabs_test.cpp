// Memory in slabs: pieces that do not overlap and keep their contents, whichever thread prepared their pages.
#include "util/slabs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace waitstate::util {
namespace {

void take_and_check(bool ahead) {
  Slabs slabs;
  if (ahead) slabs.prepare_ahead();
  std::vector<std::pair<std::uint8_t*, std::size_t>> pieces;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    if (i == 250) slabs.end_ahead();
    const std::size_t size = i == 100 ? std::size_t{20} << 20 : 100'001 + i;  // one piece is larger than any slab
    std::uint8_t* const piece = slabs.take(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % 8, 0u);
    std::fill_n(piece, size, static_cast<std::uint8_t>(i));
    pieces.emplace_back(piece, size);
    bytes += size;
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto [piece, size] = pieces[i];
    EXPECT_TRUE(std::all_of(piece, piece + size, [&](std::uint8_t b) { return b == static_cast<std::uint8_t>(i); }))
        << "piece " << i;
  }
  EXPECT_GE(slabs.memory(), bytes);
  EXPECT_LE(slabs.memory(), bytes + (std::size_t{1} << 24));
}

TEST(Slabs, PiecesDoNotOverlap) { take_and_check(false); }

TEST(Slabs, PiecesDoNotOverlapWhenAnotherThreadPreparesThem) { take_and_check(true); }

}  // namespace
}  // namespace waitstate::util
