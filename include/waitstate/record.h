/* Regions of a program's own, in traces that `waitstate record` makes of it. For C and C++; needs no library.
 *
 *   #include <waitstate/record.h>
 *   ws_region_begin("solve");
 *   ...
 *   ws_region_end();
 *
 * The functions are in the recorder that is loaded with the program. Without it, the calls do nothing. Regions of a thread
 * are left in the opposite order; a name is any text, and equal names are one region. */
#ifndef WAITSTATE_RECORD_H
#define WAITSTATE_RECORD_H

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((weak)) void waitstate_region_begin(const char* name);
__attribute__((weak)) void waitstate_region_end(void);

/* A compiler that reports each function would enter and leave these around, not in, the region that they begin or end. */
__attribute__((no_instrument_function)) static inline void ws_region_begin(const char* name) {
  if (waitstate_region_begin) waitstate_region_begin(name);
}
__attribute__((no_instrument_function)) static inline void ws_region_end(void) {
  if (waitstate_region_end) waitstate_region_end();
}

#ifdef __cplusplus
}
#endif

#endif
