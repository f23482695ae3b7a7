#!/usr/bin/env python3
"""Checks the completions of bash and zsh against what each --help says, and against what the program takes.

usage: completions.py PROGRAM TRACE

Bash is asked for the candidates of every option of every command; what is offered must be what the help lists, and the
program must take it. Then both shells get keys on a terminal, as from a user, and have to complete the line. Zsh is left
out if it is not there. Prints every difference, exits 1 if there is one.
"""
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from help_texts import all_helps

ASK = """
compopt() { printf 'compopt %s\\n' "$*"; }
ask() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _waitstate
  if ((${#COMPREPLY[@]})); then printf 'word %s\\n' "${COMPREPLY[@]}"; fi
  printf '==\\n'
}
"""
FREE = {"T", "N", "REGEX", "NAME[,NAME...]", "N[,M-K...]", "REGION", "FROM TO"}  # values that nobody can know before the trace is read


class Bash:
    """Asks the function of the completion, without a terminal."""

    def __init__(self, script):
        self.script = script

    def __call__(self, *questions):
        """For each list of words behind the program's name: candidates for the last one, and arguments of compopt."""
        text = f". {shlex.quote(str(self.script))}\n{ASK}" + "".join(
            f"ask waitstate {shlex.join(words)}\n" for words in questions)
        done = subprocess.run(["bash", "--norc", "-u", "-c", text], capture_output=True, text=True, check=True)
        assert done.stderr == "", done.stderr
        answers = []
        for answer in done.stdout.split("==\n")[:-1]:
            lines = answer.splitlines()
            answers.append(([x.removeprefix("word ") for x in lines if x.startswith("word ")],
                            [x.removeprefix("compopt ") for x in lines if x.startswith("compopt ")]))
        return answers

    def one(self, *words):
        return self(words)[0]


def complaint(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL).stderr


