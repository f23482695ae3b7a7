/* MPI_T as no library at hand offers it whole: preloaded before an MPI, it has performance variables of every class and
 * binding, control variables of every scope, categories, and the events of MPI 4.0 with ordered and unordered sources.
 *
 * Variables move with the calls of MPI_Barrier, which it counts, in all and for each communicator: so a test knows
 * every value. A barrier is also what events tell of: a message arrives, and a search begins before and ends behind it,
 * by the host's clock; three packets come from the card, in no order, with FAKE_MPIT_THREAD in a thread of its own.
 * With FAKE_MPIT_DROP every third message is dropped; with FAKE_MPIT_LATE a search ends before any begins, and 9,000
 * packets come before one that was earlier; with FAKE_MPIT_LONG a packet has 20 elements; with FAKE_MPIT_NO_SOURCE there is
 * no source that an event could be of. FAKE_MPIT_SINGLE grants tools one thread; once they have asked for variables,
 * FAKE_MPIT_NO_THREAD and FAKE_MPIT_NO_PROCESS let nobody start one. With FAKE_MPIT_REPORT
 * it tells at the end what was initialised, allocated and freed. FAKE_MPIT_HOSTILE makes names and numbers what no
 * library should have; FAKE_MPIT_CRASH, FAKE_MPIT_HANG end or delay it as a control variable is read.
 *
 * Long because MPI_T has so many functions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef OPEN_MPI /* its header is one of MPI 3.1 */
typedef int MPI_T_source_order, MPI_T_cb_safety;
typedef struct registration* MPI_T_event_registration;
typedef struct instance* MPI_T_event_instance;
typedef void MPI_T_event_cb_function(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*);
typedef void MPI_T_event_free_cb_function(MPI_T_event_registration, MPI_T_cb_safety, void*);
typedef void MPI_T_event_dropped_cb_function(MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void*);
#endif
#define NUMBER(all) ((int)(sizeof(all) / sizeof((all)[0])))

static int barriers, inits, finals, sessions, open_sessions, handles, open_handles, wrong;
static int registrations, open_registrations, asked_cvars;
static unsigned long sends, bytes_sent;
static MPI_Comm known[64];
static int known_barriers[64], known_count;
static void fire(int event, MPI_Comm comm, long late);
static void* fire_packets(void* nothing);

typedef int create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*run)(void*), void* with) {
  if (sessions != 0 && getenv("FAKE_MPIT_NO_THREAD") != NULL) return EAGAIN;
  return ((create*)dlsym(RTLD_NEXT, "pthread_create"))(thread, how, run, with);
}
pid_t fork(void) {
  if (asked_cvars != 0 && getenv("FAKE_MPIT_NO_PROCESS") != NULL) return errno = EAGAIN, -1;
  return ((pid_t(*)(void))dlsym(RTLD_NEXT, "fork"))();
}

static int hostile(void) { return getenv("FAKE_MPIT_HOSTILE") != NULL; }

static int of_comm(MPI_Comm comm) {
  for (int i = 0; i < known_count; ++i)
    if (known[i] == comm) return i;
  if (known_count == 64) return 63;
  known[known_count] = comm;
  known_barriers[known_count] = 0;
  return known_count++;
}

