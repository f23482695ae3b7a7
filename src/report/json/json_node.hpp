// A place in a JSON document and how it was reached, so that an error can name it:
//
//   run.json: $.locations[3].process: found 9, expected null or a number below 4; write the report again from its trace
//
// A node refers to the one that it was reached from instead of carrying its path: a million rows cost no text as long
// as they are right. Hence a node lives in its function's frame and no longer than its parent's; the deleted overloads
// keep a temporary from becoming a parent.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace waitstate::report::json {

class Node {
 public:
  /// The root; `file` is named in errors.
  Node(const nlohmann::json& value, const std::string& file) : value_(value), file_(file) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // All of these throw TraceError, as shown above, if the value is of another kind.

  /// The member of an object.
  Node at(std::string_view name) const&;
  Node at(std::string_view name) const&& = delete;
  /// True for an object that has it.
  bool has(std::string_view name) const { return value_.is_object() && value_.contains(name); }
  /// The element of an array; i < size().
  Node at(std::size_t i) const& { return Node(value_[i], *this, {}, i); }
  Node at(std::size_t i) const&& = delete;
  /// Elements of an array.
  std::size_t size() const;
  /// An array of exactly this many elements.
  void expect_size(std::size_t n) const;
  /// Calls f(name, node) for each member of an object, in the order of their names.
  template <class F>
  void for_each_member(F&& f) const {
    expect_object();
    for (auto it = value_.begin(); it != value_.end(); ++it) f(it.key(), Node(it.value(), *this, it.key(), 0));
  }

  bool is_null() const { return value_.is_null(); }
  bool is_number() const { return value_.is_number_integer(); }
  const std::string& text() const;
  bool truth() const;
  double real() const;
  /// A whole number from `least` to `most`; `null_too` says in the message that null would have been right as well.
  template <std::integral T>
  T integer(T least = std::numeric_limits<T>::min(), T most = std::numeric_limits<T>::max(),
            bool null_too = false) const {
    if (value_.is_number_unsigned()) {
      if (const auto n = value_.get<std::uint64_t>(); std::cmp_greater_equal(n, least) && std::cmp_less_equal(n, most))
        return static_cast<T>(n);
    } else if (value_.is_number_integer()) {
      if (const auto n = value_.get<std::int64_t>(); std::cmp_greater_equal(n, least) && std::cmp_less_equal(n, most))
        return static_cast<T>(n);
    }
    fail_range(std::to_string(least), std::to_string(most), null_too);
  }
  /// The place of a text among names; the error for any other text names the nearest one.
  std::size_t one_of(std::span<const std::string_view> names, const char* what) const;

  /// Throws an error that says what was found, and what was expected instead.
  [[noreturn]] void fail(std::string_view expected) const;
  /// Throws an error in words of the caller.
  [[noreturn]] void fail_because(std::string_view why) const;

  const std::string& file() const { return file_; }

 private:
  Node(const nlohmann::json& value, const Node& parent, std::string_view name, std::size_t index)
      : value_(value), file_(parent.file_), parent_(&parent), name_(name), index_(index) {}
  void expect_object() const;
  [[noreturn]] void fail_range(const std::string& least, const std::string& most, bool null_too) const;
  std::string path() const;
  std::string found() const;

  const nlohmann::json& value_;
  const std::string& file_;
  const Node* parent_ = nullptr;
  std::string_view name_;  // the name of the member, empty for an element
  std::size_t index_ = 0;
};

/// The document in a file. Throws TraceError if it cannot be read, is not JSON, or is nested deeper than any report.
/// Sets `document`, which has only a part if memory runs out (std::bad_alloc).
void parse_file(const std::string& file, nlohmann::json& document);
/// Like parse_file(), for a text; `name` stands in errors.
void parse_text(std::string_view text, const std::string& name, nlohmann::json& document);

}  // namespace waitstate::report::json
