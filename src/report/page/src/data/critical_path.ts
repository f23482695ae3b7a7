// The critical path as the report has it: the longest segments, in the order of time.
import type { Index } from "../report_types";
import { records } from "./record_tables";
import type { Report } from "./report";

/** A time that the critical path spends on one location. */
export interface CriticalSegment {
  location: number;
  from: number;
  to: number;
  ticks: number;
  callpath: Index; // has most of the segment
  callpath_ticks: number;
  crossing: string; // by what the path came here from another location
  waited_in: Index;
}

const segmentsOfReports = new WeakMap<Report, CriticalSegment[]>();

/** Empty if the report has no critical path. */
export function criticalSegments(report: Report): CriticalSegment[] {
  let segments = segmentsOfReports.get(report);
  if (!segments) {
    const table = report.meta.critical_segments?.segments;
    segments = table ? records<CriticalSegment>(table) : [];
    segmentsOfReports.set(report, segments);
  }
  return segments;
}

/** For each way by which a location gets on thanks to another one, what it had waited for. */
export const crossings: Record<string, string> = {
  late_sender: "a message",
  late_receiver: "the receive of its message",
  barrier: "the last process at a barrier",
  n_to_n: "the last process of an N \u00d7 N operation",
  one_to_n: "the root of an operation",
  n_to_one: "the last process that sends to it in an operation",
  finalize: "the last process at MPI_Finalize",
  fork: "its team",
  team_barrier: "the last thread at a barrier",
  window: "the last process at its window",
  epoch: "its part of an epoch",
  passive_target: "its lock, or its next MPI call",
  shmem_collective: "the last process, or the root, of an operation",
  shmem_pair: "its lock, or its write to memory",
  lock: "its lock",
  task: "the creation or the end of a task",
  device: "its kernel",
  launch: "the launch of its kernel",
  scan: "a process of lower rank in a prefix reduction",
};
