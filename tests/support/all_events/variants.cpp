// See variants.hpp. All variants but the first are one small program, changed in one respect: every rank sends three
// messages (tags 0, 1, 2; 100, 200, 300 bytes) to the next one, receives three from the one before, meets all others in
// a barrier and ends.
#include "variants.hpp"

#include <algorithm>
#include <vector>

#include "everything.hpp"

namespace all_events {
namespace {

constexpr std::uint32_t messages = 3;

enum Call : std::uint32_t {
  call_main,
  call_send,
  call_recv,
  call_barrier,
  call_isend,
  call_irecv,
  call_wait,
  call_count
};
constexpr const char* call_names[call_count] = {"main",      "MPI_Send",  "MPI_Recv", "MPI_Barrier",
                                                "MPI_Isend", "MPI_Irecv", "MPI_Wait"};

/// The references that a recorder chose, and what there is.
struct Shape {
  std::uint32_t ranks = 2, threads = 1;
  OTF2_LocationRef (*location)(std::uint32_t rank, std::uint32_t thread) =
      [](std::uint32_t rank, std::uint32_t thread) { return OTF2_LocationRef{thread} << 32 | rank; };
  OTF2_LocationGroupRef (*process)(std::uint32_t rank) = [](std::uint32_t rank) { return OTF2_LocationGroupRef{rank}; };
  OTF2_RegionRef (*region)(std::uint32_t rank, Call call) = [](std::uint32_t, Call call) {
    return OTF2_RegionRef{call};
  };
  OTF2_CommRef world = 0, self = 1, inter = 2;
  bool has_inter = false;  // an inter-communicator is defined; OTF2's Python module cannot read such a trace
  OTF2_GroupRef first_group = 0;
  OTF2_StringRef first_string = 0, string_stride = 1;
  bool reversed = false;        // definitions
  bool system_in_order = true;  // but nodes, processes, locations, groups and communicators as usual
};

class SmallTrace {
 public:
  SmallTrace(const std::string& directory, const std::string& name, const Shape& shape)
      : shape_(shape), archive_(directory, name), definitions_(shape.first_string, shape.string_stride) {
    program_ = definitions_.string("small");
  }

  Stream& at(std::uint32_t rank, std::uint32_t thread = 0) { return archive_.events(shape_.location(rank, thread)); }

  void begin(std::uint32_t rank) {
    at(rank).write("program_begin", OTF2_EvtWriter_ProgramBegin, program_, 0u,
                   static_cast<const OTF2_StringRef*>(nullptr));
    enter(rank, call_main);
  }
  void end(std::uint32_t rank) {
    exit(rank, call_main);
    at(rank).write("program_end", OTF2_EvtWriter_ProgramEnd, std::int64_t{0});
  }
  void enter(std::uint32_t rank, Call call, std::uint32_t thread = 0) {
    at(rank, thread).write("enter", OTF2_EvtWriter_Enter, shape_.region(rank, call));
  }
  void exit(std::uint32_t rank, Call call, std::uint32_t thread = 0) {
    at(rank, thread).write("exit", OTF2_EvtWriter_Leave, shape_.region(rank, call));
  }
  void send(std::uint32_t rank, std::uint32_t to, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes) {
    enter(rank, call_send);
    at(rank).write("send", OTF2_EvtWriter_MpiSend, to, comm, tag, bytes);
    exit(rank, call_send);
  }
  void recv(std::uint32_t rank, std::uint32_t from, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
            std::uint32_t thread = 0) {
    enter(rank, call_recv, thread);
    at(rank, thread).write("recv", OTF2_EvtWriter_MpiRecv, from, comm, tag, bytes);
    exit(rank, call_recv, thread);
  }
  void barrier(std::uint32_t rank) {
    at(rank).wait_until(3000);
    enter(rank, call_barrier);
    at(rank).write("collective_begin", OTF2_EvtWriter_MpiCollectiveBegin);
    at(rank).wait_until(3100);
    at(rank).write("collective_end", OTF2_EvtWriter_MpiCollectiveEnd, OTF2_CollectiveOp{OTF2_COLLECTIVE_OP_BARRIER},
                   shape_.world, std::uint32_t{OTF2_COLLECTIVE_ROOT_NONE}, std::uint64_t{0}, std::uint64_t{0});
    exit(rank, call_barrier);
  }

