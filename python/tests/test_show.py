"""Layouts and plans as objects."""

import html
import json

import pytest

import tilewright

BLOCKED = ("#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
           "warpsPerCTA = [1, 1], order = [1, 0]}>")
OTHER = BLOCKED.replace("[1, 4]", "[4, 1]").replace("order = [1, 0]", "order = [0, 1]")
TENSOR = "tensor<16x32xf16>"


def test_layout():
    layout = tilewright.layout(BLOCKED, TENSOR)
    assert layout._repr_svg_().startswith("<svg") and "T0" in str(layout)
    assert json.loads(layout.json())["out"] == {"dim0": 16, "dim1": 32}
    assert layout.svg("hw") != layout.svg() and repr(layout).startswith("layout('#ttg.blocked")
    assert layout.text("access") and layout.cute()


def test_convert():
    plan = tilewright.convert(BLOCKED, OTHER, TENSOR)
    assert "kind" in json.loads(plan.json())
    shown = html.unescape(plan._repr_html_())
    assert shown.count("<svg") == 2 and str(plan) in shown


def test_blockload():
    dpas = ("#ttg.dot_op<{opIdx = 0, parent = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, "
            "executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], "
            "repCluster = [1, 1]}>, kWidth = 1}>")
    plan = tilewright.blockload(dpas, "tensor<16x16xf16>")
    assert json.loads(plan.json()) and "load of tensor" in repr(plan)


@pytest.mark.parametrize("call, text", [
    (lambda: tilewright.layout("#ttg.blockd<{}>", TENSOR), "blockd"),
    (lambda: tilewright.layout(BLOCKED, "tensor<16x30xf16>"), "30"),
    (lambda: tilewright.layout(BLOCKED, TENSOR).svg("bases"), "picture"),
    (lambda: tilewright.convert(BLOCKED, OTHER, TENSOR, "cuda:1"), "cuda:1"),
    (lambda: tilewright.blockload(BLOCKED, TENSOR, target="cuda:90"), "block messages"),
])
def test_errors(call, text):
    with pytest.raises(ValueError, match=text):
        call()
