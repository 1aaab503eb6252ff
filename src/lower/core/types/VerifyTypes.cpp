//===- VerifyTypes.cpp - Types that kernels can have -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/types/VerifyTypes.h"

#include "ir/tt/Dialect.h"

#include "mlir/IR/BuiltinDialect.h"

using namespace mlir;
using namespace tilewright;

/// Whether a value may have `type`. Types of other dialects than MLIR's own are their ops' concern.
static bool isValueType(Type type, bool allowsIndex) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  if (type.isIndex())
    return allowsIndex;
  if (auto integer = dyn_cast<IntegerType>(type))
    // i128 is what a try to cancel a launch gives.
    return integer.isSignless() &&
           llvm::is_contained({1, 4, 8, 16, 32, 64, 128}, integer.getWidth());
  if (isa<FloatType>(type))
    return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E4M3FNType,
               Float8E4M3FNUZType, Float8E5M2Type, Float8E5M2FNUZType>(type);
  return !isa<BuiltinDialect>(type.getDialect());
}

static StringRef remedyFor(Type type) {
  type = tt::getElementTypeOrSelf(type);
  if (isa<FloatTF32Type>(type))
    return "compute in f32: tt.dot rounds it to tf32 where its inputPrecision is tf32";
  if (isa<TupleType>(type))
    return "pass the tuple's values one by one";
  if (isa<VectorType>(type))
    return "use a tensor";
  if (isa<BaseMemRefType>(type))
    return "use !tt.ptr for global memory and !ttg.memdesc for shared memory";
  return "numbers are i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64 and floats of 8 bits";
}

LogicalResult lower::verifyTypes(ModuleOp module, bool allowsIndex) {
  auto check = [&](Location loc, Type type) -> LogicalResult {
    if (isValueType(type, allowsIndex))
      return success();
    auto error = mlir::emitError(loc) << "a kernel has no values of type " << type;
    error.attachNote() << remedyFor(type);
    return error;
  };
  WalkResult checked = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (failed(check(op->getLoc(), type)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (failed(check(argument.getLoc(), argument.getType())))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(checked.wasInterrupted());
}
