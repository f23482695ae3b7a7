// The elements of an MPI_T event: what it says beside that it happened, such as the tag and the size of a message.
//
// A library tells their types, and their names as the enumeration that goes with the event, one item for each, if it
// has one. They are read one by one in the callback: no memory is taken there.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "record/mpi/events/event_functions.hpp"

namespace waitstate::record::mpi {

constexpr int most_event_elements = 16;  // elements of one event; later ones are not recorded, which is reported

struct EventElement {
  ToolType type;
  std::string name;  ///< "tag", "element 0"
};

struct ElementValues {
  std::array<OTF2_MetricValue, most_event_elements> values;
  std::uint32_t known = 0;  ///< a bit for each that there is

  bool has(std::size_t i) const { return (known >> i & 1) != 0; }
};

/// Stands for no type.
MPI_Datatype no_datatype();
/// `number`: of them in all, `types` has `most_event_elements` at least.
std::vector<EventElement> event_elements(const EventFunctions& functions, int number, const MPI_Datatype* types,
                                         MPI_T_enum names);
/// In the callback that has been given the instance.
ElementValues element_values(const EventFunctions& functions, EventFunctions::Instance instance,
                             const std::vector<EventElement>& elements);

}  // namespace waitstate::record::mpi
