"""triton.tools.compile: a kernel as C source that embeds its code, to load and launch it.

    python compile.py --kernel-name NAME --signature "*fp32:16, i32, 64" --grid "n/64, 1, 1" FILE.py

The signature lists every parameter: a type with 16 where the argument is a multiple of that, or with 1
where it is 1, or the constant that the parameter is. The grid is in C, of the parameters' names. The
files OUT.HASH_SUFFIX.c and .h define

    CUresult NAME_HASH_SUFFIX(CUstream stream, ARGUMENTS)        and load_.., unload_.. of that name

for NVIDIA's driver; .cpp and .h the same for AMD's HIP. `link.py` makes one entry of several.
"""

import argparse
import hashlib
import importlib.util
import pathlib
import sys

import tilewright.triton

tilewright.triton.install()

_C_TYPES = {"i1": "int8_t", "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t",
            "u1": "uint8_t", "u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t",
            "u64": "uint64_t", "fp32": "float", "f32": "float", "fp64": "double", "f64": "double"}

#: What the C of a vendor's driver is called, by the backend.
_DIALECTS = {
    "cuda": {"suffix": ".c", "header": "cuda.h", "result": "CUresult", "success": "CUDA_SUCCESS",
             "stream": "CUstream", "pointer": "CUdeviceptr", "module": "CUmodule",
             "function": "CUfunction", "load": "cuModuleLoadData", "unload": "cuModuleUnload",
             "get": "cuModuleGetFunction", "launch": "cuLaunchKernel", "data": "CUBIN_NAME",
             "attribute": "cuFuncSetAttribute",
             "shared": "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"},
    "hip": {"suffix": ".cpp", "header": "hip/hip_runtime.h", "result": "hipError_t",
            "success": "hipSuccess", "stream": "hipStream_t", "pointer": "hipDeviceptr_t",
            "module": "hipModule_t", "function": "hipFunction_t", "load": "hipModuleLoadData",
            "unload": "hipModuleUnload", "get": "hipModuleGetFunction",
            "launch": "hipModuleLaunchKernel", "data": "HSACO_NAME", "attribute": "", "shared": ""},
}


class Parameter:
    """A parameter of the kernel by its entry of the signature: `type` is None of a constant; `hint` is
    1, 16 or None."""

    def __init__(self, name, entry):
        self.name = name
        type_, _, hint = entry.partition(":")
        self.value = _number(type_)
        self.hint = int(hint) if hint else None
        if self.hint not in (None, 1, 16):
            raise SystemExit(f"{entry}: only 1 and 16 are hints, got {hint}")
        self.type = None if self.value is not None else type_.strip()
        if self.hint == 1:
            self.value = 1

    @property
    def c_type(self):
        """Of the argument in C; floats of 16 bits are passed as their bits."""
        return _C_TYPES.get(self.type, "uint16_t" if "16" in self.type else "uint8_t")


def _number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"True": True, "False": False}.get(text.strip())


