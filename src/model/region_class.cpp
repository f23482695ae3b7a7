// The class of a region decides which time metric its exclusive time belongs to.
//
// Paradigm and role would be enough if every recorder set them; some write MPI functions as plain user functions, and
// roles do not tell MPI_Comm_dup from MPI_Bcast. So MPI and SHMEM functions are always classified by name, and
// everything else by paradigm and role with the name as fallback. A name counts only as a whole identifier:
// my_MPI_Send_wrapper is user code. The cost is one table look-up per region definition, and none per event.
//
// The file is long because its tables name all functions.
#include "waitstate/trace/region_class.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "waitstate/pattern/collective.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate {
namespace {

using C = RegionClass;

struct NamedClass {
  std::string_view names;  // names are separated by blanks; `*` at the end of a name stands for any rest
  RegionClass region_class;
};

// Names of MPI-4 functions without "MPI_", in lower case. A non-blocking or persistent collective (i…, …_init) is
// listed by its plain name only.
constexpr NamedClass mpi_functions[] = {
    {"init init_thread finalize initialized finalized query_thread is_thread_main abort session_init session_finalize "
     "session_get* session_set* session_call* session_create*",
     C::mpi_init_exit},
    {"comm_* group_* intercomm_* cart_* cartdim_get graph_* graphdims_get dist_graph_* topo_test dims_create "
     "attr_* keyval_* errhandler_*",
     C::mpi_mgmt_comm},
    {"barrier", C::mpi_sync_collective},
    {"win_fence win_post win_start win_complete win_wait win_test", C::mpi_rma_sync_active},
    {"win_lock win_lock_all win_unlock win_unlock_all win_flush win_flush_all win_flush_local win_flush_local_all "
     "win_sync",
     C::mpi_rma_sync_passive},
    {"win_*", C::mpi_mgmt_win},
    {"put get accumulate get_accumulate fetch_and_op compare_and_swap rput rget raccumulate rget_accumulate",
     C::mpi_rma_communication},
    {"file_read_all* file_read_at_all* file_read_ordered* file_write_all* file_write_at_all* file_write_ordered* "
     "file_iread_all file_iread_at_all file_iwrite_all file_iwrite_at_all",
     C::mpi_io_collective},
    {"file_read* file_write* file_iread* file_iwrite*", C::mpi_io_individual},
    {"file_* register_datarep*", C::mpi_mgmt_file},
    {"send bsend rsend ssend isend ibsend irsend issend send_init bsend_init rsend_init ssend_init recv irecv "
     "recv_init "
     "mrecv imrecv sendrecv sendrecv_replace isendrecv isendrecv_replace probe iprobe mprobe improbe "
     "psend_init precv_init pready pready_list pready_range parrived start startall wait waitall waitany waitsome "
     "test testall testany testsome test_cancelled request_free request_get_status cancel buffer_attach buffer_detach "
     "buffer_flush buffer_iflush",
     C::mpi_point2point},
    {"bcast gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv alltoallw reduce allreduce "
     "reduce_scatter reduce_scatter_block reduce_local scan exscan "
     "neighbor_allgather neighbor_allgatherv neighbor_alltoall neighbor_alltoallv neighbor_alltoallw",
     C::mpi_collective},
};

// Names of functions of OpenSHMEM and its predecessors, without type or size; looked up after the prefix "shmem_" (or
// none).
constexpr NamedClass shmem_functions[] = {
    {"shmem_init shmem_init_thread shmem_finalize start_pes shmem_start_pes shmem_global_exit shmem_query_thread "
     "shmemx_init* shmemx_finalize",
     C::shmem_init_exit},
    {"shmalloc shmemalign shrealloc shfree shpalloc shpclmove shpdeallc shmem_malloc* shmem_calloc shmem_align "
     "shmem_realloc shmem_free",
     C::shmem_memory_management},
    {"barrier shmem_barrier shmem_barrier_all shmem_sync shmem_sync_all shmem_team_sync barrier_all",
     C::shmem_sync_collective},
    {"shmem_*wait shmem_*wait_until* shmem_*wait_some* shmem_*wait_all* shmem_*test shmem_*test_all* shmem_*test_any* "
     "shmem_*test_some* shmem_fence shmem_quiet shmem_set_lock shmem_clear_lock shmem_test_lock shmem_set_event "
     "shmem_clear_event shmem_wait_event shmem_test_event shmem_ctx_fence shmem_ctx_quiet",
     C::shmem_point2point_synchronization},
    {"shmem_*broadcast* shmem_*collect* shmem_*alltoall* shmem_*_to_all shmem_*reduce*", C::shmem_collective},
    {"shmem_*put* shmem_*get shmem_*getmem* shmem_*get8 shmem_*get16 shmem_*get32 shmem_*get64 shmem_*get128 "
     "shmem_*get_nbi shmem_*_p shmem_*_g shmem_*swap* shmem_*_add shmem_*_fadd shmem_*_inc "
     "shmem_*_finc shmem_*fetch* shmem_*_set shmem_*atomic*",
     C::shmem_rma_communication},
};

constexpr NamedClass pthread_functions[] = {
    {"pthread_mutex_* pthread_spin_* pthread_rwlock_*", C::pthread_lock_api},
    {"pthread_cond_*", C::pthread_conditional},
    {"pthread_*", C::pthread_management},
};

// Functions that cannot return before another process has acted, for classes whose functions differ in this; for
// collective operations see waits_for_others().
constexpr NamedClass waiting_mpi_functions[] = {
    {"init init_thread finalize "
     "comm_create comm_create_group comm_create_from_group comm_dup comm_dup_with_info comm_split comm_split_type "
     "comm_free comm_accept comm_connect comm_disconnect comm_join comm_spawn comm_spawn_multiple intercomm_create* "
     "intercomm_merge cart_create cart_sub graph_create dist_graph_create dist_graph_create_adjacent "
     "win_create win_create_dynamic win_allocate win_allocate_shared win_free win_fence win_start win_complete "
     "win_wait "
     "win_lock win_lock_all win_unlock win_unlock_all win_flush win_flush_all win_flush_local win_flush_local_all "
     "send rsend ssend sendrecv sendrecv_replace recv mrecv probe mprobe wait waitall waitany waitsome buffer_detach "
     "buffer_flush file_open file_close file_set_size file_preallocate file_set_view file_sync file_set_atomicity "
     "file_seek_shared",
     C::mpi},
};
constexpr NamedClass waiting_pthread_functions[] = {
    {"pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_clocklock pthread_spin_lock pthread_rwlock_rdlock "
     "pthread_rwlock_wrlock pthread_cond_*wait pthread_join pthread_timedjoin_np pthread_barrier_wait",
     C::pthread_time},
};
constexpr NamedClass waiting_shmem_functions[] = {
    {"shmem_*wait* shmem_set_lock shmem_quiet shmem_ctx_quiet shmem_init* shmem_finalize start_pes shmem_start_pes "
     "shmemx_init* shmemx_finalize",
     C::shmem_time},
};

// Whether `text` matches `pattern`, in which `*` stands for any text, even none.
bool matches(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star) || text.size() < star) return false;
  pattern.remove_prefix(star + 1);
  text.remove_prefix(star);
  for (;; text.remove_prefix(1)) {
    if (pattern.empty() || matches(pattern, text)) return true;
    if (text.empty()) return false;
  }
}

