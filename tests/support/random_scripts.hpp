// Random scripts for RapidCheck, and the check of a property on random traces.
//
// The cases are always the same, so that a failure can be repeated; WAITSTATE_RANDOM_CASES=5000 tries more of them in
// each test, WAITSTATE_RANDOM_SEED=7 tries others. A failure shows the smallest trace that fails, and its error.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <exception>
#include <functional>
#include <sstream>
#include <string>

#include "support/few.hpp"
#include "support/random_trace.hpp"

namespace waitstate::support {
inline void showValue(const Script& script, std::ostream& out) {
  out << script.processes << " processes, " << script.steps.size() << " steps";
}
}  // namespace waitstate::support

namespace rc {
template <>
struct Arbitrary<waitstate::support::Step> {
  static Gen<waitstate::support::Step> arbitrary() {
    using waitstate::support::Step;
    // The whole range at once: only the number of steps grows with RapidCheck's size.
    const auto below = [](std::uint32_t n) { return gen::resize(kNominalSize, gen::inRange<std::uint32_t>(0, n)); };
    return gen::build<Step>(
        gen::set(&Step::what, below(waitstate::support::step_kinds)), gen::set(&Step::who, below(64)),
        gen::set(&Step::with, below(64)), gen::set(&Step::flavour, below(1000)), gen::set(&Step::size, below(60)),
        gen::set(&Step::jitter, gen::element<std::uint32_t>(0, 0, 1, 3, 10, 40)), gen::set(&Step::salt, below(1000)));
  }
};
template <>
struct Arbitrary<waitstate::support::Script> {
  static Gen<waitstate::support::Script> arbitrary() {
    using waitstate::support::Script;
    return gen::build<Script>(
        gen::set(&Script::processes, gen::resize(kNominalSize, gen::inRange<std::uint32_t>(2, 9))),
        gen::set(&Script::two_threads, gen::element<std::uint32_t>(0, 0, 0, 1, 2, 3, 6, 255)),
        gen::set(&Script::teams, gen::resize(kNominalSize, gen::inRange<std::uint32_t>(0, 1u << 16))),
        gen::set(&Script::streams, gen::resize(kNominalSize, gen::inRange<std::uint32_t>(0, 1u << 16))),
        gen::set(&Script::skew, gen::element<std::uint32_t>(0, 5, 100)),
        gen::set(&Script::steps, gen::arbitrary<std::vector<waitstate::support::Step>>()));
  }
};
}  // namespace rc

namespace waitstate::support {

inline std::uint64_t from_environment(const char* name, std::uint64_t value) {
  const char* text = std::getenv(name);
  return text == nullptr ? value : std::strtoull(text, nullptr, 10);
}

/// Further parts of random traces, beside messages and collective operations.
struct With {
  bool more = false;        ///< one-sided communication, SHMEM and locks of threads
  bool passive = false;     ///< locks of windows and of SHMEM, with the former
  bool neighbours = false;  ///< neighbourhood collective operations
  bool teams = false;       ///< teams of threads
  bool tasks = false;       ///< tasks of teams
  bool streams = false;     ///< streams of accelerators
};

// Checks the property, which returns the error in a trace, on `cases` random traces, or on a fifth as many where few
// are enough.
inline void check(int cases, const std::function<std::string(const RandomTrace&)>& wrong, With with = {}) {
  rc::detail::TestParams params;
  params.seed = from_environment("WAITSTATE_RANDOM_SEED", 1);
  if (few_are_enough()) cases = cases / 5 + 1;
  params.maxSuccess = static_cast<int>(from_environment("WAITSTATE_RANDOM_CASES", static_cast<std::uint64_t>(cases)));
  const rc::detail::TestResult result = rc::detail::checkTestable(
      [&](Script script) {
        script.more = with.more;
        script.passive = with.passive;
        script.tasks = with.tasks;
        script.neighbours = with.neighbours;
        if (!with.teams) script.teams = 0;
        if (!with.streams) script.streams = 0;
        const RandomTrace trace(script);
        std::string text;
        try {
          text = wrong(trace);
        } catch (const std::exception& e) {
          text = std::string(e.what()) + '\n';
        }
        if (!text.empty()) RC_FAIL("\n" + text + "in\n" + trace.text());
      },
      rc::detail::TestMetadata{}, params);
  if (result.is<rc::detail::SuccessResult>()) return;
  std::ostringstream out;
  rc::detail::printResultMessage(result, out);
  ADD_FAILURE() << out.str();
}

}  // namespace waitstate::support
