"""What background sessions cost: to queue, to follow while nothing happens, and to remember."""

import contextlib
import json
import os
import resource
import select
import shutil
import signal
import socket
import subprocess
import time

from .cases import Case
from .child import TIMEOUT, Failure, Sample
from .tools import Fetch

# Tasks that a session remembers.
MANY = 1_000
# How long a program follows, seconds.
IDLE = 3
# No server listens there: each try fails and waits for the next.
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
        if tool.name == "foreground" and case.name != "background-queue":
            return None
        os.makedirs(self.folder, mode=0o700)
        try:
            if case.name == "background-queue":
                return self.queue_one(tool)
            return self.follow(tool) if case.name == "background-idle" else self.remember(tool)
        finally:
            if os.path.exists(os.path.join(self.folder, "fetch/background/bench/journal")):
                self.kill(self.transfer_process())
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
        """What both processes take while a server has the request, and says nothing."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
            self.run(self.queueing(tool, "-O", self.stage.output, url))
            connection, _ = silent.accept()
            command = tool.command("--attach", "bench")
            follower = subprocess.Popen(command, env=self.variables, stdin=subprocess.DEVNULL)
            try:
                both = [follower.pid, self.transfer_process()]
                # Behind its start.
                time.sleep(1)
                before = sum(cpu_of(process) for process in both)
                time.sleep(IDLE)
                spent = sum(cpu_of(process) for process in both) - before
                if follower.poll() is not None:
                    raise Failure("background-idle: fetch --attach has ended")
                return Sample(IDLE, spent, None)
            finally:
                follower.kill()
                follower.wait()
                connection.close()

    def remember(self, tool):
        listed = os.path.join(self.folder, "urls")
        with open(listed, "w") as file:
            file.writelines(f"{NOWHERE}{number}\n" for number in range(MANY))
        self.run(self.queueing(tool, "-i", listed, "-P", os.path.join(self.folder, "out")))
        process = self.transfer_process()
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
            timeout=TIMEOUT,
        )
        wall = time.perf_counter() - started
        if run.returncode != 0:
            raise Failure(f"{' '.join(command)}: exit status {run.returncode}: {run.stderr}")
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = spent.ru_utime + spent.ru_stime - usage.ru_utime - usage.ru_stime
        return Sample(wall, cpu, None)

    def transfer_process(self):
        """The process that the lock's file names, as soon as it does."""
        lock = os.path.join(self.folder, "fetch/background/bench/lock")
        for _ in range(1_000):
            with contextlib.suppress(FileNotFoundError, json.JSONDecodeError, KeyError):
                with open(lock) as file:
                    return json.load(file)["process"]
            time.sleep(0.01)
        raise Failure("no transfer process has begun in 10 s")

    @staticmethod
    def kill(process):
        """Ends a process that is no child of ours, and waits until it writes nothing any more."""
        with contextlib.suppress(ProcessLookupError):
            handle = os.pidfd_open(process)
            try:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                select.select([handle], [], [], TIMEOUT)
            finally:
                os.close(handle)


def cpu_of(process):
    """Seconds, user and system together: what clock_getcpuclockid(3) has, to the nanosecond."""
    return time.clock_gettime(~process << 3 | 2)
