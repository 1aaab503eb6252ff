#!/usr/bin/env python3
"""amd_occupancy.py [LLC]: the waves of a SIMD that LLVM's code generator states for AMD's GPUs.

Compiles empty kernels that take so many VGPRs and bytes of LDS, and prints the rows of
test/unit/target/ResidencyTest.cpp: processor, waves of a block, VGPRs, bytes, waves of a SIMD.
LLC is llc-22 unless it is given.
"""

import re
import subprocess
import sys

KERNEL = """
target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global [{bytes} x i8] poison
define amdgpu_kernel void @kernel() #0 {{
  call void asm sideeffect "", "~{{v{last}}}"()
  call void asm sideeffect "; $0", "v"(ptr addrspace(3) @lds)
  ret void
}}
attributes #0 = {{ "amdgpu-flat-work-group-size"="{threads},{threads}" }}
"""


def occupancy(llc, processor, waves, registers, size):
    """The VGPRs and the waves of a SIMD that the assembly's comments state."""
    lanes = 64 if processor.startswith("gfx9") else 32
    text = KERNEL.format(bytes=size, last=registers - 1, threads=lanes * waves)
    assembly = subprocess.run([llc, "-mcpu=" + processor, "-o", "-", "-"], input=text, check=True,
                              capture_output=True, text=True).stdout
    return [int(re.search(rf"; {name}: (\d+)", assembly).group(1))
            for name in ("NumVgprs", "Occupancy")]


def main():
    llc = sys.argv[1] if len(sys.argv) > 1 else "llc-22"
    for processor in ("gfx942", "gfx950", "gfx1100", "gfx1150", "gfx1201"):
        for waves in (1, 2, 4, 8, 16, 32)[:5 if processor.startswith("gfx9") else 6]:
            for registers, size in ((24, 512), (73, 4000), (97, 20000), (168, 65536), (250, 33000)):
                used, found = occupancy(llc, processor, waves, registers, size)
                print(f'    {{"hip:{processor}", {waves}, {used}, {size}, {found}}},')


if __name__ == "__main__":
    main()
