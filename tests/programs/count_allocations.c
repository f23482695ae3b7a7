/* Counts how often the recorder's library asks for memory, and nothing else does; to be loaded beside it. A program asks with
   recorder_allocations(). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

static uintptr_t begin, end; /* of its code */
static atomic_llong count;

static int find(struct dl_phdr_info* object, size_t size, void* unused) {
  (void)size, (void)unused;
  if (strstr(object->dlpi_name, "libwaitstate-record-") == NULL) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i)
    if (object->dlpi_phdr[i].p_type == PT_LOAD && (object->dlpi_phdr[i].p_flags & PF_X) != 0) {
      begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
      end = begin + object->dlpi_phdr[i].p_memsz;
    }
  return 1;
}

/* So far; -1 if there is no recorder. */
long long recorder_allocations(void) {
  if (begin == 0) dl_iterate_phdr(find, NULL);
  return begin == 0 ? -1 : atomic_load(&count);
}

static void asked(void* caller) {
  if ((uintptr_t)caller >= begin && (uintptr_t)caller < end) atomic_fetch_add(&count, 1);
}

void* malloc(size_t size) { return asked(__builtin_return_address(0)), __libc_malloc(size); }
void* calloc(size_t number, size_t size) { return asked(__builtin_return_address(0)), __libc_calloc(number, size); }
void* realloc(void* old, size_t size) { return asked(__builtin_return_address(0)), __libc_realloc(old, size); }
void* aligned_alloc(size_t align, size_t size) { return asked(__builtin_return_address(0)), __libc_memalign(align, size); }
int posix_memalign(void** to, size_t align, size_t size) {
  asked(__builtin_return_address(0));
  *to = __libc_memalign(align, size);
  return *to == NULL ? ENOMEM : 0;
}
