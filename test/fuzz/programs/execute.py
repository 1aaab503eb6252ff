"""Runs programs on the simulator and says what is wrong with the result."""

import os
import subprocess
import tempfile

import numpy as np

TIMEOUT_S = 300


def stored(array, type):
    """The array as the command line takes it: of bfloat16, the bits."""
    if type.name == "bfloat16":
        return (np.ascontiguousarray(array).view(np.uint32) >> 16).astype(np.uint16)
    return np.ascontiguousarray(array)


def command(program, tilewright, folder):
    """Writes the program and its arrays into the folder; gives the command that runs it."""
    with open(os.path.join(folder, "kernel.py"), "w") as file:
        file.write(program.source())
    target, _, lanes = program.target.partition("/")
    signature, words = [], []
    for name, type, array, compared in program.arrays():
        path = os.path.join(folder, name)
        np.save(path + ".npy", stored(array, type))
        signature.append("*" + type.pointer + (":16" if program.aligned else ""))
        words += ["--arg", f"{name}=@{path}.npy"]
        if compared:
            words += ["--save", f"{name}={path}.out.npy"]
    return [tilewright, "run", os.path.join(folder, "kernel.py"), "--kernel", "kernel",
            "--signature", ", ".join(signature + ["i32"]), "--target", target,
            *(["--threads-per-warp", lanes] if lanes else []),
            "--num-warps", str(program.warps), "--num-ctas", str(program.ctas),
            "--grid", str(program.grid), "--arg", "n=1", *words]


def fault(program, tilewright):
    """What is wrong, or None: (kind, text). The kind stays the same while a program gets smaller."""
    expected, _ = program.expected()
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(command(program, tilewright, folder), capture_output=True, text=True,
                                  timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return "timeout", f"no result after {TIMEOUT_S} s"
        if done.returncode < 0:
            return "crash", f"signal {-done.returncode}: {done.stderr.strip()[-300:]}"
        if done.returncode:
            text = done.stderr.strip()
            message = text.splitlines()[0].split("error: ")[-1] if text else "no message"
            # Numbers and names in a message change with the program.
            kind = "".join(c for c in message.split("'")[0] if not c.isdigit())[:50]
            return "refused: " + kind, text[:1000]
        for name, type, _, compared in program.arrays():
            if not compared:
                continue
            got = np.load(os.path.join(folder, name + ".out.npy"))
            wanted = stored(expected[name], type)
            got = got.reshape(wanted.shape)
            if type.name == "bfloat16":
                # 0 and -0 are equal.
                got, wanted = ((bits.astype(np.uint32) << 16).view(np.float32) for bits in (got, wanted))
            wrong = got != wanted
            if wrong.any():
                at = tuple(int(i) for i in np.argwhere(wrong)[0])
                return "wrong", (f"{name}: {int(wrong.sum())} of {wrong.size} elements, first at {at}: "
                                 f"{got[at]} instead of {wanted[at]}")
    return None
