"""Runs programs on the simulator and says what is wrong with the result."""

import glob
import os
import shutil
import subprocess
import tempfile

import numpy as np

TIMEOUT_S = 300
SPIRV_VAL = shutil.which("spirv-val")
# Where the options of compilation end in a command that runs.
_LAUNCH = ["--grid"]
# The last parameters: numbers that keep what they are multiplied with from being constant.
SCALARS = [("n", "i32", ["n=1"]), ("sizes", "(i32, 2)", ["sizes[0]=1"])]


def command(program, tilewright, folder):
    """Writes the program and its arrays into the folder; gives the command that runs it."""
    with open(os.path.join(folder, "kernel.py"), "w") as file:
        file.write(program.source())
    target, _, lanes = program.target.partition("/")
    signature, words = [], []
    for name, type, array, compared in program.arrays():
        path = os.path.join(folder, name)
        np.save(path + ".npy", type.stored(array))
        signature.append("*" + type.pointer + (":16" if program.aligned else ""))
        words += ["--arg", f"{name}=@{path}.npy"]
        if compared:
            words += ["--save", f"{name}={path}.out.npy"]
    for name, type, values in SCALARS:
        signature.append(type)
        words += [word for value in values for word in ("--arg", value)]
    return [tilewright, "run", os.path.join(folder, "kernel.py"), "--kernel", "kernel",
            "--signature", ", ".join(signature), "--target", target,
            *(["--threads-per-warp", lanes] if lanes else []),
            "--num-warps", str(program.warps), "--num-ctas", str(program.ctas),
            "--num-stages", str(program.stages), *_LAUNCH, str(program.grid), *words]


def spirv_fault(run, folder):
    """What spirv-val says of the module that the program of this command has, for Intel's GPUs and
    where it is installed; else None."""
    if not SPIRV_VAL or not any(word.startswith("xpu:") for word in run):
        return None
    out = os.path.join(folder, "code")
    compile_only = [run[0], "compile", *run[2:run.index(_LAUNCH[0])], "-o", out]
    subprocess.run(compile_only, check=True, capture_output=True, timeout=TIMEOUT_S)
    [module] = glob.glob(os.path.join(out, "*.spv"))
    said = subprocess.run([SPIRV_VAL, "--target-env", "spv1.2", module], capture_output=True,
                          text=True)
    return said.stderr[:1000] if said.returncode else None


def fault(program, tilewright):
    """What is wrong, or None: (kind, text). The kind stays the same while a program gets smaller."""
    expected, _ = program.expected()
    with tempfile.TemporaryDirectory() as folder:
        words = command(program, tilewright, folder)
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return "timeout", f"no result after {TIMEOUT_S} s"
        if done.returncode < 0:
            return "crash", f"signal {-done.returncode}: {done.stderr.strip()[-300:]}"
        if done.returncode:
            text = done.stderr.strip()
            errors = [line for line in text.splitlines() if "error: " in line]
            message = errors[0].split("error: ")[-1] if errors else text[:80] or "no message"
            # Numbers and names in a message change with the program.
            kind = "".join(c for c in message.split("'")[0] if not c.isdigit())[:50]
            return "refused: " + kind, text[:1000]
        if complaint := spirv_fault(words, folder):
            return "invalid SPIR-V", complaint
        for name, type, _, compared in program.arrays():
            if not compared:
                continue
            wanted = expected[name]
            got = type.loaded(np.load(os.path.join(folder, name + ".out.npy")), wanted.shape)
            wrong = got != wanted
            if wrong.any():
                at = tuple(int(i) for i in np.argwhere(wrong)[0])
                return "wrong", (f"{name}: {int(wrong.sum())} of {wrong.size} elements, first at {at}: "
                                 f"{got[at]} instead of {wanted[at]}")
    return None
