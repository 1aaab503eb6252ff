//===- SpillChoice.h - What leaves its registers, and where ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A function's instructions are a row of points, two for each: where it reads, and where it has
// written. At each so many registers are taken. A value leaves its registers in gaps between the
// instructions that have it:
//
//     v = ..      store v
//     ..                      a local gap: a load for it, and a store for all after one write
//     use v       load v
//     use v
//     ------- end of the block
//     ..                      the global gap: all that lies outside of what the blocks' first and
//     ------- another block   last instructions with the value enclose
//     ..
//     use v       load v
//
// A value that crosses blocks has local gaps only together with its global one: then each block
// loads what it reads, and no register has to hold the value at its end.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_SPILLCHOICE_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_SPILLCHOICE_H

#include <vector>

namespace tilewright::emit {

/// Chooses gaps until no point has more registers than there are, or no gap is left that helps:
/// again and again the one that frees most registers, at points that count as often as their block
/// runs, for what its loads and stores cost.
class SpillChoice {
public:
  /// Points `from` to `to` (excluded), at which a value takes so many registers.
  struct Piece {
    unsigned from, to, registers;
  };

  /// An instruction with a value: at `point` it reads, at `point` + 1 it has written.
  struct Access {
    unsigned point;
    /// The number of its block, which runs so often for one run of the function.
    unsigned block;
    float frequency;
    bool reads, writes, isAliveBehind;
  };

  struct Value {
    std::vector<Piece> pieces;
    /// In the order of their points.
    std::vector<Access> accesses;
    /// Registers, all of which are loaded and stored.
    unsigned size = 0;
    /// One instruction without operands makes it again: nothing is stored.
    bool canRepeat = false;
    bool crossesBlocks = false;
  };

  void reset();
  /// The next `points` points are in a block that runs `often` times for one run of the function.
  void addBlock(unsigned points, float often);
  /// Pieces of what stays in registers. All blocks have been added.
  void addFixed(const std::vector<Piece> &pieces);
  /// Values are numbered in the order in which they are added.
  void addValue(Value value);
  /// The most registers at one point.
  unsigned getPeak();
  /// Chooses, for so many registers. The peak has been asked for.
  void run(unsigned maxPressure);

  const Value &getValue(unsigned value) const { return values[value]; }
  bool isSpilled(unsigned value) const { return spilled[value]; }
  /// Whether the value, which is spilled, is in other registers than for the access before.
  bool isApart(unsigned value, unsigned access) const;
  /// The points that still have more registers than there are.
  unsigned countMarked() const { return marked; }

private:
  struct Gap {
    unsigned value;
    /// The access after it; 0: the global one.
    unsigned access;
    std::vector<Piece> pieces;
    bool isChosen = false;
  };

  void makeGaps(unsigned value);
  void markPoints();
  float getBenefit(const Gap &gap) const;
  float getGlobalCost(const Value &value) const;
  const Access *findWrite(const Gap &gap) const;
  float rate(unsigned gap) const;
  void choose(unsigned gap);
  void take(Gap &gap);
  void unmark(unsigned point);
  double prefix(unsigned end) const;
  double sum(unsigned from, unsigned to) const { return prefix(to) - prefix(from); }

  std::vector<Value> values;
  std::vector<bool> spilled;
  /// Value v has those in [firstGap[v], firstGap[v + 1]): one for each access, the global one
  /// first.
  std::vector<Gap> gaps;
  std::vector<unsigned> firstGap;
  /// The cost of each value's global gap.
  std::vector<float> globalCosts;
  /// For each point: registers more than at the one before, registers, runs of its block.
  std::vector<int> change;
  std::vector<unsigned> pressure;
  std::vector<float> frequency;
  /// Sums of the frequencies of points with more than `limit` registers, as a Fenwick tree.
  std::vector<double> sums;
  unsigned marked = 0;
  unsigned limit = 0;
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_SPILLCHOICE_H
