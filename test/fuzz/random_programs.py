#!/usr/bin/env python3
"""Random tile programs on the simulator, against what they mean in NumPy.

    random_programs.py --tilewright build/release/tools/tilewright --count 1000 --seed 1

Each program is made from its number, for a random target and number of warps. One whose result is
wrong, that is refused or that ends the compiler is made smaller while it fails in the same way, and
is left in the folder `random-failures` as a kernel with the command that runs it.
"""

import argparse
import concurrent.futures
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from programs import execute, generate, reduce  # noqa: E402

TARGETS = ["cuda:80", "cuda:89", "cuda:90", "cuda:100", "cuda:120", "hip:gfx1100", "hip:gfx1150",
           "hip:gfx1200", "hip:gfx1201", "xpu:pvc", "xpu:pvc/32", "xpu:bmg", "xpu:bmg/32"]
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
    """(kind, text) of what is wrong with the program of this number, made smaller; or None."""
    program = generate.generate(seed, arguments.targets)
    found = execute.fault(program, arguments.tilewright)
    if not found:
        return None
    where = f"{program.target}, {program.warps} warps, {program.ctas} blocks"
    if not arguments.no_reduce:
        program = smallest(program, found[0], arguments.tilewright)
        found = execute.fault(program, arguments.tilewright) or found
    keep(program, seed, found[1], arguments.tilewright, arguments.keep)
    return found[0], f"{where}: {found[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", required=True, help="the command")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="the first program's number")
    parser.add_argument("--targets", nargs="+", default=TARGETS)
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--keep", default="random-failures", help="the folder for those that fail")
    parser.add_argument("--no-reduce", action="store_true", help="leave them as they are")
    arguments = parser.parse_args()

    faults = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.count)
        for seed, found in zip(seeds, pool.map(lambda seed: try_one(seed, arguments), seeds)):
            if found:
                faults += 1
                print(f"{seed}: {found[0]}: {found[1]}", flush=True)
    print(f"{arguments.count - faults} of {arguments.count} programs are right")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
