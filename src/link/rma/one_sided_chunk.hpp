// The part of a chunk that one-sided communication is about, and how it comes from another worker.
//
// One-sided communication of all processes meets at one worker, which has the state of all windows. The others send it
// what their chunks have: calls, records, and enters and exits of MPI calls, then the end of the chunk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "link/calls.hpp"
#include "link/exchange/port.hpp"
#include "link/exchange/records.hpp"
#include "replay/chunk/chunk.hpp"

namespace waitstate::link {

/// The views are valid while the chunk is processed.
struct OneSidedChunk {
  OneSidedEnd read;                            ///< the location, and how far it has been read
  std::span<const replay::RmaRecord> records;  ///< each names its call by an index in `calls`
  std::span<const CallRef> calls;              ///< numbers of the calls
  std::span<const Call> mpi_enters;            ///< as the chunk has them
  std::span<const Time> mpi_exits;
};

inline OneSidedEnd end_of(const replay::Chunk& chunk) {
  return {chunk.location, chunk.initialised, chunk.first_time, chunk.last_time, chunk.open_since, chunk.last};
}

/// Sends what chunks have.
class OneSidedSender {
 public:
  OneSidedSender(Port& port, WorkerId to) : port_(port), to_(to) {}

  /// `calls`: numbers of the chunk's calls, which are complete. `mpi_enters`: those of the chunk, filled in.
  void send(const replay::Chunk& chunk, const Calls& calls, std::span<const CallRef> numbers,
            std::span<const Call> mpi_enters) {
    sent_.assign(chunk.rma_records.empty() ? 0 : chunk.calls.size(), CallState::none);
    std::uint32_t count = 0;
    for (replay::RmaRecord record : chunk.rma_records) {
      std::uint32_t& index = sent_[record.call];
      if (index == CallState::none) {
        port_.post(to_, OneSidedCall{calls[numbers[record.call]].call});
        index = count++;
      }
      record.call = index;
      port_.post(to_, OneSidedRecord{record});
    }
    for (const Call& call : mpi_enters) port_.post(to_, MpiEnter{call});
    for (const Time t : chunk.mpi_exits) port_.post(to_, MpiExit{t});
    port_.post(to_, end_of(chunk));
  }

 private:
  Port& port_;
  const WorkerId to_;
  std::vector<std::uint32_t> sent_;  ///< scratch: by index in the chunk, the number among the calls that were sent
};

/// Puts together what another worker sends.
class OneSidedReceiver {
 public:
  explicit OneSidedReceiver(Calls& calls) : calls_(calls) {}

  void take(const OneSidedCall& r) { adopted_.push_back(calls_.adopt(r.call)); }
  void take(const OneSidedRecord& r) { records_.push_back(r.record); }
  void take(const MpiEnter& r) { mpi_enters_.push_back(r.call); }
  void take(const MpiExit& r) { mpi_exits_.push_back(r.time); }
  /// The chunk is complete: process(const OneSidedChunk&).
  template <class Process>
  void end(const OneSidedEnd& r, Process&& process) {
    process(OneSidedChunk{r, records_, adopted_, mpi_enters_, mpi_exits_});
    for (const CallRef call : adopted_) calls_.release(call);
    records_.clear(), adopted_.clear(), mpi_enters_.clear(), mpi_exits_.clear();
  }

 private:
  Calls& calls_;
  std::vector<CallRef> adopted_;
  std::vector<replay::RmaRecord> records_;
  std::vector<Call> mpi_enters_;
  std::vector<Time> mpi_exits_;
};

}  // namespace waitstate::link
