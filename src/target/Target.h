//===- Target.h - What each GPU can do ------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One table entry a GPU. Common code never asks "is this vendor X" but for what it needs:
// the lanes of a warp, the bytes of shared memory, whether there are asynchronous
// copies. The entries of a vendor, and where their numbers come from, are in
// <vendor>/Targets.cpp.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_TARGET_H
#define TILEWRIGHT_TARGET_TARGET_H

#include "support/Result.h"
#include "target/Atom.h"
#include "target/ExchangeModel.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::target {

enum class Vendor { Nvidia, Amd, Intel };

/// What is compiled for where nobody names a target.
inline constexpr std::string_view defaultTargetName = "cuda:90";

/// Units of a warp as a whole. A target without has no registers there.
struct WarpUnit {
  /// 32-bit registers that a warp has for what its lanes have in common.
  unsigned registers = 0;
  /// The bytes that one load takes, from one address: at least and at most.
  unsigned minLoadBytes = 0;
  unsigned maxLoadBytes = 0;
  /// Cycles (target/Costs.h) that a load takes of the unit.
  unsigned loadCycles = 0;
};

/// Atoms of a target; the same list at every call, from any thread.
using CopyList = std::span<const CopyAtom> (*)();
using MmaList = std::span<const MmaAtom> (*)();

struct Target {
  /// What users write: "cuda:90", "hip:gfx1100", "xpu:bmg".
  std::string_view name;
  /// For people: "NVIDIA Hopper (compute capability 9.0)".
  std::string_view description;
  Vendor vendor;
  /// What the code generator calls the processor, and the features to switch on.
  std::string_view processor;
  std::string_view features;
  /// For cuda: ten times the compute capability; otherwise 0.
  unsigned computeCapability;
  /// Whether this compiler generates code for it; otherwise it only answers questions.
  bool canCompile;

  /// The lanes that warps may have, ascending, and what they have where nobody chooses.
  std::span<const unsigned> warpSizes;
  unsigned threadsPerWarp;
  unsigned maxThreadsPerBlock;
  /// Shared memory that one block may have, in bytes: without asking, and at most.
  unsigned defaultSharedBytes;
  unsigned maxSharedBytes;
  /// Bytes of it that a conversion stays within by moving the data in several repetitions. More
  /// where registers are few: between repetitions some warps keep all they have beside what they
  /// load.
  unsigned preferredScratchBytes;
  /// Whether whoever launches a kernel says how much of it a block gets. Otherwise the kernel does.
  bool sharedBytesAtLaunch;
  unsigned sharedBanks;
  unsigned sharedBankBytes;
  /// In warps of threadsPerWarp lanes; where warps may be wider their lanes share these.
  unsigned maxRegistersPerThread;
  /// 32-bit registers of one multiprocessor (compute unit, core).
  unsigned registersPerMultiprocessor;
  /// What values that the lanes of a warp have in common are loaded and computed by, once for the
  /// warp.
  WarpUnit warpUnit = {};
  /// The widest access of one lane to global and to shared memory.
  unsigned maxGlobalAccessBits;
  unsigned maxSharedAccessBits;
  /// The bytes that global memory is read and written in at least.
  unsigned sectorBytes;
  /// Bits of neighbouring floats, of 16 or 32 bits each, in global memory that one atomic addition
  /// takes: 32 is a pair of 16. 0: one float at a time.
  unsigned maxAtomicAddBits = 0;

  /// What moving data between threads costs.
  target::Costs costs;
  /// In the same cycles: for how long a load of a warp from global memory keeps the unit of loads
  /// busy, besides a cycle for each sector that it touches.
  unsigned loadCycles;

  /// The instructions that copy and that multiply tiles (Atom.h); lists that are made when first
  /// asked for.
  CopyList copies;
  MmaList products;

  /// The entry of this name; null if there is none.
  static const Target *find(std::string_view name);
  /// The entry of this name, or an error that lists those there are.
  static Result<const Target *> parse(std::string_view name);
  /// All entries, in the order in which `tilewright targets` prints them.
  static std::span<const Target> all();

  /// The widest access of one lane to any memory.
  unsigned maxAccessBits() const { return std::min(maxGlobalAccessBits, maxSharedAccessBits); }

  bool hasWarpSize(uint64_t lanes) const;
  /// The sizes of warps in words: "32", "16 or 32".
  std::string warpSizesText() const;

  /// The asynchronous copy of `bits` bits of each lane from global to shared memory; null if there
  /// is none.
  const CopyAtom *findAsyncCopy(unsigned bits) const;

  /// The part that conversion plans ask for.
  target::ExchangeModel sharedMemory() const;
};

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_TARGET_H
