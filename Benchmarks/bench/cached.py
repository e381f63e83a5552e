"""What the cache costs: fetch beside itself, with the cache of another run, and with none."""

import os
import subprocess

from .cases import Case
from .child import Failure
from .tools import Fetch

# The responses that the large cache has.
MANY = 10_000
# The URLs of one command line.
BATCH = 1_000

CASES = [
    Case("cached-fresh", ("wall", "cpu", "instructions"), "cached", "http", "small", repeats=10),
    Case("cached-validated", ("wall", "cpu", "instructions"), "cached", "http", "small", repeats=10),
    Case("cached-among-many", ("wall", "cpu"), "cached", "http", "small", repeats=10),
]


class Cached(Fetch):
    """A cached response to standard output."""

    def cached(self, case, stage):
        if case.name == "cached-validated":
            return self.command("-O", "-", stage.nginx.url("http", "stale/small"))
        # By itself each run would ask the server.
        policy = ("--cache-policy", "protocol")
        return self.command(*policy, "-O", "-", stage.nginx.url("http", "fresh/small"))

    def variables(self, case, stage):
        folder = stage.many if case.name == "cached-among-many" else stage.few
        return {"XDG_CACHE_HOME": folder}


class Start(Fetch):
    """No more than a start."""

    name = "--help"

    def cached(self, case, stage):
        return None if case.name == "cached-among-many" else [self.path, "--help"]


class Few(Cached):
    """The same response out of a cache that has little else."""

    name = "few"

    def cached(self, case, stage):
        return super().cached(case, stage) if case.name == "cached-among-many" else None

    def variables(self, case, stage):
        return {"XDG_CACHE_HOME": stage.few}


def programs(fetch):
    return [Cached(fetch), Start(fetch), Few(fetch)]


def prepare(stage, fetch):
    """Fills the large cache."""
    environment = stage.environment.variables | {"XDG_CACHE_HOME": stage.many}
    for first in range(0, MANY, BATCH):
        urls = [
            stage.nginx.url("http", f"many/{number}") for number in range(first, first + BATCH)
        ]
        run = subprocess.run(
            [fetch, "-q", "-O", "-", *urls],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        if run.returncode != 0:
            raise Failure(f"the large cache: {run.stderr}")
    kept = sum(len(files) for _, _, files in os.walk(stage.many))
    if kept < MANY:
        raise Failure(f"the large cache has {kept} files for {MANY} responses")
