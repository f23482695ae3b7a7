"""MPI_Pcontrol(0) stops recording and MPI_Pcontrol(1) resumes it: whole calls are in the trace or not, and what is not is said."""
import re
import subprocess

from conftest import record


def barriers(trace):
    """By location."""
    ends = [event[0] for event in trace.events("collective_end") if "op=barrier" in event]
    return {location: ends.count(location) for location in sorted(set(ends))}


def test_what_is_recorded(mpi, tmp_path):
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("pcontrol_switch.c", "-finstrument-functions")))
    text = " ".join(trace.text.split())
    # Each rank: three between a switch on and a switch off, the second one of the duplicate, and one on the world behind it.
    assert barriers(trace) == {"0": 5, "1": 5}
    # The message that was posted before a switch off is there with the call that completes it, the other one is not.
    assert "2 matched messages" in text, text
    events = trace.events()
    for rank in ("0", "1"):
        own = [event for event in events if event[0] == rank]
        assert [event[2] for event in own].count("isend") == [event[2] for event in own].count("isend_complete") == 1
        depth = 0
        for event in own:
            depth += {"enter": 1, "exit": -1}.get(event[2], 0)
            assert depth >= 0
        assert depth == 0
        assert sum(event[2] == "enter" and event[3] == "MPI_Waitall" for event in own) == 2
        assert sum(event[2] == "enter" and event[3] == "MPI_Comm_dup" for event in own) == 1
        modes = [event[3] for event in own if event[2] == "measurement_on_off"]
        assert modes and modes[0] == "mode=off" and modes == ["mode=off", "mode=on"] * (len(modes) // 2)
        assert not [event for event in own if event[2] == "enter" and event[3] == "on_in_function"]
    # Nothing but that it was switched off, and for how long: a nap of 50 ms at least, in both.
    missing = re.search(r"Missing from this trace: (.*?)\.? (?:Statistics|$)", text)
    assert "times that the measurement was switched off" in text, text
    assert not missing or "whose" not in missing[1], text
    assert 0.1 <= trace.severity("measurement_off") < 2
    assert "one side of" not in text


def test_one_side_alone(mpi, tmp_path):
    """Rank 0 does not record a barrier and two of three sends: what follows may be paired wrongly, which is said."""
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("pcontrol_switch.c"), "alone"))
    assert ("one side of 2 messages and of 1 collective operation, where recording was switched off: later ones of the same "
            "processes may be paired with the wrong ones") in " ".join(trace.text.split())


def test_the_next_tool_gets_it(mpi, tmp_path):
    """With what stands behind the level."""
    source = tmp_path / "tool.c"
    source.write_text("""#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
int MPI_Pcontrol(const int level, ...) {
  va_list more;
  va_start(more, level);
  if (level == 9093) fprintf(stderr, "tool: %d %d\\n", level, va_arg(more, int));
  if (level == 1) fprintf(stderr, "tool: %d\\n", level);
  va_end(more);
  return MPI_SUCCESS;
}
""")
    tool = tmp_path / "libtool.so"
    subprocess.run([f"mpicc.{mpi.name}", "-shared", "-fPIC", source, "-o", tool], check=True)
    trace = record(tmp_path / "trace", mpi.run(1, "env", f"LD_PRELOAD={tool}", mpi.compile("pcontrol.c")), "--mpi", mpi.name)
    assert "tool: 9093 4711" in trace.ran.stderr
    behind = record(tmp_path / "behind", mpi.run(1, "sh", "-c", f'LD_PRELOAD="$LD_PRELOAD:{tool}" {mpi.compile("pcontrol.c")}'),
                    "--mpi", mpi.name)
    assert behind.ran.stderr.count("tool: 1") == 2 and "tool: 9093 4711" in behind.ran.stderr
