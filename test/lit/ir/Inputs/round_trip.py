"""round_trip.py FOLDER OPT: every .ttir and .ttgir under FOLDER, printed by OPT as it is."""

import pathlib
import re
import subprocess
import sys


def lines(text):
    """The text without the names of values, and without blank lines at its end."""
    return re.sub(r"%[\w#-]+", "%", text).rstrip().splitlines()


def main(folder, opt):
    command = [opt, "--mlir-print-debuginfo", "--mlir-use-nameloc-as-prefix"]
    files = sorted(pathlib.Path(folder).rglob("*.tt*ir"))
    if not files:
        sys.exit(f"there is no file of IR in {folder}")
    wrong = 0
    for file in files:
        printed = subprocess.run([*command, str(file)], capture_output=True, text=True)
        differing = printed.returncode != 0 or lines(printed.stdout) != lines(file.read_text())
        if differing:
            print(f"{file}: {printed.stderr.strip() or 'is printed otherwise'}")
        wrong += differing
    sys.exit(1 if wrong else 0)


main(*sys.argv[1:])
