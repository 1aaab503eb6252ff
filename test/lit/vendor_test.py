"""A lit test of a build that may lack vendors. In a module, since lit sends tests to its workers."""

import re

import lit.formats
import lit.Test

DEFAULT_TARGET = "cuda:90"


class VendorTest(lit.formats.ShTest):
    """A test that names targets which this build has no vendor for is skipped, and so is one that
    compiles for the default target if that is one of them. `missing`: the names of the vendors that
    this build lacks, with the prefix of their targets."""

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
        return super().execute(test, lit_config)
