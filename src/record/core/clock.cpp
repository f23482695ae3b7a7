#include "record/core/clock.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace waitstate::record {

std::uint64_t clock_skew = 0;

std::string name_of_clock() {
  char text[256] = "";
  std::string name;
  if (const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC); file >= 0) {
    if (const ssize_t n = read(file, text, sizeof text - 1); n > 0)
      name.assign(text, text[n - 1] == '\n' ? static_cast<std::size_t>(n - 1) : static_cast<std::size_t>(n));
    ::close(file);
  }
  if (const ssize_t n = readlink("/proc/self/ns/time", text, sizeof text - 1); n > 0)
    name += "/" + std::string(text, static_cast<std::size_t>(n));
  return name;
}

}  // namespace waitstate::record
