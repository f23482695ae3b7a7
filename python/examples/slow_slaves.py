"""A pattern of an application: in a master-worker program the master waits for results of its workers (slaves). Late
Sender finds the waits; this pattern takes those of the master, and says which worker cost how much.

    waitstate analyze --plugin slow_slaves.py --set slaves_late.master=0 TRACE
    python3 slow_slaves.py TRACE [MASTER]
"""

import argparse

import waitstate


class SlavesLate(waitstate.Pattern):
    """Late Sender waits of the master for messages of its workers.

    severity    the Late Sender waits for messages to the master location
    charged to  as mpi_latesender; the culprit is the worker that sent the message
    diagnosis   give the master work of its own, use more workers, or hand out smaller pieces
    """

    parent = "mpi_latesender"
    needs = "mpi_latesender"
    parameters = {"master": (0, "", "Number of the master's location, in rank and thread order.", 0)}
    master: int  # for type checkers: parameters become attributes

    def init(self) -> None:
        if self.master >= len(self.trace.locations):
            raise waitstate.UsageError(f"parameter master is {self.master}, but there are "
                                       f"{len(self.trace.locations)} locations")
        self.by_worker: dict[int, int] = {}

    def published_callback(self, published: waitstate.Published) -> None:
        message, wait = published.data.message, published.data.wait
        if message.receiver == self.master:
            self.add_wait(wait)
            worker = message.sender.id
            self.by_worker[worker] = self.by_worker.get(worker, 0) + wait.ticks


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Prints which worker the master waited for, and how long.")
    arguments.add_argument("trace", metavar="TRACE", help="an OTF2 archive, or a file in the text notation")
    arguments.add_argument("master", metavar="MASTER", nargs="?", type=int, default=0,
                           help="number of the master's location (default: 0)")
    given = arguments.parse_args()
    pattern = SlavesLate()
    result = waitstate.analyze(given.trace, patterns=[pattern], parameters={"slaves_late.master": given.master})
    print(f"location {given.master} waited {result.seconds(result.total('slaves_late')):.6f} s for its workers")
    for worker, ticks in sorted(pattern.by_worker.items(), key=lambda item: -item[1]):
        print(f"  location {worker}: {result.seconds(ticks):.6f} s")
