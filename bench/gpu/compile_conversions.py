#!/usr/bin/env python3
"""Compiles the measured layout conversions.

Writes OUT/NAME.ttgir, OUT/NAME/ with the code and prints the shared-memory instructions of each.
Where Triton is installed (it needs no GPU for this), its instructions are printed below ours. Then
carry the repository with OUT to a machine with a GPU and run compare_conversions.py there.
"""

import argparse
import collections
import json
import os
import re
import subprocess

import conversion_cases

INSTRUCTION = re.compile(r"\b((?:ld|st)\.shared|ldmatrix|stmatrix|bar\.sync|bar\.warp\.sync|shfl\.sync"
                         r"|barrier\.sync|prmt|selp)([.\w]*)")


def describe(ptx, shared):
    counts = collections.Counter()
    for name, modifiers in INSTRUCTION.findall(ptx):
        width = re.search(r"\.(v\d|x\d)(\.trans)?", modifiers)
        bits = re.search(r"\.[bf](\d+)", modifiers)
        if name in ("ld.shared", "st.shared"):
            lanes = int(width.group(1)[1:]) if width else 1
            name += f" {lanes * int(bits.group(1)) // 8}B"
        elif width:
            name += f" {width.group(1)}{' trans' if width.group(2) else ''}"
        counts[name] += 1
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) + f"; {shared} bytes"


def triton_code(path, target):
    import triton
    from triton.backends.compiler import GPUTarget
    kernel = triton.compile(path, target=GPUTarget("cuda", int(target.split(":")[1]), 32))
    return kernel.asm["ptx"], kernel.metadata.shared


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tilewright", help="the command")
    parser.add_argument("out", help="a folder")
    parser.add_argument("target", nargs="?", default="cuda:90", help="default: cuda:90")
    arguments = parser.parse_args()
    tilewright, out, target = arguments.tilewright, arguments.out, arguments.target
    conversion_cases.write(out, target)
    try:
        import triton  # noqa: F401
        has_triton = True
    except ImportError:
        has_triton = False
    for case in conversion_cases.CASES:
        path, folder = os.path.join(out, case.name + ".ttgir"), os.path.join(out, case.name)
        subprocess.run([tilewright, "compile", path, "-o", folder], check=True)
        with open(os.path.join(folder, case.name + ".json")) as file:
            shared = json.load(file)["shared_bytes"]
        with open(os.path.join(folder, case.name + ".ptx")) as file:
            print(f"{case.name}\n  ours    {describe(file.read(), shared)}")
        if has_triton:
            print(f"  Triton  {describe(*triton_code(path, target))}")


if __name__ == "__main__":
    main()
