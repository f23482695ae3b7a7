// Moves data that will probably not be looked at again out of memory, into a nameless file that disappears with the
// program. Otherwise messages that nobody receives would fill the memory of a long trace.
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

  /// Writes `bytes` and returns their place, or nothing if there is no folder for temporary files or no room in it:
  /// then the data must stay in memory. The file is created when the first data is written.
  std::optional<std::uint64_t> put(std::span<const std::byte> bytes);
  /// Reads the bytes back that put() stored at `place`. Throws OutputError if it cannot.
  void read(std::uint64_t place, std::span<std::byte> bytes) const;
  /// Like read(), and frees the room that the bytes took.
  void take(std::uint64_t place, std::span<std::byte> bytes);
  /// Frees the room of the `size` bytes that put() stored at `place`.
  void drop(std::uint64_t place, std::size_t size);

  /// Number of bytes stored.
  std::uint64_t size() const { return size_; }

 private:
  bool open();

  int descriptor_ = -1;
  bool refused_ = false;   ///< the file cannot be created or is full, and is not tried again
  std::uint64_t end_ = 0;  ///< end of all places so far; the room of each is a power of two, not all of which is
                           ///< written
  std::array<std::vector<std::uint64_t>, 64> free_;  ///< freed places, by the power of two of their size
  std::uint64_t size_ = 0;
};

}  // namespace waitstate::util
