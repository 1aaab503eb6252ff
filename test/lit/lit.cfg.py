"""The lit tests: one folder a stage, one file a pass."""

import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from vendor_test import VendorTest

config.name = "tilewright"

# The vendors that are missing, and how the names of their targets begin: what the command says.
missing = {}
if config.tilewright_vendors != config.tilewright_all_vendors:
    said = subprocess.run([os.path.join(config.tilewright_build, "tools", "tilewright"), "targets"],
                          capture_output=True, text=True, check=True).stdout
    missing = dict(re.findall(r"this build has no (\w+) support \((\w+):", said))
config.test_format = VendorTest(missing)
config.suffixes = [".mlir", ".test", ".ll", ".ttir", ".ttgir"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tilewright_build, "test", "lit")
config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.tilewright_build, "tools"),
        os.path.join(config.tilewright_build, "test", "support"),
        config.llvm_tools,
        config.environment["PATH"],
    ]
)
# Tests of the cache have folders of their own.
config.environment["TILEWRIGHT_CACHE"] = "off"
# glibc overwrites memory that is freed, so that what is read of it is seen.
config.environment["MALLOC_PERTURB_"] = "165"
config.substitutions.append(("%examples", os.path.join(config.tilewright_source, "examples")))
config.substitutions.append(("%bench", os.path.join(config.tilewright_source, "bench")))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%explorer", f"{sys.executable} " + os.path.join(
    config.tilewright_source, "tools", "compiler-explorer", "tilewright-explorer")))
config.substitutions.append(("%corpus", os.path.join(config.tilewright_source, "test", "data", "corpus")))

# A folder of what Triton printed, which is not part of the sources.
if triton_corpus := os.environ.get("TILEWRIGHT_TRITON_CORPUS"):
    config.available_features.add("triton-corpus")
    config.substitutions.append(("%triton_corpus", triton_corpus))

# ptxas is the user's: tests that feed it are skipped without it.
ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
if shutil.which("spirv-val") and shutil.which("spirv-dis"):
    config.available_features.add("spirv-tools")
if shutil.which("xmllint"):
    config.available_features.add("xmllint")
if config.tilewright_sanitize:
    config.available_features.add("sanitized")
