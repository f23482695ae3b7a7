// Formatted text on its way to a std::ostream in large pieces: formatting into a buffer of our own is several times
// faster than through the stream, and a table of any size needs no more memory than one piece.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <ostream>
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
    (append(parts), ...);
    if (buffer_.size() > piece) flush();
  }

  /// Hands everything to the stream; must be called at the end (a destructor could not report a failed write).
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

 private:
  static constexpr std::size_t piece = 1 << 16;
  void append(char c) { buffer_.push_back(c); }
  void append(std::string_view text) { buffer_.append(text.data(), text.data() + text.size()); }
  template <class T>
  requires std::is_integral_v<T>
  void append(T number) {
    const fmt::format_int digits(number);
    buffer_.append(digits.data(), digits.data() + digits.size());
  }

  std::ostream& out_;
  fmt::memory_buffer buffer_;
};

}  // namespace waitstate::report
