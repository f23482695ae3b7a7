#include "record/mpi/communicators.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "record/mpi/tools.hpp"
#include "record/mpi/world.hpp"
#include "record/parts/line_kinds.hpp"

namespace waitstate::record::mpi {

HandleTable<Comm> comms;
MPI_Comm own_comm{};

namespace {

constexpr int known_to_all = 32;  // members; of larger ones the first member alone says who they are

SpinLock counters_lock;
std::map<std::string, std::uint64_t>& counters() {
  static auto* const all = new std::map<std::string, std::uint64_t>;
  return *all;
}

std::string text_of(const std::vector<int>& ranks) {
  std::string text;
  for (const int rank : ranks) text += (text.empty() ? "" : ",") + std::to_string(rank);
  return text;
}

Numbers numbers(const std::vector<int>& ranks) { return {ranks.begin(), ranks.end()}; }

// A short text for a long one; the same in every process.
std::string digest(const std::string& text) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
  return hex;
}

bool all_known(const std::vector<int>& ranks) {
  return !ranks.empty() && std::none_of(ranks.begin(), ranks.end(), [](int r) { return r == MPI_UNDEFINED; });
}

std::vector<int> members(MPI_Comm comm, bool remote, int limit) {
  MPI_Group group{};
  if ((remote ? real::Comm_remote_group(comm, &group) : real::Comm_group(comm, &group)) != MPI_SUCCESS) return {};
  std::vector<int> ranks = world_ranks(group, limit);
  real::Group_free(&group);
  return ranks;
}

void note_error_handler(Comm& comm) {
  MPI_Errhandler handler{};
  if (real::Comm_get_errhandler(comm.handle, &handler) != MPI_SUCCESS) return;
  comm.returns_errors = handler != MPI_ERRORS_ARE_FATAL;
  if (handler != MPI_ERRHANDLER_NULL) real::Errhandler_free(&handler);
}

// `stem`: what the identity begins with. `meets`: of an inter-communicator whose groups have met in this call; each has
// an identity of its own for it. Null if its processes are not all of this MPI_COMM_WORLD.
Comm* define_comm(MPI_Comm handle, const std::string& stem, const Comm* parent, const MeetsLine* meets = nullptr,
                  const std::string& name_otherwise = {}) {
  auto* const comm = new Comm;
  comm->handle = handle;
  int inter = 0;
  real::Comm_size(handle, &comm->size);
  real::Comm_rank(handle, &comm->rank);
  real::Comm_test_inter(handle, &inter);
  comm->inter = inter != 0;
  const bool all = comm->size <= known_to_all || comm->rank == 0 || comm->inter;
  const std::vector<int> local = members(handle, false, all ? comm->size : 1);
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  real::Comm_get_name(handle, name, &length);
  const std::string its_name = name[0] != '\0' ? name : name_otherwise;
  const auto parent_number = parent == nullptr ? std::nullopt : std::optional(parent->number);
  if (!all_known(local)) {
    delete comm;
    return nullptr;
  }
  if (comm->inter) {
    real::Comm_remote_size(handle, &comm->remote_size);
    std::vector<int> a = local, b = members(handle, true, comm->remote_size);
    if (!all_known(b)) {
      delete comm;
      return nullptr;
    }
    if (b.front() < a.front()) std::swap(a, b);  // both sides use the same order
    comm->identity = stem + "/" +
                     (meets != nullptr ? std::to_string(local.front())
                                       : std::to_string(a.front()) + "-" + std::to_string(b.front()) + ":" +
                                             digest(text_of(a) + "-" + text_of(b)));
    comm->number = next_comm_number();
    define(InterLine{.number = comm->number,
                     .identity = comm->identity,
                     .name = its_name,
                     .parent = parent_number,
                     .members = numbers(a),
                     .members_b = numbers(b)});
    if (meets != nullptr) {
      MeetsLine line = *meets;
      line.comm = comm->number;
      define(line);
    }
  } else {
    comm->identity = stem.size() == 1 ? stem : stem + "/" + std::to_string(local.front());
    comm->number = next_comm_number();
    define(CommLine{.number = comm->number,
                    .identity = comm->identity,
                    .name = its_name,
                    .parent = parent_number,
                    .size = static_cast<std::uint64_t>(comm->size),
                    .rank = static_cast<std::uint64_t>(comm->rank),
                    .members = all ? numbers(local) : Numbers{}});
  }
  note_error_handler(*comm);
  comms.add(key_of(handle), comm);
  follow(handle, comm->number);
  return comm;
}

void made_of(MpiCall& c, Comm* parent, const MPI_Comm* made, const std::string& stem, bool end_on_made = false,
             const MeetsLine* meets = nullptr) {
  Comm* const comm = *made == MPI_COMM_NULL ? nullptr : define_comm(*made, stem, parent, meets);
  if (comm != nullptr) c.t.record(OTF2_EvtWriter_CommCreate, c.end, comm->number);
  const Comm* const where = end_on_made && comm != nullptr ? comm : parent;
  if (where != nullptr)
    c.t.record(OTF2_EvtWriter_MpiCollectiveEnd, c.end, OTF2_COLLECTIVE_OP_CREATE_HANDLE, where->number, undefined, 0,
               0);
}

}  // namespace

