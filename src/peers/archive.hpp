// Brings the state of an object from one process to another of the same program: as bytes, piece by piece, so that
// neither side has all of it twice. A class says once what its state is, for both directions:
//
//   template <class Archive> void travel(Archive& archive) { archive(first_, second_); }
//
// Types that can be copied byte by byte travel so, containers element by element, and definitions field by field. The
// bytes are meant for nobody else, so they have no version and no byte order. (Libraries for this purpose need a
// function for each plain struct, and most structs here are plain.)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "util/spill/spilled_vector.hpp"

namespace waitstate::peers {

template <class T, class Archive>
concept Travels = requires(T& t, Archive& a) {
  t.travel(a);
};

/// Writes the objects that it is given, as bytes.
class ArchiveWriter {
 public:
  static constexpr bool reads = false;
  static constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  /// Receives each piece, which has at most piece_bytes.
  using Put = std::function<void(std::vector<std::byte>)>;

  explicit ArchiveWriter(Put put) : put_(std::move(put)) {}

  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }
  void bytes(const void* from, std::size_t size) {
    const auto* at = static_cast<const std::byte*>(from);
    while (size != 0) {
      const std::size_t n = std::min(size, piece_bytes - piece_.size());
      const std::size_t before = piece_.size();
      piece_.resize(before + n);
      std::memcpy(piece_.data() + before, at, n);
      at += n, size -= n;
      if (piece_.size() == piece_bytes) flush();
    }
  }
  /// Writes the last piece; to be called at the end.
  void flush() {
    if (!piece_.empty()) put_(std::exchange(piece_, {}));
  }

 private:
  template <class T>
  void one(T& value) {
    if constexpr (Travels<T, ArchiveWriter>) {
      value.travel(*this);
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      static_assert(!std::is_pointer_v<T>);
      bytes(&value, sizeof value);
    } else {
      T::fields(value, [this](const char*, auto& field) { one(field); });
    }
  }
  template <class T>
  void elements(T& container) {
    const std::uint64_t size = container.size();
    bytes(&size, sizeof size);
    for (auto& element : container) one(element);
  }
  void one(std::filesystem::path& p) {
    std::string text = p.string();
    one(text);
  }
  void one(std::string& s) {
    const std::uint64_t size = s.size();
    bytes(&size, sizeof size);
    bytes(s.data(), s.size());
  }
  template <class T>
  void one(std::vector<T>& v) {
    if constexpr (std::is_trivially_copyable_v<T> && !Travels<T, ArchiveWriter>) {
      const std::uint64_t size = v.size();
      bytes(&size, sizeof size);
      bytes(v.data(), v.size() * sizeof(T));
    } else {
      elements(v);
    }
  }
  void one(std::vector<bool>& v) {
    const std::uint64_t size = v.size();
    bytes(&size, sizeof size);
    for (const bool b : v) bytes(&b, sizeof b);
  }
  template <class T>
  void one(std::deque<T>& d) {
    elements(d);
  }
  template <class T, std::size_t n>
  void one(std::array<T, n>& a) {
    for (T& element : a) one(element);
  }
  template <class A, class B>
  void one(std::pair<A, B>& p) {
    one(p.first), one(p.second);
  }
  template <class... T>
  void one(std::tuple<T...>& t) {
    std::apply([&](T&... each) { (one(each), ...); }, t);
  }
  template <class K, class V, class Less>
  void one(std::map<K, V, Less>& m) {
    const std::uint64_t size = m.size();
    bytes(&size, sizeof size);
    for (auto& [key, value] : m) {
      K copy = key;
      one(copy), one(value);
    }
  }
  template <class T>
  void one(std::optional<T>& o) {
    const bool there = o.has_value();
    bytes(&there, sizeof there);
    if (there) one(*o);
  }
  template <class T>
  void one(std::unique_ptr<T>& p) {
    const bool there = p != nullptr;
    bytes(&there, sizeof there);
    if (there) one(*p);
  }
  template <class T>
  void one(util::SpilledVector<T>& v) {
    const std::uint64_t size = v.size();
    bytes(&size, sizeof size);
    v.each(0, v.size(), [&](const T& element) { bytes(&element, sizeof element); });
  }

