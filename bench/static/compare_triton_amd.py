#!/usr/bin/env python3
"""AMD code of the corpus beside that of Triton's AMD back end, without running it.

    python3 -m venv venv && venv/bin/pip install triton==3.6.0
    venv/bin/python bench/static/compare_triton_amd.py --tilewright build/release/tools/tilewright

Needs no GPU. Each case of cases.py is compiled in one run by both compilers, from the same file with
the same signature, warps and stages, for each architecture, down to the linked HSACO:

- once for its code: registers, spills, LDS, instructions by kind, those of the steady loop, and bytes
  of code, all read off the assembly text and the HSACO by amdgcn.py;
- N times in turns for the time (unless --no-times), as compile/compare_triton.py does it: in
  process, medians after a compilation that warms up, the same stages; or with --processor-time, for
  a loaded machine, the least processor time.

Triton compiles twice: as its ahead-of-time interface does, and ("Triton 2GB") with what its JIT adds
for tensors below 2 GB, tt.pointer_range = 32, from which it makes buffer instructions. Tilewright is
told nothing of the kind and held against the first.

Cases with products on the matrix unit have a table of their own, by amd_products.py: spills, registers,
LDS, occupancy, and for one product of a tile what the steady loop executes, with the ratios to Triton's
and the targets that are missed. For work on one of them:

    venv/bin/python bench/static/compare_triton_amd.py --tilewright build/release/tools/tilewright \
        --products --no-times --kernel matmul_f16 --arch gfx1100 [--keep DIR] [--strict]

Each case says on stderr what it misses as soon as it is compiled. With --cache DIR Triton compiles a
case once: its code is kept there by what it is compiled from (the source, the case, Triton's version),
and a second run takes as long as Tilewright does. Times are never kept.

At the end stand the other cases that break the rule - no spill where Triton has none, no more
instructions that access global memory (vector and scalar ones) and LDS, at most --limit of its compile
time - and the exit code is 1 if there are any, or with --strict if a product misses a target.
"""

import argparse
import base64
import hashlib
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import amd_products  # noqa: E402
import amdgcn  # noqa: E402
import cases  # noqa: E402
import triton_stages  # noqa: E402

STAGES = ("ttir", "ttgir", "llir", "hsaco")

# Heading, width, and what stands below it, of the result of amdgcn.describe.
COLUMNS = [
    ("VGPR", 5, lambda r: r["vgprs"]),
    ("SGPR", 5, lambda r: r["sgprs"]),
    ("spill", 5, lambda r: r["vgpr_spills"] + r["sgpr_spills"]),
    ("scratch", 7, lambda r: r["scratch_bytes"]),
    ("LDS", 6, lambda r: r["lds_bytes"]),
    ("load", 5, lambda r: r["code"].get("vmem_load", 0)),
    ("store", 5, lambda r: r["code"].get("vmem_store", 0)),
    ("ds", 5, lambda r: r["code"].get("lds", 0)),
    ("xlane", 5, lambda r: r["code"].get("lds_exchange", 0)),
    ("valu", 6, lambda r: r["code"].get("valu", 0)),
    ("salu", 5, lambda r: r["code"].get("salu", 0)),
    ("branch", 6, lambda r: r["code"].get("branch", 0)),
    ("wait", 5, lambda r: r["code"].get("wait", 0)),
    ("smem", 5, lambda r: r["code"].get("smem", 0)),
    ("bytes", 6, lambda r: r["code_bytes"]),
]
# Instructions that go to memory. What lanes have in common is loaded by scalar instructions: both
# compilers let LLVM choose those.
MEMORY = {"global memory": ("vmem", "smem"), "LDS": ("lds", "lds_exchange")}
LOOP_COLUMNS = [
    ("all", 5, "all"), ("fma", 5, "fma"), ("wmma", 5, "wmma"), ("vmem", 5, "vmem"), ("smem", 5, "smem"), ("ds", 5, "lds"),
    ("valu", 5, "valu"), ("salu", 5, "salu"), ("branch", 6, "branch"), ("wait", 5, "wait"),
]


def triton(case, arch, pointer_range=None):
    """(milliseconds by STAGES, assembly text, HSACO, LDS bytes) of one compilation. Triton's kernels
    leave the size of LDS to the launch."""
    times, results, metadata = triton_stages.compile_stages(case, ("hip", arch), "hsaco", pointer_range)
    # Tilewright makes text and HSACO in one stage.
    times["hsaco"] += times.pop("amdgcn")
    return times, results["amdgcn"], results["hsaco"], metadata["shared"]


