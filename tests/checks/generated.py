"""Compares `waitstate analyze` with what generated traces must give by construction, row by row.

usage: generated.py PROGRAM GENERATE_TRACE
"""
import pathlib
import subprocess
import sys
import tempfile

METRICS = "time,visits,syncs_send,syncs_recv,comms_send,comms_recv,bytes_sent,bytes_rcvd,mpi_latesender"
TRACES = [["--pattern", p, "--locations", "6", "--events", "6000", "--seed", s]
          for p, s in [("halo", "1"), ("ring", "2"), ("random", "3"), ("master", "4"), ("tags", "5"), ("mixed", "6")]]
TRACES.append(["--pattern", "halo", "--locations", "8", "--events", "8000", "--clock-error", "5000"])


def main():
    program, generate = sys.argv[1:]
    compare = pathlib.Path(__file__).parent.parent / "support" / "compare_reference.py"
    differ = 0
    for options in TRACES:
        with tempfile.TemporaryDirectory() as scratch:
            trace, ours = pathlib.Path(scratch) / "trace", pathlib.Path(scratch) / "ours.csv"
            subprocess.run([generate, *options, trace], check=True, stdout=subprocess.DEVNULL)
            subprocess.run([program, "analyze", trace, "--format", "csv", "-o", ours], check=True)
            result = subprocess.run([sys.executable, compare, ours, trace / "expected.csv", "--metrics", METRICS],
                                    capture_output=True, text=True)
        differ += result.returncode != 0
        print(" ".join(options), ":", result.stdout.splitlines()[-1] if result.stdout else result.stderr)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
