// A file of an archive, read chunk by chunk; the header of each chunk is checked. While open, it costs one buffer of a
// chunk (or of the file, if that is smaller) and one file descriptor; both can be freed and acquired again at any time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "otf2/format.hpp"

namespace waitstate::otf2 {

class ChunkFile {
 public:
  ChunkFile() = default;
  ChunkFile(std::filesystem::path path, std::uint64_t chunk_size) : path_(std::move(path)), chunk_size_(chunk_size) {}
  ChunkFile(ChunkFile&& other) noexcept { swap(other); }
  ChunkFile& operator=(ChunkFile&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ChunkFile() { close(); }

  /// Reads chunk `number` (0, 1, …), opening the file if necessary. If it returns false, error() says why in a few
  /// words.
  bool load(std::uint64_t number);
  /// The records of the loaded chunk; valid until the next load() or close().
  ByteReader records() const { return {buffer_.get() + chunk_header_size, buffer_.get() + size_, big_}; }
  /// Frees the file descriptor and the buffer.
  void close();

  bool is_open() const { return descriptor_ >= 0; }
  /// Error number of the system if the file could not be opened, else 0.
  int open_error() const { return open_error_; }
  const std::string& error() const { return error_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  bool open();
  void swap(ChunkFile& other) noexcept;

  std::filesystem::path path_;
  std::uint64_t chunk_size_ = 0, file_size_ = 0;
  int descriptor_ = -1, open_error_ = 0;
  std::unique_ptr<std::uint8_t[]> buffer_;  // not zeroed first, unlike a vector
  std::size_t capacity_ = 0, size_ = 0;
  bool big_ = false;
  std::string error_;
};

}  // namespace waitstate::otf2
