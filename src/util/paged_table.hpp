// A table with an entry for each location, or each process, that is in use: a worker of many touches a few of them
// only, and what nobody has touched takes an eighth of a byte. Entries lie in pages of 64 neighbours, made when one of
// these is first written to.
//
// Cost: one more look-up than in an array. Entries do not move.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace waitstate::util {

template <class T>
class PagedTable {
 public:
  explicit PagedTable(std::size_t size) : pages_((size + page - 1) / page), size_(size) {}

  std::size_t size() const { return size_; }
  [[gnu::always_inline]] T& operator[](std::size_t i) {  // it is on the way of every record
    Page* const found = pages_[i / page].get();
    return (*(found != nullptr ? found : make(i / page)))[i % page];
  }
  /// A new T for what nobody has written to.
  const T& operator[](std::size_t i) const {
    const std::unique_ptr<Page>& found = pages_[i / page];
    return found ? (*found)[i % page] : untouched();
  }
  /// Calls f(number, entry) for all that have been written to, and some of their neighbours, in ascending order.
  template <class F>
  void for_each(F&& f) {
    for (std::size_t p = 0; p < pages_.size(); ++p)
      for (std::size_t i = 0; pages_[p] && i < page && p * page + i < size_; ++i) f(p * page + i, (*pages_[p])[i]);
  }
  template <class F>
  void for_each(F&& f) const {
    const_cast<PagedTable*>(this)->for_each([&](std::size_t i, const T& entry) { f(i, entry); });
  }

  /// Brings the entries to another process, see peers/archive.hpp.
  template <class Archive>
  void travel(Archive& archive) {
    archive(pages_, size_);
  }

 private:
  static constexpr std::size_t page = 64;
  using Page = std::array<T, page>;

  [[gnu::noinline, gnu::cold]] Page* make(std::size_t p) {
    pages_[p] = std::make_unique<Page>();
    return pages_[p].get();
  }
  static const T& untouched() {
    static const T one{};
    return one;
  }

  std::vector<std::unique_ptr<Page>> pages_;
  std::size_t size_;
};

}  // namespace waitstate::util
