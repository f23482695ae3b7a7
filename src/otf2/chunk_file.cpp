#include "otf2/chunk_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace waitstate::otf2 {

void ChunkFile::swap(ChunkFile& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(chunk_size_, other.chunk_size_);
  std::swap(file_size_, other.file_size_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(open_error_, other.open_error_);
  std::swap(buffer_, other.buffer_);
  std::swap(capacity_, other.capacity_);
  std::swap(size_, other.size_);
  std::swap(big_, other.big_);
  std::swap(error_, other.error_);
}

bool ChunkFile::open() {
  open_error_ = 0;
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // does not wait for ever on a named pipe
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0)
    open_error_ = errno;
  else if (!S_ISREG(status.st_mode))
    open_error_ = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  if (open_error_ != 0) {
    close();
    error_ = std::strerror(open_error_);
    return false;
  }
  file_size_ = static_cast<std::uint64_t>(status.st_size);
  return true;
}

void ChunkFile::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  buffer_.reset();
  capacity_ = size_ = 0;
}

bool ChunkFile::load(std::uint64_t number) {
  size_ = 0;
  error_.clear();
  if (!is_open() && !open()) return false;

  if (number > file_size_ / chunk_size_) return error_ = "the file ends without an end mark", false;
  const std::uint64_t offset = number * chunk_size_;
  const std::size_t wanted = static_cast<std::size_t>(std::min(chunk_size_, file_size_ - offset));
  if (capacity_ < wanted) {
    buffer_ = std::make_unique_for_overwrite<std::uint8_t[]>(wanted);
    capacity_ = wanted;
  }
  std::size_t got = 0;
  while (got < wanted) {
    const ssize_t n = ::pread(descriptor_, buffer_.get() + got, wanted - got, static_cast<off_t>(offset + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return error_ = std::strerror(errno), false;
    if (n == 0) break;  // the file has become shorter since it was opened
    got += static_cast<std::size_t>(n);
  }

  if (got == 0) return error_ = number == 0 ? "the file is empty" : "the file ends without an end mark", false;
  if (got < chunk_header_size) return error_ = "the file ends in the header of a chunk", false;
  if (buffer_[0] != mark::chunk_header || (buffer_[1] != mark::big_endian && buffer_[1] != mark::little_endian))
    return error_ = "a chunk does not start with a chunk header", false;
  big_ = buffer_[1] == mark::big_endian;
  size_ = got;
  return true;
}

}  // namespace waitstate::otf2
