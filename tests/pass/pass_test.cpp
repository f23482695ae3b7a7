// Several threads read ahead: the chunks that are linked next, and not more of them than that takes. How much is
// open at once where messages are missing.
#include "pass/pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "support/case_file.hpp"

namespace waitstate::pass {
namespace {

/// So many locations, which do the same at the same times.
std::string uniform(int locations, int visits) {
  std::ostringstream out;
  for (int l = 0; l < locations; ++l)
    for (int v = 0; v < visits; ++v)
      out << l << ' ' << 20 * v << " enter work\n" << l << ' ' << 20 * v + 10 << " exit\n";
  return out.str();
}

/// Each process sends to the next and receives from the one before; of the first receive of each, nothing was sent.
std::string ring(int processes, int rounds) {
  std::ostringstream out;
  for (int p = 0; p < processes; ++p) {
    const int from = (p + processes - 1) % processes, to = (p + 1) % processes;
    const auto call = [&](int t, const char* name, const char* record, int partner, int tag) {
      out << p << ' ' << t << " enter " << name << '\n'
          << p << ' ' << t + 1 << ' ' << record << partner << " tag=" << tag << " com=0 len=8\n"
          << p << ' ' << t + 2 << " exit\n";
    };
    call(0, "MPI_Recv", "recv src=", from, 2);
    for (int i = 1; i <= rounds; ++i) {
      call(10 * i, "MPI_Send", "send dest=", to, 1);
      call(10 * i + 5, "MPI_Recv", "recv src=", from, 1);
    }
  }
  return out.str();
}

TEST(Pass, ReadsTheNextLocationsAheadAndNotTheOneThatIsBeingLinked) {
  // When the wrong one was read, more than 500 chunks lay ready at once; of the right ones it is 30 to 100, on a
  // machine that is busy with other things up to 200.
  const support::TraceFile trace(uniform(4000, 32));
  for (const unsigned threads : {1u, 2u}) {
    TraceInput input(trace.path());
    CallTree call_tree;
    Diagnostics diagnostics;
    link::Linker linker(input.definitions(), call_tree, diagnostics, nullptr, nullptr);
    PassOptions options;
    options.threads = threads;
    options.chunk_events = 16;
    Pass pass(input, linker, nullptr, options);
    pass.run();
    EXPECT_EQ(pass.replay(LocationId{3999}).event_count(), 64u);
    EXPECT_GE(pass.most_ready(), 1u);
    EXPECT_LE(pass.most_ready(), threads == 1 ? 1u : 400u) << threads << " threads";
  }
}

// Everybody waits for a message that was never sent, to the end: what stands behind it takes no memory.
TEST(Pass, MessagesThatWereNeverSentHoldUpLittle) {
  constexpr int processes = 64, rounds = 6000;
  const support::TraceFile trace(ring(processes, rounds));
  for (const std::size_t chunk : {std::size_t{0}, std::size_t{100}}) {
    TraceInput input(trace.path());
    CallTree call_tree;
    Diagnostics diagnostics;
    link::Listener nobody;
    link::Linker linker(input.definitions(), call_tree, diagnostics, &nobody, nullptr);
    std::size_t most_open = 0;
    PassOptions options;
    options.threads = 1;
    options.chunk_events = chunk;
    options.progress = [&](std::uint64_t, std::uint64_t) { most_open = std::max(most_open, linker.open_messages()); };
    Pass pass(input, linker, nullptr, options);
    pass.run();
    EXPECT_EQ(linker.messages_matched(), std::uint64_t{processes} * rounds);
    EXPECT_EQ(diagnostics[DiagnosticId::recv_unmatched].count, std::uint64_t{processes});
    EXPECT_EQ(diagnostics[DiagnosticId::send_unmatched].count, 0u);
    EXPECT_LE(most_open, link::Linker::most_in_memory + 10000) << "chunks of " << chunk;
  }
}

}  // namespace
}  // namespace waitstate::pass
