// The sums behind MpiAccount: what each MPI call depended on, and how the time in calls was spent.
//
// Whoever links a record says what its call depends on (depends()), or that the trace lacks what it depends on
// (lacks()). When nobody refers to the call any more, all of it is known, and its time is added to the sums of its call
// path and location: so nothing of a single call is kept longer than the call itself. Only if somebody wants accounts.
//
// Invariant: wait, transfer, local and what is unknown add up to the exclusive time of the calls, to the tick.
// Cost: a comparison per dependency, a hash look-up per call. Memory: 24 bytes a call that is open, and the sums.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "util/prefetch.hpp"
#include "waitstate/pattern/mpi_account.hpp"

namespace waitstate::link {

class CallAccounts {
 public:
  /// Why a dependency is not known.
  enum class Lack : std::uint8_t { partner, member, start, message };

  /// All that is known of a call so far; opaque to others, who put it back under another number.
  struct Account {
    Time until = 0;  ///< the latest dependency
    Ticks exclusive = 0;
    bool open = false, depends = false, polls = false;
    std::uint8_t lacks = 0;
  };

  /// Of the time in [from, to).
  CallAccounts(Time from, Time to) : from_(from), to_(to) {}

  /// A call gets that number: it has no account, unless open() follows.
  [[gnu::always_inline]] void add(std::uint32_t call) {  // it is on the way of every call with records
    if (calls_.size() <= call) [[unlikely]]
      grow(call);
    calls_[call] = {};
  }
  /// The call is accounted for. `exclusive`: ticks in it without callees.
  void open(std::uint32_t call, Ticks exclusive) { calls_[call] = {.exclusive = exclusive, .open = true}; }
  /// Asks for the memory of the call's account.
  void prefetch(std::uint32_t call) const { util::prefetch<true>(&calls_[call], sizeof(Account)); }
  /// The call could not return before.
  void depends(std::uint32_t call, Time until) {
    Account& a = calls_[call];
    if (!a.depends || until > a.until) a.until = until;
    a.depends = true;
  }
  /// A poll: what it asked for did not happen before. After that it depends on nobody.
  void polls(std::uint32_t call, Time until) {
    depends(call, until);
    calls_[call].polls = true;
  }
  /// `second` is accounted for together with `first`, which is extended over it.
  void join(std::uint32_t first, std::uint32_t second) {
    calls_[first].exclusive += calls_[second].exclusive;
    calls_[second].open = false;
  }
  void lacks(std::uint32_t call, Lack what) { calls_[call].lacks |= bit(what); }

  /// Adds the knowledge of another worker about the call.
  void add(std::uint32_t call, const Account& known) {
    if (known.depends) depends(call, known.until);
    calls_[call].lacks |= known.lacks;
  }
  /// Adds the sums of another worker.
  void join(CallAccounts& other);
  /// Brings the sums to the accounts of another process, which have none.
  template <class Archive>
  void travel(Archive& archive) {
    for (Pending& pending : pending_) add_up(pending);
    archive(sums_);
  }

  /// All of the call is known.
  void close(std::uint32_t number, const Call& call) {
    if (!calls_[number].open) return;
    settle(call, calls_[number]);
    calls_[number].open = false;
  }
  /// Calls that are still open have numbers below size().
  bool is_open(std::uint32_t call) const { return calls_[call].open; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(calls_.size()); }

  Ticks exclusive(std::uint32_t call) const { return calls_[call].exclusive; }
  Account get(std::uint32_t call) const { return calls_[call]; }
  void put(std::uint32_t call, const Account& account) { calls_[call] = account; }
  // Calls without a number.
  void add_lacking(const Call& call, Ticks exclusive, Lack what) {
    settle(call, {.exclusive = exclusive, .lacks = bit(what)});
  }
  void add_depending(const Call& call, Ticks exclusive, Time until) {
    settle(call, {.until = until, .exclusive = exclusive, .depends = true});
  }

  /// The sums, by call path and location.
  std::vector<MpiAccount> take();

 private:
  struct AccountKey {
    std::uint32_t callpath = 0, location = 0;
    bool operator==(const AccountKey&) const = default;
    std::uint64_t hash() const { return util::mixed(util::joined(location, callpath)); }
  };
  static std::uint8_t bit(Lack what) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(what)); }

  /// The part of a call's account that is still to be added to the sums.
  struct Pending {
    AccountKey key;
    Ticks wait = 0, rest = 0;
    Ticks MpiAccount::*rest_is = nullptr;  ///< null: nothing is
  };

  // By many at a time: as long as calls stay open, each new one has a number that there was not before.
  [[gnu::noinline]] void grow(std::uint32_t call) { calls_.resize(call / 1024 * 1024 + std::size_t{1024}); }
  void settle(const Call& call, const Account& account);
  void add_up(Pending& pending);

  const Time from_, to_;
  std::vector<Account> calls_;  ///< by number
  util::FlatMap<AccountKey, MpiAccount> sums_;
  // With many locations the sums are larger than the caches: a place is asked for, and looked at some calls later.
  std::array<Pending, 4> pending_;
  std::size_t next_pending_ = 0;
};

}  // namespace waitstate::link
