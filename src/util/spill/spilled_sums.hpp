// Sums by key, exact however many keys there are. What is added stands in a row, which is sorted and added up when it
// is full; if that makes little room, the row goes into a scratch file. At the end all rows are merged. Where there is
// no room for the file, the row in memory grows. Cost: 16 bytes for what is added, and its part of the sorting. Memory:
// 8 MiB; at the end 16 KiB for each row in the file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "util/spill/scratch_file.hpp"

namespace waitstate::util {

class SpilledSums {
 public:
  explicit SpilledSums(std::size_t most_in_memory = std::size_t{1} << 19) : most_in_memory_(most_in_memory) {}

  void add(std::uint64_t key, std::uint64_t value) {
    if (row_.size() >= most_in_memory_) make_room();
    row_.push_back({key, value});
  }
  /// Calls visit(key, sum) for all, in the order of their keys. Sums wrap.
  template <class Visit>
  void each(Visit&& visit);

  /// See peers/archive.hpp; to sums that have nothing.
  template <class Archive>
  void travel(Archive& archive) {
    bool more = true;
    std::uint64_t key = 0, value = 0;
    if constexpr (Archive::reads) {
      for (archive(more); more; archive(more)) {
        archive(key, value);
        add(key, value);
      }
    } else {
      each([&](std::uint64_t k, std::uint64_t sum) {
        key = k, value = sum;
        archive(more, key, value);
      });
      more = false;
      archive(more);
    }
  }

  /// Rows in the file.
  std::size_t spilled() const { return rows_.size(); }

 private:
  struct Sum {
    std::uint64_t key, value;
  };
  /// In the order of keys, in the file.
  struct Row {
    std::vector<std::uint64_t> blocks;  ///< places of blocks of block_size sums, but for the last one
    std::size_t size = 0;
  };
  static constexpr std::size_t block_size = 1024;
  /// Reads a row from its begin on.
  struct Reader {
    const Row* row = nullptr;
    std::size_t next = 0;
    std::vector<Sum> block{};
  };

  void make_room();
  void add_up();
  void read(Reader& reader) const;

  std::size_t most_in_memory_;
  std::vector<Sum> row_;
  std::vector<Row> rows_;
  ScratchFile file_;
};

template <class Visit>
void SpilledSums::each(Visit&& visit) {
  add_up();
  if (rows_.empty()) {
    for (const Sum& s : row_) visit(s.key, s.value);
    return;
  }
  std::vector<Reader> readers(rows_.size());
  using Next = std::pair<std::uint64_t, std::size_t>;  // a key, and the row that it is from: the last one is in memory
  std::vector<Next> heap;
  const auto later = [](const Next& a, const Next& b) { return a.first > b.first; };
  std::size_t in_memory = 0;
  const auto put_next = [&](std::size_t row) {
    if (row == rows_.size()) {
      if (in_memory == row_.size()) return;
      heap.emplace_back(row_[in_memory].key, row);
    } else {
      Reader& reader = readers[row];
      if (reader.next == reader.row->size) return;
      if (reader.next % block_size == 0) read(reader);
      heap.emplace_back(reader.block[reader.next % block_size].key, row);
    }
    std::push_heap(heap.begin(), heap.end(), later);
  };
  for (std::size_t r = 0; r <= rows_.size(); ++r) {
    if (r != rows_.size()) readers[r].row = &rows_[r];
    put_next(r);
  }
  while (!heap.empty()) {
    const std::uint64_t key = heap.front().first;
    std::uint64_t sum = 0;
    while (!heap.empty() && heap.front().first == key) {
      const std::size_t row = heap.front().second;
      std::pop_heap(heap.begin(), heap.end(), later);
      heap.pop_back();
      sum += row == rows_.size() ? row_[in_memory++].value : readers[row].block[readers[row].next++ % block_size].value;
      put_next(row);
    }
    visit(key, sum);
  }
}

inline void SpilledSums::add_up() {
  std::sort(row_.begin(), row_.end(), [](const Sum& a, const Sum& b) { return a.key < b.key; });
  std::size_t kept = 0;
  for (const Sum& s : row_)
    if (kept != 0 && row_[kept - 1].key == s.key)
      row_[kept - 1].value += s.value;
    else
      row_[kept++] = s;
  row_.resize(kept);
}

inline void SpilledSums::make_room() {
  add_up();
  if (row_.size() <= most_in_memory_ / 2) return;
  Row row{.blocks = {}, .size = row_.size()};
  for (std::size_t at = 0; at < row_.size(); at += block_size) {
    const std::span block = std::span(row_).subspan(at, std::min(block_size, row_.size() - at));
    const auto place = file_.put(std::as_bytes(block));
    if (!place) {
      most_in_memory_ *= 2;
      return;
    }
    row.blocks.push_back(*place);
  }
  rows_.push_back(std::move(row));
  row_.clear();
}

inline void SpilledSums::read(Reader& reader) const {
  reader.block.resize(std::min(block_size, reader.row->size - reader.next));
  file_.read(reader.row->blocks[reader.next / block_size], std::as_writable_bytes(std::span(reader.block)));
}

}  // namespace waitstate::util
