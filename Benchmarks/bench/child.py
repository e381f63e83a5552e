"""One run of a program: how long it took, what it cost, and whether it did its work."""

import contextlib
import os
import shutil
import signal
import tempfile
import time
from dataclasses import dataclass


class Failure(Exception):
    """A run that did not do what it is measured for."""


@dataclass
class Sample:
    """What one run took."""

    # Seconds.
    wall: float
    # Seconds, user and system together, of the program alone.
    cpu: float
    # The most memory it had at once, KiB; None where that was not measured.
    memory: int | None


# After this many seconds something hangs.
TIMEOUT = 300
# More than a pipe holds: splice(2) moves what there is.
PIECE = 1 << 20
# GNU time, for memory: what wait4(2) says of a child includes the memory of the process it was
# forked from, which here is Python's and there next to nothing.
TIME = shutil.which("time", path="/usr/bin:/bin")


class Environment:
    """What every program is given: nothing of the caller's that could speed one of them up."""

    def __init__(self, folder):
        self.folder = folder
        self.variables = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": folder,
            "TMPDIR": folder,
            "LC_ALL": "C.UTF-8",
        }

    def adding(self, variables):
        other = Environment(self.folder)
        other.variables |= variables
        return other


def run(command, environment, *, source=None, sink=None, with_memory=True):
    """Runs a command to its end.

    `source` is a file that comes through a pipe as standard input. `sink` is True where standard
    output is a pipe. Both pipes have this process at the other end, which moves pages and copies
    none (splice(2)), so that what is measured is not the reader's or the writer's own work.

    Returns the sample and the bytes that came out of standard output.
    """
    with contextlib.ExitStack() as stack:
        report = None
        if with_memory and TIME:
            report = stack.enter_context(tempfile.NamedTemporaryFile(dir=environment.folder))
            command = [TIME, "-q", "-f", "%M", "-o", report.name, *command]
        errors = stack.enter_context(tempfile.TemporaryFile(dir=environment.folder))
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        stack.callback(os.close, null)
        input_end, writer = os.pipe() if source else (null, None)
        reader, output_end = os.pipe() if sink else (None, null)

        started = time.perf_counter()
        process = os.posix_spawn(
            command[0],
            command,
            environment.variables,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, input_end, 0),
                (os.POSIX_SPAWN_DUP2, output_end, 1),
                (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
            ],
            setpgroup=0,
            setsigdef=[signal.SIGPIPE],
        )
        with limited(process):
            if source:
                os.close(input_end)
                feed(source, writer)
            moved = 0
            if sink:
                os.close(output_end)
                moved = drain(reader)
            _, status, usage = os.wait4(process, 0)
        wall = time.perf_counter() - started

        errors.seek(0)
        said = errors.read().decode(errors="replace").strip()
        if status != 0:
            code = os.waitstatus_to_exitcode(status)
            raise Failure(f"{' '.join(command)}: exit status {code}: {said}")
        memory = int(report.read().split()[-1]) if report else None
    return Sample(wall, usage.ru_utime + usage.ru_stime, memory), moved


@contextlib.contextmanager
def limited(process):
    """Ends the process where it hangs, or where we are being ended ourselves.

    It leads a group of its own: what hangs may be its child, as it is that of GNU time.
    """

    def late(*_):
        raise Failure(f"nothing came of it in {TIMEOUT} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(TIMEOUT)
    try:
        yield
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, 0)
        raise
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def feed(path, pipe):
    """Puts a file into a pipe and closes it."""
    try:
        with open(path, "rb") as file:
            while os.splice(file.fileno(), pipe, PIECE) > 0:
                pass
    except BrokenPipeError:
        pass  # Its exit status, or what arrived, says more.
    finally:
        os.close(pipe)


def drain(pipe):
    """Empties a pipe to its end and closes it; returns how many bytes there were."""
    total = 0
    with open(os.devnull, "wb") as null:
        while moved := os.splice(pipe, null.fileno(), PIECE):
            total += moved
    os.close(pipe)
    return total