def _load(path, name):
    """The kernel `name` of a file, which is run."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, name):
        raise SystemExit(f"{path} has no kernel '{name}'")
    return getattr(module, name)


def _target(text):
    import triton
    if text is None:
        return triton.runtime.driver.active.get_current_target()
    from tilewright.triton._driver import target_of_name
    backend, architecture, *warp = text.split(":")
    target = target_of_name(f"{backend}:{architecture}")
    if warp:
        target.warp_size = int(warp[0])
    return target


def compile_kernel(args):
    """(the function's name in C, the files that were written)."""
    import triton
    kernel = _load(pathlib.Path(args.path), args.kernel_name)
    entries = [entry.strip() for entry in args.signature.split(",")]
    if len(entries) != len(kernel.arg_names):
        raise SystemExit(f"the signature has {len(entries)} entries, and '{args.kernel_name}' has "
                         f"{len(kernel.arg_names)} parameters: list every one")
    grid = [one.strip() for one in args.grid.split(",")]
    if len(grid) != 3:
        raise SystemExit(f"the grid has three sizes, as in \"n/64, 1, 1\", not {args.grid!r}")
    parameters = [Parameter(*one) for one in zip(kernel.arg_names, entries)]
    target = _target(args.target)
    if target.backend not in _DIALECTS:
        raise SystemExit(f"no C source can be made for {target.backend}: NVIDIA's driver and HIP load "
                         "code so")
    constants = {one.name: one.value for one in parameters if one.value is not None}
    compiled = triton.compile(
        triton.compiler.ASTSource(
            kernel, {one.name: "constexpr" if one.name in constants else one.type
                     for one in parameters},
            constants, {one.name: [["tt.divisibility", 16]] for one in parameters
                        if one.hint == 16}),
        target=target, options={"num_warps": args.num_warps, "num_stages": args.num_stages})
    options = f"warps{args.num_warps}xstages{args.num_stages}"
    digest = hashlib.sha256(" ".join([*entries, options]).encode()).hexdigest()[:8]
    suffix = "".join(f"{i}{ {1: 'c', 16: 'd'}.get(one.hint, '') }" for i, one in enumerate(parameters))
    stem = args.out_name or args.kernel_name
    name = f"{stem}_{digest}_{suffix}"
    algorithm = "_".join(["x".join(map(str, constants.values())), options])
    base = args.out_path or pathlib.Path(stem)
    files = []
    source, header = _texts(name, compiled, parameters, grid, algorithm, _DIALECTS[target.backend])
    for ending, text in ((_DIALECTS[target.backend]["suffix"], source), (".h", header)):
        file = base.with_suffix(f".{digest}_{suffix}{ending}")
        file.write_text(text)
        files.append(file)
    return name, files


def _texts(name, compiled, parameters, grid, algorithm, c):
    """The source and the header."""
    def declared(given):
        return ", ".join([f"{c['stream']} stream"] + [
            f"{c['pointer'] if one.type.startswith('*') else one.c_type} {one.name}"
            for one in given])

    # An argument that is 1 is one for the linker, which tests it, and none for the code.
    passed = [one for one in parameters if one.value is None]
    all_ = [one for one in parameters if one.type is not None]
    code = compiled.asm.get("ptx") or compiled.asm["hsaco"]
    # The driver reads PTX up to its null character.
    data = code.encode() + b"\0" if isinstance(code, str) else code
    launch = compiled.metadata.launch
    shared = launch["dynamic_shared_bytes"]
    size = ", ".join(map(str, launch["block"]))
    # Names of parameters may be any: those beside them end in an underscore.
    check = f"if (result_ != {c['success']}) return result_;"
    raise_limit = (f"  if (result_ == {c['success']} && {shared} > 49152)\n    result_ = "
                   f"{c['attribute']}({name}_func, {c['shared']}, {shared});\n"
                   if c["attribute"] else "")
    values = ", ".join(f"&{one.name}" for one in passed)
    source = f"""#include <{c['header']}>
#include <inttypes.h>
#include <stdint.h>

#define {c['data']} {name}_code
static {c['module']} {name}_mod;
static {c['function']} {name}_func;
static const unsigned char {c['data']}[{len(data)}] = {{{', '.join(map(str, data))}}};

#ifdef __cplusplus
extern "C" {{
#endif

static {c['result']} prepare_{name}(void) {{
  {c['result']} result_ = {c['load']}(&{name}_mod, {c['data']});
  if (result_ == {c['success']})
    result_ = {c['get']}(&{name}_func, {name}_mod, "{launch['symbol']}");
{raise_limit}  return result_;
}}

void load_{name}(void) {{
  if (!{name}_func)
    (void)prepare_{name}();
}}

void unload_{name}(void) {{
  if ({name}_mod)
    (void){c['unload']}({name}_mod);
  {name}_mod = 0;
  {name}_func = 0;
}}

/* {algorithm}, {', '.join(f'{one.name}={one.value}' for one in parameters if one.value is not None)} */
{c['result']} {name}({declared(passed)}) {{
  {c['result']} result_ = {name}_func ? {c['success']} : prepare_{name}();
  {check}
  unsigned grid_x_ = {grid[0]}, grid_y_ = {grid[1]}, grid_z_ = {grid[2]};
  void *args_[] = {{{values or 'NULL'}}};
  return grid_x_ == 0 || grid_y_ == 0 || grid_z_ == 0 ? {c['success']} :
    {c['launch']}({name}_func, grid_x_, grid_y_, grid_z_, {size}, {shared}, stream, args_, 0);
}}

#ifdef __cplusplus
}}
#endif
"""
    header = f"""#pragma once
#include <{c['header']}>
#include <inttypes.h>
#include <stdint.h>

void load_{name}(void);
void unload_{name}(void);
// tt-linker: {name}:{declared(all_).partition(', ')[2]}:{algorithm}
{c['result']} {name}({declared(passed)});
"""
    return source, header


def main():
    parser = argparse.ArgumentParser(description="Makes C source of a kernel.")
    parser.add_argument("path", help="the Python file of the kernel, which is run")
    parser.add_argument("--kernel-name", "-n", required=True)
    parser.add_argument("--target", "-t", help="such as cuda:80:32; by default the GPU of the moment")
    parser.add_argument("--num-warps", "-w", type=int, default=1)
    parser.add_argument("--num-stages", "-ns", type=int, default=3)
    parser.add_argument("--out-name", "-on", help="the beginning of the function's name")
    parser.add_argument("--out-path", "-o", type=pathlib.Path, help="the beginning of the files' names")
    parser.add_argument("--signature", "-s", required=True)
    parser.add_argument("--grid", "-g", required=True)
    compile_kernel(parser.parse_args())


if __name__ == "__main__":
    main()
