#include "record/core/pending.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <mutex>
#include <new>

#include "record/core/recorder.hpp"
#include "record/parts/event_file.hpp"
#include "record/parts/not_cancelled.hpp"

namespace waitstate::record {
namespace {

constexpr std::uint64_t piece_bytes = 64 << 10;  // the file grows by so much
constexpr std::uint64_t most_bytes = 64 << 20;

struct Pieces {
  SpinLock lock;
  int file = -1;
  std::uint64_t bytes = 0;
  PendingOperation *next = nullptr, *end = nullptr;
  bool failed = false;
};

// With the lock.
bool grow(Pieces& p) {
  const NotCancelled not_cancelled;
  if (p.file < 0)
    p.file =
        ::open((part_folder() + "/" + pending_file).c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (p.file < 0 || p.bytes == most_bytes || !is_within_limit(p.bytes + piece_bytes) ||
      posix_fallocate(p.file, static_cast<off_t>(p.bytes), piece_bytes) != 0)
    return false;
  void* const memory =
      mmap(nullptr, piece_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, p.file, static_cast<off_t>(p.bytes));
  if (memory == MAP_FAILED) return false;
  madvise(memory, piece_bytes, MADV_DONTFORK);
  p.bytes += piece_bytes;
  p.next = static_cast<PendingOperation*>(memory);
  p.end = p.next + piece_bytes / sizeof(PendingOperation);
  return true;
}

}  // namespace

PendingOperation* take_pending_operation() {
  static auto* const pieces = new Pieces;
  const std::lock_guard guard(pieces->lock);
  if (pieces->failed) return nullptr;
  if (pieces->next == pieces->end && !grow(*pieces)) {
    pieces->failed = true;
    return nullptr;
  }
  return new (pieces->next++) PendingOperation;
}

}  // namespace waitstate::record
