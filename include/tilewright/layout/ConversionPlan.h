//===- ConversionPlan.h - Plans of layout conversions ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Plans the conversion of a tensor from layout `src` to layout `dst`, in a form that
// code generation emits as it stands: passes read its cost, the lowering walks its
// lists, the tool prints it. It knows nothing of a compiler and can serve another one.
//
//   None          each thread keeps its registers as they are.
//   Registers     each thread renames its registers.
//   Shuffles      data moves within warps only: selects and warp shuffles (ShufflePlan).
//   SharedMemory  through scratch memory, swizzled so that no access has bank conflicts,
//                 in one or more repetitions of store, barrier, load (SharedPlan).
//
// "Register i" is one element: bit j of i is bit j of the layout's `register` dimension.
// A plan for a src with 2^a registers and a dst with 2^b takes 2^a values in each thread
// and gives 2^b.
//
// How the steps are derived is told in docs/layouts.md.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_CONVERSIONPLAN_H
#define TILEWRIGHT_LAYOUT_CONVERSIONPLAN_H

#include "tilewright/layout/LinearLayout.h"
#include "tilewright/layout/SharedAccess.h"
#include "tilewright/layout/ThreadCondition.h"
#include "tilewright/support/Result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewright::target {
struct CopyAtom;
struct ExchangeModel;
} // namespace tilewright::target

namespace tilewright::plan {

//===----------------------------------------------------------------------------===//
// Within a warp
//===----------------------------------------------------------------------------===//

/// The steps, in each thread, on an array of words:
///
///   1. words[i] = the elements pack[i], the first lowest, for every i
///   2. for each stage of `before`: where its parity is odd, swap words i and i ^ wordXor
///   3. words'[i] = words[routes[i].word] of lane source(lane, warp) ^ routes[i].laneXor
///   4. for each stage of `after`: the same as 2 on words'
///   5. element r of the result is words'[unpack[r].word], position unpack[r].position
///
/// An element wider than 32 bits is a word of its own, and each of steps 2 and 3 is done
/// for each 32-bit part of it.
struct ShufflePlan {
  /// Elements in a word: 1, 2 or 4.
  unsigned elementsPerWord = 1;
  /// 32-bit registers in a word: 1, or 2 for 64-bit elements.
  unsigned registersPerWord = 1;

  /// For each word its source registers; each list has elementsPerWord entries.
  std::vector<std::vector<unsigned>> pack;

  struct SelectStage {
    ThreadParity parity;
    unsigned wordXor;
  };
  std::vector<SelectStage> before;

  /// Bit k of source(lane, warp) is sourceLane[k](lane, warp).
  std::vector<ThreadParity> sourceLane;
  /// source(lane, warp) = lane: routes are then `xor` shuffles, and those whose laneXor is 0
  /// are no shuffles at all. Otherwise every route is an `idx` shuffle.
  bool sourceIsSameLane = true;
  struct Route {
    unsigned word;
    unsigned laneXor;
  };
  std::vector<Route> routes;

  std::vector<SelectStage> after;

  struct WordPosition {
    unsigned word;
    unsigned position;
  };
  std::vector<WordPosition> unpack;
  /// Byte permutations of one thread in steps 1 and 5: an estimate.
  unsigned permutes = 0;

