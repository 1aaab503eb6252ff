//===- Target.cpp - What each GPU can do ----------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/Target.h"

#include <algorithm>
#include <array>

namespace tilewright::target {

namespace {

constexpr unsigned WarpsOf32[] = {32};
constexpr unsigned SubGroups[] = {16, 32};

// NVIDIA. Threads, registers and shared memory: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability". Shared memory a block: "Maximum amount of
// shared memory per thread block" there, 163 KB for 8.0, 99 KB for 8.6, 8.9 and 12.0,
// 227 KB for 9.0 and 10.0; 48 KB without opting in. Instructions by processor: PTX ISA,
// "Target ISA Notes" of cp.async (sm_80), ldmatrix (sm_75), stmatrix, cp.async.bulk.tensor
// and wgmma (sm_90, sm_90a), tcgen05 (sm_100a), 256-bit ld.global (sm_100, PTX 8.8),
// .bf16 arithmetic (sm_90). The PTX versions are the first that know the processor and
// what is used of it: PTX ISA, "Release Notes". The costs in layout/Costs.h are
// from the CUDA C++ Programming Guide, "Arithmetic Instructions", 8.0 to 9.0.
constexpr Target nvidia(std::string_view name, std::string_view description,
                        std::string_view processor, std::string_view features,
                        unsigned computeCapability, unsigned maxSharedKiB) {
  bool isBlackwell = computeCapability >= 100;
  bool isHopperOrLater = computeCapability >= 90;
  bool isDataCenter = computeCapability == 100;
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
          .sharedBytesAtLaunch = true,
          .sharedBanks = 32,
          .sharedBankBytes = 4,
          .maxRegistersPerThread = 255,
          .registersPerMultiprocessor = 65536,
          .maxGlobalAccessBits = isBlackwell ? 256u : 128u,
          .maxSharedAccessBits = 128,
          .maxAtomicAddBits = isHopperOrLater ? 128u : 32u,
          .hasAsyncCopy = true,
          .hasMatrixLoad = true,
          .hasMatrixStore = isHopperOrLater,
          .hasBlockTransfer = isHopperOrLater,
          .hasClusters = isHopperOrLater,
          .hasWarpMatrix = true,
          .hasWarpGroupMatrix = computeCapability == 90,
          .hasTensorMemory = isDataCenter,
          .hasBfloat16Math = isHopperOrLater};
}

// AMD, RDNA 3 to 4 in wave32. RDNA3 and RDNA4 Instruction Set Architecture guides: 64 KiB of LDS a
// work-group, 256 VGPRs and 106 SGPRs a wave, 32 banks of 4 bytes a compute unit; LDS accesses and
// global ones of up to 128 bits. A compute unit of 2 SIMDs has 2 * 1536 VGPRs of 32 lanes
// on gfx1100, 1024 on gfx1150, 1536 on gfx12 (LLVM AMDGPU user guide, feature "1_5x VGPRs").
// Which lanes' parts of a 128-bit access the LDS serves together the guides do not say; plans
// take consecutive ones, as everywhere (layout/SharedMemory.h).
constexpr Target amd(std::string_view name, std::string_view description,
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
          .sharedBytesAtLaunch = false,
          .sharedBanks = 32,
          .sharedBankBytes = 4,
          .maxRegistersPerThread = 256,
          .registersPerMultiprocessor = 2 * vgprsOfSimd * 32,
          .registersPerWarp = 106,
          .maxGlobalAccessBits = 128,
          .maxSharedAccessBits = 128,
          .maxAtomicAddBits = 32,
          .hasAsyncCopy = false,
          .hasMatrixLoad = false,
          .hasMatrixStore = false,
          .hasBlockTransfer = false,
          .hasClusters = false,
          .hasWarpMatrix = true,
          .hasWarpGroupMatrix = false,
          .hasTensorMemory = false,
          .hasBfloat16Math = false};
}

