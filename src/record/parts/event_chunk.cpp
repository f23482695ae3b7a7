#include "record/parts/event_chunk.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

namespace waitstate::record {
namespace {

constexpr std::uint8_t begins_chunk = 3, time_stamp = 5, attributes = 6;
constexpr std::uint8_t byte_order = std::endian::native == std::endian::little ? 0x42 : 0x23;
constexpr std::size_t at_first = 2, at_last = 10;

std::uint64_t number_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

// Records with one number, which is all that they had when OTF2 had no lengths yet: a byte of 255 is not the sign of a
// long record in them, but an undefined number.
bool is_single_number(std::uint8_t type) {
  // Enter and Leave; MpiIsendComplete and MpiIrecvRequest; MpiRequestTest and MpiRequestCancelled; OmpFork;
  // OmpTaskCreate, OmpTaskSwitch and OmpTaskComplete.
  constexpr std::uint8_t types[] = {12, 13, 16, 17, 20, 21, 24, 28, 29, 30};
  return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

// Bytes from the length of a record to its end; nothing if they are not all there.
std::optional<std::size_t> size_of(std::uint8_t type, std::span<const std::uint8_t> rest) {
  if (rest.empty()) return std::nullopt;
  std::uint64_t length = rest[0];
  std::size_t head = 1;
  if (length == 255) {
    if (is_single_number(type)) return head;
    head += sizeof length;
    if (rest.size() < head) return std::nullopt;
    length = number_at(rest, 1);
  }
  if (length > rest.size() - head) return std::nullopt;
  return head + static_cast<std::size_t>(length);
}

}  // namespace

std::optional<ChunkHeader> header_of(std::span<const std::uint8_t> chunk) {
  if (chunk.size() < chunk_header_bytes || chunk[0] != begins_chunk || chunk[1] != byte_order) return std::nullopt;
  return ChunkHeader{number_at(chunk, at_first), number_at(chunk, at_last)};
}

void set_last(std::span<std::uint8_t> chunk, std::uint64_t number) {
  std::memcpy(chunk.data() + at_last, &number, sizeof number);
}

std::optional<Records> records_of(std::span<const std::uint8_t> chunk, std::uint64_t count) {
  Records r;
  std::size_t at = chunk_header_bytes;
  std::uint64_t time = 0;
  while (count != 0) {
    if (at >= chunk.size()) return std::nullopt;
    const std::uint8_t type = chunk[at++];
    if (type == time_stamp) {
      if (chunk.size() - at < sizeof time) return std::nullopt;
      time = number_at(chunk, at);
      at += sizeof time;
      continue;
    }
    if (type < time_stamp) return std::nullopt;  // an end
    const std::optional<std::size_t> size = size_of(type, chunk.subspan(at));
    if (!size) return std::nullopt;
    at += *size;
    if (type != attributes) --count;  // they stand before their record
    r.end = at;
    r.last_time = time;
  }
  return r;
}

}  // namespace waitstate::record
