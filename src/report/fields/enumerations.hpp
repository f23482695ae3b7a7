// The names of enumerators in reports. A later OTF2 may know more enumerators than we do: these appear as numbers.
#pragma once

#include <concepts>
#include <iterator>
#include <string_view>
#include <vector>

#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/diagnostics.hpp"
#include "waitstate/trace/otf2_enums.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate::report {

/// An enumeration that has name() instead of a table of names, and how many enumerators it has.
template <class E>
inline constexpr int named_enumerators = 0;
template <>
inline constexpr int named_enumerators<RegionClass> = region_class_count;
template <>
inline constexpr int named_enumerators<MetricKind> = metric_kind_count;
template <>
inline constexpr int named_enumerators<DiagnosticId> = diagnostic_count;
template <>
inline constexpr int named_enumerators<DiagnosticSeverity> = 3;
template <>
inline constexpr int named_enumerators<Unit> = 4;

/// "" for a number that no enumerator has.
template <class E>
std::string_view enum_text(E value) {
  if constexpr (std::same_as<E, Unit>)
    return value == Unit::seconds ? "ticks" : name(value);
  else if constexpr (named_enumerators<E> != 0)
    return name(value);
  else
    return enum_name(value);
}

/// The names of all enumerators, in order.
template <class E>
std::vector<std::string_view> enum_names() {
  std::vector<std::string_view> names;
  if constexpr (named_enumerators<E> != 0) {
    for (int i = 0; i < named_enumerators<E>; ++i) names.push_back(enum_text(static_cast<E>(i)));
  } else {
    const auto& all = detail::EnumNames<E>::names;
    names.assign(std::begin(all), std::end(all));
  }
  return names;
}
/// The number of the first of enum_names().
template <class E>
constexpr unsigned first_enum() {
  if constexpr (named_enumerators<E> != 0)
    return 0;
  else
    return detail::EnumNames<E>::first;
}

/// True of enumerations of OTF2, of which later versions may have more.
template <class E>
inline constexpr bool is_open = false;
template <>
inline constexpr bool is_open<Paradigm> = true;
template <>
inline constexpr bool is_open<ParadigmClass> = true;
template <>
inline constexpr bool is_open<LocationGroupType> = true;
template <>
inline constexpr bool is_open<LocationType> = true;
template <>
inline constexpr bool is_open<RegionRole> = true;
template <>
inline constexpr bool is_open<CartPeriodicity> = true;
template <>
inline constexpr bool is_open<CollectiveOp> = true;
template <>
inline constexpr bool is_open<SystemTreeDomain> = true;

}  // namespace waitstate::report
