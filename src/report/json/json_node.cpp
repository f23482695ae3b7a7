// The parser needs at most 16 times the bytes of a file, but only if nesting is bounded: "[[[[…" would cost 40 bytes a
// character. So nesting is counted first, in one pass that skips strings.
#include "report/json/json_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "util/nearest.hpp"
#include "waitstate/error.hpp"

namespace waitstate::report::json {
namespace {

constexpr int deepest = 16;
constexpr std::size_t longest_quote = 60;
constexpr const char* advice = "write the report again from its trace";

/// Builds a document in a place that outlives the parser: a document of the parser's own is freed when memory runs out,
/// which takes memory.
class Builder : public nlohmann::json_sax<nlohmann::json> {
  using Json = nlohmann::json;

 public:
  explicit Builder(Json& root) : next_(&root) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t& value) override { return put(std::move(value)); }
  bool start_object(std::size_t) override { return open(Json::value_t::object); }
  bool start_array(std::size_t) override { return open(Json::value_t::array); }
  bool key(string_t& name) override {
    next_ = &(*open_.back())[name];
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    if (const auto* wrong = dynamic_cast<const Json::parse_error*>(&error)) throw *wrong;
    if (const auto* number = dynamic_cast<const Json::out_of_range*>(&error)) throw *number;
    return false;
  }

 private:
  Json& place() {
    if (open_.empty() || open_.back()->is_object()) return *next_;
    return open_.back()->emplace_back();
  }
  template <class T>
  bool put(T&& value) {
    place() = std::forward<T>(value);
    return true;
  }
  bool open(Json::value_t type) {
    Json& value = place();
    value = type;
    open_.push_back(&value);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json* next_;               ///< the root, or the value of the latest key of an object
  std::vector<Json*> open_;  ///< from the root; only the last element of an array is open, so that none moves
};

/// The byte after the bracket that opens one level too many, 0 if none does.
std::size_t too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest) return i + 1;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return 0;
}

/// "line 3, column 7" of the byte before `end`.
std::string position(std::string_view text, std::size_t end) {
  const std::string_view before = text.substr(0, std::min(end, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto newline = before.find_last_of('\n');
  return fmt::format("line {}, column {}", line,
                     newline == std::string_view::npos ? before.size() : before.size() - newline - 1);
}

/// The parser's own words after their "[json.exception.parse_error.101] parse error at line 1, column 2: ".
std::string_view reason(std::string_view message) {
  const auto colon = message.find(": ");
  return colon == std::string_view::npos ? message : message.substr(colon + 2);
}

}  // namespace

Node Node::at(std::string_view name) const& {
  expect_object();
  const auto it = value_.find(name);
  static const nlohmann::json missing(nlohmann::json::value_t::discarded);
  return Node(it == value_.end() ? missing : *it, *this, name, 0);
}

std::size_t Node::size() const {
  if (!value_.is_array()) fail("an array");
  return value_.size();
}

void Node::expect_size(std::size_t n) const {
  if (size() != n) fail(fmt::format("an array of {} values", n));
}

void Node::expect_object() const {
  if (!value_.is_object()) fail("an object");
}

const std::string& Node::text() const {
  if (!value_.is_string()) fail("a text");
  return value_.get_ref<const std::string&>();
}

bool Node::truth() const {
  if (!value_.is_boolean()) fail("true or false");
  return value_.get<bool>();
}

double Node::real() const {
  if (value_.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value_.is_number()) fail("a number or null");
  return value_.get<double>();
}

std::size_t Node::one_of(std::span<const std::string_view> names, const char* what) const {
  if (!value_.is_string()) fail(what);
  const auto it = std::find(names.begin(), names.end(), text());
  if (it != names.end()) return static_cast<std::size_t>(it - names.begin());
  const std::string near = util::nearest(text(), names);
  fail(near.empty() ? std::string(what) : fmt::format("{}, such as \"{}\"", what, near));
}

void Node::fail(std::string_view expected) const {
  fail_because(fmt::format("found {}, expected {}", found(), expected));
}

void Node::fail_because(std::string_view why) const {
  throw TraceError(file_, fmt::format("{}: {}; {}", path(), why, advice));
}

void Node::fail_range(const std::string& least, const std::string& most, bool null_too) const {
  const char* null = null_too ? "null or " : "";
  const auto less = [&](std::integral auto limit) { return most == std::to_string(limit); };
  if (least == "0" && less(std::numeric_limits<std::uint64_t>::max()))
    fail(fmt::format("{}a whole number of 64 bits", null));
  if (less(std::numeric_limits<std::int64_t>::max()) && least != "0")
    fail(fmt::format("{}a whole number of 64 bits with sign", null));
  fail(fmt::format("{}a whole number from {} to {}", null, least, most));
}

std::string Node::path() const {
  if (parent_ == nullptr) return "$";
  if (parent_->value_.is_array()) return fmt::format("{}[{}]", parent_->path(), index_);
  const bool plain = !name_.empty() && std::all_of(name_.begin(), name_.end(),
                                                   [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  return parent_->path() + (plain ? fmt::format(".{}", name_) : fmt::format("[{}]", nlohmann::json(name_).dump()));
}

std::string Node::found() const {
  switch (value_.type()) {
    case nlohmann::json::value_t::discarded:
      return "nothing";
    case nlohmann::json::value_t::object:
      return "an object";
    case nlohmann::json::value_t::array:
      return fmt::format("an array of {}", value_.size());
    default:
      break;
  }
  std::string text = value_.dump();
  if (text.size() <= longest_quote) return text;
  text.resize(longest_quote);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80) != 0)
    text.pop_back();  // half a character must not remain
  return text + "…";
}

void parse_file(const std::string& file, nlohmann::json& document) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw TraceError(file, fmt::format("cannot be opened: {}", std::strerror(errno)));
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) throw TraceError(file, "cannot be read to its end");
  parse_text(text, file, document);
}

void parse_text(std::string_view text, const std::string& file, nlohmann::json& document) {
  if (const std::size_t end = too_deep(text); end != 0)
    throw TraceError(
        file, fmt::format("{}: JSON nested more than {} deep, which no report is", position(text, end), deepest));
  try {
    Builder builder(document);
    nlohmann::json::sax_parse(text, &builder);
  } catch (const nlohmann::json::parse_error& e) {
    throw TraceError(file, fmt::format("{}: no valid JSON: {}", position(text, e.byte), reason(e.what())));
  } catch (const nlohmann::json::exception& e) {
    throw TraceError(file, fmt::format("no valid JSON: {}", reason(e.what())));
  }
}

}  // namespace waitstate::report::json
