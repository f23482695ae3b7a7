#include "util/spilled_sums.hpp"

#include <span>

namespace waitstate::util {

void SpilledSums::add_up() {
  std::sort(row_.begin(), row_.end(), [](const Sum& a, const Sum& b) { return a.key < b.key; });
  std::size_t kept = 0;
  for (const Sum& s : row_)
    if (kept != 0 && row_[kept - 1].key == s.key)
      row_[kept - 1].value += s.value;
    else
      row_[kept++] = s;
  row_.resize(kept);
}

void SpilledSums::make_room() {
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

void SpilledSums::read(Reader& reader) const {
  reader.block.resize(std::min(block_size, reader.row->size - reader.next));
  file_.read(reader.row->blocks[reader.next / block_size], std::as_writable_bytes(std::span(reader.block)));
}

}  // namespace waitstate::util
