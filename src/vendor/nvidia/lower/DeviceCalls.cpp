//===- DeviceCalls.cpp - Calls of functions of NVIDIA's driver ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/DeviceCalls.h"

#include "lower/core/builder/Constants.h"
#include "lower/core/builder/TextConstant.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

static ModuleOp moduleOf(OpBuilder &builder) {
  return builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
}

/// The declaration of a function of the driver's.
static void declare(OpBuilder &builder, StringRef name, Type result, ArrayRef<Type> parameters) {
  ModuleOp module = moduleOf(builder);
  if (module.lookupSymbol(name))
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                           LLVM::LLVMFunctionType::get(result, parameters));
}

void nvidia::emitVprintf(OpBuilder &builder, Location loc, StringRef format, ValueRange values) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()), i32 = builder.getI32Type();
  declare(builder, "vprintf", i32, {pointer, pointer});
  Value buffer;
  if (values.empty()) {
    buffer = LLVM::ZeroOp::create(builder, loc, pointer);
  } else {
    auto type =
        LLVM::LLVMStructType::getLiteral(builder.getContext(), llvm::to_vector(values.getTypes()));
    {
      // On the stack once, however often the line is printed.
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&builder.getBlock()->getParent()->front());
      Value one = getI32(builder, loc, 1);
      buffer = LLVM::AllocaOp::create(builder, loc, pointer, type, one);
    }
    for (auto [i, value] : llvm::enumerate(values)) {
      Value place = LLVM::GEPOp::create(builder, loc, pointer, type, buffer,
                                        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
      LLVM::StoreOp::create(builder, loc, value, place);
    }
  }
  LLVM::CallOp::create(builder, loc, TypeRange(i32), "vprintf",
                       ValueRange{getText(builder, loc, format, /*addressSpace=*/0), buffer});
}

void nvidia::emitAssertfail(OpBuilder &builder, Location loc, StringRef message, StringRef file,
                            StringRef function, unsigned line) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()), i32 = builder.getI32Type();
  declare(builder, "__assertfail", LLVM::LLVMVoidType::get(builder.getContext()),
          {pointer, pointer, i32, pointer, builder.getI64Type()});
  Value lineNumber = getI32(builder, loc, line);
  Value charSize = LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  LLVM::CallOp::create(builder, loc, TypeRange(), "__assertfail",
                       ValueRange{getText(builder, loc, message, /*addressSpace=*/0),
                                  getText(builder, loc, file, /*addressSpace=*/0), lineNumber,
                                  getText(builder, loc, function, /*addressSpace=*/0), charSize});
}
