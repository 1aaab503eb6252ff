//===- Nvidia.cpp - NVIDIA's GPUs ---------------------------------------------===//
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
// redux.sync (sm_80), mma of 8-bit floats (sm_89, PTX 8.4). The PTX versions are the first that
// know the processor and what is used of it: PTX ISA, "Release Notes". Sectors: CUDA C++ Best
// Practices Guide, "Coalesced Access to Global Memory".
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

#include "target/Cluster.h"
#include "target/NvidiaAtoms.h"
#include "target/VendorTable.h"

#include <algorithm>
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

constexpr Execution Warps = {
    .warpSizes = WarpsOf32,
    .threadsPerWarp = 32,
    .maxThreadsPerBlock = 1024,
    .blockBarriers = 16,
    .maxRegistersPerThread = 255,
    .registersPerMultiprocessor = 65536,
    .warpReductions = {WarpReduction::Add, WarpReduction::And, WarpReduction::Or,
                       WarpReduction::Xor, WarpReduction::MinSigned, WarpReduction::MaxSigned,
                       WarpReduction::MinUnsigned, WarpReduction::MaxUnsigned},
    .hasByteDotProduct = true};

// PTX ISA, cvt: .e4m3x2 and .e5m2x2 from sm_89 on.
constexpr Execution withFloat8Casts() {
  Execution execution = Warps;
  execution.hasFloat8Casts = true;
  return execution;
}
constexpr Execution AdaWarps = withFloat8Casts();

// The atomic additions of pairs, and those of vectors (sm_90).
constexpr GlobalMemoryModel AmpereMemory = {.maxAtomicAddBits = 32};
constexpr GlobalMemoryModel HopperMemory = {.maxAtomicAddBits = 128};
constexpr GlobalMemoryModel BlackwellMemory = {.maxAccessBits = 256, .maxAtomicAddBits = 128};

constexpr Target entry(std::string_view name, std::string_view description,
                       std::string_view processor, std::string_view features, unsigned maxSharedKiB,
                       const Execution &execution, const GlobalMemoryModel &global, CopyList copies,
                       MmaList products) {
  return {.name = name,
          .description = description,
          .vendor = Vendor::Nvidia,
          .processor = processor,
          .features = features,
          .execution = execution,
          .shared = {.maxBytes = maxSharedKiB * 1024, .isSizedAtLaunch = true},
          .global = global,
          .costs = MoveCosts,
          .copies = copies,
          .products = products};
}

constexpr std::array Targets = {
    entry("cuda:80", "NVIDIA Ampere (A100)", "sm_80", "+ptx70", 163, Warps, AmpereMemory,
          ampereCopies, sm80Products),
    entry("cuda:86", "NVIDIA Ampere (RTX 30, A40)", "sm_86", "+ptx71", 99, Warps, AmpereMemory,
          ampereCopies, sm86Products),
    entry("cuda:89", "NVIDIA Ada Lovelace (RTX 40, L40)", "sm_89", "+ptx84", 99, AdaWarps,
          AmpereMemory, ampereCopies, sm89Products),
    entry("cuda:90", "NVIDIA Hopper (H100, H200)", "sm_90a", "+ptx84", 227, AdaWarps, HopperMemory,
          hopperCopies, sm90Products),
    entry("cuda:100", "NVIDIA Blackwell (B200)", "sm_100a", "+ptx88", 227, AdaWarps,
          BlackwellMemory, blackwellCopies, sm100Products),
    entry("cuda:120", "NVIDIA Blackwell (RTX 50)", "sm_120a", "+ptx88", 99, AdaWarps,
          BlackwellMemory, blackwellCopies, sm89Products),
};

} // namespace

VendorTable vendorTable() {
  static constexpr std::string_view launchOptions[] = {"maxnreg", "enable_fp_fusion",
                                                       "launch_cooperative_grid", "launch_pdl"};
  return {Vendor::Nvidia, "NVIDIA", "nvidia", "cuda", {".ptx", "", LaunchFormat::Plain},
          launchOptions,  Targets};
}

} // namespace tilewright::target::nvidia

// CUDA C++ Programming Guide, "Thread Block Clusters": from compute capability 9.0 on, of up to 8
// blocks on every GPU.
unsigned tilewright::target::maxClusterBlocks(const Target &target) {
  constexpr unsigned portableBlocks = 8;
  const auto first = std::ranges::find(nvidia::Targets, "cuda:90", &Target::name);
  return std::any_of(first, nvidia::Targets.end(),
                     [&](const Target &each) { return each.name == target.name; })
             ? portableBlocks
             : 1;
}
