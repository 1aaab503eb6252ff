"""Threads, forks, memory, and the time of an import."""

import gc
import multiprocessing
import subprocess
import sys
import threading
import time
import weakref

import numpy as np

import kernels
import tilewright
import tilewright.language as tl


def make_kernel():
    @tilewright.jit
    def kernel(x, out, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, at < n) + 1, at < n)

    return kernel


def launch(kernel, n, block=64):
    x = np.arange(n, dtype=np.float32)
    out = np.zeros_like(x)
    compiled = kernel[(tilewright.cdiv(n, block),)](x, out, n, block)
    np.testing.assert_array_equal(out, x + 1)
    return compiled


def test_threads_compile_once():
    kernel, results, errors = make_kernel(), [], []

    def work():
        try:
            results.append(launch(kernel, 512))
        except BaseException as error:  # Shown by the assertion below.
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(set(map(id, results))) == 1 and len(results) == 8


def test_others_run_while_one_compiles():
    """The GIL is free: a thread that counts gets on meanwhile."""
    @tilewright.jit
    def kernel(x, out, STEPS: tl.constexpr):
        at = tl.arange(0, 64)
        value = tl.load(x + at)
        for _ in tl.static_range(STEPS):
            value = tl.sin(value) + tl.cumsum(value, 0)
        tl.store(out + at, value)

    counts, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counts[0] += 1
            time.sleep(0.001)

    x = np.zeros(64, np.float32)
    # What is loaded with the first compilation holds the GIL.
    kernel.warmup(x, x, STEPS=1, grid=(1,))
    thread = threading.Thread(target=count)
    thread.start()
    before = counts[0]
    kernel.warmup(x, x, STEPS=300, grid=(1,))
    during = counts[0] - before
    done.set()
    thread.join()
    # It takes some hundred milliseconds.
    assert during > 5


def in_child(queue):
    try:
        launch(kernels.scale.__class__(make_kernel().fn), 96)
        queue.put("fine")
    except BaseException as error:
        queue.put(repr(error))


def test_forks_after_and_during_use():
    kernel = make_kernel()
    launch(kernel, 64)
    context = multiprocessing.get_context("fork")
    stop = threading.Event()

    def keep_compiling():
        size = 1
        while not stop.is_set():
            size += 1
            launch(make_kernel(), size)

    thread = threading.Thread(target=keep_compiling)
    thread.start()
    try:
        for _ in range(3):
            queue = context.Queue()
            child = context.Process(target=in_child, args=(queue,))
            child.start()
            assert queue.get(timeout=60) == "fine"
            child.join(timeout=60)
            assert child.exitcode == 0
    finally:
        stop.set()
        thread.join()


def test_kernels_go_away():
    kernel = make_kernel()
    launch(kernel, 64)
    launcher = kernel[(1,)]
    gone = weakref.ref(kernel)
    del kernel, launcher
    gc.collect()
    assert gone() is None


def test_imports():
    """Neither the compiler nor a library of arrays is loaded."""
    code = ("import sys, time; t = time.process_time(); import tilewright; "
            "print(time.process_time() - t); "
            "print([name for name in ('numpy', 'torch', 'triton', 'tilewright._compiler') "
            "if name in sys.modules]); "
            "t = time.process_time(); sum(i * i for i in range(500000)); "
            "print(time.process_time() - t)")
    seconds, sums = [], []
    for _ in range(5):
        out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True,
                             text=True).stdout.splitlines()
        assert out[1] == "[]"
        seconds.append(float(out[0]))
        sums.append(float(out[2]))
    # In the time of a million and a half squares, 0.07 s where a fast interpreter runs.
    assert min(seconds) < 3 * min(sums)
