//===- StructureBranches.h - Branches in regions of scalars ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_STRUCTUREBRANCHES_H
#define TILEWRIGHT_COMPILER_STRUCTUREBRANCHES_H

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::compiler {

/// Makes one block of each region of a tt.map_elementwise of `module`, which need not have been
/// verified: cf.br and cf.cond_br become scf.if and scf.while. Where that cannot be done it is
/// reported.
llvm::LogicalResult structureBranches(mlir::ModuleOp module);

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_STRUCTUREBRANCHES_H
