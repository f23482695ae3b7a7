// A data section of the page: what is written into it comes out as base64 of a zlib stream, so that nothing in a trace
// can end the element that it stands in. Streaming: besides 64 KiB of each form nothing is kept.
#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace waitstate::report {

class SectionStream : private std::streambuf {
 public:
  /// Opens the element of section `name`; `out` must outlive it.
  SectionStream(std::ostream& out, std::string_view name);
  SectionStream(const SectionStream&) = delete;
  SectionStream& operator=(const SectionStream&) = delete;
  ~SectionStream() override;

  std::ostream& stream() { return stream_; }
  /// Ends stream and element. Call it once, last. Returns the number of bytes that the section takes.
  std::size_t finish();

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;
  void deflate_bytes(const char* bytes, std::size_t count, int flush);
  void encode(std::string_view bytes, bool last);

  std::ostream& out_;
  std::ostream stream_;
  z_stream zlib_{};
  std::array<char, 1 << 16> plain_;
  std::string kept_;     ///< less than three bytes that are not encoded yet
  std::string encoded_;  ///< base64, reused
  std::size_t bytes_ = 0;
};

}  // namespace waitstate::report
