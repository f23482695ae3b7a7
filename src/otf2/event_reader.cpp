#include "otf2/event_reader.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "otf2/event_records.hpp"

namespace waitstate::otf2 {

namespace {

// Bytes in memory at a time: few enough to stay in the processor's cache beside what the sinks do.
constexpr std::size_t largest_fetch = 64 * 1024, smallest_fetch = 4 * 1024;

}  // namespace

EventDecoder::EventDecoder(const Archive& archive, std::span<const LocationId> locations, bool keep_attribute_lists,
                           std::size_t max_open, const Delivery& delivery)
    : archive_(archive),
      references_(archive.references()),
      regions_(references_[RefKind::region]),
      comms_(archive.definitions().comms),
      keep_lists_(keep_attribute_lists),
      max_open_(std::max<std::size_t>(max_open, 1)),
      chunk_size_(archive.anchor().event_chunk_size),
      delivery_(delivery),
      locations_(archive.definitions().locations.size()),
      window_(largest_fetch + padding) {
  for (const LocationId id : locations) {
    if (id.index() >= locations_.size() || locations_[id.index()]) continue;
    locations_[id.index()] = std::make_unique<Location>();
    locations_[id.index()]->id = id;
  }
}

EventDecoder::~EventDecoder() {
  while (!open_.empty()) close(*open_.back());
}

bool EventDecoder::at_end(LocationId loc) const {
  const Location* l = find(loc);
  return l == nullptr || l->ended;
}

// --- files and the window --------------------------------------------------------------------------------------------

// Prepares for reading on; null if there is nothing to read.
EventDecoder::Location* EventDecoder::start(LocationId loc, void* sink, std::size_t max_events) {
  Location* const l = find(loc);
  if (l == nullptr || l->ended || !open(*l)) return nullptr;
  sink_ = sink;
  if (paused_ != l) {
    at_ = end_ = window_.data();
    window_end_ = l->position;
    read_error_ = 0;
    file_ended_ = false;
  }
  paused_ = nullptr;
  // Not much more than will be decoded: the rest would be read again next time.
  const std::uint64_t an_event = l->events == 0 ? 16 : std::min<std::uint64_t>(l->position / l->events + 1, 256);
  const std::size_t bytes = std::min<std::size_t>(max_events, largest_fetch) * an_event + 2 * longest_ordinary;
  fetch_size_ = std::clamp(bytes, smallest_fetch, largest_fetch);
  return l;
}

bool EventDecoder::open(Location& l) {
  if (l.file >= 0) {
    if (open_.front() != &l) open_.splice(open_.begin(), open_, l.place);
    return true;
  }
  while (open_.size() >= max_open_) close(*open_.back());
  if (!l.started) {
    l.started = true;
    read_local_definitions(l);
  }
  const std::string path = archive_.event_file(l.id).string();
  int file = -1;
  do file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe would wait
  while (file < 0 && close_another(errno));
  if (file < 0) {
    l.missing = errno == ENOENT;
    end(l, std::strerror(errno));
    return false;
  }
  open_.push_front(&l);
  l.place = open_.begin();
  l.file = file;
  return true;
}

void EventDecoder::close(Location& l) {
  ::close(l.file);
  l.file = -1;
  open_.erase(l.place);
}

// Whether opening a file again can help after that error: where there are fewer descriptors than max_open, one of the
// open files gives up its own.
bool EventDecoder::close_another(int error) {
  if ((error != EMFILE && error != ENFILE) || open_.empty()) return false;
  close(*open_.back());
  return true;
}

// Brings the next `n` bytes into memory, and more at a time; false if the chunk or the file ends before.
bool EventDecoder::fetch(Location& l, std::uint64_t n) {
  if (n > left_in_chunk(l) || file_ended_) return false;
  auto size = static_cast<std::size_t>(end_ - at_);
  std::memmove(window_.data(), at_, size);
  const std::size_t wanted = std::max(static_cast<std::size_t>(n), fetch_size_);
  if (window_.size() < wanted + padding) window_.resize(wanted + padding);
  while (size < wanted && window_end_ != chunk_end(l) && !file_ended_) {
    const std::uint64_t bytes = std::min<std::uint64_t>(wanted - size, chunk_end(l) - window_end_);
    const ssize_t got = ::pread(l.file, window_.data() + size, bytes, static_cast<off_t>(window_end_));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) read_error_ = errno;
    file_ended_ = got <= 0;
    if (file_ended_) break;
    size += static_cast<std::size_t>(got);
    window_end_ += static_cast<std::uint64_t>(got);
  }
  at_ = window_.data();
  end_ = at_ + size;
  return size >= n;
}

// The file is not read on.
void EventDecoder::stop(Location& l, const char* why) {
  end(l, read_error_ == ESPIPE ? "not a regular file" : read_error_ != 0 ? std::strerror(read_error_) : why);
}

void EventDecoder::read_local_definitions(Location& l) {
  if (!archive_.has_local_definitions()) return;
  const auto path = archive_.local_definition_file(l.id);
  const std::uint64_t chunk_size = archive_.anchor().definition_chunk_size;
  CheckedFile file = otf2::read_local_definitions(path, chunk_size, l.local);
  while (close_another(file.open_error)) file = otf2::read_local_definitions(path, chunk_size, l.local);
  if (!file.damage.empty())
    diagnostics_.add(DiagnosticId::local_definitions_unreadable,
                     {l.id, ~Time{0}, path.string() + ": " + file.damage});
}

