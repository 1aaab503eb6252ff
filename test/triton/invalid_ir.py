#!/usr/bin/env python3
"""invalid_ir.py CHECKOUT [--build DIR]: whether IR that Triton refuses is refused here.

Takes each part of CHECKOUT's test/**/*.mlir that has an `expected-error` and gives it to
tilewright-opt and to `tilewright compile`. A part that neither refuses for a cause of its own must
stand in not_applicable_ir.txt, with a reason; the exit status is 1 if one does not.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

LIST = pathlib.Path(__file__).with_name("not_applicable_ir.txt")
#: What `compile` says of any fragment that is no kernel.
NO_KERNEL = ("cannot be passed to a kernel", "the module has no kernel", "several kernels")
TARGETS = (("amd", "hip:gfx942"), ("Intel", "xpu:bmg"), ("GEN", "xpu:bmg"),
           ("TritonNvidia", "cuda:100"), ("", "cuda:90"))


def parts(checkout):
    for file in sorted(checkout.glob("test/**/*.mlir")):
        name = file.relative_to(checkout).as_posix()
        for text in re.split(r"^// -----.*$", file.read_text(), flags=re.M):
            if wanted := re.findall(r"expected-error\S*\s*(?:@[-+\w]+)?\s*\{\{(.*?)\}\}", text):
                yield name, text, wanted[0]


def errors(words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if "error:" in line]
    return lines or [f"error: it ends with {done.returncode}"] if done.returncode else []


def is_refused(build, name, text, folder):
    kind = "ttgir" if re.search(r"#ttg|ttn?g\.|#gluon", text) else "ttir"
    path = pathlib.Path(folder, "part." + kind)
    path.write_text(text)
    if errors([build / "tilewright-opt", path]):
        return True
    target = next(target for word, target in TARGETS if word in name)
    said = errors([build / "tilewright", "compile", path, "--target", target, "--no-cache", "-o",
                   folder + "/out"])
    return any(not any(word in line for word in NO_KERNEL) for line in said)


def not_applicable():
    entries = set()
    for line in LIST.read_text().splitlines():
        if line and not line.startswith("#"):
            file, said, _ = (field.strip() for field in line.split("|"))
            entries.add((file, said))
    return entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release/tools"))
    options = parser.parse_args()
    listed = not_applicable()
    refused, named, accepted = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name, text, wanted in parts(options.checkout):
            if is_refused(options.build, name, text, folder):
                refused += 1
            elif (name, wanted) in listed:
                named += 1
            else:
                accepted.append(f"{name} | {wanted}")
    print(f"{refused} refused, {named} named in {LIST.name}, {len(accepted)} accepted")
    print("\n".join(accepted))
    sys.exit(bool(accepted))


if __name__ == "__main__":
    main()
