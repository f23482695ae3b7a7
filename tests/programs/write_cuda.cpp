// Writes the trace of a program that never ran: a host thread and two streams of an accelerator, with the records that
// CUDA recorders write. Kernels are regions of their stream's location, copies one-sided operations between stream and
// host in a window over all of them, and calls of the driver regions of the host. As nothing is measured, every wait is
// exactly what traces/cuda_waits/MANIFEST.md says. All times are in milliseconds here; a tick is a nanosecond.
//
//   g++ -std=c++20 -I /usr/include/otf2 write_cuda.cpp -lopen-trace-format2 -o write_cuda && ./write_cuda NEW_FOLDER
#include <otf2/otf2.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t ms = 1000000, begin_of_run = 1000 * ms, call = ms / 100;  // a call that does not wait
constexpr OTF2_LocationRef host = 0, streams[] = {std::uint64_t{1} << 32, std::uint64_t{2} << 32};
constexpr OTF2_RmaWinRef window = 0;

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

class Program {
 public:
  explicit Program(OTF2_Archive* archive) : archive_(archive) {
    OTF2_Archive_OpenEvtFiles(archive);
    writers_ = {OTF2_Archive_GetEvtWriter(archive, host), OTF2_Archive_GetEvtWriter(archive, streams[0]),
                OTF2_Archive_GetEvtWriter(archive, streams[1])};
    enter("main");
    for (OTF2_EvtWriter* w : writers_) OTF2_EvtWriter_RmaWinCreate(w, nullptr, now_, window);
  }

  // ---- the parts of situations ----

  void function(const char* name, void (Program::*body)()) {
    enter(name);
    (this->*body)();
    work(1);
    leave(name);
  }
  void work(std::uint64_t t) { in("work", t * ms); }
  /// Returns when the kernel ends, which begins when the stream is free.
  std::uint64_t kernel(std::size_t stream, const char* name, std::uint64_t t) {
    in("cuLaunchKernel", call);
    const std::uint64_t begin = std::max(now_, free_[stream]), end = begin + t * ms;
    OTF2_EvtWriter_Enter(writers_[stream + 1], nullptr, begin, region(name));
    OTF2_EvtWriter_Leave(writers_[stream + 1], nullptr, end, region(name));
    return free_[stream] = end;
  }
  std::uint64_t copy(std::size_t stream, bool to_device, std::uint64_t t) {
    const std::uint64_t begin = std::max(now_, free_[stream]), end = begin + t * ms, bytes = t << 20;
    OTF2_EvtWriter* const w = writers_[stream + 1];
    to_device ? OTF2_EvtWriter_RmaGet(w, nullptr, begin, window, 0, bytes, 42)
              : OTF2_EvtWriter_RmaPut(w, nullptr, begin, window, 0, bytes, 42);
    OTF2_EvtWriter_RmaOpCompleteBlocking(w, nullptr, end, window, 42);
    return free_[stream] = end;
  }
  void copy_asynchronously(std::size_t stream, bool to_device, std::uint64_t t) {
    in(to_device ? "cuMemcpyHtoDAsync_v2" : "cuMemcpyDtoHAsync_v2", call);
    copy(stream, to_device, t);
  }
  /// A call that lasts until then, or as long as any call if that is over.
  void wait(const char* name, std::uint64_t until) { in(name, until > now_ ? until - now_ : call); }

  // ---- the situations ----

  void kernel_is_late() {  // 20 ms, 5 of them while the host works
    const std::uint64_t end = kernel(0, "late_kernel", 20);
    work(5);
    wait("cuCtxSynchronize", end);
  }
  void kernel_is_early() {
    const std::uint64_t end = kernel(0, "early_kernel", 20);
    work(30);
    wait("cuCtxSynchronize", end);
  }
  void two_streams() {  // the longer one is waited for
    kernel(0, "short_kernel", 10);
    wait("cuCtxSynchronize", kernel(1, "long_kernel", 25));
  }
  void one_after_the_other() {  // on one stream: the second begins when the first has ended
    kernel(0, "first_kernel", 10);
    wait("cuStreamSynchronize", kernel(0, "second_kernel", 15));
  }
  void blocking_copy() {  // waits for the kernel before it on its stream, and for itself
    kernel(0, "producer", 10);
    wait("cuMemcpyDtoH_v2", copy(0, false, 8));
  }
  void copy_beside_work() {
    copy_asynchronously(1, true, 8);
    work(12);
    wait("cuStreamSynchronize", free_[1]);
  }
  void copy_is_late() {
    copy_asynchronously(1, true, 8);
    work(3);
    wait("cuStreamSynchronize", free_[1]);
  }

  void finish() {
    for (OTF2_EvtWriter* w : writers_) OTF2_EvtWriter_RmaWinDestroy(w, nullptr, now_, window);
    leave("main");
    for (OTF2_EvtWriter* w : writers_) {
      std::uint64_t events = 0;
      OTF2_EvtWriter_GetNumberOfEvents(w, &events);
      events_.push_back(events);
      OTF2_Archive_CloseEvtWriter(archive_, w);
    }
    OTF2_Archive_CloseEvtFiles(archive_);
    write_definitions();
  }

