//===- Nvidia.cpp - NVIDIA's GPUs ---------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Threads, registers and shared memory: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability". Shared memory a block: "Maximum amount of
// shared memory per thread block" there, 163 KB for 8.0, 99 KB for 8.6, 8.9, 12.0 and 12.1,
// 227 KB for 9.0, 10.0, 10.3 and 11.0; 48 KB without opting in. Instructions by processor: PTX ISA,
// "Target ISA Notes" of cp.async (sm_80), ldmatrix (sm_75), stmatrix, cp.async.bulk.tensor
// and wgmma (sm_90, sm_90a), tcgen05 (sm_100a, sm_110a; without bytes sm_103a), 256-bit ld.global
// (sm_100, PTX 8.8), redux.sync (sm_80), mma of 8-bit floats (sm_89, PTX 8.4). The PTX versions are
// the first that know the processor and what is used of it: PTX ISA, "Release Notes". Sectors: CUDA
// C++ Best Practices Guide, "Coalesced Access to Global Memory".
//
// Costs: the same Programming Guide, "Arithmetic Instructions", 8.0 to 9.0. A cycle of a
// multiprocessor serves 32 lanes of a shuffle, 64 of a select or of a byte permutation, and
// 128 bytes of shared memory: 4, 2 and 4 cycles of one of its four schedulers. Latencies are
// rounded. Matrices come later than vectors, which counts where a round has little else to do: on
// an H200 conversions of 1,024 bytes with two loads of 32 bits take 0.73 of the time of those with
// one of two matrices (bench/gpu/compare_conversions.py). The four schedulers share a unit of loads
// that takes one instruction a cycle. Between two additions or multiply-adds of which one needs the
// other ptxas 13 leaves 4 cycles (sm_80 to sm_120), and a multiprocessor has 16 results of special
// functions a cycle, 4 a scheduler.
//
// Bytes of memory a cycle and multiprocessor: the data sheets of A100 (40 GB: 1555 GB/s, 108
// multiprocessors, 1.41 GHz: 10.2), A40 (696, 84, 1.74), L40 (864, 142, 2.49), H100 SXM (3350, 132,
// 1.755: 14.5) and H200 (4800: 20.7), B200 (8000, 148, 1.9), Thor (273, 20, 1.57), RTX 5090 (1792,
// 170, 2.41) and DGX Spark (273, 48, 2.4).
//
//===--------------------------------------------------------------------------===//

#include "target/Cluster.h"
#include "target/NvidiaAtoms.h"
#include "target/NvidiaMultiprocessor.h"
#include "target/NvidiaProcessor.h"
#include "target/RegisterModel.h"
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

// Fitted by bench/resources/calibrate.py to what ptxas 13.5 allocates for sm_90. Of a product's
// operands in shared memory it loads several steps of K ahead.
constexpr RegisterWeights PlainWeights = {.base = 4,
                                          .values = 97,
                                          .addresses = 46,
                                          .indices = 74,
                                          .masks = 29,
                                          .scalars = 61,
                                          .operations = 20,
                                          .blockSlack = 123,
                                          .fullSlack = 202};
constexpr RegisterWeights ProductWeights = {.base = 0,
                                            .values = 122,
                                            .products = 424,
                                            .addresses = 94,
                                            .indices = 0,
                                            .masks = 2,
                                            .scalars = 9,
                                            .operations = 48,
                                            .blockSlack = 131,
                                            .fullSlack = 170};
constexpr RegisterModel Registers = {PlainWeights, ProductWeights};

constexpr Processor ampere(std::string_view name, std::string_view ptxFeature, unsigned sharedKiB,
                           const Multiprocessor &multiprocessor, unsigned bytesPerCycle,
                           MmaList products) {
  return {.name = name,
          .ptxFeature = ptxFeature,
          .sharedKiB = sharedKiB,
          .multiprocessor = multiprocessor,
          .bytesPerCycle = bytesPerCycle,
          .copies = ampereCopies,
          .products = products};
}

// PTX ISA, cvt: .e4m3x2 and .e5m2x2 from sm_89 on.
constexpr Processor ada() {
  Processor processor = ampere("sm_89", "+ptx84", 99, multiprocessorOf(89), 2, sm89Products);
  processor.hasFloat8Casts = true;
  return processor;
}

// CUDA C++ Programming Guide, "Thread Block Clusters": from compute capability 9.0 on, of up to 8
// blocks on every GPU. PTX ISA, atom and red: bf16 and vectors from sm_90 on; griddepcontrol;
// setmaxnreg: multiples of 8 from 24 to 256.
constexpr Processor hopper() {
  Processor processor = ada();
  processor.name = "sm_90a";
  processor.sharedKiB = 227;
  processor.multiprocessor = multiprocessorOf(90);
  processor.bytesPerCycle = 16;
  processor.hasTensorCopies = true;
  processor.maxClusterBlocks = 8;
  processor.minKeptRegisters = 24;
  processor.hasVectorAdditions = true;
  processor.copies = hopperCopies;
  processor.products = sm90Products;
  return processor;
}

