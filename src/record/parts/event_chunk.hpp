// OTF2's form of a chunk of events, as far as it must be known to complete a chunk that OTF2 itself did not close.
//
// A chunk begins with a header of 18 bytes: 3, the byte order, the numbers of its first and its last event; the latter
// is written when the chunk is closed. A time stamp (5, eight bytes) stands before each record with another time, and a
// record is its type, the number of bytes that follow, and these. The last chunk of a file ends with the bytes 2 and 1
// in place of a record. The numbers are those of OTF2 from 1.1 on (OTF2_Buffer.h, OTF2_EvtReader.c).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace waitstate::record {

inline constexpr std::size_t chunk_header_bytes = 18;
inline constexpr std::uint8_t end_of_events[] = {2, 1};

struct ChunkHeader {
  std::uint64_t first = 0, last = 0;  ///< numbers of events, from 1 on
};
/// Nothing if the bytes do not begin as a chunk of this machine's byte order does.
std::optional<ChunkHeader> header_of(std::span<const std::uint8_t> chunk);
/// Writes the number of its last event.
void set_last(std::span<std::uint8_t> chunk, std::uint64_t number);

struct Records {
  std::size_t end = chunk_header_bytes;  ///< bytes of the chunk up to the end of the last record
  std::uint64_t last_time = 0;           ///< 0 if there is no record
};
/// The first `count` records of a chunk. Nothing if the chunk has not as many.
std::optional<Records> records_of(std::span<const std::uint8_t> chunk, std::uint64_t count);

}  // namespace waitstate::record
