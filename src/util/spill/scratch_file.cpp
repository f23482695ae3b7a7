#include "util/spill/scratch_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "waitstate/error.hpp"

namespace waitstate::util {

namespace {
int power_of(std::size_t size) { return std::bit_width(std::max<std::size_t>(size, 1) - 1); }
}  // namespace

ScratchFile::~ScratchFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool ScratchFile::open() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) return false;
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (descriptor_ < 0) {  // not all file systems support files without a name
    std::string path = folder / "waitstate-XXXXXX";
    descriptor_ = ::mkostemp(path.data(), O_CLOEXEC);
    if (descriptor_ >= 0) ::unlink(path.c_str());
  }
  return descriptor_ >= 0;
}

std::optional<std::uint64_t> ScratchFile::put(std::span<const std::byte> bytes) {
  if (refused_ || (descriptor_ < 0 && !open())) {
    refused_ = true;
    return std::nullopt;
  }
  const int power = power_of(bytes.size());
  std::vector<std::uint64_t>& free = free_[static_cast<std::size_t>(power)];
  const std::uint64_t place = free.empty() ? end_ : free.back();
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(place + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      refused_ = true;
      return std::nullopt;
    }
    done += static_cast<std::size_t>(n);
  }
  if (free.empty())
    end_ += std::uint64_t{1} << power;
  else
    free.pop_back();
  size_ += bytes.size();
  return place;
}

void ScratchFile::read(std::uint64_t place, std::span<std::byte> bytes) const {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(place + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      throw OutputError(std::string("a temporary file cannot be read back: ") +
                        (n < 0 ? std::strerror(errno) : "it has become shorter") +
                        "; set TMPDIR to a folder on another file system");
    done += static_cast<std::size_t>(n);
  }
}

void ScratchFile::take(std::uint64_t place, std::span<std::byte> bytes) {
  read(place, bytes);
  drop(place, bytes.size());
}

void ScratchFile::drop(std::uint64_t place, std::size_t size) {
  size_ -= size;
  free_[static_cast<std::size_t>(power_of(size))].push_back(place);
  if (size_ != 0 || ::ftruncate(descriptor_, 0) != 0) return;
  end_ = 0;
  for (std::vector<std::uint64_t>& places : free_) places.clear();
}

}  // namespace waitstate::util
