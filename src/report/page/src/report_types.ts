// The JSON report as the page reads it. src/report/fields/generate.py makes it of the fields that are declared there.

/** A number that refers to an element of an array; null: unknown or none. */
export type Index = number | null;
/** Rows of a table. records() makes objects of them, with the members of the interface that its comment names. */
export interface Table {
  columns: string[];
  rows: (number | string | null)[][];
}

/**
 * The report that `waitstate analyze --format json` writes and `waitstate show` reads: the whole result of the
 * analysis of one trace. Times and durations are integers in timer ticks (trace.clock.ticks_per_second), unless a
 * field says otherwise. Definitions are referred to by their index in the array of their kind, from 0; null means
 * unknown or none. Text is valid UTF-8. A later waitstate may add members under the same version.
 */
export interface ReportDocument {
  /** Says that this is a report of waitstate. */
  format: "waitstate";
  /** Version of this format; it changes when a member is removed or changes its meaning. */
  version: number;
  /** Version of the waitstate that wrote the report. */
  waitstate_version: string;
  /** The origin of the result. */
  trace: Trace;
  /** Totals of the whole trace. Derived, except for messages and collectives. */
  totals: Totals;
  /** The share of the run that was computation, and its factors. Derived. */
  efficiency: Efficiencies;
  /**
   * The meaning of the factors in efficiency and its ideal_machine, as `explain` says. All are shares, from 0 to 1.
   * Derived.
   */
  factors: Factor[];
  /**
   * Locations whose events could not be read, or not to the end; the report lacks these events. At most the first
   * five of each kind are listed; diagnostics has their number. Derived.
   */
  missing_locations: MissingLocation[];
  /** The part of the run that was asked for. */
  focus: Focus;
  /** The patterns that were run, in their order. */
  patterns: PatternRun[];
  /** Programming models that the program used. */
  paradigms: ParadigmDefinition[];
  /** The machine: nodes in any order, each leading up to a root. */
  system_tree: SystemTreeNode[];
  /** Processes in the order of ranks, and the contexts of accelerators to which streams belong. */
  processes: Process[];
  /**
   * Hosts and the processes that ran on them, in the order of their first processes. Derived from system_tree; a
   * process whose host the trace does not name is in none.
   */
  hosts: Host[];
  /** Threads, streams of accelerators, metric recorders; in the order of ranks and threads. */
  locations: Location[];
  /** Functions, loops and other pieces of code. */
  regions: Region[];
  /** Paths of programs, as call_tree refers to them. */
  programs: string[];
  /** Communicators and thread teams. */
  communicators: Communicator[];
  /** Dimensions of Cartesian topologies. */
  cart_dimensions: CartDimension[];
  /** Cartesian topologies. */
  cart_topologies: CartTopology[];
  /** Call paths, depth first: a parent stands before its children. */
  call_tree: CallPath[];
  /** The metric tree: a parent stands before its children. */
  metrics: Metric[];
  /**
   * The severities of each metric itself, without the metrics below it, per call path (without what it called) and
   * location. Zeros are left out, and so are metrics without a row. Rows: Severity.
   */
  severities?: Record<string, Table>;
  /** The single waits of a wait state. */
  waits: Record<string, WaitSummary>;
  /**
   * Culprits that themselves waited, for at least a hundredth of their time there: which of the causes in waits
   * they are not the only reason of. Derived. Rows: WaitingCulprit.
   */
  waiting_culprits: Table;
  /** Calls that wait for others and that their locations are still in when the trace ends. */
  open_calls: OpenCall[];
  /** Among the open calls: locations that wait for each other, each for the next, the last for the first. */
  deadlocks: number[][];
  /**
   * The first sentences of the summary of a run that hung: deadlocks, operations that do not fit each other, and
   * the calls that never ended; empty if every call ended. Derived.
   */
  never_ended: string[];
  /** The counters that the recorder wrote (METRIC events), beside their severities. */
  counters: Record<string, Counter>;
  /** Groups of processes that wait for each other, most ticks inside first. Derived. */
  wait_groups: WaitGroup[];
  /** The worst problems of the run, as in the summary, the worst first. */
  problems: Problem[];
  /**
   * The sentence of the summary where there is no problem, e.g. that nobody waited and where the time goes; missing
   * where there is one.
   */
  problems_note?: string;
  /** Waits over time; missing: not collected (--no-series). */
  series?: WaitSeries;
  /** The critical path, which decides how long the run takes; missing without the pattern critical_path. */
  critical_segments?: CriticalPath;
  /** The run by visits of one region, or by time; missing: not asked for. */
  phases?: Phases;
  /** The events around the 40 most severe instances; missing: not collected (--no-contexts). */
  contexts?: WaitContext[];
  /** The data sent between pairs of processes; missing: not asked for. */
  communication?: Communication;
  /** The message queues of MPI; missing: not asked for (--pattern mpi_posted_count). */
  queues?: MessageQueues;
  /** Software performance counters of Open MPI; missing for a trace without MPI calls. Derived. */
  software_counters?: SoftwareCounter[];
  /** Wait states that the trace cannot tell, or only in part. */
  unanswered: UndeterminedMetric[];
  /** Number of events of each type that occurs, by the type's name. */
  events_by_type: Record<string, number>;
  /** Damage and anomalies of the trace: all kinds, also those that did not occur. */
  diagnostics: Diagnostic[];
  /** Damage that is counted between two processes. Rows: DiagnosticPair. */
  diagnostic_pairs: Table;
}

