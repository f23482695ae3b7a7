// Sorts rows, however many there are: a full row of memory is sorted and put into a scratch file, and all rows are
// merged when they are read. Where there is no room for the file, the row in memory grows.
//
// Cost: a copy and its part of the sorting for each; when reading, a step of a heap for each. Memory: `in_memory` rows;
// while reading, 64 KiB for each row in the file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "util/spill/scratch_file.hpp"

namespace waitstate::exports {

/// `Before{}(a, b)`: whether a comes before b. What is equal comes in any order.
template <class T, class Before>
class SpilledSort {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit SpilledSort(std::size_t in_memory = std::max<std::size_t>(1, (std::size_t{16} << 20) / sizeof(T)))
      : in_memory_(in_memory) {}

  void add(const T& element) {
    if (row_.size() >= in_memory_) set_aside();
    row_.push_back(element);
    ++size_;
    sorted_ = false;
  }
  void clear() {
    for (const Row& row : rows_)
      for (const std::uint64_t place : row.blocks) file_.drop(place, block_bytes(row, place));
    rows_.clear(), row_.clear();
    size_ = 0;
  }
  std::size_t size() const { return size_; }
  /// Rows in the file.
  std::size_t spilled() const { return rows_.size(); }

  /// Reads all of them in their order; nothing may be added while it lives.
  class Reader {
   public:
    explicit Reader(SpilledSort& from) : from_(from) {
      from.sort_row();
      sources_.resize(from.rows_.size() + 1);
      for (std::size_t i = 0; i < sources_.size(); ++i) offer(i);
    }
    /// The next one, valid until the next call; null at the end.
    const T* next() {
      if (heap_.empty()) return nullptr;
      std::pop_heap(heap_.begin(), heap_.end(), later);
      current_ = heap_.back().element;
      const std::size_t source = heap_.back().source;
      heap_.pop_back();
      offer(source);
      return &current_;
    }

   private:
    struct Source {
      std::vector<T> block;
      std::size_t next = 0;  ///< in the whole row
    };
    struct Head {
      T element;
      std::size_t source;
    };
    static bool later(const Head& a, const Head& b) { return Before{}(b.element, a.element); }
    void offer(std::size_t i) {
      Source& s = sources_[i];
      if (i == from_.rows_.size()) {
        if (s.next == from_.row_.size()) return;
        heap_.push_back({from_.row_[s.next++], i});
      } else {
        const Row& row = from_.rows_[i];
        if (s.next == row.size) return;
        if (s.next % block_size == 0) {
          s.block.resize(std::min(block_size, row.size - s.next));
          from_.file_.read(row.blocks[s.next / block_size], std::as_writable_bytes(std::span(s.block)));
        }
        heap_.push_back({s.block[s.next++ % block_size], i});
      }
      std::push_heap(heap_.begin(), heap_.end(), later);
    }

    SpilledSort& from_;
    std::vector<Source> sources_;
    std::vector<Head> heap_;
    T current_;
  };

 private:
  static constexpr std::size_t block_size = std::max<std::size_t>(1, (std::size_t{1} << 16) / sizeof(T));
  struct Row {
    std::vector<std::uint64_t> blocks;  ///< places of blocks of block_size, but for the last one
    std::size_t size = 0;
  };

  static std::size_t block_bytes(const Row& row, std::uint64_t place) {
    return (place == row.blocks.back() ? (row.size - 1) % block_size + 1 : block_size) * sizeof(T);
  }
  void sort_row() {
    if (!sorted_) std::sort(row_.begin(), row_.end(), Before{});
    sorted_ = true;
  }
  void set_aside() {
    sort_row();
    Row row{{}, row_.size()};
    for (std::size_t at = 0; at < row_.size(); at += block_size) {
      const auto place = file_.put(std::as_bytes(std::span(row_).subspan(at, std::min(block_size, row_.size() - at))));
      if (!place) {
        in_memory_ = row_.size() * 2;  // no room in the file: they stay
        return;
      }
      row.blocks.push_back(*place);
    }
    rows_.push_back(std::move(row));
    row_.clear();
  }

  std::size_t in_memory_, size_ = 0;
  std::vector<T> row_;
  bool sorted_ = false;
  std::vector<Row> rows_;
  util::ScratchFile file_;
};

}  // namespace waitstate::exports