template <std::size_t N>
RegionClass find(const NamedClass (&table)[N], std::string_view name, RegionClass otherwise) {
  for (const NamedClass& row : table)
    for (std::string_view names = row.names; !names.empty();) {
      const std::string_view pattern = names.substr(0, names.find(' '));
      const bool begins_alike = pattern.front() == '*' || (!name.empty() && pattern.front() == name.front());
      if (begins_alike && matches(pattern, name)) return row.region_class;
      names.remove_prefix(std::min(names.size(), pattern.size() + 1));
    }
  return otherwise;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// Removes the parentheses of a name: TAU names library functions as calls, "MPI_Send()".
std::string_view without_call(std::string_view region_name) {
  if (region_name.ends_with("()")) region_name.remove_suffix(2);
  return region_name;
}

bool drop_suffix(std::string& text, std::string_view suffix) {
  if (text.size() <= suffix.size() || !text.ends_with(suffix)) return false;
  text.resize(text.size() - suffix.size());
  return true;
}

// "MPI_Send", "mpi_send_", "PMPI_SEND__", "mpi_send_f08ts_", "MPI_Send_c", "MPI_Send()" → "send"; empty if the name
// does not have the form of an MPI function.
std::string mpi_name(std::string_view region_name) {
  region_name = without_call(region_name);
  if (!is_identifier(region_name)) return {};
  std::string name = lower(region_name);
  if (name.starts_with("pmpi_"))
    name.erase(0, 5);
  else if (name.starts_with("mpi_"))
    name.erase(0, 4);
  else
    return {};
  while (drop_suffix(name, "_")) {
  }
  if (!drop_suffix(name, "_f08ts") && !drop_suffix(name, "_f08")) drop_suffix(name, "_fts");
  drop_suffix(name, "_c");
  return name;
}

// Classifies a collective by its plain name: iallreduce, allreduce_init → allreduce.
RegionClass mpi_class(const std::string& name) {
  RegionClass found = find(mpi_functions, name, C::mpi);
  std::string plain = name;
  const auto is_collective = [](RegionClass c) { return c == C::mpi_collective || c == C::mpi_sync_collective; };
  if (found == C::mpi && plain.starts_with('i')) {
    const RegionClass other = find(mpi_functions, plain.erase(0, 1), C::mpi);
    if (is_collective(other)) found = other;
    plain = name;
  }
  if (found == C::mpi && plain.starts_with("ineighbor")) return C::mpi_collective;
  if (found == C::mpi && drop_suffix(plain, "_init")) {
    const RegionClass other = find(mpi_functions, plain, C::mpi);
    if (is_collective(other)) found = other;
  }
  return found;
}

// Classifies MPI functions whose names say nothing: wrappers of a language, or names in the recorder's own words.
RegionClass mpi_class(RegionRole role) {
  switch (role) {
    case RegionRole::barrier:
      return C::mpi_sync_collective;
    case RegionRole::coll_one2all:
    case RegionRole::coll_all2one:
    case RegionRole::coll_all2all:
      return C::mpi_collective;
    case RegionRole::point2point:
      return C::mpi_point2point;
    case RegionRole::rma:
      return C::mpi_rma_communication;
    case RegionRole::file_io:
      return C::mpi_io_individual;
    case RegionRole::file_io_metadata:
      return C::mpi_mgmt_file;
    default:
      return C::mpi;
  }
}

bool is_omp_lock_call(const std::string& lower_name) {
  return lower_name.starts_with("omp_") && lower_name.find("_lock") != std::string::npos;
}

// Constructs that surround user code are computation: OpenMP's own cost there is charged to omp_management.
RegionClass openmp_class(RegionRole role, std::string_view name) {
  using R = RegionRole;
  switch (role) {
    case R::barrier:
      return C::omp_ebarrier;
    case R::implicit_barrier:
      return C::omp_ibarrier;
    case R::critical:
    case R::atomic:
      return C::omp_critical;
    case R::ordered:
      return C::omp_ordered;
    case R::task_wait:
      return C::omp_taskwait;
    case R::flush:
      return C::omp_flush;
    case R::parallel:
    case R::loop:
    case R::sections:
    case R::section:
    case R::workshare:
    case R::single_sblock:
    case R::master:
    case R::critical_sblock:
    case R::ordered_sblock:
    case R::task:
    case R::task_untied:
    case R::code:
      return C::comp;
    case R::unknown:
    case R::function:
    case R::wrapper:
      break;
    default:
      return C::omp_time;
  }
  static constexpr NamedClass constructs[] = {
      {"ibarrier* implicit*", C::omp_ibarrier},
      {"barrier*", C::omp_ebarrier},
      {"*sblock* parallel* for* do* loop* sections* section* workshare* master* masked* task task@* distribute*",
       C::comp},
      {"critical* atomic*", C::omp_critical},
      {"ordered*", C::omp_ordered},
      {"taskwait* taskgroup*", C::omp_taskwait},
      {"flush*", C::omp_flush},
  };
  std::string text = lower(name);
  if (text.starts_with("!$omp ")) {
    text.erase(0, 6);
    std::replace(text.begin(), text.end(), ' ', '_');  // the table separates names by blanks
    return find(constructs, text, C::omp_time);
  }
  return is_omp_lock_call(text) ? C::omp_lock_api : C::omp_time;
}

bool is_named_by_recorder(std::string_view region_name) {
  return region_name.starts_with("TRACE BUFFER FLUSH") || region_name.starts_with("MEASUREMENT ");
}

// Score-P brackets the program with an artificial region: that is the program, not overhead.
RegionClass measurement_class(const Region& region) {
  return region.role != RegionRole::artificial || is_named_by_recorder(region.name) ? C::overhead : C::comp;
}

// Archives of OTF2 1.1 have no artificial regions, and those of OTF2 1.0 no paradigms of regions. There only the name,
// which is not that of a function, shows what the recorder did itself.
bool is_of_recorder(const Region& region) {
  if (region.role == RegionRole::artificial) return region.name.starts_with("MEASUREMENT OFF");
  return (region.paradigm == Paradigm::unknown || region.paradigm == Paradigm::user) &&
         (region.name == "TRACE BUFFER FLUSH" || region.name == "MEASUREMENT OFF");
}

}  // namespace