/** The origin of the result, as the trace's recorder says. */
export interface Trace {
  /** Path of the anchor file, the notation file, or the report that was read. */
  path: string;
  /** When the run began, in UTC; null if the trace does not say. Derived from clock.realtime_ns. */
  date: string | null;
  /**
   * Program and arguments of the first location that records them, as in a shell; cut at 2,000 bytes. Missing: the
   * trace does not say.
   */
  command?: string;
  /** Recorder and its version. */
  creator: string;
  /** The machine, as recorded. */
  machine: string;
  /** As recorded. */
  description: string;
  /** Version of the OTF2 library that wrote the trace. */
  otf2_version: string;
  /** The trace's unique id, 16 hexadecimal digits; zeros if it has none. */
  trace_id: string;
  /** Other notes of the recorder. */
  properties: NamedValue[];
  /** The timer. */
  clock: Clock;
}

/** A property or a parameter. */
export interface NamedValue {
  /** Its name. */
  name: string;
  /** Its value, as text. */
  value: string;
}

/** The timer of the trace. */
export interface Clock {
  /** Divide ticks by it to get seconds; at least 1. */
  ticks_per_second: number;
  /** The smallest time stamp, as the recorder says. */
  offset: number;
  /** The time from the smallest to the largest time stamp, as the recorder says. */
  length: number;
  /** Nanoseconds since 1970 at offset. */
  realtime_ns: Index;
}

/** Totals of the whole trace. */
export interface Totals {
  /** The time of the first event, 0 if there is none. */
  first_time: number;
  /** The time of the last event. */
  last_time: number;
  /** last_time - first_time. */
  duration: number;
  /** Sum of events_by_type. */
  events: number;
  /** Matched messages. */
  messages: number;
  /** Complete collective operations. */
  collectives: number;
}

/** The efficiency of the run, measured in two ways. */
export interface Efficiencies {
  /** The factors of the whole run. */
  whole: Efficiency;
  /**
   * The factors without MPI_Init, MPI_Finalize and everything in their calls, as in the summary. They equal those
   * of whole if none of the time is spent there, or all of it.
   */
  without_init_exit: Efficiency;
}

/**
 * The share of a run that was computation, and its factors: parallel_efficiency = load_balance x
 * communication_efficiency. Unknown values are null.
 */
export interface Efficiency {
  /** The time of all locations together. */
  time: number;
  /** The longest time of a process or thread. */
  run_time: Index;
  /** Mean computation / run_time. */
  parallel_efficiency: number | null;
  /** Mean / largest computation. */
  load_balance: number | null;
  /** Largest computation / run_time. */
  communication_efficiency: number | null;
  /** The units over which mean and largest are taken. */
  over: "processes" | "threads";
  /** The number of these units. */
  units: number;
  /** The number of units that are left out, because some of their events are missing. */
  left_out: number;
  /** Why it is unknown; empty if it is not. */
  unknown: string;
  /** The factors of the run as it would be if messages took no time; missing without mpi_ideal_wait. */
  ideal_machine?: IdealMachine;
}

/**
 * The run as it would be if messages took no time, only if mpi_ideal_wait was run; unknown values are null. Times
 * outside of MPI are those of the first threads of processes. Source: the POP project's metrics.
 */
export interface IdealMachine {
  /** The largest time outside of MPI and mpi_ideal_wait together. */
  ideal_run_time: Index;
  /** Largest time outside of MPI / ideal_run_time. */
  serialisation_efficiency: number | null;
  /** ideal_run_time / run_time. */
  transfer_efficiency: number | null;
  /** Largest time outside of MPI / run_time: the product of these two. */
  mpi_communication_efficiency: number | null;
  /** Mean / largest time outside of MPI. */
  mpi_load_balance: number | null;
  /** Mean time outside of MPI / run_time. */
  mpi_parallel_efficiency: number | null;
  /** parallel_efficiency / mpi_parallel_efficiency; 1 without threads. */
  openmp_efficiency: number | null;
  /** The call path whose balance would gain the most; null if no balance gains anything. */
  unbalanced: Index;
  /**
   * The run time if that call path took its mean time on every process, and mpi_communication_efficiency stayed the
   * same.
   */
  balanced_run_time: Index;
  /** Why the ideal run may take longer; empty if it is exact. */
  bound: string;
  /** Why it is unknown; empty if it is not. */
  unknown: string;
}

/** The meaning of a factor of the efficiency or of the ideal machine. */
export interface Factor {
  /** Its name in efficiency. */
  id: string;
  /** Its meaning in one sentence. */
  summary: string;
  /** The way in which it is computed. */
  formula: string;
  /** The source of the definition. */
  source: string;
}

/** A location whose events are missing, or some of them. */
export interface MissingLocation {
  /** The location. */
  location: number;
  /** The time from which on they are missing; null: all of them are missing. */
  from: Index;
}

/** The part of the run that was asked for. */
export interface Focus {
  /** The region; only events inside it count; empty: all events count. */
  region: string;
  /** The locations whose events count; empty: all locations. */
  locations: Index[];
  /** The time from which on events count. */
  from: number;
  /** The time up to which events count; null: to the end. */
  to: Index;
}

/** A pattern that was run. */
export interface PatternRun {
  /** Id of the pattern's first metric. */
  id: string;
  /** All its parameters, with the values that it ran with. */
  parameters: NamedValue[];
}

/** A programming model that the program used. */
export interface ParadigmDefinition {
  /** As OTF2 calls it, e.g. "mpi". */
  paradigm: string | number;
  /** As its specification calls it. */
  name: string;
  /** "process", "thread_fork_join", "thread_create_wait" or "accelerator". */
  class: string | number;
}

/** A part of the machine. */
export interface SystemTreeNode {
  /** As recorded. */
  name: string;
  /** Its kind, e.g. "node". */
  class: string;
  /** The part that it belongs to, as an index of system_tree. */
  parent: Index;
  /** The kinds of what its parts share, e.g. "shared_memory": then it is a host. */
  domains?: (string | number)[];
}

