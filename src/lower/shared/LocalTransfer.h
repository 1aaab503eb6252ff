//===- LocalTransfer.h - Transfers between registers and shared memory -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tensor in shared memory becomes a pointer to its buffer and the offset of its first element
// there, in elements: coordinates of a part are joined to those within it, so the offset
// is joined to offsets by XOR. Mostly it is a constant, zero. Views change the two and touch no
// memory; how a tensor gets in and out is plan::planLocalAccess's to say.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_SHARED_LOCALTRANSFER_H
#define TILEWRIGHT_LOWER_SHARED_LOCALTRANSFER_H

#include "ir/ttg/Dialect.h"
#include "lower/core/builder/LoweringBuilder.h"
#include "plan/shared/LocalAccess.h"

#include "mlir/IR/PatternMatch.h"

namespace tilewright::lower {

/// A view of memory, as the values that the type converter makes of it.
struct LocalView {
  mlir::Value pointer, offset;

  explicit LocalView(mlir::ValueRange values) : pointer(values[0]), offset(values[1]) {}
  LocalView(mlir::Value pointer, mlir::Value offset) : pointer(pointer), offset(offset) {}

  /// The offset, where it is a constant.
  std::optional<uint64_t> constantOffset() const;
  /// As the rewriter wants it.
  llvm::SmallVector<mlir::Value> values() const { return {pointer, offset}; }
};

/// Bytes of an element of a tensor in memory.
unsigned getLocalElementBytes(ttg::MemDescType type);

/// The addresses of elements of a memory by their offsets.
class LocalAddresses {
public:
  LocalAddresses(LoweringBuilder &e, ttg::MemDescType type, LocalView view);

  /// The most elements without a hole, and such that accesses of them stay aligned.
  uint64_t contiguous() const;

  /// The element at `bases`(thread) ^ `xorOffset` ^ `addOffset` ^ the view's offset; the bits of
  /// addOffset are not among those of the bases.
  mlir::Value get(const ThreadBases &bases, uint64_t xorOffset, uint64_t addOffset);

  /// The element at `offset` (i32) ^ the view's offset.
  mlir::Value get(mlir::Value offset);

private:
  struct Padding {
    unsigned intervalBits;
    uint64_t elements;
  };

  uint64_t padded(uint64_t offset) const;
  mlir::Value getBase(const ThreadBases &bases, uint64_t constant);
  mlir::Value toPointer(mlir::Value offset);

  LoweringBuilder &e;
  LocalView view;
  unsigned elementBytes;
  llvm::SmallVector<Padding> paddings;
  llvm::SmallDenseMap<uint64_t, mlir::Value> baseOfXor;
};

/// A tensor on its way in or out of memory.
class LocalTransfer {
public:
  LocalTransfer(LoweringBuilder &e, mlir::RewriterBase &rewriter, mlir::RankedTensorType tensor,
                ttg::MemDescType memory, LocalView view)
      : e(e), rewriter(rewriter), tensor(tensor), memory(memory), addresses(e, memory, view) {}

  /// Fails where there is no plan; the error is what follows "cannot be lowered". Without
  /// `takesWholeWarps` each lane copies for itself.
  Result<void> plan(plan::LocalDirection direction, bool takesWholeWarps = true);

  void store(mlir::ValueRange values);
  /// The registers of the tensor, whose elements are of LLVM's `type`.
  llvm::SmallVector<mlir::Value> load(mlir::Type type);

  // For those who go their own way with a plan.

  const plan::LocalAccessPlan &getSteps() const { return steps; }
  mlir::Value pointerOf(const plan::SharedAccess &access) {
    return addresses.get(bases, access.xorOffset, access.addOffset);
  }

private:
  LoweringBuilder &e;
  mlir::RewriterBase &rewriter;
  mlir::RankedTensorType tensor;
  ttg::MemDescType memory;
  LocalAddresses addresses;
  plan::LocalAccessPlan steps;
  ThreadBases bases;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_SHARED_LOCALTRANSFER_H
