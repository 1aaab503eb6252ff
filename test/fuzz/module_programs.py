#!/usr/bin/env python3
"""Random packages of Python modules: what a kernel sees of them, against what CPython gives.

    module_programs.py --values build/release/test/fuzz/module-values --count 1000 --seed 1

Each program is a kernel's file and some modules around it that change each other's names. CPython
imports it; the compiler's front end compiles a kernel that prints its constants. Each constant must
be the same, or be refused with a place. Programs for which that does not hold are made smaller and
left in the folder of --keep. With --tilewright a kernel that stores the numbers among them, as far as
they are not refused, runs on the simulator as well.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from modules import execute, generate, reduce  # noqa: E402

FRONT_ENDS = {}


def front_end(tool):
    """That of this process."""
    return FRONT_ENDS.setdefault((tool, os.getpid()), execute.FrontEnd(tool))


def faults(program, expected, arguments):
    """(what the compiler makes of it, its faults)"""
    found = execute.by_compiler(program, expected, front_end(arguments.values))
    if arguments.tilewright and not found.faults:
        rest = {number: expected.values[number] for number in found.same}
        found.faults += execute.on_simulator(program, execute.Outcome(values=rest),
                                             arguments.tilewright)
    return found


def smallest(program, kind, arguments):
    def fails(candidate):
        expected = execute.by_cpython(candidate)
        if expected.raised or not expected.values:
            return False
        return any(each[0] == kind for each in faults(candidate, expected, arguments).faults)
    return reduce.reduced(program, fails)


def keep(program, seed, kind, text, folder):
    place = os.path.join(folder, f"{seed}")
    program.write(place)
    with open(os.path.join(place, "what.txt"), "w") as file:
        file.write(f"{kind}: {text}\n")
    return place


def try_one(seed, arguments):
    """(seed, values that are the same, what is said of those refused, (kind, text) or None)"""
    try:
        done = generate.generate(seed)
        if not done:
            return seed, 0, [], None
        program, expected = done
        found = faults(program, expected, arguments)
        if not found.faults:
            return seed, len(found.same), list(found.refused.values()), None
        kind = found.faults[0][0]
        if not arguments.no_reduce:
            program = smallest(program, kind, arguments)
            expected = execute.by_cpython(program)
            found = faults(program, expected, arguments)
        text = next((each[2] for each in found.faults if each[0] == kind), "")
        keep(program, seed, kind, text, arguments.keep)
        return seed, 0, [], (kind, f"{text}\n{program.listing()}")
    except Exception:
        return seed, 0, [], ("this generator", traceback.format_exc())


def cause(said):
    """The message of a refusal, without its names."""
    message = re.search(r"error: (.*)", said)
    return re.sub(r"'[^']*'|`[^`]*`|\d+", "_", message.group(1)) if message else said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--values", required=True, help="the tool module-values")
    parser.add_argument("--tilewright", help="the command, to run kernels as well")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="the first program's number")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--keep", default="module-failures", help="the folder for those that fail")
    parser.add_argument("--no-reduce", action="store_true", help="leave them as they are")
    parser.add_argument("--causes", type=int, default=0, help="how many causes of refusals to list")
    parser.add_argument("--show", action="store_true", help="print the program of --seed and end")
    arguments = parser.parse_args()
    if arguments.show:
        program, expected = generate.generate(arguments.seed)
        print(program.listing(), expected, sep="\n")
        return 0

    begin = time.monotonic()
    same, kinds, causes = 0, collections.Counter(), collections.Counter()
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        for seed, good, refused, fault in pool.map(try_one, seeds, [arguments] * len(seeds),
                                                   chunksize=4):
            same += good
            causes.update(map(cause, refused))
            if fault:
                kinds[fault[0]] += 1
                print(f"{seed}: {fault[0]}: {fault[1]}", flush=True)
    for text, count in causes.most_common(arguments.causes):
        print(f"{count:6} {text}")
    refused = sum(causes.values())
    print(f"{arguments.count} programs in {time.monotonic() - begin:.0f} s: {same} values are the same, "
          f"{refused} are refused ({100 * refused / max(same + refused, 1):.1f} %)")
    print("faults: " + (", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "none"))
    return 1 if kinds or not same else 0


if __name__ == "__main__":
    sys.exit(main())