  /// Shuffle instructions, and selects, of one thread.
  unsigned shuffleCount() const;
  unsigned selectCount() const;
};

//===----------------------------------------------------------------------------===//
// Through shared memory
//===----------------------------------------------------------------------------===//

/// How far the data of a conversion moves, and so what has to meet at its barriers.
enum class Barrier { Warp, Block };

/// In a repetition those threads that meet `storeCondition` do all stores; after a barrier
/// those that meet `loadCondition` do all loads. Between a repetition's loads and the
/// next one's stores there is a barrier, too. Before the first stores and after the last
/// loads the plan has none: that depends on who uses the memory before and after.
/// Conditions of accesses that take whole warps tell only warps apart, and are the same in every
/// repetition.
struct SharedRepetition {
  ThreadCondition storeCondition;
  ThreadCondition loadCondition;
  std::vector<SharedAccess> stores;
  std::vector<SharedAccess> loads;
};

struct SharedPlan {
  /// Bytes of an element in memory: narrower ones than a byte take one.
  unsigned elementBytes = 1;
  /// The instructions.
  const target::CopyAtom *storeAtom = nullptr;
  const target::CopyAtom *loadAtom = nullptr;
  /// Elements of one thread in each store and load.
  unsigned storeVector = 1;
  unsigned loadVector = 1;
  /// The offset of an element in elements, for its location in src (without the registers
  /// that are copies) and in dst: (register, lane, warp) -> offset, XOR-linear. In a
  /// repetition it holds for the registers that its lists name.
  layout::LinearLayout storeMap;
  layout::LinearLayout loadMap;
  /// (lane, warp) -> offset of the address that the thread gives: of a copy that each lane does for
  /// itself the thread's part of the maps above, otherwise that of what the atom says it names.
  layout::LinearLayout storeBase;
  layout::LinearLayout loadBase;

  std::vector<SharedRepetition> repetitions;
  /// In the end element r of the result is what was loaded into register copies[r]:
  /// where dst holds elements more than once in a thread, they are loaded once.
  std::vector<unsigned> copies;

  uint64_t scratchBytes = 0;
  Barrier barrier = Barrier::Block;

  /// Transactions of one warp beyond the fewest that its accesses need, all repetitions
  /// together; exact. And all transactions.
  unsigned storeConflicts = 0;
  unsigned loadConflicts = 0;
  unsigned storeTransactions = 0;
  unsigned loadTransactions = 0;
  /// Byte permutations of one thread that put elements into the words that are stored, and
  /// take them out of those that are loaded: an estimate.
  unsigned storePermutes = 0;
  unsigned loadPermutes = 0;

  /// Accesses of one warp, all repetitions together.
  unsigned storeCount() const;
  unsigned loadCount() const;
  /// The names of the instructions, as `tilewright targets --atoms` lists them.
  std::string_view storeAtomName() const;
  std::string_view loadAtomName() const;
};

//===----------------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------------===//

struct ConversionPlan {
  enum class Kind { None, Registers, Shuffles, SharedMemory };
  Kind kind = Kind::None;
  /// An estimate of the cycles for which one warp keeps its scheduler's share of the machine
  /// busy. 0 for None and Registers. For comparing plans of one target only.
  unsigned cost = 0;

  /// None and Registers: element r of the result is source register registerSources[r].
  std::vector<unsigned> registerSources;
  ShufflePlan shuffles;
  SharedPlan shared;

  /// Scratch memory in bytes; 0 unless through shared memory.
  uint64_t scratchBytes() const { return kind == Kind::SharedMemory ? shared.scratchBytes : 0; }
};

/// Plans the conversion of a tensor from `src` to `dst`: maps from (register, lane, warp,
/// block) onto the same outputs (in any order). `elementBits`: 1 to 64; elements take
/// the next of 8, 16, 32, 64 bits in memory; a pointer has the bits of its address. Fails where
/// data would have to cross blocks, or does not fit into the memory.
Result<ConversionPlan> planConversion(const layout::LinearLayout &src,
                                      const layout::LinearLayout &dst, unsigned elementBits,
                                      const target::ExchangeModel &memory);
/// The same with the shared memory, the instructions and the costs of a target, by its name, such
/// as "cuda:90" (`tilewright targets` lists them). Fails as well if there is none of this name.
Result<ConversionPlan> planConversion(const layout::LinearLayout &src,
                                      const layout::LinearLayout &dst, unsigned elementBits,
                                      std::string_view target);
/// The same where no target is known: with what every target has at least.
Result<ConversionPlan> planConversion(const layout::LinearLayout &src,
                                      const layout::LinearLayout &dst, unsigned elementBits);

} // namespace tilewright::plan

#endif // TILEWRIGHT_LAYOUT_CONVERSIONPLAN_H
