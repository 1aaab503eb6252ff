//===- ConvertTritonGPUToLLVM.cpp - The conversion of ttg to the LLVM dialect -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"
#include "ir/tw/ClusterSplit.h"
#include "ir/tw/Dialect.h"
#include "lower/core/Passes.h"
#include "lower/core/Patterns.h"
#include "lower/core/VendorLowering.h"
#include "lower/core/ViewAssumptions.h"
#include "lower/core/blocks/RegionPatterns.h"
#include "lower/core/blocks/SplitLongBlocks.h"
#include "lower/core/blocks/WarpSpecialize.h"
#include "lower/core/builder/Scratch.h"
#include "lower/core/types/VerifyLayouts.h"
#include "lower/core/types/VerifyTypes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_CONVERTTRITONGPUTOLLVM
#include "lower/core/Passes.h.inc"
} // namespace tilewright::lower

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

RegisterTypeConverter::RegisterTypeConverter(const TargetLowering &target) {
  addConversion([](Type type) { return type; });
  addConversion([bfloat16AsBits = target.storesBf16AsI16()](FloatType type) -> Type {
    if (type.getWidth() == 8 || (bfloat16AsBits && type.isBF16()))
      return IntegerType::get(type.getContext(), type.getWidth());
    return type;
  });
  addConversion([](tt::PointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), type.getAddressSpace());
  });
  addConversion(
      [this](RankedTensorType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        if (!tt::getLayoutEncoding(type))
          return failure();
        types.append(ttg::getElementsPerThread(type), convertType(type.getElementType()));
        return success();
      });
  // Tensors in shared memory: see LocalMemory.cpp.
  addConversion(
      [](ttg::MemDescType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        // In other memories, an address as their instructions take it.
        if (!type.inSharedMemory()) {
          types.push_back(IntegerType::get(type.getContext(), 32));
          return success();
        }
        types.push_back(LLVM::LLVMPointerType::get(type.getContext(), AddressSpace::Shared));
        types.push_back(IntegerType::get(type.getContext(), 32));
        return success();
      });
  // Where a descriptor is not rewritten to pointers, what the target has for it stands in memory.
  addConversion([](tt::TensorDescType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), 0);
  });
  // Nothing is left of what only orders ops.
  addConversion([](ttg::AsyncTokenType, SmallVectorImpl<Type> &) -> std::optional<LogicalResult> {
    return success();
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange values, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, values).getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}

LogicalResult lower::rejectOp(LoweringContext &context, const TypeConverter &converter,
                              Operation *op, RewriterRef rewriter, const Twine &reason,
                              StringRef remedy) {
  auto error = op->emitOpError();
  error << "cannot be lowered for " << context.target.getName() << " " << reason;
  if (!remedy.empty())
    error.attachNote() << remedy;
  error.report();
  context.failed = true;
  SmallVector<SmallVector<Value>> results;
  for (Type type : op->getResultTypes()) {
    SmallVector<Type> types;
    if (failed(converter.convertType(type, types)))
      return failure();
    SmallVector<Value> &values = results.emplace_back();
    for (Type part : types)
      values.push_back(LLVM::PoisonOp::create(rewriter, op->getLoc(), part));
  }
  rewriter.replaceOpWithMultiple(op, std::move(results));
  return success();
}

namespace {

/// Erases the ops of a function whose results nobody uses: registers of index and mask tensors
/// that a vector access did not need. Uses come after definitions, so one walk from the end
/// suffices within a block; blocks are taken from the last to the first. mlir::runRegionDCE, which
/// follows arguments of blocks as well, makes the whole pass 12 % slower; LLVM drops those itself.
void eraseUnused(LLVM::LLVMFuncOp func) {
  for (Block &block : llvm::reverse(func.getBody()))
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
}

struct ConvertTritonGPUToLLVMPass
    : lower::impl::ConvertTritonGPUToLLVMBase<ConvertTritonGPUToLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *mlirContext = &getContext();
    const VendorLowering *vendor = findVendorLowering(module);
    if (!vendor) {
      module.emitError() << "no code can be generated for the target \""
                         << ttg::getTargetName(module) << "\" that the module names in "
                         << ttg::targetAttrName;
      return signalPassFailure();
    }