// Intel, sub-groups of 16 unless 32 are asked for. oneAPI GPU Optimization Guide, "Intel Xe GPU
// Architecture": 128 KiB of shared local memory a Xe core, 128 registers of 64 bytes a thread (so
// 128 32-bit values a lane at 16 lanes; 256 in the large register mode, which whoever launches a
// kernel has to ask for, and which halves the threads), work-groups of 1024, 8
// vector engines of 8 hardware threads a core. 2D block I/O and DPAS: Xe-HPC, Xe2 and Xe3. All
// have f64 and atomic operations of 64 bits: the RuntimeCapabilityTable of each in Intel's compute
// runtime (hw_info_pvc.cpp, hw_info_bmg.cpp, hw_info_lnl.cpp), which has the shared memory, too.
constexpr Target intel(std::string_view name, std::string_view description,
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
          .sharedBytesAtLaunch = false,
          .sharedBanks = 32,
          .sharedBankBytes = 4,
          .maxRegistersPerThread = 128,
          .registersPerMultiprocessor = 8 * 8 * 128 * 16,
          .maxGlobalAccessBits = 128,
          .maxSharedAccessBits = 128,
          .hasAsyncCopy = false,
          .hasMatrixLoad = false,
          .hasMatrixStore = false,
          .hasBlockTransfer = true,
          .hasClusters = false,
          .hasWarpMatrix = true,
          .hasWarpGroupMatrix = false,
          .hasTensorMemory = false,
          .hasBfloat16Math = false};
}

constexpr std::array Targets = {
    nvidia("cuda:80", "NVIDIA Ampere (A100)", "sm_80", "+ptx70", 80, 163),
    nvidia("cuda:86", "NVIDIA Ampere (RTX 30, A40)", "sm_86", "+ptx71", 86, 99),
    nvidia("cuda:89", "NVIDIA Ada Lovelace (RTX 40, L40)", "sm_89", "+ptx78", 89, 99),
    nvidia("cuda:90", "NVIDIA Hopper (H100, H200)", "sm_90a", "+ptx81", 90, 227),
    nvidia("cuda:100", "NVIDIA Blackwell (B200)", "sm_100a", "+ptx88", 100, 227),
    nvidia("cuda:120", "NVIDIA Blackwell (RTX 50)", "sm_120a", "+ptx88", 120, 99),
    amd("hip:gfx1100", "AMD RDNA 3 (Radeon RX 7900)", "gfx1100", 1536),
    amd("hip:gfx1150", "AMD RDNA 3.5 (Radeon 890M)", "gfx1150", 1024),
    amd("hip:gfx1200", "AMD RDNA 4 (Radeon RX 9060)", "gfx1200", 1536),
    amd("hip:gfx1201", "AMD RDNA 4 (Radeon RX 9070)", "gfx1201", 1536),
    intel("xpu:pvc", "Intel Xe-HPC (Data Center GPU Max)", "pvc"),
    intel("xpu:bmg", "Intel Xe2 (Arc B series)", "bmg"),
    intel("xpu:lnl", "Intel Xe2 (Core Ultra 200V)", "lnl"),
    intel("xpu:ptl", "Intel Xe3 (Panther Lake)", "ptl"),
};

} // namespace

std::string_view vendorName(Vendor vendor) {
  switch (vendor) {
  case Vendor::Nvidia:
    return "nvidia";
  case Vendor::Amd:
    return "amd";
  case Vendor::Intel:
    return "intel";
  }
  return "";
}

std::span<const Target> Target::all() { return Targets; }

const Target *Target::find(std::string_view name) {
  auto found = std::find_if(Targets.begin(), Targets.end(),
                            [&](const Target &target) { return target.name == name; });
  return found == Targets.end() ? nullptr : &*found;
}

layout::Result<const Target *> Target::parse(std::string_view name) {
  if (const Target *target = find(name))
    return target;
  std::string message = "unknown target '" + std::string(name) + "'; known are";
  const char *separator = " ";
  for (const Target &target : Targets) {
    message += separator + std::string(target.name);
    separator = ", ";
  }
  return layout::Result<const Target *>::failure(std::move(message));
}

bool Target::hasWarpSize(uint64_t lanes) const {
  return std::find(warpSizes.begin(), warpSizes.end(), lanes) != warpSizes.end();
}

std::string Target::warpSizesText() const {
  std::string text;
  for (unsigned lanes : warpSizes)
    text += (text.empty() ? "" : " or ") + std::to_string(lanes);
  return text;
}

layout::SharedMemory Target::sharedMemory() const {
  // A round of a conversion through a part of the memory has some warps keep all they have while
  // they load what others had. Where registers are few, that spills: memory is the cheaper.
  constexpr uint64_t wideScratchBytes = 16 * 1024, scratchBytes = 8 * 1024;
  return {.banks = sharedBanks,
          .bankBytes = sharedBankBytes,
          .maxAccessBits = maxSharedAccessBits,
          .matrixLoads = hasMatrixLoad,
          .matrixStores = hasMatrixStore,
          .maxBytes = maxSharedBytes,
          .preferredScratchBytes = maxRegistersPerThread <= 128 ? wideScratchBytes : scratchBytes};
}

} // namespace tilewright::target
