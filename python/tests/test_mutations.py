"""Which arguments of a kernel PyTorch is told to be changed."""

import numpy as np
import pytest

import tilewright
import tilewright.language as tl
from tilewright.triton._mutations import Module, changed_parameters


@tilewright.jit(noinline=True)
def helper(p, q, v):
    tl.store(q, v + tl.load(p))


def loop(read, write, n):
    at = tl.arange(0, 16)
    p = read + at
    q = write + at
    for i in range(n):
        if i > 3:
            tl.store(q, tl.load(p) + i)
        p += 16
        q += 16


def indexed(read, write, n):
    tl.store(write + tl.load(read).to(tl.int32), n)


def called(read, write, n):
    helper(read + n, write, 1.0)


def added(read, write, n):
    tl.atomic_add(write, tl.load(read) + n)


def chosen(read, write, n):
    p = read if n > 3 else write
    tl.store(p, 1.0)


def carried_crosswise(read, write, n):
    p = read
    q = write
    for i in range(n):
        tl.store(q, 1.0)
        t = p
        p = q
        q = t


def while_loop(read, write, n):
    while n > 0:
        tl.store(write + n, tl.load(read + n))
        n -= 1


def while_crosswise(read, write, n):
    p = read
    q = write
    while n > 0:
        tl.store(q, 1.0)
        t = p
        p = q
        q = t
        n -= 1


def after_a_while(read, write, n):
    p = write
    q = read
    while n > 0:
        p += 1
        q += 1
        n -= 1
    tl.store(p, tl.load(q))


@tilewright.jit
def larger(a, b):
    return tl.maximum(a, b)


def reduced(read, write, n):
    x = tl.load(read + tl.arange(0, 16))
    tl.store(write, tl.reduce(x, 0, larger) + tl.argmax(x, 0))
    tl.store(write + tl.arange(0, 16), tl.associative_scan(x, 0, larger))


def reads_alone(read, write, n):
    tl.device_print("x", tl.load(read + n))


@pytest.mark.parametrize("function, changed", [
    (loop, [False, True, False]),
    (indexed, [False, True, False]),
    (called, [False, True, False]),
    (added, [False, True, False]),
    (chosen, [True, True, False]),
    (carried_crosswise, [True, True, False]),
    (while_loop, [False, True, False]),
    (while_crosswise, [True, True, False]),
    (after_a_while, [False, True, False]),
    (reduced, [False, True, False]),
    (reads_alone, [False, False, False]),
])
def test_what_a_kernel_changes(function, changed):
    kernel = tilewright.jit(function)
    arrays = np.zeros(256, np.float32), np.zeros(256, np.float32)
    found = changed_parameters(kernel.warmup(*arrays, 7).asm["ttir"], function.__name__)
    assert found[:2] == changed[:2]


def test_an_ir_that_says_so():
    module = Module("k", [True, False, True])
    names = []
    module.walk(lambda op: names.append(op.get_name()))
    assert names == ["tt.store", "tt.store", "tt.return", "tt.func", "builtin.module"]
    function = module.ops[-2]
    stores = module.ops[:2]
    block = stores[0].get_block()
    assert function.get_str_attr("sym_name") == "k" and block.get_num_arguments() == 3
    assert stores[1].get_operand(0).id() == block.get_argument(2).id()
    assert function.get_region(0).id() == block.get_parent().id()
