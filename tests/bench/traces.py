"""The traces that are measured: made once by test tools, kept in a folder, used again if they are there.

A trace is written under a temporary name and renamed when it is complete, so an interrupted run leaves no half of one.
Its folder's name holds all parameters. What exists is used as it is, so remove the folder when the generator changes.
"""
import glob
import os
import shutil
import sys

from measure import ROOT, run


class Traces:
    def __init__(self, folder, programs, scale):
        self.folder, self.programs, self.scale = folder, programs, scale

    def _make(self, name, command):
        """Anchor of the trace of that name; command(path) makes it."""
        path = os.path.join(self.folder, name)
        if not os.path.isdir(path):
            print(f"    making {path}", file=sys.stderr)
            shutil.rmtree(path + ".part", ignore_errors=True)
            os.makedirs(self.folder, exist_ok=True)
            run(command(path + ".part"))
            os.rename(path + ".part", path)
        return os.path.join(path, "traces.otf2")

    def scaled(self, number):
        return max(1, int(number * self.scale))

    def generated(self, pattern, locations, events, **options):
        """A trace of the generator with about that many events (fewer with --quick)."""
        events = self.scaled(events)
        words = [word for key, value in options.items() for word in ("--" + key.replace("_", "-"), str(value))]
        name = "-".join([pattern, str(locations), str(events), *(word.lstrip("-") for word in words)])
        return self._make(name, lambda path: [self.programs["generate_trace"], "--pattern", pattern, "--locations",
                                              locations, "--events", events, *words, path])

    def halo(self):
        """traces/halo, recorded with 8 processes, eight times behind itself: 10.3 million events."""
        return self.repeated("halo", 8)

    def repeated(self, name, times):
        """A recorded trace of the repository so many times behind itself."""
        source = glob.glob(os.path.join(ROOT, "traces", name, "*.otf2"))[0]
        times = max(1, round(times * self.scale))
        return self._make(f"{name}-times-{times}", lambda path: [self.programs["enlarge_trace"], source, path, times])

    @staticmethod
    def archive_bytes(anchor):
        return sum(os.path.getsize(os.path.join(folder, file))
                   for folder, _, files in os.walk(os.path.dirname(anchor)) for file in files)