std::string_view name(RegionClass c) { return enum_name(c); }

std::string_view name(MpiFunction f) { return enum_name(f); }

std::string mpi_base_name(std::string_view region_name) { return mpi_name(region_name); }

MpiFunction mpi_function(std::string_view region_name) {
  const std::string name = mpi_name(region_name);
  if (name.empty()) return MpiFunction::none;
  if (name.starts_with("neighbor_") || name.starts_with("ineighbor_")) return MpiFunction::neighbour;
  if (MpiFunction function{};
      enum_from_name(name, function) && function >= MpiFunction::send && function < MpiFunction::neighbour)
    return function;
  // An unknown name is MPI's only if it is spelled as MPI spells its names: a user's mpi_helper is not.
  const bool known = mpi_class(name) != RegionClass::mpi;
  return known || region_name.starts_with("MPI_") || region_name.starts_with("PMPI_") ? MpiFunction::other
                                                                                      : MpiFunction::none;
}

CollectiveKind kind(CollectiveOp op) {
  switch (op) {
    case CollectiveOp::barrier:
      return CollectiveKind::barrier;
    case CollectiveOp::allgather:
    case CollectiveOp::allgatherv:
    case CollectiveOp::alltoall:
    case CollectiveOp::alltoallv:
    case CollectiveOp::alltoallw:
    case CollectiveOp::allreduce:
    case CollectiveOp::reduce_scatter:
    case CollectiveOp::reduce_scatter_block:
      return CollectiveKind::all_to_all;
    case CollectiveOp::bcast:
    case CollectiveOp::scatter:
    case CollectiveOp::scatterv:
      return CollectiveKind::one_to_all;
    case CollectiveOp::reduce:
    case CollectiveOp::gather:
    case CollectiveOp::gatherv:
      return CollectiveKind::all_to_one;
    case CollectiveOp::scan:
    case CollectiveOp::exscan:
      return CollectiveKind::scan;
    default:
      return CollectiveKind::other;
  }
}

