"""Products on AMD's matrix units, judged: what a kernel's steady loop costs for one product of a tile,
beside the same kernel by Triton, and which of the targets below it misses.

Works on what amdgcn.describe gives of both compilers' code. llvm-mca's cycles are a rough figure: one
wave alone on its SIMD, all loads as slow as memory, what LLVM's scheduling model knows.

A target may be below what any code needs: `least` counts that, and such a miss says so.
"""

import math
import re
import shutil
import subprocess
from dataclasses import dataclass

# What our loop may cost, for one product of a tile, as a part of Triton's.
RATIO_TARGETS = {"vmem": 1.0, "lds": 1.0, "wait": 1.0, "barrier": 1.0, "other": 0.5}
# The whole compilation, from the source to the HSACO, of all products together.
COMPILE_TIME_TARGET = 0.15

BYTES = {"fp64": 8, "fp32": 4, "i32": 4, "fp16": 2, "bf16": 2, "i8": 1, "fp8e4nv": 1, "fp8e5": 1}
GEMMS = ("matmul", "matmul_bt", "matmul_int8", "matmul_desc", "matmul_persistent", "matmul_w4a16")

@dataclass
class Processor:
    """What a group's waves spread over: a pair of compute units of RDNA, one of CDNA. VGPRs of a SIMD
    and the LDS, with the units in which they are given out: ISA documents, and LLVM's
    AMDGPUBaseInfo.cpp."""
    lanes: int
    registers: int
    register_unit: int
    waves_per_simd: int
    lds_bytes: int
    lds_unit: int
    # Those of a WMMA of 8 bits and more.
    matrix_multiply_adds: int = 16 * 16 * 16


def rdna(registers, unit):
    return Processor(32, registers, unit, 16, 2 * 64 * 1024, 1024)


PROCESSORS = {"gfx1100": rdna(1536, 24), "gfx1150": rdna(1024, 16), "gfx1200": rdna(1536, 24),
              "gfx1201": rdna(1536, 24), "gfx90a": Processor(64, 512, 8, 8, 64 * 1024, 512),
              "gfx942": Processor(64, 512, 8, 8, 64 * 1024, 512),
              "gfx950": Processor(64, 512, 8, 8, 160 * 1024, 1280)}
SIMDS = 4


@dataclass
class TileWork:
    """What a product of one tile takes, in one program."""
    multiply_adds: int
    loaded_bytes: int


def tile_work(case):
    """Of a product case; None for the other cases."""
    c = case.constants
    if case.kernel == "flash_fwd":  # scores and their product with V; K and V are loaded
        return TileWork(2 * c["BM"] * c["BN"] * c["D"], 2 * 2 * c["BN"] * c["D"])
    if case.kernel not in GEMMS:
        return None
    a, b = (BYTES[item.strip().lstrip("*").split(":")[0]] for item in case.signature.split(",")[:2])
    right = c["BN"] * c["BK"] * b // (2 if case.kernel == "matmul_w4a16" else 1)
    return TileWork(c["BM"] * c["BN"] * c["BK"], c["BM"] * c["BK"] * a + right)


