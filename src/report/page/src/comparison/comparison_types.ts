// The comparison of two runs as the page reads it. src/report/fields/generate.py makes it of the fields that
// src/report/compare declares. Times are in seconds.

/**
 * The comparison that `waitstate diff A B --format json` writes: the changes from run A (before) to run B (after).
 * Times are in seconds. null: a value is not known, or does not exist, in that run. Metrics are named by their id,
 * call paths by their names from the root on, separated by /. A later waitstate may add members under the same
 * version.
 */
export interface Comparison {
  /** Says that this is a comparison. */
  format: "waitstate diff";
  /** Version of this format; it changes when a member is removed or changes its meaning. */
  version: number;
  /** Run A. */
  before: ComparedRun;
  /** Run B. */
  after: ComparedRun;
  /**
   * False if the two runs have different numbers of processes or locations, or are about different parts of a run:
   * sums over all locations are then hard to compare.
   */
  comparable: boolean;
  /** The total of each metric that is compared, in the order of the tree of metrics. */
  metrics: MetricChange[];
  /**
   * The values of these metrics in call paths where they changed, without the call paths below; the largest change
   * of each unit first.
   */
  callpaths: CallPathChange[];
  /**
   * The share of each run that was computation, and its factors. Only if no metrics were named and it is known for
   * one of the runs; the factors behind communication_efficiency only if mpi_ideal_wait was run for one of them.
   */
  efficiency?: EfficiencyChange;
  /**
   * The run time that each run would have if something were different. Only if mpi_ideal_wait was run for one of
   * the runs.
   */
  what_if?: IdealMachineChange;
  /** Wait states that are among the 20 worst problems of one of the runs. The worst of either run first. */
  problems: ProblemChange[];
  /**
   * The durations of single waits, for each wait state that one of the runs has; the largest change of the sum
   * first.
   */
  waits: WaitChanges[];
  /**
   * The waits over time: for each wait state, without those below it, the waiting time in each tenth of the run,
   * from its first event to its last; the largest change first. Only if both reports have a series.
   */
  series?: SeriesChange[];
  /** The data sent between processes. Only if both reports have it, and no metrics were named. */
  communication?: CommunicationChange;
  /** The phases of both runs, by number; only if both runs have phases of the same kind (--phase). */
  phases?: PhaseChanges;
  /** The gates of --fail-on, in their order. */
  gates: Gate[];
}

/** One of the two runs. */
export interface ComparedRun {
  /** The path of the trace, or of the report if that does not name a trace. */
  path: string;
  /** The number of processes. */
  processes: number;
  /** The number of locations. */
  locations: number;
  /** The time from the first event to the last. */
  duration: number;
  /** The part of the run that the report is about; empty: all of it. */
  focus: string;
  /** The locations whose events are missing; empty: none. */
  missing: string;
}

/** The change of the total of a metric. */
export interface MetricChange {
  /** The metric's id. */
  metric: string;
  /** sec: seconds; occ: occurrences. */
  unit: "sec" | "occ" | "bytes" | "counter";
  /** The value in A; null: it is not known, or A has no such metric or call path. */
  before: number | null;
  /** The value in B; null: it is not known, or B has no such metric or call path. */
  after: number | null;
  /** after - before; null unless both values are known exactly. */
  change: number | null;
  /** change / before; null if before is 0 or change is null. */
  relative: number | null;
  /** How far the value is known in A. */
  before_told: "exactly" | "at least" | "unknown" | "not analysed";
  /** How far the value is known in B. */
  after_told: "exactly" | "at least" | "unknown" | "not analysed";
}

/** The change of a metric in a call path. */
export interface CallPathChange {
  /** The metric's id. */
  metric: string;
  /** The call path. */
  callpath: string;
  /** sec: seconds; occ: occurrences. */
  unit: "sec" | "occ" | "bytes" | "counter";
  /** The value in A; null: it is not known, or A has no such metric or call path. */
  before: number | null;
  /** The value in B; null: it is not known, or B has no such metric or call path. */
  after: number | null;
  /** after - before; a call path that does not exist in a run has 0 there. */
  change: number;
  /** change / before; null if before is 0 or change is null. */
  relative: number | null;
  /** How far the value is known in A. */
  before_told: "exactly" | "at least" | "unknown" | "not analysed";
  /** How far the value is known in B. */
  after_told: "exactly" | "at least" | "unknown" | "not analysed";
}