class Tilewright:
    def __init__(self, command):
        self.command = command

    def arguments(self, case, arch, folder):
        return [self.command, "compile", triton_stages.source_path(case), "--kernel", case.kernel,
                "--signature", case.signature, "--target", "hip:" + arch,
                "--num-warps", str(case.num_warps), "--num-stages", str(case.num_stages),
                "-o", folder]

    def run(self, case, arch, folder, *extra):
        command = [*self.arguments(case, arch, folder), *extra]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
        return done.stdout

    def code(self, case, arch, folder):
        """(assembly text, HSACO)"""
        self.run(case, arch, folder)
        base = os.path.join(folder, case.kernel)
        with open(base + ".amdgcn") as text, open(base + ".hsaco", "rb") as binary:
            return text.read(), binary.read()

    def times(self, case, arch, folder, repeat):
        times = json.loads(self.run(case, arch, folder, "--repeat", str(repeat), "--time"))
        times["ttir"] += times["frontend"]
        return times


def keep(folder, name, text, hsaco):
    if folder:
        with open(os.path.join(folder, name + ".amdgcn"), "w") as file:
            file.write(text)
        with open(os.path.join(folder, name + ".hsaco"), "wb") as file:
            file.write(hsaco)


def triton_within(seconds, *arguments):
    """triton(*arguments) without the times, in a process of its own: its products by multiply-adds of
    large tiles take many minutes. None if time is up or it fails, with the reason on stderr."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)

    def work():
        try:
            sender.send(triton(*arguments)[1:])
        except Exception as error:  # whatever its passes raise
            sender.send(str(error))
    process = fork.Process(target=work)
    process.start()
    answer = receiver.recv() if receiver.poll(seconds) else f"not within {seconds} s"
    process.kill()
    process.join()
    if isinstance(answer, str):
        case, arch = arguments[:2]
        print(f"Triton does not compile {case.name} for {arch}: {answer}", file=sys.stderr)
        return None
    return answer


def cache_path(folder, case, arch, pointer_range):
    """Where Triton's code of a case is kept."""
    from importlib.metadata import version

    with open(triton_stages.source_path(case), "rb") as source:
        parts = (source.read(), case.kernel, case.signature, case.num_warps, case.num_stages, arch,
                 pointer_range, version("triton"))
    key = hashlib.sha256(repr(parts).encode()).hexdigest()[:24]
    return os.path.join(folder, f"{case.name}.{arch}.{key}.json")


def triton_code(arguments, case, arch, pointer_range):
    """triton_within's answer, taken from --cache and kept there; that Triton fails is kept too."""
    if not arguments.cache:
        return triton_within(arguments.triton_limit, case, arch, pointer_range)
    path = cache_path(arguments.cache, case, arch, pointer_range)
    if os.path.exists(path):
        with open(path) as file:
            kept = json.load(file)
        return kept and (kept["text"], base64.b64decode(kept["hsaco"]), kept["lds_bytes"])
    answer = triton_within(arguments.triton_limit, case, arch, pointer_range)
    kept = answer and {"text": answer[0], "hsaco": base64.b64encode(answer[1]).decode(),
                       "lds_bytes": answer[2]}
    with open(path + ".new", "w") as file:
        json.dump(kept, file)
    os.replace(path + ".new", path)
    return answer


def triton_rows(arguments, case, arch):
    """{"Triton" and "Triton 2GB": amdgcn.describe's result}, without what fails."""
    rows = {}
    for name, pointer_range in (("Triton", None), ("Triton 2GB", 32))[:1 if arguments.products else 2]:
        answer = triton_code(arguments, case, arch, pointer_range)
        if answer:
            text, hsaco, lds_bytes = answer
            rows[name] = amdgcn.describe(text, hsaco)
            rows[name]["lds_bytes"] += lds_bytes
            keep(arguments.keep, f"{case.name}.{arch}.{name.replace(' ', '')}", text, hsaco)
    return rows


def describe_case(arguments, tilewright, case, arch):
    """The rows of a case: {compiler: amdgcn.describe's result}, without Triton's if it fails."""
    rows = triton_rows(arguments, case, arch)
    if tilewright:
        with tempfile.TemporaryDirectory() as folder:
            text, hsaco = tilewright.code(case, arch, folder)
        rows["Tilewright"] = amdgcn.describe(text, hsaco)
        keep(arguments.keep, f"{case.name}.{arch}.Tilewright", text, hsaco)
    return rows


