#include "record/archive/tails.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "record/parts/event_chunk.hpp"
#include "record/parts/event_file.hpp"
#include "record/parts/pending_operation.hpp"

namespace waitstate::record {
namespace {

constexpr std::uint64_t least_chunk = 256 << 10, greatest_chunk = 16 << 20;  // limits of OTF2

class File {
 public:
  File(int folder, const std::string& name, int flags)
      : fd_(::openat(folder, name.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  /// The size of the file; nothing if it is not a plain file with only this name.
  std::optional<std::uint64_t> size() const {
    struct stat about {};
    if (fd_ < 0 || ::fstat(fd_, &about) != 0 || !S_ISREG(about.st_mode) || about.st_nlink != 1) return std::nullopt;
    return static_cast<std::uint64_t>(about.st_size);
  }
  bool read(std::span<std::uint8_t> to, std::uint64_t at) const {
    for (std::size_t done = 0; done < to.size();) {
      const ssize_t n = ::pread(fd_, to.data() + done, to.size() - done, static_cast<off_t>(at + done));
      if (n == 0 || (n < 0 && errno != EINTR)) return false;
      if (n > 0) done += static_cast<std::size_t>(n);
    }
    return true;
  }
  bool write(std::span<const std::uint8_t> from, std::uint64_t at) const {
    if (!is_within_limit(at + from.size())) {
      errno = EFBIG;
      return false;
    }
    for (std::size_t done = 0; done < from.size();) {
      const ssize_t n = ::pwrite(fd_, from.data() + done, from.size() - done, static_cast<off_t>(at + done));
      if (n < 0 && errno != EINTR) return false;
      if (n > 0) done += static_cast<std::size_t>(n);
    }
    return true;
  }

 private:
  int fd_;
};

struct Whole {
  FoundTail found;
  std::uint64_t chunk = 0;              // bytes of a chunk
  std::uint64_t first_here = 0;         // number of the first event of the tail's
  std::vector<std::uint8_t> new_bytes;  // bytes that belong into the event file
};

/// Reads members of a struct from bytes that another program wrote.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  template <class T>
  T at(std::size_t offset) const {
    T value{};
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  std::uint64_t u64(std::size_t offset) const { return at<std::uint64_t>(offset); }
  std::uint32_t u32(std::size_t offset) const { return at<std::uint32_t>(offset); }
  std::int64_t i64(std::size_t offset) const { return at<std::int64_t>(offset); }
  Waiting::What what(std::size_t offset) const {
    const std::uint32_t n = u32(offset);
    return n < static_cast<std::uint32_t>(Waiting::What::count) ? Waiting::What{n} : Waiting::What::nothing;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

// The oldest operation under way of each handle.
using Pending = std::map<std::uint64_t, std::pair<std::uint64_t, FoundWait>>;

Pending read_pending(int folder) {
  constexpr std::uint64_t most_bytes = 64 << 20;
  Pending pending;
  const File file(folder, pending_file, O_RDONLY);
  const std::optional<std::uint64_t> size = file.size();
  if (!size || *size > most_bytes) return pending;
  std::vector<std::uint8_t> bytes(*size);
  if (!file.read(bytes, 0)) return pending;
  using Operation = PendingOperation;
  for (std::size_t at = 0; at + sizeof(Operation) <= bytes.size(); at += sizeof(Operation)) {
    const Bytes o(std::span<const std::uint8_t>(bytes).subspan(at, sizeof(Operation)));
    FoundWait wait;
    wait.what = o.what(offsetof(Operation, what));
    if (wait.what == Waiting::What::nothing || wait.what == Waiting::What::requests) continue;
    wait.communicator = o.u32(offsetof(Operation, communicator));
    wait.peer = o.i64(offsetof(Operation, peer));
    wait.tag = o.i64(offsetof(Operation, tag));
    const std::uint64_t id = o.u64(offsetof(Operation, id));
    const auto [place, added] = pending.try_emplace(o.u64(offsetof(Operation, request)), id, wait);
    if (!added && id < place->second.first) place->second = {id, wait};
  }
  return pending;
}

std::vector<FoundWait> read_waits(const Bytes& tail, const Pending& pending) {
  constexpr std::size_t waiting = offsetof(Tail, waiting);
  FoundWait wait;
  wait.what = tail.what(waiting + offsetof(Waiting, what));
  wait.region = tail.u32(waiting + offsetof(Waiting, region));
  wait.since = tail.u64(waiting + offsetof(Waiting, since));
  wait.communicator = tail.u32(waiting + offsetof(Waiting, communicator));
  wait.peer = tail.i64(waiting + offsetof(Waiting, peer));
  wait.tag = tail.i64(waiting + offsetof(Waiting, tag));
  if (wait.what == Waiting::What::nothing) return {};
  if (wait.what != Waiting::What::requests) return {wait};
  std::vector<FoundWait> waits;
  const std::size_t count =
      std::min<std::size_t>(tail.u32(waiting + offsetof(Waiting, requests)), Waiting::most_requests);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = pending.find(tail.u64(waiting + offsetof(Waiting, request) + i * sizeof(std::uint64_t)));
    if (at == pending.end()) continue;
    waits.push_back(at->second.second);
    waits.back().region = wait.region;
    waits.back().since = wait.since;
  }
  return waits;
}

std::vector<FoundErrors> read_errors(const Bytes& tail) {
  std::vector<FoundErrors> errors;
  for (std::size_t i = 0; i < most_failed_functions; ++i) {
    const std::size_t at = offsetof(Tail, errors) + offsetof(ErrorCounts, functions) + i * sizeof(ErrorCount);
    const std::uint32_t region = tail.u32(at + offsetof(ErrorCount, region));
    const std::uint32_t calls = tail.u32(at + offsetof(ErrorCount, calls));
    if (region != 0 && calls != 0) errors.push_back({region - 1, calls});
  }
  const std::uint64_t others = tail.u64(offsetof(Tail, errors) + offsetof(ErrorCounts, others));
  if (others != 0) errors.push_back({std::nullopt, others});
  return errors;
}

// Nothing if the file is not a tail that a recorder wrote.
std::optional<Whole> read_tail(const File& file, std::uint64_t number, const Pending& pending) {
  const std::optional<std::uint64_t> size = file.size();
  if (!size || *size < least_chunk + tail_page || *size > greatest_chunk + tail_page) return std::nullopt;
  std::vector<std::uint8_t> bytes(*size);
  if (!file.read(bytes, 0)) return std::nullopt;
  Whole w;
  w.chunk = *size - tail_page;
  const std::span<const std::uint8_t> page =
      std::span<const std::uint8_t>(bytes).subspan(w.chunk + tail_offset, sizeof(Tail));
  const Bytes tail(page);
  if (std::memcmp(page.data() + offsetof(Tail, format), tail_format.data(), tail_format.size()) != 0 ||
      tail.u64(offsetof(Tail, chunk)) != w.chunk || tail.u64(offsetof(Tail, number)) != number)
    return std::nullopt;
  FoundTail& f = w.found;
  f.number = number;
  f.events = tail.u64(offsetof(Tail, events));
  f.first = tail.u64(offsetof(Tail, first));
  f.last = tail.u64(offsetof(Tail, last));
  f.ended = tail.u64(offsetof(Tail, ended));
  f.waits = read_waits(tail, pending);
  f.errors = read_errors(tail);
  bytes.resize(w.chunk);
  const std::optional<ChunkHeader> header = header_of(bytes);
  if (!header || header->first == 0) return std::nullopt;
  w.first_here = header->first;
  const std::uint64_t here = f.events < w.first_here ? 0 : f.events - w.first_here + 1;
  const std::optional<Records> records = records_of(bytes, here);
  if (!records) return std::nullopt;
  if (here != 0) f.last = records->last_time;
  set_last(bytes, f.events);
  bytes.resize(records->end);
  bytes.insert(bytes.end(), std::begin(end_of_events), std::end(end_of_events));
  w.new_bytes = std::move(bytes);
  return w;
}

// Number of chunks of the event file that come before the tail's.
std::uint64_t chunks_before(const File& events, std::uint64_t size, const Whole& w) {
  std::uint64_t whole = size / w.chunk;
  for (std::uint8_t bytes[chunk_header_bytes]; whole > 0; --whole) {
    const bool read = events.read(bytes, (whole - 1) * w.chunk);
    const std::optional<ChunkHeader> header = read ? header_of(bytes) : std::nullopt;
    if (!header || header->first < w.first_here) break;
  }
  return whole;
}

// An empty text, or what went wrong.
std::string complete(int folder, const std::string& name, const Whole& w) {
  const File events(folder, name, O_RDWR | O_CREAT);
  const std::optional<std::uint64_t> size = events.size();
  if (events.get() < 0) return std::strerror(errno);
  if (!size) return "it is not a plain file with one name";
  const std::uint64_t at = chunks_before(events, *size, w) * w.chunk;
  if (::ftruncate(events.get(), static_cast<off_t>(at)) != 0 || !events.write(w.new_bytes, at))
    return std::strerror(errno);
  return {};
}

std::optional<std::uint64_t> number_of(std::string_view name) {
  constexpr std::string_view ending = ".tail";
  if (!name.ends_with(ending)) return std::nullopt;
  name.remove_suffix(ending.size());
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), n);
  if (error != std::errc{} || end != name.data() + name.size() || std::to_string(n) != name) return std::nullopt;
  return n;
}

std::vector<std::uint64_t> numbers_in(int folder) {
  std::vector<std::uint64_t> numbers;
  const int own = ::dup(folder);
  DIR* const entries = own < 0 ? nullptr : ::fdopendir(own);
  if (entries == nullptr) {
    if (own >= 0) ::close(own);
    return numbers;
  }
  while (const dirent* const entry = ::readdir(entries))
    if (const auto number = number_of(entry->d_name)) numbers.push_back(*number);
  ::closedir(entries);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace

FoundTails complete_event_files(const std::string& part) {
  FoundTails found;
  const File folder(AT_FDCWD, part, O_RDONLY | O_DIRECTORY);
  if (folder.get() < 0) return found;
  const File traces(folder.get(), "traces", O_RDONLY | O_DIRECTORY);
  const Pending pending = read_pending(folder.get());
  for (const std::uint64_t number : numbers_in(folder.get())) {
    const File file(folder.get(), std::to_string(number) + ".tail", O_RDONLY);
    std::optional<Whole> w = read_tail(file, number, pending);
    if (!w) continue;
    const std::string name = std::to_string(number) + ".evt";
    if (const std::string problem = complete(traces.get(), name, *w); !problem.empty()) {
      found.problem = "cannot write " + part + "/traces/" + name + ": " + problem;
      return found;
    }
    found.tails.push_back(std::move(w->found));
  }
  return found;
}

}  // namespace waitstate::record