int MPI_Barrier(MPI_Comm comm) {
  pthread_t thread;
  ++barriers;
  ++known_barriers[of_comm(comm)];
  fire(0, comm, 0);
  if (getenv("FAKE_MPIT_LATE") != NULL && barriers == 1) {
    fire(2, comm, 0);
    for (int i = 0; i < 9000; ++i) fire(3, MPI_COMM_NULL, 0);
    fire(3, MPI_COMM_NULL, -100000);
  }
  fire(1, comm, 0);
  if (getenv("FAKE_MPIT_THREAD") == NULL)
    fire_packets(NULL);
  else if (pthread_create(&thread, NULL, fire_packets, NULL) == 0)
    pthread_join(thread, NULL);
  const int result = PMPI_Barrier(comm);
  fire(2, comm, 0);
  return result;
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  int size = 0;
  PMPI_Type_size(type, &size);
  ++sends;
  bytes_sent += (unsigned long)size * (unsigned long)count;
  return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Comm_free(MPI_Comm* comm) {
  known_barriers[of_comm(*comm)] = 0;
  return PMPI_Comm_free(comm);
}

static void put(char* to, int* length, const char* text) {
  if (length == NULL) return;
  if (to != NULL && *length > 0) {
    strncpy(to, text, (size_t)*length - 1);
    to[*length - 1] = '\0';
  }
  *length = (int)strlen(text) + 1;
}

__attribute__((destructor)) static void report(void) {
  const char* to = getenv("FAKE_MPIT_REPORT");
  FILE* file = to != NULL && inits != 0 ? fopen(to, "a") : NULL;
  if (file == NULL) return;
  fprintf(file, "inits %d finals %d sessions %d open %d handles %d open %d wrong %d", inits, finals, sessions,
          open_sessions, handles, open_handles, wrong);
  if (registrations != 0) fprintf(file, " registrations %d open %d", registrations, open_registrations);
  fprintf(file, "\n");
  fclose(file);
}

int MPI_T_init_thread(int required, int* provided) {
  ++inits;
  if (provided != NULL) *provided = getenv("FAKE_MPIT_SINGLE") != NULL ? MPI_THREAD_SINGLE : required;
  return MPI_SUCCESS;
}
int MPI_T_finalize(void) {
  ++finals;
  return MPI_SUCCESS;
}

/* --- enumerations ----------------------------------------------------------------------------------------------------
 */

static int enumeration, element_names; /* the second one names the elements of an event */
static int is_of_elements(MPI_T_enum which) { return which == (MPI_T_enum)(void*)&element_names; }
int MPI_T_enum_get_info(MPI_T_enum which, int* number, char* name, int* length) {
  *number = hostile() ? 2147483647 : is_of_elements(which) ? 2 : 3;
  put(name, length, is_of_elements(which) ? "fake_message" : "fake_phase");
  return MPI_SUCCESS;
}
int MPI_T_enum_get_item(MPI_T_enum which, int index, int* value, char* name, int* length) {
  static const char* const names[] = {"idle", "busy", "done"};
  if (index > 2) return MPI_T_ERR_INVALID_INDEX;
  *value = is_of_elements(which) ? index : index * 10;
  put(name, length, is_of_elements(which) ? (index == 0 ? "tag" : "size") : names[index]);
  return MPI_SUCCESS;
}

/* --- control variables -----------------------------------------------------------------------------------------------
 */

struct control {
  const char *name, *type;
  int verbosity, bind, scope;
};
#define SCOPE(name, scope) \
  { "fake_cvar_" name, "int", MPI_T_VERBOSITY_USER_BASIC, MPI_T_BIND_NO_OBJECT, scope }
static const struct control controls[] = {
    SCOPE("constant", MPI_T_SCOPE_CONSTANT),
    SCOPE("readonly", MPI_T_SCOPE_READONLY),
    SCOPE("local", MPI_T_SCOPE_LOCAL),
    SCOPE("group", MPI_T_SCOPE_GROUP),
    SCOPE("group_eq", MPI_T_SCOPE_GROUP_EQ),
    SCOPE("all", MPI_T_SCOPE_ALL),
    SCOPE("all_eq", MPI_T_SCOPE_ALL_EQ),
    {"fake_cvar_text", "char", MPI_T_VERBOSITY_TUNER_ALL, MPI_T_BIND_NO_OBJECT, MPI_T_SCOPE_LOCAL},
    {"fake_cvar_three", "three", MPI_T_VERBOSITY_MPIDEV_ALL, MPI_T_BIND_NO_OBJECT, MPI_T_SCOPE_LOCAL},
    {"fake_cvar_real", "double", MPI_T_VERBOSITY_TUNER_BASIC, MPI_T_BIND_NO_OBJECT, MPI_T_SCOPE_LOCAL},
    {"fake_cvar_phase", "enum", MPI_T_VERBOSITY_USER_ALL, MPI_T_BIND_NO_OBJECT, MPI_T_SCOPE_LOCAL},
    {"fake_cvar_of_comm", "int", MPI_T_VERBOSITY_USER_DETAIL, MPI_T_BIND_MPI_COMM, MPI_T_SCOPE_LOCAL},
    {"fake_cvar_of_win", "int", MPI_T_VERBOSITY_USER_DETAIL, MPI_T_BIND_MPI_WIN, MPI_T_SCOPE_LOCAL},
    {NULL, "int", 0, 0, 0}, /* an invalid one */
    {"fake_cvar_rank", "rank", MPI_T_VERBOSITY_USER_BASIC, MPI_T_BIND_NO_OBJECT, MPI_T_SCOPE_LOCAL},
};

int MPI_T_cvar_get_num(int* number) {
  ++asked_cvars;
  *number = NUMBER(controls);
  return MPI_SUCCESS;
}
int MPI_T_cvar_get_index(const char* name, int* index) {
  for (*index = 0; *index < NUMBER(controls); ++*index)
    if (controls[*index].name != NULL && strcmp(controls[*index].name, name) == 0) return MPI_SUCCESS;
  return MPI_T_ERR_INVALID_NAME;
}
int MPI_T_cvar_get_info(int index, char* name, int* name_length, int* verbosity, MPI_Datatype* type, MPI_T_enum* items,
                        char* about, int* about_length, int* bind, int* scope) {
  if (index < 0 || index >= NUMBER(controls) || controls[index].name == NULL) return MPI_T_ERR_INVALID_INDEX;
  const struct control* c = &controls[index];
  put(name, name_length, hostile() ? "fake\033[31m_red\nmpit\tend\t\xff" : c->name);
  put(about, about_length, "a setting of the fake");
  *verbosity = hostile() ? -5 : c->verbosity;
  *type = strcmp(c->type, "char") == 0 ? MPI_CHAR : strcmp(c->type, "double") == 0 ? MPI_DOUBLE : MPI_INT;
  *items = strcmp(c->type, "enum") == 0 ? (MPI_T_enum)(void*)&enumeration : MPI_T_ENUM_NULL;
  *bind = c->bind;
  *scope = c->scope;
  return MPI_SUCCESS;
}
int MPI_T_cvar_handle_alloc(int index, void* object, MPI_T_cvar_handle* handle, int* count) {
  const struct control* c = &controls[index];
  if ((c->bind != MPI_T_BIND_NO_OBJECT) != (object != NULL)) return MPI_T_ERR_INVALID;
  *handle = (MPI_T_cvar_handle)(void*)c;
  *count = strcmp(c->type, "char") == 0 ? 64 : strcmp(c->type, "three") == 0 ? 3 : 1;
  if (hostile() && index == 2) *count = -7;
  return MPI_SUCCESS;
}
int MPI_T_cvar_handle_free(MPI_T_cvar_handle* handle) {
  *handle = NULL;
  return MPI_SUCCESS;
}
int MPI_T_cvar_read(MPI_T_cvar_handle handle, void* to) {
  const struct control* c = (const struct control*)(void*)handle;
  int* numbers = to;
  if (getenv("FAKE_MPIT_CRASH") != NULL && strcmp(c->name, "fake_cvar_local") == 0) *(volatile int*)8 = 1;
  if (getenv("FAKE_MPIT_HANG") != NULL && strcmp(c->name, "fake_cvar_local") == 0) sleep(1000);
  if (strcmp(c->type, "char") == 0) {
    strcpy(to, "shm,tcp");
  } else if (strcmp(c->type, "double") == 0) {
    *(double*)to = 0.25;
  } else if (strcmp(c->type, "rank") == 0) {
    PMPI_Comm_rank(MPI_COMM_WORLD, numbers);
  } else {
    numbers[0] = strcmp(c->type, "enum") == 0 ? 10 : 7;
    if (strcmp(c->type, "three") == 0) {
      numbers[1] = 8;
      numbers[2] = -9;
    }
  }
  return MPI_SUCCESS;
}

/* --- performance variables -------------------------------------------------------------------------------------------
 */

struct performance {
  const char* name;
  int kind;
  char type; /* i, u, l (unsigned long), d; s, b: unsigned long, what was sent */
  int bind, readonly, continuous, atomic;
};
#define CLASS(name, kind, type, continuous) \
  { "fake_" name, MPI_T_PVAR_CLASS_##kind, type, MPI_T_BIND_NO_OBJECT, 1, continuous, 0 }
#define BOUND(name, object) \
  { "fake_of_" name, MPI_T_PVAR_CLASS_COUNTER, 'l', MPI_T_BIND_MPI_##object, 0, 1, 1 }
/* Open MPI's counters are all of this class. */
#define SOFTWARE(name, type) \
  { "runtime_spc_" name, MPI_T_PVAR_CLASS_SIZE, type, MPI_T_BIND_NO_OBJECT, 1, 1, 0 }
static const struct performance performances[] = {
    CLASS("state", STATE, 'i', 1),
    CLASS("level", LEVEL, 'u', 1),
    CLASS("size", SIZE, 'l', 1),
    CLASS("percentage", PERCENTAGE, 'd', 1),
    CLASS("highwatermark", HIGHWATERMARK, 'u', 0),
    {NULL, 0, 'i', 0, 0, 0, 0}, /* an invalid one */
    CLASS("lowwatermark", LOWWATERMARK, 'u', 0),
    CLASS("counter", COUNTER, 'l', 0),
    CLASS("aggregate", AGGREGATE, 'd', 1),
    CLASS("timer", TIMER, 'd', 1),
    CLASS("generic", GENERIC, 'i', 1),
    BOUND("comm", COMM),
    BOUND("datatype", DATATYPE),
    BOUND("errhandler", ERRHANDLER),
    BOUND("file", FILE),
    BOUND("group", GROUP),
    BOUND("op", OP),
    BOUND("request", REQUEST),
    BOUND("win", WIN),
    BOUND("message", MESSAGE),
    BOUND("info", INFO),
    {"fake_queue_length", MPI_T_PVAR_CLASS_SIZE, 'u', MPI_T_BIND_MPI_COMM, 1, 1, 0}, /* one number a peer */
    SOFTWARE("OMPI_BARRIER", 'l'),
    SOFTWARE("OMPI_SPC_SEND", 's'),
    SOFTWARE("OMPI_SPC_BYTES_SENT_USER", 'b'),
    SOFTWARE("OMPI_SPC_UNEXPECTED_IN_QUEUE", 'l'),
    SOFTWARE("OMPI_SPC_MAX_UNEXPECTED_IN_QUEUE", 'l'),
};

struct session {
  int open;
};
struct handle {
  struct session* session;
  const struct performance* variable;
  MPI_Comm comm;
  int count, before;
};

int MPI_T_pvar_get_num(int* number) {
  *number = hostile() ? 1000 : NUMBER(performances);
  return MPI_SUCCESS;
}
int MPI_T_pvar_get_index(const char* name, int kind, int* index) {
  for (*index = 0; *index < NUMBER(performances); ++*index)
    if (performances[*index].name != NULL && strcmp(performances[*index].name, name) == 0 &&
        performances[*index].kind == kind)
      return MPI_SUCCESS;
  return MPI_T_ERR_INVALID_NAME;
}
int MPI_T_pvar_get_info(int index, char* name, int* name_length, int* verbosity, int* kind, MPI_Datatype* type,
                        MPI_T_enum* items, char* about, int* about_length, int* bind, int* readonly, int* continuous,
                        int* atomic) {
  if (index < 0 || index >= NUMBER(performances) || performances[index].name == NULL) return MPI_T_ERR_INVALID_INDEX;
  const struct performance* p = &performances[index];
  put(name, name_length, p->name);
  put(about, about_length, "moves with barriers");
  *verbosity = MPI_T_VERBOSITY_USER_BASIC;
  *kind = hostile() ? 77 : p->kind;
  *type = p->type == 'd'   ? MPI_DOUBLE
          : p->type == 'u' ? MPI_UNSIGNED
          : p->type == 'i' ? MPI_INT
          : p->type == 'l' ? MPI_UNSIGNED_LONG
                           : MPI_UNSIGNED_LONG_LONG;
  if (hostile()) *type = MPI_DATATYPE_NULL;
  *items = p->kind == MPI_T_PVAR_CLASS_STATE ? (MPI_T_enum)(void*)&enumeration : MPI_T_ENUM_NULL;
  *bind = p->bind;
  *readonly = p->readonly;
  *continuous = p->continuous;
  *atomic = p->atomic;
  return MPI_SUCCESS;
}
int MPI_T_pvar_session_create(MPI_T_pvar_session* session) {
  struct session* made = calloc(1, sizeof *made);
  made->open = 1;
  ++sessions;
  ++open_sessions;
  *session = (MPI_T_pvar_session)(void*)made;
  return MPI_SUCCESS;
}
int MPI_T_pvar_session_free(MPI_T_pvar_session* session) {
  --open_sessions;
  *session = NULL;
  return MPI_SUCCESS;
}
int MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void* object, MPI_T_pvar_handle* handle,
                            int* count) {
  const struct performance* p = &performances[index];
  if (p->bind != MPI_T_BIND_NO_OBJECT && object == NULL) return MPI_T_ERR_INVALID;
  struct handle* made = calloc(1, sizeof *made);
  made->session = (struct session*)(void*)session;
  made->variable = p;
  made->count = 1;
  if (p->bind == MPI_T_BIND_MPI_COMM) {
    made->comm = *(MPI_Comm*)object;
    if (strcmp(p->name, "fake_queue_length") == 0) PMPI_Comm_size(made->comm, &made->count);
  }
  made->before = p->continuous ? 0 : -1; /* not started */
  *count = made->count;
  *handle = (MPI_T_pvar_handle)(void*)made;
  ++handles;
  ++open_handles;
  return MPI_SUCCESS;
}
int MPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
  struct handle* h = (struct handle*)(void*)*handle;
  if (h->session != (struct session*)(void*)session) ++wrong;
  free(h);
  --open_handles;
  *handle = NULL;
  return MPI_SUCCESS;
}
int MPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  struct handle* h = (struct handle*)(void*)handle;
  (void)session;
  if (h->variable->continuous) return MPI_T_ERR_PVAR_NO_STARTSTOP;
  h->before = barriers;
  return MPI_SUCCESS;
}
int MPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  (void)session;
  (void)handle;
  return MPI_SUCCESS;
}
int MPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* to) {
  struct handle* h = (struct handle*)(void*)handle;
  if (h->session != (struct session*)(void*)session) ++wrong;
  const struct performance* p = h->variable;
  int n = p->bind == MPI_T_BIND_MPI_COMM ? known_barriers[of_comm(h->comm)]
          : p->continuous                ? barriers
          : h->before < 0                ? 0
                                         : barriers - h->before;
  for (int i = 0; i < h->count; ++i) {
    if (p->kind == MPI_T_PVAR_CLASS_LOWWATERMARK) n = 1000 - n;
    if (p->kind == MPI_T_PVAR_CLASS_STATE) n = n % 3 * 10;
    if (p->type == 'd')
      ((double*)to)[i] = 0.25 * n;
    else if (p->type != 'i' && p->type != 'u')
      ((unsigned long*)to)[i] = p->type == 's' ? sends : p->type == 'b' ? bytes_sent : (unsigned long)n;
    else
      ((int*)to)[i] = n;
  }
  return MPI_SUCCESS;
}