    std::unique_ptr<TargetLowering> target = createTargetLowering(module);
    LoweringContext context(*target, module);
    RegisterTypeConverter converter(*target);
    ScalarOps scalarOps(mlirContext);
    AccessWidths widths(module, *target);
    RewritePatternSet patterns(mlirContext);
    addElementwisePatterns(patterns, converter, context, scalarOps);
    addViewPatterns(patterns, converter, context);
    addMemoryPatterns(patterns, converter, context, widths);
    addAtomicPatterns(patterns, converter, context, widths);
    addLocalMemoryPatterns(patterns, converter, context);
    addAsyncCopyPatterns(patterns, converter, context, widths);
    addPrintPatterns(patterns, converter, context);
    addAssertPattern(patterns, converter, context);
    addInlineAsmPattern(patterns, converter, context);
    addControlFlowPatterns(patterns, converter, context);
    addReducePattern(patterns, converter, context, scalarOps);
    addMapElementwisePattern(patterns, converter, context, scalarOps);
    addFp4Pattern(patterns, converter, context);
    addDotPattern(patterns, converter, context);
    addUnitProductPattern(patterns, converter, context);
    addScanPattern(patterns, converter, context, scalarOps);
    addGatherPattern(patterns, converter, context);
    addHistogramPattern(patterns, converter, context);
    addConvertLayoutPattern(patterns, converter, context);
    addCoopMatrixPatterns(patterns, converter, context);
    vendor->populatePatterns(target->getTarget(), patterns, {converter, context, widths});
    ConversionTarget legality(*mlirContext);
    addWarpSpecializePatterns(patterns, legality, converter, context);

    llvm::DenseSet<OperationName> lowered;
    for (const auto &pattern : patterns.getNativePatterns())
      if (std::optional<OperationName> root = pattern->getRootKind())
        lowered.insert(*root);
    if (failed(verifyLowerable(module, *target, scalarOps, lowered)))
      return signalPassFailure();
    if (auto bytes = module->getAttrOfType<IntegerAttr>(ttg::sharedBytesAttrName);
        bytes && bytes.getInt() > 0)
      declareSharedMemory(module, bytes.getInt(), target->getTarget().shared.isSizedAtLaunch);

    for (auto function : module.getOps<tt::FuncOp>()) {
      assumeViewsEndInMemory(function);
      splitLongBlocks(function);
    }
    // Besides LLVM's ops there are those that the target has for itself; of other dialects' what
    // has a pattern goes.
    legality.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return !lowered.contains(op->getName()); });
    legality.addIllegalDialect<tt::TritonDialect, ttg::TritonGPUDialect, tw::TilewrightDialect,
                               arith::ArithDialect, math::MathDialect, cf::ControlFlowDialect,
                               ub::UBDialect>();
    if (failed(convert(module, legality, std::move(patterns), *target)) || context.failed)
      return signalPassFailure();
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      divideWarps(function, context);
      joinBlocks(function);
      eraseUnused(function);
    }
  }

