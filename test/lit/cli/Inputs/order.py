import triton
import triton.language as tl


@triton.jit
def swap(x, N: tl.constexpr):
    i = tl.arange(0, N)
    values = tl.load(x + i)
    tl.store(x + (i ^ (N // 4)), values)


@triton.jit
def swap_after_barrier(x, N: tl.constexpr):
    i = tl.arange(0, N)
    values = tl.load(x + i)
    tl.debug_barrier()
    tl.store(x + (i ^ (N // 4)), values)


@triton.jit
def double_in_place(x, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(x + i, tl.load(x + i) * 2)


@triton.jit
def shift(x, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    values = tl.load(x + i + 1)
    tl.debug_barrier()
    tl.store(x + i, values + 1)


@triton.jit
def same_flag(flag):
    tl.store(flag, 1)


@triton.jit
def own_number(flag):
    tl.store(flag, tl.program_id(0))


@triton.jit
def add_locked(total, lock, x, N: tl.constexpr, LATE: tl.constexpr):
    value = tl.sum(tl.load(x + tl.program_id(0) * N + tl.arange(0, N)))
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if LATE:
        tl.atomic_xchg(lock, 0)
        tl.store(total, tl.load(total) + value)
    else:
        tl.store(total, tl.load(total) + value)
        tl.atomic_xchg(lock, 0)


@triton.jit
def add_alone(y, x, N: tl.constexpr):
    sums = tl.sum(tl.reshape(tl.load(x + tl.arange(0, N)), (N // 8, 8)), 1)
    i = tl.arange(0, N // 8)
    tl.store(y + i, tl.load(y + i) + sums)


@triton.jit
def add_last(y, part, count, x, N: tl.constexpr, PROGRAMS: tl.constexpr, SEM: tl.constexpr):
    i = tl.program_id(0)
    tl.store(part + i, tl.sum(tl.load(x + i * N + tl.arange(0, N))))
    if tl.atomic_add(count, 1, sem=SEM) == PROGRAMS - 1:
        tl.store(y, tl.sum(tl.load(part + tl.arange(0, PROGRAMS))))


@triton.jit
def count_narrow(count, x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_add(count + i, tl.load(x + i), sem="relaxed", scope="cta")


@triton.jit
def add_to(y, x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i, tl.load(y + i) + tl.load(x + i))
