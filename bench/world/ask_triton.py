#!/usr/bin/env python3
"""ask_triton.py PACKAGES OUTPUT RESULTS.jsonl RECORDS.jsonl ..: does Triton compile what we do not?

Compiles each kernel that failed in RESULTS (compile.py), for that target, with Triton down to
machine code. A line of OUTPUT for each: what Triton said, empty if it made machine code. Where
Triton has no back end (Intel's, in Triton itself) it is not asked.
"""

import argparse
import os
import select
import signal
import sys

import records
import with_triton

#: Seconds a kernel.
LIMIT = 120
KEPT = 600


def ask(record, target):
    """What Triton says, in a process of its own: its compilers may end it."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(writer, 2)
        try:
            kinds = {name: entry for name, entry in record["signature"]
                     if with_triton.is_type(entry)}
            constants = {name: with_triton.from_text(entry) for name, entry in record["signature"]
                         if name not in kinds}
            options = {name: record[name] for name in ("num_warps", "num_stages")}
            with_triton.compile_kernel(with_triton.find(record), kinds, constants, options, target)
            os._exit(0)
        except BaseException as error:  # pylint: disable=broad-except; whatever Triton raises
            os.write(2, f"{type(error).__name__}: {error}".encode())
            os._exit(1)
    os.close(writer)
    said, limit = b"", LIMIT
    while select.select([reader], [], [], limit)[0]:
        got = os.read(reader, 1 << 16)
        if not got:
            break
        said += got
    else:
        os.kill(child, signal.SIGKILL)
    os.close(reader)
    _, status = os.waitpid(child, 0)
    return status, said.decode(errors="replace")[-KEPT:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("packages")
    parser.add_argument("output")
    parser.add_argument("results")
    parser.add_argument("records", nargs="+")
    options = parser.parse_args()
    with_triton.prepare(os.path.abspath(options.packages))
    sys.setrecursionlimit(4000)
    kernels = {records.key(record): record for record in records.accepted(options.records)}
    with open(options.output, "w", encoding="utf-8") as stream:
        for result in records.read([options.results]):
            if result["rc"] and not result["target"].startswith("xpu:"):
                status, said = ask(kernels[records.key(result)], result["target"])
                records.append(stream, {
                    "file": result["file"], "kernel": result["kernel"],
                    "target": result["target"],
                    "triton": (said or f"ended with {status}") if status else ""})


if __name__ == "__main__":
    main()
