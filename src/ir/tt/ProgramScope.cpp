//===- ProgramScope.cpp - Which program of the launch code is -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/ProgramScope.h"

#include "ir/tt/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

/// Null in functions that the lowering has converted.
static ProgramScope findScope(OpBuilder &builder) {
  Operation *op = builder.getBlock()->getParentOp();
  while (op && !isa<ProgramScope>(op))
    op = op->getParentOp();
  return dyn_cast_or_null<ProgramScope>(op);
}

Value tt::createProgramId(OpBuilder &builder, Location loc, unsigned axis) {
  ProgramScope scope = findScope(builder);
  return scope ? scope.createProgramId(builder, loc, axis)
               : detail::createGridPlace(builder, loc, axis);
}

Value tt::createNumPrograms(OpBuilder &builder, Location loc, unsigned axis) {
  ProgramScope scope = findScope(builder);
  return scope ? scope.createNumPrograms(builder, loc, axis)
               : detail::createGridSize(builder, loc, axis);
}

Value tt::detail::createGridPlace(OpBuilder &builder, Location loc, unsigned axis) {
  return GetProgramIdOp::create(builder, loc, ProgramIDDim(axis));
}

Value tt::detail::createGridSize(OpBuilder &builder, Location loc, unsigned axis) {
  return GetNumProgramsOp::create(builder, loc, ProgramIDDim(axis));
}
