// Writes event files byte by byte, for what OTF2's own writer never does: either byte order, numbers with more bytes
// than they need, undefined numbers anywhere, records of unknown types and with more fields than known, records that
// end exactly where a chunk must. See src/otf2/format.hpp for the format.
#pragma once

#include <otf2/otf2.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "otf2/events/event_records.hpp"
#include "otf2/format.hpp"

namespace waitstate::otf2::test {

// The fields of every record, in the order of their numbers: b byte, w 8 bytes, i and l compressed numbers of at most
// 4 and 8 bytes; M metric values, A program arguments behind their counts.
inline constexpr std::string_view record_fields[] = {
    "w",      "b",   "i",    "i",    "iiil", "iiill", "l",      "l",   "iiil", "iiill", "l",      "l",  "",    "biill",
    "i",      "",    "ii",   "ii",   "l",    "l",     "l",      "iM",  "ii",   "il",    "il",     "i",  "i",   "",
    "biiill", "iii", "iilb", "iilb", "iilb", "iil",   "iib",    "i",   "iill", "iill",  "iiblll", "il", "il",  "il",
    "il",     "bi",  "b",    "i",    "i",    "bii",   "bii",    "iii", "iii",  "iii",   "il",     "il", "il",  "il",
    "ii",     "i",   "iii",  "ibii", "i",    "iii",   "ilbl",   "ii",  "bi",   "ibill", "il",     "il", "ill", "il",
    "ib",     "ib",  "ib",   "iA",   "l",    "l",     "biilll", "i",   "i",    "iiil",  "ll",     "ll", "ll"};
static_assert(std::size(record_fields) == std::size(record_types));
/// The first record that OTF2 3.0 does not have.
inline constexpr std::uint8_t first_newer_record = 0x59;

class EventFileWriter {
 public:
  EventFileWriter(std::uint32_t seed, bool big_endian, std::uint64_t chunk_size)
      : random_(seed), big_(big_endian), chunk_size_(chunk_size) {}

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::uint64_t written() const { return events_; }

  /// A random event, of a type that is random too unless it is given; sometimes with attributes.
  void event(int record = -1) {
    std::string bytes;
    const bool after_flush = time_ < flush_end_;
    if (events_ == 0 || after_flush || below(4) != 0) {
      time_ = std::max(time_, flush_end_) + (after_flush ? 1 : 0) + number_of(1 + below(5)) % 5000;
      bytes = stamp();
    }
    if (below(8) == 0) bytes += list();
    const auto type = static_cast<std::uint8_t>(record >= 0 ? record : any_record());
    const EventType event = type_of(type);
    std::string fields;
    if (event == EventType::unknown)
      for (std::uint64_t n = below(3) == 0 ? below(700) : below(9); n != 0; --n) fields += byte(below(256));
    else
      for (const char kind : record_fields[type - first_event_record]) fields += field(kind);
    bytes += static_cast<char>(type);
    if (event != EventType::unknown && has_no_length(event)) {
      bytes += fields;
    } else {
      if (below(20) == 0) fields += std::string(below(300), '\x7f');  // fields of a later version
      bytes += length(fields.size()) + fields;
    }
    add(bytes);
  }

  /// A record of an unknown type that leaves `left` bytes of the chunk, one of which is for its end mark. Nothing is
  /// filled in a file that has no event: a record needs the time of an earlier one.
  void fill_chunk(std::uint64_t left = 1) {
    if (events_ == 0) return;
    std::uint64_t size = chunk_size_ - (bytes_.size() - chunk_) - left;
    std::string bytes;
    if (size > chunk_size_ || size < 2) return;
    bytes += byte(200);
    if (size <= 256)
      bytes += byte(size - 2);
    else
      bytes += '\xff' + full(size - 10, 8);
    add(bytes + std::string(size - bytes.size(), '\5'));
  }

  /// The file, with its end mark.
  std::string finish() {
    if (bytes_.empty()) begin_chunk();
    end_chunk();
    bytes_ += "\2\1";
    if (bytes_.size() - chunk_ > chunk_size_) bytes_.pop_back();
    return bytes_;
  }

