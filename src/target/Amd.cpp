//===- Amd.cpp - AMD's GPUs ---------------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// RDNA 3 to 4, in waves of 32. RDNA3 and RDNA4 Instruction Set Architecture guides: 64 KiB of LDS a
// work-group, 256 VGPRs and 106 SGPRs a wave, 32 banks of 4 bytes a compute unit; LDS accesses and
// global ones of up to 128 bits, scalar loads of 4 to 64 bytes. A SIMD has 1536 VGPRs of 32 lanes
// on gfx1100 and gfx12, 1024 on gfx1150 (LLVM AMDGPU user guide, feature "1_5x VGPRs"). The code
// runs in work-group processor mode (.amdhsa_workgroup_processor_mode 1, the code generator's
// default): a block has the four SIMDs of two compute units, and a part of the 128 KiB of their
// LDS. Slots of waves, units of VGPRs and LDS, and 32 barriers: LLVM, AMDGPUBaseInfo.cpp, IsaInfo;
// a block of one wave takes no barrier. Which lanes' parts of a 128-bit access the LDS serves
// together the guides do not say; plans take consecutive ones, as everywhere
// (target/ExchangeModel.h).
//
// What processors differ in: the same guides, S_WAITCNT (RDNA 3: LGKM_CNT counts accesses of LDS
// and scalar loads), S_WAIT_DSCNT and S_WAIT_KMCNT (RDNA 4: one each), S_BARRIER_SIGNAL, "Dual
// Issue VALU", V_CVT_PK_FP8_F32, S_PREFETCH_DATA, "Buffer Instructions" (12 bits of offset, then 23
// of a positive one). DPP operands and true 16-bit: LLVM's features dpp-src1-sgpr and real-true16,
// which a test compares (test/unit/vendor/amd/ProcessorTest.cpp).
//
// CDNA 2 to 4, in waves of 64. "AMD Instinct MI200" and "MI300" Instruction Set Architecture guides
// and "AMD CDNA 3 Architecture" (white paper): a compute unit has four SIMDs of 16 lanes, which
// take four cycles for an instruction of a wave, and 64 KiB of LDS, 160 on gfx950. A lane has up to
// 512 registers of one file, 256 of which only matrix instructions, accesses of memory and moves
// reach; a wave has 102 scalar ones. Slots of waves, units of registers and of LDS, 16 barriers:
// LLVM, AMDGPUBaseInfo.cpp, IsaInfo. V_CVT_PK_FP8_F32 of gfx942 has other formats (fnuz) than the
// programs' e4m3 and e5m2; that of gfx950 has these.
//
// Costs, in cycles of a SIMD, which does an instruction of 32 lanes in one: selects, byte
// permutations and moves between lanes are such (amd/LaneShuffle.h counts the instructions). The
// LDS has 128 bytes a cycle for the two SIMDs of a compute unit ("RDNA Architecture", AMD 2019,
// "Local Data Share"), so a transaction is two cycles of one. Its results are there 20 cycles after
// the instruction, those of arithmetic 5, those of global memory 320 (LLVM, GFX11SpeedModel and
// GFX12SpeedModel). Special functions take the lanes at a quarter of the rate of others. A wave's
// accesses of LDS are done in order, so its lanes need not wait for each other; a block waits for
// stores, and for the slowest wave. A select counts twice, for the register that its other word
// keeps: at one cycle the tile of 64 registers of examples/gemm.py's matmul_fma is stored through
// shuffles, as quickly, but the kernel then has 106 registers instead of 79.
//
// CDNA's costs are in instructions of a wave, four cycles each. The LDS has 128 bytes a cycle for
// four SIMDs, so a transaction is one of these units of one SIMD. Its results are there up to 64
// cycles after the instruction (LLVM, SISchedule.td, WriteLDS), those of arithmetic with the next
// instruction.
//
//===--------------------------------------------------------------------------===//

#include "target/AmdAtoms.h"
#include "target/AmdLaneShuffle.h"
#include "target/AmdProcessor.h"
#include "target/RegisterModel.h"
#include "target/VendorTable.h"

#include <algorithm>
#include <array>