/* --- events of MPI 4.0, whose types only some headers have
 * ------------------------------------------------------------ */

struct event {
  const char* name;
  int elements, source;
};
static const struct event events[] = {
    {"fake_message_arrived", 2, 0}, {"fake_search_begin", 1, 0}, {"fake_search_end", 1, 0}, {"fake_packet", 0, 1}};

static int elements_of(int event) {
  return event == 3 && getenv("FAKE_MPIT_LONG") != NULL ? 20 : events[event].elements;
}
int MPI_T_event_get_num(int* number) {
  *number = NUMBER(events);
  return MPI_SUCCESS;
}
int MPI_T_event_get_info(int index, char* name, int* name_length, int* verbosity, MPI_Datatype* types, MPI_Aint* places,
                         int* number, MPI_T_enum* items, MPI_Info* info, char* about, int* about_length, int* bind) {
  if (index < 0 || index >= NUMBER(events)) return MPI_T_ERR_INVALID_INDEX;
  put(name, name_length, events[index].name);
  put(about, about_length, "something happened");
  *verbosity = MPI_T_VERBOSITY_TUNER_DETAIL;
  if (events[index].elements > 0 && *number > 0) {
    types[0] = MPI_INT;
    places[0] = 0;
  }
  if (events[index].elements > 1 && *number > 1) {
    types[1] = MPI_COUNT;
    places[1] = 8;
  }
  if (elements_of(index) > 2)
    for (int i = 0; i < *number && i < elements_of(index); ++i) types[i] = MPI_INT;
  *number = hostile() ? 1 << 30 : elements_of(index);
  *items = index == 0 ? (MPI_T_enum)(void*)&element_names : MPI_T_ENUM_NULL;
  if (info != NULL) *info = MPI_INFO_NULL;
  *bind = events[index].source == 0 ? MPI_T_BIND_MPI_COMM : MPI_T_BIND_NO_OBJECT;
  return MPI_SUCCESS;
}
struct registration {
  int event;
  MPI_Comm comm;
  MPI_T_event_cb_function* function;
  MPI_T_event_dropped_cb_function* dropped;
  void* data;
  int open;
};
struct instance {
  int source, event, serial; /* serial: of the barrier in which it is */
  MPI_Count time;
};
static struct registration* all_registrations[4096];