/** A process, or the context of an accelerator to which streams belong. */
export interface Process {
  /** As recorded. */
  name: string;
  /** "process", "accelerator" or "unknown". */
  type: string | number;
  /** The node on which it ran, as an index of system_tree. */
  system_tree_node: Index;
  /** The process that an accelerator belongs to. */
  creator: Index;
  /** Its rank in MPI_COMM_WORLD, or in the equivalent of another library. */
  rank: Index;
  /**
   * Texts that the recorder noted about it, such as WAITSTATE::CVAR::NAME: a setting of the MPI library that is not
   * the same in all processes.
   */
  properties: NamedValue[];
}

/** A host, and the processes that ran on it. */
export interface Host {
  /** As recorded. */
  name: string;
  /** The processes, without accelerators. */
  processes: number[];
  /** The ranks of these processes, ascending. */
  ranks: number[];
}

/** A thread, a stream of an accelerator, or a recorder of metrics. */
export interface Location {
  /** As recorded. */
  name: string;
  /** "cpu_thread", "accelerator_stream", "metric" or "unknown". */
  type: string | number;
  /** The process that it belongs to. */
  process: Index;
  /** The number of its events that were read. */
  events: number;
  /** The time of the first of these events. */
  first_time: number;
  /** The time of the last of these events. */
  last_time: number;
  /** The call path that it was in when its events ended; missing if it had left all regions. */
  last_callpath?: Index;
  /** When it entered that call path. */
  last_enter?: number;
}

/** A function, a loop, or another piece of code. */
export interface Region {
  /** As recorded, for people. */
  name: string;
  /** E.g. the mangled name. */
  canonical_name: string;
  /** As recorded. */
  description: string;
  /** Source file, or the library; empty if unknown. */
  file: string;
  /** First line in the file, 0 if unknown. */
  begin_line: number;
  /** Last line in the file, 0 if unknown. */
  end_line: number;
  /** As OTF2 calls it, e.g. "compiler", "mpi". */
  paradigm: string | number;
  /** As OTF2 calls it, e.g. "function", "barrier". */
  role: string | number;
  /** Id of the time metric that its time belongs to. */
  region_class: string;
}

/** A communicator, or a team of threads. */
export interface Communicator {
  /** Its name as recorded; may be empty. */
  name: string;
  /** True if it stands for each process by itself (MPI_COMM_SELF). */
  self: boolean;
  /** Locations by rank; only for communicators of cart_topologies, empty for all others. */
  members: Index[];
}

/** A dimension of a Cartesian topology. */
export interface CartDimension {
  /** Its name as recorded; may be empty. */
  name: string;
  /** The number of its coordinates. */
  size: number;
  /** "true" if its ends are neighbours, else "false". */
  periodic: string | number;
}

/** A Cartesian topology of processes. */
export interface CartTopology {
  /** Its name as recorded; may be empty. */
  name: string;
  /** The communicator that it belongs to. */
  communicator: Index;
  /** Its dimensions, as indices of cart_dimensions. */
  dimensions: Index[];
  /** For one process after the other: its rank in the communicator, then its coordinate in each dimension. */
  coordinates: number[];
}

/** A call path: a region and the call path that called it. */
export interface CallPath {
  /** The call path that called it, in call_tree. */
  parent: Index;
  /** The function that was called last. */
  region: Index;
  /** In programs, if this is the root of a program. */
  program: Index;
}

/** A metric: its id, its unit, and its total. */
export interface Metric {
  /** Unique, e.g. "mpi_latesender". */
  id: string;
  /** For people. */
  title: string;
  /** One sentence. */
  summary: string;
  /** The unit of its severities: ticks, occurrences (occ), bytes, or what counters says (counter). */
  unit: "ticks" | "occ" | "bytes" | "counter";
  /**
   * True: it is a share of what the parent has anyway. False: the parent's value is the sum over such children and
   * its own severities.
   */
  within_parent: boolean;
  /**
   * The meaning of a time: waiting for somebody else, the completion of an operation, idleness of threads, an
   * account of all time in a library and its parts, or something else.
   */
  kind:
    | "other"
    | "wait"
    | "completion"
    | "idleness"
    | "account"
    | "account_wait"
    | "account_transfer"
    | "account_management"
    | "account_local"
    | "account_unknown"
    | "account_possible_wait";
  /** True: it belongs to a pattern of a plug-in. False: it is built in. */
  plugin: boolean;
  /**
   * The way in which values of several call paths and locations are combined, if they do not add up; 0 then stands
   * for no value.
   */
  aggregation?: "sum" | "minimum" | "maximum";
  /** The metric above it. */
  parent: string | null;
  /** The way in which it is computed, as `explain` says; only for metrics of patterns. */
  definition?: string;
  /** The call path and the location that it is charged to. */
  charged_to?: string;
  /** The source of the definition. */
  source?: string;
  /** Advice for the user. */
  diagnosis?: string;
  /**
   * Whether its value may be taken from the parent's own together with those of the other disjoint children: these
   * have no time, occurrence or byte in common with one another, and fit, in each call path on each location, into
   * what the parent has besides its summands. An overlapping metric may have something in common with another one;
   * a metric that is elsewhere lies, at least in part, in a summand of the parent or in calls of another kind
   * (non-blocking collective operations are waited for in MPI_Wait). Both are only listed as "of which".
   */
  siblings?: "disjoint" | "overlapping" | "elsewhere";
  /** Sum (minimum, maximum) of all its severities and those of the children that are not within_parent. Derived. */
  total: number;
  /** The total without calls that start and end MPI and SHMEM. Derived. */
  total_without_init_exit: number;
  /** The share of a time: total / total of "time"; null of all else, and where there is no time. Derived. */
  share: number | null;
  /** Like share, for the totals without init and exit. Derived. */
  share_without_init_exit: number | null;
  /**
   * How far total is known: all of it; that it is so much at least; nothing, since the trace cannot tell, or
   * because damaged time stamps or sizes leave a number without a meaning (unanswered says why). Derived.
   */
  told: "exactly" | "at least" | "unknown";
}

