// A hash map for the matching stages: open addressing with linear probing in one array, and erasing by shifting back,
// so that a look-up touches one or two cache lines and nothing is allocated per entry. Before the table grows, `keep`
// may discard entries that are no longer of use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "util/prefetch.hpp"

namespace waitstate::util {

/// K has operator== and `std::uint64_t hash() const` with well mixed high bits. Keys that are looked up in rows also
/// have `std::size_t beside() const`: keys with one hash that differ in its last three bits lie side by side.
template <class K, class V>
class FlatMap {
 public:
  struct Entry {
    K key{};
    V value{};
    bool used = false;
  };

  std::size_t size() const { return size_; }
  /// Number of entries that the table has memory for.
  std::size_t capacity() const { return entries_.size(); }

  V* find(const K& key) {
    if (entries_.empty()) return nullptr;
    for (std::size_t i = home(key);; i = (i + 1) & mask_) {
      if (!entries_[i].used) return nullptr;
      if (entries_[i].key == key) return &entries_[i].value;
    }
  }

  /// Asks for the memory that find() will look at first.
  void prefetch(const K& key) const {
    if (!entries_.empty()) util::prefetch(&entries_[home(key)]);
  }

  /// The value of `key`, inserted (value-initialised) if it is missing. Only when the table is full, `keep(value)` is
  /// asked which of the other entries must stay. Inserting invalidates pointers.
  template <class Keep>
  V& find_or_insert(const K& key, Keep&& keep) {
    if (V* v = find(key)) return *v;
    if ((size_ + 1) * 2 > entries_.size()) rehash(keep);
    std::size_t i = home(key);
    while (entries_[i].used) i = (i + 1) & mask_;
    entries_[i].key = key;
    entries_[i].value = V{};
    entries_[i].used = true;
    ++size_;
    return entries_[i].value;
  }
  V& find_or_insert(const K& key) {
    return find_or_insert(key, [](const V&) { return true; });
  }

  /// Removes `key` if it is there.
  void erase(const K& key) {
    if (V* v = find(key)) erase(*v);
  }
  /// Removes the entry whose value find() or find_or_insert() returned.
  void erase(V& value) {
    std::size_t hole = static_cast<std::size_t>(
        (reinterpret_cast<const char*>(&value) - reinterpret_cast<const char*>(entries_.data())) / sizeof(Entry));
    --size_;
    for (std::size_t i = (hole + 1) & mask_; entries_[i].used; i = (i + 1) & mask_) {
      if (((i - home(entries_[i].key)) & mask_) < ((i - hole) & mask_)) continue;  // already at or behind its home
      entries_[hole] = std::move(entries_[i]);
      hole = i;
    }
    entries_[hole].used = false;
  }

  /// See peers/archive.hpp; to a map that has nothing.
  template <class Archive>
  void travel(Archive& archive) {
    std::uint64_t size = size_;
    archive(size);
    if constexpr (Archive::reads) {
      for (K key{}; size != 0; --size) {
        archive(key);
        archive(find_or_insert(key));
      }
    } else {
      for (Entry& e : entries_)
        if (e.used) archive(e.key, e.value);
    }
  }
  template <class F>
  void for_each(F&& f) {
    for (Entry& e : entries_)
      if (e.used) f(e.key, e.value);
  }
  template <class F>
  void for_each(F&& f) const {
    for (const Entry& e : entries_)
      if (e.used) f(e.key, e.value);
  }

 private:
  std::size_t home(const K& key) const {
    const auto i = static_cast<std::size_t>(key.hash() >> shift_);
    if constexpr (requires { key.beside(); })
      return (i & ~(neighbours - 1)) | (key.beside() & (neighbours - 1));
    else
      return i;
  }

  template <class Keep>
  void rehash(Keep&& keep) {
    std::vector<Entry> old = std::move(entries_);
    std::size_t kept = 0;
    for (Entry& e : old) kept += e.used = e.used && keep(static_cast<const V&>(e.value));
    std::size_t capacity = 16;
    while (capacity < (kept + 1) * 3) capacity *= 2;
    entries_.assign(capacity, Entry{});
    mask_ = capacity - 1;
    shift_ = 64;
    for (std::size_t c = capacity; c > 1; c /= 2) --shift_;
    size_ = kept;
    for (Entry& e : old) {
      if (!e.used) continue;
      std::size_t i = home(e.key);
      while (entries_[i].used) i = (i + 1) & mask_;
      entries_[i] = std::move(e);
    }
  }

  static constexpr std::size_t neighbours = 8;  // at most the smallest capacity

  std::vector<Entry> entries_;
  std::size_t mask_ = 0;
  unsigned shift_ = 64;
  std::size_t size_ = 0;
};

}  // namespace waitstate::util
