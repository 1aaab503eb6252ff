#!/usr/bin/env python3
"""assemble.py: both compilers' machine code of recorded launches.

    assemble.py compile LAUNCHES .. OUTPUT [--only REGEX] [--tilewright FILE] [--jobs N]
    assemble.py ptxas OUTPUT [--ptxas FILE] [--jobs N]

LAUNCHES are folders that record.py filled; `compile` has Tilewright compile each to PTX, and OUTPUT
gets a folder for each with what the next steps need. `ptxas` has one ptxas assemble both texts of
each: anywhere, as on the machine with the GPU, where measure.py can run meanwhile. What is done is
left out; `compile` does a launch again whose PTX of ours has changed.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

#: Seconds for one run of a compiler or of ptxas.
PATIENCE = 120
#: Characters kept of an error.
KEPT = 400


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout).strip()[:KEPT] or
                           f"{words[0]} ended with {done.returncode}")
    return done.stdout + done.stderr


def command(options, launch, output):
    words = [options.tilewright, "compile", launch["file"], "--kernel", launch["kernel"],
             "--target", "cuda:90", "--signature", ", ".join(entry for _, entry in
                                                             launch["signature"]),
             "--num-warps", str(launch["num_warps"]), "--num-stages", str(launch["num_stages"]),
             "--no-cache", "-o", output]
    if launch["maxnreg"]:
        words += ["--maxnreg", str(launch["maxnreg"])]
    return words


def read(*names):
    with open(os.path.join(*names), encoding="utf-8") as file:
        return file.read()


def write(text, *names):
    with open(os.path.join(*names), "w", encoding="utf-8") as file:
        file.write(text)


def compile_one(options, folder):
    """The line of a launch: its name, and an error, if there is one."""
    source, name = folder.rstrip("/").split(os.sep)[-2:]
    output = os.path.join(options.output, source, name)
    launch = json.loads(read(folder, "launch.json"))
    with tempfile.TemporaryDirectory() as made:
        try:
            run(*command(options, launch, made))
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            shutil.rmtree(output, ignore_errors=True)
            return {"launch": f"{source}/{name}", "error": str(error)}
        ours = json.loads(read(glob.glob(os.path.join(made, "*.json"))[0]))
        text = read(made, ours["launch"]["code"])
    ours["launch"]["code"] = "ours.cubin"
    # Recorded launches of Triton's are not programmatic.
    ours["launch"].pop("programmatic", None)
    os.makedirs(output, exist_ok=True)
    if os.path.exists(os.path.join(output, "ours.ptx")) and read(output, "ours.ptx") != text:
        os.remove(os.path.join(output, "ours.ptx"))
        if os.path.exists(os.path.join(output, "ours.cubin")):
            os.remove(os.path.join(output, "ours.cubin"))
    write(text, output, "ours.ptx")
    write(json.dumps(ours), output, "ours.json")
    for kept in ("launch.json", "integers.npz", "triton.ptx", "triton.cubin"):
        if os.path.exists(os.path.join(folder, kept)):
            shutil.copy(os.path.join(folder, kept), output)
    return {"launch": f"{source}/{name}"}


def assemble(options, path):
    """Assembles a text beside it; its name, what ptxas said of it, or an error."""
    folder, name = os.path.split(path)
    line = {"launch": "/".join(folder.split(os.sep)[-2:]), "code": name.removesuffix(".ptx")}
    # Triton's back end leaves `.target` without what is not asked of its own ptxas.
    text = re.sub(r"^\.target\s+[\w, ]+", ".target sm_90a", read(path), count=1, flags=re.M)
    cubin = path.removesuffix(".ptx") + ".cubin"
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        try:
            log = run(options.ptxas, "-v", "-arch=sm_90a", file.name, "-o", cubin + ".part")
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return {**line, "error": str(error)}
    os.rename(cubin + ".part", cubin)
    number = lambda pattern: sum(map(int, re.findall(pattern, log)))  # noqa: E731
    return {**line, "registers": max(map(int, re.findall(r"Used (\d+) registers", log)), default=0),
            "spilled": number(r"(\d+) bytes spill stores")}


def in_parallel(function, options, items, log):
    """Calls a function for all items; writes its lines."""
    failed = 0
    with open(os.path.join(options.output, log), "a", encoding="utf-8") as stream, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for line in pool.map(lambda item: function(options, item), items):
            stream.write(json.dumps(line) + "\n")
            stream.flush()
            if "error" in line:
                failed += 1
                print(line["launch"], line["error"], file=sys.stderr)
    print(f"{len(items) - failed} of {len(items)} done")


def folders_of(options):
    for launches in options.launches:
        for folder in sorted(glob.glob(os.path.join(launches, "*", ""))):
            if re.search(options.only, "/".join(folder.rstrip("/").split(os.sep)[-2:])):
                yield folder


def mixed(paths):
    """In an order that mixes the sources, and is the same each time: a part is a sample."""
    paths = sorted(paths)
    random.Random(1).shuffle(paths)
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    steps = parser.add_subparsers(dest="step", required=True)
    one = steps.add_parser("compile")
    one.add_argument("launches", nargs="+", help="folders of folders that record.py wrote")
    one.add_argument("output")
    one.add_argument("--only", default="", metavar="REGEX", help="of SOURCE/KERNEL.NUMBER")
    one.add_argument("--tilewright", default="build/release/tools/tilewright")
    two = steps.add_parser("ptxas")
    two.add_argument("output")
    two.add_argument("--ptxas", default="ptxas")
    for step in (one, two):
        step.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if options.step == "compile":
        os.makedirs(options.output, exist_ok=True)
        in_parallel(compile_one, options, list(folders_of(options)), "compiled.jsonl")
    else:
        launches = mixed(glob.glob(os.path.join(options.output, "*", "*", "launch.json")))
        texts = [launch.replace("launch.json", code + ".ptx") for launch in launches
                 for code in ("ours", "triton")]
        in_parallel(assemble, options,
                    [text for text in texts if os.path.exists(text) and
                     not os.path.exists(text.removesuffix(".ptx") + ".cubin")], "assembled.jsonl")


if __name__ == "__main__":
    main()
