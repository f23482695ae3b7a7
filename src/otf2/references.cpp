#include "otf2/references.hpp"

#include <algorithm>
#include <bit>

namespace waitstate::otf2 {

std::string_view kind_name(RefKind kind) {
  static constexpr std::string_view names[ref_kinds] = {"string",
                                                        "attribute",
                                                        "location",
                                                        "region",
                                                        "group",
                                                        "metric",
                                                        "comm",
                                                        "parameter",
                                                        "rma_win",
                                                        "source_code_location",
                                                        "calling_context",
                                                        "interrupt_generator",
                                                        "io_file",
                                                        "io_handle",
                                                        "process",
                                                        "io_paradigm",
                                                        "system_tree_node",
                                                        "metric_member",
                                                        "recorded_call_path",
                                                        "call_site",
                                                        "cart_dimension",
                                                        "cart_topology"};
  return names[static_cast<std::size_t>(kind)];
}

std::optional<RefKind> referred_kind(ValueType type) {
  if (type < ValueType::string || type > ValueType::location_group) return std::nullopt;
  return static_cast<RefKind>(static_cast<int>(type) - static_cast<int>(ValueType::string));
}

Value recorded_value(OTF2_Type type, OTF2_AttributeValue value) {
  const auto sign_extended = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
  const auto of_double = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  const auto t = static_cast<ValueType>(type);
  switch (t) {
    case ValueType::none:
      return {};
    case ValueType::uint8:
      return {t, value.uint8};
    case ValueType::uint16:
      return {t, value.uint16};
    case ValueType::uint32:
      return {t, value.uint32};
    case ValueType::int8:
      return {t, sign_extended(value.int8)};
    case ValueType::int16:
      return {t, sign_extended(value.int16)};
    case ValueType::int32:
      return {t, sign_extended(value.int32)};
    case ValueType::float_:
      return {t, of_double(value.float32)};
    case ValueType::double_:
      return {t, of_double(value.float64)};
    case ValueType::uint64:
    case ValueType::int64:
    case ValueType::location:
      return {t, value.uint64};
    default:
      return t <= ValueType::location_group ? Value{t, value.uint32} : Value{};  // the other kinds of references
  }
}

std::uint64_t RefTable::seal() {
  constexpr std::size_t always_dense = 1024, slack = 4;
  const std::size_t limit = always_dense + slack * pairs_.size();
  std::uint64_t largest = 0;
  std::size_t outside = 0;
  for (const auto& [ref, id] : pairs_) {
    if (ref < limit)
      largest = std::max(largest, ref + 1);
    else
      ++outside;
  }
  dense_.assign(static_cast<std::size_t>(largest), none);
  sparse_.assign(outside == 0 ? 0 : std::bit_ceil(2 * outside), Slot{});
  if (outside != 0) shift_ = 64 - static_cast<unsigned>(std::countr_zero(sparse_.size()));

  std::uint64_t duplicates = 0;
  for (const auto& [ref, id] : pairs_) {
    std::uint32_t* place = nullptr;
    if (ref < limit) {
      place = &dense_[ref];
    } else {
      std::size_t i = slot_of(ref);
      while (sparse_[i].id != none && sparse_[i].ref != ref) i = (i + 1) & (sparse_.size() - 1);
      sparse_[i].ref = ref;
      place = &sparse_[i].id;
    }
    if (*place == none)
      *place = id;
    else
      ++duplicates;
  }
  pairs_ = {};
  return duplicates;
}

std::uint32_t RefTable::find_sparse(std::uint64_t ref) const {
  if (sparse_.empty()) return none;
  for (std::size_t i = slot_of(ref);; i = (i + 1) & (sparse_.size() - 1)) {
    if (sparse_[i].id == none) return none;
    if (sparse_[i].ref == ref) return sparse_[i].id;
  }
}

}  // namespace waitstate::otf2
