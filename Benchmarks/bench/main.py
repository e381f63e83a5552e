"""The whole of a run."""

import contextlib
import json
import os
import platform
import signal
import sys
import tempfile

from . import background, cached, lists, options, report, tools, trust
from .bystanders import Bystanders
from .cases import Stage, all_cases
from .child import TIME, Failure
from .delay import Delay
from .metrics import Results
from .server import Nginx

# The large body, bytes; the targets are for this one.
LARGE = 1 << 30


def main(arguments):
    chosen = options.parse(arguments, LARGE)
    cases = [
        case
        for case in all_cases() + cached.CASES + background.CASES + lists.CASES
        if not chosen.only or any(case.name.startswith(name) for name in chosen.only)
    ]
    if chosen.list:
        print("\n".join(case.name for case in cases))
        return 0
    if not cases:
        return fail(f"no case begins with {', '.join(chosen.only)}: see --list")
    trust.enter_own_namespace()
    # What is ended from outside puts its things in order as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="fetch-bench-", dir=chosen.folder) as folder:
        try:
            return run(chosen, cases, folder)
        except Failure as failure:
            return fail(str(failure))
        except KeyboardInterrupt:
            return 130


def run(chosen, cases, folder):
    programs = tools.installed(chosen.fetch)
    peers = lists.programs(chosen.fetch)
    authority = trust.Authority(os.path.join(folder, "trust"))
    if not authority.join_system_store():
        # What is not loading the system's store must not be shown as that.
        note("no mount namespace of our own (root, or user namespaces): startup-https is left out")
        cases = [case for case in cases if case.name != "startup-https"]
        for program in programs + peers:
            program.authority = authority.authority
    with contextlib.ExitStack() as stack:
        nginx = stack.enter_context(Nginx(os.path.join(folder, "nginx"), authority))
        stage = Stage(nginx, folder, chosen.size)
        stage.prepare(cases)
        own = [case for case in cases if case.kind in lists.KINDS]
        shown = [program for program in programs if len(own) < len(cases) or program.name != "wget"]
        if own:
            if len(peers) < 4:
                note("not every peer is here (Scripts/setup bench)")
            ports = {name: nginx.ports[name] for name in ("http", "h2")}
            delay = stack.enter_context(Delay(ports))
            stage.servers.append(delay)
            stage.lists = lists.Lists(stage, delay)
            stage.lists.prepare(own)
            shown += [peer for peer in peers if peer.name not in ("fetch", "curl")]
        introduce(chosen, shown, stage)
        apart = ("cached", "background", *lists.KINDS)
        usual = [case for case in cases if case.kind not in apart]
        tables = [(programs, usual), (peers, own)]
        if own := [case for case in cases if case.kind == "cached"]:
            if any(case.name == "cached-among-many" for case in own):
                cached.prepare(stage, chosen.fetch)
            tables.append((cached.programs(chosen.fetch), own))
        if own := [case for case in cases if case.kind == "background"]:
            stage.sessions = background.Sessions(stage)
            tables.append((background.programs(chosen.fetch), own))
        measured = [
            (compared, measure(stage, some, compared, chosen.rounds))
            for compared, some in tables
            if some
        ]
    for compared, results in measured:
        print(report.table(results, [program.name for program in compared]))
        print()
        if chosen.size == LARGE and (verdicts := report.verdicts(results)):
            print(verdicts)
            print()
    if chosen.size != LARGE:
        print("No verdict: the targets are for bodies of 1 GiB.")
    if chosen.json:
        raw = [series for _, results in measured for series in results.raw()]
        with open(chosen.json, "w") as file:
            json.dump(raw, file, indent=1)
    return 0


def introduce(chosen, programs, stage):
    note(f"{os.cpu_count()} processors, {platform.system()} {platform.release()}")
    note(f"bodies are in {chosen.folder}")
    for program in programs:
        note(f"{program.name}: {program.version()}")
    if not TIME:
        note("no GNU time: memory is left out (Scripts/setup bench)")
    if not stage.valgrind:
        note("no valgrind: instructions are left out (Scripts/setup bench)")


def measure(stage, cases, programs, rounds):
    """Interleaved: in each round every case, in each case every tool, another one first."""
    results = Results()
    for case in cases:
        for program in programs:
            # The first run warms up, and its result is compared byte by byte.
            stage.measure(case, program, compares=True)
            counted = stage.instructions(case, program)
            if counted is not None:
                results.add(case.name, "instructions", program.name, counted)
    bystanders = Bystanders(stage.servers)
    disturbed = 0
    for number in range(rounds):
        note(f"round {number + 1} of {rounds}")
        for case in cases:
            if case.rounds is not None and number >= case.rounds:
                continue
            samples, was_quiet = undisturbed(stage, case, programs, number, bystanders)
            disturbed += not was_quiet
            for program, sample in samples:
                results.add_sample(case, program.name, sample)
    if disturbed:
        note(f"others used the machine during {disturbed} comparisons, also when taken again")
    return results


def undisturbed(stage, case, programs, number, bystanders):
    """One comparison, taken again where others used the machine meanwhile; three times at most.

    Returns the samples, and whether the last time was quiet.
    """
    # Bodies that are too small for a verdict need no quiet either.
    attempts = 3 if stage.sizes["large"] >= LARGE else 1
    for attempt in range(attempts):
        if attempt > 0:
            bystanders.wait_for_quiet()
        bystanders.have_been_quiet()
        samples = []
        for repeat in range(case.repeats):
            first = (number + repeat) % len(programs)
            for program in programs[first:] + programs[:first]:
                samples.append((program, stage.measure(case, program)))
        if bystanders.have_been_quiet():
            return samples, True
    return samples, False


def note(text):
    print(f"bench: {text}", file=sys.stderr)


def fail(text):
    print(f"Benchmarks/run: {text}", file=sys.stderr)
    return 1
