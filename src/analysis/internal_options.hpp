// analyze() with choices that change no result, so that tests of small traces use scratch files, and divide them.
#pragma once

#include <cstddef>
#include <filesystem>

#include "waitstate/analysis.hpp"

namespace waitstate::analysis {

struct InternalOptions {
  /// Bytes of each kind of what critical_path and delay keep that stay in memory; 0: causes::Engine::default_memory().
  std::size_t causes_in_memory = 0;
  /// Number of parts; one if a pattern wants everything in one place.
  std::size_t parts = 1;
};

/// Like waitstate::analyze().
AnalysisResult analyze(const std::filesystem::path& path, const AnalysisOptions& options, InternalOptions internal);

}  // namespace waitstate::analysis
