// analyze() with a limit of its own for what is kept of causes, so that tests of small traces use scratch files.
#pragma once

#include <cstddef>
#include <filesystem>

#include "waitstate/analysis.hpp"

namespace waitstate::analysis {

/// Like waitstate::analyze(). `causes_in_memory`: bytes of each kind of what critical_path and delay keep that stay in
/// memory; 0: causes::Engine::default_memory().
AnalysisResult analyze_in_memory(const std::filesystem::path& path, const AnalysisOptions& options,
                                 std::size_t causes_in_memory);

}  // namespace waitstate::analysis
