// Distinct integer types for distinct things, so that a location cannot be passed where a region is expected.
//
// Every id is the index of a definition in its table of waitstate::Definitions (0, 1, …), not the number that the
// recorder wrote; the recorder's own number is kept in the definition as `ref`. An id costs what a uint32_t costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace waitstate {

/// Index into the definition table named by Tag; `none` stands for an undefined reference.
template <class Tag>
struct Id {
  static constexpr std::uint32_t none_value = 0xffffffffu;

  std::uint32_t value = none_value;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
  static constexpr Id none() { return Id{}; }

  /// True if this id refers to something.
  constexpr bool valid() const { return value != none_value; }
  constexpr std::size_t index() const { return value; }
  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
};

using LocationId = Id<struct LocationTag>;      ///< a thread, a stream or a metric recorder; in rank and thread order
using ProcessId = Id<struct LocationGroupTag>;  ///< a location group: normally one operating system process
using RegionId = Id<struct RegionTag>;
using CallPathId = Id<struct CallPathTag>;  ///< a node of the call tree (CallTree)
using CommId = Id<struct CommTag>;
using GroupId = Id<struct GroupTag>;
using StringId = Id<struct StringTag>;
using SystemNodeId = Id<struct SystemNodeTag>;
using RmaWinId = Id<struct RmaWinTag>;
using MetricId = Id<struct MetricTag>;  ///< OTF2 metric class or instance (a counter), not one of our metrics
using MetricMemberId = Id<struct MetricMemberTag>;
using AttributeId = Id<struct AttributeTag>;
using ParameterId = Id<struct ParameterTag>;
using CallSiteId = Id<struct CallSiteTag>;
using RecordedCallPathId = Id<struct RecordedCallPathTag>;
using SourceCodeLocationId = Id<struct SourceCodeLocationTag>;
using CallingContextId = Id<struct CallingContextTag>;
using InterruptGeneratorId = Id<struct InterruptGeneratorTag>;
using IoParadigmId = Id<struct IoParadigmTag>;
using IoFileId = Id<struct IoFileTag>;
using IoHandleId = Id<struct IoHandleTag>;
using CartDimensionId = Id<struct CartDimensionTag>;
using CartTopologyId = Id<struct CartTopologyTag>;
using MarkerId = Id<struct MarkerTag>;

/// A point in time in timer ticks since the timer's own zero; Clock::resolution is the number of ticks per second.
using Time = std::uint64_t;
/// A duration, or a difference of two points in time, in timer ticks.
using Ticks = std::int64_t;
/// A sum that wraps around instead of being undefined when damaged time stamps make it too large.
constexpr Ticks add_ticks(Ticks a, std::uint64_t b) { return static_cast<Ticks>(static_cast<std::uint64_t>(a) + b); }
/// Number of an event in the one stream of all events, from 0.
using Position = std::uint64_t;

inline constexpr Position no_position = ~Position{0};

}  // namespace waitstate

template <class Tag>
struct std::hash<waitstate::Id<Tag>> {
  std::size_t operator()(waitstate::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
