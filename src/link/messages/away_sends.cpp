#include "link/messages/away_sends.hpp"

#include <algorithm>

namespace waitstate::link {

void AwaySends::begin_page() {
  if (!pages_.empty()) {
    Page& full = pages_[filling_];
    if (full.left == 0) {
      release(filling_);
    } else if (!full.is_listed) {
      full.is_listed = true;
      unspilled_.push_back(filling_);
    }
  }
  if (free_.empty()) {
    filling_ = static_cast<std::uint32_t>(pages_.size());
    pages_.emplace_back();
  } else {
    filling_ = free_.back();
    free_.pop_back();
  }
  filled_ = 0;
  Page& page = pages_[filling_];
  if (!page.in_memory) page.in_memory = std::make_unique_for_overwrite<MessageRef[]>(per_page);
  std::fill_n(page.in_memory.get(), per_page, Messages::none);
}

void AwaySends::release(std::uint32_t p) {
  Page& page = pages_[p];
  if (page.spilled.any()) spilled_.drop(page.place, page.spilled.count());
  page.spilled.reset();
  page.brought_back.reset();
  free_.push_back(p);
}

// A page is spilled once. So it waits until most of its sends may go.
void AwaySends::spill() {
  std::erase_if(unspilled_, [&](std::uint32_t p) {
    Page& page = pages_[p];
    const bool stays = p == filling_ || (page.left != 0 && !spill(page));
    if (!stays) page.is_listed = false;
    return !stays;
  });
}

bool AwaySends::spill(Page& page) {
  Bits goes;
  row_.clear();
  for (std::uint32_t i = 0; i < per_page; ++i) {
    const MessageRef m = page.in_memory[i];
    if (m == Messages::none || !spilled_.may_spill(QueueEntry::of_message(m))) continue;
    goes[i] = true;
    row_.push_back(m);
  }
  if (row_.size() * 4 < page.left * std::size_t{3}) return false;
  const auto place = spilled_.put(row_);
  if (!place) return false;
  page.place = *place;
  page.spilled = goes;
  if (page.left == row_.size()) {
    page.in_memory.reset();
  } else {
    for (std::uint32_t i = 0; i < per_page; ++i)
      if (goes[i]) page.in_memory[i] = Messages::none;
  }
  return true;
}

void AwaySends::take_rest(const std::function<void(MessageRef)>& in_memory,
                          const std::function<void(const SpilledSends::Send&)>& spilled) {
  for (Page& page : pages_) {
    if (page.left == 0) continue;
    for (std::uint32_t i = 0; i < per_page; ++i) {
      if (page.spilled[i]) {
        if (!page.brought_back[i]) spilled(spilled_.get(page.place, page.rank(i)));
      } else if (page.in_memory && page.in_memory[i] != Messages::none) {
        in_memory(page.in_memory[i]);
      }
    }
    if (page.spilled.any()) spilled_.drop(page.place, page.spilled.count());
  }
  pages_.clear();
  free_.clear();
  unspilled_.clear();
  filled_ = per_page;
}

}  // namespace waitstate::link
