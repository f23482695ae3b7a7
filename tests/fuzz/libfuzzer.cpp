// A target of targets.hpp as libFuzzer wants it; compiled once for each, with its name in WAITSTATE_FUZZ_TARGET.
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto run = waitstate::fuzz::target(WAITSTATE_FUZZ_TARGET).run;
  run({reinterpret_cast<const char*>(data), size});
  return 0;
}
