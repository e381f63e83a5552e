"""What is to be reached."""

from dataclasses import dataclass


# Whichever of the others has the smallest metric.
FASTEST = "the fastest peer"


@dataclass
class Target:
    """A limit on one metric of fetch's: as a ratio to curl's, or by itself."""

    case: str
    metric: str
    limit: float
    # The tool whose metric it is a multiple of, or FASTEST; None: the limit is absolute, in the
    # metric's unit.
    against: str | None = "curl"

    def words(self):
        return f"{self.case}: {self.metric} ≤ {self.limit:g}" + (
            f" × {self.against}'s" if self.against else " MiB"
        )


TARGETS = [
    Target("startup-https", "wall", 0.65),
    Target("startup-http", "wall", 1.4),
    Target("startup-http", "instructions", 2.0),
    Target("download-file-http", "cpu", 0.9),
    Target("download-stdout-http", "cpu", 0.85),
    Target("download-file-https", "cpu", 1.0),
    Target("download-stdout-https", "cpu", 1.0),
    Target("download-file-h2", "cpu", 1.0),
    Target("download-stdout-h2", "cpu", 1.0),
    Target("upload-file", "cpu", 0.75),
    Target("upload-pipe", "wall", 0.7),
    Target("cached-fresh", "wall", 1.2, against="--help"),
    Target("cached-among-many", "wall", 1.1, against="few"),
    Target("background-queue", "wall", 2.0, against="foreground"),
    Target("background-1000-tasks", "memory", 48, against=None),
    Target("split-limited", "wall", 1.0, against="aria2c"),
    # Two cores decrypt in 0.67 to 0.89 of the time of one.
    Target("split-https", "wall", 0.9),
] + [
    Target(f"many-{protocol}{distance}", "wall", 1.0, against=FASTEST)
    for distance in ("", "-20ms")
    for protocol in ("http", "h2")
] + [
    # Flat: as much for a hundred URLs as for a hundred thousand.
    Target(f"memory-list-{count}", "memory", 24, against=None)
    for count in (100, 10_000, 100_000)
] + [
    Target(f"memory-{kind}-{body}", "memory", 24, against=None)
    for kind in ("download-file", "download-stdout", "upload-file", "upload-pipe")
    for body in ("middle", "large")
]
