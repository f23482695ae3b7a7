// Communicators: their identities, without a message, and the calls that make and free them.
//
// Every member of a communicator calls the functions that make one of it, in the same order; so "the third one made of
// W" is the same for all: W.2/f, where f, the rank in MPI_COMM_WORLD of its first member, tells the parts of a split
// apart. MPI_Comm_create_group is called by the members alone: tag, members and how often are its identity. Two groups
// that become an inter-communicator each have an identity for it, made of their own communicator; merging finds out
// which two are one (archive/identities). Handles are used again after MPI_Comm_free; identities are not.
#pragma once

#include "record/mpi/call.hpp"
#include "record/mpi/handles.hpp"

namespace waitstate::record::mpi {

extern HandleTable<Comm> comms;
extern MPI_Comm own_comm;  ///< the recorder's duplicate of MPI_COMM_WORLD, while something is recorded
inline Comm* find_comm(MPI_Comm handle) { return comms.find(key_of(handle)); }

/// MPI_COMM_WORLD and MPI_COMM_SELF; after MPI_Init.
void define_predefined_comms();
/// Ranks in MPI_COMM_WORLD; MPI_UNDEFINED for processes that are not in it.
std::vector<int> world_ranks(MPI_Group group, int limit);
std::uint32_t define_group(MPI_Group group);
Comm* world();
/// A new communicator for records, with the members of that one; see AliasLine. `what`: unique among those of `comm`,
/// and the same in all processes that use it.
Comm* alias_of(const Comm& comm, const std::string& what, const std::string& name);
/// Rank in MPI_COMM_WORLD of whom a rank means in calls on the communicator; MPI_UNDEFINED for nobody in it.
int world_rank(const Comm& comm, int rank);
/// How often it was asked for this key before.
std::uint64_t count_of(const std::string& key);

/// A communicator that is made of `parent` by all of its members.
void creates(MpiCall& c, MPI_Comm parent);
void created(MpiCall& c, MPI_Comm parent, const MPI_Comm* made);
void creates_group(MpiCall& c, MPI_Comm parent, MPI_Group group, int tag);
void created_group(MpiCall& c, MPI_Comm parent, const MPI_Comm* made);
void created_inter(MpiCall& c, MPI_Comm local, int leader, MPI_Comm peer, int other, int tag, const MPI_Comm* made);
/// A communicator that the members of a group of a session make, or an inter-communicator of two such groups.
void creates_from_group(MpiCall& c, MPI_Group group);
void created_from_group(MpiCall& c, MPI_Group group, const char* tag, const MPI_Comm* made);
void created_from_groups(MpiCall& c, MPI_Group local, MPI_Group remote, const char* tag, const MPI_Comm* made);
void placed(MpiCall& c, const MPI_Comm* made);
/// The neighbours of a graph.
void connected(MpiCall& c, const MPI_Comm* made);
void starts_dup(MpiCall& c, MPI_Comm parent, MPI_Comm* made);
void duplicated(MpiCall& c, const Operation& operation);
void destroys(MpiCall& c, const MPI_Comm* comm);
void destroyed(MpiCall& c);
void named(MpiCall& c, MPI_Comm comm, const char* name);

/// The communicator has another error handler now.
void handles_errors(MpiCall& c, MPI_Comm comm);

}  // namespace waitstate::record::mpi
