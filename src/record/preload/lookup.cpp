// Functions of MPI that a program looks up by itself, in a library that it has opened: dlsym(library, "MPI_Send"), as
// Julia, ctypes of Python, and loaders of several MPIs do. It gets the recorder's function of that name instead.
//
// This library has a function `dlsym` for that, and is loaded only into programs whose MPI is not there when they
// start. What dlsym() finds for RTLD_NEXT depends on who calls it. So the function is no ordinary one: it asks find()
// for a replacement, and if there is none, which is so for every name that is not one of MPI's, jumps to the C
// library's function with registers and stack as they were, as if it had been called at once.
//
// A library that has functions of MPI of its own - a tool, or the recorder - means the ones behind it, and gets them:
// else its function and the recorder's would call each other without end.
#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstring>

#ifdef __x86_64__

namespace {

using Lookup = void*(void*, const char*);

const char* file_of(const void* address) {
  Dl_info about{};
  return address == nullptr || dladdr(address, &about) == 0 ? nullptr : about.dli_fname;
}

bool is_recorder(const char* file) {
  const char* const slash = std::strrchr(file, '/');
  return std::strncmp(slash == nullptr ? file : slash + 1, "libwaitstate-record-", 20) == 0;
}

bool is_of_mpi(const char* name) {
  return name != nullptr && std::strncmp(*name == 'P' ? name + 1 : name, "MPI_", 4) == 0;
}

Lookup* look_up() {
  static std::atomic<Lookup*> known{nullptr};
  Lookup* found = known.load(std::memory_order_acquire);
  for (const char* const version : {"GLIBC_2.34", "GLIBC_2.2.5"})
    if (found == nullptr) found = reinterpret_cast<Lookup*>(dlvsym(RTLD_NEXT, "dlsym", version));
  known.store(found, std::memory_order_release);
  return found;
}

bool has_function_of_its_own(const char* file, const char* name) {
  void* const object = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) return false;
  const char* const defined_in = file_of(look_up()(object, name));
  dlclose(object);
  return defined_in != nullptr && std::strcmp(defined_in, file) == 0;
}

}  // namespace

extern "C" {

__attribute__((visibility("hidden"), used)) Lookup* waitstate_next_lookup = nullptr;

// The recorder's function of that name; null if the C library is to say what the name means.
__attribute__((visibility("hidden"), used)) void* waitstate_find(void* library, const char* name, void* caller) {
  __atomic_store_n(&waitstate_next_lookup, look_up(), __ATOMIC_RELEASE);
  if (library == RTLD_DEFAULT || library == RTLD_NEXT || !is_of_mpi(name)) return nullptr;
  if (look_up()(library, "PMPI_Get_library_version") == nullptr || look_up()(library, name) == nullptr) return nullptr;
  void* const own = look_up()(RTLD_DEFAULT, name);
  const char *const own_file = file_of(own), *const asks = file_of(caller);
  if (own_file == nullptr || !is_recorder(own_file)) return nullptr;
  if (asks == nullptr || is_recorder(asks) || has_function_of_its_own(asks, name)) return nullptr;
  return own;
}

}  // extern "C"

// The stack has the return address, which says who calls; it is aligned before the call of waitstate_find.
asm(R"(
  .text
  .globl dlsym
  .type dlsym, @function
dlsym:
  .cfi_startproc
  endbr64
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  movq 24(%rsp), %rdx
  call waitstate_find
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  testq %rax, %rax
  jne 1f
  jmp *waitstate_next_lookup(%rip)
1:
  ret
  .cfi_endproc
  .size dlsym, .-dlsym
)");

#endif