/** The value of a metric for a call path and a location. */
export interface Severity {
  /** The call path, without what it called. */
  callpath: number;
  /** The location. */
  location: number;
  /** The value, in the metric's unit. */
  value: number;
}

/** All that is known of the waits of one wait state. */
export interface WaitSummary {
  /** The durations of all waits. */
  statistics: WaitStatistics;
  /** Pairs of locations, of which one made the other wait. Rows: WaitPair. */
  pairs: Table;
  /** The call paths of culprits while others waited for them. Rows: CulpritCallPath. */
  causes: Table;
  /**
   * Durations in classes, four between a power of two and the next, ascending; classes without waits are left out.
   * Counts and ticks are exact. Only with details. Rows: DurationClass.
   */
  histogram?: Table;
  /**
   * Durations by call path of the waiting calls, for the 20 call paths with the most ticks; of idle threads, the
   * time of each thread in a call path of its master. Only with details. Rows: CallPathWaits.
   */
  by_callpath?: Table & { left_out: number };
  /** The most severe instances by call path of the waiting calls, at most five each. */
  instances: SevereInstance[];
}

/** The durations of waits. */
export interface WaitStatistics {
  /** The number of waits. */
  count: number;
  /** Their total duration. */
  sum: number;
  /** The shortest wait. */
  minimum: number;
  /** The longest wait. */
  maximum: number;
  /** The mean duration. */
  mean: number;
  /** The variance of the sample, in ticks squared; 0 for fewer than two waits. */
  variance: number;
  /** The first quartile: a quarter of the waits are shorter. */
  quartile25: number;
  /** The median: half of the waits are shorter. */
  median: number;
  /** The third quartile: three quarters of the waits are shorter. */
  quartile75: number;
  /** Largest relative error of median and quartiles; 0: exact. */
  quantile_error: number;
}

/** The number and the duration of the waits of one location for another. */
export interface WaitPair {
  /** The location that caused the waits; null: no location in particular. */
  culprit: Index;
  /** The location that waited; null: the members of blocking operations with more than 512 members, together. */
  waiter: Index;
  /** The number of waits. */
  count: number;
  /** Their total duration. */
  ticks: number;
}

/** The call path of a culprit while others waited for it. */
export interface CulpritCallPath {
  /** The call path in which the culprit was; null: not known. */
  callpath: Index;
  /** The location that caused the waits; null: no location in particular. */
  culprit: Index;
  /** The number of waits. */
  count: number;
  /** Their total duration. */
  ticks: number;
}

/** The waits whose durations lie between two limits. */
export interface DurationClass {
  /** The shortest duration of the class. */
  from: number;
  /** The shortest duration of the next class. */
  to: number;
  /** The number of waits. */
  count: number;
  /** Their total duration. */
  ticks: number;
}

/** The durations of all waits in calls of one call path. */
export interface CallPathWaits {
  /** The call path of the waiting calls. */
  callpath: number;
  /** The number of waits. */
  count: number;
  /** Their total duration. */
  sum: number;
  /** The shortest wait. */
  minimum: number;
  /** The first quartile: a quarter of the waits are shorter. */
  quartile25: number;
  /** The median: half of the waits are shorter. */
  median: number;
  /** The third quartile: three quarters of the waits are shorter. */
  quartile75: number;
  /** The longest wait. */
  maximum: number;
  /** The mean duration. */
  mean: number;
  /** Largest relative error of median and quartiles; 0: exact. */
  quantile_error: number;
}

/** A severe instance of a wait state: one wait, or all waits of one collective operation in one call path together. */
export interface SevereInstance {
  /** The call path of the waiting calls. */
  callpath: Index;
  /** The total duration of all waits of the instance. */
  total: number;
  /** The number of locations that waited. */
  waiters: number;
  /** The longest wait of it. */
  longest: Wait;
  /** All waits of it, the longest first; missing where longest is the only one, or without details. */
  members?: Wait[];
  /** The number of its waits that members does not list; missing: none. */
  members_left_out?: number;
  /** The thing that the longest wait waited for; missing where that is not known, or without details. */
  cause?: WaitCause;
  /**
   * The reason of the longest wait; only with the pattern critical_path, and for the 50 most severe instances of a
   * metric. Missing: not looked for, or not known.
   */
  chain?: WaitChain;
  /** The events around it, as an index of contexts; missing: not kept. */
  context?: number;
  /** The waiting of the longest wait's culprit; null: there is no culprit, or this is not known. */
  culprit_wait: CulpritWait | null;
}

/** One wait: the location that waited, in which call and how long, and the location that caused it. */
export interface Wait {
  /** The location that waited. */
  location: Index;
  /** The call path of the waiting call. */
  callpath: Index;
  /** When the waiting call was entered. */
  enter: number;
  /** When the waiting call was left. */
  exit: number;
  /** When the wait began. */
  begin: number;
  /** How long the wait lasted. */
  ticks: number;
  /**
   * The location that came too late, the last of those whose events are in the trace; null: no location in
   * particular caused the wait.
   */
  culprit: Index;
  /** The call path in which the culprit was meanwhile; null: not known. */
  culprit_callpath: Index;
}

/** The thing that a wait waited for. Members that its kind lacks, or that are not known, are null. */
export interface WaitCause {
  /**
   * message: point to point. collective: an operation of a communicator or window. transfer: one-sided
   * communication. lock: of threads or of a window. team: a barrier of threads. task: tasks of a team. device: an
   * accelerator.
   */
  kind: "message" | "collective" | "transfer" | "lock" | "team" | "task" | "device";
  /** When the message was sent. */
  sent: Index;
  /** When the message was received, or a non-blocking receive was complete. */
  received: Index;
  /** Length of the message. */
  bytes: Index;
  /** Tag of the message. */
  tag: Index;
  /** The communicator of the message or the operation. */
  communicator: Index;
  /** Kind of a collective operation, as OTF2 calls it, e.g. "allreduce". */
  operation: string | number | null;
  /** When the culprit entered the call or region that ended the wait, or that was late. */
  culprit_enter: Index;
  /** When the culprit left it. */
  culprit_exit: Index;
}

