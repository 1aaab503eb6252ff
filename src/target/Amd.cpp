//===- Amd.cpp - AMD's GPUs ---------------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// RDNA 3 to 4 in wave32. RDNA3 and RDNA4 Instruction Set Architecture guides: 64 KiB of LDS a
// work-group, 256 VGPRs and 106 SGPRs a wave, 32 banks of 4 bytes a compute unit; LDS accesses and
// global ones of up to 128 bits, scalar loads of 4 to 64 bytes. A compute unit of 2 SIMDs has
// 2 * 1536 VGPRs of 32 lanes on gfx1100, 1024 on gfx1150, 1536 on gfx12 (LLVM AMDGPU user guide,
// feature "1_5x VGPRs"). Which lanes' parts of a 128-bit access the LDS serves together the guides
// do not say; plans take consecutive ones, as everywhere (target/ExchangeModel.h).
//
// Costs, in cycles of a SIMD, which does an instruction of 32 lanes in one: selects, byte
// permutations and moves between lanes are such (amd/LaneShuffle.h counts the instructions). The
// LDS has 128 bytes a cycle for the two SIMDs of a compute unit ("RDNA Architecture", AMD 2019,
// "Local Data Share"), so a transaction is two cycles of one. Its results are there 20 cycles after
// the instruction, those of arithmetic 5 (LLVM, GFX11SpeedModel and GFX12SpeedModel). A wave's
// accesses of LDS are done in order, so its lanes need not wait for each other; a block waits for
// stores, and for the slowest wave. A select counts twice, for the register that its other word
// keeps: at one cycle the tile of 64 registers of examples/gemm.py's matmul_fma is stored through
// shuffles, as quickly, but the kernel then has 106 registers instead of 79.
//
//===--------------------------------------------------------------------------===//

#include "target/AmdAtoms.h"
#include "target/AmdLaneShuffle.h"
#include "target/VendorTable.h"

#include <array>

namespace tilewright::target::amd {

namespace {

constexpr unsigned WarpsOf32[] = {32};

/// Of what goes through shared memory's crossbar: ds_swizzle and ds_bpermute, which take as long as
/// an access of 4 bytes a lane.
constexpr target::ShuffleCost CrossbarShuffle = {.cycles = 2, .latency = 15};
constexpr target::ShuffleCost IndexedShuffle = {.cycles = 2, .latency = 15, .isIndexed = true};

target::ShuffleCost costOfShuffle(std::span<const unsigned> sources) {
  if (sources.size() != waveLanes)
    return IndexedShuffle;
  LaneShuffle plan = planLaneShuffle(sources);
  if (plan.kind == LaneShuffle::Kind::Indexed)
    return IndexedShuffle;
  return plan.kind == LaneShuffle::Kind::Swizzle
             ? CrossbarShuffle
             : target::ShuffleCost{.cycles = plan.cost(), .latency = 0};
}

constexpr target::Costs MoveCosts = {.select = 2,
                                     .permute = 1,
                                     .shuffle = CrossbarShuffle,
                                     .fixedShuffle = costOfShuffle,
                                     .transaction = 2,
                                     .access = 1,
                                     .latency = 15,
                                     .warpBarrier = 0,
                                     .blockBarrier = 30};

// hasFloat8Casts: RDNA4 Instruction Set Architecture, V_CVT_PK_FP8_F32 and V_CVT_PK_BF8_F32.
constexpr Target entry(std::string_view name, std::string_view description,
                       std::string_view processor, unsigned vgprsOfSimd, bool hasFloat8Casts,
                       CopyList copies, MmaList products) {
  return {.name = name,
          .description = description,
          .vendor = Vendor::Amd,
          .processor = processor,
          .features = "+wavefrontsize32",
          .execution = {.warpSizes = WarpsOf32,
                        .threadsPerWarp = 32,
                        .maxThreadsPerBlock = 1024,
                        .maxRegistersPerThread = 256,
                        .registersPerMultiprocessor = 2 * vgprsOfSimd * 32,
                        .warpUnit = {.registers = 106,
                                     .minLoadBytes = 4,
                                     .maxLoadBytes = 64,
                                     .loadCycles = 2},
                        .hasByteDotProduct = true,
                        .hasFloat8Casts = hasFloat8Casts},
          .shared = {.maxBytes = 64 * 1024},
          .global = {.maxAtomicAddBits = 32},
          .costs = MoveCosts,
          .copies = copies,
          .products = products};
}

constexpr std::array Targets = {
    entry("hip:gfx1100", "AMD RDNA 3 (Radeon RX 7900)", "gfx1100", 1536, false, rdna3Copies,
          rdna3Products),
    entry("hip:gfx1150", "AMD RDNA 3.5 (Radeon 890M)", "gfx1150", 1024, false, rdna3Copies,
          rdna3Products),
    entry("hip:gfx1200", "AMD RDNA 4 (Radeon RX 9060)", "gfx1200", 1536, true, rdna4Copies,
          rdna4Products),
    entry("hip:gfx1201", "AMD RDNA 4 (Radeon RX 9070)", "gfx1201", 1536, true, rdna4Copies,
          rdna4Products),
};

} // namespace

VendorTable vendorTable() {
  static constexpr std::string_view launchOptions[] = {"enable_fp_fusion", "waves_per_eu",
                                                       "matrix_instr_nonkdim", "kpack",
                                                       "launch_cooperative_grid"};
  return {Vendor::Amd,   "AMD",  "amd", "hip", {".hsaco", ".amdgcn", LaunchFormat::Hsa},
          launchOptions, Targets};
}

} // namespace tilewright::target::amd