def compile_times(arguments, tilewright, case, arch):
    """{compiler: medians by stage}, in rounds that alternate."""
    triton(case, arch)
    samples = {"Triton": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.rounds):
            samples["Triton"] += [triton(case, arch)[0] for _ in range(arguments.repeat)]
            if tilewright:
                samples.setdefault("Tilewright", []).append(
                    tilewright.times(case, arch, folder, arguments.repeat))
    return {name: triton_stages.median_by_stage(times, STAGES) for name, times in samples.items()}


def processor_times(arguments, tilewright, case, arch):
    """As compile_times, with the sum of all stages alone, by the processor time that it takes."""
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours = triton_stages.processor_times(
            lambda: triton(case, arch), tilewright and tilewright.arguments(case, arch, folder),
            arguments.rounds, arguments.repeat)
    times = {"Triton": theirs, "Tilewright": ours} if tilewright else {"Triton": theirs}
    return {name: {"all": time} for name, time in times.items()}


def total(times):
    return times["all"] if "all" in times else sum(times[stage] for stage in STAGES)


def broken_rules(arguments, rows, times):
    """What of the rule a case breaks, as texts."""
    ours, theirs = rows["Tilewright"], rows["Triton"]
    found = []
    for key in ("vgpr_spills", "sgpr_spills", "scratch_bytes"):
        if ours[key] and not theirs[key]:
            found.append(f"{key} {ours[key]}, Triton 0")
    for what, keys in MEMORY.items():
        mine, other = (sum(row["code"].get(key, 0) for key in keys) for row in (ours, theirs))
        if mine > other:
            found.append(f"{what} {mine}, Triton {other}")
    if times:
        ratio = total(times["Tilewright"]) / total(times["Triton"])
        if ratio > arguments.limit:
            found.append(f"compile time {ratio:.2f} of Triton's")
    return found


def print_code(results):
    for arch in sorted({arch for _, arch in results}):
        print(f"\n{arch}: whole kernel")
        print(f"{'kernel':16} {'compiler':11}" + "".join(f" {h:>{w}}" for h, w, _ in COLUMNS)
              + "  accesses by width")
        for (name, of), result in results.items():
            for compiler, row in result["code"].items() if of == arch else ():
                cells = "".join(f" {get(row):>{w}}" for _, w, get in COLUMNS)
                widths = " ".join(f"{k}:{n}" for k, n in row["code"]["vmem_widths"].items())
                print(f"{name:16} {compiler:11}{cells}  {widths}")
        print(f"\n{arch}: steady loop")
        print(f"{'kernel':16} {'compiler':11}" + "".join(f" {h:>{w}}" for h, w, _ in LOOP_COLUMNS))
        for (name, of), result in results.items():
            for compiler, row in result["code"].items() if of == arch else ():
                if "loop" in row:
                    cells = "".join(f" {row['loop'].get(key, 0):>{w}}" for _, w, key in LOOP_COLUMNS)
                    print(f"{name:16} {compiler:11}{cells}")


def print_times(results, stages):
    print(f"\ncompile time, ms\n{'kernel':16} {'target':8} {'compiler':11}"
          + "".join(f" {stage:>8}" for stage in stages) + f" {'all':>8} {'ratio':>6}")
    for (name, arch), result in results.items():
        for compiler, times in result["times"].items():
            row = f"{name:16} {arch:8} {compiler:11}" + "".join(f" {times[s]:8.2f}" for s in stages)
            row += f" {total(times):8.2f}"
            if compiler != "Triton":
                row += f" {total(times) / total(result['times']['Triton']):6.2f}"
            print(row)
    sums = {}
    for result in results.values():
        for compiler, times in result["times"].items():
            sums[compiler] = sums.get(compiler, 0) + total(times)
    if "Tilewright" in sums:
        print(f"{'all':16} Triton {sums['Triton']:.1f}, Tilewright {sums['Tilewright']:.1f}, "
              f"ratio {sums['Tilewright'] / sums['Triton']:.2f}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", help="the command to measure; without it only Triton is")
    parser.add_argument("--arch", action="append", help="default: gfx1100 and gfx1201")
    parser.add_argument("--kernel", choices=[case.name for case in cases.CASES], action="append")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=5, help="compilations in a round")
    parser.add_argument("--no-times", action="store_true", help="only the code")
    parser.add_argument("--processor-time", action="store_true",
                        help="the least processor time of all stages in place of medians")
    parser.add_argument("--products", action="store_true",
                        help="only cases with tl.dot, only their table, Triton without its 2GB variant")
    parser.add_argument("--strict", action="store_true",
                        help="exit code 1 also if a product misses one of amd_products.py's targets")
    parser.add_argument("--limit", type=float, default=0.5, help="of Triton's compile time")
    parser.add_argument("--json", metavar="FILE", help="all numbers")
    parser.add_argument("--cache", metavar="DIR",
                        help="Triton's code is taken from there, and kept there")
    parser.add_argument("--triton-limit", type=float, default=60, metavar="SECONDS",
                        help="for a compilation by Triton; what takes longer is left out")
    parser.add_argument("--keep", metavar="DIR", help="leave the assembly and HSACO files there")
    return parser.parse_args()


