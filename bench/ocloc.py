"""Intel's offline compiler: machine code of SPIR-V as text, without a GPU.

Shared by static/measure_intel.py and test/machine-code/intel/check_machine_code.py. Debian: intel-opencl-icd, which
brings libiga64, the disassembler.
"""

import glob
import os
import re
import shutil
import subprocess
import tempfile

LIBRARY_FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/local/lib")
# A message in a listing: the unit, and at the end of the comment what it does, such as
# "load.ugm.d32x4.a64", "hword scratch block read x4" or "signal barrier".
MESSAGE = re.compile(r"\bsend[cs]?\.(\w+).*// wr.*; (.+)$", re.MULTILINE)
# How caches are asked to treat it, and the address model.
DETAILS = re.compile(r"\.(a\d\d|ca|uc|cc|wb|wt|st|iar|bti)\b.*")


class Ocloc:
    """Needs a folder of its own for what it leaves there: use `with`."""

    def __init__(self):
        found = (sorted(glob.glob(os.path.join(folder, "libiga64.so*"))) for folder in LIBRARY_FOLDERS)
        self.disassembler = next((files[0] for files in found if files), None)

    def is_complete(self):
        """Whether the compiler and its disassembler are installed."""
        return bool(shutil.which("ocloc") and self.disassembler)

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        # ocloc looks for its disassembler under a name without a version.
        if self.disassembler:
            os.symlink(self.disassembler, os.path.join(self.folder.name, "libiga64.so"))
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def compile(self, spirv, device, build_options=""):
        """(what the compiler says, the instructions as text) of a SPIR-V file for `device`, "pvc", built
        with OpenCL's options, as NAME.json has them. RuntimeError says what went wrong."""
        folder = tempfile.mkdtemp(dir=self.folder.name)
        options = ["-options", build_options] if build_options else []
        log = self.run(folder, "compile", "-spirv_input", "-file", os.path.abspath(spirv), "-device",
                       device, "-output_no_suffix", "-output", "kernel.bin", *options)
        said = self.run(folder, "disasm", "-file", "kernel.bin", "-device", device, "-dump", "listing")
        texts = []
        for path in sorted(glob.glob(os.path.join(folder, "listing", "*.asm"))):
            with open(path) as file:
                texts.append(file.read())
        listing = "\n".join(texts)
        if "send" not in listing:
            raise RuntimeError("ocloc has no listing of it: " + said)
        return log, listing

    def run(self, folder, *arguments):
        libraries = [self.folder.name, *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
        done = subprocess.run(["ocloc", *arguments], capture_output=True, text=True, cwd=folder,
                              env={**os.environ, "LD_LIBRARY_PATH": ":".join(libraries)})
        said = " ".join((done.stderr + done.stdout).split())[:300]
        if done.returncode != 0:
            raise RuntimeError("ocloc refuses it: " + said)
        return done.stdout + done.stderr


def messages(listing):
    """(unit, what it does without DETAILS) of each message to memory or another thread."""
    return [(unit, DETAILS.sub("", what.strip())) for unit, what in MESSAGE.findall(listing)]