 private:
  void enter(const std::string& name) { OTF2_EvtWriter_Enter(writers_[0], nullptr, now_, region(name)); }
  void leave(const std::string& name) { OTF2_EvtWriter_Leave(writers_[0], nullptr, now_, region(name)); }
  void in(const std::string& name, std::uint64_t ticks) {
    enter(name);
    now_ += ticks;
    leave(name);
  }
  OTF2_RegionRef region(const std::string& name) {
    return regions_.try_emplace(name, static_cast<OTF2_RegionRef>(regions_.size())).first->second;
  }
  OTF2_StringRef string(const std::string& text) {
    const auto [place, added] = strings_.try_emplace(text, static_cast<OTF2_StringRef>(strings_.size()));
    if (added) OTF2_GlobalDefWriter_WriteString(global_, place->second, text.c_str());
    return place->second;
  }

  void write_definitions() {
    OTF2_Archive_OpenDefFiles(archive_);
    for (const OTF2_LocationRef l : {host, streams[0], streams[1]})
      OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, l));
    OTF2_Archive_CloseDefFiles(archive_);
    global_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    OTF2_GlobalDefWriter_WriteClockProperties(global_, 1000000000, begin_of_run, now_ - begin_of_run,
                                              OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteParadigm(global_, OTF2_PARADIGM_CUDA, string("CUDA"), OTF2_PARADIGM_CLASS_ACCELERATOR);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(global_, 0, string("machine"), string("machine"),
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteLocationGroup(global_, 0, string("Process"), OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(global_, host, string("Master thread"), OTF2_LOCATION_TYPE_CPU_THREAD,
                                       events_[0], 0);
    OTF2_GlobalDefWriter_WriteLocation(global_, streams[0], string("CUDA[0:7]"), OTF2_LOCATION_TYPE_ACCELERATOR_STREAM,
                                       events_[1], 0);
    OTF2_GlobalDefWriter_WriteLocation(global_, streams[1], string("CUDA[0:13]"), OTF2_LOCATION_TYPE_ACCELERATOR_STREAM,
                                       events_[2], 0);
    const OTF2_StringRef none = string("");
    for (const auto& [name, number] : regions_) {
      const bool driver = name.starts_with("cu"),
                 kernel = name.find("kernel") != std::string::npos || name == "producer";
      const bool function = name.starts_with("kernel_is");
      OTF2_GlobalDefWriter_WriteRegion(
          global_, number, string(name), string(name), none,
          driver ? OTF2_REGION_ROLE_WRAPPER : OTF2_REGION_ROLE_FUNCTION,
          driver || (kernel && !function) ? OTF2_Paradigm{OTF2_PARADIGM_CUDA} : OTF2_Paradigm{OTF2_PARADIGM_USER},
          OTF2_REGION_FLAG_NONE, none, 0, 0);
    }
    const std::uint64_t locations[] = {host, streams[0], streams[1]}, ranks[] = {0, 1, 2};
    OTF2_GlobalDefWriter_WriteGroup(global_, 0, none, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_CUDA,
                                    OTF2_GROUP_FLAG_NONE, 3, locations);
    OTF2_GlobalDefWriter_WriteGroup(global_, 1, string("CUDA_GROUP"), OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_CUDA,
                                    OTF2_GROUP_FLAG_NONE, 3, ranks);
    OTF2_GlobalDefWriter_WriteComm(global_, 0, none, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteRmaWin(global_, window, string("CUDA_WINDOW"), 0,
                                     OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
  }

  OTF2_Archive* archive_;
  OTF2_GlobalDefWriter* global_ = nullptr;
  std::vector<OTF2_EvtWriter*> writers_;
  std::vector<std::uint64_t> events_;
  std::map<std::string, OTF2_RegionRef> regions_;
  std::map<std::string, OTF2_StringRef> strings_;
  std::uint64_t now_ = begin_of_run, free_[2] = {begin_of_run, begin_of_run};
};

}  // namespace

int main(int argc, char** argv) {
  OTF2_Archive* const archive = argc == 2
                                    ? OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1024 * 1024,
                                                        4 * 1024 * 1024, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)
                                    : nullptr;
  if (archive == nullptr) {
    std::fprintf(stderr, "usage: %s NEW_FOLDER\n", argv[0]);
    return 2;
  }
  static const OTF2_FlushCallbacks flush = {flush_always, nullptr};
  OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_SetCreator(archive, "waitstate write_cuda");
  Program program(archive);
  program.function("kernel_is_late", &Program::kernel_is_late);
  program.function("kernel_is_early", &Program::kernel_is_early);
  program.function("two_streams", &Program::two_streams);
  program.function("one_after_the_other", &Program::one_after_the_other);
  program.function("blocking_copy", &Program::blocking_copy);
  program.function("copy_beside_work", &Program::copy_beside_work);
  program.function("copy_is_late", &Program::copy_is_late);
  program.finish();
  OTF2_Archive_Close(archive);
}