/** The reason of a wait, as the pattern critical_path finds it: the wait, the wait of its culprit, and so on. */
export interface WaitChain {
  /** The waits, from the first one backwards. */
  steps: ChainStep[];
  /**
   * The reason why the chain ends with the last step. work: its culprit was busy in root. unexplained: it was in a
   * call there that waits for others and has no known wait. missing_record: the trace lacks the other half of a
   * message of that call. missing_member: that call was part of an operation, or a barrier of threads, of which the
   * trace lacks a member. missing_start: that call completes something whose start the trace lacks. missing_part:
   * that call was of an epoch, or for a lock, of which the trace lacks a part. no_record: the trace has no record
   * of what that call did. not_followed: waits in such calls are followed only with the parameter
   * critical_path.all_waits. no_culprit: it is not known whom it waited for. nothing: it did nothing longer than
   * the location that waited. circle: locations wait for each other in a circle, because their clocks disagree.
   * left_out: there are more steps.
   */
  end:
    | "work"
    | "unexplained"
    | "missing_record"
    | "missing_member"
    | "no_culprit"
    | "nothing"
    | "circle"
    | "left_out"
    | "missing_start"
    | "missing_part"
    | "no_record"
    | "not_followed";
  /** The call path in which the last culprit was late; null: not known. */
  root: Index;
  /** How much longer the last culprit was there than the location that waited for it, since the two had met before. */
  root_ticks: number;
  /** The share of the first wait that the time in root explains. */
  root_share: number;
  /**
   * The share of the first wait that is explained by waits of the last culprit which are not followed, because they
   * are shorter than the time for which it was busy.
   */
  waited_share: number;
  /**
   * All work that explains at least a tenth of the first wait, whether the chain leads there or passes it; the
   * largest share first.
   */
  causes?: ChainCause[];
}

/** A wait of a chain: the location that waited, the location that it waited for, and how it depended on it. */
export interface ChainStep {
  /** The location that waited. */
  location: number;
  /** The call path of the waiting call. */
  callpath: number;
  /** When the waiting call was entered. */
  enter: number;
  /** How long it waited. */
  ticks: number;
  /**
   * How it depended on the location that it waited for. late_sender: a receive waited for its send. late_receiver:
   * a send waited for its receive. barrier, n_to_n, n_to_one: members of a collective operation, or its root,
   * waited for the last member. one_to_n: members waited for the root. finalize: MPI_Finalize waited for the last
   * process. fork: a thread of a team waited for the first one. team_barrier: threads waited for the last one.
   * window: members of a window waited for the last one, at a fence, or where it was created or freed. epoch:
   * one-sided communication waited for a post, or for a complete. passive_target: it waited for a lock, or for the
   * target to call MPI. shmem_collective: members of an operation of SHMEM waited for the last one, or for the
   * root. shmem_pair: a SHMEM call waited for a lock, or for a write of another process. lock: a thread waited for
   * another one to release a lock. task: a thread waited for the creation or the end of a task. device: a host
   * thread waited for a kernel. launch: a kernel waited for its launch. scan: a member of a prefix reduction waited
   * for one of lower rank. late_root: a member of an operation waited for the root, which receives. late_members:
   * the root waited for a member, which receives. creation: a member waited for the last one where a communicator
   * was created. none: it did not wait.
   */
  crossing: string;
  /** The location that it waited for: that of the next step. null: not known. */
  culprit: Index;
  /** The share of the first wait that this wait explains. */
  share: number;
}

/** Work of a location that caused a part of a wait. */
export interface ChainCause {
  /** The location that worked longer than the one that waited for it. */
  location: number;
  /** The call path in which it did. */
  callpath: number;
  /** How much longer it was there. */
  ticks: number;
  /** The share of the first wait that this explains. */
  share: number;
}

/**
 * The waiting of a wait's culprit during that wait, by all wait states that were looked for. A culprit that waited
 * is not the reason.
 */
export interface CulpritWait {
  /** How long it waited in total. */
  ticks: number;
  /** The largest part of that which it waited in one call path for one location. */
  most: number;
  /** The location that it waited for there; null: no location in particular. */
  culprit: Index;
  /** The call path of these waits. */
  callpath: Index;
}

/**
 * A call path in which a culprit was while others waited for it, and in which it itself waited: there it is not the
 * only reason.
 */
export interface WaitingCulprit {
  /** The call path in which the culprit was. */
  callpath: Index;
  /** The location that caused waits. */
  culprit: Index;
  /** How long it was there in the whole run, without what it called. */
  time: number;
  /** How long of that time it waited. */
  waited: number;
}

/**
 * A call that waits for others and that its location is still in when the trace ends: the run was killed, or hung.
 * No wait state includes its wait.
 */
export interface OpenCall {
  /** The location that is in the call. */
  location: number;
  /** The call path; null: the caller is not known. */
  callpath: Index;
  /** The function that was called. */
  region: number;
  /** When it was entered. */
  enter: number;
  /** All that it waits for; empty if the trace does not tell. */
  waits: OpenWait[];
  /** Messages that were sent to the process of a call that receives or looks for one, and that nobody received. */
  unreceived?: UnreceivedMessages[];
}

