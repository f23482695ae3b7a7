// A queue in one piece of memory: appended to at the end, taken from the front, and searched like an array. Taken
// entries are dropped when they fill half of the memory, so an entry is moved once on average. There are many queues,
// one or more per location, so a queue that was never used has no memory (a deque has half a KiB), and one that has
// become empty keeps little.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace waitstate::util {

/// Empties a vector that will be filled again; keeps its memory if it is little.
template <class T>
void empty_for_reuse(std::vector<T>& v) {
  if (v.capacity() * sizeof(T) > 16384)
    v = {};
  else
    v.clear();
}

template <class T>
class FrontQueue {
 public:
  void append(std::span<const T> items) { items_.insert(items_.end(), items.begin(), items.end()); }
  void push_back(T item) { items_.push_back(std::move(item)); }
  T& emplace_back() { return items_.emplace_back(); }
  void pop_front() {
    ++front_;
    if (front_ == items_.size()) return clear();
    if (front_ < few || front_ * 2 < items_.size()) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(front_));
    front_ = 0;
  }

  void clear() {
    front_ = 0;
    empty_for_reuse(items_);
  }

  /// Inserts before the entry `at`, counted from the front.
  void insert(std::size_t at, const T& item) {
    items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(front_ + at), item);
  }
  // Inserts into a queue whose entries ascend; moves the entries behind.
  void insert_in_order(const T& item) {
    insert(static_cast<std::size_t>(std::lower_bound(begin(), end(), item) - begin()), item);
  }
  void erase_in_order(const T& item) {
    const T* const found = std::lower_bound(static_cast<const T*>(begin()), end(), item);
    if (found == end() || !(*found == item)) return;
    if (found == begin()) return pop_front();
    items_.erase(items_.begin() + (found - items_.data()));
  }

  bool empty() const { return front_ == items_.size(); }
  std::size_t size() const { return items_.size() - front_; }
  T& front() { return items_[front_]; }
  const T& front() const { return items_[front_]; }
  T& operator[](std::size_t i) { return items_[front_ + i]; }
  const T& operator[](std::size_t i) const { return items_[front_ + i]; }
  const T* begin() const { return items_.data() + front_; }
  const T* end() const { return items_.data() + items_.size(); }

 private:
  static constexpr std::size_t few = 64;
  std::vector<T> items_;
  std::size_t front_ = 0;
};

}  // namespace waitstate::util
