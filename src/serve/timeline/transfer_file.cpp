#include "serve/timeline/transfer_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <tuple>
#include <utility>

#include "waitstate/error.hpp"

namespace waitstate::serve {
namespace {

constexpr std::size_t records_at_a_time = 4096;

/// False, with errno, if it cannot be done.
bool write_all(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n, size -= static_cast<std::size_t>(n);
  }
  return true;
}

std::uint32_t at_most_32_bits(std::uint64_t bytes) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, ~std::uint32_t{0}));
}

}  // namespace

struct TransferWriter::Shared {
  int fd;
  std::mutex mutex;
  std::uint64_t count = 0;
  std::string error{};  ///< why the file is not complete
};

/// Several of them share the file; each keeps some records until it writes them together.
class TransferWriter::Log : public Pattern {
 public:
  static constexpr bool in_parts = true;

  explicit Log(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  PatternInfo info() const override {
    return {.metrics = {{.id = "serve_transfers",
                         .unit = Unit::occurrences,
                         .within_parent = false,
                         .title = "Transfers",
                         .summary = "Messages and one-sided transfers."}}};
  }
  void init(Context&) override {  // a trace with cancelled sends is read twice
    records_.clear();
    const std::lock_guard lock(shared_->mutex);
    shared_->count = 0;
    if (::ftruncate(shared_->fd, 0) != 0 || ::lseek(shared_->fd, 0, SEEK_SET) != 0) fail();
  }
  void completed_receives_callback(const CompletedReceives& receives, Context&) override {
    for (const Message& m : receives.messages)
      add({m.send_time, m.recv_time, m.sender.value, m.receiver.value, at_most_32_bits(m.bytes),
           TransferKind::message});
  }
  void rma_operation_callback(const RmaOperation& r, Context&) override {
    if (!r.target.valid()) return;
    const bool is_get = r.kind == RmaOperationKind::get;
    add({r.start, r.completion, (is_get ? r.target : r.origin).value, (is_get ? r.origin : r.target).value,
         at_most_32_bits(is_get ? r.bytes_got : r.bytes_put),
         is_get                            ? TransferKind::get
         : r.kind == RmaOperationKind::put ? TransferKind::put
                                           : TransferKind::atomic});
  }
  void merge(Pattern& other) override { static_cast<Log&>(other).write(); }
  void wrapup(Context&) override { write(); }

 private:
  void add(const TransferRecord& record) {
    records_.push_back(record);
    if (records_.size() == records_at_a_time) write();
  }
  void write() {
    const std::lock_guard lock(shared_->mutex);
    shared_->count += records_.size();
    if (shared_->count > most)
      shared_->error = fmt::format("the trace has more than {} messages and one-sided transfers", most);
    if (shared_->error.empty() && !write_all(shared_->fd, reinterpret_cast<const char*>(records_.data()),
                                             records_.size() * sizeof(TransferRecord)))
      fail();
    records_.clear();
  }
  void fail() { shared_->error = fmt::format("the messages cannot be written: {}", std::strerror(errno)); }

  std::shared_ptr<Shared> shared_;
  std::vector<TransferRecord> records_;
};

PatternHandle TransferWriter::pattern() {
  shared_ = std::make_shared<Shared>();
  shared_->fd = fd_;
  return make_pattern<Log>(shared_);
}

void TransferWriter::finish() {
  if (!shared_->error.empty()) throw OutputError(shared_->error);
  const std::size_t size = shared_->count * sizeof(TransferRecord);
  if (size == 0) return;
  void* const bytes = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (bytes == MAP_FAILED)
    throw OutputError(fmt::format("the transfers cannot be put into order: {}", std::strerror(errno)));
  const std::span records(static_cast<TransferRecord*>(bytes), shared_->count);
  const auto key = [](const TransferRecord& r) { return std::tuple(r.to, r.begin, r.end, r.from, r.kind, r.bytes); };
  std::sort(records.begin(), records.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  ::munmap(bytes, size);
}

TransferFile::TransferFile(const std::string& path, std::size_t locations)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), begin_of_(locations + 1), longest_of_(locations) {
  struct stat status {};
  if (!file_.is_open() || ::fstat(file_.get(), &status) != 0)
    throw OutputError(fmt::format("the transfers cannot be read: {}", std::strerror(errno)));
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ % sizeof(TransferRecord) != 0) throw OutputError("the file of transfers is not complete");
  if (size_ != 0) {
    bytes_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_.get(), 0);
    if (bytes_ == MAP_FAILED) {
      bytes_ = nullptr;
      throw OutputError(fmt::format("the transfers cannot be read: {}", std::strerror(errno)));
    }
    records_ = {static_cast<const TransferRecord*>(bytes_), size_ / sizeof(TransferRecord)};
  }
  std::size_t l = 0;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const TransferRecord& r = records_[i];
    if (r.to >= locations || r.from >= locations || r.to + std::size_t{1} < l)
      throw OutputError("the transfers do not belong to this trace");
    while (l <= r.to) begin_of_[l++] = i;
    if (r.end > r.begin) longest_of_[r.to] = std::max(longest_of_[r.to], r.end - r.begin);
  }
  while (l <= locations) begin_of_[l++] = records_.size();
}

TransferFile::~TransferFile() {
  if (bytes_ != nullptr) ::munmap(bytes_, size_);
}

std::span<const TransferRecord> TransferFile::around(LocationId to_location, Time from, Time to) const {
  const std::size_t l = to_location.index();
  const auto all = records_.subspan(begin_of_[l], begin_of_[l + 1] - begin_of_[l]);
  const Time longest = longest_of_[l], earliest = from > longest ? from - longest : 0;
  const auto begin = std::partition_point(all.begin(), all.end(), [&](const auto& r) { return r.begin < earliest; });
  // A clock error may put its end before its begin: then it is found if its begin lies in the time.
  const auto end = std::partition_point(begin, all.end(), [&](const auto& r) { return r.begin < to; });
  return {begin, end};
}

}  // namespace waitstate::serve
