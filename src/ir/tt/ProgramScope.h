//===- ProgramScope.h - Which program of the launch code is ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Code that passes and the lowering add asks here for the number of its program, and the innermost
// op around it that runs programs answers (ProgramScope, OpInterfaces.td). The place of the block
// in the grid of the hardware is what tt.get_program_id becomes, and nobody else's.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_PROGRAMSCOPE_H
#define TILEWRIGHT_IR_TT_PROGRAMSCOPE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace tilewright::tt {

/// The place in the grid along axis 0, 1 or 2 of the program that runs what `builder` inserts, i32.
mlir::Value createProgramId(mlir::OpBuilder &builder, mlir::Location loc, unsigned axis);
/// The programs of the grid along the axis, i32.
mlir::Value createNumPrograms(mlir::OpBuilder &builder, mlir::Location loc, unsigned axis);

namespace detail {
// tt.get_program_id and tt.get_num_programs.
mlir::Value createGridPlace(mlir::OpBuilder &builder, mlir::Location loc, unsigned axis);
mlir::Value createGridSize(mlir::OpBuilder &builder, mlir::Location loc, unsigned axis);
} // namespace detail

} // namespace tilewright::tt

#endif // TILEWRIGHT_IR_TT_PROGRAMSCOPE_H
