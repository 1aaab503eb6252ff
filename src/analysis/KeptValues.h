//===- KeptValues.h - Tensors that registers have to keep -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What a kernel has to keep: what it read from memory or sums up in a loop, and what it made of
// that. Addresses, masks and constants are left out: they are made where they are used. So are
// broadcast values, whose elements are those of a smaller one.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_KEPTVALUES_H
#define TILEWRIGHT_ANALYSIS_KEPTVALUES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace tilewright::transform {

/// The tensors of a function that have to be kept.
class KeptValues {
public:
  explicit KeptValues(mlir::FunctionOpInterface function);

  bool contains(mlir::Value value) const { return kept.contains(value); }

  /// Registers of a thread (getDistinctRegisters): an upper bound of what is alive at one time.
  unsigned countRegisters() const;

private:
  void add(mlir::Value value, bool isView);

  llvm::DenseSet<mlir::Value> derived, kept;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_KEPTVALUES_H
