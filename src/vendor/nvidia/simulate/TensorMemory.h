//===- TensorMemory.h - Tensor memory and what is under way there ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The tensor memory of a block: 128 rows of 512 words, of which the block has the columns that it
// has taken. Words are checked as the bytes of shared memory are (SharedMemory.h): what nothing has
// been stored to, and accesses by warps that no barrier orders, are errors.
//
// Three things go on after their instruction:
//
//   a load    the registers hold what it loads after tcgen05.wait::ld of their thread, and nobody
//             may write the words before;
//   a store   nobody, the thread itself included, may access the words before tcgen05.wait::st;
//   a product reads its operands and changes the accumulator until a barrier says so that a
//             tcgen05.commit after it names. Products of a thread are carried out in order.
//
// The simulator is an adversary here, too: a product is carried out when somebody waits for such a
// barrier, or, with early completion, at its issue.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_TENSORMEMORY_H
#define TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_TENSORMEMORY_H

#include "simulate/machine/Machine.h"
#include "target/Atom.h"

#include <deque>
#include <map>
#include <vector>

namespace tilewright::simulate::nvidia {

/// A copy between registers and tensor memory, as a call names it.
struct TensorCopyForm {
  const target::CopyAtom *atom;
  /// How often it does the atom, and the words of a thread.
  uint32_t times, words;
  /// Of 16x32bx2: columns from the lower half's first to the upper half's.
  uint32_t splitColumns;

  /// The row and the column, from the address, of a word of a lane.
  struct Place {
    uint32_t row, column;
  };
  Place locate(uint32_t lane, uint32_t word) const;
};

/// The operands of a thread for such a copy: registers that are read or written.
struct TensorCopyOperands {
  const TensorCopyForm *form;
  uint32_t address;
  uint32_t *registers;
};

/// The operands of a thread for a product.
struct TensorProductOperands {
  uint32_t accumulator;
  /// A's descriptor, or its address in tensor memory.
  uint64_t a;
  uint64_t b;
  uint32_t description;
  uint32_t kind;
  bool aInTensorMemory;
  bool usesAccumulator;
};

class TensorMemory final : public BlockState {
public:
  void reset() override;

  // By a warp as a whole.

  /// Takes columns, and writes the address of the first to shared memory.
  void allocate(Machine &machine, uint32_t site, uint64_t address, uint32_t columns);
  void relinquish() { mayAllocate = false; }
  void release(Machine &machine, uint32_t site, uint32_t address, uint32_t columns);
  void load(GroupExchange &exchange);
  void store(GroupExchange &exchange);

  // By a thread.

  void waitForLoads(uint32_t thread);
  void waitForStores(Machine &machine, uint32_t thread);
  void multiply(Machine &machine, uint32_t site, const TensorProductOperands &operands);
  /// The barrier at `address` is told when what the thread has issued is done.
  void commit(Machine &machine, uint32_t site, uint64_t address);

  /// A thread ends. Checks at the last one that the block has given its columns back.
  void endThread(Machine &machine, uint32_t site);

private:
  static constexpr uint32_t rows = 128, columns = 512;
  static constexpr uint32_t noSite = ~0u;

  /// 16 bytes of an operand in shared memory.
  struct Piece {
    uint64_t address;
    uint32_t row, depth;
  };

  struct Product {
    const target::MmaAtom *atom;
    uint32_t site, thread;
    uint32_t accumulator;
    bool usesAccumulator;
    bool aAlongRows, bAlongRows;
    std::vector<Piece> a, b;
    /// A's words in tensor memory, row after row.
    std::vector<uint32_t> aWords;
  };

  /// The operations on a word that are under way.
  struct Pending {
    uint32_t products = 0, readers = 0;
    uint32_t site = noSite;
  };

  void prepare(Machine &machine);
  uint64_t addressOf(uint32_t word) const { return records.begin() + word; }
  /// The word at a row and a column that the block has; nothing after an error.
  std::optional<uint32_t> findWord(Machine &machine, uint32_t site, uint32_t row, uint32_t column);
  bool checkAccess(Machine &machine, uint32_t site, uint32_t word, AccessKind kind,
                   const Accessor &accessor);
  void report(Machine &machine, uint32_t site, uint32_t word, const SharedMemory::Outcome &outcome);
  bool beginOperand(Machine &machine, Product &product, std::vector<Piece> &pieces,
                    uint64_t descriptor, bool alongRows, uint32_t rowCount);
  bool beginTensorOperand(Machine &machine, Product &product, uint32_t address);
  bool beginAccumulator(Machine &machine, const Product &product);
  std::vector<uint32_t> accumulatorWords(const target::MmaAtom &atom, uint32_t address) const;
  void perform(const Product &product);
  void complete(Machine &machine, size_t count);

  std::vector<uint32_t> words;
  std::vector<Pending> pending;
  SharedMemory records;
  uint32_t firstColumn = 0, columnCount = 0;
  uint32_t endedThreads = 0;
  bool mayAllocate = true, wasReleased = false;
  /// In the order of issue; the first `completed` have been taken out.
  std::deque<Product> products;
  size_t completed = 0;
  /// For each thread, the words of loads and stores that it has not waited for.
  std::map<uint32_t, std::vector<uint32_t>> loads, stores;
};

} // namespace tilewright::simulate::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_TENSORMEMORY_H
