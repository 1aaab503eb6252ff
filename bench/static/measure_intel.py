#!/usr/bin/env python3
"""Intel code of the corpus, by ocloc, without running it.

    python3 bench/static/measure_intel.py --tilewright build/release/tools/tilewright

Compiles each case of cases.py to SPIR-V and that with ocloc (Debian: intel-opencl-icd, which brings
libiga64, the disassembler) to machine code, whose disassembly is counted: messages to memory by kind
and width, blocks spilled to scratch memory, arithmetic, branches. Each case is compiled for warps of
16 and 32 lanes, with 128 registers and, where that spills, again with 256. The rows with a * are what
a launcher gets that passes on the build options of NAME.json. With --warps, for blocks of each of
those numbers of warps, and at the end how often NAME.json was right.
Triton's Intel back end is no part of its package, so there is nothing to compare with.
"""

import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import cases  # noqa: E402
import triton_stages  # noqa: E402

LARGE = "-cl-intel-256-GRF-per-thread"
# Of a work-group.
MOST_THREADS = 1024
# A message's comment ends with what it does, such as "load.ugm.d32x4.a64".
MESSAGE = re.compile(r"\bsend[cs]?\.(\w+).*//.*?"
                     r"((?:load|store|atomic\w*)\.[\w.]+|scratch block|signal barrier)")
MNEMONIC = re.compile(r"^(?:\([^)]*\))?\s*([a-z]\w*)")

COLUMNS = [("all", 6), ("spills", 6), ("load", 5), ("store", 5), ("slm_load", 8), ("slm_store", 9),
           ("atomic", 6), ("mad", 6), ("math", 5), ("branch", 6), ("barrier", 7)]


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def iga_environment(folder):
    """ocloc opens its disassembler by the name libiga64.so, which only a development package has."""
    for directory in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/local/lib"):
        library = os.path.join(directory, "libiga64.so.1")
        if os.path.exists(library):
            os.symlink(library, os.path.join(folder, "libiga64.so"))
            break
    path = os.environ.get("LD_LIBRARY_PATH", "")
    return {**os.environ, "LD_LIBRARY_PATH": folder + (":" + path if path else "")}


def compile_spirv(tilewright, case, target, lanes, warps, folder):
    """The path of the SPIR-V, and the options that it is to be built with."""
    run([tilewright, "compile", triton_stages.source_path(case), "--kernel", case.kernel,
         "--signature", case.signature, "--target", target, "--threads-per-warp", str(lanes),
         "--num-warps", str(warps), "--num-stages", str(case.num_stages), "-o", folder])
    with open(os.path.join(folder, case.kernel + ".json")) as file:
        launch = json.load(file)["launch"]
    return os.path.join(folder, launch["code"]), launch.get("build_options", "")


def disassemble(spirv, device, options, folder, environment):
    out = os.path.join(folder, "code")
    run(["ocloc", "compile", "-spirv_input", "-file", spirv, "-device", device, "-out_dir", out,
         "-output", "kernel", "-options", options])
    binary, = (name for name in os.listdir(out) if name.endswith(".bin"))
    run(["ocloc", "disasm", "-file", os.path.join(out, binary), "-device", device,
         "-dump", out], env=environment)
    text, = (name for name in os.listdir(out) if name.endswith(".asm"))
    with open(os.path.join(out, text)) as file:
        return file.read()


def count(text):
    """Instructions by kind, and messages by what they do."""
    counts, messages = Counter(), Counter()
    for line in text.splitlines():
        line = line.strip()
        mnemonic = MNEMONIC.match(line)
        if not mnemonic or line.endswith(":"):
            continue
        name = mnemonic.group(1)
        counts["all"] += 1
        if name in ("mad", "math"):
            counts[name] += 1
        elif name in ("jmpi", "goto", "brd", "brc", "call", "while"):
            counts["branch"] += 1
        message = MESSAGE.search(line)
        if not message:
            continue
        unit, what = message.groups()
        if "scratch" in what:
            counts["spills"] += 1
        elif "barrier" in what:
            counts["barrier"] += 1
        elif what.startswith(("load", "store", "atomic")):
            kind = what.split(".", 1)[0].split("_", 1)[0]
            counts["slm_" + kind if unit == "slm" and kind != "atomic" else kind] += 1
            # Without how caches are asked to treat it.
            messages[re.sub(r"\.(ca|uc|cc|wb|wt|st|iar|bti)\b", "", what)] += 1
    return {**counts, "messages": dict(sorted(messages.items()))}


def measure(arguments, case, lanes, warps):
    """Rows of (options, counts): the large register file only where the other spills or where
    NAME.json asks for it, whose options come second."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        environment = iga_environment(folder)
        spirv, wanted = compile_spirv(arguments.tilewright, case, arguments.target, lanes, warps,
                                      folder)
        device = arguments.target.split(":")[1]
        for options in ("", LARGE):
            code = tempfile.mkdtemp(dir=folder)
            rows.append((options, count(disassemble(spirv, device, options, code, environment))))
            if not rows[-1][1].get("spills") and options == wanted:
                break
    return rows, wanted


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", required=True)
    parser.add_argument("--target", default="xpu:pvc", help="one that this ocloc knows")
    parser.add_argument("--kernel", choices=[case.name for case in cases.CASES], action="append")
    parser.add_argument("--warps", type=int, nargs="+", help="default: each case's own")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()

    print(f"{'kernel':16} {'lanes':>5} {'warps':>5} {'registers':>9} "
          + "".join(f" {n:>{w}}" for n, w in COLUMNS) + "  messages")
    results, failed, choices = [], False, Counter()
    for case in cases.CASES:
        if arguments.kernel and case.name not in arguments.kernel:
            continue
        for lanes, warps in itertools.product((16, 32), arguments.warps or [case.num_warps]):
            if lanes * warps > MOST_THREADS:
                continue
            try:
                rows, wanted = measure(arguments, case, lanes, warps)
            except RuntimeError as error:
                print(f"{case.name:16} {lanes:5} {warps:5} {error}")
                failed = True
                continue
            choices["256" if wanted else "128", bool(rows[0][1].get("spills"))] += 1
            for options, counts in rows:
                registers = 256 if options == LARGE else 128
                results.append({"kernel": case.name, "lanes": lanes, "warps": warps,
                                "registers": registers, "chosen": options == wanted, **counts})
                cells = "".join(f" {counts.get(name, 0):>{width}}" for name, width in COLUMNS)
                messages = " ".join(f"{what}:{n}" for what, n in counts["messages"].items())
                print(f"{case.name:16} {lanes:5} {warps:5} {registers:9}"
                      f"{'*' if options == wanted else ' '}{cells}  {messages}", flush=True)
    for (registers, spills), times in sorted(choices.items()):
        print(f"NAME.json chose {registers} registers, and 128 "
              f"{'spill' if spills else 'suffice'}: {times}")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)
    return failed


if __name__ == "__main__":
    sys.exit(main())
