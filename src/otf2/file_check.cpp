#include "otf2/file_check.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "otf2/chunk_file.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate::otf2 {
namespace {

// The fields that the library reads of each record, a letter a field:
//   b byte   w 8 bytes   i compressed, at most 4 bytes   l compressed, at most 8 bytes   s text   v type and its value
//   B(…) I(…) a count of kind b or i and that many repetitions   m map of numbers
//   | the fields behind it came with a later version of OTF2: records may end here
// An empty layout stands for a type that the library does not know; it is skipped by its length.
constexpr std::uint8_t first_common = 10;  // local files have the same records as global ones from here on
constexpr std::string_view common_layouts[] = {
    "is",                   // string
    "iib|i",                // attribute: reference, name, type, description
    "iiii",                 // system tree node
    "iibi|i",               // location group: …, type, parent, creator
    "libli",                // location: …, type, events, group
    "iiibiii|ibbi",         // region: …, old type, file, lines, canonical name, role, paradigm, flags
    "iiiii",                // call site
    "iii",                  // call path
    "iibI(l)|bbi",          // group: …, old type, members, type, paradigm, flags
    "iiibbbbli",            // metric member
    "iB(i)b|b",             // metric class
    "iilbl",                // metric instance
    "iiii|i",               // communicator
    "iib",                  // parameter
    "iii|i",                // one-sided window
    "il",                   // recorder of a metric class
    "iii|v",                // property of a system tree node: …, old value, value
    "ib",                   // domain of a system tree node
    "iii|v",                // property of a location group
    "lii|v",                // property of a location
    "iiib",                 // cartesian dimension
    "iiiB(i)",              // cartesian topology
    "iiB(i)",               // cartesian coordinates
    "iii",                  // source code location
    "iiii",                 // calling context
    "iiv",                  // property of a calling context
    "iibbll",               // interrupt generator
    "iiv",                  // property of a file
    "iii",          "iii",  // file, directory
    "iiibiii",              // I/O handle
    "ibi",                  // state of a pre-created I/O handle
    "iiv",                  // parameter of a call path
    "iiiiii",               // inter-communicator
};
constexpr std::uint8_t first_special = 5;
constexpr std::string_view global_layouts[] = {"lll|l", "bib", "bbv",
                                               "biibiB(bv)"};      // clock, paradigm, property, I/O paradigm
constexpr std::string_view local_layouts[] = {"bm", "wlw"};        // mapping table, clock offset
constexpr std::string_view marker_layouts[] = {"issb", "llibls"};  // marker, occurrence

template <std::size_t n>
constexpr std::string_view nth(const std::string_view (&layouts)[n], std::size_t i) {
  return i < n ? layouts[i] : std::string_view{};
}

std::string_view layout_of(FileKind kind, std::uint8_t type) {
  if (type < first_special) return {};
  if (kind == FileKind::markers) return nth(marker_layouts, type - first_special);
  if (type >= first_common) return nth(common_layouts, type - first_common);
  return kind == FileKind::global_definitions ? nth(global_layouts, type - first_special)
                                              : nth(local_layouts, type - first_special);
}

void skip_value(ByteReader& in) {
  switch (static_cast<ValueType>(in.u8())) {
    case ValueType::uint8:
    case ValueType::int8:
      in.u8();
      break;
    case ValueType::uint16:
    case ValueType::int16:
      in.full16();
      break;
    case ValueType::float_:
      in.full32();
      break;
    case ValueType::double_:
      in.full64();
      break;
    // The library takes any type that it does not know for a compressed number.
    case ValueType::none:
    case ValueType::uint64:
    case ValueType::int64:
    case ValueType::location:
      in.u64();
      break;
    default:
      in.u32();
  }
}

bool fits(std::string_view layout, ByteReader& in) {
  for (std::size_t i = 0; i < layout.size(); ++i) {
    switch (layout[i]) {
      case 'b':
        in.u8();
        break;
      case 'w':
        in.full64();
        break;
      case 'i':
        in.u32();
        break;
      case 'l':
        in.u64();
        break;
      case 's':
        in.text();
        break;
      case 'v':
        skip_value(in);
        break;
      case 'm': {
        const std::uint64_t pairs = in.u64();
        const bool sparse = in.u8() != 0;
        for (std::uint64_t n = 0; n < pairs && in.ok(); ++n) {
          in.u64();
          if (sparse) in.u64();
        }
        break;
      }
      case 'B':
      case 'I': {
        const std::uint32_t count = layout[i] == 'B' ? in.u8() : in.u32();
        const std::size_t end = layout.find(')', i);
        const std::string_view repeated = layout.substr(i + 2, end - i - 2);
        for (std::uint32_t n = 0; n < count && in.ok(); ++n) fits(repeated, in);
        i = end;
        break;
      }
      case '|':
        if (in.at_end()) return in.ok();
        break;
    }
  }
  return in.ok();
}

}  // namespace

CheckedFile check_file(const std::filesystem::path& path, std::uint64_t chunk_size, FileKind kind,
                       const std::function<void(std::uint8_t type, ByteReader fields)>& visit) {
  CheckedFile result;
  ChunkFile file(path, chunk_size);
  for (std::uint64_t chunk = 0;; ++chunk) {
    if (!file.load(chunk)) {
      result.open_error = file.open_error();
      result.damage = file.error();
      return result;
    }
    for (ByteReader in = file.records();; ++result.records) {
      const std::uint8_t type = in.u8();
      if (in.ok() && type == mark::end_of_chunk) break;
      if (in.ok() && type == mark::end_of_file) return result;
      const ByteReader record = in.record();
      ByteReader fields = record;
      if (!in.ok()) {
        result.damage = "the file ends within a record, or a record's length is wrong";
        return result;
      }
      if (!fits(layout_of(kind, type), fields)) {
        result.damage = "a record of type " + std::to_string(type) + " with invalid contents";
        return result;
      }
      if (visit) visit(type, record);
    }
  }
}

}  // namespace waitstate::otf2
