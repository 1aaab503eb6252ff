"""autotune, heuristics, Config and testing."""

import math
import threading

import numpy as np
import pytest

import kernels
import tilewright
import tilewright.language as tl
from tilewright import testing
from tilewright.kernel import compile as _compile
from tilewright.tune import progress as _progress


def make_tuned(configs, **options):
    @tilewright.autotune(configs=configs, key=["n"], **options)
    @tilewright.jit
    def tuned(x, out, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, at < n) + tl.load(out + at, at < n), at < n)

    return tuned


def times(table):
    """A measurement that says what the table has for the configuration, and launches once."""
    calls = []

    def measure(call, quantiles):
        assert quantiles == (0.5, 0.2, 0.8)
        call()
        calls.append(table[len(calls) % len(table)])
        return calls[-1]

    measure.calls = calls
    return measure


def grid(meta):
    return (tilewright.cdiv(meta["n"], meta["BLOCK"]),)


CONFIGS = [tilewright.Config({"BLOCK": 32}, num_warps=1), tilewright.Config({"BLOCK": 64}),
           tilewright.Config({"BLOCK": 128}, num_warps=8)]


def test_the_fastest_is_chosen_once_for_a_key():
    measure = times([3.0, 1.0, 2.0])
    tuned = make_tuned(CONFIGS, do_bench=measure, restore_value=["out"])
    x = np.ones(200, np.float32)
    out = np.zeros_like(x)
    compiled = tuned[grid](x, out, 200)
    assert (out == 1).all() and tuned.best_config == CONFIGS[1]
    assert compiled.num_warps == 4 and len(measure.calls) == 3
    tuned[grid](x, out, 200)
    assert (out == 2).all() and len(measure.calls) == 3
    tuned[grid](x[:100], out[:100], 100)
    assert len(measure.calls) == 6 and set(tuned.configs_timings) == set(CONFIGS)


def test_reset_to_zero():
    tuned = make_tuned(CONFIGS, do_bench=times([1.0]), reset_to_zero=["out"])
    x = np.ones(64, np.float32)
    out = np.zeros_like(x)
    tuned[grid](x, out, 64)
    assert (out == 1).all()  # What the measurements added is gone.


def test_configurations_that_fail():
    bad = tilewright.Config({"BLOCK": 100})
    measure = times([2.0, 1.0])
    tuned = make_tuned([bad, *CONFIGS[:2]], do_bench=measure, restore_value=["out"])
    x = np.ones(64, np.float32)
    tuned[grid](x, np.zeros_like(x), 64)
    assert tuned.best_config == CONFIGS[1]
    assert "power of 2" in str(tuned.failures[bad])
    assert tuned.configs_timings[bad] == [math.inf] * 3 and len(measure.calls) == 2
    with pytest.raises(tilewright.CompileError, match="power of 2"):
        make_tuned([bad, bad])[grid](x, x, 64)


def test_hooks_are_told_of_configurations_that_fail():
    bad = tilewright.Config({"BLOCK": 100})
    told = []
    tuned = make_tuned([bad, *CONFIGS[:2]], do_bench=times([2.0, 1.0]),
                       pre_hook=lambda given, reset_only=False: told.append(given["BLOCK"]),
                       post_hook=lambda given, exception: told.append(exception))
    x = np.ones(64, np.float32)
    tuned[grid](x, np.zeros_like(x), 64)
    assert told[0] == 100 and "power of 2" in str(told[1])
    assert told[2:] == [CONFIGS[0].kwargs["BLOCK"], None, CONFIGS[1].kwargs["BLOCK"], None]
    with pytest.raises(tilewright.CompileError, match=(
            "out of resource: threads, Required: 4096, Hardware limit: 1024")):
        kernels.scale[(1,)](x, x, 64, 1.0, num_warps=128)


