#!/usr/bin/env python3
"""machine_code.py: what ptxas makes of gathered kernels, from Tilewright and from Triton, no GPU.

    machine_code.py measure PACKAGES OUTPUT.jsonl RECORDS.jsonl .. [--targets cuda:90,cuda:80]
    machine_code.py report OUTPUT.jsonl [--worst 30]
    machine_code.py show OUTPUT.jsonl REGEX

`measure` compiles each kernel with both compilers to PTX, and has one ptxas assemble both texts, by
turns. OUTPUT.jsonl gets a line for each kernel and target; those that are there already are left
out, so that a run goes on where it was ended. README.md has the fields. Needs Triton and PyTorch.

`report` prints, for each figure, how many times Triton's ours is: quartiles, the sum of all, and the
kernels that are furthest from it. Kernels that spill where Triton's do not come first.

`show` prints both columns of the kernels whose FILE:KERNEL the expression is found in.
"""

import argparse
import collections
import glob
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

import records

#: The architecture that both texts are assembled for.
ARCHITECTURES = {"cuda:80": "sm_80", "cuda:86": "sm_86", "cuda:89": "sm_89", "cuda:90": "sm_90a",
                 "cuda:120": "sm_120a"}
#: Seconds for one run of a compiler or of ptxas.
PATIENCE = 120
#: Characters kept of an error.
KEPT = 300
#: Bytes that a global memory instruction moves for each thread.
WIDTHS = (1, 2, 4, 8, 16)
_INSTRUCTION = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)\s*([^;]*);")
_LABEL = re.compile(r"^\s*(\.L\w+):")
_BRANCH = re.compile(r"`\((\.L\w+)\)")


def width_of(opcode):
    """Bytes a thread, of an instruction such as LDG.E.128."""
    for text, width in (("128", 16), ("64", 8), ("U8", 1), ("S8", 1), ("U16", 2), ("S16", 2)):
        if text in opcode.split("."):
            return width
    return 4


def instructions(sass):
    """(opcode, operands, whether it lies within a loop) of each, in order."""
    found, labels = [], {}
    for line in sass.splitlines():
        label = _LABEL.match(line)
        if label:
            labels[label.group(1)] = len(found)
        match = _INSTRUCTION.search(line)
        if match:
            found.append((match.group(2), match.group(3)))
    in_loop = [False] * len(found)
    for at, (opcode, operands) in enumerate(found):
        target = _BRANCH.search(operands)
        if opcode.startswith("BRA") and target and target.group(1) in labels:
            begin = labels[target.group(1)]
            # What branches to itself fills up the end of a kernel.
            if begin < at:
                in_loop[begin:at + 1] = [True] * (at + 1 - begin)
    return [(*one, loop) for one, loop in zip(found, in_loop)]


#: What is counted in machine code.
COUNTED = ("instructions", "loop instructions", "global loads", "global stores", "loop load bytes",
           "loop store bytes", "asynchronous copies", "bulk copies", "atomics", "shared loads",
           "shared stores", "shuffles", "barriers", "products", "local accesses", "calls",
           "functions")


def count(sass):
    """The figures of machine code."""
    figures = collections.Counter(dict.fromkeys(COUNTED, 0))
    widths = {"load": collections.Counter(), "store": collections.Counter()}
    for opcode, _, in_loop in instructions(sass):
        base = opcode.split(".")[0]
        if base in ("NOP", "BRA") and not in_loop:
            continue
        figures["instructions"] += 1
        figures["loop instructions"] += in_loop
        for kind, names in (("load", ("LDG", "LDGSTS")), ("store", ("STG",))):
            if base in names:
                figures[f"global {kind}s"] += 1
                figures[f"loop {kind} bytes"] += in_loop * width_of(opcode)
                widths[kind][width_of(opcode)] += 1
        figures["asynchronous copies"] += base == "LDGSTS"
        figures["bulk copies"] += base.startswith(("UTMA", "UBLK"))
        figures["atomics"] += base in ("ATOMG", "ATOM", "RED", "REDG")
        figures["shared loads"] += base in ("LDS", "LDSM")
        figures["shared stores"] += base in ("STS", "STSM")
        figures["shuffles"] += base in ("SHFL", "REDUX")
        figures["barriers"] += base in ("BAR", "WARPSYNC")
        figures["products"] += base.endswith(("MMA", "GMMA"))
        figures["local accesses"] += base in ("LDL", "STL")
        figures["calls"] += base in ("CALL", "RET")
        figures["functions"] += base == "MUFU"
    for kind, of_kind in widths.items():
        figures[f"{kind} widths"] = [of_kind[width] for width in WIDTHS]
    return figures


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)


def failed(done):
    text = (done.stderr or done.stdout).strip()
    raise RuntimeError(text[:KEPT] or f"ended with {done.returncode}")