namespace tilewright::target::amd {

namespace {

/// Of what goes through shared memory's crossbar: ds_swizzle and ds_bpermute, which take as long as
/// an access of 4 bytes a lane: two cycles of RDNA's SIMD, and as many of CDNA's units, for twice
/// the lanes.
constexpr target::ShuffleCost CrossbarShuffle = {.cycles = 2, .latency = 15};
constexpr target::ShuffleCost IndexedShuffle = {.cycles = 2, .latency = 15, .isIndexed = true};

constexpr LaneMoves RdnaMoves = {.hasRowShare = true, .hasRowPatterns = true, .hasPermlane = true};
constexpr LaneMoves CdnaMoves = {
    .hasRowShare = true, .hasRowPatterns = false, .hasPermlane = false};

template <const LaneMoves &moves>
target::ShuffleCost costOfShuffle(std::span<const unsigned> sources) {
  LaneShuffle plan = planLaneShuffle(sources, moves);
  if (plan.kind == LaneShuffle::Kind::Indexed)
    return IndexedShuffle;
  return plan.kind == LaneShuffle::Kind::Swizzle
             ? CrossbarShuffle
             : target::ShuffleCost{.cycles = plan.cost(), .latency = 0};
}

constexpr target::Costs RdnaCosts = {.select = 2,
                                     .permute = 1,
                                     .shuffle = CrossbarShuffle,
                                     .fixedShuffle = costOfShuffle<RdnaMoves>,
                                     .transaction = 2,
                                     .access = 1,
                                     .latency = 15,
                                     .warpBarrier = 0,
                                     .blockBarrier = 30};

constexpr target::Costs CdnaCosts = [] {
  target::Costs costs = RdnaCosts;
  costs.lanes = 64;
  costs.fixedShuffle = costOfShuffle<CdnaMoves>;
  costs.transaction = 1;
  return costs;
}();

// Fitted by bench/resources/calibrate.py to what LLVM 22 allocates for gfx1201. Scalars have
// registers of their own.
constexpr RegisterWeights PlainWeights = {.base = 1,
                                          .values = 75,
                                          .addresses = 0,
                                          .indices = 11,
                                          .masks = 70,
                                          .scalars = 23,
                                          .operations = 7};
constexpr RegisterWeights ProductWeights = {.base = 9,
                                            .values = 104,
                                            .products = 124,
                                            .addresses = 74,
                                            .indices = 30,
                                            .masks = 36,
                                            .scalars = 0,
                                            .operations = 20};
constexpr RegisterModel Registers = {PlainWeights, ProductWeights};

// ds_load_b128 of RDNA 3 serves lanes 0 to 3 with 20 to 23, 4 to 7 with 16 to 19, 8 to 11 with 28
// to 31 and 12 to 15 with 24 to 27, as that of CDNA 3 does, and there the same of lanes 32 to 63;
// that of CDNA 2 is taken to be alike. AMD on RDNA 4, whose order is 0 to 7, 8
// to 15 and so on: "GFX12 has a change in banking from GFX11 that affects DS_LOAD_B96 and
// DS_LOAD_B128" (triton-lang/triton, pull request 11365, which has both groups). Narrower loads,
// and stores, serve consecutive lanes.
constexpr LaneGroups CrossedGroups = [] {
  LaneGroups groups;
  groups.loads[4] = {1, 2, 4 ^ 16, 4, 8, 32};
  return groups;
}();

// gfx950 has 64 banks. HazyResearch's HipKittens measured which lanes conflict
// (analysis/paper_experiments/phases): loads of 8 bytes find all of them, 32 lanes at a time; those
// of 16 bytes all of them, lanes 0 to 3 with 12 to 15 and 20 to 27, 4 to 11 with 16 to 19 and 28 to
// 31, and the same of lanes 32 to 63; stores of 8 bytes find 32, 16 consecutive lanes at a time.
// Others are taken to be like these stores.
constexpr LaneGroups Cdna4Groups = [] {
  LaneGroups groups;
  groups.loads[4] = {1, 2, 4 ^ 8, 4 ^ 16, 4, 32};
  return groups;
}();

// The last word of a buffer's descriptor (the guides, "Buffer Resource Descriptor"; MLIR's
// conversion of amdgpu.fat_raw_buffer_cast sets the same): the format is a 32-bit float, since
// untyped accesses need a valid one. From RDNA on a bit that those chips want, and OOB_SELECT,
// which compares the offset in bytes with the size; CDNA does so where there is no stride.
constexpr uint32_t CdnaBuffers = 7u << 12 | 4u << 15;
constexpr uint32_t RdnaBuffers = CdnaBuffers | 1u << 24 | 3u << 28;

constexpr Processor rdna3(std::string_view name, unsigned vectorsOfSimd, bool hasScalarsWithDpp,
                          unsigned bytesPerCycle) {
  return {.name = name,
          .waveLanes = 32,
          .waveFeature = "+wavefrontsize32",
          .registers = {.simds = 2,
                        .vectorsOfSimd = vectorsOfSimd,
                        .vectors = 256,
                        .accumulators = 0,
                        .scalars = 106},
          .shared = {.bytes = 64 * 1024, .banks = 32, .groups = CrossedGroups},
          .lanes = RdnaMoves,
          .waits = WaitFormat::Gfx11,
          .hasSplitBarriers = false,
          .hasMixedByteProducts = true,
          .writesHalves = true,
          .hasDualIssue = true,
          .hasFloat8Casts = false,
          .hasScalarsWithDpp = hasScalarsWithDpp,
          .hasProductsWithDpp = true,
          .hasGroupIdRegisters = true,
          .hasPrefetch = false,
          .maxBufferOffset = 0xfff,
          .bufferFlags = RdnaBuffers,
          .bytesPerCycle = bytesPerCycle,
          .copies = rdna3Copies,
          .products = rdna3Products};
}

constexpr Processor rdna4(std::string_view name) {
  Processor processor = rdna3(name, 1536, /*hasScalarsWithDpp=*/true, /*bytesPerCycle=*/7);
  processor.shared.groups = {};
  processor.waits = WaitFormat::Separate;
  processor.hasSplitBarriers = true;
  processor.writesHalves = false;
  processor.hasFloat8Casts = true;
  processor.hasProductsWithDpp = false;
  processor.hasGroupIdRegisters = false;
  processor.hasPrefetch = true;
  processor.maxBufferOffset = 0x7fffff;
  processor.copies = rdna4Copies;
  processor.products = rdna4Products;
  return processor;
}

constexpr Processor cdna(std::string_view name, unsigned bytesPerCycle, MmaList products) {
  return {.name = name,
          .waveLanes = 64,
          .waveFeature = "+wavefrontsize64",
          .registers = {.simds = 4,
                        .vectorsOfSimd = 512,
                        .vectors = 256,
                        .accumulators = 256,
                        .scalars = 102},
          .shared = {.bytes = 64 * 1024, .banks = 32, .groups = CrossedGroups},
          .lanes = CdnaMoves,
          .waits = WaitFormat::Gfx9,
          .hasSplitBarriers = false,
          .hasMixedByteProducts = false,
          .writesHalves = false,
          .hasDualIssue = false,
          .hasFloat8Casts = false,
          .hasScalarsWithDpp = false,
          .hasProductsWithDpp = true,
          .hasGroupIdRegisters = true,
          .hasPrefetch = false,
          .maxBufferOffset = 0xfff,
          .bufferFlags = CdnaBuffers,
          .bytesPerCycle = bytesPerCycle,
          .copies = cdnaCopies,
          .products = products};
}

constexpr Processor cdna4(std::string_view name, unsigned bytesPerCycle, MmaList products) {
  Processor processor = cdna(name, bytesPerCycle, products);
  processor.shared = {.bytes = 160 * 1024, .banks = 64, .groups = Cdna4Groups};
  processor.hasFloat8Casts = true;
  return processor;
}

// Bytes of memory a cycle and work-group processor: the data sheets of Radeon RX 7900 XTX (960
// GB/s, 48 work-group processors, 2.5 GHz), Ryzen AI 9 HX 370 (120, 8, 2.9), RX 9060 XT (320,
// 16, 3.1) and RX 9070 XT (645, 32, 3.0).
// And a cycle and compute unit: Instinct MI250 (one of two dies: 1638 GB/s, 104 compute units, 1.7
// GHz), MI300X (5300, 304, 2.1) and MI355X (8000, 256, 2.4).
constexpr std::array Processors = {
    cdna("gfx90a", /*bytesPerCycle=*/9, cdna2Products),
    cdna("gfx942", /*bytesPerCycle=*/8, cdna3Products),
    cdna4("gfx950", /*bytesPerCycle=*/13, cdna4Products),
    rdna3("gfx1100", 1536, /*hasScalarsWithDpp=*/false, /*bytesPerCycle=*/8),
    rdna3("gfx1150", 1024, /*hasScalarsWithDpp=*/true, /*bytesPerCycle=*/5),
    rdna4("gfx1200"),
    rdna4("gfx1201"),
};

/// Two compute units of RDNA. Eight waves a SIMD keep it busy: a wave's arithmetic comes after 5
/// cycles and memory of the group after 20, and threads of 192 registers, which products need,
/// leave no more.
constexpr Multiprocessor workGroupProcessorOf(const Processor &processor) {
  const RegisterFiles &registers = processor.registers;
  return {.partitions = 2 * registers.simds,
          .warpsPerPartition = 16,
          .registersPerPartition = registers.vectorsOfSimd,
          .registerUnit = registers.vectorsOfSimd == 1536 ? 24u : 16u,
          .maxBlocks = 64,
          .maxBlocksWithBarrier = 32,
          .sharedBytes = 2 * processor.shared.bytes,
          .sharedUnit = 512,
          .busyWarps = 32};
}

/// A compute unit of CDNA. Four waves a SIMD keep it busy: the arithmetic of a wave needs no other,
/// and an instruction of each of the others takes the time of a quarter of what the LDS takes for
/// an answer. Threads of 256 registers, which products need, leave two.
constexpr Multiprocessor computeUnitOf(const Processor &processor) {
  const RegisterFiles &registers = processor.registers;
  return {.partitions = registers.simds,
          .warpsPerPartition = 8,
          .registersPerPartition = registers.vectorsOfSimd,
          .registerUnit = 8,
          .maxBlocks = 32,
          .maxBlocksWithBarrier = 16,
          .sharedBytes = processor.shared.bytes,
          .sharedUnit = processor.shared.bytes > 64 * 1024 ? 1280u : 512u,
          .busyWarps = 16};
}

constexpr Target entry(std::string_view name, std::string_view description,
                       const Processor &processor) {
  const RegisterFiles &registers = processor.registers;
  const bool isCdna = registers.accumulators != 0;
  return {
      .name = name,
      .description = description,
      .vendor = Vendor::Amd,
      .processor = processor.name,
      .features = processor.waveFeature,
      .execution = {.warpSizes = {&processor.waveLanes, 1},
                    .threadsPerWarp = processor.waveLanes,
                    .maxThreadsPerBlock = 1024,
                    .maxRegistersPerThread = registers.vectors + registers.accumulators,
                    .resultLatency = 5,
                    .specialCycles = 4,
                    .warpUnit = {.registers = registers.scalars,
                                 .minLoadBytes = 4,
                                 .maxLoadBytes = 64,
                                 .loadCycles = 2},
                    .hasByteDotProduct = true,
                    .hasFloat8Casts = processor.hasFloat8Casts},
      .multiprocessor = isCdna ? computeUnitOf(processor) : workGroupProcessorOf(processor),
      .registers = &Registers,
      .shared = {.maxBytes = processor.shared.bytes,
                 .banks = processor.shared.banks,
                 .groups = processor.shared.groups},
      .global = {.maxAtomicAddBits = 32, .latency = 320, .bytesPerCycle = processor.bytesPerCycle},
      .costs = isCdna ? CdnaCosts : RdnaCosts,
      .copies = processor.copies,
      .products = processor.products};
}

constexpr std::array Targets = {
    entry("hip:gfx90a", "AMD CDNA 2 (Instinct MI200)", Processors[0]),
    entry("hip:gfx942", "AMD CDNA 3 (Instinct MI300)", Processors[1]),
    entry("hip:gfx950", "AMD CDNA 4 (Instinct MI350)", Processors[2]),
    entry("hip:gfx1100", "AMD RDNA 3 (Radeon RX 7900)", Processors[3]),
    entry("hip:gfx1150", "AMD RDNA 3.5 (Radeon 890M)", Processors[4]),
    entry("hip:gfx1200", "AMD RDNA 4 (Radeon RX 9060)", Processors[5]),
    entry("hip:gfx1201", "AMD RDNA 4 (Radeon RX 9070)", Processors[6]),
};

} // namespace

std::span<const Processor> processors() { return Processors; }

const Processor &processorOf(const Target &target) {
  return *std::ranges::find(Processors, target.processor, &Processor::name);
}

VendorTable vendorTable() {
  static constexpr std::string_view launchOptions[] = {"enable_fp_fusion", "waves_per_eu",
                                                       "matrix_instr_nonkdim", "kpack",
                                                       "launch_cooperative_grid"};
  return {Vendor::Amd,   "AMD",  "amd", "hip", {".hsaco", ".amdgcn", LaunchFormat::Hsa},
          launchOptions, Targets};
}

} // namespace tilewright::target::amd
