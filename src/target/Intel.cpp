//===- Intel.cpp - Intel's GPUs -----------------------------------------------===//
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
// The same runtime has the threads of an engine by their registers (calculateAvailableThreadCount:
// 8 of 128 or 4 of 256; on Xe3 10 of 96, 8 of 128, 6 of 160, 5 of 192, 4 of 256), the sizes in
// which blocks get shared memory (alignSlmSize), and 32 barriers a core (kernel_helpers.cpp). Four
// threads an engine keep it busy, half of those that it has slots for.
//
// Costs, in cycles of a vector engine, which does an instruction of 16 lanes of 32 bits in one. The
// numbers of instructions are those that Intel's compiler makes for pvc (ocloc): a lane known when
// compiling is a scalar operand, a mask known when compiling four moves of regions (two where it is
// the upper half), a lane in a register three instructions for the address of each lane's register
// and the move, which waits 16 cycles for the addresses. Shared local memory has 128 bytes a cycle
// for the eight engines of a core (the same guide, "data port"), so 16 lanes' words of 4 bytes are
// four cycles of one. Full transactions, of wider accesses, would be eight; they count as four,
// too: at eight, conversions of 128 words a lane go through shuffles, and spill. Latencies are
// those of Intel's compiler (IGC, LatencyTable.h, LatenciesXe): 28 cycles of shared local memory,
// 16 of an address register, 30 of the barrier of a work-group and 23 of the fence before it. A
// sub-group's messages to this memory are done in order: its barrier is nothing. Results of
// arithmetic are there after 10 cycles (the same table); special functions take 4 lanes a cycle.
//
//===--------------------------------------------------------------------------===//

#include "target/IntelAtoms.h"
#include "target/IntelProcessor.h"
#include "target/RegisterModel.h"
#include "target/VendorTable.h"

#include <algorithm>
#include <array>

