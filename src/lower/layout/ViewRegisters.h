//===- ViewRegisters.h - Registers of a view's operand --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A view (reshape, trans, expand_dims, broadcast, join, split, cat) shows elements that a tensor
// has under other coordinates. If the layouts before and after allow it each register of the
// results is a register of the operands, in every thread the same.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_LAYOUT_VIEWREGISTERS_H
#define TILEWRIGHT_LOWER_LAYOUT_VIEWREGISTERS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tilewright::lower {

/// Whether `op` is a view of tensors with layouts.
bool isView(mlir::Operation *op);

/// For each register of the results of a view the register of the operands with the same
/// element. Where there are several operands or results the registers of one follow those of
/// the one before. Nothing where elements have to move between threads.
std::optional<llvm::SmallVector<unsigned>> findViewRegisters(mlir::Operation *view);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_LAYOUT_VIEWREGISTERS_H
