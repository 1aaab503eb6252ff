#!/usr/bin/env python3
"""The measured kernels for Intel, as its compiler sees them.

spirv-val checks the modules of all targets and sizes of sub-groups. Then ocloc, Intel's offline
compiler, compiles those for pvc, and this looks at the instructions: registers spilled to memory,
messages of less than 16 bytes a lane where the layouts allow 16, and the number of matrix
instructions. Steps whose tool is not installed are left out; exits with 77 if that leaves none.
"""

import argparse
import collections
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, os.path.join(ROOT, "bench"))
import cases  # noqa: E402
import ocloc  # noqa: E402

# Parts of the names of functions that ocloc of 2022 does not know.
NEW_FUNCTIONS = [b"tf32_tf32_matrix_mad", b"sub_group_2d_block"]
# Nor does it know Xe2: for its targets there is only the validator.
TARGETS = ["xpu:pvc", "xpu:bmg", "xpu:lnl"]
COMPILED_DEVICE = "pvc"
LANES = [16, 32]


class Check:
    """What is expected of one case. `warps`: of a block, by the lanes of a warp. `registers`:
    each of 64 bytes, that NAME.json asks the driver for: 128, or 256; by the lanes of a warp, None
    where the tile is too large for either. `wide`: global loads and stores have 16 bytes a lane,
    all but so many."""

    def __init__(self, warps, registers, wide=None):
        self.warps, self.registers, self.wide = warps, registers, wide


# Tiles for matrix units have more accumulators than SIMD32 code has registers, and DPAS is for
# sub-groups of 16.
SMALL, LARGE = {16: 128, 32: 128}, {16: 256, 32: None}
CALL = re.compile(r"^\s*(\([^)]*\))?\s*calla?\b", re.MULTILINE)
OPTIONS = {128: "", 256: "-cl-intel-256-GRF-per-thread"}
CHECKS = {
    "vector_add": Check({16: 8, 32: 4}, SMALL),
    "dropout": Check({16: 8, 32: 4}, SMALL, wide=0),
    "transpose": Check({16: 8, 32: 8}, SMALL, wide=0),
    "softmax": Check({16: 16, 32: 8}, SMALL, wide=0),
    # The two statistics of a row.
    "layer_norm": Check({16: 16, 32: 8}, SMALL, wide=2),
    "row_argmax": Check({16: 8, 32: 4}, SMALL),
    "matmul_fma": Check({16: 8, 32: 4}, {16: 256, 32: 256}),
    "matmul_fma_unit": Check({16: 8, 32: 4}, {16: 128, 32: 256}),
    # The sums of 128 x 256 take 64 registers each of 32 sub-groups, and 128 each of 16: all that
    # are left beside a tile of operands on its way.
    "matmul_f16": Check({16: 32, 32: 8}, LARGE),
    "matmul_bf16": Check({16: 32, 32: 8}, LARGE),
    "matmul_bt_f16": Check({16: 32, 32: 8}, LARGE),
    "matmul_f16_1k": Check({16: 8, 32: 4}, LARGE, wide=0),
    "matmul_f16_small_tile": Check({16: 16, 32: 8}, LARGE),
    "matmul_int8": Check({16: 16, 32: 8}, LARGE),
    "matmul_tf32": Check({16: 16, 32: 8}, LARGE),
    # The logarithms of the sums of the rows: a store, and the driver's table for four of them.
    "flash_d64": Check({16: 16, 32: 8}, LARGE, wide=5),
    "flash_d128": Check({16: 16, 32: 8}, LARGE),
}
# These have tiles for matrix units only: they are validated.
DEFAULT = Check({16: 16, 32: 8}, {16: None, 32: None})


def run(*command):
    """RuntimeError says what a command complains of."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(" ".join((done.stderr + done.stdout).split())[:300])


def compile_case(tilewright, case, target, lanes, warps, directory):
    """The path of the SPIR-V and the options to build it with."""
    run(tilewright, "compile", os.path.join(ROOT, "examples", case.module + ".py"),
        "--kernel", case.kernel, "--signature", case.signature, "--target", target,
        "--threads-per-warp", str(lanes), "--num-warps", str(warps),
        "--num-stages", str(case.num_stages), "-o", directory)
    with open(os.path.join(directory, case.kernel + ".json")) as file:
        launch = json.load(file)["launch"]
    return os.path.join(directory, launch["code"]), launch.get("build_options", "")


def problems_of(log, listing, check, products):
    instructions = len(re.findall(r"\bdpas", listing))
    if instructions != products:
        yield f"{instructions} matrix instructions for {products} products"
    messages = collections.Counter(what for _, what in ocloc.messages(listing))
    spilled = [name for name in messages if "scratch block" in name]
    if spilled or "spilled" in log:
        yield f"spills: {sum(messages[name] for name in spilled)} messages"
    if check.wide is None:
        return
    # A trailing t is a message of the whole sub-group, such as what comes with the arguments.
    narrow = {name: count for name, count in messages.items()
              if re.fullmatch(r"(load|store)\.ugm\.d\w+", name)
              and not re.fullmatch(r".*\.(d32x4|d64x2|\w*t)", name)}
    uniform = {name: count for name, count in messages.items()
               if re.fullmatch(r"store\.ugm\.\w*x1t", name)}
    narrow.update(uniform)
    if sum(narrow.values()) > check.wide:
        yield f"narrow messages: {narrow}"


def check_case(tilewright, compiler, case, target, lanes):
    """Problems of one case."""
    check = CHECKS.get(case.name, DEFAULT)
    registers = check.registers[lanes]
    with tempfile.TemporaryDirectory() as directory:
        spirv, options = compile_case(tilewright, case, target, lanes, check.warps[lanes], directory)
        # SPIR-V 1.2, and no version of OpenCL: f16 is an option of all of them.
        if shutil.which("spirv-val"):
            run("spirv-val", "--target-env", "spv1.2", spirv)
        if registers and options != OPTIONS[registers]:
            yield f"to be built with '{options}', not for {registers} registers"
        with open(spirv, "rb") as file:
            code = file.read()
        if target == "xpu:" + COMPILED_DEVICE and compiler.is_complete() and registers:
            log, listing = compiler.compile(spirv, COMPILED_DEVICE, options)
            # Of a function that it does not know it makes a call.
            if not CALL.search(listing):
                with open(os.path.join(directory, case.kernel + ".llir")) as file:
                    products = len(re.findall(r"= call .*_matrix_mad_k", file.read()))
                yield from problems_of(log, listing, check, products)
            elif not any(name in code for name in NEW_FUNCTIONS):
                yield "calls of functions that the compiler does not know"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tilewright", help="the command")
    parser.add_argument("kernels", nargs="*", help="of bench/cases.py; default: all")
    arguments = parser.parse_args()
    failures = []
    with ocloc.Ocloc() as compiler:
        if not shutil.which("spirv-val") and not compiler.is_complete():
            print("skipped: neither spirv-val nor ocloc is installed")
            return 77
        for case, target, lanes in itertools.product(cases.CASES, TARGETS, LANES):
            if arguments.kernels and case.name not in arguments.kernels:
                continue
            where = f"{case.name} for {target}, sub-groups of {lanes}"
            try:
                problems = list(check_case(arguments.tilewright, compiler, case, target, lanes))
            except RuntimeError as error:
                problems = [error]
            failures += [f"{where}: {problem}" for problem in problems]
    print(*failures, sep="\n", end="\n" if failures else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
