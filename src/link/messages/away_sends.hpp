// The sends of a worker whose receivers are another worker's, each under the number that its answer brings back: a
// message with the send only, until then. Those whose answers do not come for long are spilled.
//
// Numbers are given out in pages; those of a page are used again when all of its sends have been answered.
//
// Cost: two array look-ups a send; a read of the scratch file for each that is spilled. Memory: 4 bytes a send beside
// its message; a third of a byte for one that is spilled.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "link/messages/messages.hpp"
#include "link/messages/spilled_sends.hpp"

namespace waitstate::link {

class AwaySends {
 public:
  explicit AwaySends(SpilledSends& spilled) : spilled_(spilled) {}

  /// Adds a send that goes to another worker, and returns its number.
  std::uint32_t add(MessageRef message) {
    if (filled_ == per_page) begin_page();
    Page& page = pages_[filling_];
    page.in_memory[filled_] = message;
    ++page.left;
    return filling_ * per_page + filled_++;
  }
  /// The message of that number, which is free now. If it has been spilled, it is brought back.
  MessageRef take(std::uint32_t number) {
    const std::uint32_t p = number / per_page, i = number % per_page;
    Page& page = pages_[p];
    MessageRef message = Messages::none;
    if (page.spilled[i]) [[unlikely]] {
      message = spilled_.bring_back(spilled_.get(page.place, page.rank(i)));
      page.brought_back[i] = true;
    } else {
      message = std::exchange(page.in_memory[i], Messages::none);
    }
    if (--page.left == 0 && p != filling_) release(p);
    return message;
  }

  /// Spills those that may go, but not the newest.
  void spill();
  /// Forgets all that are still here. `in_memory` is told of each message, `spilled` of each send that is spilled.
  void take_rest(const std::function<void(MessageRef)>& in_memory,
                 const std::function<void(const SpilledSends::Send&)>& spilled);

 private:
  static constexpr std::uint32_t per_page = 256;
  using Bits = std::bitset<per_page>;

  struct Page {
    std::unique_ptr<MessageRef[]> in_memory;  ///< none for those that are not; null if none is
    Bits spilled, brought_back;
    std::uint64_t place = 0;  ///< where the spilled sends are in the file, in the order of their numbers
    std::uint32_t left = 0;   ///< sends without an answer
    bool is_listed = false;   ///< in `unspilled_`

    /// Number of spilled sends before that one.
    std::size_t rank(std::uint32_t i) const { return i == 0 ? 0 : (spilled << (per_page - i)).count(); }
  };

  void begin_page();
  void release(std::uint32_t page);
  bool spill(Page& page);

  SpilledSends& spilled_;
  std::vector<Page> pages_;
  std::vector<std::uint32_t> free_;       ///< pages that are used again next
  std::vector<std::uint32_t> unspilled_;  ///< full pages of which nothing is spilled, and some that are free
  std::uint32_t filling_ = ~std::uint32_t{0}, filled_ = per_page;
  std::vector<MessageRef> row_;  ///< scratch of spill()
};

}  // namespace waitstate::link
