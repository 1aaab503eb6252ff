//===- ConvertTritonToTritonGPU.cpp - Default layouts -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Types change in place: the default layout depends on the shape alone, so operands and
// results, block arguments, branches and calls all keep matching. What is left are the few
// ops that tie tensors of different shapes together; they get conversions in a second step.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/encoding/Inference.h"
#include "target/Cluster.h"
#include "transform/layout/DotLayout.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/layout/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_CONVERTTRITONTOTRITONGPU
#include "transform/layout/Passes.h.inc"

namespace {

class ConvertTritonToTritonGPU
    : public impl::ConvertTritonToTritonGPUBase<ConvertTritonToTritonGPU> {
public:
  using ConvertTritonToTritonGPUBase::ConvertTritonToTritonGPUBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(setModuleAttributes(module)))
      return signalPassFailure();
    SmallVector<Operation *> shapeChanges;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (tiesShapes(op))
        shapeChanges.push_back(op);
      for (Value result : op->getResults())
        setTypeInPlace(result, convert(result.getType()));
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument arg : block.getArguments())
            arg.setType(convert(arg.getType()));
      if (auto function = dyn_cast<tt::FuncOp>(op))
        convertSignature(function);
    });
    for (Operation *op : shapeChanges)
      if (failed(reconcile(op)))
        return signalPassFailure();
  }

