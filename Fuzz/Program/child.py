"""Runs of the program under test, with the invariants of each run."""

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import time

TIMEOUT = 20
"""Seconds after which a run counts as hanging; the time limits of all runs are much shorter."""
MEMORY = 200 << 20
"""The limit of a run's memory, in bytes."""
PR_SET_CHILD_SUBREAPER = 36


class Broken(Exception):
    """A violated invariant."""


def adopt_orphans():
    """Makes orphaned transfer processes of background sessions children of this process."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Place:
    """The folders of one case, and a folder outside to which the program must not write."""

    def __init__(self, root):
        self.root = root
        self.outside = os.path.join(root, "outside")
        self.case = os.path.join(root, "case")
        self.work = os.path.join(self.case, "work")
        self.log = []
        os.makedirs(self.outside, exist_ok=True)
        self.write(os.path.join(self.outside, "canary"), b"canary")
        self.known = self._listing()

    def reset(self):
        shutil.rmtree(self.case, ignore_errors=True)
        for name in ("work", "home", "tmp", "run"):
            os.makedirs(os.path.join(self.case, name), mode=0o700)
        self.log = []

    @staticmethod
    def write(path, data):
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, 0o600)

    def path(self, name):
        return os.path.join(self.work, name)

    def put(self, name, data):
        self.write(self.path(name), data)
        return name

    def read(self, name):
        """A file's content; None if the file does not exist."""
        try:
            with open(self.path(name), "rb") as file:
                return file.read()
        except OSError:
            return None

    def files(self):
        """The paths of all regular files of the case."""
        return [os.path.join(folder, name) for folder, _, names in os.walk(self.case)
                for name in sorted(names) if os.path.isfile(os.path.join(folder, name))]

    def _listing(self):
        found = []
        for folder, folders, names in os.walk(self.root):
            if folder == self.root and "case" in folders:
                folders.remove("case")
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found.append((path, file.read(1 << 10)))
        return sorted(found)

    def check_outside(self):
        found = self._listing()
        if found != self.known:
            self.known = found
            raise Broken("something was written outside of the case's folder")

    @property
    def environment(self):
        home = os.path.join(self.case, "home")
        return {
            "HOME": home, "TMPDIR": os.path.join(self.case, "tmp"), "PATH": "/usr/bin:/bin",
            "XDG_CONFIG_HOME": home + "/config", "XDG_CACHE_HOME": home + "/cache",
            "XDG_STATE_HOME": home + "/state", "XDG_DATA_HOME": home + "/data",
            "XDG_RUNTIME_DIR": os.path.join(self.case, "run"), "LC_ALL": "C.UTF-8",
        }


def run(executable, place, arguments, environment=(), timeout=TIMEOUT):
    """Runs the program; returns its status and output. Raises Broken on a hang, a signal or excess memory."""
    place.log.append(arguments)
    with open(os.path.join(place.case, "stdout"), "wb") as out, \
            open(os.path.join(place.case, "stderr"), "wb") as err:
        child = subprocess.Popen(
            [executable, *arguments], cwd=place.work, stdin=subprocess.DEVNULL, stdout=out,
            stderr=err, env={**place.environment, **dict(environment)},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        status, usage = _wait(child, timeout)
    _judge(status, usage)
    with open(os.path.join(place.case, "stdout"), "rb") as out:
        return os.waitstatus_to_exitcode(status), out.read()


def _wait(child, timeout):
    deadline = time.monotonic() + timeout
    pause = 0.001
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = 0
            return status, usage
        if time.monotonic() > deadline:
            child.kill()
            os.wait4(child.pid, 0)
            child.returncode = 0
            raise Broken(f"a run has not ended within {timeout} s")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)


def _judge(status, usage):
    if os.WIFSIGNALED(status):
        raise Broken(f"a process died by {signal.Signals(os.WTERMSIG(status)).name}")
    if usage.ru_maxrss << 10 > MEMORY:
        raise Broken(f"a process took {usage.ru_maxrss >> 10} MiB")


def orphans():
    """The orphaned processes that became children of this process."""
    own = os.getpid()
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == own:
            found.append(int(name))
    return found


def end_orphans(timeout=0):
    """Ends them after a time; raises Broken if another signal than its own ended one."""
    deadline = time.monotonic() + timeout
    killed = set()
    broken = None
    while (left := orphans()):
        for pid in left:
            if time.monotonic() >= deadline and pid not in killed:
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
            ended, status, usage = os.wait4(pid, os.WNOHANG)
            if ended and pid not in killed:
                try:
                    _judge(status, usage)
                except Broken as error:
                    broken = error
        time.sleep(0.005)
    if broken:
        raise broken
