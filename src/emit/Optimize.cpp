//===- Optimize.cpp - LLVM IR optimization for kernels ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/Optimize.h"

#include "emit/BytePairLoads.h"
#include "emit/WordPhis.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;
using namespace tilewright;

/// Has LICM leave what loops have in memory there (docs/emit.md has the figures). To find what it
/// could keep in registers it compares the addresses of all loads and stores of a loop, pair by
/// pair. This is an option of the process, as LLVM has no other.
static void leaveMemoryInLoops() {
  [[maybe_unused]] static const bool isDone = [] {
    auto &options = cl::getRegisteredOptions();
    auto found = options.find("disable-licm-promotion");
    return found != options.end() &&
           !found->second->addOccurrence(0, "disable-licm-promotion", "true");
  }();
}

/// From the lowered loop (`while` with the test at its top) to one with the test at its
/// bottom, without what does not change in it. One that is known to have few short iterations
/// becomes straight code, in which the loads of all go out together.
static void addLoopPasses(FunctionPassManager &passes, bool driverOptimizes) {
  LoopPassManager loops;
  loops.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/true));
  loops.addPass(LICMPass(LICMOptions()));
  if (!driverOptimizes)
    loops.addPass(IndVarSimplifyPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  // It does not keep MemorySSA.
  if (!driverOptimizes)
    passes.addPass(createFunctionToLoopPassAdaptor(LoopFullUnrollPass()));
}

static FunctionPassManager functionPasses(bool driverOptimizes) {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  // Brings what neighbouring addresses share to the front of their sums, so that they
  // differ in a constant only.
  passes.addPass(ReassociatePass());
  addLoopPasses(passes, driverOptimizes);
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  if (!driverOptimizes) {
    passes.addPass(emit::WordPhisPass());
    // Without the empty blocks that loops are left by: in those InstCombine would do what is done
    // with a result, for each register, so that an epilogue gets narrow values one by one.
    passes.addPass(SimplifyCFGPass());
    passes.addPass(InstCombinePass());
  }
  passes.addPass(ADCEPass());
  passes.addPass(emit::BytePairLoadsPass());
  return passes;
}

/// A call costs a kernel more than its callee's instructions. Says whether there are helpers.
static bool markHelpersForInlining(Module &module) {
  bool found = false;
  for (Function &function : module) {
    if (!function.hasLocalLinkage() || function.isDeclaration() ||
        function.hasFnAttribute(Attribute::NoInline))
      continue;
    function.addFnAttr(Attribute::AlwaysInline);
    found = true;
  }
  return found;
}

void tilewright::emit::optimize(Module &module, TargetMachine &machine, bool driverOptimizes) {
  leaveMemoryInLoops();
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);

  ModulePassManager passes;
  // The target's own: among others, how far thread ids reach in blocks of a known size.
  builder.invokePipelineStartEPCallbacks(passes, OptimizationLevel::O3);
  if (markHelpersForInlining(module))
    passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(createModuleToFunctionPassAdaptor(functionPasses(driverOptimizes)));
  passes.addPass(GlobalDCEPass());
  passes.run(module, modules);
}
