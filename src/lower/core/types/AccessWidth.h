//===- AccessWidth.h - Vector widths of loads and stores ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_TYPES_ACCESSWIDTH_H
#define TILEWRIGHT_LOWER_CORE_TYPES_ACCESSWIDTH_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::lower {

class TargetLowering;

/// How a thread accesses memory in one load or store.
struct AccessWidth {
  /// Bits of the layout's register number that number the elements of one access, lowest
  /// address bit first.
  llvm::SmallVector<unsigned, 4> registerBits;
  /// Bytes to which each access is aligned.
  unsigned alignment = 1;

  unsigned elements() const { return 1u << registerBits.size(); }
};

/// The widths of all loads, stores and atomic operations of a module, found before the first of
/// them changes: what their attributes say, or else an analysis.
class AccessWidths {
public:
  /// Accesses as wide as `target` has them.
  AccessWidths(mlir::ModuleOp module, const TargetLowering &target);

  /// The width of a tt.load, tt.store or tt.atomic_rmw.
  const AccessWidth &get(mlir::Operation *op) const { return widths.at(op); }

private:
  llvm::DenseMap<mlir::Operation *, AccessWidth> widths;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_TYPES_ACCESSWIDTH_H
