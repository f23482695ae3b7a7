// The interface of a C++ plug-in: a shared library with one C symbol, made by this macro.
//
//   #include <waitstate/pattern/plugin.hpp>
//   class TinyMessages : public waitstate::Pattern { … };
//   WAITSTATE_PLUGIN(TinyMessages)                    // or several, separated by commas
//
//   cmake_minimum_required(VERSION 3.25)
//   project(tiny_messages CXX)
//   find_package(waitstate REQUIRED COMPONENTS plugin)
//   waitstate_add_plugin(tiny_messages tiny_messages.cpp)
//
//   waitstate analyze --plugin ./libtiny_messages.so scorep_run
#pragma once

#include <cstdint>
#include <vector>

#include "waitstate/pattern/pattern.hpp"

namespace waitstate {

/// Changes whenever a plug-in has to be compiled again.
inline constexpr std::uint32_t plugin_interface_version = 15;

/// The type of the exported symbol `waitstate_plugin`. The first two members never change, so that a library of any
/// version can be read and refused.
struct PluginDescription {
  std::uint32_t interface_version;
  const char* built_with;  ///< the compiler and its version, for messages
  void (*add_patterns)(std::vector<PatternHandle>& patterns);
};

template <class... Patterns>
void add_plugin_patterns(std::vector<PatternHandle>& patterns) {
  (patterns.push_back(make_pattern<Patterns>()), ...);
}

}  // namespace waitstate

#ifdef __clang__
#define WAITSTATE_COMPILER __VERSION__
#else
#define WAITSTATE_COMPILER "g++ " __VERSION__
#endif

#define WAITSTATE_PLUGIN(...)                                                                                         \
  extern "C" {                                                                                                        \
  extern __attribute__((visibility("default"))) const ::waitstate::PluginDescription waitstate_plugin;                \
  const ::waitstate::PluginDescription waitstate_plugin = {::waitstate::plugin_interface_version, WAITSTATE_COMPILER, \
                                                           &::waitstate::add_plugin_patterns<__VA_ARGS__>};           \
  }
