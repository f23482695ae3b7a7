// What will probably not be looked at again, but may be: out of memory, into a file without a name that is gone with
// the program. Messages that nobody receives would otherwise fill the memory of a long trace.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace waitstate::util {

class ScratchFile {
 public:
  ScratchFile() = default;
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  /// Writes `bytes` and gives their place; none if there is no folder for temporary files or no room in it: then they
  /// have to stay where they are. The file is made when something is put into it for the first time.
  std::optional<std::uint64_t> put(std::span<const std::byte> bytes);
  /// Reads back what put() gave `place` for, as many bytes. Throws OutputError if it cannot.
  void read(std::uint64_t place, std::span<std::byte> bytes) const;
  /// The same, and gives up their room.
  void take(std::uint64_t place, std::span<std::byte> bytes);
  /// Gives up the room of what put() gave `place` for.
  void drop(std::uint64_t place, std::size_t size);

  /// Bytes that are in it.
  std::uint64_t size() const { return size_; }

 private:
  bool open();

  int descriptor_ = -1;
  bool refused_ = false;   ///< it cannot be made, or is full: not tried again
  std::uint64_t end_ = 0;  ///< of all places so far; each has room for a power of two, of which not all is written
  std::array<std::vector<std::uint64_t>, 64> free_;  ///< places given up, by the power
  std::uint64_t size_ = 0;
};

}  // namespace waitstate::util
