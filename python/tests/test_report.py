"""Reports of compilations."""

import html
import inspect

import numpy as np
import pytest

import kernels
import tilewright


def test_report_of_a_jitted_function(tmp_path):
    x = np.zeros(100, np.float32)
    report = kernels.add.report(x, x, x, 100, BLOCK=64)
    document = report.document
    assert document["kernel"]["name"] == "add" and document["kernel"]["target"] == "cuda:90"
    assert [stage["id"] for stage in document["stages"]] == ["ttir", "ttgir", "llir", "code"]
    assert repr(report) == "<Report of add for cuda:90>"
    report.save(tmp_path / "add.html")
    assert (tmp_path / "add.html").read_text(encoding="utf-8") == report.page
    shown = report._repr_html_()
    assert shown.startswith("<iframe") and html.unescape(shown).count(report.page) == 1


def test_lines_are_those_of_the_functions_file():
    x = np.zeros(100, np.float32)
    document = kernels.add.report(x, x, x, 100, BLOCK=64).document
    lines, first = inspect.getsourcelines(kernels.add.fn)
    store = first + next(i for i, line in enumerate(lines) if "tl.store" in line)
    assert document["files"][0]["name"] == kernels.__file__
    of_store = {i for i, place in enumerate(document["places"]) if place[:2] == [0, store]}
    ttgir = next(stage for stage in document["stages"] if stage["id"] == "ttgir")
    text = ttgir["text"].split("\n")
    assert any("tt.store" in text[line - 1] for line, *places in ttgir["links"]
               if of_store & set(places))


def test_report_of_a_source():
    source = tilewright.Source("import triton\nimport triton.language as tl\n\n@triton.jit\n"
                               "def f(x):\n    tl.store(x, 1.0)\n")
    assert tilewright.report(source, signature="*fp32").document["kernel"]["name"] == "f"


def test_errors_are_those_of_the_compiler():
    with pytest.raises(tilewright.CompileError, match="signature"):
        tilewright.report(tilewright.Source("import triton\n\n@triton.jit\ndef f(x): pass\n"))
