//===- AmdProcessor.h - Facts of AMD's processors -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One row a processor. AMD's own code asks here and never for a processor's name; the entries of
// targets are made of these rows. Amd.cpp has the rows and the sources of their numbers.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_AMDPROCESSOR_H
#define TILEWRIGHT_TARGET_AMDPROCESSOR_H

#include "target/AmdLaneShuffle.h"
#include "target/Target.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tilewright::target::amd {

/// The registers of a compute unit, of 32 bits each.
struct RegisterFiles {
  /// SIMDs of a compute unit, and the vector registers of a lane of each.
  unsigned simds;
  unsigned vectorsOfSimd;
  /// Vector registers of a lane of one wave.
  unsigned vectors;
  /// Registers of a lane of one wave that only matrix instructions and moves reach (AGPRs).
  unsigned accumulators;
  /// Scalar registers of a wave.
  unsigned scalars;
};

/// The memory of a work-group.
struct LocalDataShare {
  unsigned bytes;
  /// Banks of 4 bytes.
  unsigned banks;
  /// The lanes that ds_load_b8 to b128 and ds_store_b8 to b128 serve together.
  LaneGroups groups;
};

/// How a wave waits for its accesses of memory.
enum class WaitFormat : uint8_t {
  Gfx9,    ///< s_waitcnt: lgkmcnt, of LDS and of scalar loads, from bit 8; vmcnt in two parts
  Gfx11,   ///< s_waitcnt: lgkmcnt from bit 4, vmcnt from bit 10
  Separate ///< an instruction for each counter, of which LDS and scalar loads have one each
};

struct Processor {
  /// As LLVM spells it.
  std::string_view name;
  /// Lanes of a wave in the mode that code is generated for, and LLVM's name of the mode.
  unsigned waveLanes;
  std::string_view waveFeature;
  RegisterFiles registers;
  LocalDataShare shared;
  LaneMoves lanes;

  WaitFormat waits;
  /// Barriers: whether a wave may signal first and wait later.
  bool hasSplitBarriers;
  /// Whether one instruction sums four products of bytes of which each factor says if it is signed
  /// (v_dot4_i32_iu8). Otherwise both are signed (v_dot4_i32_i8).
  bool hasMixedByteProducts;
  /// 16 bits: whether LLVM writes halves of registers unless told otherwise ("true 16-bit").
  bool writesHalves;
  /// Whether two instructions on f32 are issued as one.
  bool hasDualIssue;
  /// Whether one instruction makes e4m3 or e5m2 of two f32.
  bool hasFloat8Casts;
  /// DPP: whether the other operand may be a scalar register, and whether products take a moved
  /// operand.
  bool hasScalarsWithDpp;
  bool hasProductsWithDpp;
  /// Whether each of a work-group's three numbers comes in a scalar register of its own.
  bool hasGroupIdRegisters;
  /// Whether s_prefetch_data is there.
  bool hasPrefetch;
  /// The largest constant in a buffer instruction, and the last word of the descriptor of a buffer
  /// of bytes whose offsets are compared with its size.
  unsigned maxBufferOffset;
  uint32_t bufferFlags;
  /// GlobalMemoryModel::bytesPerCycle.
  unsigned bytesPerCycle;

  CopyList copies;
  MmaList products;
};

/// All of them, oldest first.
std::span<const Processor> processors();

/// That of `target`, one of AMD's.
const Processor &processorOf(const Target &target);

} // namespace tilewright::target::amd

#endif // TILEWRIGHT_TARGET_AMDPROCESSOR_H
