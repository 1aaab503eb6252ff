"""Runs the passes of an order and the compiler's own pipeline, and compares the ops they leave.

usage: compare-orders.py CORPUS OUT TARGET ORDER

CORPUS: folders NAME/NAME.ttir. ORDER: a file with a pass a line, as tilewright-opt takes them in
--pass-pipeline; # begins a comment; $TARGET and $LANES are the target's. OUT: a folder to write to.
Prints a line a kernel with the ops that cost something, and how many, or what differs.
"""

import collections
import os
import re
import subprocess
import sys

corpus, out, target, order = sys.argv[1:]
# What a kernel's time goes into; all else is arithmetic on indices, which passes order freely.
KEY_OPS = re.compile(r"\b(tt\.(?:load|store|dot|reduce|scan|gather|atomic_\w+|trans)|"
                     r"ttg\.(?:convert_layout|local_\w+|async_\w+)|ttng\.(?:warp_group_dot|async_tma_\w+)|"
                     r"scf\.(?:for|while|if))(?![.\w])")


def key_ops(text):
    return dict(sorted(collections.Counter(KEY_OPS.findall(text)).items()))


def text_of(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


lanes = "16" if target.startswith("xpu") else "32"
with open(order) as lines:
    passes = [line.split("#")[0].strip() for line in lines]
pipeline = ",".join(p for p in passes if p).replace("$TARGET", target).replace("$LANES", lanes)
for name in sorted(os.listdir(corpus)):
    source = os.path.join(corpus, name, name + ".ttir")
    theirs = key_ops(text_of("tilewright-opt", source, f"--pass-pipeline=builtin.module({pipeline})"))
    text_of("tilewright", "compile", source, "--target", target, "--num-warps", "8", "-o", out)
    with open(os.path.join(out, name + ".ttgir")) as ours_file:
        ours = key_ops(ours_file.read())
    if ours == theirs:
        print(name + ": " + ", ".join(f"{op} {count}" for op, count in ours.items()))
    else:
        print(f"{name} differs: the pipeline leaves {ours}, the order {theirs}")
