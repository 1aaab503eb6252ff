"""Tuning on a cluster: two workers of this machine, on the simulator."""

import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import tilewright
import tilewright.language as tl
from tilewright import cluster
from tilewright.tune import dispatch as _dispatch

distributed = pytest.importorskip("distributed")
COMMAND = os.environ.get("TILEWRIGHT_COMMAND")
pytestmark = pytest.mark.skipif(not COMMAND, reason="TILEWRIGHT_COMMAND does not name the command")

SOURCE = """
import triton
import triton.language as tl

# 100 does not compile; with 16 the result is wrong.
@triton.autotune(configs=[triton.Config({"BLOCK": size}, num_warps=1)
                          for size in (32, 64, 100, 16, 128, 256)], key=["n"])
@triton.jit
def scale(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    factor: tl.constexpr = 3 if BLOCK == 16 else 2
    tl.store(x + at, tl.load(x + at, at < n) * factor, at < n)
"""


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  silence_logs=50) as local, distributed.Client(local) as client:
        yield client


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("TILEWRIGHT_CACHE", raising=False)
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "tuning"


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "scale.py").write_text(SOURCE)
    path = tmp_path / "plan.json"
    subprocess.run([COMMAND, "tune", tmp_path / "scale.py", "--signature", "*fp32:16, i32, BLOCK",
                    "--grid", "cdiv(n, BLOCK)", "--arg", "x=arange(1000)", "--arg", "n=1000",
                    "--repeat", "1", "--plan", path], check=True)
    return path


def outcomes(trials):
    return [(trial["outcome"], trial.get("message")) for trial in trials]


def test_the_result_is_that_of_one_machine(client, plan, folder):
    subprocess.run([COMMAND, "tune", plan], check=True, stdout=subprocess.DEVNULL)
    (file,) = folder.iterdir()
    alone = json.loads(file.read_text())["trials"]
    seen = []
    results = cluster.tune(plan, client, again=True,
                           progress=lambda device, done, total: seen.append((device, done, total)))
    result = results["sim"]
    assert outcomes(result.trials) == outcomes(alone)
    assert [trial["outcome"] for trial in result.trials] == [
        "measured", "measured", "failed", "wrong result", "measured", "measured"]
    assert result.trials[result.best]["milliseconds"] == min(
        trial["milliseconds"] for trial in result.trials if trial["outcome"] == "measured")
    assert seen[0] == ("sim", 0, 6) and seen[-1] == ("sim", 6, 6)
    # The same place: the command finds what the cluster measured.
    (file,) = folder.iterdir()
    assert json.loads(file.read_text())["trials"][0]["milliseconds"] == (
        result.trials[0]["milliseconds"])
    found = subprocess.run([COMMAND, "tune", plan], check=True, capture_output=True, text=True)
    assert "kept from an earlier run" in found.stdout
    assert cluster.tune(plan, client)["sim"].is_kept


def make_command(tmp_path, monkeypatch, text):
    """A command around the real one, for the workers."""
    path = tmp_path / "command"
    path.write_text("#!/bin/sh\n" + textwrap.dedent(text) + f'\nexec {COMMAND} "$@"\n')
    path.chmod(0o755)
    monkeypatch.setenv("TILEWRIGHT_COMMAND", str(path))


def test_a_worker_that_dies_loses_nothing(client, plan, tmp_path, monkeypatch):
    before = set(client.nthreads())
    # The first that measures anything kills the worker that started it, and so does every one with
    # the last configuration.
    monkeypatch.setattr(_dispatch, "_MOST_LOSSES", 2)
    make_command(tmp_path, monkeypatch, f"""
        if [ -n "$5" ] && mkdir {tmp_path}/killed 2> /dev/null; then kill -9 $PPID; exit 1; fi
        case "$5" in *5) kill -9 $PPID; exit 1;; esac""")
    result = cluster.tune(plan, client)["sim"]
    assert (tmp_path / "killed").exists() and result.is_complete
    assert [trial["outcome"] for trial in result.trials] == [
        "measured", "measured", "failed", "wrong result", "measured", "failed"]
    assert result.trials[5]["message"] == "2 workers that measured it were lost"
    assert set(client.nthreads()) != before


def test_workers_that_cannot_measure(client, plan, tmp_path, monkeypatch, folder):
    monkeypatch.setenv("TILEWRIGHT_COMMAND", "/no/such/command")
    with pytest.warns(UserWarning, match="does not take part"), \
            pytest.raises(tilewright.Error, match="/no/such/command cannot be run"):
        cluster.tune(plan, client)
    contents = json.loads(plan.read_text())
    contents["key"][0][1] = "another build"
    plan.write_text(json.dumps(contents))
    monkeypatch.setenv("TILEWRIGHT_COMMAND", COMMAND)
    with pytest.warns(UserWarning, match="does not take part"), \
            pytest.raises(tilewright.Error, match="another build"):
        cluster.tune(plan, client)
    assert not folder.exists()


def test_a_kernel_finds_what_the_cluster_measured(client):
    @tilewright.autotune([tilewright.Config({"BLOCK": block}, num_warps=1) for block in (32, 64)],
                         key=["n"])
    @tilewright.jit
    def gather(x, at, out, n, BLOCK: tl.constexpr, scale=2.0):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + i, tl.load(x + tl.load(at + i, i < n), i < n) * scale, i < n)

    x = np.arange(100, dtype=np.float32)
    at, out = np.arange(100)[::-1].copy(), np.zeros_like(x)

    def grid(meta):
        return (tilewright.cdiv(meta["n"], meta["BLOCK"]),)

    plan = gather.plan(x, at, out, 100, grid=grid, repeats=1)
    assert plan.json["arguments"] == {"x": "rand(100)", "at": "@at.npy", "out": "rand(100)",
                                      "n": "100", "scale": "2.0"}
    result = cluster.tune(plan, client)["sim"]
    assert [trial["outcome"] for trial in result.trials] == ["measured"] * 2
    gather[grid](x, at, out, 100)
    assert gather.configs.index(gather.best_config) == result.best
    assert gather.configs_timings[gather.configs[0]] == [result.trials[0]["milliseconds"]]
    np.testing.assert_array_equal(out, x[::-1] * 2)


def test_the_command_line(client, plan, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["cluster", str(plan), "--scheduler",
                                      client.scheduler.address])
    cluster.main()
    printed = capsys.readouterr().out
    assert "best on sim: BLOCK=" in printed and "wrong result: x[" in printed
    monkeypatch.setattr(sys, "argv", ["cluster", __file__, "--local", "1"])
    with pytest.raises(SystemExit, match="this is no plan"):
        cluster.main()