def test_all_are_compiled_before_one_is_measured(monkeypatch):
    threads, done = set(), []
    run = _compile.Request.run
    both = threading.Barrier(2)

    def noted(request):
        threads.add(threading.get_ident())
        both.wait(timeout=30)  # Two are under way at once.
        result = run(request)
        done.append(request.signature)
        return result

    def measure(call, quantiles):
        assert len(done) == 2
        call()
        assert len(done) == 2  # It was found.
        return 1.0

    monkeypatch.setattr(_compile.Request, "run", noted)
    monkeypatch.setattr(_compile, "count_cores", lambda: 2)
    tuned = make_tuned(CONFIGS[:2], do_bench=measure)
    tuned[grid](np.ones(64, np.float32), np.zeros(64, np.float32), 64)
    assert len(threads) == 2 and threading.get_ident() not in threads


def test_results_are_compared():
    @tilewright.autotune([tilewright.Config({"BLOCK": block}) for block in (64, 32, 128)], key=[],
                         do_bench=times([1.0, 2.0]), check_results=True)
    @tilewright.jit
    def kernel(x, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(x + at, tl.load(x + at, at < 64) + 1, at < 64)

    x = np.zeros(64, np.float32)
    with pytest.warns(UserWarning, match=r"BLOCK: 32.* passed over: x\[32\] is 0, and 1 with BLOCK"):
        kernel[(1,)](x)
    assert kernel.best_config == kernel.configs[0]
    assert isinstance(kernel.failures[kernel.configs[1]], tilewright.WrongResult)
    assert (x == 1).all()  # What the measurements added is gone.


def test_a_constant_that_is_given_twice():
    tuned = make_tuned(CONFIGS, do_bench=times([1.0]))
    with pytest.raises(ValueError, match="sets BLOCK, which the launch of tuned gives as well"):
        tuned[grid](np.ones(8, np.float32), np.ones(8, np.float32), 8, BLOCK=32)


def test_what_is_printed(monkeypatch, capsys):
    monkeypatch.setenv("TRITON_PRINT_AUTOTUNING", "1")
    tuned = make_tuned([*CONFIGS[:2], tilewright.Config({"BLOCK": 100})],
                       do_bench=times([2.0, 1.0]))
    for _ in range(2):
        tuned[grid](np.ones(64, np.float32), np.zeros(64, np.float32), 64)
    printed = [line for line in capsys.readouterr().out.splitlines() if "tilewright" in line]
    assert [line.split(" with ")[0] for line in printed[:2]] == ["tilewright: measuring tuned"] * 2
    assert "BLOCK: 100" in printed[2] and "is passed over" in printed[2]
    assert "the best configuration is BLOCK: 64" in printed[3] and len(printed) == 4


def test_a_progress_bar_is_shown_where_it_is_wanted(monkeypatch, capsys):
    pytest.importorskip("tqdm")
    for wanted in ("0", "1"):
        monkeypatch.setenv("TILEWRIGHT_PROGRESS", wanted)
        bar = _progress.bar(2, "measuring")
        bar.delay = bar.mininterval = 0
        bar.update(2)
        bar.close()
        assert ("measuring" in capsys.readouterr().err) == (wanted == "1")


def test_a_class_that_derives_from_it_has_hooks_of_its_own():
    class Derived(tilewright.Autotuner):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            assert not self.user_defined_pre_hook and not self.user_defined_post_hook
            self.seen = []
            self.pre_hook = lambda given, reset_only=False: self.seen.append(reset_only)
            self.post_hook = lambda given, exception: self.seen.append(exception)

    kernel = make_tuned(CONFIGS).fn
    tuned = Derived(kernel, kernel.arg_names, CONFIGS[:2], ["n"], ["out"], None,
                    use_cuda_graph=False, do_bench=lambda call, quantiles: call() or 1.0,
                    cache_results=False)
    x, out = np.ones(128, np.float32), np.zeros(128, np.float32)
    tuned[(2,)](x, out, 128)
    assert tuned.seen == [False, None, False, None, True]


def test_pruning_leaves_something():
    tuned = make_tuned(CONFIGS, do_bench=times([1.0, 2.0]), prune_configs_by={
        "early_config_prune": lambda configs, given, **_: []})
    with pytest.raises(tilewright.errors.AutotunerError, match="at least one config"):
        tuned[grid](np.ones(64, np.float32), np.zeros(64, np.float32), 64)


def test_pruning_and_hooks():
    seen = []
    tuned = make_tuned(
        [tilewright.Config({"BLOCK": 64}, pre_hook=lambda given: seen.append(given["BLOCK"])),
         *CONFIGS],
        prune_configs_by={"early_config_prune": lambda configs, given, **_: configs[:2]},
        do_bench=times([1.0, 2.0]))
    x = np.ones(64, np.float32)
    tuned[grid](x, np.zeros_like(x), 64)
    # When all are compiled, in the measurement, and in the launch.
    assert seen == [64, 64, 64] and len(tuned.configs_timings) == 2


def test_the_key_names_parameters():
    with pytest.warns(UserWarning, match="m, which 'scale' does not have"):
        tilewright.autotune(configs=CONFIGS, key=["m"])(kernels.scale)


def test_heuristics():
    @tilewright.heuristics({"EVEN": lambda given: given["n"] % 2 == 0,
                            "BLOCK": lambda given: tilewright.next_power_of_2(given["n"])})
    @tilewright.jit
    def kernel(out, n, EVEN: tl.constexpr, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(out + at, 1.0 if EVEN else 2.0, at < n)

    out = np.zeros(8, np.float32)
    kernel[(1,)](out, 6)
    np.testing.assert_array_equal(out, [1] * 6 + [0] * 2)
    kernel[(1,)](out, n=7)
    np.testing.assert_array_equal(out, [2] * 7 + [0])


def test_configs():
    assert str(CONFIGS[0]) == "BLOCK: 32, num_warps: 1, num_stages: 3, num_ctas: 1"
    assert tilewright.Config({"A": 1}) == tilewright.Config({"A": 1}) != CONFIGS[0]
    limited = tilewright.Config({"A": 1}, maxnreg=64)
    assert limited.maxnreg == 64 and limited != tilewright.Config({"A": 1})
    assert str(limited) == "A: 1, num_warps: 4, num_stages: 3, num_ctas: 1, maxnreg: 64"


def test_options_of_configs():
    configs = [tilewright.Config({"BLOCK": 32}, num_warps=1, maxnreg=maxnreg)
               for maxnreg in (None, 40)]
    x = np.ones(64, np.float32)
    free, limited = make_tuned(configs).warmup(x, np.zeros_like(x), 64)
    assert ".maxnreg" not in free.asm["ptx"] and ".maxnreg 40" in limited.asm["ptx"]


def test_a_constant_with_the_name_of_an_option_is_both():
    @tilewright.jit
    def kernel(out, num_warps: tl.constexpr, debug):
        at = tl.arange(0, 32)
        tl.store(out + at, num_warps + debug)

    out = np.zeros(32, np.int32)
    assert kernel[(1,)](out, num_warps=2, debug=5).metadata.num_warps == 2
    np.testing.assert_array_equal(out, 7)
    # Given by its place it is a parameter alone, as in Triton.
    assert kernel[(1,)](out, 2, 5).metadata.num_warps == 4


def test_do_bench():
    calls = []
    milliseconds = testing.do_bench(lambda: calls.append(1), warmup=1, rep=2)
    assert 0 <= milliseconds < 1 and len(calls) > 3
    low, high = testing.do_bench(lambda: None, warmup=1, rep=1, quantiles=[0.2, 0.8])
    assert low <= high
    assert len(testing.do_bench(lambda: None, warmup=1, rep=1, return_mode="all")) > 1
    with pytest.raises(ValueError, match="return_mode"):
        testing.do_bench(lambda: None, return_mode="best")


def test_assert_close():
    testing.assert_close(np.ones(3), np.ones(3) + 1e-7)
    with pytest.raises(AssertionError):
        testing.assert_close(np.ones(3), np.ones(3) + 1e-3)
