"""Remarks: how parts of a kernel were compiled, as data."""

import numpy as np

import tilewright
import tilewright.language as tl


@tilewright.jit
def gathered(x, rows, out, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    a = tl.load(x + tl.load(rows + i)[:, None] * SIZE + i[None, :])
    tl.store(out + i[:, None] * SIZE + i[None, :], tl.dot(a, a))


def launch(**options):
    x = np.eye(32, dtype=np.float16)
    out = np.zeros((32, 32), np.float32)
    rows = np.arange(32, dtype=np.int32)
    compiled = gathered[(1,)](x, rows, out, 32, **options)
    np.testing.assert_array_equal(out, x)
    return compiled


def test_a_load_without_messages():
    compiled = launch(target="xpu:pvc")
    assert compiled.diagnostics == []
    first = compiled.remarks[0]
    line = gathered.fn.__code__.co_firstlineno + 3
    assert (first["severity"], first["file"], first["line"]) == ("remark", __file__, line)
    assert first["column"] == 9
    assert first["message"].startswith("the load is not done by 2D block messages: its addresses")
    assert "use a tensor descriptor" in first["remedy"]
    assert first["text"].startswith(f"{__file__}:{line}:9: remark: the load is not done")
    assert first["source_line"].strip().startswith("a = tl.load(")


def test_other_targets_have_none():
    assert launch(target="cuda:90").remarks == []


def test_the_cache_keeps_them(tmp_path, monkeypatch):
    monkeypatch.delenv("TILEWRIGHT_CACHE", raising=False)
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    source = tilewright.Source(
        "import triton\nimport triton.language as tl\n@triton.jit\ndef k(x, rows, out):\n"
        "    i = tl.arange(0, 32)\n"
        "    a = tl.load(x + tl.load(rows + i)[:, None] * 32 + i[None, :])\n"
        "    tl.store(out + i[:, None] * 32 + i[None, :], tl.dot(a, a))\n")
    made, found = (tilewright.compile(source, signature="*fp16:64, *i32, *fp32:64",
                                      target="xpu:pvc") for _ in range(2))
    assert (made.is_cached, found.is_cached) == (False, True)
    assert found.remarks == made.remarks and made.remarks[0]["line"] == 6