/** The share of each run that was computation, and its factors, from 0 to 1. */
export interface EfficiencyChange {
  /**
   * The part of the run that it covers: the whole run, or everything except MPI_Init, MPI_Finalize and their
   * callees.
   */
  scope: "whole" | "without_init_exit";
  /** Fraction of the run that the processes spent computing on average: load_balance x communication_efficiency. */
  parallel_efficiency: Pair;
  /**
   * Mean computation of the processes as a fraction of the largest; the rest is lost by waiting for the busiest
   * process.
   */
  load_balance: Pair;
  /**
   * Fraction of the run that the busiest process spent computing; the rest is lost in MPI, OpenMP and other
   * libraries.
   */
  communication_efficiency: Pair;
  /** Efficiency if messages took no time; the rest is lost by waiting for each other, which no network avoids. */
  serialisation_efficiency?: Pair;
  /**
   * Ideal run time, on a network on which messages take no time, as a fraction of the run time; the rest is the
   * cost of messages.
   */
  transfer_efficiency?: Pair;
  /**
   * Fraction of the run that the process with the longest time outside of MPI spent there: serialisation_efficiency
   * x transfer_efficiency.
   */
  mpi_communication_efficiency?: Pair;
  /** Mean time of the processes outside of MPI as a fraction of the largest. */
  mpi_load_balance?: Pair;
  /**
   * Fraction of the run that the processes spent outside of MPI on average: mpi_load_balance x
   * mpi_communication_efficiency.
   */
  mpi_parallel_efficiency?: Pair;
  /**
   * Fraction of the time outside of MPI that all threads of a process spent computing on average; 1 for programs
   * without threads.
   */
  openmp_efficiency?: Pair;
}

/** A number of run A and of run B. */
export interface Pair {
  /** The value in A. */
  before: number | null;
  /** The value in B. */
  after: number | null;
  /** after - before; null unless both are known. */
  change: number | null;
}

/** The run time that each run would have if something were different. */
export interface IdealMachineChange {
  /** The recorded run time. */
  run_time: Pair;
  /** The run time if messages took no time. */
  ideal_run_time: Pair;
  /**
   * The run time if the unbalanced call path took its mean time on every process, and communication stayed as
   * efficient; null: nothing would be gained.
   */
  balanced_run_time: Pair;
  /** The unbalanced call path of A. */
  unbalanced_before: string | null;
  /** The unbalanced call path of B. */
  unbalanced_after: string | null;
}

/** A wait state that is among the 20 worst problems of at least one of the runs. */
export interface ProblemChange {
  /** The wait state's id. */
  metric: string;
  /** The title of the wait state. */
  title: string;
  /** The waiting time of all locations together. null: it is not a problem in that run. */
  seconds: Pair;
  /** The call path in which most of it is, in B if it is a problem there; empty if that is not known. */
  callpath: string;
}

/** The durations of single waits of one wait state. */
export interface WaitChanges {
  /** The wait state's id. */
  metric: string;
  /** The number of waits. */
  count: Pair;
  /** Their total duration. */
  sum: Pair;
  /** Their mean duration. */
  mean: Pair;
  /** Their median duration. */
  median: Pair;
  /** The longest duration. */
  longest: Pair;
  /**
   * The number of waits by duration; classes without a wait of either run are left out. Empty if this is not known
   * for both runs.
   */
  histogram: LengthClass[];
  /**
   * The durations by call path of the waiting calls, for the call paths that the reports have, which are the 20
   * with the most waiting. The largest change of the sum first.
   */
  by_callpath: PathWaitChanges[];
}

/** Waits of similar length. */
export interface LengthClass {
  /** The shortest duration of the class. */
  from: number;
  /** All waits of the class are shorter; twice as long as from. */
  to: number;
  /** The number of waits of A. */
  before: number;
  /**
   * The number of waits of B; as its classes follow another clock, a wait counts in the class that contains the
   * middle of its own class.
   */
  after: number;
}

/** The durations of single waits in one call path. */
export interface PathWaitChanges {
  /** The call path of the waiting calls. */
  callpath: string;
  /** The number of waits. */
  count: Pair;
  /** Their total duration. */
  sum: Pair;
  /** Their median duration. */
  median: Pair;
  /** The longest duration. */
  longest: Pair;
}

/** The waits of one wait state over time. */
export interface SeriesChange {
  /** The wait state's id. */
  metric: string;
  /**
   * The waiting time in each tenth, in seconds. A bin of the series that lies in two tenths is divided by its time
   * in each.
   */
  parts: Pair[];
}