constexpr Processor blackwell(std::string_view name, unsigned sharedKiB,
                              const Multiprocessor &multiprocessor, unsigned bytesPerCycle,
                              MmaList products) {
  Processor processor = hopper();
  processor.name = name;
  processor.ptxFeature = "+ptx88";
  processor.sharedKiB = sharedKiB;
  processor.multiprocessor = multiprocessor;
  processor.bytesPerCycle = bytesPerCycle;
  processor.hasMixedSums = true;
  processor.maxGlobalBits = 256;
  processor.copies = blackwellCopies;
  processor.products = products;
  return processor;
}

constexpr Processor withTensorMemory(std::string_view name, std::string_view ptxFeature,
                                     const Multiprocessor &multiprocessor, unsigned bytesPerCycle,
                                     MmaList products) {
  Processor processor = blackwell(name, 227, multiprocessor, bytesPerCycle, products);
  processor.ptxFeature = ptxFeature;
  processor.copies = sm100Copies;
  return processor;
}

constexpr std::array Processors = {
    ampere("sm_80", "+ptx70", 163, multiprocessorOf(80), 10, sm80Products),
    ampere("sm_86", "+ptx71", 99, multiprocessorOf(86), 5, sm86Products),
    ada(),
    hopper(),
    withTensorMemory("sm_100a", "+ptx88", multiprocessorOf(100), 28, sm100Products),
    withTensorMemory("sm_103a", "+ptx88", multiprocessorOf(103), 28, sm103Products),
    withTensorMemory("sm_110a", "+ptx90", multiprocessorOf(110), 9, sm100Products),
    blackwell("sm_120a", 99, multiprocessorOf(120), 4, sm120Products),
    blackwell("sm_121a", 99, multiprocessorOf(121), 2, sm120Products),
};

constexpr Execution warpsOf(const Processor &processor) {
  return {.warpSizes = WarpsOf32,
          .threadsPerWarp = 32,
          .maxThreadsPerBlock = 1024,
          .blockBarriers = 16,
          .maxRegistersPerThread = 255,
          .resultLatency = 4,
          .specialCycles = 8,
          .warpReductions = {WarpReduction::Add, WarpReduction::And, WarpReduction::Or,
                             WarpReduction::Xor, WarpReduction::MinSigned, WarpReduction::MaxSigned,
                             WarpReduction::MinUnsigned, WarpReduction::MaxUnsigned},
          .hasByteDotProduct = true,
          .hasFloat8Casts = processor.hasFloat8Casts};
}

// Atomic additions: pairs on all, vectors of up to 128 bits where there are any.
constexpr Target entry(std::string_view name, std::string_view description,
                       const Processor &processor) {
  return {.name = name,
          .description = description,
          .vendor = Vendor::Nvidia,
          .processor = processor.name,
          .features = processor.ptxFeature,
          .execution = warpsOf(processor),
          .multiprocessor = processor.multiprocessor,
          .registers = &Registers,
          .shared = {.maxBytes = processor.sharedKiB * 1024, .isSizedAtLaunch = true},
          .global = {.maxAccessBits = processor.maxGlobalBits,
                     .maxAtomicAddBits = processor.hasVectorAdditions ? 128u : 32u,
                     .bytesPerCycle = processor.bytesPerCycle},
          .costs = MoveCosts,
          .copies = processor.copies,
          .products = processor.products};
}

constexpr std::array Targets = {
    entry("cuda:80", "NVIDIA Ampere (A100)", Processors[0]),
    entry("cuda:86", "NVIDIA Ampere (RTX 30, A40)", Processors[1]),
    entry("cuda:89", "NVIDIA Ada Lovelace (RTX 40, L40)", Processors[2]),
    entry("cuda:90", "NVIDIA Hopper (H100, H200)", Processors[3]),
    entry("cuda:100", "NVIDIA Blackwell (B200)", Processors[4]),
    entry("cuda:103", "NVIDIA Blackwell Ultra (B300)", Processors[5]),
    entry("cuda:110", "NVIDIA Blackwell (Thor)", Processors[6]),
    entry("cuda:120", "NVIDIA Blackwell (RTX 50)", Processors[7]),
    entry("cuda:121", "NVIDIA Blackwell (DGX Spark)", Processors[8]),
};

} // namespace

std::span<const Processor> processors() { return Processors; }

const Processor &processorOf(const Target &target) {
  return *std::ranges::find(Processors, target.processor, &Processor::name);
}

VendorTable vendorTable() {
  static constexpr std::string_view launchOptions[] = {"maxnreg", "enable_fp_fusion",
                                                       "launch_cooperative_grid", "launch_pdl"};
  return {Vendor::Nvidia, "NVIDIA", "nvidia", "cuda", {".ptx", "", LaunchFormat::Plain},
          launchOptions,  Targets};
}

} // namespace tilewright::target::nvidia

unsigned tilewright::target::maxClusterBlocks(const Target &target) {
  return target.vendor == Vendor::Nvidia ? nvidia::processorOf(target).maxClusterBlocks : 1;
}
