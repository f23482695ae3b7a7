// The numbers of one metric in a CUBE 4 report: a data member with rows - one value a location - and an index member
// that says which rows there are.
//
//   <id>.index   "CUBEX.INDEX"  uint32 1 (byte order)  uint16 0 (version)  uint8 format: 1 sparse, 3 dense
//                sparse only: uint32 n, n ascending uint32 row numbers; neither if there is no row
//   <id>.data    "CUBEX.DATA", rows; or "ZCUBEX.DATA", uint64 rows, per row three uint64 (offset in the uncompressed
//                data, offset behind this table, compressed size), then a zlib stream a row
//
// Some writers leave one row more than the index has, which nobody reads.
//
// What row number stands for which call path is the business of reader.hpp. Nothing read here is believed: every
// offset and count is checked against the size of the member before memory is taken, so memory is bounded by the
// member.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/result/metrics.hpp"

namespace waitstate::report {

/// Says what is wrong with a member; the reader adds which one and where.
class CubeDamage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A number as it lies in a row.
struct CubeType {
  enum class Kind : std::uint8_t { signed_integer, unsigned_integer, real };
  Kind kind;
  std::uint8_t bytes;
  Aggregation aggregation = Aggregation::sum;  ///< an inclusive minimum or maximum cannot be taken apart

  bool sums() const { return aggregation == Aggregation::sum; }
};
/// The type of that <dtype>; none for those that are no plain number (TAU_ATOMIC, COMPLEX, HISTOGRAM, …).
std::optional<CubeType> cube_type(std::string_view dtype);

/// Holds views of both members, which have to outlive it.
class CubeRows {
 public:
  /// `rows`: how many there may be at most, which is the number of call paths. Throws CubeDamage.
  CubeRows(std::string_view index, std::string_view data, CubeType type, std::size_t columns, std::size_t rows);

  /// True of an index without rows: its data may be missing.
  static bool none(std::string_view index);

  /// Rows that are stored; those that are not are zero.
  std::size_t size() const { return count_; }
  /// Row number of the k-th stored row, ascending.
  std::uint32_t number(std::size_t k) const { return dense_ ? static_cast<std::uint32_t>(k) : numbers_[k]; }
  /// Values of the k-th stored row; `values` has one place a column. False, and nothing is done to them, if all are
  /// zero: a few bytes may stand for a row of any length. Throws CubeDamage.
  bool decode(std::size_t k, std::span<long double> values);

 private:
  void read_index(std::string_view bytes, std::size_t rows);
  void read_table(std::string_view bytes, std::size_t rows);
  void count_rows(std::size_t rows);
  struct Piece {
    std::uint64_t offset = 0, size = 0;
  };

  CubeType type_;
  std::size_t columns_, row_bytes_;
  bool dense_ = false, swapped_ = false;
  std::vector<std::uint32_t> numbers_;
  std::size_t count_ = 0;
  std::string_view payload_;  // plain rows, or all zlib streams
  bool compressed_ = false;
  std::vector<Piece> pieces_;   // compressed only: by k
  std::vector<char> inflated_;  // compressed only: one row
};

/// The contents of a gzip file, as older reports hold their anchor.xml. Throws CubeDamage, also above `limit` bytes.
std::string gunzip(std::string_view bytes, std::size_t limit);

}  // namespace waitstate::report