static MPI_Count ticks(int source) { /* since something else than the recorder's clock */
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  const long long now = t.tv_sec * 1000000000LL + t.tv_nsec;
  return source == 0 ? now + 5000000000LL : now / 4000 - 1000;
}

static void fire(int event, MPI_Comm comm, long late) {
  for (int i = 0; i < registrations; ++i) {
    struct registration* r = all_registrations[i];
    struct instance it = {events[event].source, event, barriers, ticks(events[event].source) + late};
    if (!r->open || r->event != event || r->function == NULL) continue;
    if (events[event].source == 0 && r->comm != comm) continue;
    if (event == 0 && barriers % 3 == 0 && getenv("FAKE_MPIT_DROP") != NULL) {
      if (r->dropped != NULL) r->dropped(1, (MPI_T_event_registration)r, 0, (MPI_T_cb_safety)3, r->data);
      continue;
    }
    r->function((MPI_T_event_instance)(void*)&it, (MPI_T_event_registration)(void*)r, (MPI_T_cb_safety)0, r->data);
  }
}

static void* fire_packets(void* nothing) {
  fire(3, MPI_COMM_NULL, 2);
  fire(3, MPI_COMM_NULL, 0);
  fire(3, MPI_COMM_NULL, 1);
  return nothing;
}

