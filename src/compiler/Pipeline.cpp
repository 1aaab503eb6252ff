//===- Pipeline.cpp - The passes, in phases -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// To be read from top to bottom: each step with why it stands where it does. Names of passes are
// Triton's where Triton has the pass. Triton's own orders, one for each vendor, are kept as a test:
// test/lit/compiler/triton-orders.test.
//
//===--------------------------------------------------------------------------===//

#include "compiler/Pipeline.h"

#include "emit/Emit.h"
#include "lower/core/Passes.h"
#include "transform/cluster/Passes.h"
#include "transform/gluon/Passes.h"
#include "transform/layout/Passes.h"
#include "transform/locality/Passes.h"
#include "transform/masks/Passes.h"
#include "transform/matrix/Passes.h"
#include "transform/pipeline/Passes.h"
#include "transform/pressure/Passes.h"
#include "transform/tile/Canonicalizer.h"
#include "transform/tile/Passes.h"

#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::compiler;
using vendor::Phase;

/// convert-triton-to-tritongpu for the target.
static std::unique_ptr<Pass> createConversionToLayouts(const PipelineOptions &options) {
  transform::ConvertTritonToTritonGPUOptions convert;
  convert.target = std::string(options.target->name);
  convert.numWarps = options.numWarps;
  convert.threadsPerWarp = options.threadsPerWarp;
  convert.numCTAs = static_cast<int32_t>(options.numCTAs);
  return transform::createConvertTritonToTritonGPU(convert);
}

//===----------------------------------------------------------------------------===//
// Tile: the program as tiles, without layouts
//===----------------------------------------------------------------------------===//

static void addTilePasses(OpPassManager &passes) {
  // Those descriptors that hardware does not take as they are.
  passes.addPass(transform::createTritonRewriteTensorDescriptorToPointer());
  // Constants and identities, so that the patterns of the next two find their ops side by side.
  passes.addPass(transform::createCanonicalizer());
  // Chains of pointer arithmetic become one step, a product and its sum one op.
  passes.addPass(transform::createTritonCombine());
  // Work on the small tensor, before it is broadcast.
  passes.addPass(transform::createTritonReorderBroadcast());
  // The copies that inlining and the rewriting above have made.
  passes.addPass(createCSEPass());
  // Out of loops while values still have no layouts, each of which would have to move with them.
  passes.addPass(transform::createTritonLoopInvariantCodeMotion());
  // The functions that were inlined.
  passes.addPass(createSymbolDCEPass());
  // Loops that the source wants unrolled: last, so that the work above was done once a loop.
  passes.addPass(transform::createTritonLoopUnroll());
}

//===----------------------------------------------------------------------------===//
// Layout: each tensor gets its layout
//===----------------------------------------------------------------------------===//

static void addLayoutPasses(OpPassManager &passes, const PipelineOptions &options) {
  // Scales are multiplied into their operands: products are then of one kind.
  passes.addPass(transform::createDecomposeScaledDot());
  // The program of one block, where a cluster of blocks runs it: layouts are of a block's tiles.
  if (options.numCTAs > 1)
    passes.addPass(transform::createDistributeTiles({static_cast<int32_t>(options.numCTAs)}));
  // A default layout for every tensor, for later passes to change.
  passes.addPass(createConversionToLayouts(options));
  // Layouts of loads and stores follow memory: the accesses cost most.
  passes.addPass(transform::createTritonGPUCoalesce());
  // Products of f32 that are to be more exact than tf32: several products, each of a type that
  // matrix units have;
  passes.addPass(transform::createTritonGPUF32DotTC({/*emuTF32=*/true}));
  // and then the products that matrix units compute get their layouts.
  passes.addPass(
      transform::createTritonGPUAccelerateMatmul({options.matrixNonKDim, options.kPack}));
  // Operands of those that threads have to turn round: square pieces for each.
  passes.addPass(transform::createSquareLoads());
  // The products that multiply-adds compute: as square as the registers allow.
  passes.addPass(transform::createTileOuterProducts());
  // The layouts of the few ops above spread to all others, and most conversions go. A solver that
  // is asked for the least cost may choose other layouts for these ops, too.
  passes.addPass(transform::createTritonGPURemoveLayoutConversions(
      {options.exactLayouts, /*alternatives=*/true}));
}

//===----------------------------------------------------------------------------===//
// Locality: which thread computes what, and where in the program
//===----------------------------------------------------------------------------===//

