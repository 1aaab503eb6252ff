//===- IntelProcessor.h - Facts of Intel's processors ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One row a processor; the entries of targets are made of these rows. Intel.cpp has the rows and
// the sources of their numbers.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_INTELPROCESSOR_H
#define TILEWRIGHT_TARGET_INTELPROCESSOR_H

#include "target/Target.h"

namespace tilewright::target::intel {

/// Releases of one architecture of graphics IP, as drivers tell them.
struct IpVersions {
  uint32_t architecture, firstRelease, lastRelease;
};

/// The registers of a Xe core.
struct RegisterFile {
  /// Vector engines, and the hardware threads of each at most.
  unsigned engines, threads;
  /// General registers of a thread, and the bytes of one.
  unsigned registers, registerBytes;
  /// A thread's registers are a multiple of `unit`, and those of an engine's threads `all`
  /// together.
  unsigned unit, all;
};

struct Processor {
  /// As Intel's compiler spells it: "pvc".
  std::string_view name;
  IpVersions versions;
  RegisterFile file;
  /// Lanes of 32 bits that a vector engine takes in one instruction.
  unsigned engineLanes;
  unsigned sharedBytes;
  /// GlobalMemoryModel::bytesPerCycle.
  unsigned bytesPerCycle;
  MmaList products;
};

/// All of them, oldest first.
std::span<const Processor> processors();

/// That of `target`, one of Intel's.
const Processor &processorOf(const Target &target);

} // namespace tilewright::target::intel

#endif // TILEWRIGHT_TARGET_INTELPROCESSOR_H