  std::string list() {
    const std::uint64_t n = below(50) == 0 ? 2000 : below(6);
    std::string fields = compressed(n, 4);
    for (std::uint64_t i = 0; i < n; ++i) {
      fields += compressed(i, 4);
      const std::uint64_t type = below(30) == 0 ? 26 + below(200) : 1 + below(25);
      fields += byte(type);
      switch (type) {
        case OTF2_TYPE_UINT8:
        case OTF2_TYPE_INT8:
          fields += byte(below(256));
          break;
        case OTF2_TYPE_UINT16:
        case OTF2_TYPE_INT16:
          fields += full(below(65536), 2);
          break;
        case OTF2_TYPE_FLOAT:
          fields += full(number_of(4) & 0x7f7fffff, 4);  // without NaN, which is not equal to itself
          break;
        case OTF2_TYPE_DOUBLE:
          fields += full(number_of(8) & 0x7fefffffffffffff, 8);
          break;
        default:
          fields += field(type == OTF2_TYPE_UINT64 || type == OTF2_TYPE_INT64 || type == OTF2_TYPE_LOCATION || type > 25
                              ? 'l'
                              : 'i');
      }
    }
    return std::string(1, static_cast<char>(mark::attribute_list)) + length(fields.size()) + fields;
  }

 private:
  /// Sometimes one of no known type; never one that OTF2 3.0 does not have, with which the reader is compared.
  std::uint64_t any_record() {
    const std::uint64_t record = first_event_record + below(82);
    return record < first_newer_record ? record
                                       : record + (std::size(record_types) + first_event_record - first_newer_record);
  }
  static std::string byte(std::uint64_t value) { return std::string(1, static_cast<char>(value)); }
  std::string full(std::uint64_t value, unsigned size) const {
    std::string bytes;
    for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * (big_ ? size - 1 - i : i));
    return bytes;
  }
  std::uint64_t number_of(std::uint64_t bytes) {
    const std::uint64_t value = std::uint64_t{random_()} << 32 | random_();
    return bytes == 0 ? 0 : value >> (64 - 8 * bytes);
  }
  std::string compressed(std::uint64_t value, unsigned largest) {
    unsigned size = 0;
    while (size < 8 && value >> 8 * size != 0) ++size;
    if (below(4) == 0) size += static_cast<unsigned>(below(largest - size + 1));
    return byte(size) + full(value, size);
  }
  // Half of all numbers name definitions, or ranks.
  std::string any_number(unsigned largest) {
    if (below(2) == 0) return compressed(below(30), largest);
    const std::uint64_t size = below(largest + 2);
    return size > largest ? "\xff" : compressed(number_of(size), largest);
  }
  std::string field(char kind) {
    std::string bytes;
    switch (kind) {
      case 'b':
        return byte(below(4) == 0 ? below(256) : below(4));
      case 'w':
        flush_end_ = time_ + below(3) * below(1000);
        return full(flush_end_, 8);
      case 'i':
        return any_number(4);
      case 'l':
        return any_number(8);
      case 'M': {
        const std::uint64_t n = below(20) == 0 ? below(256) : below(4);
        bytes = byte(n);
        for (std::uint64_t i = 0; i < n; ++i)
          bytes += byte(below(3) == 0 ? below(256) : std::uint64_t{OTF2_TYPE_UINT64}) + any_number(8);
        return bytes;
      }
      case 'A': {
        const std::uint64_t n = below(10) == 0 ? below(30) == 0 ? 30000 : below(700) : below(4);
        bytes = compressed(n, 4);
        for (std::uint64_t i = 0; i < n; ++i) bytes += any_number(4);
        return bytes;
      }
    }
    throw std::logic_error("no such field");
  }
  std::string length(std::uint64_t size) {
    return size > 254 || below(20) == 0 ? '\xff' + full(size, 8) : byte(size);  // long ones may be written of any
  }
  std::string stamp() { return std::string(1, static_cast<char>(mark::timestamp)) + full(time_, 8); }

  void add(const std::string& record) {
    if (bytes_.empty()) begin_chunk();
    if (bytes_.size() - chunk_ + record.size() + 1 > chunk_size_) {
      end_chunk();
      bytes_ += static_cast<char>(mark::end_of_chunk);
      bytes_.resize(chunk_ + chunk_size_, '\xee');
      begin_chunk();
      if (record[0] != static_cast<char>(mark::timestamp)) bytes_ += stamp();
    }
    bytes_ += record;
    ++events_;
  }
  void begin_chunk() {
    chunk_ = bytes_.size();
    bytes_ += static_cast<char>(mark::chunk_header);
    bytes_ += static_cast<char>(big_ ? mark::big_endian : mark::little_endian);
    bytes_ += full(events_ + 1, 8) + full(0, 8);
  }
  void end_chunk() { bytes_.replace(chunk_ + 10, 8, full(events_, 8)); }

  std::mt19937 random_;
  const bool big_;
  const std::uint64_t chunk_size_;
  std::string bytes_;
  std::uint64_t chunk_ = 0, events_ = 0, time_ = 1000, flush_end_ = 0;
};

}  // namespace waitstate::otf2::test
