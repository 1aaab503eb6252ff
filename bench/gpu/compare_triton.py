#!/usr/bin/env python3
"""Times the kernels on a machine with a GPU, PyTorch and Triton.

Loads the PTX that compile_cases.py left in OUT by the launch library (launch.py), checks each
kernel against PyTorch in double precision on fresh random inputs and poisoned outputs, and times it
beside Triton's compilation of the same source and the vendor's library, in turns within one run.
Also: the device's copy rate, a naive CUDA matrix product. Prints one row a case; a ratio is the
other's time over Tilewright's (above 1: Tilewright is faster).
"""

import argparse
import importlib.util
import json
import os
import sys
import tempfile

import torch
import triton

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import cases  # noqa: E402
from launch import DYNAMIC_SHARED_BYTES, LOCAL_BYTES, REGISTERS, Kernel, open_library  # noqa: E402


def launcher(kernel, case, arguments):
    """A function that launches `kernel`. `arguments` are all parameters but those in
    `case.constants`; what the compiler took as a constant is left out of the launch."""
    names = [name for name in triton_function(case).arg_names if name not in case.constants]
    by_name = dict(zip(names, arguments))
    return kernel.launcher(case.grid, [by_name[name] for name in kernel.names])


def triton_function(case):
    """The kernel as Triton's decorator makes it."""
    path = os.path.join(HERE, "..", "..", "examples", case.module + ".py")
    spec = importlib.util.spec_from_file_location(case.module, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, case.kernel)


def triton_launcher(case, arguments):
    kernel = triton_function(case)
    handles = []
    def launch():
        handles[:] = [kernel[case.grid](*arguments, **case.constants, num_warps=case.num_warps,
                                           num_stages=case.num_stages)]
    return launch, handles


def triton_compiled(case, capability):
    """Triton's compilation for exactly the case's signature: strides of 1 stay run-time values.
    With the list of the types of the parameters that are left."""
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    fn = triton_function(case)
    entries = [e.strip() for e in case.signature.split(",")]
    signature, attributes, constants = {}, {}, {}
    for index, (name, entry) in enumerate(zip(fn.arg_names, entries)):
        if name in case.constants or entry.lstrip("-").isdigit():
            signature[name] = "constexpr"
            constants[(index,)] = case.constants.get(name, int(entry))
            continue
        kind, _, divisor = entry.partition(":")
        signature[name] = kind
        if divisor:
            attributes[(index,)] = [["tt.divisibility", int(divisor)]]
    source = ASTSource(fn=fn, signature=signature, constexprs=constants, attrs=attributes)
    return triton.compile(source, target=GPUTarget("cuda", capability, 32),
                          options=dict(num_warps=case.num_warps, num_stages=case.num_stages)), signature


def triton_generic_launcher(case, arguments):
    capability = torch.cuda.get_device_capability()
    kernel, signature = triton_compiled(case, capability[0] * 10 + capability[1])
    names = iter(arguments)
    full = [case.constants[n] if n in case.constants else next(names) for n in signature]
    def launch():
        kernel[case.grid](*full)
    return launch, [kernel]


def triton_ptx_launcher(case, arguments, capability, library):
    """Triton's PTX for an older GPU, which the driver assembles for the one that is there. Its last
    two parameters are addresses of memory for descriptors and for profiles: none, which is right
    for GPUs without descriptors in hardware."""
    compiled, signature = triton_compiled(case, capability)
    by_name = dict(zip((n for n in signature if n not in case.constants), arguments))
    passed = [(name, kind) for name, kind in signature.items() if kind != "constexpr"]
    types = passed + [("descriptors", "i64"), ("profiles", "i64")]
    name = compiled.metadata.name
    with tempfile.TemporaryDirectory() as folder:
        description = dict(name=name, target=f"cuda:{capability}", num_warps=case.num_warps,
                           threads_per_warp=32, shared_bytes=compiled.metadata.shared,
                           arguments=[dict(name=n, type=kind) for n, kind in types])
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump(description, file)
        with open(os.path.join(folder, name + ".ptx"), "w") as file:
            file.write(compiled.asm["ptx"])
        kernel = Kernel(folder, name, library)
    kernel.load()
    return kernel, kernel.launcher(case.grid, [by_name[n] for n, _ in passed] + [0, 0])


NAIVE = r"""
extern "C" __global__ void naive(const float *a, const float *b, float *c, int M, int N, int K) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m >= M || k >= K) return;
  float acc = 0;
  for (int n = 0; n < N; ++n) acc += a[m * N + n] * b[n * K + k];
  c[m * K + k] = acc;
}
"""


def naive_launcher(arguments):
    import cupy
    kernel = cupy.RawKernel(NAIVE, "naive")
    a, b, c, M, N, K = arguments[:6]
    grid = ((K + 15) // 16, (M + 15) // 16)
    box = [cupy.from_dlpack(t) for t in (a, b, c)]
    i = cupy.int32
    stream = cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)
    def launch():
        with stream:
            kernel(grid, (16, 16), (*box, i(M), i(N), i(K)))
    return launch


