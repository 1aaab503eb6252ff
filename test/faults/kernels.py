"""Kernels with one fault each. The error stands at the line that is marked with "here"."""

import triton
import triton.language as tl


# Outside of memory.


@triton.jit
def load_past_the_end(x, y, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(y + i, tl.load(x + i))  # here


@triton.jit
def store_past_the_end(x, y, n, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(y + i, tl.load(x + i, i < n))  # here


@triton.jit
def load_before_the_beginning(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i, tl.load(x + i - 1))  # here


@triton.jit
def atomic_past_the_end(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_add(y + i * 2, tl.load(x + i))  # here


@triton.jit
def wrong_stride(x, y, rows, stride, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)[:, None]
    c = tl.arange(0, C)[None, :]
    tl.store(y + r * C + c, tl.load(x + r * stride + c, r < rows))  # here


@triton.jit
def pipelined_past_the_end(a, b, c, K, N: tl.constexpr):
    i = tl.arange(0, N)
    acc = tl.zeros((N, N), tl.float32)
    for k in range(0, K, N):
        left = tl.load(a + i[:, None] * K + k + i[None, :])  # here
        right = tl.load(b + (k + i[:, None]) * N + i[None, :])
        acc = tl.dot(left, right, acc)
    tl.store(c + i[:, None] * N + i[None, :], acc)


@triton.jit
def false_alignment(x, y, offset, N: tl.constexpr):
    i = tl.arange(0, N)
    offsets = tl.max_contiguous(tl.multiple_of(offset + i, 4), 4)
    tl.store(y + i, tl.load(x + offsets))  # here


@triton.jit
def loaded_pointer(addresses, y, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(addresses).to(tl.pointer_type(tl.float32))
    tl.store(y + i, tl.load(x + i))  # here


@triton.jit
def descriptor_of_another_shape(x, y, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [2 * N, N], [N, 1], [N, N])
    i = tl.arange(0, N)
    tl.store(y + i[:, None] * N + i[None, :], source.load([N, 0]))  # here


# Memory that nobody has written.


@triton.jit
def load_of_nothing(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i, tl.load(y + i) + tl.load(x + i))  # here


@triton.jit
def atomic_on_nothing(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_add(y + i, tl.load(x + i))  # here


@triton.jit
def partly_written(x, y, part, n, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(part + i, tl.load(x + i), i < n)
    tl.debug_barrier()
    tl.store(y + i, tl.load(part + i))  # here


# Global memory in no order.


@triton.jit
def swap_in_place(x, N: tl.constexpr):
    i = tl.arange(0, N)
    values = tl.load(x + i)  # here
    tl.store(x + (i ^ (N // 2)), values)  # here


@triton.jit
def through_memory(x, y, part, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(part + i, tl.load(x + i))
    tl.store(y + i, tl.load(part + (i ^ (N // 2))))  # here


@triton.jit
def shift(x, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    values = tl.load(x + i + 1)
    tl.debug_barrier()
    tl.store(x + i, values + 1)  # here


@triton.jit
def same_element(y):
    tl.store(y, tl.program_id(0).to(tl.float32))  # here


@triton.jit
def lock_let_go_early(total, lock, x, N: tl.constexpr):
    value = tl.sum(tl.load(x + tl.program_id(0) * N + tl.arange(0, N)))
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.atomic_xchg(lock, 0)
    tl.store(total, tl.load(total) + value)  # here


@triton.jit
def counter_without_order(y, part, count, x, N: tl.constexpr, PROGRAMS: tl.constexpr):
    i = tl.program_id(0)
    tl.store(part + i, tl.sum(tl.load(x + i * N + tl.arange(0, N))))
    if tl.atomic_add(count, 1, sem="relaxed") == PROGRAMS - 1:
        tl.store(y, tl.sum(tl.load(part + tl.arange(0, PROGRAMS))))  # here


@triton.jit
def narrow_scope(count, x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_add(count + i, tl.load(x + i), sem="relaxed", scope="cta")  # here


# Values.


@triton.jit
def division_by_zero(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i, 100 // tl.load(x + i))  # here


@triton.jit
def false_assumption(x, y, n, N: tl.constexpr):
    tl.assume(n > 64)  # here
    i = tl.arange(0, N)
    tl.store(y + i, tl.load(x + i, i < n))
