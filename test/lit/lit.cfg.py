"""The lit tests: one folder a stage, one file a pass."""

import os
import re
import shutil
import subprocess
import sys

import lit.formats
import lit.Test

config.name = "tilewright"


class VendorTest(lit.formats.ShTest):
    """A test that names targets which this build has no vendor for is skipped, and so is one that
    compiles for the default target if that is one of them."""

    def execute(self, test, lit_config):
        with open(test.getSourcePath(), errors="replace") as source:
            text = source.read()
        for name, prefix in config.tilewright_missing.items():
            uses_default = default_target.startswith(prefix + ":") and re.search(
                r"\b(tilewright (compile|run)|tilewright-emit)\b", text)
            if uses_default or re.search(rf"\b{prefix}:\w", text):
                return lit.Test.Result(lit.Test.UNSUPPORTED, f"this build is without {name}")
        return super().execute(test, lit_config)


default_target = "cuda:90"
config.test_format = VendorTest(execute_external=False)
# The vendors that are missing, and how the names of their targets begin: what the command says.
config.tilewright_missing = {}
if config.tilewright_vendors != config.tilewright_all_vendors:
    said = subprocess.run([os.path.join(config.tilewright_build, "tools", "tilewright"), "targets"],
                          capture_output=True, text=True, check=True).stdout
    config.tilewright_missing = dict(re.findall(r"this build has no (\w+) support \((\w+):", said))
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
config.substitutions.append(("%examples", os.path.join(config.tilewright_source, "examples")))
config.substitutions.append(("%bench", os.path.join(config.tilewright_source, "bench")))
config.substitutions.append(("%python", sys.executable))
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
