// See definitions.hpp. Strings are written right before the definition that names them.
#include "definitions.hpp"

#include <string>
#include <string_view>

#include "location_writer.hpp"

namespace generate {
namespace {

constexpr std::uint64_t ranks_per_node = 64;

class Writer {
 public:
  explicit Writer(OTF2_GlobalDefWriter* out) : out_(out) {}

  OTF2_StringRef string(const std::string& text) {
    checked(OTF2_GlobalDefWriter_WriteString(out_, strings_, text.c_str()));
    return strings_++;
  }
  static void checked(OTF2_ErrorCode code) { check(code, "writing definitions"); }

  void clock(const TraceExtent& e) {
    checked(OTF2_GlobalDefWriter_WriteClockProperties(out_, 1'000'000'000, e.begin, e.end - e.begin + 1,
                                                      OTF2_UNDEFINED_TIMESTAMP));
  }

  void paradigm() {
    checked(OTF2_GlobalDefWriter_WriteParadigm(out_, OTF2_PARADIGM_MPI, string("MPI"), OTF2_PARADIGM_CLASS_PROCESS));
  }

  void regions(std::uint64_t depth) {
    const OTF2_StringRef file = string("synthetic.c"), mpi = string("MPI");
    for (std::uint32_t r = 0; r < region_level_1 + depth; ++r) {
      const OTF2_StringRef name = string(region_name(r));
      const bool user = r < region_init || r >= region_level_1;
      checked(OTF2_GlobalDefWriter_WriteRegion(out_, r, name, name, empty, role(r),
                                               user ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
                                               user ? file : mpi, user ? 10 * r + 1 : 0, user ? 10 * r + 9 : 0));
    }
  }

  void system(const Options& o, const TraceExtent& extent) {
    const OTF2_StringRef node_class = string("node"), machine = string("machine"), cluster = string("Synthetic"),
                         master = string("Master thread"), worker = string("Worker thread");
    checked(OTF2_GlobalDefWriter_WriteSystemTreeNode(out_, 0, cluster, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (std::uint64_t rank = 0; rank < o.ranks(); ++rank) {
      const auto node = static_cast<OTF2_SystemTreeNodeRef>(rank / ranks_per_node + 1);
      if (rank % ranks_per_node == 0)
        checked(
            OTF2_GlobalDefWriter_WriteSystemTreeNode(out_, node, string("node" + std::to_string(node)), node_class, 0));
      const auto group = static_cast<OTF2_LocationGroupRef>(rank);
      checked(OTF2_GlobalDefWriter_WriteLocationGroup(out_, group, string("MPI Rank " + std::to_string(rank)),
                                                      OTF2_LOCATION_GROUP_TYPE_PROCESS, node,
                                                      OTF2_UNDEFINED_LOCATION_GROUP));
      for (std::uint64_t thread = 0; thread < o.threads_per_process; ++thread)
        checked(OTF2_GlobalDefWriter_WriteLocation(out_, location_ref(rank, thread), thread == 0 ? master : worker,
                                                   OTF2_LOCATION_TYPE_CPU_THREAD,
                                                   extent.events[rank * o.threads_per_process + thread], group));
    }
  }

  void communicators(const Options& o) {
    std::vector<std::uint64_t> members(o.ranks());
    for (std::uint64_t rank = 0; rank < o.ranks(); ++rank) members[rank] = location_ref(rank, 0);
    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, members);
    for (std::uint64_t rank = 0; rank < o.ranks(); ++rank) members[rank] = rank;
    group(1, OTF2_GROUP_TYPE_COMM_GROUP, members);
    group(2, OTF2_GROUP_TYPE_COMM_SELF, {});
    checked(
        OTF2_GlobalDefWriter_WriteComm(out_, 0, string("MPI_COMM_WORLD"), 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    checked(
        OTF2_GlobalDefWriter_WriteComm(out_, 1, string("MPI_COMM_SELF"), 2, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    if (o.pattern != Pattern::rma) return;
    for (std::uint64_t rank = 0; rank < o.ranks(); ++rank) group(group_of(rank), OTF2_GROUP_TYPE_COMM_GROUP, {rank});
    checked(OTF2_GlobalDefWriter_WriteRmaWin(out_, 0, string("window"), 0, OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS));
  }

 private:
  static constexpr OTF2_StringRef empty = 0;

  void group(OTF2_GroupRef ref, OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
    checked(OTF2_GlobalDefWriter_WriteGroup(out_, ref, empty, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                            static_cast<std::uint32_t>(members.size()), members.data()));
  }

  static OTF2_RegionRole role(std::uint32_t r) {
    switch (r) {
      case region_send:
      case region_recv:
      case region_isend:
      case region_irecv:
      case region_wait:
      case region_waitall:
        return OTF2_REGION_ROLE_POINT2POINT;
      case region_barrier:
        return OTF2_REGION_ROLE_BARRIER;
      case region_allreduce:
        return OTF2_REGION_ROLE_COLL_ALL2ALL;
      default:
        return OTF2_REGION_ROLE_FUNCTION;
    }
  }

  OTF2_GlobalDefWriter* out_;
  OTF2_StringRef strings_ = 0;
};

}  // namespace

void write_definitions(OTF2_GlobalDefWriter* out, const Options& o, const TraceExtent& extent) {
  Writer w(out);
  w.string("");
  w.string(program_name);  // string_program
  w.clock(extent);
  w.paradigm();
  w.regions(o.depth);
  w.system(o, extent);
  w.communicators(o);
}

}  // namespace generate
