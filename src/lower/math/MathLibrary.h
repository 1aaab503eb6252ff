//===- MathLibrary.h - Mathematical functions as LLVM functions -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A formula is emitted once in a module, as an internal function of one element, the first
// time that it is called; LLVM inlines it. So a tensor of 32 registers costs 32 calls to
// build and lower, not 32 copies of a hundred ops.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_MATH_MATHLIBRARY_H
#define TILEWRIGHT_LOWER_MATH_MATHLIBRARY_H

#include "lower/math/Expr.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::lower {

class LoweringBuilder;

/// The target's own function of a formula's name, or a call of the formula.
mlir::Value emitFunction(LoweringBuilder &e, llvm::StringRef name, mlir::ValueRange operands);

/// Whether there is a formula of this name ("exp", "atan2", ..).
bool hasFormula(llvm::StringRef name);

/// The names of all formulas, sorted.
llvm::ArrayRef<llvm::StringRef> formulaNames();

/// The function of `module` that computes a formula for operands of these types (f32 or f64
/// throughout, but for counts, which are i32); made if it is not there.
mlir::LLVM::LLVMFuncOp getFormula(mlir::ModuleOp module, llvm::StringRef name,
                                  mlir::TypeRange operands);

/// Calls a formula at the builder's place.
mlir::Value callFormula(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                        mlir::ValueRange operands);
/// The same within a formula.
Expr callFormula(llvm::StringRef name, llvm::ArrayRef<Expr> x);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_MATH_MATHLIBRARY_H
