#!/usr/bin/env python3
"""The measured kernels for Intel: check_machine_code.py TILEWRIGHT [NAME..]

spirv-val checks the modules of all targets and sizes of sub-groups. Then ocloc, Intel's offline
compiler, compiles those for pvc, and this looks at the instructions: registers spilled to memory,
and messages of less than 16 bytes a lane where the layouts allow 16. Steps whose tool is not
installed are left out; exits with 77 if that leaves none.
"""

import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "bench"))
import cases  # noqa: E402

# ocloc of 2022 knows no Xe2: for its targets there is only the validator.
TARGETS = ["xpu:pvc", "xpu:bmg", "xpu:lnl"]
COMPILED_TARGET = "pvc"
LANES = [16, 32]


class Check:
    """What is expected of one case. `warps`: of a block, by the lanes of a warp. `registers`:
    each of 64 bytes, that NAME.json asks the driver for: 128, or 256; by the lanes of a warp, None
    where the tile is too large for either. `wide`: global loads and stores have 16 bytes a lane,
    all but so many."""

    def __init__(self, warps, registers, wide=None):
        self.warps, self.registers, self.wide = warps, registers, wide


# Tiles for matrix units have more accumulators than SIMD32 code has registers.
SMALL, LARGE = {16: 128, 32: 128}, {16: 256, 32: None}
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
    "matmul_f16_1k": Check({16: 8, 32: 4}, LARGE, wide=0),
    "matmul_tf32": Check({16: 16, 32: 8}, LARGE, wide=0),
    # The logarithms of the sums of the rows: a store, and the driver's table for four of them.
    "flash_d64": Check({16: 16, 32: 8}, LARGE, wide=5),
}
# These have tiles for matrix units only: they are validated.
DEFAULT = Check({16: 16, 32: 8}, {16: None, 32: None})


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def fail_with(done):
    return " ".join((done.stderr + done.stdout).split())[:300]


def compile_case(tilewright, case, target, lanes, warps, directory):
    """The path of the SPIR-V and the options to build it with; or the error."""
    done = run(tilewright, "compile", os.path.join(ROOT, "examples", case.module + ".py"),
               "--kernel", case.kernel, "--signature", case.signature, "--target", target,
               "--threads-per-warp", str(lanes), "--num-warps", str(warps),
               "--num-stages", str(case.num_stages), "-o", directory)
    if done.returncode:
        return None, None, "does not compile: " + fail_with(done)
    with open(os.path.join(directory, case.kernel + ".json")) as file:
        launch = json.load(file)["launch"]
    return os.path.join(directory, launch["code"]), launch.get("build_options", ""), None


def disassemble(spirv, build_options, directory):
    """What ocloc says, and the instructions as text; or the error."""
    options = ["-options", build_options] if build_options else []
    done = run("ocloc", "compile", "-spirv_input", "-file", spirv, "-device", COMPILED_TARGET,
               "-output_no_suffix", "-output", "kernel.bin", *options, cwd=directory)
    if done.returncode:
        return None, None, "ocloc refuses it: " + fail_with(done)
    environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(directory, ".."))
    listing = run("ocloc", "disasm", "-file", "kernel.bin", "-device", COMPILED_TARGET,
                  "-dump", "listing", cwd=directory, env=environment)
    texts = [open(path).read() for path in glob.glob(os.path.join(directory, "listing", "*.asm"))]
    if not any("send" in text for text in texts):
        return None, None, "ocloc has no listing of it: " + fail_with(listing)
    return done.stdout, "\n".join(texts), None


def count_messages(listing):
    """How often each message is sent: {"load.ugm.d32x4": 2, ..}."""
    messages = collections.Counter()
    for name in re.findall(r"^.*\bsend.*// wr.*; (\S+)", listing, re.MULTILINE):
        messages[re.sub(r"\.(a\d\d|ca|uc|wb|bti).*", "", name)] += 1
    return messages


def problems_of(log, listing, check):
    messages = count_messages(listing)
    spilled = [name for name in messages if "hword" in name or "scratch" in name]
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


def main():
    tilewright, names = sys.argv[1], sys.argv[2:]
    can_validate, can_compile = shutil.which("spirv-val"), shutil.which("ocloc")
    disassembler = glob.glob("/usr/lib/x86_64-linux-gnu/libiga64.so*")
    if not can_validate and not can_compile:
        print("skipped: neither spirv-val nor ocloc is installed")
        sys.exit(77)
    failures = []
    with tempfile.TemporaryDirectory() as scratch:
        # ocloc looks for its disassembler under a name without a version.
        if disassembler:
            os.symlink(sorted(disassembler)[0], os.path.join(scratch, "libiga64.so"))
        for case in cases.CASES:
            if names and case.name not in names:
                continue
            check = CHECKS.get(case.name, DEFAULT)
            for target in TARGETS:
                for lanes in LANES:
                    where = f"{case.name} for {target}, sub-groups of {lanes}"
                    directory = os.path.join(scratch, f"{case.name}-{target[4:]}-{lanes}")
                    os.mkdir(directory)
                    spirv, options, error = compile_case(tilewright, case, target, lanes,
                                                         check.warps[lanes], directory)
                    if error:
                        failures.append(f"{where}: {error}")
                        continue
                    # SPIR-V 1.2, and no version of OpenCL: f16 is an option of all of them.
                    if can_validate:
                        done = run("spirv-val", "--target-env", "spv1.2", spirv)
                        if done.returncode:
                            failures.append(f"{where}: not valid: {fail_with(done)}")
                    registers = check.registers[lanes]
                    if registers and options != OPTIONS[registers]:
                        failures.append(f"{where}: to be built with '{options}', not for "
                                        f"{registers} registers")
                    if target[4:] != COMPILED_TARGET or not (can_compile and disassembler
                                                             and registers):
                        continue
                    log, listing, error = disassemble(spirv, options, directory)
                    problems = [error] if error else problems_of(log, listing, check)
                    failures += [f"{where}: {problem}" for problem in problems]
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


main()