/** A thing that a call that never ended waits for. */
export interface OpenWait {
  /**
   * receive: for a message. send: for its receiver. collective, window: for members of an operation. lock: for its
   * owner. thread_lock: for the thread that holds a lock of OpenMP or POSIX threads.
   */
  kind: "receive" | "send" | "collective" | "window" | "lock" | "thread_lock";
  /** The communicator, also that of a window or its lock. */
  communicator: Index;
  /** The location whose part of a window is locked. */
  target: Index;
  /** Tag of a message; null: any, or unknown. */
  tag: Index;
  /** The locations that it waits for, ascending; empty: unknown. */
  whom: number[];
  /** True if one of them is enough: a receive from any source. */
  any: boolean;
}

/** Messages that were sent to a process and that no receive in the trace has taken. */
export interface UnreceivedMessages {
  /** The location that sent them. */
  sender: number;
  /** Their communicator. */
  communicator: Index;
  /** Their tag. */
  tag: number;
  /** How many there are. */
  count: number;
}

/** A counter that the recorder wrote (METRIC events), beside its severities. */
export interface Counter {
  /** The kind of its values: ever growing (differences are charged), a state, or differences. */
  kind: "accumulated" | "absolute" | "relative";
  /** The time that a value is about; absolute values of "last" and "next" hold for a time, and are weighted with it. */
  timing: "start" | "point" | "last" | "next";
  /** The unit of its values, as recorded. */
  unit: string;
  /** The unit of its severities times scale. */
  severity_unit: string;
  /** The value that a severity of 1 stands for; above 0. */
  scale: number;
  /** Its values by call path and location. Rows: CounterRow. */
  values: Table;
}

/** A counter in one call path, without what it called, on one location. */
export interface CounterRow {
  /** The call path. */
  callpath: number;
  /** The location. */
  location: number;
  /** The number of values; for an accumulated counter, of differences. */
  samples: number;
  /** The number by which the severity is divided for a mean: ticks of values that hold for a time, else samples. */
  weight: number;
  /** The least single value, in the counter's unit. */
  least: number;
  /** The greatest single value, in the counter's unit. */
  greatest: number;
  /**
   * The rate of a counter that grows or has differences: severity_unit per second of the time spent in that call
   * path on that location. null: of a state, or no time is known.
   */
  rate: number | null;
  /**
   * The mean of a state, over its values, or over time where they hold for a time; null: the counter is not a
   * state.
   */
  mean: number | null;
}

/** A group of processes that wait for each other, directly or through others, over all wait states. */
export interface WaitGroup {
  /** Its processes, ascending. */
  processes: number[];
  /** The number of further processes in it. */
  left_out: number;
  /** The number of waits of members for other members. */
  count: number;
  /** Their total duration. */
  ticks: number;
  /**
   * Each of these processes waits for the next, the last for the first: of all circles in the group the one whose
   * smallest wait is largest.
   */
  circle: number[];
  /** The smallest wait of the circle. */
  circle_ticks: number;
}

/** One of the worst problems of the run, as in the summary. */
export interface Problem {
  /** The wait state; null: time in a function of a library that is not a wait. */
  metric: string | null;
  /** The title of the wait state, or a name of the time, for people. */
  title: string;
  /**
   * The amount, the place, and which location made which one wait; begins with the title. A name that is not UTF-8
   * has its bytes as escapes here; if the report is written again from this one, it has the replacement character.
   */
  sentence: string;
  /** Advice, or the reason for a doubt; may be empty. */
  advice: string;
  /** The metric that has this time: the wait state, or the part of an account; null: none is known. */
  value_of: string | null;
  /** The function whose call paths have this time, all others are not meant; empty: all call paths. */
  function: string;
  /** The time that counts: all of it, or what is left without the calls that start and end MPI and SHMEM. */
  scope: "whole" | "without_init_exit";
  /** The time that it takes. */
  ticks: number;
  /**
   * Its share of the time, as in the sentence: without the calls that start and end MPI and SHMEM, unless all of it
   * is in them.
   */
  share: number | null;
  /** Whether it may be more, as in metrics. */
  told: "exactly" | "at least" | "unknown";
  /** The call path in which most of it is. */
  callpath: Index;
  /** The time in that call path. */
  callpath_ticks: number;
  /** File and line of the last function of that call path whose place is known, "halo.c:120"; empty: unknown. */
  source: string;
  /** The location that waited longest in the most severe instance there. */
  location: Index;
  /** The location that it waited for then. */
  culprit: Index;
  /** The call path in which the culprit was meanwhile. */
  culprit_callpath: Index;
  /** That instance, as an index of the instances in waits of this metric; null: single waits are not known. */
  instance: Index;
}

/** Waits over time: how many ticks of each wait state lie in each bin of time. */
export interface WaitSeries {
  /**
   * Start of the first bin; a multiple of bin_ticks * bins_per_group_bin. No location waits before the first bin or
   * after the last one.
   */
  start: number;
  /** The length of a bin; a power of two. */
  bin_ticks: number;
  /** The number of bins, at most 1024. */
  bins: number;
  /**
   * The number of bins that are one bin in the rows of groups, which have bins / bins_per_group_bin bins, rounded
   * up.
   */
  bins_per_group_bin: number;
  /**
   * Groups of neighbouring locations: the first and the last location of each. If there are at most 256 locations,
   * each is a group.
   */
  groups: [number, number][];
  /** The series of each wait state that has waits. */
  metrics: Record<string, MetricSeries>;
}

/** The waits of one wait state over time, without those of the wait states below it. */
export interface MetricSeries {
  /** The waiting time in each bin; together with without_time it adds up to the metric's severities. */
  ticks: number[];
  /** The ticks that were added without a time. */
  without_time: number;
  /** The ticks by group of locations. */
  groups: GroupSeries[];
}

/** The waits of a group of locations over time. */
export interface GroupSeries {
  /** Number of the group; those without ticks are left out. */
  group: number;
  /** The waiting time in each bin of groups. */
  ticks: number[];
}

/**
 * The critical path, which decides how long the run takes: a list of segments in the order of time. Only with the
 * pattern critical_path, and if the trace tells it.
 */
