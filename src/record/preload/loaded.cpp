#include "record/preload/loaded.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace waitstate::record::preload {
namespace {

// Made with the recorders; empty where this waitstate is built without one.
const char* const later_of_openmpi[] = {
#ifdef WAITSTATE_LATER_OPENMPI
#include WAITSTATE_LATER_OPENMPI
#endif
    nullptr};
const char* const later_of_mpich[] = {
#ifdef WAITSTATE_LATER_MPICH
#include WAITSTATE_LATER_MPICH
#endif
    nullptr};

const char* base_of(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

bool begins(const char* text, const char* with) { return std::strncmp(text, with, std::strlen(with)) == 0; }

template <class... Names>
bool begins_any(const char* text, Names... with) {
  return (begins(text, with) || ...);
}

// Tables of an object that say which symbols it takes from others.
struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * lists[2] = {};
  std::size_t sizes[2] = {};
  std::size_t relative = 0;  // leading entries of the second list without a symbol

  explicit Tables(const dl_phdr_info& object) {
    const ElfW(Dyn)* entry = nullptr;
    for (int i = 0; i < object.dlpi_phnum; ++i)
      if (object.dlpi_phdr[i].p_type == PT_DYNAMIC)
        entry = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
    if (entry == nullptr) return;
    std::size_t size_of_entry = sizeof(ElfW(Rela));
    bool with_addends = true;
    for (; entry->d_tag != DT_NULL; ++entry) {
      // The loader has made addresses of most, but not of the kernel's own object.
      const ElfW(Addr) value = entry->d_un.d_ptr;
      const ElfW(Addr) address = value < object.dlpi_addr ? value + object.dlpi_addr : value;
      switch (entry->d_tag) {
        case DT_SYMTAB:
          symbols = reinterpret_cast<const ElfW(Sym)*>(address);
          break;
        case DT_STRTAB:
          names = reinterpret_cast<const char*>(address);
          break;
        case DT_JMPREL:
          lists[0] = reinterpret_cast<const ElfW(Rela)*>(address);
          break;
        case DT_PLTRELSZ:
          sizes[0] = entry->d_un.d_val;
          break;
        case DT_RELA:
          lists[1] = reinterpret_cast<const ElfW(Rela)*>(address);
          break;
        case DT_RELASZ:
          sizes[1] = entry->d_un.d_val;
          break;
        case DT_RELACOUNT:
          relative = entry->d_un.d_val;
          break;
        case DT_RELAENT:
          size_of_entry = entry->d_un.d_val;
          break;
        case DT_PLTREL:
          with_addends = entry->d_un.d_val == DT_RELA;
          break;
        default:
          break;
      }
    }
    if (!with_addends || size_of_entry != sizeof(ElfW(Rela)) || symbols == nullptr || names == nullptr)
      sizes[0] = sizes[1] = 0;
  }

  // Calls `take` with the name of each symbol that the object takes from others.
  template <class Take>
  void each_reference(const Take& take) const {
    for (int which = 0; which < 2; ++which) {
      if (lists[which] == nullptr) continue;
      const std::size_t count = sizes[which] / sizeof(ElfW(Rela));
      for (std::size_t i = which == 1 ? relative : 0; i < count; ++i) {
        const std::size_t symbol = lists[which][i].r_info >> (sizeof(void*) == 8 ? 32 : 8);
        if (symbol != 0 && symbols[symbol].st_shndx == SHN_UNDEF) take(names + symbols[symbol].st_name);
      }
    }
  }
};

bool marks_regions(const char* name) {
  return std::strcmp(name, "__cyg_profile_func_enter") == 0 || std::strcmp(name, "waitstate_region_begin") == 0;
}

bool creates_threads(const char* name) {
  return std::strcmp(name, "pthread_create") == 0 || std::strcmp(name, "thrd_create") == 0 ||
         begins(name, "_ZNSt6thread15_M_start_thread");
}

int look_at(dl_phdr_info* object, std::size_t, void* data) {
  Loaded& found = *static_cast<Loaded*>(data);
  const char* const name = base_of(object->dlpi_name);
  if (begins(name, "libwaitstate-record-")) {
    if (!begins_any(name, "libwaitstate-record-launch", "libwaitstate-record-pthread", "libwaitstate-record-lookup"))
      found.has_recorder = true;
    return 0;
  }
  if (begins(name, "vgpreload_")) found.is_emulated = true;
  if (begins_any(name, "libopen-rte", "libprrte", "libpmix", "libslurm")) found.is_launcher = true;
  if (begins_any(name, "linux-vdso", "ld-linux", "libc.so")) return 0;
  const bool of_a_language = begins_any(name, "libstdc++", "libgomp", "libomp", "libiomp", "libgfortran");
  Tables(*object).each_reference([&](const char* reference) {
    if (reference[0] != '_' && reference[0] != 'w' && reference[0] != 'p' && reference[0] != 't') return;
    if (marks_regions(reference)) found.has_regions = true;
    if (!of_a_language && creates_threads(reference)) found.makes_threads = true;
  });
  return 0;
}

bool has(const char* symbol) { return dlsym(RTLD_DEFAULT, symbol) != nullptr; }

Mpi mpi_of(char* file, std::size_t size) {
  // Tools have the functions that programs call, but not this one under this name.
  void* const function = dlsym(RTLD_DEFAULT, "PMPI_Get_library_version");
  if (function == nullptr) return has("MPI_Init") && has("MPI_Finalize") ? Mpi::unknown : Mpi::none;
  Dl_info about{};
  link_map* object = nullptr;
  if (dladdr1(function, &about, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0) return Mpi::unknown;
  std::snprintf(file, size, "%s", object->l_name);
  if (object->l_name[0] == '\0') return Mpi::linked_statically;
  if (begins(base_of(object->l_name), "libmpi_abi")) return Mpi::abi;
  if (has("ompi_mpi_comm_world")) return Mpi::openmpi;
  return has("MPI_UNWEIGHTED") ? Mpi::mpich : Mpi::unknown;
}

// Files whose names are like that of an MPI library. They are looked into later: the loader holds a lock while it lists
// them.
struct Candidates {
  char files[16][1024];
  int count = 0;
};

int collect(dl_phdr_info* object, std::size_t, void* data) {
  Candidates& all = *static_cast<Candidates*>(data);
  const char* const name = base_of(object->dlpi_name);
  if (all.count == 16 || !begins(name, "lib") || begins(name, "libwaitstate-record-") ||
      std::strstr(name, "mpi") == nullptr)
    return 0;
  std::snprintf(all.files[all.count++], sizeof all.files[0], "%s", object->dlpi_name);
  return 0;
}

}  // namespace

Loaded look() {
  Loaded found;
  dl_iterate_phdr(look_at, &found);
  found.mpi = mpi_of(found.mpi_file, sizeof found.mpi_file);
  found.has_shmem = has("oshmem_shmem_init");
  found.has_libomp = has("__kmpc_fork_call");
  found.has_libgomp = has("GOMP_parallel") && !found.has_libomp;
  if (found.mpi != Mpi::none) found.is_launcher = false;
  return found;
}

bool has_later_functions(Mpi mpi) {
  const char* const* name = mpi == Mpi::openmpi ? later_of_openmpi : later_of_mpich;
  while (*name != nullptr && !has(*name)) ++name;
  return *name != nullptr;
}

bool has_mpi_of_its_own(char* file, unsigned long size) {
  Candidates all;
  dl_iterate_phdr(collect, &all);
  bool found = false;
  for (int i = 0; i < all.count && !found; ++i) {
    void* const library = dlopen(all.files[i], RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    found = dlsym(library, "PMPI_Init") != nullptr;
    if (found) std::snprintf(file, size, "%s", all.files[i]);
    dlclose(library);
  }
  return found;
}

}  // namespace waitstate::record::preload
