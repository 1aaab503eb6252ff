//===- Metadata.cpp - Kernel descriptions from IR -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/Metadata.h"

#include "ir/tt/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::compiler;

/// Triton's spelling of a scalar type; empty for one that kernels cannot be given.
static std::string spellScalar(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return "i" + std::to_string(integer.getWidth());
  if (isa<Float8E4M3FNType>(type))
    return "fp8e4nv";
  if (isa<Float8E5M2Type>(type))
    return "fp8e5";
  if (type.isBF16())
    return "bf16";
  if (isa<FloatType>(type))
    return "fp" + std::to_string(type.getIntOrFloatBitWidth());
  return {};
}

static std::string spell(Type type) {
  if (auto pointer = dyn_cast<tt::PointerType>(type))
    return "*" + spellScalar(pointer.getPointeeType());
  return spellScalar(type);
}

static std::string nameOf(BlockArgument argument) {
  if (auto name = dyn_cast<NameLoc>(argument.getLoc()))
    return name.getName().str();
  return "arg" + std::to_string(argument.getArgNumber());
}

bool compiler::describeKernel(ModuleOp module, KernelMetadata &metadata) {
  tt::FuncOp kernel = *llvm::find_if(module.getOps<tt::FuncOp>(),
                                     [](tt::FuncOp function) { return function.isPublic(); });
  metadata.name = kernel.getName().str();
  for (BlockArgument value : kernel.getArguments()) {
    KernelArgument argument;
    argument.name = nameOf(value);
    argument.type = spell(value.getType());
    if (argument.type.empty() || argument.type == "*") {
      kernel.emitError() << "argument '" << argument.name << "' of type " << value.getType()
                         << " cannot be passed to a kernel; kernels take numbers and pointers";
      return false;
    }
    if (auto divisibility =
            kernel.getArgAttrOfType<IntegerAttr>(value.getArgNumber(), "tt.divisibility"))
      argument.divisibility = divisibility.getInt();
    metadata.arguments.push_back(std::move(argument));
  }
  return true;
}
