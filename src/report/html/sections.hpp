// The data sections of the page: base64 of zlib streams, so that nothing in a trace can end the element that it stands
// in. A section is packed at once, by libdeflate: that takes a third less time than a stream of zlib, and makes text,
// of which a small page mostly consists, a seventh smaller.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct libdeflate_compressor;

namespace waitstate::report {

/// The kind of a section's contents: text becomes much smaller with effort, numbers do not.
enum class Contents { text, numbers };

/// Packs one section after the other; keeps what it needs for that.
class SectionPacker {
 public:
  /// The element of section `name`. std::bad_alloc.
  std::string pack(std::string_view name, std::string_view contents, Contents kind);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
  };
  using Compressor = std::unique_ptr<libdeflate_compressor, Free>;

  Compressor text_, long_text_, numbers_;
  std::string packed_;
};

}  // namespace waitstate::report
