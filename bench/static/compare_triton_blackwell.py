#!/usr/bin/env python3
"""PTX of the corpus for Blackwell (cuda:100) beside Triton's, without running it.

    python3 -m venv venv && venv/bin/pip install triton==3.6.0
    venv/bin/python bench/static/compare_triton_blackwell.py --tilewright build/release/tools/tilewright

Needs no GPU. Each product of cases.py is compiled in one run by both compilers, from the same file
with the same signature, warps and stages. Counted in the text: products in tensor memory, products of
warps, words that a thread loads from and stores to tensor memory, copies to shared memory (cp.async,
and boxes by the tensor memory accelerator) and barriers of the block. By ptxas, which Triton's wheel
brings: registers, spills, instructions of the machine code.

Exit code 1: a kernel spills, has no product in tensor memory where Triton has, or ptxas refuses it.
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
import triton_stages  # noqa: E402

COLUMNS = ("tcgen05.mma", "mma.sync", "tmem ld", "tmem st", "cp.async", "TMA", "barriers",
           "registers", "spilled", "SASS")


def copied_words(ptx, kind):
    """Words that a thread moves by tcgen05.ld or .st, over all instructions of the text."""
    per_lane = {"32x32b": 1, "16x64b": 1, "16x128b": 2, "16x256b": 4, "16x32bx2": 1}
    found = re.findall(rf"tcgen05\.{kind}\.sync\.aligned\.(\w+)\.x(\d+)", ptx)
    return sum(per_lane[shape] * int(times) for shape, times in found)


def describe(ptx, tools):
    """The row of a kernel."""
    with tempfile.TemporaryDirectory() as folder:
        text, cubin = os.path.join(folder, "k.ptx"), os.path.join(folder, "k.cubin")
        with open(text, "w") as file:
            file.write(ptx)
        told = subprocess.run([os.path.join(tools, "ptxas-blackwell"), "-arch=sm_100a", "-v", text, "-o",
                               cubin], capture_output=True, text=True)
        if told.returncode:
            return {"error": told.stderr.strip().splitlines()[0]}
        sass = subprocess.run([os.path.join(tools, "nvdisasm"), "-c", cubin], capture_output=True,
                              text=True, check=True).stdout
    code = [line for line in ptx.splitlines() if not line.strip().startswith("//")]
    count = lambda pattern: sum(bool(re.search(pattern, line)) for line in code)  # noqa: E731
    return {
        "tcgen05.mma": count(r"tcgen05\.mma\b"),
        "mma.sync": count(r"\bmma\.sync"),
        "tmem ld": copied_words(ptx, "ld"),
        "tmem st": copied_words(ptx, "st"),
        "cp.async": count(r"cp\.async\.c[ag]"),
        "TMA": count(r"cp\.async\.bulk\.tensor.*shared::(cta|cluster)\.global"),
        "barriers": count(r"\bbar(rier)?\.(cta\.)?sync"),
        "registers": int(re.search(r"Used (\d+) registers", told.stderr)[1]),
        "spilled": int(re.search(r"(\d+) bytes spill stores", told.stderr)[1]),
        "SASS": sum("/*" in line and ";" in line for line in sass.splitlines()),
    }


def compile_ours(command, case):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([command, "compile", triton_stages.source_path(case), "--kernel", case.kernel,
                        "--signature", case.signature, "--target", "cuda:100", "--num-warps",
                        str(case.num_warps), "--num-stages", str(case.num_stages), "--no-cache", "-o",
                        folder], check=True)
        with open(os.path.join(folder, case.kernel + ".ptx")) as file:
            return file.read()


def compile_triton(case):
    return triton_stages.compile_stages(case, ("cuda", 100), "ptx")[1]["ptx"]


def tools_folder():
    import triton
    return os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin")


def is_product(case):
    return case.kernel.startswith("matmul") and "fma" not in case.kernel or case.kernel == "flash_fwd"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", required=True, help="the command")
    parser.add_argument("--kernel", action="append", help="names of cases; all products by default")
    options = parser.parse_args()
    tools, failed = tools_folder(), False
    print("| case | compiler | " + " | ".join(COLUMNS) + " |")
    print("|---|---|" + "---|" * len(COLUMNS))
    for case in cases.CASES:
        if not is_product(case) or (options.kernel and case.name not in options.kernel):
            continue
        theirs = describe(compile_triton(case), tools)
        ours = describe(compile_ours(options.tilewright, case), tools)
        for name, row in (("Triton", theirs), ("Tilewright", ours)):
            cells = [row["error"]] if "error" in row else [str(row[column]) for column in COLUMNS]
            print(f"| {case.name} | {name} | " + " | ".join(cells) + " |", flush=True)
        failed |= "error" in ours or ours["spilled"] > 0 or (
            ours["tcgen05.mma"] == 0 < theirs.get("tcgen05.mma", 0))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