static void addLocalityPasses(OpPassManager &passes) {
  // Reductions in loops: each thread its own part, across threads once after the loop.
  passes.addPass(transform::createTritonGPUOptimizeThreadLocality());
  // Operands of products that no matrix unit takes come as they are.
  passes.addPass(transform::createTritonGPUOptimizeDotOperands());
  // Both of these compute the same value in several places, also from one iteration to the
  // next.
  passes.addPass(transform::createTritonLoopAwareCSE());
  // One loop of a nest that the source wants flattened, which can then be scheduled as one.
  passes.addPass(transform::createTritonGPUFuseNestedLoops());
  // Folds the bounds of the fused loop, for what moves out of it;
  passes.addPass(transform::createCanonicalizer());
  // now with loads: layouts are settled, so what is hoisted stays in registers as it is.
  passes.addPass(transform::createTritonLoopInvariantCodeMotion());
  passes.addPass(transform::createCanonicalizer());
}

//===----------------------------------------------------------------------------===//
// Schedule: when loads and products begin
//===----------------------------------------------------------------------------===//

static void addSchedulePasses(OpPassManager &passes, const PipelineOptions &options) {
  // Loads that asynchronous copies make while earlier iterations compute: which, and how early;
  passes.addPass(transform::createTritonGPUAssignLatencies({options.numStages}));
  // in which order the ops of overlapping iterations follow each other;
  passes.addPass(transform::createTritonGPUScheduleLoops({options.exactSchedules}));
}

static void addExpansionPasses(OpPassManager &passes) {
  // and the loops that result. Others may get their loads ahead of time by way of registers:
  // tilewright-prefetch-loads, below.
  passes.addPass(transform::createTritonGPUPipeline());
  // A branch gives the tensors that are selected by its condition: the selects go. Not earlier: in
  // a fused loop the sum that begins anew would come with the addresses, which are wanted before.
  passes.addPass(transform::createTritonGPUCombineTensorSelectAndIf());
  passes.addPass(transform::createTritonLoopAwareCSE());
  // Of products that read registers, what the next instructions need of the tile.
  passes.addPass(transform::createTritonGPUPrefetch());
  // No masks in iterations in which they hold, all but the last ones. After the pipeline, which
  // takes a loop's body for one block.
  passes.addPass(transform::createSplitLoops());
}

//===----------------------------------------------------------------------------===//
// Clean: removal of what the phases above have made redundant
//===----------------------------------------------------------------------------===//

static void addCleanPasses(OpPassManager &passes, const PipelineOptions &options) {
  // Layouts again, since ops have moved and new conversions have come. The layouts of accesses and
  // products stay: buffers and fragments have been made for them.
  passes.addPass(transform::createTritonGPURemoveLayoutConversions(
      {options.exactLayouts, /*alternatives=*/false}));
  // The conversions that are left: once each, in the narrowest type.
  passes.addPass(transform::createTritonGPUReduceDataDuplication());
  // Loads early, other ops close to their uses: fewer registers are live.
  passes.addPass(transform::createTritonGPUReorderInstructions());
  // Counts the registers of the order just made, and fills the free ones with loads ahead of time.
  passes.addPass(transform::createPrefetchLoads({options.numStages}));
  // Common code for the last time: from the values of loops to constants.
  passes.addPass(transform::createTritonLoopAwareCSE());
  passes.addPass(createSymbolDCEPass());
  passes.addPass(createSCCPPass());
  passes.addPass(createCSEPass());
  passes.addPass(transform::createCanonicalizer());
  // Into branches again: the canonicalizer makes selects of what a branch only passes on.
  passes.addPass(transform::createTritonGPUCombineTensorSelectAndIf());
}

//===----------------------------------------------------------------------------===//
// Launch: what the kernel gets from its launch
//===----------------------------------------------------------------------------===//

static void addLaunchPasses(OpPassManager &passes, const PipelineOptions &options) {
  // Of given TTGIR, which comes without the phases above: as in addTTIRPasses,
  passes.addPass(transform::createReplaceIndex());
  passes.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  passes.addPass(transform::createTritonRewriteTensorPointer());
  // and as in addLayoutPasses.
  passes.addPass(transform::createDecomposeScaledDot());
  if (options.numCTAs > 1)
    passes.addPass(transform::createDistributeTiles());
  // Descriptors among the arguments; and those that no pass has given a layout in shared memory.
  passes.addPass(transform::createExpandDescriptorArguments());
  passes.addPass(transform::createTritonRewriteTensorDescriptorToPointer());
  // Triton's flattened loops select between zeros and a product that is under way, whose registers
  // nothing may touch: a branch passes it on.
  passes.addPass(transform::createTritonGPUCombineTensorSelectAndIf());
}

