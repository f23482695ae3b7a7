#include "record/parts/event_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "record/parts/event_chunk.hpp"
#include "record/parts/not_cancelled.hpp"

namespace waitstate::record {
namespace {

constexpr std::uint64_t tail_bytes = chunk_bytes + tail_page;

}  // namespace

bool is_within_limit(std::uint64_t bytes) {
  rlimit most{};
  return getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur == RLIM_INFINITY || bytes <= most.rlim_cur;
}

EventFile::EventFile(const std::string& part, std::uint64_t number)
    : events_file_(part + "/traces/" + std::to_string(number) + ".evt"),
      tail_file_(part + "/" + std::to_string(number) + ".tail") {
  if (!map()) return;
  tail_ = new (chunk_ + chunk_bytes + tail_offset) Tail;
  tail_->number = number;
  std::memcpy(tail_->format, tail_format.data(), tail_format.size());
}

EventFile::~EventFile() {
  if (file_ >= 0) ::close(file_);
  if (chunk_ == nullptr) return;
  if (mapped_)
    munmap(chunk_, tail_bytes);
  else
    std::free(chunk_);
}

bool EventFile::fail(const std::string& file, int error) {
  problem_ = "cannot write " + file + ": " + std::strerror(error);
  return false;
}

// Its blocks are asked for at once: a hole that the disk has no room for would end the program with SIGBUS.
bool EventFile::map() {
  const NotCancelled not_cancelled;
  if (!is_within_limit(tail_bytes)) return fail(tail_file_, EFBIG);
  const int file = ::open(tail_file_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) return fail(tail_file_, errno);
  const int error = posix_fallocate(file, 0, tail_bytes);
  void* const memory = error == 0 ? mmap(nullptr, tail_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  ::close(file);
  mapped_ = memory != MAP_FAILED;
  if (mapped_) {
    madvise(memory, tail_bytes, MADV_DONTFORK);  // a child would write into what is the parent's
    chunk_ = static_cast<std::uint8_t*>(memory);
    return true;
  }
  ::unlink(tail_file_.c_str());
  if (error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO) return fail(tail_file_, error);
  chunk_ = static_cast<std::uint8_t*>(std::malloc(tail_bytes));
  return chunk_ != nullptr || fail(tail_file_, ENOMEM);
}

// Up to `more` bytes will follow. What is written of it and not all is taken back.
bool EventFile::append(const void* data, std::uint64_t bytes, std::uint64_t more) {
  const NotCancelled not_cancelled;
  if (file_ < 0) file_ = ::open(events_file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file_ < 0) return fail(events_file_, errno);
  if (!is_within_limit(written_ * chunk_bytes + bytes + more)) return fail(events_file_, EFBIG);
  const auto* const begin = static_cast<const char*>(data);
  for (std::uint64_t at = 0; at < bytes;) {
    const ssize_t n = ::write(file_, begin + at, bytes - at);
    if (n > 0)
      at += static_cast<std::uint64_t>(n);
    else if (n == 0 || errno != EINTR) {
      fail(events_file_, n == 0 ? ENOSPC : errno);
      if (ftruncate(file_, static_cast<off_t>(written_ * chunk_bytes)) != 0) return false;
      return false;
    }
  }
  return true;
}

bool EventFile::write_chunk() {
  if (!append(chunk_, chunk_bytes, 0)) return false;
  ++written_;
  return true;
}

bool EventFile::finish() {
  const std::span<std::uint8_t> chunk(chunk_, chunk_bytes);
  const std::uint64_t events = tail_->events.load();
  const std::optional<ChunkHeader> header = header_of(chunk);
  const std::uint64_t here = header && events >= header->first ? events - header->first + 1 : 0;
  const std::optional<Records> records = records_of(chunk, here);
  if (!header || !records) {
    problem_ = "cannot write " + events_file_ + ": its last chunk is damaged";
    return false;
  }
  set_last(chunk, events);
  if (!append(chunk_, records->end, sizeof end_of_events) || !append(end_of_events, sizeof end_of_events, 0))
    return false;
  // The file may have been removed, and nobody would see.
  struct stat about {};
  if (::close(std::exchange(file_, -1)) != 0 || ::stat(events_file_.c_str(), &about) != 0)
    return fail(events_file_, errno);
  if (mapped_) ::unlink(tail_file_.c_str());
  return true;
}

}  // namespace waitstate::record
