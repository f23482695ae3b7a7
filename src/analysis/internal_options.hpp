// analyze() with choices that change no result: for exports, which want all waits, and for tests, which use scratch
// files for small traces, and divide them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "analysis/metrics/wait_sink.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::peers {
class Peers;
}

namespace waitstate::analysis {

struct InternalOptions {
  /// Bytes of each kind of what critical_path and delay keep that stay in memory; 0: causes::Engine::default_memory().
  std::size_t causes_in_memory = 0;
  /// Number of parts; one if a pattern wants everything in one place.
  std::size_t parts = 1;
  /// One worker, however many threads there are.
  bool one_worker = false;
  /// Delays what workers send to each other at random, by this seed, and has several workers whatever is worth it; 0:
  /// it does neither.
  std::uint64_t delay = 0;
  /// Is told of all waits, with their causes if details are kept; only with one part.
  WaitSink* waits = nullptr;
  /// The processes that analyse the trace together; null if there are no others. All call analyze() with the same
  /// options. Peer 0 has the result; that of the others is empty.
  peers::Peers* peers = nullptr;
};

/// Like waitstate::analyze().
AnalysisResult analyze(const std::filesystem::path& path, const AnalysisOptions& options, InternalOptions internal);

}  // namespace waitstate::analysis