int MPI_T_event_get_index(const char* name, int* index) {
  for (*index = 0; *index < NUMBER(events); ++*index)
    if (strcmp(events[*index].name, name) == 0) return MPI_SUCCESS;
  return MPI_T_ERR_INVALID_NAME;
}
int MPI_T_event_handle_alloc(int index, void* object, MPI_Info info, MPI_T_event_registration* made) {
  (void)info;
  if (index < 0 || index >= NUMBER(events)) return MPI_T_ERR_INVALID_INDEX;
  if ((events[index].source == 0) != (object != NULL) || registrations == NUMBER(all_registrations))
    return MPI_T_ERR_INVALID;
  struct registration* r = calloc(1, sizeof *r);
  r->event = index;
  r->open = 1;
  if (object != NULL) r->comm = *(MPI_Comm*)object;
  all_registrations[registrations++] = r;
  ++open_registrations;
  *made = (MPI_T_event_registration)(void*)r;
  return MPI_SUCCESS;
}
int MPI_T_event_handle_free(MPI_T_event_registration which, void* data, MPI_T_event_free_cb_function* function) {
  struct registration* r = (struct registration*)(void*)which;
  if (!r->open) ++wrong;
  r->open = 0;
  --open_registrations;
  if (function != NULL) function(which, (MPI_T_cb_safety)0, data);
  return MPI_SUCCESS;
}
int MPI_T_event_register_callback(MPI_T_event_registration which, MPI_T_cb_safety safety, MPI_Info info, void* data,
                                  MPI_T_event_cb_function* function) {
  struct registration* r = (struct registration*)(void*)which;
  (void)info;
  if ((int)safety != 2) ++wrong; /* MPI_T_CB_REQUIRE_THREAD_SAFE */
  r->data = data;
  r->function = function;
  return MPI_SUCCESS;
}
int MPI_T_event_set_dropped_handler(MPI_T_event_registration which, MPI_T_event_dropped_cb_function* function) {
  ((struct registration*)(void*)which)->dropped = function;
  return MPI_SUCCESS;
}
/* Of the n-th barrier: a message with the tag -n and 2^40 + n bytes; a search from place n;
 * of a packet the number of the element behind 100. */
