#include "report/cube/data.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

namespace waitstate::report {
namespace {

constexpr std::string_view data_mark = "CUBEX.DATA", compressed_mark = "ZCUBEX.DATA", index_mark = "CUBEX.INDEX";
constexpr std::uint8_t sparse_format = 1, dense_format = 3;
constexpr std::size_t most_surplus = 1;  // rows behind those of the index, which some writers leave

template <class T>
T number_at(const char* bytes, bool swapped) {
  char copy[sizeof(T)];
  std::memcpy(copy, bytes, sizeof(T));
  if (swapped) std::reverse(copy, copy + sizeof(T));
  T value;
  std::memcpy(&value, copy, sizeof(T));
  return value;
}

/// Reads one number after the other, never beyond the end.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}
  template <class T>
  T next(bool swapped, const char* what) {
    if (rest_.size() < sizeof(T)) throw CubeDamage(fmt::format("ends in its {}", what));
    const T value = number_at<T>(rest_.data(), swapped);
    rest_.remove_prefix(sizeof(T));
    return value;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

template <class T>
long double value_at(const char* bytes, bool swapped) {
  return static_cast<long double>(number_at<T>(bytes, swapped));
}

using Decode = long double (*)(const char*, bool);
Decode decoder(CubeType type) {
  using Kind = CubeType::Kind;
  switch (type.bytes) {
    case 1:
      return type.kind == Kind::signed_integer ? value_at<std::int8_t> : value_at<std::uint8_t>;
    case 2:
      return type.kind == Kind::signed_integer ? value_at<std::int16_t> : value_at<std::uint16_t>;
    case 4:
      return type.kind == Kind::signed_integer ? value_at<std::int32_t> : value_at<std::uint32_t>;
    default:
      return type.kind == Kind::real             ? value_at<double>
             : type.kind == Kind::signed_integer ? value_at<std::int64_t>
                                                 : value_at<std::uint64_t>;
  }
}

}  // namespace

std::optional<CubeType> cube_type(std::string_view dtype) {
  using Kind = CubeType::Kind;
  static constexpr std::pair<std::string_view, CubeType> types[] = {
      {"DOUBLE", {Kind::real, 8}},
      {"FLOAT", {Kind::real, 8}},  // a double, whatever the name says
      {"MINDOUBLE", {Kind::real, 8, Aggregation::minimum}},
      {"MAXDOUBLE", {Kind::real, 8, Aggregation::maximum}},
      {"INTEGER", {Kind::signed_integer, 8}},
      {"SIGNED INTEGER", {Kind::signed_integer, 8}},
      {"INT64", {Kind::signed_integer, 8}},
      {"UNSIGNED INTEGER", {Kind::unsigned_integer, 8}},
      {"UINT64", {Kind::unsigned_integer, 8}},
      {"INT", {Kind::signed_integer, 4}},
      {"SIGNED INT", {Kind::signed_integer, 4}},
      {"INT32", {Kind::signed_integer, 4}},
      {"UNSIGNED INT", {Kind::unsigned_integer, 4}},
      {"UINT32", {Kind::unsigned_integer, 4}},
      {"SHORT INT", {Kind::signed_integer, 2}},
      {"SIGNED SHORT INT", {Kind::signed_integer, 2}},
      {"INT16", {Kind::signed_integer, 2}},
      {"UNSIGNED SHORT INT", {Kind::unsigned_integer, 2}},
      {"UINT16", {Kind::unsigned_integer, 2}},
      {"INT8", {Kind::signed_integer, 1}},
      {"UINT8", {Kind::unsigned_integer, 1}},
      {"CHAR", {Kind::unsigned_integer, 1}},
  };
  for (const auto& [name, type] : types)
    if (name == dtype) return type;
  return std::nullopt;
}

CubeRows::CubeRows(std::string_view index, std::string_view data, CubeType type, std::size_t columns, std::size_t rows)
    : type_(type), columns_(columns), row_bytes_(columns * type.bytes) {
  read_index(index, rows);
  if (!dense_ && count_ == 0 && data.empty()) return;
  compressed_ = data.starts_with(compressed_mark);
  if (!compressed_ && !data.starts_with(data_mark))
    throw CubeDamage("has data that begin with neither CUBEX.DATA nor ZCUBEX.DATA");
  payload_ = data.substr(compressed_ ? compressed_mark.size() : data_mark.size());
  if (compressed_)
    read_table(payload_, rows);
  else
    count_rows(rows);
}

bool CubeRows::none(std::string_view index) {
  constexpr std::size_t format_at = index_mark.size() + sizeof(std::uint32_t) + sizeof(std::uint16_t);
  return index.starts_with(index_mark) && index.size() == format_at + 1 && index[format_at] == sparse_format;
}

void CubeRows::count_rows(std::size_t rows) {
  const std::size_t stored = row_bytes_ == 0 ? 0 : payload_.size() / row_bytes_;
  const std::size_t most = dense_ ? rows : count_;
  if (stored * row_bytes_ != payload_.size() || stored > most + most_surplus ||
      (!dense_ && stored < count_ && row_bytes_ != 0))
    throw CubeDamage(
        fmt::format("has {} bytes of data, expected {} rows of {} bytes", payload_.size(), most, row_bytes_));
  if (dense_) count_ = std::min(stored, rows);  // rows that were never written at the end are zero
}

void CubeRows::read_index(std::string_view bytes, std::size_t rows) {
  if (!bytes.starts_with(index_mark)) throw CubeDamage("has an index that does not begin with CUBEX.INDEX");
  Cursor cursor(bytes.substr(index_mark.size()));
  const auto mark = cursor.next<std::uint32_t>(false, "index");
  swapped_ = mark == 0x01000000u;
  if (mark != 1 && !swapped_) throw CubeDamage(fmt::format("has an index of byte order {:#010x}, expected 1", mark));
  const auto version = cursor.next<std::uint16_t>(swapped_, "index");
  if (version != 0) throw CubeDamage(fmt::format("has an index of version {}, expected 0", version));
  const auto format = cursor.next<std::uint8_t>(false, "index");
  dense_ = format == dense_format;
  if (dense_) return;
  if (format != sparse_format)
    throw CubeDamage(fmt::format("has an index of format {}, expected 1 (sparse) or 3 (dense)", format));
  if (cursor.rest().empty()) return;  // a metric that has no rows at all
  count_ = cursor.next<std::uint32_t>(swapped_, "index");
  if (cursor.rest().size() / sizeof(std::uint32_t) < count_)
    throw CubeDamage(fmt::format("has an index of {} rows that ends after {}", count_,
                                 cursor.rest().size() / sizeof(std::uint32_t)));
  numbers_.reserve(count_);
  for (std::size_t k = 0; k < count_; ++k) {
    const auto number = cursor.next<std::uint32_t>(swapped_, "index");
    if (number >= rows)
      throw CubeDamage(fmt::format("has an index with row {}, but the report has only {} call paths", number, rows));
    if (!numbers_.empty() && number <= numbers_.back())
      throw CubeDamage(
          fmt::format("has an index with row {} after row {}, expected them to ascend", number, numbers_.back()));
    numbers_.push_back(number);
  }
}

void CubeRows::read_table(std::string_view bytes, std::size_t rows) {
  if (!dense_ && count_ == 0 && bytes.empty()) return;
  Cursor cursor(bytes);
  const auto count = cursor.next<std::uint64_t>(swapped_, "table of compressed rows");
  if (cursor.rest().size() / (3 * sizeof(std::uint64_t)) < count)
    throw CubeDamage(fmt::format("has a table of {} compressed rows that ends after {}", count,
                                 cursor.rest().size() / (3 * sizeof(std::uint64_t))));
  const auto stored = static_cast<std::size_t>(count);
  if (dense_) {
    if (stored > rows + most_surplus)
      throw CubeDamage(fmt::format("has {} rows, but the report has only {} call paths", stored, rows));
    count_ = std::min(stored, rows);
  } else if (stored != count_ && stored != count_ + most_surplus) {
    throw CubeDamage(fmt::format("has {} compressed rows, but an index of {}", stored, count_));
  }
  payload_ = cursor.rest().substr(stored * 3 * sizeof(std::uint64_t));
  pieces_.resize(stored);
  std::vector<bool> found(stored);
  std::uint64_t left = payload_.size();  // rows that share their bytes would stand for any number of values
  for (std::size_t i = 0; i < stored; ++i) {
    const auto place = cursor.next<std::uint64_t>(swapped_, "table of compressed rows");
    Piece piece;
    piece.offset = cursor.next<std::uint64_t>(swapped_, "table of compressed rows");
    piece.size = cursor.next<std::uint64_t>(swapped_, "table of compressed rows");
    const std::uint64_t k = row_bytes_ == 0 ? i : place / row_bytes_;
    if (k >= stored || k * row_bytes_ != place || found[k])
      throw CubeDamage(fmt::format("has a compressed row at {}, which is not the start of one of {} rows of {} bytes",
                                   place, stored, row_bytes_));
    if (piece.offset > payload_.size() || piece.size > payload_.size() - piece.offset)
      throw CubeDamage(fmt::format("has a compressed row of {} bytes at byte {} of only {}", piece.size, piece.offset,
                                   payload_.size()));
    if (piece.size > left) throw CubeDamage("has compressed rows that overlap");
    left -= piece.size;
    found[k] = true;
    pieces_[k] = piece;
  }
  inflated_.resize(row_bytes_);
}

bool CubeRows::decode(std::size_t k, std::span<long double> values) {
  const char* bytes = compressed_ ? inflated_.data() : payload_.data() + k * row_bytes_;
  if (compressed_) {
    const std::string_view piece = payload_.substr(pieces_[k].offset, pieces_[k].size);
    if (piece.empty()) return false;
    uLongf size = inflated_.size();
    const int status = ::uncompress(reinterpret_cast<Bytef*>(inflated_.data()), &size,
                                    reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK || size != inflated_.size())
      throw CubeDamage(
          fmt::format("has a compressed row {} that is not a zlib stream of {} bytes", number(k), row_bytes_));
  }
  if (row_bytes_ == 0 || (bytes[0] == 0 && std::memcmp(bytes, bytes + 1, row_bytes_ - 1) == 0)) return false;
  const Decode value = decoder(type_);
  for (std::size_t i = 0; i < columns_; ++i) values[i] = value(bytes + i * type_.bytes, swapped_);
  return true;
}

std::string gunzip(std::string_view bytes, std::size_t limit) {
  struct Stream : z_stream {
    Stream() : z_stream{} {
      if (inflateInit2(this, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
    }
    ~Stream() { inflateEnd(this); }
  } stream;
  std::string result;
  char piece[1 << 16];
  for (int status = Z_OK; status != Z_STREAM_END;) {
    if (stream.avail_in == 0) {
      const std::size_t n = std::min<std::size_t>(bytes.size(), 1u << 30);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(n);
      bytes.remove_prefix(n);
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END) throw CubeDamage("is gzip data that cannot be unpacked");
    result.append(piece, sizeof piece - stream.avail_out);
    if (result.size() > limit) throw CubeDamage(fmt::format("unpacks to more than {} bytes", limit));
  }
  return result;
}

}  // namespace waitstate::report
