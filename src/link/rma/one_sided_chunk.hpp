// The part of a chunk that one-sided communication is about.
#pragma once

#include <span>

#include "link/calls.hpp"
#include "replay/chunk/chunk.hpp"

namespace waitstate::link {

/// The views are valid while the chunk is processed.
struct OneSidedChunk {
  const replay::Chunk& chunk;        ///< its one-sided records name calls by an index in `calls`
  std::span<const CallRef> calls;    ///< numbers of the calls
  std::span<const Call> mpi_enters;  ///< as the chunk has them
};

}  // namespace waitstate::link