std::vector<int> world_ranks(MPI_Group group, int limit) {
  int size = 0;
  MPI_Group all{};
  real::Group_size(group, &size);
  size = std::min(size, limit);
  std::vector<int> from(static_cast<std::size_t>(size)), to(from.size(), MPI_UNDEFINED);
  for (int i = 0; i < size; ++i) from[static_cast<std::size_t>(i)] = i;
  if (size == 0 || !find_world_group(all)) return to;
  real::Group_translate_ranks(group, size, from.data(), all, to.data());
  real::Group_free(&all);
  return to;
}

std::uint32_t define_group(MPI_Group group) {
  static SpinLock lock;
  static auto* const known = new std::map<std::vector<int>, std::uint32_t>;
  int size = 0;
  real::Group_size(group, &size);
  std::vector<int> ranks = world_ranks(group, size);
  std::erase(ranks, MPI_UNDEFINED);
  const std::lock_guard guard(lock);
  const auto [place, added] = known->try_emplace(ranks, static_cast<std::uint32_t>(known->size()));
  if (added) define(GroupLine{.number = place->second, .ranks = numbers(ranks)});
  return place->second;
}

void define_predefined_comms() {
  define_comm(MPI_COMM_WORLD, "W", nullptr);
  define_comm(MPI_COMM_SELF, "S", nullptr);
}

Comm* world() {
  static Comm* const known = find_comm(MPI_COMM_WORLD);
  return known;
}

void creates(MpiCall& c, MPI_Comm parent) {
  c.comm = find_comm(parent);
  if (c.comm == nullptr) return;
  c.number = c.comm->created++;
  c.record_anyway();
  c.t.record(OTF2_EvtWriter_MpiCollectiveBegin, c.begin);
  c.wait_for(Waiting::What::collective, c.comm->number);
}

void created(MpiCall& c, MPI_Comm, const MPI_Comm* made) {
  if (c.comm != nullptr) made_of(c, c.comm, made, c.comm->identity + "." + std::to_string(c.number));
}

void creates_group(MpiCall& c, MPI_Comm parent, MPI_Group group, int tag) {
  int own = MPI_UNDEFINED;
  real::Group_rank(group, &own);
  c.comm = own == MPI_UNDEFINED ? nullptr : find_comm(parent);
  if (c.comm == nullptr) return;
  c.number = static_cast<std::uint64_t>(tag);
  c.record_anyway();
  c.t.record(OTF2_EvtWriter_MpiCollectiveBegin, c.begin);
  c.wait_for(Waiting::What::collective, c.comm->number);
}

