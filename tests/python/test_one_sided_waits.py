"""The waits that recorded programs ask for are found: as large, in that call path, on that location, and no others.

The delays are those of tests/programs, put down in the manifests of the traces. What calls, time slices and switches
between processes took when a trace was recorded is its noise: nothing beyond it may be missing or found too much.
"""

import pytest

import waitstate

FENCE, START, COMPLETE, WAIT = "MPI_Win_fence", "MPI_Win_start", "MPI_Win_complete", "MPI_Win_wait"
LOCK, UNLOCK = "MPI_Win_lock", "MPI_Win_unlock"

# By trace: its noise, and by metric the waits by design in milliseconds, repetitions together, by call and location.
DESIGNED = {
    "rma": (2.2, {
        "wait_at_create": {"create/MPI_Win_allocate": {0: 30, 1: 20, 2: 10}},
        "wait_at_free": {"create/MPI_Win_free": {1: 10, 2: 20, 3: 30}},
        "wait_at_fence": {f"fence/{FENCE}": {0: 15, 1: 10 + 10, 2: 5, 3: 10}},
        "sync_late_post": {f"late_post/{START}": {0: 10, 2: 10}},
        "early_wait": {f"early_wait/{WAIT}": {1: 10, 3: 10}, f"late_complete/{WAIT}": {1: 15, 3: 15}},
        "late_complete": {f"early_wait/{WAIT}": {1: 10, 3: 10}, f"late_complete/{WAIT}": {1: 10, 3: 10}},
        # The order of the owners is chance; the first one of a repetition does not wait.
        "sync_lock_competition": {f"contention/{LOCK}": {0: 15, 1: 20, 2: 10, 3: 15}}}),
    "rma_waits": (0.5, {
        "wait_at_fence": {f"early_fence/{FENCE}": {1: 40, 2: 40, 3: 40}, f"idle_fence/{FENCE}": {0: 40, 1: 40, 2: 40},
                          f"halves/{FENCE}": {0: 40, 1: 80}},
        "early_fence": {f"early_fence/{FENCE}": {1: 40}},
        "sync_late_post": {f"late_posts/{START}": {0: 120}},
        "early_wait": {f"late_posts/{WAIT}": {1: 80, 2: 40}, f"two_origins/{WAIT}": {3: 80}},
        "late_complete": {f"late_posts/{WAIT}": {2: 40}, f"two_origins/{WAIT}": {3: 40}},
        "sync_lock_competition": {f"owner_and_reader/{LOCK}": {1: 30}, f"readers_and_owner/{LOCK}": {2: 30}}}),
    "rma_waits_messages": (0.5, {
        "wait_at_fence": {f"early_fence/{FENCE}": {1: 40, 2: 40, 3: 40}, f"idle_fence/{FENCE}": {0: 40, 1: 40, 2: 40},
                          f"halves/{FENCE}": {0: 40, 1: 80}},
        "early_fence": {f"early_fence/{FENCE}": {1: 40}},
        "sync_late_post": {f"late_posts/{COMPLETE}": {0: 120}},
        "early_wait": {f"two_origins/{WAIT}": {3: 80}},
        "late_complete": {f"two_origins/{WAIT}": {3: 40}},
        "sync_lock_competition": {f"owner_and_reader/{UNLOCK}": {1: 30}, f"readers_and_owner/{UNLOCK}": {2: 30}},
        "sync_wait_for_progress": {"busy_targets/MPI_Win_flush_all": {3: 120},
                                   f"different_targets/{UNLOCK}": {1: 20, 3: 20},
                                   "different_targets/MPI_Win_flush": {0: 20, 2: 20}}}),
    "rma_windows": (40, {
        "wait_at_fence": {f"halves/late_fence/{FENCE}": {0: 800, 1: 800},
                          f"shared_memory/late_fence/{FENCE}": {0: 800, 1: 800, 2: 800},
                          f"dynamic/late_fence/{FENCE}": {0: 800, 1: 800, 2: 800}},
        "sync_late_post": {f"halves/late_post/{START}": {0: 800, 1: 800}, f"shared_memory/late_post/{START}": {0: 800},
                           f"dynamic/late_post/{START}": {0: 800}},
        "sync_lock_competition": {f"halves/lock_competition/{LOCK}": {2: 600, 3: 600},
                                  f"shared_memory/lock_competition/{LOCK}": {1: 600},
                                  f"dynamic/lock_competition/{LOCK}": {1: 600}}}),
    "rma_blocking": (7, {
        "comm_late_post": {"late_post/MPI_Put": {0: 400}},
        "early_wait": {f"early_post/{WAIT}": {1: 400}},
        "comm_lock_competition": {"lock_competition/MPI_Put": {1: 300}},
        "comm_wait_for_progress": {"busy_target/MPI_Put": {2: 300}}}),
    "shmem_waits": (1.2, {
        "barrier_wait": {"barrier/shmem_barrier_all": {0: 120, 1: 80, 2: 40}},
        "latebroadcast": {"broadcast/shmem_broadcast64": {1: 40, 2: 40}},
        "wait_nxn": {"collect/shmem_fcollect64": {0: 40, 1: 40, 3: 40},
                     "reduce/shmem_long_sum_to_all": {0: 40, 2: 40, 3: 40}},
        "wait_until": {"wait_for_flag/shmem_long_wait_until": {1: 40, 2: 40, 3: 40}},
        # In free_locks the library makes PE 2 wait for a lock that nobody has: 60 ms, as its manifest says.
        "lock_completion": {"lock/shmem_set_lock": {0: 60, 1: 90, 3: 110}, "free_locks/shmem_set_lock": {2: 60}}}),
}
METRICS = {
    "mpi_rma": "wait_at_create wait_at_free wait_at_fence early_fence sync_late_post comm_late_post early_wait late_complete "
               "sync_lock_competition comm_lock_competition sync_wait_for_progress comm_wait_for_progress".split(),
    "shmem": "barrier_wait latebroadcast wait_nxn wait_until lock_completion".split(),
}


@pytest.mark.parametrize("name", DESIGNED)
def test_recorded_waits_are_those_of_the_program(traces, name):
    noise, designed = DESIGNED[name]
    family = "shmem" if name.startswith("shmem") else "mpi_rma"
    result = waitstate.analyze(traces / name)
    for metric in METRICS[family]:
        expected = {(path, location): wait for path, waits in designed.get(metric, {}).items()
                    for location, wait in waits.items()}
        found = {}
        for row in result.rows(f"{family}_{metric}"):
            path = str(row.callpath).removeprefix("rma/").removeprefix("main/")
            if path != "shmem_barrier_all":  # between the situations: everybody waits for the slowest
                found[path, row.location.id] = 1e3 * result.seconds(row.value)
        beyond = {key: value for key, value in found.items() if value > noise or key in expected}
        assert beyond == pytest.approx(expected, abs=noise), metric
