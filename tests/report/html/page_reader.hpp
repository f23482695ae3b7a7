// Reads the data sections of a page again, as its scripts do: base64 of zlib streams, and the two binary forms of
// report/html/cells.hpp.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace waitstate::test {

inline std::string from_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  EXPECT_EQ(text.size() % 4, 0u);
  for (std::size_t i = 0; i + 4 <= text.size(); i += 4) {
    std::uint32_t bits = 0;
    int known = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto digit = digits.find(text[i + k]);
      if (digit != std::string_view::npos) known += 1;
      bits = bits << 6 | static_cast<std::uint32_t>(digit == std::string_view::npos ? 0 : digit);
    }
    for (int k = 0; k < known - 1; ++k) bytes += static_cast<char>(bits >> (16 - 8 * k) & 255);
  }
  return bytes;
}

inline std::string inflated(std::string_view packed) {
  z_stream z{};
  EXPECT_EQ(inflateInit(&z), Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  z.avail_in = static_cast<uInt>(packed.size());
  std::string bytes;
  int state = Z_OK;
  while (state == Z_OK) {
    char piece[4096];
    z.next_out = reinterpret_cast<Bytef*>(piece);
    z.avail_out = sizeof piece;
    state = inflate(&z, Z_NO_FLUSH);
    bytes.append(piece, sizeof piece - z.avail_out);
  }
  EXPECT_EQ(state, Z_STREAM_END);
  inflateEnd(&z);
  return bytes;
}

/// By name, unpacked.
inline std::map<std::string, std::string> sections_of(std::string_view page) {
  std::map<std::string, std::string> found;
  constexpr std::string_view lead = "<script type=\"application/octet-stream\" id=\"s:";
  for (auto at = page.find(lead); at != std::string_view::npos; at = page.find(lead, at + 1)) {
    const auto name = at + lead.size(), quote = page.find('"', name), end = page.find("</script>", quote);
    found[std::string(page.substr(name, quote - name))] =
        inflated(from_base64(page.substr(quote + 2, end - quote - 2)));
  }
  return found;
}

/// Little endian numbers, one after the other.
class Numbers {
 public:
  Numbers(std::string_view bytes, std::string_view magic) : bytes_(bytes) {
    EXPECT_EQ(bytes.substr(0, 4), magic);
    at_ = 4;
  }
  template <class T>
  T next() {
    T value{};
    EXPECT_LE(at_ + sizeof(T), bytes_.size());
    if (at_ + sizeof(T) <= bytes_.size()) std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  template <class T>
  std::vector<T> next(std::size_t n) {
    std::vector<T> all;
    for (std::size_t i = 0; i < n; ++i) all.push_back(next<T>());
    return all;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// A value, or the smallest, the mean and the largest value of a group.
struct ReadCell {
  double smallest = 0, value = 0, largest = 0;
};

struct ReadCells {
  std::uint32_t coding = 0, group_size = 0;
  std::size_t grouped_rows = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ReadCell> cells;  ///< by call path and location; not zeros

  explicit ReadCells(std::string_view bytes) {
    Numbers in(bytes, "WSC2");
    in.next<std::uint32_t>();
    const auto locations = in.next<std::uint32_t>(), rows = in.next<std::uint32_t>(), count = in.next<std::uint32_t>();
    coding = in.next<std::uint32_t>();
    const auto gap_bytes = in.next<std::uint32_t>();
    group_size = in.next<std::uint32_t>();
    const auto paths = in.next<std::uint32_t>(rows), counts = in.next<std::uint32_t>(rows);
    const auto least = in.next<double>(rows);
    const auto gaps = in.next<std::uint8_t>(gap_bytes);
    std::vector<double> exact;
    std::vector<std::uint8_t> high, low;
    if (coding == 0)
      exact = in.next<double>(count);
    else
      high = in.next<std::uint8_t>(count), low = in.next<std::uint8_t>(count);
    EXPECT_TRUE(in.at_end());
    std::size_t at = 0, gap = 0;
    for (std::uint32_t r = 0; r < rows; ++r) {
      const auto value = [&] {
        if (coding == 0) return exact.at(at++);
        const int code = high.at(at) * 256 + low.at(at);
        ++at;
        return code == 0 ? 0 : least[r] * std::pow(coding == 1 ? 1.001 : 1.01, code - 1);
      };
      if (counts[r] == ~std::uint32_t{0}) {
        ++grouped_rows;
        for (std::uint32_t first = 0; first < locations; first += group_size) {
          const double smallest = value(), mean = value(), largest = value();
          for (std::uint32_t l = first; l < first + group_size && l < locations; ++l)
            if (largest > 0) cells[{paths[r], l}] = {smallest, mean, largest};
        }
        continue;
      }
      std::uint32_t location = 0;
      for (std::uint32_t i = 0; i < counts[r]; ++i, ++location) {
        if (counts[r] != locations)
          for (int shift = 0;; shift += 7) {
            const std::uint8_t byte = gaps.at(gap++);
            location += static_cast<std::uint32_t>(byte & 127) << shift;
            if (byte < 128) break;
          }
        const double v = value();
        cells[{paths[r], location}] = {v, v, v};
      }
    }
    EXPECT_EQ(at, count);
    EXPECT_EQ(gap, gap_bytes);
  }
};

}  // namespace waitstate::test