class Check:
    def __init__(self, program, trace, bash, folder):
        self.program, self.trace, self.bash, self.folder = program, trace, bash, folder
        self.wrong = []

    def expect(self, what, found, expected):
        if sorted(found) != sorted(expected):
            self.wrong.append(f"{what}: offered {sorted(found)}, expected {sorted(expected)}")

    def options(self, helps):
        self.expect("commands", self.bash.one("")[0], [h.command for h in helps[1:]])
        self.expect("help", self.bash.one("help", "")[0], [h.command for h in helps[1:]])
        for shown in helps:
            before = [shown.command] if shown.command else []
            entries = shown.entries("Options")
            long_names = [name for entry in entries for name in entry.options if name.startswith("--")]
            self.expect(f"options of {shown.command}", self.bash.one(*before, "--")[0], long_names)
            for entry in entries:
                for name in entry.options:
                    self.value(before, name, entry.value)

    def value(self, before, name, value):
        what = f"{' '.join(before)} {name}"
        (words, asked), (after, _) = self.bash([*before, name, ""], [*before, name, "=", ""])
        if "|" in value:
            self.expect(what, words, value.split("|"))
            for word in value.split("|"):
                if re.search("unknown|expected", found := self.refusal(before[0], name, word)):
                    self.wrong.append(f"{what} {word} is offered, but: {found}")
        elif value in FREE:
            self.expect(what, words + asked, [])
        elif value == "FILE":
            self.expect(what, words + asked, ["-o default"])
        elif value == "FOLDER":
            self.expect(what, words + asked, ["-o dirnames"])
        elif value and not words:
            self.wrong.append(f"{what} takes {value}, but nothing is offered")
        if value and value not in FREE | {"FILE", "FOLDER"}:
            self.expect(f"{what} =", after, words)

    def refusal(self, command, name, word):
        """The program's message about a value if everything else but the folder of the trace is right."""
        if command == "record":
            return complaint(self.program, "record", "-o", str(self.folder), name, word, "--", "true").replace(
                "exists already", "")
        need = {"--order": ["--full"], "--by": ["--metric", "time"] if command == "show" else []}.get(name, [])
        inputs = ["nowhere.json"] * (2 if command == "diff" else 1)
        gate = ["--fail-on", "time>1s"] if command == "check" else []
        return re.sub("expected (the|a).*", "", complaint(self.program, command, name, word, *need, *gate, *inputs))

    def words(self):
        """All words of a vocabulary are taken together by the program."""
        metrics = self.bash.one("explain", "")[0]
        listed = subprocess.run([self.program, "patterns"], capture_output=True, text=True, check=True).stdout
        ids = re.findall(r"^ *\(?(\w+)\)?(?:  +(?:sec|occ|bytes|s|count) |$)", listed, re.MULTILINE)
        if len(ids) < 50 or set(ids) - set(metrics):
            self.wrong.append(f"metrics that are not offered: {sorted(set(ids) - set(metrics))} of {len(ids)}")
        patterns, types = self.bash.one("analyze", "--pattern", "")[0], self.bash.one("print", "--type", "")[0]
        groups = self.bash.one("record", "--record", "")[0]
        factors = sorted(set(self.bash.one("check", "--fail-on", "")[0]) - set(metrics))
        gates = [word for factor in factors for word in ("--fail-on", f"{factor}<0%")]
        for what, arguments in [
                ("metrics", ["explain", *metrics]),
                ("patterns", ["analyze", str(self.trace), "--pattern", ",".join(patterns)]),
                ("types", ["print", str(self.trace), "--transfers", "--type", ",".join(types)]),
                ("gates", ["check", str(self.trace), "--pattern", "mpi_ideal_wait", *gates])]:
            if found := complaint(self.program, *arguments):
                self.wrong.append(f"{what} are offered, but: {found}")
        if len(factors) < 3:
            self.wrong.append(f"few gates are no metrics: {factors}")
        if "exists already" not in (found := self.refusal_of_groups(groups)):
            self.wrong.append(f"groups {groups} are offered, but: {found}")
        for parameter in self.bash.one("analyze", "--set", "")[0]:
            if re.search("no parameter|unknown|did you", found := complaint(self.program, "analyze", "nowhere", "--set",
                                                                             parameter + "1")):
                self.wrong.append(f"{parameter} is offered, but: {found}")

    def refusal_of_groups(self, groups):
        return complaint(self.program, "record", "-o", str(self.folder), "--record", ",".join(groups), "--", "true")

    def words_before(self):
        """Completions depend on the words before the cursor."""
        ask = self.bash.one
        metrics = ask("explain", "")[0]
        for words, expected in [
                (["analyze", "x", "--pattern", "mpi_barrier_w"], ["mpi_barrier_wait"]),
                (["analyze", "--pattern", "time,mpi_barrier_w"], ["time,mpi_barrier_wait"]),
                (["check", "--fail-on", "'load_b"], ["load_balance"]),
                (["analyze", "--format", "="], ["text", "csv", "json", "html"]),
                (["show", "--by", "=", "reg"], ["region"]),
                (["explain", "mpi_latesender", ""], metrics),
                (["analyze", "--time", "1", ""], []),
                (["analyze", "--", "--"], []),
                (["graph", "x", ""], []),
                (["nosuch", "--"], [])]:
            self.expect(" ".join(words), ask(*words)[0], expected)
        for words in (["info", ""], ["analyze", "--time", "1", "2", ""], ["analyze", "--full", ""], ["diff", "a", ""],
                      ["record", "-o", "f", "--", "./app", "--", ""], ["record", "./app", ""]):
            self.expect(" ".join(words), ask(*words)[1], ["-o default"])
        if "bash" not in ask("record", "--analyze", "bas")[0] or "bash" not in ask("record", "--", "bas")[0]:
            self.wrong.append("record offers no programs")


