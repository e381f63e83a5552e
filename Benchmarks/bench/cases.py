"""The cases: one piece of work each, and how to see that it was done."""

import filecmp
import os
import re
import shutil
import subprocess
from dataclasses import dataclass

from . import child
from .child import Failure


@dataclass
class Case:
    """One piece of work, the same for every tool."""

    name: str
    # What is looked at: wall, cpu, memory, instructions.
    metrics: tuple[str, ...]
    # download-file, download-stdout, upload-file, upload-pipe, startup, cached; many, split, list; background.
    kind: str
    protocol: str
    # The file that goes over the wire.
    body: str
    # Times it runs in each round; short runs are noisy and cheap.
    repeats: int = 1
    # The rounds that are enough; None: all. Memory hardly varies.
    rounds: int | None = None


def all_cases():
    everything = ("wall", "cpu", "memory")
    startup = ("wall", "cpu", "instructions")
    cases = [
        Case(f"startup-{protocol}", startup, "startup", protocol, "small", repeats=5)
        for protocol in ("http", "https")
    ]
    for kind in ("download-file", "download-stdout"):
        cases += [
            Case(f"{kind}-{protocol}", everything, kind, protocol, "large")
            for protocol in ("http", "https", "h2")
        ]
    for kind in ("upload-file", "upload-pipe"):
        cases.append(Case(kind, everything, kind, "http", "large"))
    for kind in ("download-file", "download-stdout", "upload-file", "upload-pipe"):
        cases += [
            Case(f"memory-{kind}-{body}", ("memory",), kind, "http", body, rounds=3)
            for body in ("middle", "large")
        ]
    return cases


class Stage:
    """Where cases run: the server, its bodies, and the folder that the programs write to."""

    def __init__(self, nginx, folder, large):
        self.nginx = nginx
        self.servers = [nginx]
        self.output = os.path.join(folder, "out")
        # Caches: one that has little, and one that has much.
        self.few = os.path.join(folder, "few")
        self.many = os.path.join(folder, "many")
        self.environment = child.Environment(folder)
        self.sizes = {
            "small": 1 << 10,
            "middle": 1 << 20,
            "quarter": max(1 << 10, large // 4),
            "large": large,
        }
        # For cases of many URLs and of parts.
        self.lists = None
        # For those of background sessions.
        self.sessions = None
        self.paths = {}
        self.valgrind = shutil.which("valgrind")

    def prepare(self, cases):
        for body in {case.body for case in cases} & self.sizes.keys():
            self.paths[body] = self.nginx.add(body, self.sizes[body])

    def command(self, case, tool):
        """What the tool is called for a case; None where it cannot do it."""
        url = self.nginx.url(case.protocol, case.body)
        target = self.nginx.url(case.protocol, "stored/body")
        match case.kind:
            case "startup" | "download-file":
                return tool.to_file(url, case.protocol, self.output)
            case "download-stdout":
                return tool.to_stdout(url, case.protocol)
            case "upload-file":
                return tool.upload_file(target, self.paths[case.body])
            case "upload-pipe":
                return tool.upload_stdin(target)
            case "cached":
                return tool.cached(case, self)
        raise AssertionError(case.kind)

    def measure(self, case, tool, *, compares=False):
        """One run, or None where the tool cannot do it.

        Raises `Failure` where it did not do its work: with `compares` down to the last byte,
        otherwise by the number of bytes.
        """
        if case.kind in ("many", "split", "list"):
            return self.lists.measure(case, tool, compares=compares)
        if case.kind == "background":
            return self.sessions.measure(case, tool)
        command = self.command(case, tool)
        if command is None:
            return None
        arrived = self.output
        if case.kind.startswith("upload"):
            arrived = os.path.join(self.nginx.stored, "body")
        try:
            sample, moved = child.run(
                command,
                self.environment.adding(tool.variables(case, self)),
                source=self.paths[case.body] if case.kind == "upload-pipe" else None,
                sink=case.kind in ("download-stdout", "cached"),
                with_memory="memory" in case.metrics,
            )
            if case.kind not in ("download-stdout", "cached"):
                moved = os.path.getsize(arrived) if os.path.exists(arrived) else 0
            if moved != self.sizes[case.body] and tool.name != "--help":
                wanted = self.sizes[case.body]
                raise Failure(f"{case.name}: {tool.name}: {moved} bytes instead of {wanted}")
            if compares and case.kind not in ("download-stdout", "cached"):
                if not filecmp.cmp(arrived, self.paths[case.body], shallow=False):
                    raise Failure(f"{case.name}: {tool.name}: other bytes")
        finally:
            # A file that is there already is another piece of work.
            if os.path.exists(arrived):
                os.remove(arrived)
        return sample

    def instructions(self, case, tool):
        """The instructions of one run, which hardly vary; None where they cannot be counted."""
        if not self.valgrind or "instructions" not in case.metrics:
            return None
        command = self.command(case, tool)
        if command is None:
            return None
        try:
            counted = subprocess.run(
                [self.valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                env=self.environment.adding(tool.variables(case, self)).variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                timeout=child.TIMEOUT,
            )
        except subprocess.TimeoutExpired as late:
            raise Failure(f"{case.name}: {tool.name} under valgrind: {late}") from late
        found = re.search(r"Collected : (\d+)", counted.stderr)
        if counted.returncode != 0 or not found:
            raise Failure(f"{case.name}: {tool.name} under valgrind: {counted.stderr}")
        if os.path.exists(self.output):
            os.remove(self.output)
        return int(found[1])
