#!/usr/bin/env python3
"""Compares the two schedulers of loops on the example kernels: cycles from one iteration to the next,
cycles of one iteration, and tiles in buffers, by the model of ScheduleProblem.h.

usage: bench/static/schedules.py [--build DIR] [--targets cuda:80,cuda:90] [--cases WORD] [--problems DIR]

A line is a loop. `exact` says whether the search came to its end ("yes"), or stopped at its limit with a
schedule ("found") or without one ("no"). --problems keeps the text of each loop's problem.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import cases  # noqa: E402

FIGURES = re.compile(r"(list|exact|found): interval ([\d.]+), length (\d+), stages (\d+), buffers (\d+)")


def dump_after_latencies(build, case, target, folder):
    """The IR of a case after its loads have latencies; None where it does not compile for the target."""
    command = [os.path.join(build, "tools/tilewright"), "compile",
               os.path.join(ROOT, "examples", case.module + ".py"), "--kernel", case.kernel,
               "--signature", case.signature, "--target", target, "--num-warps", str(case.num_warps),
               "--num-stages", str(case.num_stages), "--no-cache", "--dump-passes", folder, "-o", folder]
    if subprocess.run(command, capture_output=True).returncode:
        return None
    dumps = [name for name in os.listdir(folder) if "AssignLatencies" in name]
    return os.path.join(folder, dumps[0]) if dumps else None


def read_loops(text):
    """Of each loop that has a schedule: its problem, and the figures by solver."""
    loops, problem, figures = [], [], {}
    for line in text.splitlines() + ["op"]:
        begins = line.startswith("op") and (figures or not problem or problem[-1].startswith("no schedule"))
        if begins and problem:
            if figures:
                loops.append(("\n".join(problem), figures))
            problem, figures = [], {}
        match = FIGURES.match(line)
        if match:
            figures[match[1]] = (float(match[2]), *map(int, match.groups()[2:]))
        problem.append(line)
    return loops


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build/release"))
    parser.add_argument("--targets", default="cuda:80,cuda:90,hip:gfx1201")
    parser.add_argument("--cases", default="")
    parser.add_argument("--problems")
    arguments = parser.parse_args()
    print("| case | target | ops | interval: list | exact | length: list | exact | buffers: list | exact | proven |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    ratios = []
    for case in cases.CASES:
        if arguments.cases not in case.name:
            continue
        for target in arguments.targets.split(","):
            with tempfile.TemporaryDirectory() as folder:
                dump = dump_after_latencies(arguments.build, case, target, folder)
                if not dump:
                    continue
                run = subprocess.run([os.path.join(arguments.build, "tools/tilewright-opt"), dump,
                                      "--test-print-schedules", "-o", os.devnull], capture_output=True, text=True)
            if run.returncode:
                sys.exit(f"{case.name} {target}: {run.stderr}")
            for number, (problem, figures) in enumerate(read_loops(run.stdout)):
                ops = sum(line.startswith("op ") for line in problem.splitlines())
                best = figures.get("exact") or figures.get("found")
                proven = "yes" if "exact" in figures else "found" if best else "no"
                listed = figures["list"]
                shown = best or ("", "", "", "")
                print(f"| {case.name} | {target} | {ops} | {listed[0]:.0f} | {shown[0]} | {listed[1]} | {shown[1]} "
                      f"| {listed[3]} | {shown[3]} | {proven} |", flush=True)
                if best and listed[0]:
                    ratios.append(listed[0] / best[0])
                if arguments.problems:
                    os.makedirs(arguments.problems, exist_ok=True)
                    name = f"{case.name}-{target}-{number}.txt".replace("/", "_").replace(" ", "_").replace(":", "-")
                    with open(os.path.join(arguments.problems, name), "w") as file:
                        file.write(problem + "\n")
    if ratios:
        ratios.sort()
        print(f"\n{len(ratios)} loops with an exact schedule; the list's interval over it: median "
              f"{ratios[len(ratios) // 2]:.2f}, most {ratios[-1]:.2f}; the same in "
              f"{sum(ratio < 1.005 for ratio in ratios)}")


if __name__ == "__main__":
    main()
