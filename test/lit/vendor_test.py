"""A lit test of a build that may lack vendors. In a module, since lit sends tests to its workers."""

import glob
import os
import re
import shutil
import subprocess
import time

import lit.formats
import lit.Test
import lit.TestRunner

DEFAULT_TARGET = "cuda:90"


SPIRV_VAL = shutil.which("spirv-val")


def find_spirv_faults(test, since):
    """What spirv-val says of the modules that the test has written since then, below its %t."""
    begin = glob.escape(lit.TestRunner.getTempPaths(test)[1])
    written = [path for pattern in (begin + "*.spv", begin + "*/**/*.spv")
               for path in glob.glob(pattern, recursive=True) if os.path.getmtime(path) >= since]
    faults = []
    for path in written:
        said = subprocess.run([SPIRV_VAL, "--target-env", "spv1.2", path], capture_output=True,
                              text=True)
        # A capability that is newer than the program is no fault of the module.
        if said.returncode and "Invalid capability operand" not in said.stderr:
            faults.append(f"{path} is no valid SPIR-V: {said.stderr}")
    return "\n".join(faults)


class VendorTest(lit.formats.ShTest):
    """A test that names targets which this build has no vendor for is skipped, and so is one that
    compiles for the default target if that is one of them. `missing`: the names of the vendors that
    this build lacks, with the prefix of their targets. SPIR-V that the test writes must be valid
    where spirv-val is installed to tell."""

    def __init__(self, missing):
        super().__init__(execute_external=False)
        self.missing = missing

    def execute(self, test, lit_config):
        with open(test.getSourcePath(), errors="replace") as source:
            text = source.read()
        for name, prefix in self.missing.items():
            uses_default = DEFAULT_TARGET.startswith(prefix + ":") and re.search(
                r"\b(tilewright (compile|run)|tilewright-emit)\b", text)
            if uses_default or re.search(rf"\b{prefix}:\w", text):
                return lit.Test.Result(lit.Test.UNSUPPORTED, f"this build is without {name}")
        # Files may have the time of the last tick before.
        start = time.time() - 0.1
        result = super().execute(test, lit_config)
        if SPIRV_VAL and not result.code.isFailure:
            if faults := find_spirv_faults(test, start):
                return lit.Test.Result(lit.Test.FAIL, faults)
        return result
