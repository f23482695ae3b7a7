// How much of what is tried in many ways a test tries: all of it, or few of each. Few are enough in the quick tests,
// which are run with WAITSTATE_QUICK in their environment, and under sanitizers, which look at each access and take ten
// times as long.
#pragma once

#include <cstdlib>
#include <vector>

namespace waitstate::support {

inline bool few_are_enough() {
#ifdef WAITSTATE_SANITIZED
  return true;
#else
  return std::getenv("WAITSTATE_QUICK") != nullptr;
#endif
}

template <typename T>
std::vector<T> few_or_all(const std::vector<T>& few, const std::vector<T>& all) {
  return few_are_enough() ? few : all;
}

}  // namespace waitstate::support
