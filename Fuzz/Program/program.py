#!/usr/bin/env python3
"""Runs the executable on changed responses and files, and checks invariants of every run.

    program.py EXECUTABLE SECONDS SEED [CASE] [--keep FOLDER]

A case follows from the seed and its number alone, so SEED CASE runs one again. A case that breaks a
promise is kept, with its folder, and the exit status is 1.
"""

import argparse
import collections
import os
import random
import shutil
import sys
import tempfile
import time

import scenarios
from child import Broken, Place, adopt_orphans, end_orphans
from peer import Peer


def keep(folder, name, place, scene, error):
    """Saves the files and the log of a case."""
    target = os.path.join(folder, name)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(place.case, target, symlinks=True, ignore_dangling_symlinks=True,
                    ignore=lambda path, names: [n for n in names if not os.path.isdir(
                        os.path.join(path, n)) and not os.path.isfile(os.path.join(path, n))])
    with open(os.path.join(target, "CASE"), "w", encoding="utf-8") as file:
        print(error, file=file)
        for arguments in place.log:
            print("run:", arguments, file=file)
        for changed in scene.shown:
            print("changed:", changed[:4096], file=file)
    return target


def run_case(options, place, peer, number):
    """Runs a case; returns its scenario's name, and the violated invariant or None."""
    chance = random.Random(f"{options.seed}:{number}")
    scenario = scenarios.ALL[number % len(scenarios.ALL)]
    place.reset()
    scene = scenarios.Scene(options.executable, place, peer, chance)
    try:
        try:
            scenario(scene)
        finally:
            end_orphans()
        place.check_outside()
        return scenario.__name__, None
    except Broken as error:
        name = f"program-{options.seed}-{number}"
        kept = keep(options.keep, name, place, scene, error)
        return scenario.__name__, f"case {number} ({scenario.__name__}): {error}; kept in {kept}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("executable", type=os.path.abspath)
    parser.add_argument("seconds", type=float)
    parser.add_argument("seed", type=int)
    parser.add_argument("case", type=int, nargs="?")
    parser.add_argument("--keep", default=".")
    options = parser.parse_args()
    os.makedirs(options.keep, exist_ok=True)
    adopt_orphans()
    peer = Peer()
    counts = collections.Counter()
    failures = []
    with tempfile.TemporaryDirectory(prefix="fetch-fuzz-") as root:
        place = Place(root)
        deadline = time.monotonic() + options.seconds
        number = options.case or 0
        while options.case is not None or time.monotonic() < deadline:
            scenario, failure = run_case(options, place, peer, number)
            counts[scenario] += 1
            counts["runs"] += len(place.log)
            if failure:
                failures.append(failure)
                print(failure, flush=True)
            if options.case is not None or len(failures) >= 20:
                break
            number += 1
    runs = counts.pop("runs", 0)
    cases = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    print(f"program: seed {options.seed}, {runs} runs in {sum(counts.values())} cases ({cases}),"
          f" {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
