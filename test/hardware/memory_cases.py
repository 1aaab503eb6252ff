"""Kernels that change memory atomically, or say how they use the caches: cases for make_cases.py."""

import numpy as np

HEAD = "import triton\nimport triton.language as tl\n\n"
TYPES = {"fp16": np.float16, "fp32": np.float32, "fp64": np.float64, "i32": np.int32, "i64": np.int64,
         "u32": np.uint32}
rng = np.random.default_rng(11)


def small(kind, count):
    """Whole numbers: their sums are exact in any order."""
    return rng.integers(0 if kind[0] == "u" else -9, 10, count).astype(TYPES[kind])


def atomic(operation, kind, options="", masked=True, spread=1, warps=4):
    """Four programs of 256 elements each change 1000 / spread elements."""
    mask = ", mask=offs < n" if masked else ""
    size = 1024 if not masked else 1000
    source = HEAD + f"""
@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs{mask})
    tl.{operation}(out_ptr + offs // {spread}, x{mask}{options})
"""
    return dict(source=source, signature=f"*{kind}:16, *{kind}:16, i32, 256", grid=(4, 1, 1), warps=warps,
                args=dict(x_ptr=small(kind, size), out_ptr=small(kind, size), n=1000), out=["out_ptr"])


def cached(load, store, masked):
    mask = ", mask=offs < n" if masked else ""
    source = HEAD + f"""
@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs{mask}{load})
    tl.store(out_ptr + offs, x * 2{mask}{store})
"""
    return dict(source=source, signature="*fp32:16, *fp32:16, i32, 256", grid=(4, 1, 1),
                args=dict(x_ptr=small("fp32", 1024), out_ptr=np.zeros(1024, np.float32), n=1000),
                out=["out_ptr"])


TICKETS = HEAD + """
@triton.jit
def k(lock_ptr, out_ptr, count_ptr, programs, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    while tl.atomic_cas(lock_ptr, 0, 1, sem="acquire") == 1:
        pass
    tl.store(out_ptr + offs, tl.load(out_ptr + offs, volatile=True) + 1)
    tl.atomic_xchg(lock_ptr, 0, sem="release")
    ticket = tl.atomic_add(count_ptr, 1)
    if ticket == programs - 1:
        tl.atomic_max(count_ptr + 1, tl.atomic_add(count_ptr, 0))
"""


def cases():
    for kind in ("i32", "i64", "u32", "fp16", "fp32", "fp64"):
        yield f"atomic_add_{kind}", atomic("atomic_add", kind, spread=8)
        yield f"atomic_add_tile_{kind}", atomic("atomic_add", kind, masked=False, warps=2)
    for kind in ("i32", "i64", "u32", "fp32", "fp64"):
        for operation in ("atomic_max", "atomic_min"):
            yield f"{operation}_{kind}", atomic(operation, kind, spread=8)
    for kind in ("i32", "i64"):
        for operation in ("atomic_and", "atomic_or", "atomic_xor"):
            yield f"{operation}_{kind}", atomic(operation, kind, spread=8)
    for sem in ("relaxed", "acquire", "release", "acq_rel"):
        for scope in ("cta", "gpu", "sys"):
            yield f"atomic_{sem}_{scope}", atomic("atomic_add", "fp32", f', sem="{sem}", scope="{scope}"')
    yield "atomic_lock", dict(source=TICKETS, signature="*i32:16, *fp32:16, *i32:16, i32, 256", grid=(64, 1, 1),
                              args=dict(lock_ptr=np.zeros(1, np.int32), out_ptr=np.zeros(256, np.float32),
                                        count_ptr=np.zeros(2, np.int32), programs=64),
                              out=["lock_ptr", "out_ptr", "count_ptr"])
    for masked in (False, True):
        for load in (".ca", ".cg", ".cv"):
            for store in (".wb", ".cg", ".cs", ".wt"):
                yield (f"cache{load}{store}_{int(masked)}".replace(".", "_"),
                       cached(f', cache_modifier="{load}"', f', cache_modifier="{store}"', masked))
        for policy in ("evict_first", "evict_last"):
            option = f', eviction_policy="{policy}"'
            yield f"cache_{policy}_{int(masked)}", cached(option, option, masked)
        yield f"cache_volatile_{int(masked)}", cached(", volatile=True", "", masked)
