#!/usr/bin/env python3
"""compile.py OUTPUT RECORDS.jsonl ..: compiles gathered kernels with Tilewright, each in a process.

Compiles each kernel of the records (gather.py) for each target as the package has it: its file
where it lies, imports followed, no cache. A line of OUTPUT for each: the exit status, seconds of
wall and of CPU time, megabytes, what was printed.
"""

import argparse
import concurrent.futures
import os
import random
import re
import resource
import subprocess
import tempfile
import time

import records

TARGETS = "cuda:90,hip:gfx1201,xpu:bmg"
#: Characters kept of what the compiler prints.
KEPT = 3000


def command(tool, record, target, output):
    signature = ", ".join(entry for _, entry in record["signature"])
    return [tool, "compile", record["file"], "--kernel", record["kernel"], "--target", target,
            "--signature", signature, "--num-warps", str(record["num_warps"]),
            "--num-stages", str(record["num_stages"]), "--no-cache", "-o", output]


def measure(words, seconds):
    """Runs a command, with at most this many seconds of CPU time."""
    with tempfile.TemporaryFile() as errors:
        begun = time.monotonic()
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=errors)
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read(KEPT).decode(errors="replace")
    return {"rc": process.returncode, "wall": round(wall, 4),
            "cpu": round(usage.ru_utime + usage.ru_stime, 4), "mb": usage.ru_maxrss // 1024,
            "err": text}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("output")
    parser.add_argument("records", nargs="+")
    parser.add_argument("--tilewright", default="build/release/tools/tilewright")
    parser.add_argument("--targets", default=TARGETS)
    parser.add_argument("--only", default="", metavar="REGEX", help="of FILE:KERNEL")
    parser.add_argument("--failed", metavar="FILE", help="only what failed in this earlier output")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one kernel of N")
    parser.add_argument("--jobs", type=int, default=1, help="compilations at a time")
    parser.add_argument("--seconds", type=int, default=60, help="of CPU time a kernel")
    options = parser.parse_args()

    kernels = [record for record in records.accepted(options.records)
               if re.search(options.only, ":".join(records.key(record)))]
    # Mixed, so that a part of a run is a sample of the whole.
    random.Random(1).shuffle(kernels)
    failed = options.failed and {(*records.key(result), result["target"])
                                 for result in records.read([options.failed]) if result["rc"]}
    asked = [(record, target) for record in kernels[::options.every]
             for target in options.targets.split(",")
             if failed is None or (*records.key(record), target) in failed]

    def compile_one(one):
        record, target = one
        with tempfile.TemporaryDirectory() as folder:
            words = command(options.tilewright, record, target, folder)
            return {"package": record["package"], "file": record["file"],
                    "kernel": record["kernel"], "target": target,
                    **measure(words, options.seconds), "command": words}

    with open(options.output, "w", encoding="utf-8") as stream, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(compile_one, one)
                                                     for one in asked]):
            records.append(stream, done.result())


if __name__ == "__main__":
    main()
