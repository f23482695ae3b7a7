#include "record/parts/part_lines.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace waitstate::record {
namespace {

constexpr std::uint64_t most_processes = 1 << 20;
constexpr std::uint64_t least_chunk = 256 << 10, greatest_chunk = 16 << 20;  // bytes of OTF2's chunks

template <class... Kinds>
constexpr std::size_t most_fields_of(std::type_identity<std::variant<std::monostate, Kinds...>>) {
  return std::max({std::tuple_size_v<decltype(ProcessLine::fields)>, std::tuple_size_v<decltype(Kinds::fields)>...});
}
constexpr std::size_t most_fields = most_fields_of(std::type_identity<AnyLine>{});

// Nothing: the line says nothing.
template <class... Kinds>
std::optional<AnyLine> any_line(std::vector<std::string> fields,
                                std::type_identity<std::variant<std::monostate, Kinds...>>) {
  std::optional<AnyLine> line;
  const auto read_as = [&]<class Kind>(std::type_identity<Kind>) {
    if (fields.front() != Kind::word) return false;
    if (std::optional<Kind> read = read_line<Kind>(std::move(fields))) line = std::move(*read);
    return true;
  };
  const bool known = (read_as(std::type_identity<Kinds>{}) || ...);
  if (!known && fields.size() > 1) line = std::monostate{};
  return line;
}

class PartReader {
 public:
  // False if the line says nothing.
  bool take(std::string_view line) {
    if (line.size() > longest_line ||
        static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t')) > most_fields)
      return false;
    std::vector<std::string> fields = fields_of(line);
    if (fields.front() == FormatLine::word) return take(read_line<FormatLine>(std::move(fields)));
    ++part_.count;
    if (fields.front() == ProcessLine::word) return take(read_line<ProcessLine>(std::move(fields)));
    std::optional<AnyLine> any = any_line(std::move(fields), std::type_identity<AnyLine>{});
    if (any && !std::holds_alternative<std::monostate>(*any)) part_.lines.push_back(std::move(*any));
    return any.has_value();
  }

  std::optional<PartLines> part() && {
    if (!has_version_ || !has_process_) return std::nullopt;
    return std::move(part_);
  }

 private:
  bool take(const std::optional<FormatLine>& line) {
    has_version_ = line && line->version == FormatLine::current;
    return line.has_value();
  }

  // The first such line that can be used holds.
  bool take(std::optional<ProcessLine> line) {
    if (has_process_ || !line || line->size > most_processes || line->rank >= line->size ||
        line->chunk_bytes < least_chunk || line->chunk_bytes > greatest_chunk)
      return false;
    has_process_ = true;
    part_.process = std::move(*line);
    return true;
  }

  PartLines part_;
  bool has_version_ = false, has_process_ = false;
};

}  // namespace

std::optional<PartLines> read_part(std::string_view text, std::uint64_t& left_out) {
  PartReader reader;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool whole = line.size() != text.size();  // else the process ended while it wrote the line
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!whole || !reader.take(line)) ++left_out;
  }
  return std::move(reader).part();
}

}  // namespace waitstate::record