def occupancy(case, arch, row):
    """Waves on a SIMD at once, by VGPRs and by LDS."""
    p = PROCESSORS[arch]
    taken = -(-row["vgprs"] // p.register_unit) * p.register_unit
    groups = min(p.waves_per_simd, p.registers // taken) * SIMDS // case.num_warps
    if row["lds_bytes"]:
        groups = min(groups, p.lds_bytes // (-(-row["lds_bytes"] // p.lds_unit) * p.lds_unit))
    return groups * case.num_warps / SIMDS


def mca_cycles(text, arch, iterations=10):
    """llvm-mca's cycles of one iteration; None where it or the instructions are not known."""
    command = shutil.which("llvm-mca-22") or shutil.which("llvm-mca")
    if not command:
        return None
    text = re.sub(r"(branch\w*\s+)\S+", r"\g<1>0", text)  # labels are not in the text
    done = subprocess.run([command, "-mtriple=amdgcn", "-mcpu=" + arch, f"-iterations={iterations}",
                           "-instruction-info=0", "-resource-pressure=0"],
                          input=text, capture_output=True, text=True)
    found = re.search(r"Total Cycles:\s+(\d+)", done.stdout)
    return int(found.group(1)) / iterations if done.returncode == 0 and found else None


def loaded_bytes(counts):
    """Bytes that a lane's loads bring in an iteration."""
    return sum(n * int(width.rpartition("_b")[2]) // 8
               for width, n in counts["vmem_widths"].items() if width.startswith("load"))


def tile_products(loop, work, case, arch):
    """How many products of a tile an iteration makes: an unrolled loop has both the multiply-adds and
    the loads of several; one over parts of a tile (products by multiply-adds) makes less than one."""
    lanes = case.num_warps * PROCESSORS[arch].lanes
    if loop.get("wmma"):
        done = loop["matrix_multiply_adds"] * case.num_warps / work.multiply_adds
    else:
        done = loop.get("fma", 0) * lanes / work.multiply_adds
    if 0 < done < 1:
        return done
    loaded = loaded_bytes(loop) * lanes / work.loaded_bytes
    return max(1, int(min(done, loaded)))


def describe_loop(case, arch, row):
    """Instructions for one product of a tile by kind, `wmma_minimum`, `tiles` in an iteration, and
    `cycles`; None without a loop."""
    if "loop" not in row:
        return None
    loop, work = row["loop"], tile_work(case)
    tiles = tile_products(loop, work, case, arch)
    counts = {key: loop.get(key, 0) / tiles
              for key in ("wmma", "vmem", "smem", "lds", "wait", "barrier", "salu", "hint", "branch", "scratch")}
    counts["lds"] += loop.get("lds_exchange", 0) / tiles
    products = loop.get("wmma", 0) or loop.get("fma_instructions", 0)
    counts["other"] = (loop.get("valu", 0) - products) / tiles
    cycles = mca_cycles(row["loop_text"], arch)
    # That of the instructions that are there: CDNA has several that do as much in their time.
    of_one = (loop["matrix_multiply_adds"] / loop["wmma"] if loop.get("wmma") and arch.startswith("gfx9")
              else PROCESSORS[arch].matrix_multiply_adds)
    minimum = work.multiply_adds / of_one / case.num_warps
    return {**counts, "tiles": tiles, "cycles": cycles and cycles / tiles,
            "wmma_minimum": minimum if loop.get("wmma") else 0}


def least_of_attention(case, arch):
    """What vector instructions besides WMMA a lane needs for an iteration of flash_fwd that finds no
    larger score in any row, by what they do. Sums, products and maxima go in twos (the dual forms, and
    the maximum of three); scores and row sums are f32, as the source has them."""
    c = case.constants
    lanes = case.num_warps * PROCESSORS[arch].lanes
    scores = c["BM"] * c["BN"] // lanes
    in_twos = lambda n: math.ceil(n / 2)  # noqa: E731
    least = {
        "powers of the scores and of the factor": scores + 1,
        "scores times the scale": in_twos(scores),
        "scores and the old maximum minus the new one": in_twos(scores + 1),
        "maxima of scores, the old one and the other lane's": in_twos(scores + 1),
        "exchanges of a row's maximum and sum": 2,
        "sums of the powers and the other lane's": in_twos(scores),
        "the old sum by the factor": 1,
        "powers rounded to f16, one at a time": scores,
        "the factor compared with 1": 1,
    }
    if arch.startswith("gfx11"):
        # An operand has each number in two lanes, and elements along K in one register.
        least["powers exchanged between lanes, two in a word"] = in_twos(scores)
        least["words of the lane or of the other one"] = in_twos(scores)
        least["words of V turned round"] = c["BN"] * c["D"] // lanes // 2
    return least


def least(case, arch, kind):
    """(a lower bound of `kind`, what it is made of), where there is one that a target may be below."""
    if kind == "other" and case.kernel == "flash_fwd" and not arch.startswith("gfx9"):
        parts = least_of_attention(case, arch)
        return sum(parts.values()), ", ".join(f"{n} {what}" for what, n in parts.items())
    if kind == "wait":
        return 3, ("for the fragments; for the loads of the next tile, which are under way in the "
                   "products; for its stores, after those")
    return 0, ""


@dataclass
class Miss:
    text: str
    # Whether no code with this order of loads and products meets the target.
    is_out_of_reach: bool = False


def misses(case, arch, ours, theirs):
    """Which targets our code of a case misses; `theirs` is None where Triton does not compile it."""
    found = [Miss(f"{kind} {ours['code'][kind]}") for kind in ("vgpr_spills", "sgpr_spills", "scratch_bytes")
             if ours["code"][kind]]
    mine = ours["loop"]
    if not mine:
        return found + [Miss("no loop")]
    if mine["wmma"] > mine["wmma_minimum"]:
        found.append(Miss(f"WMMA {mine['wmma']:g} of {mine['wmma_minimum']:g}"))
    if not theirs or not theirs["loop"]:
        return found
    if theirs["loop"]["wmma"] and not mine["wmma"]:
        found.append(Miss("no WMMA"))
    for kind, limit in RATIO_TARGETS.items():
        target = limit * theirs["loop"][kind]
        if mine[kind] <= target:
            continue
        bound, parts = least(case, arch, kind)
        found.append(Miss(f"{kind} {mine[kind]:g}, target {target:g}"
                          + (f"; the least is {bound}: {parts}" if bound > target else ""), bound > target))
    return found


# Heading and what stands below it, of {"code", "loop", "occupancy"} of a compiler.
COLUMNS = [("spillV", lambda r: r["code"]["vgpr_spills"]), ("spillS", lambda r: r["code"]["sgpr_spills"]),
           ("VGPR", lambda r: r["code"]["vgprs"]), ("LDS B", lambda r: r["code"]["lds_bytes"]),
           ("waves", lambda r: r["occupancy"]), ("bytes", lambda r: r["code"]["code_bytes"])]
LOOP_COLUMNS = [("tiles", "tiles"), ("matrix", "wmma"), ("vmem", "vmem"), ("LDS", "lds"), ("wait", "wait"),
                ("barr", "barrier"), ("other", "other"), ("salu", "salu"), ("hint", "hint"),
                ("spill", "scratch"), ("mca", "cycles")]


def evaluate(case, arch, code):
    """{compiler: {"code", "loop", "occupancy"}} of describe's results by compiler."""
    return {name: {"code": row, "loop": describe_loop(case, arch, row),
                   "occupancy": occupancy(case, arch, row)} for name, row in code.items()}


def number(value):
    return "-" if value is None else f"{value:.0f}" if value >= 100 else f"{value:.3g}" if value >= 1 else f"{value:.2g}"


def print_products(results):
    """`results`: {(case, arch): evaluate's}. Each row of the loop is for one product of a tile; below
    Triton's and ours stands ours / Triton's."""
    heads = "".join(f"{head:>8}" for head, _ in COLUMNS) + "".join(f"{head:>7}" for head, _ in LOOP_COLUMNS)
    for arch in sorted({arch for _, arch in results}):
        print(f"\n{arch}: kernel | steady loop, for one product of a tile\n{'':22}{'':11}{heads}")
        for (name, of), rows in results.items():
            if of != arch:
                continue
            values = {}
            for compiler in (c for c in ("Triton", "Tilewright") if c in rows):
                row = rows[compiler]
                values[compiler] = [get(row) for _, get in COLUMNS] + [
                    row["loop"][key] if row["loop"] else None for _, key in LOOP_COLUMNS]
                print_row(name, compiler, map(number, values[compiler]))
            if len(values) == 2:
                print_row("", "ratio", (number(mine / other) if mine is not None and other else ""
                                        for other, mine in zip(*values.values())))


def print_row(name, what, cells):
    cells = list(cells)
    print(f"{name:22}{what:11}" + "".join(f"{cell:>8}" for cell in cells[:len(COLUMNS)])
          + "".join(f"{cell:>7}" for cell in cells[len(COLUMNS):]))
