//===- Targets.cpp - The entries of NVIDIA's GPUs -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Threads, registers and shared memory: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability". Shared memory a block: "Maximum amount of
// shared memory per thread block" there, 163 KB for 8.0, 99 KB for 8.6, 8.9 and 12.0,
// 227 KB for 9.0 and 10.0; 48 KB without opting in. Instructions by processor: PTX ISA,
// "Target ISA Notes" of cp.async (sm_80), ldmatrix (sm_75), stmatrix, cp.async.bulk.tensor
// and wgmma (sm_90, sm_90a), tcgen05 (sm_100a), 256-bit ld.global (sm_100, PTX 8.8),
// .bf16 arithmetic (sm_90). The PTX versions are the first that know the processor and
// what is used of it: PTX ISA, "Release Notes". Sectors: CUDA C++ Best Practices Guide,
// "Coalesced Access to Global Memory".
//
// Costs: the same Programming Guide, "Arithmetic Instructions", 8.0 to 9.0. A cycle of a
// multiprocessor serves 32 lanes of a shuffle, 64 of a select or of a byte permutation, and
// 128 bytes of shared memory: 4, 2 and 4 cycles of one of its four schedulers. Latencies are
// rounded. Matrices come later than vectors, which counts where a round has little else to do: on
// an H200 conversions of 1,024 bytes with two loads of 32 bits take 0.73 of the time of those with
// one of two matrices (bench/gpu/compare_conversions.py). The four schedulers share a unit of loads
// that takes one instruction a cycle.
//
//===--------------------------------------------------------------------------===//

#include "target/NvidiaAtoms.h"
#include "target/VendorTable.h"

#include <array>

namespace tilewright::target::nvidia {

namespace {

constexpr unsigned WarpsOf32[] = {32};

constexpr target::Costs MoveCosts = {.select = 2,
                                     .permute = 2,
                                     .shuffle = {.cycles = 4, .latency = 25},
                                     .transaction = 4,
                                     .access = 1,
                                     .latency = 30,
                                     .warpBarrier = 10,
                                     .blockBarrier = 30};

constexpr Target entry(std::string_view name, std::string_view description,
                       std::string_view processor, std::string_view features,
                       unsigned computeCapability, unsigned maxSharedKiB, CopyList copies,
                       MmaList products) {
  bool isBlackwell = computeCapability >= 100;
  bool isHopperOrLater = computeCapability >= 90;
  return {.name = name,
          .description = description,
          .vendor = Vendor::Nvidia,
          .processor = processor,
          .features = features,
          .computeCapability = computeCapability,
          .canCompile = true,
          .warpSizes = WarpsOf32,
          .threadsPerWarp = 32,
          .maxThreadsPerBlock = 1024,
          .defaultSharedBytes = 48 * 1024,
          .maxSharedBytes = maxSharedKiB * 1024,
          .preferredScratchBytes = 8 * 1024,
          .sharedBytesAtLaunch = true,
          .sharedBanks = 32,
          .sharedBankBytes = 4,
          .maxRegistersPerThread = 255,
          .registersPerMultiprocessor = 65536,
          .maxGlobalAccessBits = isBlackwell ? 256u : 128u,
          .maxSharedAccessBits = 128,
          .sectorBytes = 32,
          .maxAtomicAddBits = isHopperOrLater ? 128u : 32u,
          .costs = MoveCosts,
          .loadCycles = 4,
          .copies = copies,
          .products = products};
}

constexpr std::array Targets = {
    entry("cuda:80", "NVIDIA Ampere (A100)", "sm_80", "+ptx70", 80, 163, ampereCopies,
          sm80Products),
    entry("cuda:86", "NVIDIA Ampere (RTX 30, A40)", "sm_86", "+ptx71", 86, 99, ampereCopies,
          sm86Products),
    entry("cuda:89", "NVIDIA Ada Lovelace (RTX 40, L40)", "sm_89", "+ptx78", 89, 99, ampereCopies,
          sm89Products),
    entry("cuda:90", "NVIDIA Hopper (H100, H200)", "sm_90a", "+ptx81", 90, 227, hopperCopies,
          sm90Products),
    entry("cuda:100", "NVIDIA Blackwell (B200)", "sm_100a", "+ptx88", 100, 227, blackwellCopies,
          sm100Products),
    entry("cuda:120", "NVIDIA Blackwell (RTX 50)", "sm_120a", "+ptx88", 120, 99, blackwellCopies,
          sm89Products),
};

} // namespace

VendorTable vendorTable() {
  return {Vendor::Nvidia, "NVIDIA", "nvidia", "cuda", {".ptx", "", LaunchFormat::Plain}, Targets};
}

} // namespace tilewright::target::nvidia