class Text:
    """A PTX text and what was measured of it."""

    def __init__(self, options, folder, name, ptx, target):
        self.path = os.path.join(folder, name + ".ptx")
        self.cubin = os.path.join(folder, name + ".cubin")
        architecture = ARCHITECTURES[target]
        # Triton's back end leaves `.target` without what is not asked of its own ptxas.
        ptx = re.sub(r"^\.target\s+[\w, ]+", ".target " + architecture, ptx, count=1, flags=re.M)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(ptx)
        self.command = [options.ptxas, "-v", "-arch=" + architecture, self.path, "-o", self.cubin]
        self.disassembler = options.nvdisasm
        self.seconds = []

    def assemble(self):
        def clock():
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return usage.ru_utime + usage.ru_stime
        begun = clock()
        done = run(*self.command)
        self.seconds.append(clock() - begun)
        if done.returncode:
            failed(done)
        self.log = done.stdout + done.stderr

    def figures(self):
        done = run(self.disassembler, "-c", self.cubin)
        if done.returncode:
            failed(done)
        total = lambda pattern: sum(map(int, re.findall(pattern, self.log)))  # noqa: E731
        return {"registers": max(map(int, re.findall(r"Used (\d+) registers", self.log))),
                "spilled": total(r"(\d+) bytes spill stores"),
                "reloaded": total(r"(\d+) bytes spill loads"),
                "stack": total(r"(\d+) bytes stack frame"),
                "ptxas": round(min(self.seconds), 3), **count(done.stdout)}


def our_ptx(options, record, target, folder):
    """The text, and bytes of shared memory."""
    signature = ", ".join(entry for _, entry in record["signature"])
    done = run(options.tilewright, "compile", record["file"], "--kernel", record["kernel"],
               "--target", target, "--signature", signature, "--num-warps",
               str(record["num_warps"]), "--num-stages", str(record["num_stages"]), "--no-cache",
               "-o", folder)
    if done.returncode:
        failed(done)
    with open(glob.glob(os.path.join(folder, "*.json"))[0], encoding="utf-8") as file:
        shared = json.load(file)["shared_bytes"]
    with open(glob.glob(os.path.join(folder, "*.ptx"))[0], encoding="utf-8") as file:
        return file.read(), shared


def triton_ptx(record, target):
    import with_triton
    kinds = {name: entry for name, entry in record["signature"] if with_triton.is_type(entry)}
    constants = {name: with_triton.from_text(entry) for name, entry in record["signature"]
                 if name not in kinds}
    options = {name: record[name] for name in ("num_warps", "num_stages")}
    ptx, metadata = with_triton.compile_kernel(with_triton.find(record), kinds, constants, options,
                                               target, last="ptx")
    return ptx, metadata["shared"]


def measure_one(options, record, target):
    """The line of a kernel."""
    line = {"package": record["package"], "file": record["file"], "kernel": record["kernel"],
            "target": target, "warps": record["num_warps"]}
    with tempfile.TemporaryDirectory() as folder:
        texts = {}
        for name, compile_text in (("ours", lambda: our_ptx(options, record, target, folder)),
                                   ("triton", lambda: triton_ptx(record, target))):
            try:
                ptx, shared = compile_text()
                texts[name] = Text(options, folder, name, ptx, target), shared
            except Exception as error:  # pylint: disable=broad-except; whatever compilers raise
                return {**line, "error": f"{name}: {error}"[:KEPT]}
        for _ in range(options.rounds):
            for name, (text, _) in texts.items():
                try:
                    text.assemble()
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    return {**line, "error": f"{name}, ptxas: {error}"[:KEPT]}
        for name, (text, shared) in texts.items():
            line[name] = {**text.figures(), "shared": shared}
    return line


