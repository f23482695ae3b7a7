// Formatted text on its way to a std::ostream in large pieces: formatting into a buffer of our own is several times
// faster than through the stream, and a table of any size needs no more memory than one piece.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <ostream>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace waitstate::report {

class TextStream {
 public:
  explicit TextStream(std::ostream& out) : out_(out) {}
  TextStream(const TextStream&) = delete;
  TextStream& operator=(const TextStream&) = delete;

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() > piece) flush();
  }

  /// Texts and whole numbers as they are, one behind the other: for the rows of tables, of which there may be millions.
  template <class... Parts>
  void put(const Parts&... parts) {
    const std::size_t before = buffer_.size();
    buffer_.resize(before + (most(parts) + ...));
    char* to = buffer_.data() + before;
    ((to = write(to, parts)), ...);
    buffer_.resize(static_cast<std::size_t>(to - buffer_.data()));
    if (buffer_.size() > piece) flush();
  }

  /// A whole number of 64 bits, or null.
  struct Cell {
    std::uint64_t bits = 0;
    bool is_null = false, is_negative = false;
  };
  /// "1,null,-2": as put(), in fewer steps.
  void put_cells(std::span<const Cell> cells) {
    constexpr std::size_t most_of_cell = 21;  // with a comma
    const std::size_t before = buffer_.size();
    buffer_.resize(before + most_of_cell * cells.size());
    char* to = buffer_.data() + before;
    for (const Cell& cell : cells) to = write(write(to, cell), ',');
    buffer_.resize(static_cast<std::size_t>(to - buffer_.data()) - 1);
    if (buffer_.size() > piece) flush();
  }

  /// Hands everything to the stream; must be called at the end (a destructor could not report a failed write).
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

 private:
  static constexpr std::size_t piece = 1 << 16;

  // A part, and the most bytes that it takes.
  static std::size_t most(char) { return 1; }
  static std::size_t most(std::string_view text) { return text.size(); }
  static char* write(char* to, char c) {
    *to = c;
    return to + 1;
  }
  static char* write(char* to, std::string_view text) {
    text.copy(to, text.size());
    return to + text.size();
  }
  template <class T>
  requires std::is_integral_v<T>
  static std::size_t most(T) { return std::numeric_limits<T>::digits10 + 2; }
  template <class T>
  requires std::is_integral_v<T>
  static char* write(char* to, T number) {
    const fmt::format_int digits(number);  // half the instructions of std::to_chars
    return write(to, std::string_view(digits.data(), digits.size()));
  }
  static char* write(char* to, const Cell& cell) {
    if (cell.is_null) return write(to, std::string_view("null"));
    return cell.is_negative ? write(to, static_cast<std::int64_t>(cell.bits)) : write(to, cell.bits);
  }

  std::ostream& out_;
  fmt::memory_buffer buffer_;
};

}  // namespace waitstate::report
