// Runs the parts of a computation in tests, each on a thread of its own.
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

namespace waitstate::causes {

/// Calls part(number) for each of `parts` numbers, and returns when all have returned.
template <class Part>
void run_parts(std::size_t parts, Part&& part) {
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < parts; ++number) threads.emplace_back([&, number] { part(number); });
  for (std::thread& t : threads) t.join();
}

}  // namespace waitstate::causes
