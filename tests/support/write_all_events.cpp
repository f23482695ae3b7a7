// write_all_events: small valid OTF2 archives that contain one of everything, or one odd thing.
//
// Recorders use a fraction of OTF2, so that recorded traces cannot show that everything is read. These archives are
// written through OTF2 itself, and come with records.csv (`location,event,count`, e.g. `4294967296,enter,2`): the
// written records, counted by the writer. Records that would otherwise look alike have different values.
//
// usage: write_all_events [--variant NAME] OUTPUT_DIR      write_all_events --list
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "all_events/variants.hpp"

namespace {

using all_events::Variant;

const Variant& find_variant(std::string_view name) {
  std::string known;
  for (const Variant& v : all_events::variants()) {
    if (v.name == name) return v;
    known += (known.empty() ? "" : ", ") + std::string(v.name);
  }
  throw std::invalid_argument("unknown variant '" + std::string(name) + "', expected one of " + known);
}

int run(int argc, char** argv) {
  std::string_view variant = all_events::variants().front().name;
  std::string directory;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--list") {
      for (const Variant& v : all_events::variants())
        std::printf("%-18s %s\n", std::string(v.name).c_str(), std::string(v.what).c_str());
      return 0;
    }
    if (argument == "--variant" && i + 1 < argc)
      variant = argv[++i];
    else if (argument.starts_with("--") || !directory.empty())
      throw std::invalid_argument("unexpected '" + std::string(argument) + "'");
    else
      directory = argument;
  }
  if (directory.empty()) throw std::invalid_argument("usage: write_all_events [--variant NAME] OUTPUT_DIR, or --list");
  find_variant(variant).write(directory);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "write_all_events: %s\n", e.what());
    return 1;
  }
}
