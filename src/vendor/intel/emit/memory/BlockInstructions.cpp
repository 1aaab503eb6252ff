//===- BlockInstructions.cpp - 2D block messages as instructions --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/memory/BlockInstructions.h"

#include "vendor/intel/emit/Builtins.h"
#include "vendor/intel/plan/BlockFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilewright;
using plan::block2d::BlockAccess;
using plan::block2d::BlockMessage;

namespace {
/// An instruction's name, and the types of its operands after the four numbers, as mangled.
struct BlockInstruction {
  StringRef name, operands;
};
} // namespace

static BlockInstruction instructionOf(const BlockMessage &message) {
  constexpr StringLiteral load = "PU3AS1KviiiDv2_iPv";
  switch (message.access) {
  case BlockAccess::Load:
    return {message.transpose ? "__spirv_Subgroup2DBlockLoadTransposeINTEL"
            : message.vnni    ? "__spirv_Subgroup2DBlockLoadTransformINTEL"
                              : "__spirv_Subgroup2DBlockLoadINTEL",
            load};
  case BlockAccess::Store:
    return {"__spirv_Subgroup2DBlockStoreINTEL", "PvPU3AS1viiiDv2_i"};
  case BlockAccess::Prefetch:
    return {"__spirv_Subgroup2DBlockPrefetchINTEL", "PU3AS1KviiiDv2_i"};
  }
  llvm_unreachable("every access is listed");
}

/// The name in front of the parameters of a function without a namespace: "_Z", its length, the
/// name.
static StringRef plainName(StringRef mangled) {
  size_t length = 0;
  if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, length))
    return {};
  return mangled.take_front(length);
}

void emit::useBlockInstructions(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    const std::optional<BlockMessage> message =
        vendor::intel::parseBlockFunction(plainName(function.getName()));
    if (!message)
      continue;
    const BlockInstruction instruction = instructionOf(*message);
    const std::string name = "_Z" + std::to_string(instruction.name.size()) +
                             instruction.name.str() + "iiii" + instruction.operands.str();
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> builder(call);
      SmallVector<Value *> operands;
      for (unsigned number :
           {message->elementBits / 8, message->width, message->height, message->blocks})
        operands.push_back(builder.getInt32(number));
      // A store has its values first.
      if (message->access == BlockAccess::Store)
        operands.push_back(call->getArgOperand(5));
      append_range(operands, make_range(call->arg_begin(), call->arg_begin() + 5));
      if (message->access == BlockAccess::Load)
        operands.push_back(call->getArgOperand(5));
      CallInst *made = callBuiltin(builder, name, call->getType(), operands);
      made->getCalledFunction()->setConvergent();
      made->setConvergent();
      // How the caches are used.
      made->copyMetadata(*call);
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}