// --- records ---------------------------------------------------------------------------------------------------------

void EventDecoder::begin_chunk(Location& l) {
  l.chunk = l.position;
  at_ = end_ = window_.data();
  window_end_ = l.position;
  if (!has(l, 1)) return stop(l, l.chunk == 0 ? "the file is empty" : "the file ends without an end mark");
  if (!has(l, chunk_header_size) || at_[0] != mark::chunk_header ||
      (at_[1] != mark::big_endian && at_[1] != mark::little_endian))
    return stop(l, "a chunk without a valid header");
  l.big_endian = at_[1] == mark::big_endian;
  l.in_chunk = true;
  l.stamped = false;
  at_ += chunk_header_size;
}

// One mark, time stamp, attribute list or event, whatever its length; returns the number of events.
std::size_t EventDecoder::step(Location& l) {
  if (!l.in_chunk) return begin_chunk(l), 0;
  // Most often the window is used up, and run() can go on.
  if (end_ - at_ <= longest_ordinary && !l.stamped && has(l, longest_ordinary + 1)) return 0;
  if (!has(l, 1))
    return stop(l, left_in_chunk(l) == 0 ? "a chunk without an end mark" : "the file ends without an end mark"), 0;
  const std::uint8_t type = at_[0];
  if (type == mark::timestamp) {
    if (!has(l, 10)) return stop(l, "the file ends within a record"), 0;
    if (l.stamped) return stop(l, "two time stamps where one was expected"), 0;
    l.stamped = true;
    l.time = l.local.clock.correct(l.big_endian ? full64<true>(at_ + 1) : full64<false>(at_ + 1));
    at_ += 9;
    return 0;
  }
  if (type == mark::end_of_file) {
    end(l, "");
    return 0;
  }
  if (type == mark::end_of_chunk) {
    l.position = chunk_end(l);
    l.in_chunk = false;
    return 0;
  }
  const bool list = type == mark::attribute_list;
  if (type < first_event_record && !list) return stop(l, "no event record where one was expected"), 0;
  if (!has(l, 2)) return stop(l, "the file ends within a record"), 0;
  const EventType event = type_of(type);
  const bool one_number = has_no_length(event);
  std::uint64_t head = 2, length = at_[1];
  if (length == 255) {
    length = 0;  // of one number: "undefined", without further bytes
    if (!one_number) {
      head = 10;
      if (!has(l, head)) return stop(l, "the file ends within a record"), 0;
      length = l.big_endian ? full64<true>(at_ + 2) : full64<false>(at_ + 2);
    }
  } else if (length > 8 && one_number) {
    return stop(l, "a record with invalid contents"), 0;
  }
  if (left_in_chunk(l) - head <= length) return stop(l, "a record that is longer than its chunk"), 0;
  if (!has(l, head + length)) return stop(l, "the file ends within a record"), 0;
  const std::uint8_t* const next = at_ + head + length;
  const bool fits =
      list ? attribute_list(l, at_ + head, next) : contents(l, event, one_number ? at_ + 1 : at_ + head, next);
  if (!fits) return stop(l, "a record with invalid contents"), 0;
  at_ = next;
  l.stamped = false;
  l.events += !list;
  return list ? 0 : 1;
}

// A record of an event, at most 256 bytes long, all of which are in the window; returns what follows, null if it is
// anything else, or if it is not valid: step() says why.
const std::uint8_t* EventDecoder::ordinary(Location& l, const std::uint8_t* record) {
  const Passing by = passing[record[0]];
  const std::uint8_t length = record[1];
  if (by == Passing::no || length > (by == Passing::size_of_number ? 8 : 254)) return nullptr;
  const std::uint8_t* const next = record + 2 + length;
  const bool fits = contents(l, type_of(record[0]), by == Passing::size_of_number ? record + 1 : record + 2, next);
  return fits ? next : nullptr;
}

void EventDecoder::end(Location& l, const std::string& damage) {
  const std::uint64_t announced = archive_.definitions()[l.id].announced_events;
  if (!damage.empty()) {
    const std::string path = archive_.event_file(l.id).string();
    if (l.events != 0)
      diagnostics_.add(DiagnosticId::location_truncated,
                       {l.id, l.last_time, path + ": after " + std::to_string(l.events) + " events: " + damage});
    else if (announced == 0 && l.missing)
      diagnostics_.add(DiagnosticId::empty_location, {l.id, ~Time{0}, "no file, and no events announced"});
    else
      diagnostics_.add(DiagnosticId::location_unreadable, {l.id, ~Time{0}, path + ": " + damage});
  } else if (l.events == 0) {
    diagnostics_.add(DiagnosticId::empty_location, {l.id, ~Time{0}, ""});
  }
  if (l.events != announced && (damage.empty() || l.events != 0))
    diagnostics_.add(DiagnosticId::event_count_differs,
                     {l.id, ~Time{0}, std::to_string(l.events) + " read, " + std::to_string(announced) + " announced"});
  if (l.undefined != 0)
    diagnostics_.add(DiagnosticId::undefined_reference, {l.id, ~Time{0}, l.first_undefined}, 0, l.undefined);
  if (l.unknown != 0) diagnostics_.add(DiagnosticId::unknown_event, {l.id, ~Time{0}, ""}, 0, l.unknown);
  if (l.file >= 0) close(l);
  l.local = {};
  l.ended = true;
}

}  // namespace waitstate::otf2
