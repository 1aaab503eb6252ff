//===- Targets.cpp - The entries of Intel's GPUs --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Sub-groups of 16 unless 32 are asked for. oneAPI GPU Optimization Guide, "Intel Xe GPU
// Architecture": 128 KiB of shared local memory a Xe core, 128 registers of 64 bytes a thread (so
// 128 32-bit values a lane at 16 lanes; 256 in the large register mode, which whoever launches a
// kernel has to ask for, and which halves the threads), work-groups of 1024, 8
// vector engines of 8 hardware threads a core. 2D block I/O and DPAS: Xe-HPC, Xe2 and Xe3. All
// have f64 and atomic operations of 64 bits: the RuntimeCapabilityTable of each in Intel's compute
// runtime (hw_info_pvc.cpp, hw_info_bmg.cpp, hw_info_lnl.cpp), which has the shared memory, too.
//
//===--------------------------------------------------------------------------===//

#include "target/intel/Targets.h"

#include <array>

namespace tilewright::target::intel {

namespace {

constexpr unsigned SubGroups[] = {16, 32};

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
                       std::string_view processor) {
  return {.name = name,
          .description = description,
          .vendor = Vendor::Intel,
          .processor = processor,
          .features = "",
          .computeCapability = 0,
          .canCompile = true,
          .warpSizes = SubGroups,
          .threadsPerWarp = 16,
          .maxThreadsPerBlock = 1024,
          .defaultSharedBytes = 128 * 1024,
          .maxSharedBytes = 128 * 1024,
          .preferredScratchBytes = 16 * 1024,
          .sharedBytesAtLaunch = false,
          .sharedBanks = 32,
          .sharedBankBytes = 4,
          .maxRegistersPerThread = 128,
          .registersPerMultiprocessor = 8 * 8 * 128 * 16,
          .maxGlobalAccessBits = 128,
          .maxSharedAccessBits = 128,
          .sectorBytes = 32,
          .hasAsyncCopy = false,
          .hasMatrixLoad = false,
          .hasMatrixStore = false,
          .hasBlockTransfer = true,
          .hasClusters = false,
          .hasWarpMatrix = true,
          .hasWarpGroupMatrix = false,
          .hasTensorMemory = false,
          .hasBfloat16Math = false,
          .costs = MoveCosts,
          .loadCycles = 4};
}

constexpr std::array Targets = {
    entry("xpu:pvc", "Intel Xe-HPC (Data Center GPU Max)", "pvc"),
    entry("xpu:bmg", "Intel Xe2 (Arc B series)", "bmg"),
    entry("xpu:lnl", "Intel Xe2 (Core Ultra 200V)", "lnl"),
    entry("xpu:ptl", "Intel Xe3 (Panther Lake)", "ptl"),
};

} // namespace

std::span<const Target> targets() { return Targets; }

} // namespace tilewright::target::intel