  Put put_;
  std::vector<std::byte> piece_;
};

/// Reads what an ArchiveWriter has been given, in the same order, into objects that are like those.
class ArchiveReader {
 public:
  static constexpr bool reads = true;
  /// Returns the next piece.
  using Next = std::function<std::vector<std::byte>()>;

  explicit ArchiveReader(Next next) : next_(std::move(next)) {}

  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }
  void bytes(void* to, std::size_t size) {
    auto* at = static_cast<std::byte*>(to);
    while (size != 0) {
      if (at_ == piece_.size()) piece_ = next_(), at_ = 0;
      const std::size_t n = std::min(size, piece_.size() - at_);
      std::memcpy(at, piece_.data() + at_, n);
      at += n, at_ += n, size -= n;
    }
  }

 private:
  std::uint64_t size() {
    std::uint64_t n = 0;
    bytes(&n, sizeof n);
    return n;
  }
  template <class T>
  void one(T& value) {
    if constexpr (Travels<T, ArchiveReader>) {
      value.travel(*this);
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      static_assert(!std::is_pointer_v<T>);
      bytes(&value, sizeof value);
    } else {
      T::fields(value, [this](const char*, auto& field) { one(field); });
    }
  }
  void one(std::filesystem::path& p) {
    std::string text;
    one(text);
    p = text;
  }
  void one(std::string& s) {
    s.resize(size());
    bytes(s.data(), s.size());
  }
  template <class T>
  void one(std::vector<T>& v) {
    v.resize(size());
    if constexpr (std::is_trivially_copyable_v<T> && !Travels<T, ArchiveReader>)
      bytes(v.data(), v.size() * sizeof(T));
    else
      for (T& element : v) one(element);
  }
  void one(std::vector<bool>& v) {
    v.resize(size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      bool b = false;
      bytes(&b, sizeof b);
      v[i] = b;
    }
  }
  template <class T>
  void one(std::deque<T>& d) {
    d.resize(size());
    for (T& element : d) one(element);
  }
  template <class T, std::size_t n>
  void one(std::array<T, n>& a) {
    for (T& element : a) one(element);
  }
  template <class A, class B>
  void one(std::pair<A, B>& p) {
    one(p.first), one(p.second);
  }
  template <class... T>
  void one(std::tuple<T...>& t) {
    std::apply([&](T&... each) { (one(each), ...); }, t);
  }
  template <class K, class V, class Less>
  void one(std::map<K, V, Less>& m) {
    m.clear();
    for (std::uint64_t n = size(); n != 0; --n) {
      K key{};
      V value{};
      one(key), one(value);
      m.emplace_hint(m.end(), std::move(key), std::move(value));
    }
  }
  template <class T>
  void one(std::optional<T>& o) {
    bool there = false;
    bytes(&there, sizeof there);
    if (!there) return o.reset();
    one(o.emplace());
  }
  /// An object that is to be read must exist already, or be default-constructible.
  template <class T>
  void one(std::unique_ptr<T>& p) {
    bool there = false;
    bytes(&there, sizeof there);
    if (!there) return p.reset();
    if constexpr (std::is_default_constructible_v<T>)
      if (p == nullptr) p = std::make_unique<T>();
    one(*p);
  }
  template <class T>
  void one(util::SpilledVector<T>& v) {
    for (std::uint64_t n = size(); n != 0; --n) {
      T element;
      bytes(&element, sizeof element);
      v.push_back(element);
    }
  }

  Next next_;
  std::vector<std::byte> piece_;
  std::size_t at_ = 0;
};

}  // namespace waitstate::peers