//===----------------------------------------------------------------------------===//
// Lower: from tiles to what each thread does
//===----------------------------------------------------------------------------===//

static void addLowerPasses(OpPassManager &passes) {
  // Memory of the launch for what programs write there for themselves; ordinary addresses then.
  passes.addPass(lower::createAllocateGlobalScratchPass());
  // The views of a .ttgir may move elements: conversions do that here.
  passes.addPass(lower::createLegalizeViewsPass());
  // While loops still are scf: that is where the analysis of addresses sees most.
  passes.addPass(lower::createSetAccessWidthPass());
  passes.addPass(lower::createTransposeLoadsPass());
  passes.addPass(createSCFToControlFlowPass());
  // What lies in other memories, whose address passes through shared memory;
  passes.addPass(lower::createAllocateMemorySpacesPass());
  // scratch memory and barriers, of the final order of ops.
  passes.addPass(lower::createAllocateSharedMemoryPass());
  // All at once, the vendor's ops by the vendor's patterns.
  passes.addPass(lower::createConvertTritonGPUToLLVMPass());
  // Casts between a tile and its registers that one pattern has left for another to resolve.
  passes.addPass(createReconcileUnrealizedCastsPass());
  // No CSE: LLVM's optimizer joins in less time what the patterns have emitted more than once.
  // Lines of the source for the code: last, since it makes locations what LLVM wants them to be.
  emit::addLineInfoPass(passes);
}

//===----------------------------------------------------------------------------===//
// The texts that a compilation writes
//===----------------------------------------------------------------------------===//

/// Ends a phase: the vendor's passes.
static void endPhase(Phase phase, OpPassManager &passes, const vendor::Vendor *vendor,
                     const PipelineOptions &options) {
  if (vendor)
    vendor->addPasses(phase, passes, options);
}

void compiler::addTTIRPasses(OpPassManager &passes, const vendor::Vendor *vendor,
                             const PipelineOptions &options) {
  // Of given IR: integers whose width is not said.
  passes.addPass(transform::createReplaceIndex());
  // Descriptors that the kernel takes become its own, like all others.
  passes.addPass(transform::createExpandDescriptorArguments());
  // One function: no later pass sees what a call hides. The canonicalizer comes soon enough.
  passes.addPass(transform::createInlineStraightCalls());
  passes.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  // Of given IR, before anything asks what a load's pointers are.
  passes.addPass(transform::createTritonRewriteTensorPointer());
  endPhase(Phase::Inline, passes, vendor, options);
  addTilePasses(passes);
  endPhase(Phase::Tile, passes, vendor, options);
}

void compiler::addTTGIRPasses(OpPassManager &passes, const vendor::Vendor *vendor,
                              const PipelineOptions &options) {
  addLayoutPasses(passes, options);
  endPhase(Phase::Layout, passes, vendor, options);
  addLocalityPasses(passes);
  endPhase(Phase::Locality, passes, vendor, options);
  addSchedulePasses(passes, options);
  endPhase(Phase::Stages, passes, vendor, options);
  addExpansionPasses(passes);
  endPhase(Phase::Schedule, passes, vendor, options);
  addCleanPasses(passes, options);
  endPhase(Phase::Clean, passes, vendor, options);
  // Of the final order of ops. Given TTGIR is not warned of: its tiles have been chosen.
  passes.addPass(transform::createWarnOfRegisters());
}

void compiler::addGluonPasses(OpPassManager &passes, const vendor::Vendor *vendor,
                              const PipelineOptions &options) {
  // One function: the layouts of a call's tensors follow from what is around it.
  passes.addPass(transform::createInlineStraightCalls());
  passes.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  passes.addPass(createSymbolDCEPass());
  // The layouts that are left open: first those of accesses, which others follow.
  passes.addPass(transform::createGluonInferCoalescedEncodings());
  passes.addPass(transform::createGluonResolveAutoEncodings());
  // Constants and common code, as Triton does it for Gluon; and no more than that.
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(createSCCPPass());
  passes.addPass(transform::createTritonLoopAwareCSE());
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(transform::createTritonGPUCombineTensorSelectAndIf());
}

void compiler::addLLVMPasses(OpPassManager &passes, const vendor::Vendor *vendor,
                             const PipelineOptions &options) {
  addLaunchPasses(passes, options);
  endPhase(Phase::Launch, passes, vendor, options);
  addLowerPasses(passes);
  endPhase(Phase::Lower, passes, vendor, options);
}
