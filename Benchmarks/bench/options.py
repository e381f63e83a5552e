"""What the command line says."""

import argparse
import os
import re
import sys
import tempfile

REPOSITORY = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


def parse(arguments, large):
    parser = argparse.ArgumentParser(
        prog="Benchmarks/run",
        description="Measures fetch and its peers side by side, in interleaved rounds.",
    )
    parser.add_argument(
        "--rounds", type=count, default=10, metavar="N", help="rounds of each case (10)"
    )
    parser.add_argument(
        "--only",
        type=lambda text: [name for name in text.split(",") if name],
        default=[],
        metavar="CASE,...",
        help="only the cases whose names begin so: startup, many, split, memory, ...",
    )
    parser.add_argument(
        "--size", type=size, default=large, metavar="BYTES", help="the large body (1G)"
    )
    parser.add_argument(
        "--fetch",
        default=os.path.join(REPOSITORY, ".build", "release", "fetch"),
        metavar="FILE",
        help="the executable that is measured (what `make release` builds)",
    )
    parser.add_argument(
        "--folder",
        default="/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir(),
        metavar="FOLDER",
        help="where bodies are read from and written to (/dev/shm: memory, not a disk)",
    )
    parser.add_argument("--json", metavar="FILE", help="write every single sample there as well")
    parser.add_argument("--list", action="store_true", help="print the cases and end")
    options = parser.parse_args(arguments)
    options.fetch = os.path.realpath(options.fetch)
    options.folder = os.path.realpath(options.folder)
    if not options.list and not os.access(options.fetch, os.X_OK):
        sys.exit(f"Benchmarks/run: no executable {options.fetch}: run `make release` first")
    return options


def count(text):
    if not re.fullmatch("[0-9]+", text) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of rounds")
    return int(text)


def size(text):
    match = re.fullmatch("([0-9]+)([KMG]?)", text)
    if not match or int(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 64M")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]