def compile_cases(arguments, tilewright):
    """{(case, arch): {"code": describe_case's, "times": compile_times'}}, and what does not compile."""
    results, failed = {}, []
    for case in cases.CASES:
        chosen = case.name in arguments.kernel if arguments.kernel else True
        if not chosen or (arguments.products and not amd_products.tile_work(case)):
            continue
        for arch in arguments.arch or ("gfx1100", "gfx1201"):
            try:
                code = describe_case(arguments, tilewright, case, arch)
                timed = not arguments.no_times and "Triton" in code
                measure = processor_times if arguments.processor_time else compile_times
                times = measure(arguments, tilewright, case, arch) if timed else {}
            except RuntimeError as error:
                failed.append(f"{case.name} {arch}: does not compile\n{error}")
                continue
            results[case.name, arch] = {"code": code, "times": times}
            report(case, arch, code)
    return results, failed


def report(case, arch, code):
    """A line on stderr about a case that is compiled: what a product misses."""
    found = []
    if "Tilewright" in code and amd_products.tile_work(case):
        rows = amd_products.evaluate(case, arch, code)
        found = amd_products.misses(case, arch, rows["Tilewright"], rows.get("Triton"))
    print(f"{case.name} {arch}: {'; '.join(miss.text for miss in found) or 'compiled'}", file=sys.stderr,
          flush=True)


def judge_products(results):
    """Prints the table of products; gives the targets missed, as texts, and those of them that no code
    meets."""
    by_name = {case.name: case for case in cases.CASES if amd_products.tile_work(case)}
    products = {key: result for key, result in results.items() if key[0] in by_name}
    evaluated = {(name, arch): amd_products.evaluate(by_name[name], arch, result["code"])
                 for (name, arch), result in products.items()}
    amd_products.print_products(evaluated)
    missed, out_of_reach = [], []
    for (name, arch), rows in evaluated.items():
        if "Tilewright" in rows:
            for miss in amd_products.misses(by_name[name], arch, rows["Tilewright"], rows.get("Triton")):
                (out_of_reach if miss.is_out_of_reach else missed).append(f"{name} {arch}: {miss.text}")
    timed = [result["times"] for result in products.values() if "Tilewright" in result["times"]]
    if timed:
        ratio = (sum(total(times["Tilewright"]) for times in timed)
                 / sum(total(times["Triton"]) for times in timed))
        if ratio > amd_products.COMPILE_TIME_TARGET:
            missed.append(f"compile time of all {ratio:.2f} of Triton's, "
                          f"target {amd_products.COMPILE_TIME_TARGET}")
    return missed, out_of_reach


def main():
    arguments = parse_arguments()
    for folder in filter(None, (arguments.keep, arguments.cache)):
        os.makedirs(folder, exist_ok=True)
    tilewright = Tilewright(arguments.tilewright) if arguments.tilewright else None
    results, failed = compile_cases(arguments, tilewright)
    if not arguments.products:
        print_code(results)
    if not arguments.no_times:
        print_times(results, () if arguments.processor_time else STAGES)
    missed, out_of_reach = judge_products(results)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump([{"kernel": name, "arch": arch, **result}
                       for (name, arch), result in results.items()], file, indent=1)
    if not tilewright:
        return 0
    reachable = "all targets that can be met" if out_of_reach else "all targets"
    print("\nproducts miss:" if missed else f"\nproducts meet {reachable}", *missed, sep="\n  ")
    if out_of_reach:
        print("\nand these, which are below the least:", *out_of_reach, sep="\n  ")
    products = {case.name for case in cases.CASES if amd_products.tile_work(case)}
    for (name, arch), result in results.items():
        if name not in products:
            broken = broken_rules(arguments, result["code"], result["times"])
            failed += [f"{name} {arch}: " + "; ".join(broken)] if broken else []
    print("\nbreaks the rule:" if failed else "\nthe rule holds", *failed, sep="\n  ")
    return 1 if failed or (arguments.strict and missed) else 0


if __name__ == "__main__":
    sys.exit(main())