private:
  LogicalResult setModuleAttributes(ModuleOp module) {
    auto found = target::Target::parse(target.getValue());
    if (!found)
      return module.emitError(found.error());
    memory = (*found)->sharedMemory();
    const auto maxThreads = static_cast<int32_t>((*found)->execution.maxThreadsPerBlock);
    for (auto [option, value] : {std::pair<StringRef, int32_t>("num-warps", numWarps),
                                 std::pair<StringRef, int32_t>("threads-per-warp", threadsPerWarp)})
      if (value <= 0 || value > maxThreads || !llvm::isPowerOf2_32(value))
        return module.emitError() << option << " must be a power of two up to " << maxThreads
                                  << ", got " << value;
    if (numWarps * threadsPerWarp > maxThreads)
      return module.emitError() << "a block has at most " << maxThreads << " threads, but "
                                << numWarps.getValue() << " warps of " << threadsPerWarp.getValue()
                                << " are " << numWarps * threadsPerWarp;
    if (Result<void> fits = target::verifyClusterBlocks(**found, numCTAs); !fits)
      return module.emitError(fits.error());
    Builder builder(module.getContext());
    module->setAttr(ttg::numWarpsAttrName, builder.getI32IntegerAttr(numWarps));
    module->setAttr(ttg::threadsPerWarpAttrName, builder.getI32IntegerAttr(threadsPerWarp));
    module->setAttr(ttg::numCTAsAttrName, builder.getI32IntegerAttr(numCTAs));
    module->setAttr(ttg::targetAttrName, builder.getStringAttr(target));
    return success();
  }

  /// Whether the op ties the layouts of tensors of different shapes together.
  static bool tiesShapes(Operation *op) {
    return isa<tt::ExpandDimsOp, tt::BroadcastOp, tt::ReduceOp, tt::TransOp, tt::ReshapeOp,
               tt::JoinOp, tt::SplitOp, tt::CatOp, tt::DotOp>(op);
  }

  /// `type` in its default layout; other types, and tensors that have one, as they are.
  Type convert(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getEncoding() || tensor.getRank() == 0)
      return type;
    Type &converted = converter[type];
    if (!converted)
      converted = withLayout(type, defaultLayout(tensor));
    return converted;
  }

  Attribute defaultLayout(RankedTensorType type) {
    SmallVector<unsigned> sizes(type.getRank(), 1);
    auto order = llvm::to_vector(llvm::reverse(llvm::seq<unsigned>(0, type.getRank())));
    return ttg::BlockedEncodingAttr::getCovering(type.getContext(), type.getShape(), sizes, order,
                                                 numWarps, threadsPerWarp);
  }

  void convertSignature(tt::FuncOp function) {
    FunctionType type = function.getFunctionType();
    auto all = [&](TypeRange types) {
      return llvm::map_to_vector(types, [&](Type one) { return convert(one); });
    };
    function.setFunctionType(
        FunctionType::get(type.getContext(), all(type.getInputs()), all(type.getResults())));
  }

  /// Gives the results of `op` the layout that its operands bring, then converts them to the
  /// default.
  LogicalResult reconcile(Operation *op) {
    Attribute layout;
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
      layout = expandOperand(expand);
    else if (auto split = dyn_cast<tt::SplitOp>(op))
      layout = splitOperand(split);
    else if (auto dot = dyn_cast<tt::DotOp>(op))
      layout = dotOperands(dot);
    else if (auto layoutOp = dyn_cast<tt::LayoutOp>(op))
      layout = layoutOp.inferResultLayout(getLayout(op->getOperand(0).getType()));
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    for (Value result : op->getResults()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (!type)
        continue;
      if (!layout)
        return op->emitError("its result has no layout that follows from the operand's");
      if (layout == type.getEncoding())
        continue;
      result.setType(withLayout(type, layout));
      auto converted = ttg::ConvertLayoutOp::create(builder, op->getLoc(), type, result);
      result.replaceAllUsesExcept(converted, converted);
    }
    return success();
  }

  /// The operand of expand_dims is a slice of the result. The result has the operand's layout
  /// with one thread and one warp along the new dimension.
  Attribute expandOperand(tt::ExpandDimsOp op) {
    auto type = cast<RankedTensorType>(op.getSrc().getType());
    auto blocked = cast<ttg::BlockedEncodingAttr>(defaultLayout(type));
    auto withOne = [&](ArrayRef<unsigned> list) {
      SmallVector<unsigned> result(list);
      result.insert(result.begin() + op.getAxis(), 1);
      return result;
    };
    auto order = llvm::to_vector(llvm::seq<unsigned>(0, type.getRank() + 1));
    auto parent = ttg::BlockedEncodingAttr::get(
        op.getContext(), withOne(blocked.getSizePerThread()), withOne(blocked.getThreadsPerWarp()),
        withOne(blocked.getWarpsPerCTA()), order);
    convertOperand(op.getSrcMutable(), ttg::sliceOf(parent, op.getAxis()));
    return parent;
  }

  /// The operand of split has both halves in each thread: as if joined from the results.
  static Attribute splitOperand(tt::SplitOp op) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    convertOperand(op.getSrcMutable(), ttg::inferJoin(type.getShape(), type.getEncoding()));
    return type.getEncoding();
  }

  /// The product is computed in a layout of its own, its operands being in that layout's.
  Attribute dotOperands(tt::DotOp op) {
    ttg::BlockedEncodingAttr parent = getDotResultLayout(op, numWarps, threadsPerWarp, memory);
    auto operandLayout = [&](unsigned index) {
      return ttg::DotOperandEncodingAttr::get(
          op.getContext(), index, cast<ttg::DotOperandParent>(Attribute(parent)), /*kWidth=*/0);
    };
    convertOperand(op.getAMutable(), operandLayout(0));
    convertOperand(op.getBMutable(), operandLayout(1));
    convertOperand(op.getCMutable(), parent);
    return parent;
  }

  static void convertOperand(OpOperand &operand, Attribute layout) {
    Operation *op = operand.getOwner();
    Type type = operand.get().getType();
    if (getLayout(type) == layout)
      return;
    OpBuilder builder(op);
    operand.set(ttg::ConvertLayoutOp::create(builder, op->getLoc(), withLayout(type, layout),
                                             operand.get()));
  }

  /// The target's.
  target::ExchangeModel memory;
  DenseMap<Type, Type> converter;
};

} // namespace
} // namespace tilewright::transform
