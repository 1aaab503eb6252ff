//===- Target.h - Tables of what each GPU has -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One table entry a GPU. Common code never asks "is this vendor X" but for what it needs:
// the lanes of a warp, the bytes of shared memory, whether there are asynchronous
// copies. The entries of a vendor, and where their numbers come from, are in
// the file of its name beside this one.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_TARGET_H
#define TILEWRIGHT_TARGET_TARGET_H

#include "target/Atom.h"
#include "target/ExchangeModel.h"
#include "target/LoopCosts.h"
#include "target/Residency.h"
#include "tilewright/support/Result.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::target {

/// One for each vendor of cmake/Vendors.cmake, in its order.
enum class Vendor {
#define TILEWRIGHT_VENDOR(Name, name) Name,
#include "target/AllVendors.inc"
};

/// A reduction of one i32 or f32 of each lane of a warp that may be one operation.
enum class WarpReduction {
  Add,
  And,
  Or,
  Xor,
  MinSigned,
  MaxSigned,
  MinUnsigned,
  MaxUnsigned,
  /// f32: the sum in any order; minimum and maximum, ignoring NaN.
  AddFloat,
  MinNumber,
  MaxNumber,
};

/// A set of them.
class WarpReductions {
public:
  constexpr WarpReductions() = default;
  constexpr WarpReductions(std::initializer_list<WarpReduction> reductions) {
    for (WarpReduction reduction : reductions)
      bits |= bitOf(reduction);
  }
  constexpr bool contains(WarpReduction reduction) const { return bits & bitOf(reduction); }

private:
  static constexpr uint32_t bitOf(WarpReduction reduction) {
    return uint32_t(1) << static_cast<unsigned>(reduction);
  }
  uint32_t bits = 0;
};

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

/// Threads, their registers, and what they compute beyond the arithmetic that all have.
struct Execution {
  /// The lanes that warps may have, ascending, and what they have where nobody chooses.
  std::span<const unsigned> warpSizes;
  unsigned threadsPerWarp;
  unsigned maxThreadsPerBlock;
  /// Barriers that a block has, each of which some of its warps meet at by themselves. 1: there is
  /// one, of all its warps.
  unsigned blockBarriers = 1;
  /// In warps of threadsPerWarp lanes; where warps may be wider their lanes share these.
  unsigned maxRegistersPerThread;
  /// Cycles (target/Costs.h) until the result of an instruction on registers is there.
  unsigned resultLatency;
  /// Cycles for which an instruction of threadsPerWarp lanes keeps the unit of functions such as
  /// exp busy.
  unsigned specialCycles;
  /// The unit that loads and computes values common to the lanes of a warp, once for the
  /// warp.
  WarpUnit warpUnit = {};
  /// The reductions of a warp that are one operation; shuffles do the others.
  WarpReductions warpReductions = {};
  /// Whether four products of signed bytes and their sum are one operation.
  bool hasByteDotProduct = false;
  /// Whether the upper half of the product of two integers of 32 or 64 bits is an operation of its
  /// own. Otherwise it is computed in twice the width.
  bool hasMultiplyHigh = false;
  /// Whether one operation makes e4m3 or e5m2 of two f32, and one f16 of two e4m3.
  bool hasFloat8Casts = false;
};

/// The memory that the threads of a block share.
struct SharedMemoryModel {
  /// Bytes that one block may have.
  unsigned maxBytes;
  /// Bytes of it that a conversion stays within by moving the data in several repetitions. More
  /// where registers are few: between repetitions some warps keep all they have beside what they
  /// load.
  unsigned preferredScratchBytes = 8 * 1024;
  /// Whether whoever launches a kernel says how much of it a block gets. Otherwise the kernel does.
  bool isSizedAtLaunch = false;
  unsigned banks = 32;
  unsigned bankBytes = 4;
  LaneGroups groups = {};
  /// The widest access of one lane.
  unsigned maxAccessBits = 128;

  /// The bytes that all banks together have side by side.
  unsigned bankRowBytes() const { return banks * bankBytes; }
};

