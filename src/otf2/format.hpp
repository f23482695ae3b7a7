// The byte format of OTF2 files, as far as all files share it, and a reader of bytes that cannot leave its buffer.
//
// A file is a sequence of chunks of one size (the last may be shorter). A chunk opens with a header; records follow:
//     type:1  length:1 (255: the next 8 bytes)  fields…
// Integers are little or big endian, as the chunk header says. "Compressed" integers are a byte count and that many
// bytes; count 0 means 0, and count 255 means all ones ("undefined"). As the library does, we skip unknown records by
// their length.
//
// We decode events and local definitions ourselves (event_reader.hpp, definitions/local.hpp). Global definitions and
// markers are read by the OTF2 library after we have checked their files, because it trusts them: on damaged input it
// reads beyond its buffers, decodes stale memory of other chunks without an error, never ends at a chunk that is cut
// off, and aborts the process in assertions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace waitstate::otf2 {

/// Bytes that take the place of a record's type.
namespace mark {
inline constexpr std::uint8_t end_of_chunk = 0, end_of_file = 2, chunk_header = 3, timestamp = 5, attribute_list = 6;
inline constexpr std::uint8_t big_endian = 0x23, little_endian = 0x42;
}  // namespace mark

inline constexpr std::size_t chunk_header_size = 18;  ///< mark, byte order, first event:8, last event:8
inline constexpr std::uint64_t min_chunk_size = 256 * 1024, max_chunk_size = 16 * 1024 * 1024;

inline constexpr std::uint32_t undefined32 = 0xffffffffu;
inline constexpr std::uint64_t undefined64 = ~std::uint64_t{0};

/// Kinds of definitions that have numbers; the first fifteen in the order of OTF2's reference types (ValueType).
enum class RefKind : std::uint8_t {
  string,
  attribute,
  location,
  region,
  group,
  metric,
  comm,
  parameter,
  rma_win,
  source_code_location,
  calling_context,
  interrupt_generator,
  io_file,
  io_handle,
  location_group,
  io_paradigm,
  system_tree_node,
  metric_member,
  call_path,
  call_site,
  cart_dimension,
  cart_topology,
};
inline constexpr std::size_t ref_kinds = 22;

/// Reads from [begin, end). After any read that does not fit, ok() is false for good and every read gives 0.
class ByteReader {
 public:
  ByteReader() = default;
  ByteReader(const std::uint8_t* begin, const std::uint8_t* end, bool big_endian)
      : at_(begin), end_(end), big_(big_endian) {}

  bool ok() const { return ok_; }
  bool at_end() const { return at_ == end_; }
  bool big_endian() const { return big_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  const std::uint8_t* position() const { return at_; }

  /// Skips `n` bytes, which must be there.
  void skip(std::size_t n) { at_ += n; }
  std::uint8_t u8() { return take(1) ? at_[-1] : std::uint8_t{0}; }
  std::uint16_t full16() { return static_cast<std::uint16_t>(fixed(2)); }
  std::uint32_t full32() { return static_cast<std::uint32_t>(fixed(4)); }
  std::uint64_t full64() { return fixed(8); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(compressed(4)); }
  std::uint64_t u64() { return compressed(8); }
  std::int64_t i64() { return static_cast<std::int64_t>(compressed(8)); }

  /// Text up to its terminating zero; the view is into the buffer.
  std::string_view text() {
    const void* zero = left() ? std::memchr(at_, 0, left()) : nullptr;
    if (!zero) return fail(), std::string_view{};
    const auto* begin = reinterpret_cast<const char*>(at_);
    at_ = static_cast<const std::uint8_t*>(zero) + 1;
    return {begin, static_cast<std::size_t>(static_cast<const char*>(zero) - begin)};
  }

  /// The fields of a record whose type has just been read; moves past the record. Empty and not ok() if it does not
  /// fit.
  ByteReader record() {
    std::uint64_t length = u8();
    if (length == 0xff) length = full64();
    if (length > left()) fail();
    if (!ok_) return {};
    at_ += length;
    return {at_ - length, at_, big_};
  }

 private:
  void fail() {
    ok_ = false;
    at_ = end_;
  }
  bool take(std::size_t n) {
    if (left() < n) return fail(), false;
    at_ += n;
    return true;
  }
  std::uint64_t fixed(unsigned n) { return take(n) ? assemble(at_ - n, n) : 0; }
  std::uint64_t compressed(unsigned max) {
    const unsigned n = u8();
    if (n == 0) return 0;
    if (n == 0xff) return undefined64;
    if (n > max) return fail(), 0;
    return take(n) ? assemble(at_ - n, n) : 0;
  }
  std::uint64_t assemble(const std::uint8_t* p, unsigned n) const {
    std::uint64_t value = 0;
    if (big_ || std::endian::native == std::endian::big)
      for (unsigned i = 0; i < n; ++i) value |= std::uint64_t{p[big_ ? n - 1 - i : i]} << (8 * i);
    else
      std::memcpy(&value, p, n);
    return value;
  }

  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  bool big_ = false;
  bool ok_ = true;
};

}  // namespace waitstate::otf2