void created_group(MpiCall& c, MPI_Comm, const MPI_Comm* made) {
  if (c.comm == nullptr || *made == MPI_COMM_NULL) return;
  // Its members alone called, so they alone have counted: by tag and members.
  int size = 0;
  real::Comm_size(*made, &size);
  const std::string of_members =
      c.comm->identity + ".g" + std::to_string(c.number) + ":" + digest(text_of(members(*made, false, size))) + ".";
  made_of(c, c.comm, made, of_members + std::to_string(count_of(of_members)), true);
}

// The communicator in which the leaders meet, and who the other one is, are known to them alone.
void created_inter(MpiCall& c, MPI_Comm, int leader, MPI_Comm peer, int other, int tag, const MPI_Comm* made) {
  if (c.comm == nullptr) return;
  MeetsLine meets{.comm = 0, .tag = tag, .peer = {}, .leader = process_rank(), .other = 0, .thread = c.t.number};
  if (const Comm* const met_in = c.comm->rank == leader ? find_comm(peer) : nullptr) {
    meets.peer = met_in->identity;
    meets.other = static_cast<std::uint64_t>(world_rank(*met_in, other));
  }
  made_of(c, c.comm, made, c.comm->identity + "." + std::to_string(c.number), false, &meets);
}

namespace {

// Groups of sessions have no communicator in common: a communicator made of one is known by its tag and members.
void made_from_groups(MpiCall& c, const std::string& what, const std::string& members, const char* tag,
                      const MPI_Comm* made) {
  if (*made == MPI_COMM_NULL) return;
  const std::string stem = what + ":" + digest(std::string(tag) + " " + members) + ".";
  Comm* const comm = define_comm(*made, stem + std::to_string(count_of(stem)), nullptr, nullptr, tag);
  if (comm == nullptr) return;
  c.t.record(OTF2_EvtWriter_CommCreate, c.end, comm->number);
  c.t.record(OTF2_EvtWriter_MpiCollectiveEnd, c.end, OTF2_COLLECTIVE_OP_CREATE_HANDLE, comm->number, undefined, 0, 0);
}

std::string members_of(MPI_Group group) {
  int size = 0;
  real::Group_size(group, &size);
  return text_of(world_ranks(group, size));
}

}  // namespace

void creates_from_group(MpiCall& c, MPI_Group group) {
  int own = MPI_UNDEFINED;
  real::Group_rank(group, &own);
  c.has_outcome = own != MPI_UNDEFINED;
  if (!c.has_outcome) return;
  c.record_anyway();
  c.t.record(OTF2_EvtWriter_MpiCollectiveBegin, c.begin);
}

void created_from_group(MpiCall& c, MPI_Group group, const char* tag, const MPI_Comm* made) {
  made_from_groups(c, "G", members_of(group), tag, made);
}

void created_from_groups(MpiCall& c, MPI_Group local, MPI_Group remote, const char* tag, const MPI_Comm* made) {
  std::string a = members_of(local), b = members_of(remote);
  if (b < a) std::swap(a, b);
  made_from_groups(c, "J", a + "-" + b, tag, made);
}

Comm* alias_of(const Comm& comm, const std::string& what, const std::string& name) {
  auto* const alias = new Comm;
  alias->number = next_comm_number();
  alias->identity = comm.identity + "." + what;
  alias->size = comm.size;
  alias->rank = comm.rank;
  alias->remote_size = comm.remote_size;
  alias->inter = comm.inter;
  alias->handle = comm.handle;
  define(AliasLine{.number = alias->number, .identity = alias->identity, .name = name, .comm = comm.number});
  return alias;
}

int world_rank(const Comm& comm, int rank) {
  const std::vector<int> ranks = members(comm.handle, comm.inter, rank + 1);
  return rank >= 0 && static_cast<std::size_t>(rank) < ranks.size() ? ranks.back() : MPI_UNDEFINED;
}

std::uint64_t count_of(const std::string& key) {
  const std::lock_guard guard(counters_lock);
  return counters()[key]++;
}