private:
  /// Applies the patterns. An op that none of them takes as it stands, for its types or layouts, is
  /// reported in place of MLIR's message, which names neither the target nor what to do.
  static LogicalResult convert(ModuleOp module, const ConversionTarget &legality,
                               RewritePatternSet patterns, const TargetLowering &target) {
    std::optional<Location> where;
    std::string legalizationError;
    LogicalResult converted = failure();
    {
      ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
        if (!StringRef(diagnostic.str()).starts_with("failed to legalize operation"))
          return failure();
        where = diagnostic.getLocation();
        legalizationError = diagnostic.str();
        return success();
      });
      ConversionConfig config;
      config.allowPatternRollback = false;
      config.foldingMode = DialectConversionFoldingMode::Never;
      converted = applyFullConversion(module, legality, std::move(patterns), config);
    }
    if (where) {
      const StringRef name = StringRef(legalizationError).split('\'').second.split('\'').first;
      auto error = mlir::emitError(*where) << "'" << name << "' op cannot be lowered for "
                                           << target.getName() << " with these types";
      error.attachNote() << "tilewright compile takes the types and layouts that Triton's passes "
                            "leave: compile the .ttir, or give the op's operands such types";
    }
    return converted;
  }

  /// Reports what the patterns could not: layouts that are not the module's, and everything that
  /// has no lowering at all.
  static LogicalResult verifyLowerable(ModuleOp module, const TargetLowering &target,
                                       const ScalarOps &scalarOps,
                                       const llvm::DenseSet<OperationName> &lowered) {
    if (failed(verifyTypes(module, /*allowsIndex=*/false)) ||
        failed(verifyLayouts(module, target.getTarget())))
      return failure();
    if (ttg::getNumCTAs(module) > 1 && !module->hasAttr(tw::distributedAttrName)) {
      auto error = module.emitError() << "the tiles of a program that a cluster of "
                                      << ttg::getNumCTAs(module) << " blocks runs are whole yet";
      error.attachNote() << "run tilewright-distribute-tiles first";
      return error;
    }
    // One error, at the first of them: where one op is missing, those around it mostly are too.
    Operation *first = nullptr;
    llvm::SetVector<OperationName> missing;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      // An assumption about a scalar is LLVM's already.
      if (isa<ModuleOp, tt::ReduceReturnOp, tt::ScanReturnOp, tt::MapElementwiseReturnOp,
              tw::CoopMatrixApplyReturnOp, ttg::WarpSpecializePartitionsOp, ttg::WarpReturnOp,
              LLVM::AssumeOp>(op))
        return;
      // What stands in an op that is missing is not looked at: its terminator belongs to it.
      if (!lowered.contains(op->getName()) && !scalarOps.find(op->getName()) &&
          !missing.contains(op->getParentOp()->getName())) {
        if (!first)
          first = op;
        missing.insert(op->getName());
      }
    });
    if (!first)
      return success();
    auto error = first->emitOpError() << "cannot be lowered for " << target.getName() << " yet";
    if (StringRef remedy = remedyFor(first); !remedy.empty())
      error.attachNote() << remedy;
    if (missing.size() > 1) {
      mlir::Diagnostic &note = error.attachNote(module.getLoc());
      note << "nor can";
      const char *separator = " ";
      for (OperationName name : llvm::drop_begin(missing)) {
        note << separator << name.getStringRef();
        separator = ", ";
      }
    }
    return failure();
  }

  /// What to do about an op that has no lowering, but to do without it.
  static StringRef remedyFor(Operation *op) {
    if (isa<scf::SCFDialect>(op->getDialect()))
      return "run convert-scf-to-cf first";
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "ttg" || dialect == "ttng" || dialect == "gluon")
      return "compile the kernel's Python source or TTIR: then the passes choose ops for the "
             "target";
    return "";
  }

  /// One variable for all that a block shares. Without a size of its own it is declared only: it is
  /// as large as the launch says.
  static void declareSharedMemory(ModuleOp module, int64_t bytes, bool atLaunch) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), atLaunch ? 0 : bytes);
    uint64_t alignment = sharedMemoryAlignment;
    module.walk([&](ttg::LocalAllocOp op) {
      alignment = std::max<uint64_t>(alignment, op.getType().getSharedEncoding().getAlignment());
    });
    LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false,
                           atLaunch ? LLVM::Linkage::External : LLVM::Linkage::Internal,
                           sharedMemorySymbol, Attribute(), alignment, AddressSpace::Shared);
  }
};

} // namespace

std::unique_ptr<Pass> lower::createConvertTritonGPUToLLVMPass() {
  return std::make_unique<ConvertTritonGPUToLLVMPass>();
}