/** The data sent between processes. */
export interface CommunicationChange {
  /** The number of messages of all processes together. */
  messages: Pair;
  /** The bytes of these messages. */
  bytes: Pair;
  /** The number of puts and atomic operations. */
  puts: Pair;
  /** The bytes that they wrote. */
  bytes_put: Pair;
  /** The number of gets. */
  gets: Pair;
  /** The bytes that gets read, and that atomic operations brought back. */
  bytes_got: Pair;
  /**
   * 1: pairs are of processes; otherwise, they are of blocks of this many. This and pairs are there only if it is
   * the same in both runs.
   */
  processes_per_block?: number;
  /** The pairs that changed, the largest change of bytes first. */
  pairs?: CommunicationPairChange[];
  /** The number of further pairs that changed. */
  pairs_left_out?: number;
  /** The number of messages by size. */
  sizes: MessageSizeChange[];
  /**
   * Blocking collective operations in which all members took part, by name of the communicator and operation; the
   * largest change of time first.
   */
  collectives: CollectiveChange[];
}

/** The messages that one process, or block of processes, sent to another. */
export interface CommunicationPairChange {
  /** Number of the process, or of the block. */
  sender: number;
  /** Number of the process, or of the block. */
  receiver: number;
  /** The number of messages. */
  messages: Pair;
  /** Their total length. */
  bytes: Pair;
}

/** Messages of similar length. */
export interface MessageSizeChange {
  /** The smallest length of the class. */
  from: number;
  /** All messages of the class are smaller. */
  to: number;
  /** The number of messages. */
  messages: Pair;
}

/** Blocking collective operations of one kind in which all members took part, on communicators of one name. */
export interface CollectiveChange {
  /** The name of the communicator; empty: it has no name. */
  communicator: string;
  /** Kind of the operation, as OTF2 calls it. */
  operation: string;
  /** The number of operations. */
  operations: Pair;
  /** The bytes that all members together sent. */
  bytes_sent: Pair;
  /** The time in these calls, of all members together. */
  seconds: Pair;
  /** The waits in these calls. */
  wait_seconds: Pair;
}

/** The phases of both runs, by number. */
export interface PhaseChanges {
  /** The kind of the phases, e.g. "visits of main_loop" or "16 stretches of time". */
  of: string;
  /** The phases, one after the other. */
  phases: PhaseChange[];
}

/** The phase of one number in both runs. */
export interface PhaseChange {
  /** The number of the phase, from 0 on. */
  phase: number;
  /** The time of the slowest location in it. */
  longest: Pair;
  /** Mean computation / longest time. */
  parallel_efficiency: Pair;
  /** Mean / largest computation. */
  load_balance: Pair;
  /** Largest computation / longest time. */
  communication_efficiency: Pair;
  /** By metric id: the waiting time in it. */
  waits: Record<string, Pair>;
}

/** A gate and the verdict on it. */
export interface Gate {
  /** The gate as it was given. */
  gate: string;
  /** undecided: the gate cannot be judged; the reason says why. */
  verdict: "passed" | "failed" | "undecided";
  /**
   * The value for people, as the gate measures it, with its unit; the values of several conditions are joined by
   * 'and'. Empty if the gate is undecided.
   */
  value: string;
  /** A sentence about a gate that failed or is undecided; empty if it passed. */
  reason: string;
  /** The comparisons of the gate, in their order: several if they are joined by 'and'. It fails if all of them hold. */
  conditions: Condition[];
}

/** One comparison of a gate. */
export interface Condition {
  /** The metric's id, or the name of an efficiency factor. */
  metric: string;
  /** The condition holds if the value stands in this relation to the limit. */
  comparison: ">" | ">=" | "<" | "<=";
  /** The limit that the gate names. */
  limit: number;
  /** The measured value. null: the gate is undecided, or relative growth from zero. */
  value: number | null;
  /** True if the true value may be larger. */
  at_least: boolean;
  /**
   * The unit of limit and value. sec: seconds; occ: occurrences; counter: the metric's own unit; ratio: a share of
   * all time of the base, an efficiency factor, or relative growth, where 1 is 100 %.
   */
  unit: "sec" | "occ" | "bytes" | "counter" | "ratio";
  /**
   * none: limit and value are about one run, the later one of two. Otherwise they are about the change from one run
   * to the other, absolute or relative to the value in the first.
   */
  growth: "none" | "absolute" | "relative";
  /**
   * The part of the run that the value is of, and, for a share, the time that it is a share of: the whole run, or
   * everything except MPI_Init, MPI_Finalize and their callees.
   */
  base: "whole" | "without_init_exit";
}