namespace tilewright::target::intel {

namespace {

constexpr unsigned SubGroups[] = {16, 32};

constexpr target::ShuffleCost IndirectShuffle = {.cycles = 4, .latency = 16, .isIndexed = true};

/// Lanes of 32 bits that one instruction takes.
constexpr unsigned EngineLanes = 16;

// See above for the numbers of instructions.
target::ShuffleCost costOfShuffle(std::span<const unsigned> sources) {
  const auto lanes = static_cast<unsigned>(sources.size());
  const unsigned first = sources[0], times = std::max(1u, lanes / EngineLanes);
  bool isOneLane = true, isMask = true;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    isOneLane &= sources[lane] == first;
    isMask &= sources[lane] == (lane ^ first);
  }
  if (isOneLane)
    return {.cycles = times, .latency = 0};
  if (isMask)
    return {.cycles = (first == lanes / 2 ? 2 : 4) * times, .latency = 0};
  target::ShuffleCost cost = IndirectShuffle;
  cost.cycles *= times;
  return cost;
}

constexpr target::Costs MoveCosts = {.lanes = EngineLanes,
                                     .select = 1,
                                     .permute = 2,
                                     .shuffle = IndirectShuffle,
                                     .fixedShuffle = costOfShuffle,
                                     .transaction = 4,
                                     .access = 1,
                                     .latency = 28,
                                     .warpBarrier = 0,
                                     .blockBarrier = 53};

/// A thread gets 128 or 256 registers.
constexpr RegisterFile XeFile = {
    .engines = 8, .threads = 8, .registers = 128, .registerBytes = 64, .unit = 128, .all = 1024};
/// Or another multiple of 32.
constexpr RegisterFile Xe3File = {
    .engines = 8, .threads = 10, .registers = 128, .registerBytes = 64, .unit = 32, .all = 1024};

constexpr Processor processor(std::string_view name, const IpVersions &versions,
                              const RegisterFile &file, unsigned bytesPerCycle, MmaList products) {
  return {.name = name,
          .versions = versions,
          .file = file,
          .engineLanes = EngineLanes,
          .sharedBytes = 128 * 1024,
          .bytesPerCycle = bytesPerCycle,
          .products = products};
}

// Architectures and releases are those of Intel's compute runtime and its compiler, `ocloc ids`.
// Bytes of memory a cycle and core: the data sheets of Data Center GPU Max 1550 (3277 GB/s, 128
// cores, 1.6 GHz), Arc B580 (456, 20, 2.67), Core Ultra 7 258V (136, 8, 1.95) and Core Ultra X9
// 388H (154, 12, 2.5).
constexpr std::array Processors = {
    processor("pvc", {.architecture = 12, .firstRelease = 60, .lastRelease = 61}, XeFile, 16,
              xeHpcProducts),
    processor("bmg", {.architecture = 20, .firstRelease = 1, .lastRelease = 2}, XeFile, 9,
              xe2Products),
    processor("lnl", {.architecture = 20, .firstRelease = 4, .lastRelease = 4}, XeFile, 8,
              xe2Products),
    processor("ptl", {.architecture = 30, .firstRelease = 0, .lastRelease = 1}, Xe3File, 5,
              xe2Products),
};

// Of reductions, OpenCL has those of arithmetic; SPIR-V 1.2 has none of bits.
constexpr Execution enginesOf(const Processor &processor) {
  const RegisterFile &file = processor.file;
  return {.warpSizes = SubGroups,
          .threadsPerWarp = processor.engineLanes,
          .maxThreadsPerBlock = 1024,
          .maxRegistersPerThread = file.registers * file.registerBytes / 4 / processor.engineLanes,
          .resultLatency = 10,
          .specialCycles = 4,
          .warpReductions = {WarpReduction::Add, WarpReduction::MinSigned, WarpReduction::MaxSigned,
                             WarpReduction::MinUnsigned, WarpReduction::MaxUnsigned,
                             WarpReduction::AddFloat, WarpReduction::MinNumber,
                             WarpReduction::MaxNumber},
          .hasMultiplyHigh = true};
}

constexpr unsigned SharedSizes[] = {1 << 10,  2 << 10,  4 << 10,  8 << 10,  16 << 10, 24 << 10,
                                    32 << 10, 48 << 10, 64 << 10, 96 << 10, 128 << 10};

constexpr Multiprocessor coreOf(const Processor &processor) {
  const RegisterFile &file = processor.file;
  return {.partitions = file.engines,
          .warpsPerPartition = file.threads,
          .registersPerPartition = file.all,
          .registerUnit = file.unit,
          .maxBlocks = file.engines * file.threads,
          .maxBlocksWithBarrier = 32,
          .sharedBytes = processor.sharedBytes,
          .sharedUnit = 1024,
          .sharedSizes = SharedSizes,
          .busyWarps = 4 * file.engines};
}

constexpr Target entry(std::string_view name, std::string_view description,
                       const Processor &processor) {
  return {.name = name,
          .description = description,
          .vendor = Vendor::Intel,
          .processor = processor.name,
          .features = "",
          .execution = enginesOf(processor),
          .multiprocessor = coreOf(processor),
          .registers = &UnfittedRegisters,
          .shared = {.maxBytes = processor.sharedBytes, .preferredScratchBytes = 16 * 1024},
          .global = {.bytesPerCycle = processor.bytesPerCycle},
          .costs = MoveCosts,
          .copies = copies,
          .products = processor.products};
}

constexpr std::array Targets = {
    entry("xpu:pvc", "Intel Xe-HPC (Data Center GPU Max)", Processors[0]),
    entry("xpu:bmg", "Intel Xe2 (Arc B series)", Processors[1]),
    entry("xpu:lnl", "Intel Xe2 (Core Ultra 200V)", Processors[2]),
    entry("xpu:ptl", "Intel Xe3 (Panther Lake)", Processors[3]),
};

} // namespace

std::span<const Processor> processors() { return Processors; }

const Processor &processorOf(const Target &target) {
  return *std::ranges::find(Processors, target.processor, &Processor::name);
}

VendorTable vendorTable() {
  static constexpr std::string_view launchOptions[] = {"enable_fp_fusion", "split_barriers"};
  return {Vendor::Intel, "Intel", "intel", "xpu", {".spv", "", LaunchFormat::OpenCl},
          launchOptions, Targets};
}

} // namespace tilewright::target::intel
