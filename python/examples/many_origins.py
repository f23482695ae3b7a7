"""A pattern of one-sided communication: targets whose memory more than N other processes put to within one epoch, so
that the target's network link or memory is what all of them wait for. An epoch ends with a fence, or with MPI_Win_wait.

    waitstate analyze --plugin many_origins.py --set many_origins.origins=2 TRACE
    python3 many_origins.py TRACE [ORIGINS]
"""

import argparse

import waitstate


class ManyOrigins(waitstate.Pattern):
    """Number of epochs in which many processes put to the memory of this one.

    severity    +1 per target and epoch with puts of more than `origins` other processes
    charged to  the call that ends the epoch at the target: the fence, or MPI_Win_wait
    state       none: the engine keeps the epochs
    source      an example of a pattern that looks at one-sided epochs
    differs     no
    diagnosis   spread the data over more targets, or let the origins take turns
    """

    parent, unit, within_parent = "comms_rma", "occ", False
    parameters = {"origins": (4, "", "Up to so many origins are no crowd.", 0)}
    origins: int  # for type checkers: parameters become attributes

    def rma_collective_callback(self, operation: waitstate.RmaCollective) -> None:
        if operation.kind != waitstate.RmaCollectiveKind.fence:
            return
        members = operation.collective.members
        origins = [0] * len(members)
        for access in operation.accesses:  # one for each pair of an origin and a target
            if access.puts and access.origin_member != access.target_member:
                origins[access.target_member] += 1
        for member, number in zip(members, origins):
            if number > self.origins:
                self.add_call(member.call, 1)

    def rma_exposure_epoch_callback(self, epoch: waitstate.RmaExposureEpoch) -> None:
        putting = sum(1 for o in epoch.origins if o.access.puts and o.origin != epoch.wait.location)
        if putting > self.origins:
            self.add_call(epoch.wait, 1)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Counts epochs in which many processes put to one.")
    arguments.add_argument("trace", metavar="TRACE", help="an OTF2 archive, or a file in the text notation")
    arguments.add_argument("origins", metavar="ORIGINS", nargs="?", type=int, default=4,
                           help="up to so many origins are no crowd (default: 4)")
    given = arguments.parse_args()
    result = waitstate.analyze(given.trace, patterns=[ManyOrigins], parameters={"many_origins.origins": given.origins})
    print(f"{result.total('many_origins')} epochs in which many processes put to one")
    for row in result.rows("many_origins"):
        print(f"  {row.value} of location {row.location.id} in {row.callpath.path}")