  /// The program of every rank up to its end; `active` ranks take part, and only those.
  void ring(std::uint32_t active) {
    for (std::uint32_t rank = 0; rank < active; ++rank) {
      begin(rank);
      for (std::uint32_t m = 0; m < messages; ++m) send(rank, (rank + 1) % active, shape_.world, m, 100 * (m + 1));
      at(rank).wait_until(2000);
      for (std::uint32_t m = 0; m < messages; ++m)
        recv(rank, (rank + active - 1) % active, shape_.world, m, 100 * (m + 1));
      if (active == shape_.ranks) barrier(rank);
      end(rank);
    }
  }

  void close() {
    define();
    if (shape_.reversed) definitions_.reverse();
    if (shape_.reversed && shape_.system_in_order) define_system();
    archive_.close(definitions_);
  }

 private:
  void define();
  void define_system();
  void group(std::uint32_t number, OTF2_GroupType type, std::vector<std::uint64_t> members) {
    definitions_.add(
        [=, this, ref = shape_.first_group + number, name = definitions_.string("")](OTF2_GlobalDefWriter* w) {
          return OTF2_GlobalDefWriter_WriteGroup(w, ref, name, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                                 static_cast<std::uint32_t>(members.size()), members.data());
        });
  }

  const Shape shape_;
  Archive archive_;
  Definitions definitions_;
  OTF2_StringRef program_;
};

void SmallTrace::define() {
  Definitions& d = definitions_;
  d.add(OTF2_GlobalDefWriter_WriteClockProperties, std::uint64_t{1'000'000'000}, std::uint64_t{1000},
        std::uint64_t{5000}, OTF2_UNDEFINED_TIMESTAMP);
  d.add(OTF2_GlobalDefWriter_WriteParadigm, OTF2_Paradigm{OTF2_PARADIGM_MPI}, d.string("MPI"),
        OTF2_ParadigmClass{OTF2_PARADIGM_CLASS_PROCESS});
  std::vector<OTF2_RegionRef> defined;
  for (std::uint32_t rank = 0; rank < shape_.ranks; ++rank)
    for (std::uint32_t c = 0; c < call_count; ++c) {
      const OTF2_RegionRef ref = shape_.region(rank, static_cast<Call>(c));
      if (std::find(defined.begin(), defined.end(), ref) != defined.end()) continue;
      defined.push_back(ref);
      const bool user = c == call_main;
      const OTF2_RegionRole role = user                ? OTF2_REGION_ROLE_FUNCTION
                                   : c == call_barrier ? OTF2_REGION_ROLE_BARRIER
                                                       : OTF2_REGION_ROLE_POINT2POINT;
      d.add(OTF2_GlobalDefWriter_WriteRegion, ref, d.string(call_names[c]), d.string(call_names[c]), d.string(""), role,
            OTF2_Paradigm{static_cast<OTF2_Paradigm>(user ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI)},
            OTF2_RegionFlag{OTF2_REGION_FLAG_NONE}, d.string(""), 0u, 0u);
    }
  if (!shape_.reversed || !shape_.system_in_order) define_system();
}

void SmallTrace::define_system() {
  Definitions& d = definitions_;
  d.add(OTF2_GlobalDefWriter_WriteSystemTreeNode, 0u, d.string("cluster"), d.string("machine"),
        OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  for (std::uint32_t rank = 0; rank < shape_.ranks; ++rank) {
    d.add(OTF2_GlobalDefWriter_WriteLocationGroup, shape_.process(rank), d.string("MPI Rank " + std::to_string(rank)),
          OTF2_LocationGroupType{OTF2_LOCATION_GROUP_TYPE_PROCESS}, 0u, OTF2_UNDEFINED_LOCATION_GROUP);
    for (std::uint32_t thread = 0; thread < shape_.threads; ++thread)
      archive_.define_location(d, shape_.location(rank, thread), thread ? "Worker thread" : "Master thread",
                               OTF2_LOCATION_TYPE_CPU_THREAD, shape_.process(rank));
  }
  std::vector<std::uint64_t> masters, all, first_half, second_half;
  for (std::uint32_t rank = 0; rank < shape_.ranks; ++rank) {
    masters.push_back(shape_.location(rank, 0));
    all.push_back(rank);
    (rank < shape_.ranks / 2 ? first_half : second_half).push_back(rank);
  }
  group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, masters);
  group(1, OTF2_GROUP_TYPE_COMM_GROUP, all);
  group(2, OTF2_GROUP_TYPE_COMM_SELF, {});
  const OTF2_CommFlag none = OTF2_COMM_FLAG_NONE;
  d.add(OTF2_GlobalDefWriter_WriteComm, shape_.world, d.string("MPI_COMM_WORLD"), shape_.first_group + 1,
        OTF2_UNDEFINED_COMM, none);
  d.add(OTF2_GlobalDefWriter_WriteComm, shape_.self, d.string("MPI_COMM_SELF"), shape_.first_group + 2,
        OTF2_UNDEFINED_COMM, none);
  if (!shape_.has_inter) return;
  group(3, OTF2_GROUP_TYPE_COMM_GROUP, first_half);
  group(4, OTF2_GROUP_TYPE_COMM_GROUP, second_half);
  d.add(OTF2_GlobalDefWriter_WriteInterComm, shape_.inter, d.string("bridge"), shape_.first_group + 3,
        shape_.first_group + 4, shape_.world, none);
}

void write_everything(const std::string& directory) {
  Archive archive(directory, "traces");
  Definitions definitions;
  const EventStrings strings = define_everything(archive, definitions);
  record_everything(archive, strings, sizes_of_everything(definitions));
  write_markers(archive.handle());
  archive.close(definitions);
}

void write_ring(const std::string& directory, const Shape& shape, const std::string& name = "traces") {
  SmallTrace trace(directory, name, shape);
  trace.ring(shape.ranks);
  trace.close();
}

void write_sparse_ids(const std::string& directory) {
  Shape shape;
  shape.ranks = 3;
  shape.location = [](std::uint32_t rank, std::uint32_t) {
    constexpr OTF2_LocationRef refs[] = {1'000'003, 7, 1ull << 62};  // neither sorted by rank nor 32 bits wide
    return refs[rank];
  };
  shape.process = [](std::uint32_t rank) { return 900 - 7 * rank; };
  shape.region = [](std::uint32_t, Call call) { return OTF2_RegionRef{0xfffffff0u - 100'000'000u * call}; };
  shape.world = 77, shape.self = 4'000'000'000;
  shape.first_group = 3'000'000'000;
  shape.first_string = 11, shape.string_stride = 1'000'003;
  write_ring(directory, shape);
}

void write_out_of_order(const std::string& directory) {
  Shape shape;
  shape.reversed = true;
  write_ring(directory, shape);
}

// Like the archive above, with everything else reversed too. OTF2's library reads it, its otf2-print crashes.
void write_reversed(const std::string& directory) {
  Shape shape;
  shape.reversed = true;
  shape.system_in_order = false;
  write_ring(directory, shape);
}

void write_regions_per_rank(const std::string& directory) {
  Shape shape;
  shape.ranks = 3;
  shape.region = [](std::uint32_t rank, Call call) { return OTF2_RegionRef{rank * call_count + call}; };
  write_ring(directory, shape);
}

void write_anchor_name(const std::string& directory) { write_ring(directory, Shape{}, "run log.v2"); }

void write_zero_events(const std::string& directory) {
  Shape shape;
  shape.ranks = 4;
  SmallTrace trace(directory, "traces", shape);
  trace.ring(2);
  trace.at(2), trace.at(3);  // an event file without events
  trace.close();
}

// OTF2's library refuses to open the location whose file is missing, as after a killed or partly copied run.
void write_no_event_file(const std::string& directory) {
  Shape shape;
  shape.ranks = 4;
  SmallTrace trace(directory, "traces", shape);
  trace.ring(3);
  trace.close();
}

void write_intercomm(const std::string& directory) {
  Shape shape;
  shape.has_inter = true;
  shape.ranks = 4;
  SmallTrace trace(directory, "traces", shape);
  for (std::uint32_t rank = 0; rank < 4; ++rank) trace.begin(rank);
  for (std::uint32_t i = 0; i < 2; ++i) {  // rank i of the first half to rank 1 - i of the second one, and back
    const std::uint32_t a = i, b = 2 + (1 - i);
    trace.send(a, 1 - i, shape.inter, 1, 100);
    trace.at(b).wait_until(2000);
    trace.recv(b, i, shape.inter, 1, 100);
    trace.send(b, i, shape.inter, 2, 200);
    trace.at(a).wait_until(2200);
    trace.recv(a, 1 - i, shape.inter, 2, 200);
  }
  for (std::uint32_t rank = 0; rank < 4; ++rank) trace.end(rank);
  trace.close();
}

void write_comm_self(const std::string& directory) {
  Shape shape;
  SmallTrace trace(directory, "traces", shape);
  for (std::uint32_t rank = 0; rank < shape.ranks; ++rank) {  // same tag everywhere: only the process tells them apart
    const std::uint64_t bytes = 100 * (rank + 1), request = 1;
    trace.begin(rank);
    trace.enter(rank, call_isend);
    trace.at(rank).write("isend", OTF2_EvtWriter_MpiIsend, 0u, shape.self, 9u, bytes, request);
    trace.exit(rank, call_isend);
    trace.recv(rank, 0, shape.self, 9, bytes);
    trace.enter(rank, call_wait);
    trace.at(rank).write("isend_complete", OTF2_EvtWriter_MpiIsendComplete, request);
    trace.exit(rank, call_wait);
    trace.end(rank);
  }
  trace.close();
}

void write_threads_receive(const std::string& directory) {
  Shape shape;
  shape.threads = 2;
  SmallTrace trace(directory, "traces", shape);
  trace.begin(0);
  trace.begin(1);
  trace.at(0, 1);  // no events
  // Two messages of one channel: the first one is received by the second thread, the second one by the first.
  trace.send(0, 1, shape.world, 1, 100);
  trace.send(0, 1, shape.world, 1, 200);
  trace.at(1, 1).wait_until(2000);
  trace.recv(1, 0, shape.world, 1, 100, 1);
  trace.at(1, 0).wait_until(2500);
  trace.recv(1, 0, shape.world, 1, 200, 0);
  // One thread posts a receive, the other one completes it.
  trace.send(0, 1, shape.world, 2, 300);
  trace.enter(1, call_irecv, 0);
  trace.at(1, 0).write("irecv_request", OTF2_EvtWriter_MpiIrecvRequest, std::uint64_t{5});
  trace.exit(1, call_irecv, 0);
  trace.at(1, 1).wait_until(2700);
  trace.enter(1, call_wait, 1);
  trace.at(1, 1).write("irecv", OTF2_EvtWriter_MpiIrecv, 0u, shape.world, 2u, std::uint64_t{300}, std::uint64_t{5});
  trace.exit(1, call_wait, 1);
  trace.end(0);
  trace.at(1).wait_until(2900);
  trace.end(1);
  trace.close();
}

constexpr Variant all_variants[] = {
    {"everything", "every event type and every kind of definition, local ids, clock offsets, markers",
     write_everything},
    {"sparse_ids", "locations, processes, regions, groups, communicators and strings with scattered numbers",
     write_sparse_ids},
    {"out_of_order", "regions and paradigms before their strings, numbers descending", write_out_of_order},
    {"reversed", "all definitions before those that they refer to", write_reversed},
    {"regions_per_rank", "every rank has regions of its own with the same names", write_regions_per_rank},
    {"anchor_name", "the anchor is called `run log.v2.otf2`", write_anchor_name},
    {"zero_events", "four ranks, of which two have an event file without events", write_zero_events},
    {"no_event_file", "four ranks, of which one has neither event file nor local definitions", write_no_event_file},
    {"intercomm", "messages across an inter-communicator, both ways", write_intercomm},
    {"comm_self", "messages to oneself, the same tag on every rank", write_comm_self},
    {"threads_receive", "threads of one process receive for each other, and complete each other's request",
     write_threads_receive},
};

}  // namespace

std::span<const Variant> variants() { return all_variants; }

}  // namespace all_events
