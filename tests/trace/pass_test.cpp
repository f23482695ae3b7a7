// What several threads read ahead: the chunks that are linked next, and not more of them than that takes.
#include "trace/pass.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace waitstate::trace {
namespace {

/// So many locations, which do the same at the same times; in the text notation, gone with the object.
struct Uniform {
  Uniform(int locations, int visits) {
    std::ofstream out(path);
    for (int l = 0; l < locations; ++l)
      for (int v = 0; v < visits; ++v)
        out << l << ' ' << 20 * v << " enter work\n" << l << ' ' << 20 * v + 10 << " exit\n";
  }
  ~Uniform() { std::filesystem::remove(path); }
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("waitstate_pass_" + std::to_string(::getpid()) + ".trace");
};

TEST(Pass, ReadsTheNextLocationsAheadAndNotTheOneThatIsBeingLinked) {
  // When the wrong one was read, more than 500 chunks lay ready at once; of the right ones it is 30 to 100, on a machine
  // that is busy with other things up to 200.
  const Uniform trace(4000, 32);
  for (const unsigned threads : {1u, 2u}) {
    Input input(trace.path);
    CallTree call_tree;
    Diagnostics diagnostics;
    Linker linker(input.definitions(), call_tree, diagnostics, nullptr, nullptr);
    PassOptions options;
    options.threads = threads;
    options.chunk_events = 16;
    Pass pass(input, linker, nullptr, nullptr, options);
    pass.run();
    EXPECT_EQ(pass.replay(LocationId{3999}).event_count(), 64u);
    EXPECT_GE(pass.most_ready(), 1u);
    EXPECT_LE(pass.most_ready(), threads == 1 ? 1u : 400u) << threads << " threads";
  }
}

}  // namespace
}  // namespace waitstate::trace
