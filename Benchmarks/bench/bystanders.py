"""Whether others use the machine while something is measured."""

import os
import time

TICKS = os.sysconf("SC_CLK_TCK")
# What a system does by itself, as a share of one processor.
QUIET = 0.12
# Seconds that are waited for quiet.
TIMEOUT = 20


class Bystanders:
    """Watches the time that processors spend on what is neither measured nor measures."""

    def __init__(self, servers):
        self.servers = servers
        self.before = self.look()

    def look(self):
        """The time, and how much of the processors' went to others, in seconds."""
        with open("/proc/stat") as file:
            # user nice system idle iowait irq softirq steal
            fields = [int(field) for field in file.readline().split()[1:9]]
        busy = (sum(fields) - fields[3] - fields[4]) / TICKS
        ours = sum(os.times()[:4])
        ours += sum(server.processor_time() for server in self.servers)
        return time.monotonic(), busy - ours

    def have_been_quiet(self):
        """Whether they were since this was made, or last asked."""
        started, before = self.before
        self.before = self.look()
        ended, after = self.before
        return after - before <= QUIET * (ended - started) + 2 / TICKS

    def wait_for_quiet(self):
        """Waits until they are quiet, or the timeout is over."""
        deadline = time.monotonic() + TIMEOUT
        self.have_been_quiet()
        while time.monotonic() < deadline:
            time.sleep(0.5)
            if self.have_been_quiet():
                return
