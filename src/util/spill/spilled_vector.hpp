// A vector for what is kept of each wait or call until the end of the trace: beyond a limit of memory the pages
// that were not looked at for the longest time go into a scratch file without a name, and come back when they are
// asked for. Memory follows the limit and not the length of the trace, but for 16 bytes a page of 16 KiB.
//
// What is near in the vector should be asked for at about the same time, as it is when a trace is gone through from its
// end to its begin. Elements are copied out, as a page may go whenever another one is asked for. An access costs
// a division by a constant, two loads and a test. Where there is no room for the scratch file all stays in memory.
//
// One thread at a time, but for vectors that are shared: several threads then read what is in memory, and each has
// pages of its own for what is not.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace waitstate::util {

class ScratchFile;

/// The pages of a SpilledVector; zeros until something else is written into them.
class SpilledPages {
 public:
  static constexpr std::size_t page_bytes = std::size_t{1} << 14;

  /// At least one page stays in memory.
  explicit SpilledPages(std::size_t bytes_in_memory);
  SpilledPages(const SpilledPages&) = delete;
  SpilledPages& operator=(const SpilledPages&) = delete;
  ~SpilledPages();

  /// Stays where it is until the next call of either. Throws OutputError if the page cannot be read back.
  const std::byte* read(std::size_t page) { return look_at(page, false); }
  std::byte* write(std::size_t page) { return look_at(page, true); }

  /// Until end_sharing() nobody writes, and so many threads may read at once, each as a SharedReader with a number of
  /// its own below that. What they bring back and what was there take no more memory than what was there before.
  void share(unsigned readers);
  void end_sharing();

  /// The page's place in memory; null if it is in the scratch file.
  const std::byte* here(std::size_t page) const { return page < pages_.size() ? pages_[page].bytes.get() : nullptr; }
  /// Pages in the scratch file.
  std::size_t spilled() const { return spilled_; }

 private:
  struct Page {
    std::unique_ptr<std::byte[]> bytes;
    std::uint64_t place : 61 = 0;  ///< in the file
    bool in_file : 1 = false;
    bool changed : 1 = false;  ///< since it was written to the file
    bool used : 1 = false;     ///< since it was last looked for a page to spill
  };
  static_assert(sizeof(Page) == 16);
  SpilledPages(std::size_t most_in_memory, std::shared_ptr<ScratchFile> file);  ///< a reader; in pages

  std::byte* look_at(std::size_t number, bool changes) {
    if (number < pages_.size()) [[likely]] {
      Page& page = pages_[number];
      if (page.bytes) [[likely]] {
        if (!page.used) page.used = true;  // while the vector is shared it is set already
        if (changes) page.changed = true;
        return page.bytes.get();
      }
    }
    return bring_back(number, changes);
  }
  std::byte* bring_back(std::size_t number, bool changes);
  std::unique_ptr<std::byte[]> take_memory();

  std::vector<Page> pages_;
  std::vector<std::size_t> in_memory_;
  std::size_t most_in_memory_;
  std::size_t next_ = 0;  ///< in in_memory_: the next one that may be spilled
  std::size_t spilled_ = 0;
  std::shared_ptr<ScratchFile> file_;  ///< readers have the same one
  std::vector<std::unique_ptr<SpilledPages>>
      readers_;                    ///< copies of pages that are in the file, by reader, while it is shared
  std::size_t most_unshared_ = 0;  ///< most_in_memory_ before it was shared
};

/// While it lives, its thread reads vectors that are shared as their reader of this number; other threads are number 0.
class SharedReader {
 public:
  explicit SharedReader(unsigned number);
  SharedReader(const SharedReader&) = delete;
  SharedReader& operator=(const SharedReader&) = delete;
  ~SharedReader();
};

template <class T>
class SpilledVector {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= SpilledPages::page_bytes);
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  static constexpr std::size_t per_page = SpilledPages::page_bytes / sizeof(T);

 public:
  explicit SpilledVector(std::size_t bytes_in_memory) : pages_(bytes_in_memory) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T operator[](std::size_t i) const {
    T element;
    std::memcpy(&element, pages_.read(i / per_page) + i % per_page * sizeof(T), sizeof(T));
    return element;
  }
  void set(std::size_t i, const T& element) {
    std::memcpy(pages_.write(i / per_page) + i % per_page * sizeof(T), &element, sizeof(T));
  }
  /// change(T&), which must not look at this vector.
  template <class Change>
  void change(std::size_t i, Change&& change) {
    change(*at(pages_.write(i / per_page), i % per_page));
  }
  /// Elements that will be asked for soon, as far as they are in memory, in one page.
  void prefetch(std::size_t first, std::size_t count) const {
    constexpr std::size_t line = 64;
    if (const std::byte* const page = pages_.here(first / per_page))
      for (std::size_t at = first % per_page * sizeof(T), end = at + count * sizeof(T);
           at < std::min(end, SpilledPages::page_bytes); at += line)
        __builtin_prefetch(page + at);
  }
  void push_back(const T& element) { set(size_++, element); }
  void append(const T* elements, std::size_t count) {
    while (count > 0) {
      const std::size_t at = size_ % per_page, n = std::min(per_page - at, count);
      std::memcpy(pages_.write(size_ / per_page) + at * sizeof(T), elements, n * sizeof(T));
      size_ += n, elements += n, count -= n;
    }
  }
  /// New elements have zeros in all their bytes.
  void grow(std::size_t size) { size_ = std::max(size_, size); }
  /// visit(const T&) for [first, last), which must not look at this vector.
  template <class Visit>
  void each(std::size_t first, std::size_t last, Visit&& visit) const {
    while (first < last) {
      const std::size_t from = first % per_page, n = std::min(per_page - from, last - first);
      const T* const elements = at(pages_.read(first / per_page), from);
      for (std::size_t i = 0; i < n; ++i) visit(elements[i]);
      first += n;
    }
  }
  /// SpilledPages::share().
  void share(unsigned readers) const { pages_.share(readers); }
  void end_sharing() const { pages_.end_sharing(); }
  /// Pages in the scratch file.
  std::size_t spilled() const { return pages_.spilled(); }

 private:
  // Pages are arrays of bytes, in which objects of these types begin to exist on their own.
  static T* at(std::byte* page, std::size_t i) { return std::launder(reinterpret_cast<T*>(page)) + i; }
  static const T* at(const std::byte* page, std::size_t i) {
    return std::launder(reinterpret_cast<const T*>(page)) + i;
  }

  mutable SpilledPages pages_;
  std::size_t size_ = 0;
};

}  // namespace waitstate::util
