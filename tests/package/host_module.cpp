// A module, such as Python loads them, with the library in it.
#include <cstdio>
#include <exception>

#include "waitstate/pattern/registry.hpp"

extern "C" int loads(const char* plugin) {
  try {
    waitstate::PatternRegistry patterns;
    patterns.load_plugin(plugin);
    return patterns.at("huge_messages").origin == plugin ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
