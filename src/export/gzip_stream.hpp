// Compresses what is written, as gzip does (RFC 1952), and hands it on piece by piece.
#pragma once

#include <memory>
#include <ostream>
#include <streambuf>
#include <vector>

namespace waitstate::exports {

class GzipBuffer final : public std::streambuf {
 public:
  explicit GzipBuffer(std::ostream& to);
  ~GzipBuffer() override;
  /// Writes what is left and the trailer; must be called at the end.
  void finish();

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;

 private:
  struct Deflate;
  void deflate(const char* bytes, std::size_t count, bool last);

  std::ostream& to_;
  std::unique_ptr<Deflate> deflate_;
  std::vector<char> piece_;
};

}  // namespace waitstate::exports
