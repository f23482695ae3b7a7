#include "report/html/section_stream.hpp"

#include <cstdint>
#include <new>

namespace waitstate::report {
namespace {

constexpr int zlib_level = 4;  // 6 takes three times as long, and what it writes is 1.5 % smaller
constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

SectionStream::SectionStream(std::ostream& out, std::string_view name) : out_(out), stream_(this) {
  stream_.exceptions(std::ios::badbit);
  if (deflateInit(&zlib_, zlib_level) != Z_OK) throw std::bad_alloc();
  setp(plain_.data(), plain_.data() + plain_.size());
  const std::string tag = "<script type=\"application/octet-stream\" id=\"s:" + std::string(name) + "\">";
  out_ << tag;
  bytes_ = tag.size();
}

SectionStream::~SectionStream() { deflateEnd(&zlib_); }

SectionStream::int_type SectionStream::overflow(int_type c) {
  deflate_bytes(pbase(), static_cast<std::size_t>(pptr() - pbase()), Z_NO_FLUSH);
  setp(plain_.data(), plain_.data() + plain_.size());
  if (!traits_type::eq_int_type(c, traits_type::eof())) return sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

std::streamsize SectionStream::xsputn(const char* bytes, std::streamsize count) {
  if (count < epptr() - pptr()) return std::streambuf::xsputn(bytes, count);
  overflow(traits_type::eof());
  deflate_bytes(bytes, static_cast<std::size_t>(count), Z_NO_FLUSH);
  return count;
}

std::size_t SectionStream::finish() {
  deflate_bytes(pbase(), static_cast<std::size_t>(pptr() - pbase()), Z_FINISH);
  encode("", true);
  constexpr std::string_view end = "</script>\n";
  out_ << end;
  return bytes_ + end.size();
}

void SectionStream::deflate_bytes(const char* bytes, std::size_t count, int flush) {
  std::array<char, 1 << 16> packed;
  constexpr std::size_t most = 1u << 30;  // zlib counts in 32 bits
  do {
    const std::size_t now = count < most ? count : most;
    zlib_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes));  // zlib does not write there
    zlib_.avail_in = static_cast<uInt>(now);
    do {
      zlib_.next_out = reinterpret_cast<Bytef*>(packed.data());
      zlib_.avail_out = static_cast<uInt>(packed.size());
      deflate(&zlib_, now < count ? Z_NO_FLUSH : flush);
      encode({packed.data(), packed.size() - zlib_.avail_out}, false);
    } while (zlib_.avail_out == 0);
    bytes += now;
    count -= now;
  } while (count != 0);
}

void SectionStream::encode(std::string_view bytes, bool last) {
  kept_.append(bytes);
  encoded_.clear();
  std::size_t at = 0;
  const auto group = [&](std::size_t known) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) bits = bits << 8 | (i < known ? static_cast<unsigned char>(kept_[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) encoded_ += i <= known ? base64_digits[bits >> (18 - 6 * i) & 63] : '=';
    at += known;
  };
  while (kept_.size() - at >= 3) group(3);
  if (last && at < kept_.size()) group(kept_.size() - at);
  kept_.erase(0, at);
  out_.write(encoded_.data(), static_cast<std::streamsize>(encoded_.size()));
  bytes_ += encoded_.size();
}

}  // namespace waitstate::report
