"""Functions that a program has called around launches and compilations, on the simulator; with
test_recording_driver.py for a GPU."""

import numpy as np
import pytest

import kernels
import tilewright
import tilewright.language as tl
from tilewright._hooks import HookChain, hooks


@pytest.fixture(autouse=True)
def as_before():
    before = {name: getattr(hooks, name) for name in hooks.NAMES}
    hooks.launch_enter_hook, hooks.launch_exit_hook = HookChain(), HookChain(reversed=True)
    yield
    for name, value in before.items():
        setattr(hooks, name, value)


def arrays():
    return np.ones(64, np.float32), np.zeros(64, np.float32)


def test_launch_hooks_enclose_each_launch():
    events = []
    hooks.launch_enter_hook.add(lambda metadata: events.append(("enter", metadata.get())))
    hooks.launch_exit_hook.add(lambda metadata: events.append(("exit", metadata.get())))
    x, out = arrays()
    kernels.scale[(1,)](x, out, 64, 2.0)
    assert [one for one, _ in events] == ["enter", "exit"] and out[0] == 2.0
    assert events[0][1]["name"] == "scale" and events[0][1]["stream"] == 0
    kernels.scale[(0,)](x, out, 64, 2.0)
    assert len(events) == 2, "nothing is launched on an empty grid"
    hooks.launch_enter_hook.clear()
    hooks.launch_exit_hook.clear()
    kernels.scale[(1,)](x, out, 64, 2.0)
    assert len(events) == 2


def test_a_function_alone_is_a_hook():
    told = []
    hooks.launch_enter_hook = told.append
    x, out = arrays()
    kernels.scale[(1,)](x, out, 64, 2.0)
    hooks.launch_enter_hook = None
    kernels.scale[(1,)](x, out, 64, 2.0)
    assert len(told) == 1
    with pytest.raises(TypeError, match="launch_enter_hook is a function, a HookChain or None"):
        hooks.launch_enter_hook = 3


def test_chains_end_in_reverse():
    order = []
    for chain in (hooks.launch_enter_hook, hooks.launch_exit_hook):
        chain.add(lambda _: order.append("first"))
        chain.add(lambda _: order.append("second"))
    kernels.scale[(1,)](*arrays(), 64, 2.0)
    assert order == ["first", "second", "second", "first"]
    chain = HookChain()
    chain.add(print)
    chain.add(print)
    chain.remove(print)
    chain.remove(print)
    assert chain.calls == []


def test_what_a_kernel_says_of_its_launches():
    asked = []

    def describe(grid, metadata, arguments):
        asked.append(1)
        return {"bytes": arguments["n"] * 4, "grid": grid, "warps": metadata.num_warps}

    @tilewright.jit(launch_metadata=describe)
    def kernel(x, n):
        tl.store(x + tl.arange(0, 16), n)

    x = np.zeros(16, np.float32)
    kernel[(2,)](x, 7)
    assert not asked, "without a hook nobody asks"
    told = []
    hooks.launch_enter_hook.add(lambda metadata: told.append(metadata.get()))
    kernel[(2,)](x, 7)
    assert told[0]["bytes"] == 28 and told[0]["grid"] == (2, 1, 1) and told[0]["warps"] == 4


def test_a_hook_that_raises_stops_the_launch():
    def fail(_):
        raise KeyError("no")

    hooks.launch_enter_hook.add(fail)
    x, out = arrays()
    with pytest.raises(KeyError):
        kernels.scale[(1,)](x, out, 64, 2.0)
    assert not out.any()


def test_around_the_loading_of_a_kernel():
    @tilewright.jit
    def kernel(n):
        tl.device_assert(n > 0)

    told = []
    hooks.kernel_load_start_hook.add(lambda *args: told.append(("start", *args[2:])))
    hooks.kernel_load_end_hook.add(lambda *args: told.append(("end", *args[2:])))
    kernel.warmup(6, grid=(1,))
    assert told == []
    for _ in range(2):
        compiled = kernel[(1,)](6)
    assert told == [(when, "kernel", {}, compiled.hash) for when in ("start", "end")]


def test_before_each_run():
    @tilewright.jit
    def kernel(x, n, BLOCK: tl.constexpr):
        tl.store(x + tl.arange(0, BLOCK), n)

    calls = []
    kernel.add_pre_run_hook(lambda *args, **kwargs: calls.append((args[1:], kwargs)))
    x = np.zeros(16, np.float32)
    kernel[(1,)](x, 7, BLOCK=16)
    kernel.warmup(x, 7, BLOCK=16, grid=(1,))
    assert calls == [((7,), {"BLOCK": 16})]
    with pytest.raises(TypeError, match="a hook is a function"):
        kernel.add_pre_run_hook(3)


def test_hooks_of_compilations():
    @tilewright.jit
    def kernel(x, n, BLOCK: tl.constexpr):
        tl.store(x + tl.arange(0, BLOCK), n)

    before, after = [], []
    hooks.jit_cache_hook = lambda **told: before.append(told)
    hooks.jit_post_compile_hook = lambda **told: after.append(told)
    x = np.zeros(16, np.float32)
    for n in (7, 7, 1):
        kernel[(1,)](x, n, BLOCK=16, num_warps=2)
    assert len(before) == len(after) == 2, "once for each specialization"
    assert before[0]["fn"].jit_function is kernel and "kernel" in before[0]["repr"]
    assert before[0]["compile"]["num_warps"] == 2
    assert before[0]["compile"]["enable_fp_fusion"] is None
    assert before[0]["compile"]["signature"]["n"] == "i32"
    hooks.jit_cache_hook = lambda **told: True
    with pytest.raises(tilewright.LaunchError, match="'kernel' was not compiled: jit_cache_hook"):
        kernel[(1,)](x, n, BLOCK=16, num_warps=1)
