#!/usr/bin/env python3
"""LLVM's part of the compile time alone: the same modules through Triton and src/emit.

    venv/bin/python bench/compile/compare_llvm.py --emit build/release/test/support/tilewright-emit

Takes the LLVM module that Triton makes of each example kernel, before its optimisation, and
prints the least milliseconds of N runs of Triton's optimisation (LLVM's O3) and code
generation and of ours, and what `ptxas -v` says of the registers where there is a ptxas.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

from compare_triton import KERNELS
import triton_stages


class Recorder:
    """Stands in for functions of Triton's LLVM module: times them and keeps the first argument's text."""

    def __init__(self, llvm):
        self.text = None
        self.times = {"optimize": [], "generate": []}
        llvm.optimize_module = self.wrap("optimize", llvm.optimize_module, keep=True)
        llvm.translate_to_asm = self.wrap("generate", llvm.translate_to_asm, keep=False)

    def wrap(self, step, function, keep):
        def wrapped(module, *rest):
            if keep:
                self.text = str(module)
            start = time.perf_counter()
            result = function(module, *rest)
            self.times[step].append((time.perf_counter() - start) * 1e3)
            return result
        return wrapped

    def take(self):
        least = {step: min(samples) for step, samples in self.times.items()}
        self.times = {step: [] for step in self.times}
        return least


def registers(ptx_file, folder):
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
    if not ptxas:
        return "-"
    done = subprocess.run([ptxas, "-v", "-arch", "sm_90a", ptx_file, "-o", os.path.join(folder, "cubin")],
                          capture_output=True, text=True, check=True)
    return re.search(r"Used (\d+) registers", done.stderr).group(1)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--emit", required=True, help="the tool tilewright-emit")
    parser.add_argument("--repeat", type=int, default=10)
    arguments = parser.parse_args()

    from triton._C.libtriton import llvm
    recorder = Recorder(llvm)
    print(f"{'':12} {'Triton':>28} {'src/emit':>28}\n{'kernel':12}"
          + f" {'optimize':>9} {'generate':>9} {'regs':>8}" * 2 + f" {'ratio':>7}")
    for kernel in KERNELS:
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(arguments.repeat):
                ptx = triton_stages.compile_stages(kernel, ("cuda", 90), "ptx")[1]["ptx"]
            theirs = recorder.take()
            their_registers = registers(write(folder, "triton.ptx", ptx), folder)
            # Triton takes the `debug` that this kind brings out of the PTX text.
            text = recorder.text.replace("LineTablesOnly", "DebugDirectivesOnly")
            module = write(folder, "module.ll", text)
            command = [arguments.emit, module, "--target=cuda:90"]
            ours = json.loads(subprocess.run(
                command + ["--print=times", f"--repeat={arguments.repeat}"],
                capture_output=True, text=True, check=True).stdout)
            our_ptx = os.path.join(folder, "ours.ptx")
            subprocess.run(command + ["-o", our_ptx], check=True)
            our_registers = registers(our_ptx, folder)
        row = kernel.name.ljust(12)
        for times, count in ((theirs, their_registers), (ours, our_registers)):
            row += f" {times['optimize']:9.2f} {times['generate']:9.2f} {count:>8}"
        ratio = (ours["optimize"] + ours["generate"]) / (theirs["optimize"] + theirs["generate"])
        print(f"{row} {ratio:7.2f}", flush=True)


if __name__ == "__main__":
    main()