RegionClass classify(const Region& region) {
  if (is_of_recorder(region)) return C::overhead;
  if (region.paradigm == Paradigm::measurement_system) return measurement_class(region);
  if (mpi_function(region.name) != MpiFunction::none) return mpi_class(mpi_name(region.name));

  const std::string text = lower(without_call(region.name));
  switch (region.paradigm) {
    case Paradigm::mpi:
      return mpi_class(region.role);
    case Paradigm::openmp:
      return openmp_class(region.role, region.name);
    case Paradigm::pthread:
      return find(pthread_functions, text, C::pthread_time);
    case Paradigm::shmem:
      return find(shmem_functions, text, C::shmem_time);
    case Paradigm::openacc:
      return C::openacc_time;
    case Paradigm::opencl:
      return C::opencl_time;
    case Paradigm::cuda:
      return C::cuda_time;
    case Paradigm::hip:
      return C::hip_time;
    default:
      break;
  }
  if (text.starts_with("!$omp ")) return openmp_class(RegionRole::unknown, region.name);
  if (is_identifier(text)) {
    if (text.starts_with("pthread_")) return find(pthread_functions, text, C::pthread_time);
    if (text.starts_with("shmem_")) return find(shmem_functions, text, C::comp);
    if (is_omp_lock_call(text)) return C::omp_lock_api;
  }
  return C::comp;
}