struct GlobalMemoryModel {
  /// The widest access of one lane.
  unsigned maxAccessBits = 128;
  /// The bytes that it is read and written in at least.
  unsigned sectorBytes = 32;
  /// Bits of neighbouring floats, of 16 or 32 bits each, that one atomic addition takes: 32 is a
  /// pair of 16. 0: one float at a time.
  unsigned maxAtomicAddBits = 0;
  /// Cycles (target/Costs.h) for which a load of a warp keeps the unit of loads busy, besides one
  /// for each sector that it touches.
  unsigned loadCycles = 4;
  /// Cycles of a scheduler from the beginning of a load until its value is there, where nobody else
  /// loads: an estimate.
  unsigned latency = 500;
  /// Bytes that memory brings to a multiprocessor in a cycle where all of them read: bandwidth,
  /// over multiprocessors and clock.
  unsigned bytesPerCycle;
  /// Bytes under way with which a multiprocessor's memory is busy. Decode attention of 64 blocks
  /// reads 11.6 bytes a cycle and multiprocessor of an H200 where an iteration waits for its own 32
  /// KiB, 22.1 with 32 KiB under way and 23.5 with 64 (docs/pipelining.md, "Which loads").
  unsigned busyBytes = 64 * 1024;
};

/// How much of a resource one use of it may take, in percent, where no more is known when it is
/// decided.
struct ResourceShares {
  /// Of a thread's registers, for the sums of its products: operands, addresses and the loads of
  /// the next iteration take 90 to 110 of 256 (AMD, products of 128 x 128 and 256 x 128 by 4
  /// waves).
  unsigned sums = 60;
  /// That of a thread's registers for a sum beside which the operands of one step of its product
  /// fit, and not those of two.
  unsigned largeSum = 50;
  /// Of the registers that a thread has on a busy multiprocessor, for loads that are under way
  /// while the block's threads wait for each other: as many are left for what they compute.
  unsigned waitingLoads = 50;
  /// The data that is alive at one time from which on a kernel is warned of, by a thread's
  /// registers: most of it goes to memory whatever a back end does.
  unsigned hopelessData = 400;
  /// Of a block's part of a full multiprocessor's shared memory, for fewer barriers. The rest is
  /// left to the cache.
  unsigned spareShared = 50;
};

/// The registers that a back end allocates to a thread (RegisterModel.h).
struct RegisterModel;

/// Atoms of a target; the same list at every call, from any thread.
using CopyList = std::span<const CopyAtom> (*)();
using MmaList = std::span<const MmaAtom> (*)();

struct Target {
  /// The name that users write: "cuda:90", "hip:gfx1100", "xpu:bmg".
  std::string_view name;
  /// For people: "NVIDIA Hopper (compute capability 9.0)".
  std::string_view description;
  Vendor vendor;
  /// The processor's name in the code generator, and the features to switch on.
  std::string_view processor;
  std::string_view features;

  Execution execution;
  Multiprocessor multiprocessor;
  ResourceShares shares = {};
  LoopCosts loops = {};
  const RegisterModel *registers;
  SharedMemoryModel shared;
  GlobalMemoryModel global;
  /// The cost of moving data between threads.
  target::Costs costs;

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
  unsigned maxAccessBits() const { return std::min(global.maxAccessBits, shared.maxAccessBits); }

  bool hasWarpSize(uint64_t lanes) const;
  /// The sizes of warps in words: "32", "16 or 32".
  std::string warpSizesText() const;

  /// The registers that a thread may have if `warps` warps of `lanes` lanes each are to be resident
  /// on a multiprocessor. Lanes of wider warps share those of a warp of threadsPerWarp.
  unsigned registersForWarps(unsigned warps, unsigned lanes) const;

  /// The asynchronous copy of `bits` bits of each lane from global to shared memory; null if there
  /// is none.
  const CopyAtom *findAsyncCopy(unsigned bits) const;

  /// The part that conversion plans ask for.
  target::ExchangeModel sharedMemory() const;
};

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_TARGET_H
