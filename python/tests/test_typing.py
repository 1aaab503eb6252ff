"""The stubs: what mypy makes of programs that use the package."""

import os
import subprocess
import sys
import sysconfig

import pytest

pytest.importorskip("mypy")

GOOD = """
import tilewright
import tilewright.language as tl
from tilewright import testing

@tilewright.jit
def add(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n), at < n)

@tilewright.autotune(configs=[tilewright.Config({"BLOCK": 64}, num_warps=8)], key=["n"])
@tilewright.jit
def tuned(x, out, n, BLOCK: tl.constexpr):
    pass

compiled: tilewright.Compiled = add[(tilewright.cdiv(1000, 256),)]([], [], 1000, BLOCK=256)
registers: int | None = compiled.n_regs
text: str | bytes = compiled.asm["ptx"]
tuned[lambda meta: (meta["n"],)]([], [], 1000)
milliseconds = testing.do_bench(lambda: None)
picture: str = tilewright.layout("#ttg.blocked<{}>", "tensor<16x16xf16>").svg()
try:
    tilewright.compile("kernel.py", signature="*fp32, 64", target="cuda:90")
except tilewright.CompileError as error:
    line: int = error.line
"""

BAD = {
    "tilewright.cdiv('a', 2)": "arg-type",
    "tilewright.Config(BLOCK=64)": "call-arg",
    "tilewright.compile(5)": "arg-type",
    "tilewright.jit(fast=True)": "call-overload",
    "tilewright.layout('x')": "call-arg",
}


def check(path, text):
    path.write_text(text)
    package = os.path.dirname(os.path.dirname(sys.modules["tilewright"].__file__))
    # What is installed mypy finds by itself.
    is_installed = package == sysconfig.get_path("platlib")
    environment = os.environ if is_installed else {**os.environ, "MYPYPATH": package}
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict-optional", "--python-version", "3.10",
         "--cache-dir", str(path.parent / "mypy"), str(path)],
        capture_output=True, text=True, env=environment).stdout


def test_programs(tmp_path):
    import tilewright  # noqa: F401
    assert "Success" in check(tmp_path / "good.py", GOOD)
    found = check(tmp_path / "bad.py", "import tilewright\n" + "\n".join(BAD)).splitlines()
    for number, (_, code) in enumerate(BAD.items(), 2):
        assert any(f"bad.py:{number}:" in line and code in line for line in found), number