def bench(*launches):
    """The median time of each in ms; the functions take turns, three rounds."""
    times = [[] for _ in launches]
    for _ in range(3):
        for launch, found in zip(launches, times):
            found.append(triton.testing.do_bench(launch, warmup=30, rep=150, return_mode="median"))
    return [sorted(t)[len(t) // 2] for t in times]


def error(out, reference):
    return ((out.double() - reference).norm() / reference.norm()).item()


def report(row):
    print(json.dumps({k: round(v, 4) if isinstance(v, float) and k[-3:] != "err" else v
                      for k, v in row.items()}), flush=True)


def measure(case, folder, capability, library):
    """Runs, checks and times one case. `capability`: that of an older GPU whose code is compared,
    or nothing."""
    arguments, references = case.tensors(torch)
    kernel = Kernel(folder, case.kernel, library)
    kernel.load()
    ours = launcher(kernel, case, arguments)
    row = dict(case=case.name, regs=kernel.attribute(REGISTERS),
               local_bytes=kernel.attribute(LOCAL_BYTES),
               shared=kernel.attribute(DYNAMIC_SHARED_BYTES))
    launches = {"": ours}
    if capability:
        theirs, launches["triton_"] = triton_ptx_launcher(case, arguments, capability, library)
        row["triton_regs"] = theirs.attribute(REGISTERS)
        row["triton_local_bytes"] = theirs.attribute(LOCAL_BYTES)
        row["triton_shared"] = theirs.attribute(DYNAMIC_SHARED_BYTES)
    else:
        launches["triton_jit_"], handles = triton_launcher(case, arguments)
        launches["triton_aot_"], aot_handles = triton_generic_launcher(case, arguments)
    expected = {index: reference() for index, reference in references.items()}
    for key, launch in launches.items():
        for index in expected:
            arguments[index].view(torch.uint8).fill_(0xFF)
        launch()
        torch.cuda.synchronize()
        row[key + "err"] = max(error(arguments[index], exact) for index, exact in expected.items())
    row["ok"] = row["err"] <= case.tolerance
    if not capability:
        row["triton_regs"], row["triton_spills"] = handles[0].n_regs, handles[0].n_spills
        row["triton_shared"] = handles[0].metadata.shared
    if case.library:
        try:
            launches["library_"] = case.library(torch, arguments)
            launches["library_"]()
            torch.cuda.synchronize()
        except RuntimeError as problem:
            row["library"] = str(problem).splitlines()[0]
            launches.pop("library_", None)
    for key, ms in zip(launches, bench(*launches.values())):
        row[key + "ms"] = ms
        if key:
            row["ratio_" + key[:-1].removeprefix("triton_")] = ms / row["ms"]
    if case.bytes:
        row["gbps"] = case.bytes / row["ms"] / 1e6
    if case.flop:
        row["tflops"] = case.flop / row["ms"] / 1e9
    if case.kernel == "matmul_fma":
        torch.backends.cuda.matmul.allow_tf32 = False
        a, b = arguments[:2]
        naive_ms, cublas_ms = bench(naive_launcher(arguments), lambda: a @ b)
        row["ratio_naive"], row["ratio_cublas"] = naive_ms / row["ms"], cublas_ms / row["ms"]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", help="what compile_cases.py has left")
    parser.add_argument("cases", nargs="*", metavar="case", help="default: all")
    parser.add_argument("--capability", type=int, metavar="80",
                        help="OUT is code for this older compute capability; Triton's is, too")
    arguments = parser.parse_intermixed_args()
    print(torch.cuda.get_device_name(0), "torch", torch.__version__, "triton", triton.__version__)
    # Triton keeps the tensor descriptors that a kernel makes in memory of the caller's.
    triton.set_allocator(lambda size, alignment, stream:
                         torch.empty(size, device="cuda", dtype=torch.int8))
    library = open_library()
    good = True
    for case in cases.CASES:
        if arguments.cases and case.name not in arguments.cases:
            continue
        folder = os.path.join(arguments.out, case.name)
        if not os.path.exists(folder):
            row = dict(case=case.name, ok=False, why="not compiled")
        else:
            try:
                row = measure(case, folder, arguments.capability, library)
            except (RuntimeError, triton.CompilationError) as problem:
                row = dict(case=case.name, ok=False, why=str(problem).splitlines()[0])
        good &= row["ok"]
        report(row)
        torch.cuda.empty_cache()
    source = torch.empty(1 << 29, device="cuda", dtype=torch.int32)
    target = torch.empty_like(source)
    copy_ms = bench(lambda: target.copy_(source))[0]
    print(json.dumps(dict(copy_gbps=round(8 * (1 << 29) / copy_ms / 1e6))))
    if not good:
        sys.exit("wrong results, or none")


if __name__ == "__main__":
    main()
