"""What background sessions cost: to queue, to follow while nothing happens, and to remember."""

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import time

from .cases import Case
from .child import Failure, Sample
from .tools import Fetch

# Tasks that a session remembers.
MANY = 1_000
# How long somebody follows, seconds.
IDLE = 5
# Nobody listens there: what is tried waits to be tried again.
NOWHERE = "http://127.0.0.1:1/"

CASES = [
    Case("background-queue", ("wall", "cpu"), "background", "http", "small", repeats=5),
    Case("background-idle", ("cpu",), "background", "http", "small", rounds=1),
    Case("background-1000-tasks", ("memory",), "background", "http", "small", rounds=3),
]


class Foreground(Fetch):
    """An ordinary start, and a fetch of 1 KiB."""

    name = "foreground"


def programs(fetch):
    return [Fetch(fetch), Foreground(fetch)]


class Sessions:
    """Sessions in a folder of their own; what still runs of one is killed behind each case."""

    def __init__(self, stage):
        self.stage = stage
        self.folder = os.path.join(stage.environment.folder, "sessions")
        self.variables = stage.environment.variables | {
            "XDG_STATE_HOME": self.folder,
            "XDG_RUNTIME_DIR": self.folder,
        }

    def measure(self, case, tool):
        os.makedirs(self.folder, mode=0o700)
        try:
            if case.name == "background-queue":
                return self.queue_one(tool)
            if tool.name == "foreground":
                return None
            return self.follow(tool) if case.name == "background-idle" else self.remember(tool)
        finally:
            if process := self.transfer_process():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            shutil.rmtree(self.folder)
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.stage.output)

    def queue_one(self, tool):
        if tool.name == "foreground":
            return self.run(
                tool.to_file(self.stage.nginx.url("http", "small"), "http", self.stage.output)
            )
        return self.run(self.queueing(tool, "-O", self.stage.output, NOWHERE))

    def follow(self, tool):
        self.run(self.queueing(tool, "-O", self.stage.output, NOWHERE))
        command = [tool.path, "-q", "--attach", "bench"]
        process = subprocess.Popen(
            command, env=self.variables, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            # Behind its start.
            time.sleep(1)
            before = cpu_of(process.pid)
            time.sleep(IDLE)
            return Sample(IDLE, cpu_of(process.pid) - before, None)
        finally:
            process.kill()
            process.wait()

    def remember(self, tool):
        listed = os.path.join(self.folder, "urls")
        with open(listed, "w") as file:
            file.writelines(f"{NOWHERE}{number}\n" for number in range(MANY))
        self.run(self.queueing(tool, "-i", listed, "-P", os.path.join(self.folder, "out")))
        process = self.transfer_process(waits=True)
        # It has read all, and tried what it tries at once.
        time.sleep(2)
        with open(f"/proc/{process}/status") as file:
            peak = next(line for line in file if line.startswith("VmHWM"))
        return Sample(0, 0, int(peak.split()[1]))

    def queueing(self, tool, *arguments):
        return tool.command("-b", "--no-discretionary", "--identifier", "bench", *arguments)

    def run(self, command):
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        run = subprocess.run(
            command,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        wall = time.perf_counter() - started
        if run.returncode != 0:
            raise Failure(f"{' '.join(command)}: exit status {run.returncode}: {run.stderr}")
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = spent.ru_utime + spent.ru_stime - usage.ru_utime - usage.ru_stime
        return Sample(wall, cpu, None)

    def transfer_process(self, waits=False):
        """The process that the lock's file names; None where there is none."""
        lock = os.path.join(self.folder, "fetch/background/bench/lock")
        for _ in range(500 if waits else 1):
            with contextlib.suppress(FileNotFoundError, json.JSONDecodeError, KeyError):
                with open(lock) as file:
                    return json.load(file)["process"]
            time.sleep(0.01)
        return None


def cpu_of(process):
    """Seconds, user and system together."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
