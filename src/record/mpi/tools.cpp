#include "record/mpi/tools.hpp"

#include "record/core/settings.hpp"
#include "record/mpi/events/library_events.hpp"
#include "record/mpi/library_settings.hpp"
#include "record/mpi/tool_interface.hpp"
#include "record/mpi/variables.hpp"

namespace waitstate::record::mpi {

namespace {

void follow_object(void* handle, std::uint32_t number, int bind) {
  follow_variables(handle, number, bind);
  follow_events(handle, number, bind);
}

void forget_object(Thread& t, std::uint64_t time, std::uint32_t number, int bind) {
  forget_variables(t, time, number, bind);
  forget_events(number, bind);
}

}  // namespace

void prepare_tools() {
  if (!settings().pvars.empty() || !settings().events.empty() || records_library_settings()) begin_tool_interface();
}

void find_tools(bool first) {
  record_library_settings();
  find_variables(first);
  find_events(first);
}

void start_tools() { sample_variables(); }

void end_tools() {
  end_variables();
  end_events();
}

void follow(MPI_Comm comm, std::uint32_t number) { follow_object(&comm, number, MPI_T_BIND_MPI_COMM); }
void follow_window(MPI_Win win, std::uint32_t number) { follow_object(&win, number, MPI_T_BIND_MPI_WIN); }

void forget_comm(Thread& t, std::uint64_t time, std::uint32_t number) {
  forget_object(t, time, number, MPI_T_BIND_MPI_COMM);
}
void forget_window(Thread& t, std::uint64_t time, std::uint32_t number) {
  forget_object(t, time, number, MPI_T_BIND_MPI_WIN);
}

}  // namespace waitstate::record::mpi
