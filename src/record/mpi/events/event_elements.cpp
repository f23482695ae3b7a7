#include "record/mpi/events/event_elements.hpp"

#include <algorithm>

namespace waitstate::record::mpi {

MPI_Datatype no_datatype() {
#ifdef OPEN_MPI
  return nullptr;
#else
  return MPI_DATATYPE_NULL;
#endif
}

std::vector<EventElement> event_elements(const EventFunctions& functions, int number, const MPI_Datatype* types,
                                         MPI_T_enum names) {
#ifdef OPEN_MPI
  const bool has_names = names != nullptr;
#else
  const bool has_names = names != MPI_T_ENUM_NULL;
#endif
  std::vector<EventElement> elements;
  ToolText name;
  int named = 0;
  if (!has_names || functions.enum_get_info(names, &named, name.bytes, &name.length) != MPI_SUCCESS) named = 0;
  for (int e = 0; e < std::min(number, most_event_elements); ++e) {
    elements.push_back({types[e] == no_datatype() ? ToolType{} : tool_type(types[e]), "element " + std::to_string(e)});
    ToolText item;
    int value = 0;
    if (e < named && functions.enum_get_item(names, e, &value, item.bytes, &item.length) == MPI_SUCCESS &&
        *item.bytes != '\0')
      elements.back().name = item.bytes;
  }
  return elements;
}

ElementValues element_values(const EventFunctions& functions, EventFunctions::Instance instance,
                             const std::vector<EventElement>& elements) {
  ElementValues said;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    char bytes[64];  // more than any type of numbers has
    if (elements[e].type.bytes == 0 || functions.read(instance, static_cast<int>(e), bytes) != MPI_SUCCESS) continue;
    said.values[e] = elements[e].type.value(bytes);
    said.known |= 1U << e;
  }
  return said;
}

}  // namespace waitstate::record::mpi
