//===- NvidiaProcessor.h - Facts of NVIDIA's processors -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One row a processor. NVIDIA's own code asks here and never for a processor's name; the entries of
// targets are made of these rows. Nvidia.cpp has the rows and the sources of their numbers.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_NVIDIAPROCESSOR_H
#define TILEWRIGHT_TARGET_NVIDIAPROCESSOR_H

#include "target/Target.h"

namespace tilewright::target::nvidia {

struct Processor {
  /// As LLVM spells it, and the version of PTX that knows all that is used of it.
  std::string_view name;
  std::string_view ptxFeature;
  /// Shared memory that a block may ask for, in KiB.
  unsigned sharedKiB;
  /// What the blocks of a multiprocessor share.
  Multiprocessor multiprocessor;

  /// Whether one instruction makes e4m3 or e5m2 of two f32 (cvt).
  bool hasFloat8Casts = false;
  /// Barriers of phases in shared memory (mbarrier), copies of tiles by the tensor memory
  /// accelerator, clusters of blocks, and launches that overlap (griddepcontrol).
  bool hasTensorCopies = false;
  /// Blocks of a cluster that every launch may have; 1: there are no clusters.
  unsigned maxClusterBlocks = 1;
  /// The fewest registers that a lane can keep where warp groups hand some to one another
  /// (setmaxnreg); 0: they do not.
  unsigned minKeptRegisters = 0;
  /// Atomic additions of bf16, and of vectors of floats in global memory.
  bool hasVectorAdditions = false;
  /// Sums of f32 and f16 in one instruction (add.f32.f16).
  bool hasMixedSums = false;
  /// The widest access of a lane to global memory, in bits.
  unsigned maxGlobalBits = 128;
  /// GlobalMemoryModel::bytesPerCycle.
  unsigned bytesPerCycle = 0;

  CopyList copies;
  MmaList products;
};

/// All of them, oldest first.
std::span<const Processor> processors();

/// That of `target`, one of NVIDIA's.
const Processor &processorOf(const Target &target);

} // namespace tilewright::target::nvidia

#endif // TILEWRIGHT_TARGET_NVIDIAPROCESSOR_H
