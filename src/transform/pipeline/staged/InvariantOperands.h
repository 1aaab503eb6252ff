//===- InvariantOperands.h - Operands that stay, in shared memory ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An operand of matrix units that is the same in all iterations of a loop, as attention's queries,
// stays in registers where these suffice. Where they do not, it lies in shared memory, and each
// iteration loads the fragments of a step of K as the products need them:
//
//     %q = ttg.convert_layout %x                ttg.local_store %x, %m
//     for ..                                    for ..
//       dot %q, ..                                dot (local_load %m), ..
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_STAGED_INVARIANTOPERANDS_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_STAGED_INVARIANTOPERANDS_H

#include "ir/ttg/Dialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "target/Target.h"

namespace tilewright::transform {

/// The registers of a thread in `loop` while a step of K is multiplied, without loads under way:
/// what the loop carries, the operands of its largest product, and some for all else. Operands in
/// shared memory take those of a step: the tiles that the loop loads, and what
/// storeInvariantOperands puts there.
unsigned countLoopRegisters(mlir::scf::ForOp loop, const target::Target &target);

/// Puts operands that stay through loops of `module` into shared memory where a thread has too few
/// registers for one of the loops with them, and the tiles that the loops load find room there as
/// well. In a loop with a schedule, loads from there are of the product's stage.
void storeInvariantOperands(mlir::ModuleOp module, const target::Target &target);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_STAGED_INVARIANTOPERANDS_H
