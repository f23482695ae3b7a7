// The functions of MPI_T for events. MPI 4.0 added them: headers of older ones do not have them, and handles are
// pointers in every library that has them.
#pragma once

#include "record/mpi/tool_interface.hpp"

namespace waitstate::record::mpi {

/// The event functions of the library at hand.
struct EventFunctions {
  using Instance = void*;
  using Registration = void*;
  using Callback = void(Instance, Registration, int safety, void* data);
  using Dropped = void(MPI_Count, Registration, int source, int safety, void* data);
  using Freed = void(Registration, int safety, void* data);

  int (*get_num)(int*);
  int (*get_info)(int, char*, int*, int*, MPI_Datatype*, MPI_Aint*, int*, MPI_T_enum*, MPI_Info*, char*, int*, int*);
  int (*handle_alloc)(int, void*, MPI_Info, Registration*);
  int (*handle_free)(Registration, void*, Freed*);
  int (*register_callback)(Registration, int, MPI_Info, void*, Callback*);
  int (*set_dropped_handler)(Registration, Dropped*);
  int (*get_timestamp)(Instance, MPI_Count*);
  int (*get_source)(Instance, int*);
  int (*read)(Instance, int, void*);
  int (*enum_get_info)(MPI_T_enum, int*, char*, int*);
  int (*enum_get_item)(MPI_T_enum, int, int*, char*, int*);
  int (*source_get_num)(int*);
  int (*source_get_info)(int, char*, int*, char*, int*, int*, MPI_Count*, MPI_Count*, MPI_Info*);
  int (*source_get_timestamp)(int, MPI_Count*);

  EventFunctions() {
    look_up(get_num, "MPI_T_event_get_num");
    look_up(get_info, "MPI_T_event_get_info");
    look_up(handle_alloc, "MPI_T_event_handle_alloc");
    look_up(handle_free, "MPI_T_event_handle_free");
    look_up(register_callback, "MPI_T_event_register_callback");
    look_up(set_dropped_handler, "MPI_T_event_set_dropped_handler");
    look_up(get_timestamp, "MPI_T_event_get_timestamp");
    look_up(get_source, "MPI_T_event_get_source");
    look_up(read, "MPI_T_event_read");
    look_up(enum_get_info, "MPI_T_enum_get_info");
    look_up(enum_get_item, "MPI_T_enum_get_item");
    look_up(source_get_num, "MPI_T_source_get_num");
    look_up(source_get_info, "MPI_T_source_get_info");
    look_up(source_get_timestamp, "MPI_T_source_get_timestamp");
  }
  bool whole = true;  ///< all of them are there

 private:
  template <class Function>
  void look_up(Function*& function, const char* name) {
    function = tool_function<Function>(name);
    whole = whole && function != nullptr;
  }
};

}  // namespace waitstate::record::mpi
