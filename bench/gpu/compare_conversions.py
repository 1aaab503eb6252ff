#!/usr/bin/env python3
"""Times the conversions on a machine with a GPU, PyTorch and Triton.

Runs the conversions that compile_conversions.py left in OUT, and Triton's compilation of the same
ttgir. Each must leave the tensor as it was; then both are timed, in turns within one run. One row a
case: the time of one conversion of one block (of all that run at a time), and Triton's time over
ours (above 1 is faster than Triton).
"""

import argparse
import json
import os
import sys

import torch
import triton

import conversion_cases
from compare_triton import bench
from launch import DYNAMIC_SHARED_BYTES, LOCAL_BYTES, REGISTERS, Kernel, open_library

ROUNDS = 256
INTEGERS = {"i8": torch.int8, "i16": torch.int16}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", help="what compile_conversions.py has left")
    parser.add_argument("cases", nargs="*", metavar="case", help="default: all")
    arguments = parser.parse_args()
    out, wanted = arguments.out, arguments.cases
    properties = torch.cuda.get_device_properties(0)
    programs = 8 * properties.multi_processor_count
    print(properties.name, "torch", torch.__version__, "triton", triton.__version__,
          programs, "programs", ROUNDS, "rounds")
    library = open_library()
    failed = []
    for case in conversion_cases.CASES:
        if wanted and case.name not in wanted:
            continue
        dtype = INTEGERS[conversion_cases.MEMORY[case.element]]
        limits = torch.iinfo(dtype)
        a = torch.randint(limits.min, limits.max + 1, (programs * case.size,), dtype=dtype,
                          device="cuda")
        b = torch.empty_like(a)
        ours = Kernel(os.path.join(out, case.name), case.name, library)
        ours.load()
        theirs = triton.compile(os.path.join(out, case.name + ".ttgir"))
        grid = (programs, 1, 1)

        def launchers(rounds):
            return (ours.launcher(grid, [a, b, rounds]),
                    lambda: theirs[grid](a.data_ptr(), b.data_ptr(), rounds))

        row = dict(case=case.name, regs=ours.attribute(REGISTERS),
                   local_bytes=ours.attribute(LOCAL_BYTES),
                   shared=ours.attribute(DYNAMIC_SHARED_BYTES), triton_shared=theirs.metadata.shared)
        for rounds in (0, 1, 3):
            for key, launch in zip(("ok", "triton_ok"), launchers(rounds)):
                b.zero_()
                launch()
                torch.cuda.synchronize()
                row[key] = row.get(key, True) and bool(torch.equal(a, b))
        ms, triton_ms = bench(*launchers(ROUNDS))
        conversions = programs * (2 * ROUNDS + 1)
        row.update(ms=ms, triton_ms=triton_ms, ns=ms * 1e6 / conversions,
                   triton_ns=triton_ms * 1e6 / conversions, ratio=triton_ms / ms,
                   triton_regs=theirs.n_regs, triton_spills=theirs.n_spills)
        print(json.dumps({k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()}),
              flush=True)
        if not row["ok"]:
            failed.append(case.name)
    if failed:
        sys.exit("wrong results: " + ", ".join(failed))


if __name__ == "__main__":
    main()
