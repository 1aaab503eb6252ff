#!/usr/bin/env python3
"""Random tile programs on the simulator, against what they mean in NumPy.

    random_programs.py --tilewright build/release/tools/tilewright --count 1000 --seed 1

Each program is made from its number, for a random target and number of warps. One whose result is
wrong, that is refused or that ends the compiler is made smaller while it fails in the same way, and
is left in the folder `random-failures` as a kernel with the command that runs it.
"""

import argparse
import concurrent.futures
import itertools
import os
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from programs import execute, generate, reduce  # noqa: E402

TARGETS = ["cuda:80", "cuda:89", "cuda:90", "cuda:100", "cuda:120", "hip:gfx1100", "hip:gfx1150",
           "hip:gfx1200", "hip:gfx1201", "hip:gfx90a", "hip:gfx942", "hip:gfx950", "xpu:pvc", "xpu:pvc/32", "xpu:bmg", "xpu:bmg/32"]
# Programs that are tried on the way to a smaller one.
MAX_TRIALS = 400


def smallest(program, kind, tilewright):
    trials = 0

    def fails(candidate):
        nonlocal trials
        trials += 1
        found = execute.fault(candidate, tilewright) if trials <= MAX_TRIALS else None
        return found is not None and found[0] == kind
    return reduce.reduced(program, fails)


def keep(program, seed, text, tilewright, folder):
    """Leaves the program and its arrays, with what is wrong and the command at its head."""
    place = os.path.join(folder, str(seed))
    os.makedirs(place, exist_ok=True)
    words = execute.command(program, tilewright, place)
    with open(os.path.join(place, "kernel.py"), "w") as file:
        file.write(f"# {text}\n".replace("\n", "\n# ")[:-2])
        file.write("# " + " ".join(f"'{w}'" if " " in w else w for w in words) + "\n")
        file.write(program.source())


def try_one(seed, arguments):
    """(seed, kind, text) of what is wrong with the program of this number, made smaller; the kind is
    None if it is right."""
    try:
        program = generate.generate(seed, arguments.targets)
        found = execute.fault(program, arguments.tilewright)
        if not found:
            return seed, None, ""
        where = f"{program.target}, {program.warps} warps, {program.ctas} blocks"
        if not arguments.no_reduce:
            program = smallest(program, found[0], arguments.tilewright)
            found = execute.fault(program, arguments.tilewright) or found
        keep(program, seed, found[1], arguments.tilewright, arguments.keep)
        return seed, found[0], f"{where}: {found[1]}"
    except Exception:
        return seed, "this generator", traceback.format_exc()


class Results:
    """Counts programs and says how far they are."""

    def __init__(self, interval):
        self.interval, self.begin, self.tried, self.faults = interval, time.monotonic(), 0, {}
        self.said = self.begin

    def add(self, seed, kind, text):
        self.tried += 1
        if kind:
            self.faults.setdefault(kind, []).append(seed)
            print(f"{seed}: {kind}: {text}", flush=True)
        now = time.monotonic()
        if now - self.said >= self.interval:
            self.said = now
            print(f"{self.tried} tried in {now - self.begin:.0f} s, {self.count} wrong", flush=True)

    @property
    def count(self):
        return sum(len(seeds) for seeds in self.faults.values())

    def summary(self):
        for kind, seeds in sorted(self.faults.items(), key=lambda item: -len(item[1])):
            print(f"{len(seeds)} times {kind}: {' '.join(map(str, sorted(seeds)))}")
        print(f"{self.tried - self.count} of {self.tried} programs are right")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", required=True, help="the command")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="the first program's number")
    parser.add_argument("--targets", nargs="+", default=TARGETS)
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--seconds", type=float, default=float("inf"),
                        help="when to begin no further program")
    parser.add_argument("--progress", type=float, default=60, help="seconds from one line to the next")
    parser.add_argument("--keep", default="random-failures", help="the folder for those that fail")
    parser.add_argument("--no-reduce", action="store_true", help="leave them as they are")
    arguments = parser.parse_args()

    results = Results(arguments.progress)
    end = results.begin + arguments.seconds
    seeds = (seed for seed in range(arguments.seed, arguments.seed + arguments.count)
             if time.monotonic() < end)
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(try_one, seed, arguments)
                   for seed in itertools.islice(seeds, 2 * arguments.jobs)}
        while running:
            done, running = concurrent.futures.wait(
                running, return_when=concurrent.futures.FIRST_COMPLETED)
            for each in done:
                results.add(*each.result())
            running |= {pool.submit(try_one, seed, arguments)
                        for seed in itertools.islice(seeds, len(done))}
    results.summary()
    return 1 if results.faults else 0


if __name__ == "__main__":
    sys.exit(main())
