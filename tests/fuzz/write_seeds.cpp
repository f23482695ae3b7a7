// Writes the seeds of all targets, a folder each: write_seeds FOLDER.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "fuzz/targets.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_seeds FOLDER\n";
    return 2;
  }
  for (const waitstate::fuzz::Target& target : waitstate::fuzz::targets()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / target.name;
    std::filesystem::create_directories(folder);
    std::size_t number = 0;
    for (const std::string& seed : target.seeds()) {
      std::ofstream out(folder / fmt::format("seed_{:03}", number++), std::ios::binary);
      if (!(out << seed).flush()) {
        std::cerr << "cannot write to " << folder << '\n';
        return 1;
      }
    }
  }
}