export interface CriticalPath {
  /** The length of all segments together: the metric critical_path. */
  ticks: number;
  /** The number of segments that are not listed; the longest 10,000 are. */
  left_out: number;
  /** The length of these. */
  ticks_left_out: number;
  /** The segments, in the order of time. Rows: CriticalSegment. */
  segments: Table;
}

/** A stretch of the critical path on one location, without a break. */
export interface CriticalSegment {
  /** The location. */
  location: number;
  /** When its wait ended. */
  from: number;
  /** The time at which it entered the call that lets the next location continue. */
  to: number;
  /** The part of that time that counts. */
  ticks: number;
  /** The call path in which most of it was spent. */
  callpath: Index;
  /** The time in that call path. */
  callpath_ticks: number;
  /** How the path reached this segment, as in chains; none: it begins here. */
  crossing: string;
  /** The call path of the call that waited. */
  waited_in: Index;
}

/**
 * Times, efficiency and waits per visit of one region (--phase REGION), and where most of these waits are. Visits
 * are counted on each location by itself: the n-th visit of each location is the n-th phase. Or per stretch of
 * time, all of equal length up to a tick (--phase time:N).
 */
export interface Phases {
  /** The region; null: the phases are stretches of time. */
  region: Index;
  /** The largest number of visits on a location, or the number of stretches. */
  visits: number;
  /** The number of visits in one phase: 1, or a power of two if there are many. */
  visits_per_phase: number;
  /** The phases, one after the other. */
  phases: Phase[];
}

/** One visit of the phases' region on each location, or several of them (visits_per_phase); or a stretch of time. */
export interface Phase {
  /** The time at which the first location entered the region, or at which the stretch begins. */
  begin: number;
  /** The time at which the last location left the region, or at which the next stretch begins. */
  end: number;
  /** The number of locations that have such visits, or of CPU threads that are in a region in this stretch. */
  locations: number;
  /** Time in these visits, or in regions in this stretch, of all locations together. */
  ticks: number;
  /** The longest such time of a location. */
  longest: number;
  /** The part of the time that was outside of MPI, OpenMP and the other libraries, of all locations together. */
  computation: number;
  /** The longest such time of a location. */
  largest_computation: number;
  /** Mean computation / longest; null if unknown. */
  parallel_efficiency: number | null;
  /** Mean / largest computation; null if unknown. */
  load_balance: number | null;
  /** Largest computation / longest; null if unknown. */
  communication_efficiency: number | null;
  /** By wait state: the waits that began in these visits, or the parts of waits in this stretch; zeros are left out. */
  waits: Record<string, number>;
  /** By wait state: the places of most of these waits; missing if no location waited. */
  places?: Record<string, PhasePlaces>;
}

/**
 * The places of most of the waits of one wait state in a phase: call paths or locations, each with its ticks, the
 * largest first.
 */
export interface PhasePlaces {
  /** The call paths that waited most. */
  callpaths: [number, number][];
  /** The locations that waited most. */
  locations: [number, number][];
}

/** The events around severe waits: the wait and a third of it before and after. Instances that overlap share one. */
export interface WaitContext {
  /** When it begins. */
  from: number;
  /** When it ends. */
  to: number;
  /** The culprit first, then the locations that waited, the longest first. */
  locations: number[];
  /** Region instances shorter than this were left out, because there are too many; 0: none were. */
  shortest: number;
  /**
   * The number of further messages that were sent or received in this time, or whose halves are not known to belong
   * together.
   */
  messages_left_out: number;
  /**
   * The region instances of each location, by location, enter and depth; at most 400 of a location. Rows:
   * ContextInterval.
   */
  regions: Table;
  /**
   * Messages between these locations that were sent and received in this time, or that ended a wait in it. Rows:
   * ContextMessage.
   */
  messages: Table;
  /**
   * One-sided transfers between these locations that began in this time, by start; missing: none. Rows:
   * ContextTransfer.
   */
  transfers?: Table & { left_out: number };
}

/** A region instance in a context. */
export interface ContextInterval {
  /** The location that was in the region. */
  location: number;
  /** The region; null: not known. */
  region: Index;
  /** When it was entered, or the context begins. */
  enter: number;
  /** When it was left, or the context ends. */
  exit: number;
  /** The number of regions around it. */
  depth: number;
}

/** A message between locations of a context. */
export interface ContextMessage {
  /** The location that sent it. */
  sender: number;
  /** The location that received it. */
  receiver: number;
  /** When it was sent. */
  sent: number;
  /** When it was received. */
  received: number;
  /** Its length. */
  bytes: number;
  /** Its tag. */
  tag: number;
  /** Its communicator; null: not known. */
  communicator: Index;
}

/** A one-sided transfer that began in a context. */
export interface ContextTransfer {
  /** The location that started it. */
  origin: number;
  /** The location whose memory it reads or writes. */
  target: number;
  /** put, get or atomic. */
  operation: "put" | "get" | "atomic";
  /** When it was started. */
  started: number;
  /** The time of its completion, by its last record in the context; null: it has none there. */
  completed: Index;
  /** Its length; for an atomic operation, of the data sent. */
  bytes: number;
}

/** The data sent between pairs of processes, and collective operations, in the whole trace, whatever the focus is. */
export interface Communication {
  /**
   * 1: pairs are of processes. Otherwise, they are of blocks of this many processes: block b begins with process b
   * * processes_per_block.
   */
  processes_per_block: number;
  /** The pairs, by sender and receiver; pairs without data are left out. Rows: CommunicationPair. */
  pairs: Table;
  /** Messages by length, ascending; classes without messages are left out. Rows: MessageSizes. */
  sizes: Table;
  /** Collective operations by communicator and kind. Rows: CollectiveOperations. */
  collectives: Table;
}

