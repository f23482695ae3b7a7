// Formatted text on its way to a std::ostream in large pieces: formatting into a buffer of our own is several times
// faster than through the stream, and a table of any size needs no more memory than one piece.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <ostream>
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

  /// Hands everything to the stream; must be called at the end (a destructor could not report a failed write).
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

 private:
  static constexpr std::size_t piece = 1 << 16;
  std::ostream& out_;
  fmt::memory_buffer buffer_;
};

}  // namespace waitstate::report
