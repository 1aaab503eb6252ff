"""What autotune keeps on disk."""

import json

import numpy as np
import pytest

import tilewright
import tilewright.language as tl
from tilewright.tune import autotuner as _autotuner


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("TILEWRIGHT_CACHE", raising=False)
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    return tmp_path / "tuning"


@pytest.fixture
def measured(monkeypatch):
    """The configurations that were measured."""
    configs = []
    bench = _autotuner.Autotuner._bench

    def noted(self, *args, config, **meta):
        configs.append(config)
        return bench(self, *args, config=config, **meta)

    monkeypatch.setattr(_autotuner.Autotuner, "_bench", noted)
    return configs


def launch(n=64, step=1, blocks=(32, 64), dtype=np.float32, **options):
    STEP = tl.constexpr(step)

    @tilewright.autotune([tilewright.Config({"BLOCK": block}) for block in blocks], key=["n"],
                         warmup=0, rep=0, **options)
    @tilewright.jit
    def kernel(out, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, STEP, at < n)

    out = np.zeros(n, dtype)
    kernel[lambda meta: (tilewright.cdiv(n, meta["BLOCK"]),)](out, n)
    assert (out == step).all()
    return kernel


def test_a_second_kernel_finds_the_result(folder, measured):
    first = launch()
    assert len(measured) == 2
    second = launch()
    assert len(measured) == 2 and second.best_config == first.best_config
    assert second.configs_timings.keys() == first.configs_timings.keys()
    assert [second.configs_timings[config][0] for config in second.configs] == pytest.approx(
        [first.configs_timings[config][0] for config in first.configs])
    (file,) = folder.iterdir()
    record = json.loads(file.read_text())
    assert (record["kernel"], record["device"], record["target"]) == ("kernel", "sim", "cuda:90")
    assert record["best"] == str(first.best_config) and len(record["trials"]) == 2


@pytest.mark.parametrize("other", [{"n": 96}, {"step": 2}, {"blocks": (32, 128)},
                                   {"dtype": np.int32}])
def test_whatever_it_depends_on_is_in_the_key(measured, other):
    launch()
    launch(**other)
    assert len(measured) == 4


def test_failures_are_kept_as_well(measured):
    first = launch(blocks=(32, 100))
    second = launch(blocks=(32, 100))
    assert len(measured) == 1
    assert "power of 2" in str(second.failures[second.configs[1]])
    assert "power of 2" in str(first.failures[first.configs[1]])


def test_a_damaged_file_is_measured_again(folder, measured):
    launch()
    (file,) = folder.iterdir()
    file.write_text(file.read_text()[:-20])
    launch()
    assert len(measured) == 4
    launch()
    assert len(measured) == 4


def test_nothing_is_kept_where_it_is_not_wanted(folder, measured, monkeypatch):
    launch(cache_results=False)
    monkeypatch.setenv("TRITON_CACHE_AUTOTUNING", "0")
    launch()
    launch(cache_results=True)
    monkeypatch.setenv("TILEWRIGHT_CACHE", "off")
    launch(cache_results=True)
    assert len(measured) == 8 and len(list(folder.iterdir())) == 1
    monkeypatch.delenv("TRITON_CACHE_AUTOTUNING")
    monkeypatch.delenv("TILEWRIGHT_CACHE")
    launch(n=32, do_bench=lambda call, quantiles: 1.0)  # Nobody knows what that measures.
    assert len(list(folder.iterdir())) == 1


def test_a_folder_that_cannot_be_written_is_a_warning(tmp_path, monkeypatch):
    (tmp_path / "tuning").write_text("no folder")
    with pytest.warns(UserWarning, match="what was measured cannot be kept"):
        launch()
