//===- Targets.cpp - The entries of AMD's GPUs ----------------------------------===//
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
// do not say; plans take consecutive ones, as everywhere (layout/SharedMemory.h).
//
//===--------------------------------------------------------------------------===//

#include "target/amd/Targets.h"

#include "target/amd/LaneShuffle.h"

#include <array>

namespace tilewright::target::amd {

namespace {

constexpr unsigned WarpsOf32[] = {32};

constexpr layout::Costs MoveCosts = {.select = 2,
                                     .permute = 2,
                                     .shuffle = {.cycles = 4, .latency = 25},
                                     .wavefront = 4,
                                     .access = 1,
                                     .latency = 30,
                                     .matrixLoadLatency = 2,
                                     .warpBarrier = 10,
                                     .blockBarrier = 30};

constexpr Target entry(std::string_view name, std::string_view description,
                       std::string_view processor, unsigned vgprsOfSimd) {
  return {.name = name,
          .description = description,
          .vendor = Vendor::Amd,
          .processor = processor,
          .features = "+wavefrontsize32",
          .computeCapability = 0,
          .canCompile = true,
          .warpSizes = WarpsOf32,
          .threadsPerWarp = 32,
          .maxThreadsPerBlock = 1024,
          .defaultSharedBytes = 64 * 1024,
          .maxSharedBytes = 64 * 1024,
          .preferredScratchBytes = 8 * 1024,
          .sharedBytesAtLaunch = false,
          .sharedBanks = 32,
          .sharedBankBytes = 4,
          .maxRegistersPerThread = 256,
          .registersPerMultiprocessor = 2 * vgprsOfSimd * 32,
          .warpUnit = {.registers = 106, .minLoadBytes = 4, .maxLoadBytes = 64, .loadCycles = 2},
          .maxGlobalAccessBits = 128,
          .maxSharedAccessBits = 128,
          .sectorBytes = 32,
          .maxAtomicAddBits = 32,
          .hasAsyncCopy = false,
          .hasMatrixLoad = false,
          .hasMatrixStore = false,
          .hasBlockTransfer = false,
          .hasClusters = false,
          .hasWarpMatrix = true,
          .hasWarpGroupMatrix = false,
          .hasTensorMemory = false,
          .hasBfloat16Math = false,
          .costs = MoveCosts,
          .loadCycles = 4};
}

constexpr std::array Targets = {
    entry("hip:gfx1100", "AMD RDNA 3 (Radeon RX 7900)", "gfx1100", 1536),
    entry("hip:gfx1150", "AMD RDNA 3.5 (Radeon 890M)", "gfx1150", 1024),
    entry("hip:gfx1200", "AMD RDNA 4 (Radeon RX 9060)", "gfx1200", 1536),
    entry("hip:gfx1201", "AMD RDNA 4 (Radeon RX 9070)", "gfx1201", 1536),
};

} // namespace

std::span<const Target> targets() { return Targets; }

} // namespace tilewright::target::amd
