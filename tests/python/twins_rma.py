"""Built-in patterns of one-sided communication and of tasks, written a second time in Python: a twin for every kind of
compound event that they look at. What they must give is in the case files; see test_cases.py."""

import waitstate
from twins import last_to_begin, wait_for
from waitstate import MpiFunction, RegionClass, RmaCollectiveKind


def latest(calls):
    """The call that was entered last; of several the first; None if there are none."""
    return max(calls, key=lambda call: call.enter, default=None)


class EarlyWait(waitstate.Pattern):
    """Time in MPI_Win_wait before the last origin has called MPI_Win_complete."""

    id, parent = "mpi_rma_early_wait", "mpi_rma_sync_active"

    def rma_exposure_epoch_callback(self, epoch):
        last = latest(origin.complete for origin in epoch.origins)
        if last is None or epoch.wait.function != MpiFunction.win_wait:
            return
        since = self.since(epoch)
        ticks = min(last.enter, epoch.wait.exit) - since
        if ticks > 0:
            self.add_wait(epoch.wait, ticks, last, begin=since)

    def since(self, epoch):
        return epoch.wait.enter


class LateComplete(EarlyWait):
    """Time in MPI_Win_wait between the last operation on the process's memory and the last MPI_Win_complete."""

    id, parent = "mpi_rma_late_complete", "mpi_rma_early_wait"

    def since(self, epoch):
        operations = [origin.access.last.exit for origin in epoch.origins if origin.access.last is not None]
        return max([epoch.wait.enter] + operations)


class SyncLatePost(waitstate.Pattern):
    """Time in start and complete calls before all targets have posted their part of the window."""

    id, parent = "mpi_rma_sync_late_post", "mpi_rma_sync_active"

    def rma_access_epoch_callback(self, epoch):
        post = latest(target.post for target in epoch.targets)
        for call in (epoch.complete, epoch.start):
            if post is not None and call.enter < post.enter <= call.exit:
                self.add_wait(call, post.enter - call.enter, post)
                return


class WaitAtFence(waitstate.Pattern):
    """Time in fences before the last process has reached them."""

    id, parent = "mpi_rma_wait_at_fence", "mpi_rma_sync_active"

    def rma_collective_callback(self, operation):
        collective = operation.collective
        members = collective.members
        if (operation.kind != RmaCollectiveKind.fence or
                min(m.end for m in members) <= max(m.begin for m in members)):
            return
        last = last_to_begin(collective, range(len(members)))
        for i, member in enumerate(members):
            ticks = wait_for(collective, i, last)
            if ticks > 0:
                self.add_wait(member.call, ticks, members[last].call, begin=member.begin)


class PairsyncCount(waitstate.Pattern):
    """Number of processes that are synchronised with at the ends of fence, access and exposure epochs."""

    id, unit = "mpi_rma_pairsync_count", "occ"
    metrics = [{"id": "mpi_rma_pairsync_unneeded_count", "parent": "mpi_rma_pairsync_count", "unit": "occ"}]

    def book(self, call, partners, unneeded):
        self.add_call(call, partners)
        self.add_call(call, unneeded, 1)

    def rma_collective_callback(self, operation):
        if operation.kind != RmaCollectiveKind.fence:
            return
        members = operation.collective.members
        needed = [set() for _ in members]
        for access in operation.accesses:
            assert members[access.origin_member].call.location == access.origin
            needed[access.origin_member].add(access.target_member)
            needed[access.target_member].add(access.origin_member)
        for member, partners in zip(members, needed):
            self.book(member.call, len(members), len(members) - len(partners))

    def rma_access_epoch_callback(self, epoch):
        used = {operation.target for operation in epoch.operations}
        self.book(epoch.complete, len(epoch.targets), len(epoch.targets) - len(used))

    def rma_exposure_epoch_callback(self, epoch):
        self.book(epoch.wait, len(epoch.origins), sum(o.access.operations == 0 for o in epoch.origins))


def synchronises(call):
    return call.region is not None and call.region.region_class == "mpi_rma_sync_passive"


class SyncLockCompetition(waitstate.Pattern):
    """Time in lock, unlock and flush calls before another process has released a conflicting lock."""

    id, parent = "mpi_rma_sync_lock_competition", "mpi_rma_sync_passive"

    def rma_passive_call_callback(self, passive):
        if passive.released is not None and synchronises(passive.call):
            self.add_wait(passive.call, passive.release_time - passive.call.enter, passive.released)


class SyncWaitForProgress(waitstate.Pattern):
    """Time in lock, unlock and flush calls while the target was outside of MPI, until it called MPI again."""

    id, parent = "mpi_rma_sync_wait_for_progress", "mpi_rma_sync_passive"

    def rma_passive_call_callback(self, passive):
        for gap in passive.gaps if synchronises(passive.call) else ():
            self.add_wait(passive.call, gap.end - gap.begin, gap.next, begin=gap.begin)


class ShmemWaitUntil(waitstate.Pattern):
    """Time in shmem_wait and shmem_wait_until before the operation that changed the memory was started."""

    id, parent = "shmem_wait_until", "shmem_point2point_synchronization"

    def rma_wait_change_callback(self, waiting):
        call, changed = waiting.call, waiting.changed
        if call.region is None or call.region.region_class != "shmem_point2point_synchronization":
            return
        ticks = (call.exit if changed is None else changed.enter) - call.enter
        if ticks > 0:
            self.add_wait(call, ticks, changed)


class TaskStarvation(waitstate.Pattern):
    """Time in barriers and taskwaits while no task was ready, but the tasks were not done."""

    id, parent = "omp_task_starvation", "omp_synchronization"

    def task_idle_callback(self, idle):
        for part in idle.parts:
            assert (part.wait.culprit, part.wait.ticks) == (part.culprit, part.end - part.begin)
            self.add_wait(part.wait)


class ImplicitBarrierWait(waitstate.Pattern):
    """Time in implicit barriers before the last thread of the team has reached them, without that of tasks."""

    id, parent = "omp_ibarrier_wait", "omp_ibarrier"

    def team_barrier_callback(self, barrier):
        if barrier.region_class != RegionClass.omp_ibarrier:
            return
        last = latest(barrier.members)
        for i, call in enumerate(barrier.members):
            begin, until = call.enter, min(last.enter, call.exit)
            for span in [*(barrier.tasks[i] if barrier.tasks else []), None]:
                end = until if span is None else min(span.begin, until)
                if end > begin:
                    self.add_wait(call, end - begin, last, begin=begin)
                if span is not None:
                    begin = max(begin, span.end)


TWINS = (EarlyWait, LateComplete, SyncLatePost, WaitAtFence, PairsyncCount, SyncLockCompetition, SyncWaitForProgress,
         ShmemWaitUntil, TaskStarvation, ImplicitBarrierWait)
