// The transport by MPI; compiled once for each MPI, as a library that is loaded where that MPI has started the program.
//
// Sends are synchronous: they are complete when the other peer has begun to receive them, so that a peer notices if it
// sends more than the other takes.
#include "peers/transport.hpp"

#include <mpi.h>

#include <list>
#include <utility>

namespace waitstate::peers {
namespace {

class MpiTransport final : public Transport {
 public:
  MpiTransport() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &on_this_machine_);
    MPI_Comm_free(&machine);
  }
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;
  ~MpiTransport() override {
    MPI_Comm_free(&comm_);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int on_this_machine() const override { return on_this_machine_; }

  void send(int to, std::vector<std::byte> bytes, std::function<void()> taken) override {
    Sent& sent = sent_.emplace_back(Sent{std::move(bytes), std::move(taken), MPI_REQUEST_NULL});
    MPI_Issend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE, to, 0, comm_, &sent.request);
    complete();
  }

  std::optional<Message> receive(int from) override {
    complete();
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(from == any ? MPI_ANY_SOURCE : from, 0, comm_, &there, &status);
    if (there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Message message{status.MPI_SOURCE, std::vector<std::byte>(static_cast<std::size_t>(size))};
    MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.from, 0, comm_, MPI_STATUS_IGNORE);
    return message;
  }

  bool all_taken() override {
    complete();
    return sent_.empty();
  }

 private:
  struct Sent {
    std::vector<std::byte> bytes;
    std::function<void()> taken;
    MPI_Request request;
  };

  void complete() {
    for (auto sent = sent_.begin(); sent != sent_.end();) {
      int done = 0;
      MPI_Test(&sent->request, &done, MPI_STATUS_IGNORE);
      if (done == 0) {
        ++sent;
        continue;
      }
      if (sent->taken) sent->taken();
      sent = sent_.erase(sent);
    }
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, on_this_machine_ = 1;
  std::list<Sent> sent_;
};

}  // namespace
}  // namespace waitstate::peers

extern "C" [[gnu::visibility("default")]] waitstate::peers::Transport* waitstate_make_transport() {
  int given = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS) return nullptr;
  if (given < MPI_THREAD_SERIALIZED) {
    MPI_Finalize();
    return nullptr;
  }
  return new waitstate::peers::MpiTransport;
}
