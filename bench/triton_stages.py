"""Triton's compiler, driven stage by stage in this process: no cache, no GPU, no PyTorch.

Shared by compile/compare_triton.py and static/compare_triton_amd.py. Imports Triton only when it is
asked to compile.
"""

import importlib.util
import os
import resource
import statistics
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def source_path(case):
    """The file that both compilers read."""
    return os.path.join(ROOT, "examples", case.module + ".py")


def load_function(case):
    """The kernel as Triton's jitted function."""
    spec = importlib.util.spec_from_file_location(case.module, source_path(case))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, case.kernel)


def make_source(case, pointer_range=None):
    """Triton's ASTSource for a case's signature string. `pointer_range` is what its JIT tells the
    compiler of each tensor below 2 GB: 32, the bits that an offset into it needs."""
    from triton.compiler import ASTSource

    function = load_function(case)
    types, constants, hints = {}, {}, {}
    items = [item.strip() for item in case.signature.split(",")]
    for index, (name, item) in enumerate(zip(function.arg_names, items, strict=True)):
        if item.lstrip("-").isdigit():
            types[name] = "constexpr"
            constants[(index,)] = int(item)
            continue
        types[name], _, divisibility = item.partition(":")
        attributes = []
        if divisibility:
            attributes.append(["tt.divisibility", int(divisibility)])
        if pointer_range and item.startswith("*"):
            attributes.append(["tt.pointer_range", pointer_range])
        if attributes:
            hints[(index,)] = attributes
    return ASTSource(fn=function, signature=types, constexprs=constants, attrs=hints)


def compile_stages(case, target, last_stage, pointer_range=None):
    """Compiles once, up to `last_stage`, for the (vendor, architecture) `target` with its lanes in a
    warp. Gives milliseconds by stage (reading the source counts as ttir's), each stage's result, and
    the metadata that Triton's launcher gets."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    source = make_source(case, pointer_range)
    lanes = 64 if str(target[1]).startswith("gfx9") else 32
    target = GPUTarget(*target, lanes)
    backend = make_backend(target)
    options = backend.parse_options({"num_warps": case.num_warps, "num_stages": case.num_stages})
    stages = {}
    backend.add_stages(stages, options, source.language)
    metadata = {"target": target, **options.__dict__}

    times, results = {}, {}
    start = time.perf_counter()
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options),
                            backend.get_module_map(), context)
    for stage, run in stages.items():
        module = results[stage] = run(module, metadata)
        end = time.perf_counter()
        times[stage] = (end - start) * 1e3
        start = end
        if stage == last_stage:
            break
    return times, results, metadata


def median_by_stage(samples, stages):
    return {stage: statistics.median(sample[stage] for sample in samples) for stage in stages}


def processor_times(compile_by_triton, command, rounds, repeat):
    """The least milliseconds of processor time of one compilation by (Triton, `command`), which other
    processes on the machine change little. In `rounds` that alternate: `compile_by_triton` is called
    `repeat` times in this process, after a call that warms up; of `command`, a `tilewright compile`,
    the difference between a process that compiles `repeat` + 1 times and one that compiles once
    counts, by `repeat`. Without a command its time is None."""
    def of_process(count):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*command, "--no-cache", "--repeat", str(count)],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3

    def of_triton():
        start = time.process_time()
        compile_by_triton()
        return (time.process_time() - start) * 1e3

    compile_by_triton()
    once, several, theirs = [], [], []
    for _ in range(rounds):
        theirs += [of_triton() for _ in range(repeat)]
        if command:
            once.append(of_process(1))
            several.append(of_process(1 + repeat))
    return min(theirs), (min(several) - min(once)) / repeat if command else None
