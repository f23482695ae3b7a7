"""A pattern of an application: in a master-worker program the master waits for results of its workers (slaves). Late
Sender finds the waits; this pattern takes those of the master, and says which worker cost how much.

    waitstate analyze --plugin slow_slaves.py --set slaves_late.master=0 TRACE
    python3 slow_slaves.py TRACE [MASTER]
"""

import sys

import waitstate


class SlavesLate(waitstate.Pattern):
    """Late Sender waits of the master for messages of its workers.

    severity    the Late Sender waits for messages to the master location
    charged to  as mpi_latesender; the culprit is the worker that sent the message
    diagnosis   give the master work of its own, use more workers, or hand out smaller pieces
    """

    parent = "mpi_latesender"
    needs = "mpi_latesender"
    parameters = {"master": (0, "", "Number of the master's location, in rank and thread order.")}

    def init(self):
        if not 0 <= self.master < len(self.trace.locations):
            raise waitstate.UsageError(f"parameter master is {self.master}, but there are "
                                       f"{len(self.trace.locations)} locations")
        self.by_worker = {}

    def published_callback(self, published):
        message, wait = published.data.message, published.data.wait
        if message.receiver == self.master:
            self.add_wait(wait)
            worker = message.sender.id
            self.by_worker[worker] = self.by_worker.get(worker, 0) + wait.ticks


if __name__ == "__main__":
    pattern = SlavesLate()
    master = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    result = waitstate.analyze(sys.argv[1], patterns=[pattern], parameters={"slaves_late.master": master})
    print(f"location {master} waited {result.seconds(result.total('slaves_late')):.6f} s for its workers")
    for worker, ticks in sorted(pattern.by_worker.items(), key=lambda item: -item[1]):
        print(f"  location {worker}: {result.seconds(ticks):.6f} s")
