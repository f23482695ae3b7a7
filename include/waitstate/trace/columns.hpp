// A trace as columns: contiguous arrays of numbers, for counting and summing over events without following links.
//
// Missing references and links are -1. Times and positions are signed, so that differences of two are correct.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "waitstate/trace/event_trace.hpp"

namespace waitstate {

/// One number a row.
using Column = std::variant<std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<std::int32_t>,
                            std::vector<std::uint32_t>, std::vector<std::uint8_t>>;

/// Columns of equal length by name, in the order in which they are shown.
struct ColumnTable {
  std::size_t rows = 0;
  std::vector<std::pair<std::string, Column>> columns;
};

/// Events of chosen types, a row each in the order of the stream. A column is made when it is first requested, in one
/// pass over those events, and is then kept. Safe to use from several threads. All types have
///   pos, time int64 (ticks) · loc int32 (location) · type uint8 (EventType) · callpath int32 ·
///   enterptr, sendptr, requestptr, beginptr, startptr, originptr int64 (positions) · region int32 (of enter and exit),
/// and each attribute of the chosen types under its own name (one called `type` as lock_type or atomic_type):
///   references and strings int32 (index of the definition; a root that is "this group": -3) · u32 and hex32 uint32 ·
///   u64 uint64 · i64 and time int64 · enumerations uint8 (OTF2's numbers).
/// An attribute that is not the same kind of number in all chosen types is int64. In rows of a type that lacks an
/// attribute, a reference is -1, an enumeration 255, any other number 0.
class EventColumns {
 public:
  /// Empty `types` stands for all.
  explicit EventColumns(std::shared_ptr<const EventTrace> trace, std::span<const EventType> types = {});

  std::size_t rows() const { return positions_.size(); }
  /// Names of all columns.
  const std::vector<std::string>& names() const { return names_; }
  /// Valid as long as this object. Throws UsageError with the nearest name if there is no such column.
  const Column& column(std::string_view name) const;

 private:
  std::shared_ptr<const EventTrace> trace_;
  std::vector<std::int64_t> positions_;
  std::vector<EventType> types_;  ///< the types that have rows
  std::vector<std::string> names_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Column, std::less<>> made_;
};

/// Matched messages, a row each in the order of their receives:
///   sendptr, recvptr int64 (positions of the two records) · src, dest int32 (locations of the records) · tag uint32 ·
///   com int32 · len uint64 (bytes, as sent) · send_time, recv_time int64 (of the records) ·
///   send_enter, recv_enter int64 (times of the enters of the calls; outside of a call that of the record) ·
///   send_region, recv_region, send_callpath, recv_callpath int32 (of the calls).
ColumnTable message_columns(const EventTrace& trace);

/// Parts of processes in collective operations, a row each in the order of their end records:
///   pos int64 (of the end record) · beginptr int64 (of the start; of a non-blocking one that of its request) · loc
///   int32 · com int32 · op uint8 (CollectiveOp) · root int32 (location; -1: none, -3: this group) · sent, received
///   uint64 (bytes) · begin, end int64 (times of the two records) · enter int64 (time of the call's enter) · callpath
///   int32 · nonblocking uint8 (0 or 1) · nth int64 (which operation on that communicator it is for this process, from
///   0) · instance int64 (the same number in all parts of one operation, numbered by their first end record).
/// A process's n-th operation on a communicator belongs to the communicator's n-th one; non-blocking ones count by
/// themselves in the order of their requests, and on MPI_COMM_SELF and its like every process is alone.
ColumnTable collective_columns(const EventTrace& trace);

/// Region instances, a row each in the order of their enters (program_begin and the like included, with region -1):
///   enterptr, exitptr int64 (positions; -1 if it was never left) · loc, region, callpath int32 · depth int32 (regions
///   open around it) · enter, exit int64 (times; never left: the end of what encloses it, or the location's last event)
///   · inclusive_ticks, exclusive_ticks int64 (the latter without the instances directly inside).
/// Instances on a location are assumed to be nested. Where suspended tasks take turns on it, or continue on another
/// location, exitptr, depth and the times of their instances are wrong; the links of the events are right
/// (Event::enterptr).
ColumnTable region_instance_columns(const EventTrace& trace);

}  // namespace waitstate
