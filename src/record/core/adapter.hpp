// The state that an adapter keeps for a thread. An adapter records one kind of thing: MPI or SHMEM calls, constructs
// of OpenMP, regions and functions of the program, POSIX threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "record/core/recorder.hpp"

namespace waitstate::record {

/// The state that an adapter keeps for a thread; null if it has none yet.
template <class State>
State* find_state(const Thread& thread, const Adapter& adapter) {
  return static_cast<State*>(thread.states[static_cast<std::size_t>(adapter.id)]);
}

/// Like find_state(), but makes the state if there is none. Only the thread itself asks. It is never destroyed: threads
/// may record while the process ends.
template <class State>
State& state_of(Thread& thread, const Adapter& adapter) {
  void*& state = thread.states[static_cast<std::size_t>(adapter.id)];
  if (state == nullptr) {
    if constexpr (std::is_constructible_v<State, const Thread&>)
      state = new State(thread);
    else
      state = new State;
    use(adapter);
  }
  return *static_cast<State*>(state);
}

}  // namespace waitstate::record
