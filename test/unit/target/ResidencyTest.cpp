//===- ResidencyTest.cpp - Blocks that a multiprocessor holds -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/NvidiaMultiprocessor.h"
#include "target/Target.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::target;

namespace {

/// The answers of cuda_occupancy.h, CUDA 13.5 (PyPI, nvidia-cuda-runtime 13.5.37):
/// `./occupancy table` of bench/resources/occupancy.cpp, which compares all other cases, too.
constexpr struct {
  unsigned capability, warps, registers, sharedBytes, blocks;
} nvidiaCases[] = {
    {80, 1, 16, 0, 32},       {80, 1, 255, 0, 8},       {80, 2, 40, 3000, 24},
    {80, 3, 97, 12345, 5},    {80, 4, 128, 32768, 4},   {80, 4, 168, 101376, 1},
    {80, 5, 33, 1024, 9},     {80, 8, 255, 0, 1},       {80, 8, 64, 49152, 3},
    {80, 12, 168, 8192, 1},   {80, 16, 128, 512, 1},    {80, 32, 64, 65536, 1},
    {80, 32, 65, 0, 0},       {86, 1, 16, 0, 16},       {86, 1, 255, 0, 8},
    {86, 2, 40, 3000, 16},    {86, 3, 97, 12345, 5},    {86, 4, 128, 32768, 3},
    {86, 4, 168, 101376, 1},  {86, 5, 33, 1024, 9},     {86, 8, 255, 0, 1},
    {86, 8, 64, 49152, 2},    {86, 12, 168, 8192, 1},   {86, 16, 128, 512, 1},
    {86, 32, 64, 65536, 1},   {86, 32, 65, 0, 0},       {87, 1, 16, 0, 16},
    {87, 1, 255, 0, 8},       {87, 2, 40, 3000, 16},    {87, 3, 97, 12345, 5},
    {87, 4, 128, 32768, 4},   {87, 4, 168, 101376, 1},  {87, 5, 33, 1024, 9},
    {87, 8, 255, 0, 1},       {87, 8, 64, 49152, 3},    {87, 12, 168, 8192, 1},
    {87, 16, 128, 512, 1},    {87, 32, 64, 65536, 1},   {87, 32, 65, 0, 0},
    {89, 1, 16, 0, 24},       {89, 1, 255, 0, 8},       {89, 2, 40, 3000, 24},
    {89, 3, 97, 12345, 5},    {89, 4, 128, 32768, 3},   {89, 4, 168, 101376, 1},
    {89, 5, 33, 1024, 9},     {89, 8, 255, 0, 1},       {89, 8, 64, 49152, 2},
    {89, 12, 168, 8192, 1},   {89, 16, 128, 512, 1},    {89, 32, 64, 65536, 1},
    {89, 32, 65, 0, 0},       {90, 1, 16, 0, 32},       {90, 1, 255, 0, 8},
    {90, 2, 40, 3000, 24},    {90, 3, 97, 12345, 5},    {90, 4, 128, 32768, 4},
    {90, 4, 168, 101376, 2},  {90, 5, 33, 1024, 9},     {90, 8, 255, 0, 1},
    {90, 8, 64, 49152, 4},    {90, 12, 168, 8192, 1},   {90, 16, 128, 512, 1},
    {90, 32, 64, 65536, 1},   {90, 32, 65, 0, 0},       {100, 1, 16, 0, 32},
    {100, 1, 255, 0, 8},      {100, 2, 40, 3000, 24},   {100, 3, 97, 12345, 5},
    {100, 4, 128, 32768, 4},  {100, 4, 168, 101376, 2}, {100, 5, 33, 1024, 9},
    {100, 8, 255, 0, 1},      {100, 8, 64, 49152, 4},   {100, 12, 168, 8192, 1},
    {100, 16, 128, 512, 1},   {100, 32, 64, 65536, 1},  {100, 32, 65, 0, 0},
    {103, 1, 16, 0, 32},      {103, 1, 255, 0, 8},      {103, 2, 40, 3000, 24},
    {103, 3, 97, 12345, 5},   {103, 4, 128, 32768, 4},  {103, 4, 168, 101376, 2},
    {103, 5, 33, 1024, 9},    {103, 8, 255, 0, 1},      {103, 8, 64, 49152, 4},
    {103, 12, 168, 8192, 1},  {103, 16, 128, 512, 1},   {103, 32, 64, 65536, 1},
    {103, 32, 65, 0, 0},      {110, 1, 16, 0, 24},      {110, 1, 255, 0, 8},
    {110, 2, 40, 3000, 24},   {110, 3, 97, 12345, 5},   {110, 4, 128, 32768, 4},
    {110, 4, 168, 101376, 2}, {110, 5, 33, 1024, 9},    {110, 8, 255, 0, 1},
    {110, 8, 64, 49152, 4},   {110, 12, 168, 8192, 1},  {110, 16, 128, 512, 1},
    {110, 32, 64, 65536, 1},  {110, 32, 65, 0, 0},      {120, 1, 16, 0, 24},
    {120, 1, 255, 0, 8},      {120, 2, 40, 3000, 24},   {120, 3, 97, 12345, 5},
    {120, 4, 128, 32768, 3},  {120, 4, 168, 101376, 1}, {120, 5, 33, 1024, 9},
    {120, 8, 255, 0, 1},      {120, 8, 64, 49152, 2},   {120, 12, 168, 8192, 1},
    {120, 16, 128, 512, 1},   {120, 32, 64, 65536, 1},  {120, 32, 65, 0, 0},
    {121, 1, 16, 0, 24},      {121, 1, 255, 0, 8},      {121, 2, 40, 3000, 24},
    {121, 3, 97, 12345, 5},   {121, 4, 128, 32768, 3},  {121, 4, 168, 101376, 1},
    {121, 5, 33, 1024, 9},    {121, 8, 255, 0, 1},      {121, 8, 64, 49152, 2},
    {121, 12, 168, 8192, 1},  {121, 16, 128, 512, 1},   {121, 32, 64, 65536, 1},
    {121, 32, 65, 0, 0},
};

TEST(Residency, IsThatOfNvidiasHeader) {
  for (const auto &each : nvidiaCases)
    EXPECT_EQ(findResidency(nvidia::multiprocessorOf(each.capability),
                            {each.warps, each.registers, each.sharedBytes})
                  .blocks,
              each.blocks)
        << each.capability << ": " << each.warps << " warps, " << each.registers << " registers, "
        << each.sharedBytes << " bytes";
}

/// The waves that LLVM 22 states in its assembly's comments: `bench/resources/amd_occupancy.py`.
constexpr struct {
  const char *target;
  unsigned waves, registers, sharedBytes, wavesOfSimd;
} amdCases[] = {
    {"hip:gfx942", 1, 24, 512, 8},      {"hip:gfx942", 1, 73, 4000, 4},
    {"hip:gfx942", 1, 97, 20000, 1},    {"hip:gfx942", 1, 168, 65536, 1},
    {"hip:gfx942", 1, 250, 33000, 1},   {"hip:gfx942", 2, 24, 512, 8},
    {"hip:gfx942", 2, 73, 4000, 6},     {"hip:gfx942", 2, 97, 20000, 2},
    {"hip:gfx942", 2, 168, 65536, 1},   {"hip:gfx942", 2, 250, 33000, 1},
    {"hip:gfx942", 4, 24, 512, 8},      {"hip:gfx942", 4, 73, 4000, 6},
    {"hip:gfx942", 4, 97, 20000, 3},    {"hip:gfx942", 4, 168, 65536, 1},
    {"hip:gfx942", 4, 250, 33000, 1},   {"hip:gfx942", 8, 24, 512, 8},
    {"hip:gfx942", 8, 73, 4000, 6},     {"hip:gfx942", 8, 97, 20000, 4},
    {"hip:gfx942", 8, 168, 65536, 2},   {"hip:gfx942", 8, 250, 33000, 2},
    {"hip:gfx942", 16, 24, 512, 8},     {"hip:gfx942", 16, 73, 4000, 6},
    {"hip:gfx942", 16, 97, 20000, 4},   {"hip:gfx942", 16, 168, 65536, 3},
    {"hip:gfx942", 16, 250, 33000, 2},  {"hip:gfx950", 1, 24, 512, 8},
    {"hip:gfx950", 1, 73, 4000, 6},     {"hip:gfx950", 1, 97, 20000, 2},
    {"hip:gfx950", 1, 168, 65536, 1},   {"hip:gfx950", 1, 250, 33000, 1},
    {"hip:gfx950", 2, 24, 512, 8},      {"hip:gfx950", 2, 73, 4000, 6},
    {"hip:gfx950", 2, 97, 20000, 4},    {"hip:gfx950", 2, 168, 65536, 1},
    {"hip:gfx950", 2, 250, 33000, 2},   {"hip:gfx950", 4, 24, 512, 8},
    {"hip:gfx950", 4, 73, 4000, 6},     {"hip:gfx950", 4, 97, 20000, 4},
    {"hip:gfx950", 4, 168, 65536, 2},   {"hip:gfx950", 4, 250, 33000, 2},
    {"hip:gfx950", 8, 24, 512, 8},      {"hip:gfx950", 8, 73, 4000, 6},
    {"hip:gfx950", 8, 97, 20000, 4},    {"hip:gfx950", 8, 168, 65536, 3},
    {"hip:gfx950", 8, 250, 33000, 2},   {"hip:gfx950", 16, 24, 512, 8},
    {"hip:gfx950", 16, 73, 4000, 6},    {"hip:gfx950", 16, 97, 20000, 4},
    {"hip:gfx950", 16, 168, 65536, 3},  {"hip:gfx950", 16, 250, 33000, 2},
    {"hip:gfx1100", 1, 24, 512, 16},    {"hip:gfx1100", 1, 73, 4000, 8},
    {"hip:gfx1100", 1, 97, 20000, 2},   {"hip:gfx1100", 1, 168, 65536, 1},
    {"hip:gfx1100", 1, 250, 33000, 1},  {"hip:gfx1100", 2, 24, 512, 16},
    {"hip:gfx1100", 2, 73, 4000, 16},   {"hip:gfx1100", 2, 97, 20000, 3},
    {"hip:gfx1100", 2, 168, 65536, 1},  {"hip:gfx1100", 2, 250, 33000, 2},
    {"hip:gfx1100", 4, 24, 512, 16},    {"hip:gfx1100", 4, 73, 4000, 16},
    {"hip:gfx1100", 4, 97, 20000, 6},   {"hip:gfx1100", 4, 168, 65536, 2},
    {"hip:gfx1100", 4, 250, 33000, 3},  {"hip:gfx1100", 8, 24, 512, 16},
    {"hip:gfx1100", 8, 73, 4000, 16},   {"hip:gfx1100", 8, 97, 20000, 12},
    {"hip:gfx1100", 8, 168, 65536, 4},  {"hip:gfx1100", 8, 250, 33000, 5},
    {"hip:gfx1100", 16, 24, 512, 16},   {"hip:gfx1100", 16, 73, 4000, 16},
    {"hip:gfx1100", 16, 97, 20000, 12}, {"hip:gfx1100", 16, 168, 65536, 8},
    {"hip:gfx1100", 16, 250, 33000, 5}, {"hip:gfx1100", 32, 24, 512, 16},
    {"hip:gfx1100", 32, 73, 4000, 16},  {"hip:gfx1100", 32, 97, 20000, 12},
    {"hip:gfx1100", 32, 168, 65536, 9}, {"hip:gfx1100", 32, 250, 33000, 5},
    {"hip:gfx1150", 1, 24, 512, 16},    {"hip:gfx1150", 1, 73, 4000, 8},
    {"hip:gfx1150", 1, 97, 20000, 2},   {"hip:gfx1150", 1, 168, 65536, 1},
    {"hip:gfx1150", 1, 250, 33000, 1},  {"hip:gfx1150", 2, 24, 512, 16},
    {"hip:gfx1150", 2, 73, 4000, 12},   {"hip:gfx1150", 2, 97, 20000, 3},
    {"hip:gfx1150", 2, 168, 65536, 1},  {"hip:gfx1150", 2, 250, 33000, 2},
    {"hip:gfx1150", 4, 24, 512, 16},    {"hip:gfx1150", 4, 73, 4000, 12},
    {"hip:gfx1150", 4, 97, 20000, 6},   {"hip:gfx1150", 4, 168, 65536, 2},
    {"hip:gfx1150", 4, 250, 33000, 3},  {"hip:gfx1150", 8, 24, 512, 16},
    {"hip:gfx1150", 8, 73, 4000, 12},   {"hip:gfx1150", 8, 97, 20000, 9},
    {"hip:gfx1150", 8, 168, 65536, 4},  {"hip:gfx1150", 8, 250, 33000, 4},
    {"hip:gfx1150", 16, 24, 512, 16},   {"hip:gfx1150", 16, 73, 4000, 12},
    {"hip:gfx1150", 16, 97, 20000, 9},  {"hip:gfx1150", 16, 168, 65536, 5},
    {"hip:gfx1150", 16, 250, 33000, 4}, {"hip:gfx1150", 32, 24, 512, 16},
    {"hip:gfx1150", 32, 73, 4000, 12},  {"hip:gfx1150", 32, 97, 20000, 9},
    {"hip:gfx1150", 32, 168, 65536, 5}, {"hip:gfx1150", 32, 250, 33000, 4},
    {"hip:gfx1201", 1, 24, 512, 16},    {"hip:gfx1201", 1, 73, 4000, 8},
    {"hip:gfx1201", 1, 97, 20000, 2},   {"hip:gfx1201", 1, 168, 65536, 1},
    {"hip:gfx1201", 1, 250, 33000, 1},  {"hip:gfx1201", 2, 24, 512, 16},
    {"hip:gfx1201", 2, 73, 4000, 16},   {"hip:gfx1201", 2, 97, 20000, 3},
    {"hip:gfx1201", 2, 168, 65536, 1},  {"hip:gfx1201", 2, 250, 33000, 2},
    {"hip:gfx1201", 4, 24, 512, 16},    {"hip:gfx1201", 4, 73, 4000, 16},
    {"hip:gfx1201", 4, 97, 20000, 6},   {"hip:gfx1201", 4, 168, 65536, 2},
    {"hip:gfx1201", 4, 250, 33000, 3},  {"hip:gfx1201", 8, 24, 512, 16},
    {"hip:gfx1201", 8, 73, 4000, 16},   {"hip:gfx1201", 8, 97, 20000, 12},
    {"hip:gfx1201", 8, 168, 65536, 4},  {"hip:gfx1201", 8, 250, 33000, 5},
    {"hip:gfx1201", 16, 24, 512, 16},   {"hip:gfx1201", 16, 73, 4000, 16},
    {"hip:gfx1201", 16, 97, 20000, 12}, {"hip:gfx1201", 16, 168, 65536, 8},
    {"hip:gfx1201", 16, 250, 33000, 5}, {"hip:gfx1201", 32, 24, 512, 16},
    {"hip:gfx1201", 32, 73, 4000, 16},  {"hip:gfx1201", 32, 97, 20000, 12},
    {"hip:gfx1201", 32, 168, 65536, 9}, {"hip:gfx1201", 32, 250, 33000, 5},
};

/// LLVM states the lesser of two bounds: the waves that the registers of a SIMD suffice for, and
/// those of the blocks that all else suffices for.
TEST(Residency, IsThatOfLlvmForAmd) {
  for (const auto &each : amdCases) {
    const Multiprocessor &processor = Target::find(each.target)->multiprocessor;
    const unsigned waves =
        findResidency(processor, {each.waves, 0, each.sharedBytes}).blocks * each.waves;
    const unsigned ofSimd = (waves + processor.partitions - 1) / processor.partitions;
    const unsigned byRegisters =
        findResidency(processor, {1, each.registers}).blocks / processor.partitions;
    EXPECT_EQ(std::min(ofSimd, byRegisters), each.wavesOfSimd)
        << each.target << ": " << each.waves << " waves, " << each.registers << " VGPRs, "
        << each.sharedBytes << " bytes";
  }
}

/// Intel's compute runtime, calculateAvailableThreadCount: threads of an engine by registers.
TEST(Residency, ThreadsOfAnEngineAreThoseOfIntelsRuntime) {
  constexpr struct {
    const char *target;
    unsigned registers, threads;
  } cases[] = {{"xpu:pvc", 128, 8}, {"xpu:pvc", 256, 4}, {"xpu:bmg", 100, 8}, {"xpu:bmg", 129, 4},
               {"xpu:lnl", 128, 8}, {"xpu:ptl", 32, 10}, {"xpu:ptl", 96, 10}, {"xpu:ptl", 97, 8},
               {"xpu:ptl", 128, 8}, {"xpu:ptl", 160, 6}, {"xpu:ptl", 192, 5}, {"xpu:ptl", 256, 4}};
  for (const auto &each : cases)
    EXPECT_EQ(findResidency(Target::find(each.target)->multiprocessor, {1, each.registers}).blocks,
              8 * each.threads)
        << each.target << " " << each.registers;
}

/// The same, getMaxWorkGroupCount and alignSlmSize, for a core: memory in a few sizes, 32 barriers.
TEST(Residency, WorkGroupsOfACoreAreThoseOfIntelsRuntime) {
  constexpr struct {
    unsigned threads, sharedBytes, groups;
    Bound bound;
  } cases[] = {{2, 0, 32, Bound::Blocks},
               {4, 0, 16, Bound::Warps},
               {4, 9 << 10, 8, Bound::SharedMemory}, // 16 KiB
               {4, 16 << 10, 8, Bound::SharedMemory},
               {4, 17 << 10, 5, Bound::SharedMemory}, // 24 KiB
               {8, 33 << 10, 2, Bound::SharedMemory}, // 48 KiB
               {8, 128 << 10, 1, Bound::SharedMemory},
               {8, (128 << 10) + 1, 0, Bound::SharedMemory}};
  for (const auto &each : cases)
    EXPECT_EQ(findResidency(Target::find("xpu:pvc")->multiprocessor,
                            {each.threads, 128, each.sharedBytes}),
              (Residency{each.groups, each.bound}))
        << each.threads << " " << each.sharedBytes;
}

TEST(Residency, TensorMemoryIsShared) {
  const Multiprocessor &blackwell = Target::find("cuda:100")->multiprocessor;
  EXPECT_EQ(findResidency(blackwell, {4, 64, 0, 256}), (Residency{2, Bound::TensorMemory}));
  EXPECT_EQ(findResidency(blackwell, {4, 64, 0, 512}).blocks, 1u);
  EXPECT_EQ(findResidency(Target::find("cuda:90")->multiprocessor, {4, 64, 0, 32}).blocks, 0u);
}

/// Against a search over all numbers of registers and bytes.
TEST(Residency, WhatWarpsAndBlocksMayHaveIsTheMostThatFits) {
  for (const Target &target : Target::all()) {
    const Multiprocessor &each = target.multiprocessor;
    for (unsigned warps = 1; warps <= each.maxWarps(); ++warps) {
      unsigned most = 0;
      for (unsigned registers = 1; registers <= each.registersPerPartition; ++registers)
        if (findResidency(each, {each.partitions, registers}).blocks * each.partitions >= warps)
          most = registers;
      EXPECT_EQ(registersForWarps(each, warps), most) << target.name << " " << warps;
    }
    EXPECT_EQ(registersForWarps(each, each.maxWarps() + 1), 0u) << target.name;
    for (unsigned blocks : {1, 2, 3, 5, 8, 16}) {
      uint64_t most = 0;
      for (uint64_t bytes = 0; bytes <= each.sharedBytes; bytes += 128)
        if (findResidency(each, {1, 0, bytes}).blocks >= blocks)
          most = bytes;
      EXPECT_EQ(sharedBytesForBlocks(each, blocks), most) << target.name << " " << blocks;
    }
  }
}

TEST(Residency, MultiprocessorsAreSane) {
  for (const Target &target : Target::all()) {
    const Multiprocessor &each = target.multiprocessor;
    EXPECT_LE(target.shared.maxBytes + each.reservedSharedBytes, each.sharedBytes) << target.name;
    EXPECT_LE(each.busyWarps, each.maxWarps()) << target.name;
    EXPECT_EQ(each.busyWarps % each.partitions, 0u) << target.name;
    EXPECT_LE(each.maxBlocksWithBarrier, each.maxBlocks) << target.name;
    EXPECT_TRUE(std::ranges::is_sorted(each.sharedSizes)) << target.name;
    // A block of the most threads runs, with registers for something.
    const unsigned warps = target.execution.maxThreadsPerBlock / target.execution.threadsPerWarp;
    EXPECT_GE(target.registersForWarps(warps, target.execution.threadsPerWarp), 64u) << target.name;
  }
  const Target &hopper = *Target::find("cuda:90");
  EXPECT_EQ(hopper.registersForWarps(16, 32), 128u);
  EXPECT_EQ(hopper.registersForWarps(1, 32), 255u);
  // Lanes of wider warps share the registers of a warp.
  const Target &intel = *Target::find("xpu:pvc");
  EXPECT_EQ(intel.registersForWarps(8, 16), 128u);
  EXPECT_EQ(intel.registersForWarps(8, 32), 64u);
}

/// As many as are resident, up to those that are enough.
TEST(Residency, BusyWarps) {
  const Multiprocessor &hopper = Target::find("cuda:90")->multiprocessor;
  EXPECT_EQ(countBusyWarps(hopper, {4, 255}), 8u);
  EXPECT_EQ(countBusyWarps(hopper, {4, 64}), 16u);
  EXPECT_EQ(countBusyWarps(hopper, {8, 0, 120 * 1024}), 8u);
}

} // namespace
