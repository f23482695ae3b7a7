"""The example of recording in the README, as it stands there: a program of this repository is recorded and analysed."""
import os
import re

from conftest import BUILD, SOURCE, Recorded, run


def test_example_of_recording(mpi, tmp_path):
    examples = re.findall(r"^```sh\n(.*?)^```$", (SOURCE / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    [example] = [text for text in examples if "mpicc " in text]
    set_up, *commands = example.splitlines()
    assert "./setup.sh" in set_up and " record " in example and " analyze " in example
    script = re.sub(r"\b(mpicc|mpirun)\b", rf"\1.{mpi.name}", "\n".join(commands)).replace("build/release/waitstate", "waitstate")
    (tmp_path / "tests").symlink_to(SOURCE / "tests")
    ran = run(["sh", "-e", "-c", script], cwd=tmp_path, env={**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}"})
    assert ran.returncode == 0, ran.stderr
    assert "148 matched messages" in ran.stdout
    assert "Missing from" not in ran.stdout
    assert Recorded(tmp_path / "p2p.trace").severity("mpi_latesender", "p2p", "main", "persistent_halo", "MPI_Waitall") > 0.02