void placed(MpiCall&, const MPI_Comm* made) {
  const Comm* const comm = *made == MPI_COMM_NULL ? nullptr : find_comm(*made);
  int dimensions = 0;
  if (comm == nullptr || real::Cartdim_get(*made, &dimensions) != MPI_SUCCESS || dimensions <= 0) return;
  const auto n = static_cast<std::size_t>(dimensions);
  std::vector<int> sizes(n), periodic(n), own(n);
  if (real::Cart_get(*made, dimensions, sizes.data(), periodic.data(), own.data()) != MPI_SUCCESS) return;
  define(CartLine{.comm = comm->number,
                  .sizes = numbers(sizes),
                  .periodic = numbers(periodic),
                  .coordinates = numbers(own),
                  .rank = static_cast<std::uint32_t>(comm->rank)});
}

void connected(MpiCall&, const MPI_Comm* made) {
  const Comm* const comm = *made == MPI_COMM_NULL ? nullptr : find_comm(*made);
  if (comm == nullptr) return;
  int kind = MPI_UNDEFINED, in = 0, out = 0, weighted = 0;
  real::Topo_test(*made, &kind);
  std::vector<int> sources, targets, weights, target_weights;
  if (kind == MPI_GRAPH && real::Graph_neighbors_count(*made, comm->rank, &in) == MPI_SUCCESS) {
    sources.resize(static_cast<std::size_t>(in));
    real::Graph_neighbors(*made, comm->rank, in, sources.data());
  } else if (kind == MPI_DIST_GRAPH && real::Dist_graph_neighbors_count(*made, &in, &out, &weighted) == MPI_SUCCESS) {
    sources.resize(static_cast<std::size_t>(in));
    targets.resize(static_cast<std::size_t>(out));
    weights.resize(sources.size() + 1);
    target_weights.resize(targets.size() + 1);
    real::Dist_graph_neighbors(*made, in, sources.data(), weights.data(), out, targets.data(), target_weights.data());
  } else {
    return;
  }
  std::erase(sources, MPI_PROC_NULL);
  define(SourcesLine{.comm = comm->number, .sources = numbers(sources)});
}

void starts_dup(MpiCall& c, MPI_Comm parent, MPI_Comm* made) {
  Comm* const known = find_comm(parent);
  if (known == nullptr) return;
  Operation& o = c.operation.emplace();
  o.kind = Operation::Kind::duplicate;
  o.comm = known;
  o.number = known->created++;
  o.made = made;
  o.id = c.new_id();
  c.record_anyway();
  c.t.record(OTF2_EvtWriter_NonBlockingCollectiveRequest, c.begin, o.id);
}

void duplicated(MpiCall& c, const Operation& o) {
  Comm* const comm = define_comm(*o.made, o.comm->identity + "." + std::to_string(o.number), o.comm);
  if (comm != nullptr) c.t.record(OTF2_EvtWriter_CommCreate, c.end, comm->number);
  c.t.record(OTF2_EvtWriter_NonBlockingCollectiveComplete, c.end, OTF2_COLLECTIVE_OP_CREATE_HANDLE, o.comm->number,
             undefined, 0, 0, o.id);
}

void destroys(MpiCall& c, const MPI_Comm* comm) {
  c.comm = comms.remove(key_of(*comm));
  if (c.comm == nullptr) return;
  c.record_anyway();
  c.t.record(OTF2_EvtWriter_MpiCollectiveBegin, c.begin);
  forget_comm(c.t, c.begin, c.comm->number);
  c.wait_for(Waiting::What::collective, c.comm->number);
}

void destroyed(MpiCall& c) {
  if (c.comm == nullptr) return;
  c.t.record(OTF2_EvtWriter_CommDestroy, c.end, c.comm->number);
  c.t.record(OTF2_EvtWriter_MpiCollectiveEnd, c.end, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, c.comm->number, undefined, 0,
             0);
}

void named(MpiCall&, MPI_Comm comm, const char* name) {
  if (const Comm* const known = find_comm(comm))
    define(NameLine{.kind = ObjectKind::comm, .object = known->number, .name = name});
}

void handles_errors(MpiCall&, MPI_Comm comm) {
  if (Comm* const known = find_comm(comm)) note_error_handler(*known);
}

}  // namespace waitstate::record::mpi