int MPI_T_event_read(MPI_T_event_instance which, int element, void* to) {
  const struct instance* it = (struct instance*)(void*)which;
  if (element < 0 || element >= elements_of(it->event)) return MPI_T_ERR_INVALID_INDEX;
  if (it->event == 3)
    *(int*)to = 100 + element;
  else if (element == 1)
    *(MPI_Count*)to = (1LL << 40) + it->serial;
  else
    *(int*)to = it->event == 0 ? -it->serial : it->serial;
  return MPI_SUCCESS;
}
int MPI_T_event_get_timestamp(MPI_T_event_instance which, MPI_Count* time) {
  *time = ((struct instance*)(void*)which)->time;
  return MPI_SUCCESS;
}
int MPI_T_event_get_source(MPI_T_event_instance which, int* source) {
  *source = ((struct instance*)(void*)which)->source;
  return getenv("FAKE_MPIT_NO_SOURCE") != NULL ? MPI_T_ERR_INVALID : MPI_SUCCESS;
}
int MPI_T_source_get_timestamp(int source, MPI_Count* time) {
  *time = ticks(source);
  return MPI_SUCCESS;
}
int MPI_T_source_get_num(int* number) {
  *number = getenv("FAKE_MPIT_NO_SOURCE") != NULL ? 0 : 2;
  return MPI_SUCCESS;
}
int MPI_T_source_get_info(int index, char* name, int* name_length, char* about, int* about_length,
                          MPI_T_source_order* order, MPI_Count* ticks, MPI_Count* last, MPI_Info* info) {
  if (index < 0 || index > 1) return MPI_T_ERR_INVALID_INDEX;
  put(name, name_length, index == 0 ? "fake_host" : "fake_card");
  put(about, about_length, index == 0 ? "the host's clock" : "the card's clock");
  *order = (MPI_T_source_order)index;
  *ticks = index == 0 ? 1000000000 : 250000;
  *last = 1000000000000;
  if (info != NULL) *info = MPI_INFO_NULL;
  return MPI_SUCCESS;
}