def in_child(options, record, target):
    """A compiler's passes may end the process, or not end; the child writes its own line."""
    child = os.fork()
    if not child:
        try:
            with open(os.devnull, "w", encoding="utf-8") as null:
                os.dup2(null.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
            line = measure_one(options, record, target)
            with open(options.output, "a", encoding="utf-8") as stream:
                records.append(stream, line)
            os._exit(0)
        except BaseException:  # pylint: disable=broad-except
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if status:
        with open(options.output, "a", encoding="utf-8") as stream:
            records.append(stream, {"package": record["package"], "file": record["file"],
                                    "kernel": record["kernel"], "target": target,
                                    "error": f"ended with {status}"})


def measure(options):
    import with_triton
    with_triton.prepare(os.path.abspath(options.packages))
    sys.setrecursionlimit(4000)
    known = set()
    if os.path.exists(options.output):
        known = {(*records.key(line), line["target"]) for line in records.read([options.output])}
    for record in records.accepted(options.records)[::options.every]:
        if not re.search(options.only, ":".join(records.key(record))):
            continue
        for target in options.targets.split(","):
            if (*records.key(record), target) not in known:
                try:
                    with_triton.find(record)  # imported once, for all of a module's kernels
                except Exception as error:  # pylint: disable=broad-except; a package's own code
                    print(record["file"], repr(error)[:KEPT], file=sys.stderr)
                    continue
                in_child(options, record, target)


def bytes_of_load(figures):
    """The mean width of global loads, in bytes a thread."""
    number = sum(figures["load widths"])
    return sum(map(lambda n, width: n * width, figures["load widths"], WIDTHS)) / max(number, 1)


def instructions_a_byte(figures):
    """Of loops: instructions for each byte that a thread loads there."""
    return figures["loop instructions"] / max(figures["loop load bytes"], 1)


#: What is compared: name, how it is read from the figures; more is worse.
RATIOS = {name: lambda figures, name=name: figures[name]
          for name in ("ptxas", "registers", "instructions", "global loads", "global stores",
                       "shared loads", "shared stores", "shuffles", "barriers", "functions",
                       "calls", "shared")}
RATIOS["narrowness of loads"] = lambda figures: 1 / max(bytes_of_load(figures), 0.1)
RATIOS["loop instructions a byte"] = instructions_a_byte


def ratio(line, read):
    """Ours as a multiple of Triton's; one more of each, so that nothing is divided by zero where
    counts are small."""
    ours, theirs = read(line["ours"]), read(line["triton"])
    if isinstance(ours, int):
        ours, theirs = ours + 1, theirs + 1
    return ours / theirs if theirs else 1.0


def name_of(line):
    return "/".join(line["file"].split(os.sep)[-2:]) + ":" + line["kernel"]


def report_target(lines, worst):
    spilling = [line for line in lines if line["ours"]["spilled"] > line["triton"]["spilled"]]
    print(f"  {sum(not line['triton']['spilled'] for line in spilling)} kernels spill where "
          f"Triton's do not, {len(spilling)} spill more; "
          f"{sum(line['triton']['spilled'] > line['ours']['spilled'] for line in lines)} less")
    for line in sorted(spilling, key=lambda line: line["triton"]["spilled"] -
                       line["ours"]["spilled"])[:worst]:
        print(f"    {line['ours']['spilled']:6} bytes, Triton {line['triton']['spilled']:6}  "
              f"{name_of(line)}")
    for name, read in RATIOS.items():
        ratios = sorted(((ratio(line, read), line) for line in lines), key=lambda pair: pair[0])
        values = [value for value, _ in ratios]
        quarters = [values[len(values) * part // 100] for part in (5, 25, 50, 75, 95)]
        ours, theirs = (sum(read(line[which]) for line in lines) for which in ("ours", "triton"))
        print(f"  {name}: in sum {ours / theirs if theirs else 1:.2f}; 5 %, 25 %, 50 %, 75 %, 95 %: "
              + " ".join(f"{value:.2f}" for value in quarters))
        for value, line in list(reversed(ratios))[:worst]:
            if value > 1.1:
                print(f"    {value:6.2f}  {read(line['ours']):8.6g} {read(line['triton']):8.6g}"
                      f"  {name_of(line)}")


def report(options):
    lines = records.read([options.output])
    for target in dict.fromkeys(line["target"] for line in lines):
        of_target = [line for line in lines if line["target"] == target]
        compared = [line for line in of_target if "error" not in line]
        print(f"{target}: {len(compared)} kernels, {len(of_target) - len(compared)} not assembled")
        for line in of_target:
            if line.get("error", "").startswith("ours"):
                print(f"    {name_of(line)}: {line['error']}")
        if compared:
            report_target(compared, options.worst)


def show(options):
    for line in records.read([options.output]):
        if "error" not in line and re.search(options.regex, ":".join(records.key(line))):
            print(f"{line['target']} {name_of(line)}")
            for name in line["ours"]:
                print(f"    {name:24} ours {line['ours'][name]!s:>20}  Triton "
                      f"{line['triton'][name]!s:>20}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    steps = parser.add_subparsers(dest="step", required=True)
    one = steps.add_parser("measure")
    one.add_argument("packages")
    one.add_argument("output")
    one.add_argument("records", nargs="+")
    one.add_argument("--targets", default="cuda:90,cuda:80")
    one.add_argument("--only", default="", metavar="REGEX", help="of FILE:KERNEL")
    one.add_argument("--every", type=int, default=1, metavar="N", help="one kernel of N")
    one.add_argument("--rounds", type=int, default=2, help="runs of ptxas on each text")
    one.add_argument("--tilewright", default="build/release/tools/tilewright")
    one.add_argument("--ptxas", default="ptxas")
    one.add_argument("--nvdisasm", default="nvdisasm")
    two = steps.add_parser("report")
    two.add_argument("output")
    two.add_argument("--worst", type=int, default=30, help="kernels listed of each figure")
    three = steps.add_parser("show")
    three.add_argument("output")
    three.add_argument("regex")
    options = parser.parse_args()
    {"measure": measure, "report": report, "show": show}[options.step](options)


if __name__ == "__main__":
    main()