/** The data that one process sent to another. */
export interface CommunicationPair {
  /** Number of the process, or of the block of processes. */
  sender: number;
  /** Number of the process, or of the block of processes. */
  receiver: number;
  /** The number of matched messages that it sent. */
  messages: number;
  /** Their total length. */
  bytes: number;
  /** The number of puts and atomic operations that it started on the receiver's memory. */
  puts: number;
  /** The bytes that they wrote. */
  bytes_put: number;
  /** The number of gets of the receiver from the sender's memory. */
  gets: number;
  /** The bytes that they read, and that atomic operations brought back. */
  bytes_got: number;
}

/** Messages of similar length. */
export interface MessageSizes {
  /** The smallest length of the class; 0 or a power of two. */
  from: number;
  /** The smallest length of the next class. */
  to: number;
  /** The number of messages. */
  messages: number;
  /** Their total length. */
  bytes: number;
}

/** Blocking collective operations of one kind on one communicator in which all members took part. */
export interface CollectiveOperations {
  /** The communicator; null: not known. */
  communicator: Index;
  /** Kind of the operation, as OTF2 calls it. */
  operation: string | number;
  /** The number of operations. */
  operations: number;
  /** The number of calls that all members together made. */
  calls: number;
  /** The bytes that all members together sent. */
  bytes_sent: number;
  /** The bytes that all members together received. */
  bytes_received: number;
  /** Time in these calls. */
  ticks: number;
  /** Waits in these calls, by the wait states that were looked for; overlapping ones count twice. */
  wait_ticks: number;
}

/**
 * The message queues of MPI as the trace bounds them, over the whole run. A receive was in the posted queue at
 * least from its posting to the start of its send; a message was in the unexpected queue at most from the start of
 * its send to the posting of its receive.
 */
export interface MessageQueues {
  /** The time of the first event. */
  from: number;
  /** The time of the last event; entries that were never received or never completed stay until then. */
  to: number;
  /** The queues by process and communicator. */
  profiles: ProcessQueues[];
  /** The run in equal parts, of all processes. */
  parts: QueuePart[];
}

/** The message queues of a process. */
export interface ProcessQueues {
  /** The process. */
  process: number;
  /** The communicator of the entries; null: entries of all communicators. */
  communicator: Index;
  /** Receives that were posted before their message was sent. */
  posted: QueueProfile;
  /** Messages that were sent before their receive was posted. */
  unexpected: QueueProfile;
  /** These queues in each part of the run, for the 256 longest queues; empty for all others. */
  parts: QueuePart[];
}

/**
 * One message queue. Places are counted from 1, in the order in which entries entered; entries that remained are
 * not counted. They are a model of how far a library searches.
 */
export interface QueueProfile {
  /** The number of entries that were in it for some time. */
  entered: number;
  /** The number of them that were still there at the end of the run. */
  remaining: number;
  /** The largest number of entries at once. */
  greatest_length: number;
  /** The time for which it was not empty. */
  populated: number;
  /** The total time that its entries were in it. */
  total: number;
  /** The shortest time of an entry in it; 0 if there was none. */
  least: number;
  /** The longest time of an entry in it; 0 if there was none. */
  greatest: number;
  /** The sum of the places from which entries were taken, among those of their communicator. */
  search_total: number;
  /** The largest of these places. */
  search_greatest: number;
  /** The sum of the places from which entries were taken, among those of their communicator and sender. */
  source_total: number;
  /** The largest of these places. */
  source_greatest: number;
}

/** The state of queues in one of the equal parts of the run. */
export interface QueuePart {
  /** The largest number of entries in the posted queue of a process. */
  posted_greatest: number;
  /** The largest number of entries in the unexpected queue of a process. */
  unexpected_greatest: number;
  /** The number of entries in the posted queues of all these processes together, as a mean over time. */
  posted_mean: number;
  /** The number of entries in the unexpected queues of all these processes together, as a mean over time. */
  unexpected_mean: number;
}

/** A software performance counter (SPC) of Open MPI, as far as a trace of any MPI library tells it. */
export interface SoftwareCounter {
  /** Its name in Open MPI. */
  name: string;
  /** The things that it counts, and the reason why it is not available. */
  meaning: string;
  /** How the library's value compares with the values here; unknown: a trace does not have it. */
  bound: "exact" | "at most" | "at least" | "unknown";
  /** True if it is in Table 1 of Eberius, Patinyasakdikul and Bosilca, EuroMPI/USA 2017. */
  of_paper: boolean;
  /** Its values by process; empty if the trace, or this analysis, does not tell. */
  values: number[];
}

/** A metric that the trace cannot tell, or only in part: its value may be too small. */
export interface UndeterminedMetric {
  /** The metric; the sentence also holds for the metrics below it. */
  metric: string;
  /** The reason: what the trace lacks. */
  sentence: string;
}

/** Something that is damaged or odd about the trace. */
export interface Diagnostic {
  /** The kind of damage. */
  id: string;
  /** loss: something is missing from the results. odd: an anomaly; everything was analysed. note: nothing is wrong. */
  severity: "note" | "odd" | "loss";
  /** The thing that is counted. */
  sentence: string;
  /** The number of times that it was found. */
  count: number;
  /** Largest error, for kinds that have a size, else 0. */
  largest: number;
  /** The first places, in order of location and time. */
  places: DiagnosticPlace[];
}

/** A place where a trace is damaged or odd. */
export interface DiagnosticPlace {
  /** The location, if the damage belongs to one. */
  location: Index;
  /** Its time, if that is known. */
  time: Index;
  /** The thing itself, e.g. a file or a region. */
  text: string;
}

/** A kind of damage that is counted between two processes. */
export interface DiagnosticPair {
  /** The kind of damage. */
  diagnostic: string;
  /** The sending process. */
  sender: Index;
  /** The receiving process. */
  receiver: Index;
  /** The number of times that it was found. */
  count: number;
  /** Largest error. */
  largest: number;
}