/* --- categories ------------------------------------------------------------------------------------------------------
 */

int MPI_T_category_get_num(int* number) {
  *number = 3;
  return MPI_SUCCESS;
}
int MPI_T_category_get_info(int index, char* name, int* name_length, char* about, int* about_length, int* cvars,
                            int* pvars, int* categories) {
  static const char* const names[] = {"fake", "fake_settings", "fake_counts"};
  if (index < 0 || index > 2) return MPI_T_ERR_INVALID_INDEX;
  put(name, name_length, names[index]);
  put(about, about_length, index == 0 ? "all of the fake" : "");
  *cvars = hostile() ? 2147483647 : index == 1 ? NUMBER(controls) - 1 : 0;
  *pvars = index == 2 ? NUMBER(performances) : 0;
  *categories = index == 0 ? 2 : 0;
  return MPI_SUCCESS;
}
static int count_up(int length, int* indices, int first) {
  for (int i = 0; i < length; ++i) indices[i] = hostile() ? i * 1000003 : first + i;
  return MPI_SUCCESS;
}
int MPI_T_category_get_cvars(int index, int length, int* indices) { return (void)index, count_up(length, indices, 0); }
int MPI_T_category_get_pvars(int index, int length, int* indices) { return (void)index, count_up(length, indices, 0); }
int MPI_T_category_get_categories(int index, int length, int* indices) {
  return (void)index, count_up(length, indices, 1);
}
int MPI_T_category_get_num_events(int index, int* number) {
  *number = index == 2 ? NUMBER(events) : 0;
  return MPI_SUCCESS;
}
int MPI_T_category_get_events(int index, int length, int* indices) { return (void)index, count_up(length, indices, 0); }
