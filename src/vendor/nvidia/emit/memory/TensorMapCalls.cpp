//===- TensorMapCalls.cpp - Making tensor maps, as PTX ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/memory/TensorMapCalls.h"

#include "vendor/nvidia/emit/InlinePtx.h"
#include "vendor/nvidia/plan/TensorMapFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;
using namespace tilewright::vendor::nvidia;

static void expandPublish(CallInst &call) {
  IRBuilder<> builder(&call);
  InlinePtx ptx(builder);
  const std::string to = ptx.addInput(call.getArgOperand(0));
  const std::string from = ptx.addInput(call.getArgOperand(1));
  ptx.addLine("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
              "aligned [" +
              to + "], [" + from + "], " + utostr(tensorMapBytes) + ";");
  ptx.emit(/*hasSideEffects=*/true)->setConvergent();
  call.eraseFromParent();
}

static void expandRequire(CallInst &call) {
  IRBuilder<> builder(&call);
  InlinePtx ptx(builder);
  const std::string fails = ptx.addPredicate(builder.CreateNot(call.getArgOperand(0)));
  ptx.addLine(fails + "trap;");
  ptx.emit(/*hasSideEffects=*/true);
  call.eraseFromParent();
}

static void expandCalls(Module &module, StringRef name, void (*expand)(CallInst &)) {
  Function *function = module.getFunction(name);
  if (!function)
    return;
  for (User *user : make_early_inc_range(function->users()))
    expand(*cast<CallInst>(user));
  function->eraseFromParent();
}

void tilewright::emit::expandTensorMapCalls(Module &module) {
  expandCalls(module, publishTensorMap, expandPublish);
  expandCalls(module, requireAlignment, expandRequire);
}
