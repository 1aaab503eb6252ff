#!/usr/bin/env python3
"""report.py RESULTS.jsonl [ASKED.jsonl]: how many kernels compile, how long it takes, why not.

RESULTS is of compile.py, ASKED of ask_triton.py: with it, what Triton compiles for no such target
does not count. Failures are grouped by their message; kernels over a second are listed.
"""

import argparse
import collections
import re
import statistics

import records

#: What an xpu kernel cannot be asked for: assembly is NVIDIA's or AMD's.
ASSEMBLY = "cannot hold assembly"
SLOW = 1.0


def cause(result):
    """The message without names and numbers."""
    found = re.search(r"error: (.*)", result["err"])
    if result["rc"] < 0:
        return f"ended by signal {-result['rc']}"
    text = found.group(1) if found else result["err"].strip().split("\n")[-1]
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'|\"[^\"]*\"", "'..'", text))[:160]


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("results")
    parser.add_argument("asked", nargs="?")
    options = parser.parse_args()
    results = records.read([options.results])
    asked = {(*records.key(answer), answer["target"]): answer["triton"]
             for answer in (records.read([options.asked]) if options.asked else [])}

    def counts(result):
        """Whether a kernel that compiles nowhere is to be held against the compiler."""
        if not result["rc"]:
            return True
        if result["target"].startswith("xpu:"):
            return ASSEMBLY not in result["err"]
        return not asked.get((*records.key(result), result["target"]))

    for target in sorted({result["target"] for result in results}):
        ours = [result for result in results if result["target"] == target]
        counted = [result for result in ours if counts(result)]
        compiled = [result for result in counted if not result["rc"]]
        print(f"{target}: {len(compiled)} of {len(counted)}, "
              f"{100 * len(compiled) / max(1, len(counted)):.2f} %; "
              f"{len(ours) - len(counted)} more that Triton or the target has not")
        for clock in ("wall", "cpu"):
            times = [result[clock] for result in compiled] or [0]
            print(f"  {clock}: median {statistics.median(times):.3f} s, 99 % "
                  f"{percentile(times, 0.99):.3f} s, largest {max(times):.3f} s")

    groups = collections.defaultdict(list)
    for result in results:
        if result["rc"]:
            groups[counts(result), result["target"], cause(result)].append(result)
    for (counted, target, text), failed in sorted(groups.items(),
                                                  key=lambda group: (not group[0][0],
                                                                     -len(group[1]))):
        print(f"\n{len(failed)} {'' if counted else 'not counted, '}{target}: {text}")
        for result in failed if counted else failed[:1]:
            print(f"    {result['file']}: {result['kernel']}")

    slow = [result for result in results if result["wall"] > SLOW and not result["rc"]]
    if slow:
        print(f"\nover {SLOW:g} s of wall time:")
    for result in sorted(slow, key=lambda result: -result["wall"]):
        print(f"    {result['wall']:.2f} s ({result['cpu']:.2f} s CPU) {result['target']} "
              f"{result['file']}: {result['kernel']}")


if __name__ == "__main__":
    main()
