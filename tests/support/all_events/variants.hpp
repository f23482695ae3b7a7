// Odd but valid archives: each shows one thing that real recorders do and that a reader may get wrong.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace all_events {

struct Variant {
  std::string_view name, what;
  void (*write)(const std::string& directory);
};

/// All variants; the first one is the trace with one of everything.
std::span<const Variant> variants();

}  // namespace all_events