class Terminal:
    """A shell on a terminal, in which `waitstate` prints its arguments: <analyze> <--format> <json>."""

    def __init__(self, command, setup, folder):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, {"PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder), "TERM": "dumb", "LANG": "C"})
        self.text = ""
        self.send(setup + "\n")
        self.send("echo rea''dy\n")
        self.wait("ready")

    def send(self, keys):
        os.write(self.file, keys.encode())

    def wait(self, mark):
        end = time.monotonic() + 60
        while mark not in self.text:
            if not select.select([self.file], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"no '{mark}' in: {self.text}")
            self.text += os.read(self.file, 65536).decode(errors="replace")
        before, _, self.text = self.text.partition(mark)
        return before

    def complete(self, keys):
        self.send(f"waitstate {keys}\t")
        self.send("\n")
        return re.findall(r"<([^<>\r\n]*)>", self.wait("<end>"))

    def close(self):
        self.send("exit\n")
        os.close(self.file)
        os.waitpid(self.pid, 0)


SHOW = """waitstate() { local a; for a in "$@"; do printf '<%s> ' "$a"; done; printf '<%s>\\n' en''d; }"""


def typed(check, shell, terminal):
    for keys, expected in [
            ("anal", ["analyze"]),
            ("analyze --form", ["analyze", "--format"]),
            ("analyze --format js", ["analyze", "--format", "json"]),
            ("analyze --format=js", ["analyze", "--format=json"]),
            ("show run --by reg", ["show", "run", "--by", "region"]),
            ("analyze --pattern mpi_barrier_w", ["analyze", "--pattern", "mpi_barrier_wait"]),
            ("analyze --pattern time,mpi_barrier_w", ["analyze", "--pattern", "time,mpi_barrier_wait"]),
            ("analyze --set big_m", ["analyze", "--set", "big_messages.threshold="]),
            ("explain time mpi_barrier_w", ["explain", "time", "mpi_barrier_wait"]),
            ("help gra", ["help", "graph"]),
            ("analyze --full a\\ r", ["analyze", "--full", "a run.otf2"]),
            ("analyze -o a\\ r", ["analyze", "-o", "a run.otf2"]),
            ("recover fol", ["recover", "folder"]),
            ("record --mpi mpic", ["record", "--mpi", "mpich"]),
            ("record -- a_prog", ["record", "--", "a_program"])]:
        found = [word.rstrip("/") for word in terminal.complete(keys)]  # zsh takes it away again
        if found != expected:
            check.wrong.append(f"{shell}: '{keys}' becomes {found}, expected {expected}")
    terminal.close()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, trace = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        share, home = folder / "share", folder / "home"
        subprocess.run([program, "generate", share], check=True)
        bash_script = share / "bash-completion" / "completions" / "waitstate"
        zsh_folder = share / "zsh" / "site-functions"
        (home / "folder").mkdir(parents=True)
        (home / "a run.otf2").write_text("")
        (home / "bin").mkdir()
        (home / "bin" / "a_program").touch(mode=0o755)
        check = Check(program, trace, Bash(bash_script), folder)
        check.options(all_helps(program))
        check.words()
        check.words_before()
        typed(check, "bash", Terminal(["bash", "--norc", "--noprofile", "-i"],
                                      f"bind 'set enable-bracketed-paste off'; . {bash_script}; {SHOW}", home))
        if shutil.which("zsh") is None:
            print("completions: zsh is left out, it is not here")
        else:
            done = subprocess.run(["zsh", "-n", zsh_folder / "_waitstate"], capture_output=True, text=True)
            if done.returncode != 0 or done.stderr:
                check.wrong.append(f"zsh -n: {done.stderr}")
            typed(check, "zsh", Terminal(["zsh", "-f", "-i"],
                                         f"unsetopt prompt_cr prompt_sp; fpath=({zsh_folder} $fpath); autoload -Uz compinit; "
                                         f"compinit -u -D; {SHOW}", home))
    print("\n".join(check.wrong) or "completions offer what the help says and the program takes")
    sys.exit(1 if check.wrong else 0)


if __name__ == "__main__":
    main()
