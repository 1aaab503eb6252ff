//===- WarpGroupProducts.h - wgmma's products under way -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A product is issued by the four warps of a warpgroup and is complete when a wait says so. In
// between its operands in shared memory are outstanding reads, and its accumulator is nobody's:
// the registers that hold it have *tokens* in place of its elements, numbers that say which
// accumulator and which register of it they stand for. A product whose accumulator's registers
// have tokens goes on with that accumulator, a wait replaces those of complete ones by what they
// stand for, and whoever computes with one before that is found.
//
// Operands in registers are read when a product is issued: in the code that is run here no other
// value can take their place, which ptxas sees to as well. The fence that the instruction asks
// for, where its registers have been written by others, is checked.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_WARPGROUPPRODUCTS_H
#define TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_WARPGROUPPRODUCTS_H

#include "simulate/machine/Machine.h"
#include "target/Atom.h"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace tilewright::simulate::nvidia {

/// The part that is the same whenever an instruction is executed.
struct ProductForm {
  const target::MmaAtom *atom = nullptr;
  /// Whether an operand in memory is contiguous along M or N.
  bool aAlongRows = false, bAlongRows = false;
  /// Where the elements that threads hold have their places (ProductElements.h): of the
  /// accumulator; of A, null unless it is in registers.
  const std::vector<uint32_t> *accumulatorPlaces = nullptr, *aPlaces = nullptr;

  static ProductForm of(const target::MmaAtom &atom, bool aAlongRows, bool bAlongRows);
};

/// A thread's part of a product: its registers, first those of the accumulator, which are
/// replaced, then those of A; descriptors of what is in memory.
struct ProductOperands {
  const ProductForm *form;
  uint32_t *registers;
  uint64_t a, b;
  bool usesC;
};

/// A thread's part of a wait: how many groups may stay under way, and registers that are
/// replaced where they are complete.
struct WaitOperands {
  uint32_t left;
  uint32_t *registers;
  uint32_t count;
};

/// The products of a block's warpgroups.
class WarpGroupProducts final : public BlockState {
public:
  void reset() override { *this = WarpGroupProducts(); }

  /// The thread's registers are ready for products.
  void fence(uint32_t thread);

  // For all threads of a warpgroup together. The operands are ProductOperands; none; WaitOperands.

  void issue(GroupExchange &exchange);
  void commit(GroupExchange &exchange);
  void wait(GroupExchange &exchange);

  /// The contents of a register of the thread that is computed with: what a token stands for. Has
  /// the machine fail if that is not known yet.
  uint32_t use(Machine &machine, uint32_t site, uint32_t contents);

private:
  struct Accumulator {
    const target::MmaAtom *atom;
    const std::vector<uint32_t> *places;
    uint32_t firstThread;
    /// Products into it that are not complete, and where the last one was issued.
    uint32_t pending = 0;
    uint32_t site = 0;
    /// Elements of M x N, row after row: integers as they are, floats by their bits.
    std::vector<uint32_t> elements;
  };

  /// 16 bytes of an operand: those elements from `row` and `depth` on that lie side by side.
  struct Piece {
    uint64_t address;
    uint32_t row, depth;
  };

  struct Product {
    const ProductForm *form;
    uint32_t site;
    uint32_t accumulator;
    bool usesC;
    std::vector<Piece> a, b;
    /// A's elements where it is in registers, row after row.
    std::vector<uint32_t> aElements;
  };

  struct Group {
    std::vector<Product> open;
    std::deque<std::vector<Product>> committed;
    /// For each warp of the warpgroup.
    bool fenced[4] = {};
  };

  /// The contents of a register of a thread of the warpgroup, of a complete accumulator.
  static uint32_t valueOf(const Accumulator &accumulator, uint32_t thread, uint32_t index);

  Group &groupOf(Machine &machine, uint32_t thread);
  std::optional<uint32_t> findToken(uint32_t contents, uint32_t index, uint32_t firstThread) const;
  /// The accumulator that a product goes on with: that of the tokens in its registers, or a new
  /// one. Nothing if the machine has failed.
  std::optional<uint32_t> accumulatorOf(GroupExchange &exchange, Group &group);
  uint32_t addAccumulator(const GroupExchange &exchange);
  bool beginReads(GroupExchange &exchange, std::vector<Piece> &pieces, uint64_t descriptor,
                  bool alongRows, uint32_t rows, uint32_t depth, uint32_t elementBytes);
  void perform(const Product &product);
  void complete(Machine &machine, const Product &product, uint32_t firstThread);

  std::map<uint32_t, Group> groups;
  std::map<uint32_t, Accumulator> accumulators;
  uint32_t nextAccumulator = 1;
};

} // namespace tilewright::simulate::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_WARPGROUPPRODUCTS_H