bool waits_for_others(const Region& region) {
  const std::string text = lower(without_call(region.name));
  const std::string mpi = is_mpi(region.region_class) ? mpi_name(region.name) : std::string();
  switch (region.region_class) {
    case C::mpi_sync_collective:
    case C::mpi_collective:
      return !mpi.starts_with('i') && !mpi.ends_with("_init") && mpi != "reduce_local";
    case C::mpi_io_collective:
      return !mpi.starts_with("file_i") && !mpi.ends_with("_begin");
    case C::omp_ebarrier:
    case C::omp_ibarrier:
    case C::omp_critical:
    case C::omp_ordered:
    case C::omp_taskwait:
    case C::shmem_sync_collective:
    case C::shmem_collective:
    case C::shmem_memory_management:
      return true;
    case C::omp_lock_api:
      return text.starts_with("omp_set_lock") || text.starts_with("omp_set_nest_lock");
    default:
      break;
  }
  const auto among = [&](const auto& functions, std::string_view name) {
    return find(functions, name, C::comp) != C::comp;
  };
  if (is_mpi(region.region_class)) return among(waiting_mpi_functions, mpi);
  if (is_shmem(region.region_class)) return among(waiting_shmem_functions, text);
  if (region.region_class >= C::pthread_time && region.region_class <= C::pthread_conditional)
    return among(waiting_pthread_functions, text);
  return waits_for_device(region);
}

namespace {

bool is_of_device(RegionClass c) {
  return c == RegionClass::cuda_time || c == RegionClass::hip_time || c == RegionClass::opencl_time ||
         c == RegionClass::openacc_time;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char ch) { return ch >= 'A' && ch <= 'Z' ? static_cast<char>(ch - 'A' + 'a') : ch; });
  return text;
}

}  // namespace

bool launches_kernel(const Region& region) {
  if (!is_of_device(region.region_class)) return false;
  const std::string name = lower_case(region.name);
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (region.region_class == RegionClass::opencl_time) return has("clenqueuendrange") || has("clenqueuetask");
  return has("launch") && !has("hostfunc");
}

bool waits_for_device(const Region& region) {
  const RegionClass c = region.region_class;
  if (!is_of_device(c)) return false;
  const std::string name = lower_case(region.name);
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (c == RegionClass::openacc_time) return name.starts_with("acc_wait");
  if (c == RegionClass::opencl_time) return has("clfinish") || has("clwaitforevents");
  if (has("synchronize")) return true;
  return (has("memcpy") || has("free")) && !has("async") && !has("host");
}

}  // namespace waitstate
