// The global definitions of an archive as the OTF2 library delivers them: one record each, in the order of the file.
//
// The library calls back once per definition and in file order, but building our tables takes several walks (names may
// follow the definitions that use them), so the fields are kept: as 64-bit words, in the order of the arguments of
// OTF2's callback. An array is its count and its elements, a text its place in one long string, a value its type and
// its bits. They take about three times the size of the file, while the tables are built.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "otf2/references.hpp"

namespace waitstate::otf2 {

enum class DefinitionKind : std::uint8_t {
  clock_properties,
  paradigm,
  paradigm_property,
  io_paradigm,
  string,
  attribute,
  system_tree_node,
  location_group,
  location,
  region,
  call_site,
  call_path,
  group,
  metric_member,
  metric_class,
  metric_instance,
  comm,
  parameter,
  rma_win,
  metric_class_recorder,
  system_tree_node_property,
  system_tree_node_domain,
  location_group_property,
  location_property,
  cart_dimension,
  cart_topology,
  cart_coordinate,
  source_code_location,
  calling_context,
  calling_context_property,
  interrupt_generator,
  io_file_property,
  io_regular_file,
  io_directory,
  io_handle,
  io_pre_created_handle_state,
  call_path_parameter,
  inter_comm,
};

class RecordedDefinitions {
 public:
  /// Reads the fields of one record, each with the type that OTF2 gives it.
  class Fields {
   public:
    std::uint8_t u8() { return static_cast<std::uint8_t>(*at_++); }
    std::uint32_t u32() { return static_cast<std::uint32_t>(*at_++); }
    std::uint64_t u64() { return *at_++; }
    std::int64_t i64() { return static_cast<std::int64_t>(*at_++); }
    template <class E>
    E as() {
      return static_cast<E>(*at_++);
    }
    /// The view points into the RecordedDefinitions.
    std::string_view text() {
      const std::uint64_t begin = u64();
      return std::string_view(owner_->texts_).substr(begin, u64());
    }
    /// A reference in the value is the recorder's number.
    Value value() {
      const auto type = as<ValueType>();
      return {type, u64()};
    }

   private:
    friend class RecordedDefinitions;
    Fields(const RecordedDefinitions& owner, const std::uint64_t* at) : owner_(&owner), at_(at) {}
    const RecordedDefinitions* owner_;
    const std::uint64_t* at_;
  };

  /// Reads the first `records` definitions of the reader's archive, or fewer if the library refuses; damage() says why.
  RecordedDefinitions(OTF2_Reader* reader, std::uint64_t records);
  RecordedDefinitions(const RecordedDefinitions&) = delete;  // the library's callbacks know its address

  /// Calls f(kind, fields) for each record.
  template <class F>
  void for_each(F&& f) const {
    for (const Record& r : records_) f(r.kind, Fields(*this, words_.data() + r.begin));
  }
  /// Number of definitions of a type that OTF2 does not define; they are not among the records.
  std::uint64_t unknown() const { return unknown_; }
  /// Number of definitions read.
  std::uint64_t read() const { return read_; }
  /// Why the library ended early; empty if it did not.
  const std::string& damage() const { return damage_; }

 private:
  struct Record {
    DefinitionKind kind;
    std::size_t begin;
  };
  struct Callbacks;

  std::vector<Record> records_;
  std::vector<std::uint64_t> words_;
  std::string texts_;
  std::uint64_t unknown_ = 0, read_ = 0;
  std::string damage_;
  std::exception_ptr thrown_;
};

}  // namespace waitstate::otf2
