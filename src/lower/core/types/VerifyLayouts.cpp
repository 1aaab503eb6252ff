//===- VerifyLayouts.cpp - Check that a module can be lowered -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/types/VerifyLayouts.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "ir/tw/ClusterSplit.h"
#include "ir/tw/Dialect.h"
#include "lower/core/blocks/WarpSpecialize.h"
#include "target/Cluster.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

/// What is wrong with the sizes that a module states, if something is.
static LogicalResult verifySizes(ModuleOp module, const target::Target &target) {
  for (StringRef name : {ttg::numWarpsAttrName, ttg::threadsPerWarpAttrName, ttg::numCTAsAttrName})
    if (Attribute attr = module->getAttr(name)) {
      auto integer = dyn_cast<IntegerAttr>(attr);
      if (!integer || !integer.getType().isSignlessInteger(32))
        return module.emitError() << name << " must be an integer of 32 bits, and is " << attr;
    }
  // Threads are those of the module: a function has no other number of warps.
  const unsigned moduleWarps = ttg::getNumWarps(module);
  for (auto function : module.getOps<tt::FuncOp>())
    if (auto own = function->getAttrOfType<IntegerAttr>(ttg::numWarpsAttrName);
        own && own.getInt() != moduleWarps) {
      auto error = function.emitError()
                   << ttg::numWarpsAttrName << " of the function is " << own.getInt()
                   << ", but that of the module is " << moduleWarps;
      error.attachNote() << "set it on the module alone";
      return error;
    }
  const StringRef targetName = target.name;
  if (Result<void> fits = target::verifyClusterBlocks(target, ttg::getNumCTAs(module)); !fits) {
    auto error = module.emitError() << fits.error();
    error.attachNote() << "set " << ttg::numCTAsAttrName << " to another number, or to 1";
    return error;
  }
  const unsigned warps = ttg::getNumWarps(module), lanes = ttg::getThreadsPerWarp(module);
  if (!target.hasWarpSize(lanes)) {
    auto error = module.emitError();
    error << targetName << " has " << target.warpSizesText() << " threads in a warp, but "
          << ttg::threadsPerWarpAttrName << " is " << lanes;
    error.attachNote() << "compile the kernel's Python source or TTIR for " << targetName
                       << ", or set the attribute";
    return error;
  }
  const unsigned most = target.execution.maxThreadsPerBlock / lanes;
  if (!llvm::isPowerOf2_32(warps) || warps > most)
    return module.emitError() << ttg::numWarpsAttrName << " is " << warps
                              << ", which must be a power of two and at most " << most << " for "
                              << targetName;
  // In their order: the first warp of a partition is known once those before it are few enough.
  WalkResult partitions = module.walk([&](ttg::WarpSpecializePartitionsOp op) {
    for (Region &region : op.getPartitionRegions()) {
      const ttg::ThreadGroup group = ttg::getThreadGroup(&region);
      if (group.firstWarp < most && group.numWarps <= most - group.firstWarp)
        continue;
      op->getParentOp()->emitOpError()
          << "gives partition " << *group.partition << " the " << group.numWarps
          << " warps from number " << group.firstWarp << " on, but a block has at most " << most
          << " warps on " << targetName;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (partitions.wasInterrupted())
    return failure();
  if (const unsigned total = ttg::getTotalNumWarps(module); total > most)
    return module.emitError() << ttg::totalNumWarpsAttrName << " is " << total
                              << ", which must be at most " << most << " for " << targetName;
  return success();
}

/// Whether memory is that of so many blocks at most, and a map says where its elements are; other
/// memories than shared memory are not looked at, as no op on them can be lowered.
static bool verifyMemory(Operation *op, ttg::MemDescType type, const target::Target &target,
                         unsigned blockBits) {
  if (!type.inSharedMemory())
    return true;
  if (!type.getSharedEncoding().isLinear()) {
    op->emitOpError() << "has memory in several partitions, which cannot be lowered for "
                      << StringRef(target.name) << ": " << type;
    return false;
  }
  if (type.toLinearLayout().inBits(layout::dims::Block) > blockBits) {
    op->emitOpError() << "has memory whose layout is for several blocks, but "
                      << ttg::numCTAsAttrName << " is " << (1u << blockBits) << ": " << type;
    return false;
  }
  return true;
}

/// Whether a lane can hold its part of a cooperative matrix: each register is a value of its own.
static bool verifyMatrix(Operation *op, tw::CoopMatrixType type, unsigned lanes) {
  constexpr int64_t maxRegisters = 4096;
  const int64_t registers = type.getMatrix(lanes).registerCount();
  if (registers <= maxRegisters)
    return true;
  auto error = op->emitOpError() << "has a matrix of " << registers << " registers in each of "
                                 << lanes << " lanes, more than " << maxRegisters << ": " << type;
  error.attachNote() << "cut it into smaller matrices";
  return false;
}

/// Whether the cluster has as many blocks as share a tile out.
static bool verifyConvert(tw::ClusterConvertOp op, unsigned blockBits) {
  if (op.getFrom().size() <= blockBits)
    return true;
  auto error = op.emitOpError() << "divides a tile by " << op.getFrom().size()
                                << " bits of a block's number, but " << ttg::numCTAsAttrName
                                << " is " << (1u << blockBits);
  error.attachNote() << "set it to the number of blocks that run the program";
  return false;
}

/// Whether each partition of `op` can have warps of its own.
static LogicalResult verifyGroups(ttg::WarpSpecializeOp op, const target::Target &target) {
  const StringRef targetName = target.name;
  MutableArrayRef<Region> partitions = op.getPartitionRegions();
  const unsigned barriers = lower::getBarrierId({.partition = partitions.size()});
  if (barriers > target.execution.blockBarriers) {
    auto error = op.emitOpError() << "cannot be lowered for " << targetName
                                  << ", whose blocks have ";
    if (target.execution.blockBarriers == 1)
      error << "one barrier, of all their warps";
    else
      error << target.execution.blockBarriers << " barriers: " << partitions.size()
            << " partitions need " << barriers;
    error.attachNote() << (target.execution.blockBarriers == 1
                               ? "compile the kernel without warp specialization"
                               : "divide the work among fewer partitions");
    return error;
  }
  auto function = op->getParentOfType<tt::FuncOp>();
  if (!function || !function.isPublic())
    return op.emitOpError("cannot be lowered in a function that is called: the kernel's warps are "
                          "divided where it begins");
  for (Value capture : op.getExplicitCaptures())
    if (isa<RankedTensorType>(capture.getType())) {
      auto error = op.emitOpError() << "hands its partitions a tensor, whose layout is for the "
                                       "warps of the default region: "
                                    << capture.getType();
      error.attachNote() << "store it in shared memory, and hand them that";
      return error;
    }
  SmallVector<ttg::ThreadGroup> groups = {ttg::getThreadGroup(op)};
  for (Region &region : partitions)
    groups.push_back(ttg::getThreadGroup(&region));
  for (auto [i, group] : llvm::enumerate(groups))
    for (const ttg::ThreadGroup &other : ArrayRef(groups).take_front(i))
      if (group.firstWarp < other.endWarp() && other.firstWarp < group.endWarp())
        return op.emitOpError() << "gives warps " << group.firstWarp << " .. "
                                << group.endWarp() - 1 << " to partition " << *group.partition
                                << ", of which others have some";
  WalkResult calls = op.getPartitionOp()->walk([](tt::CallOp call) {
    auto error =
        call.emitOpError("cannot be lowered in a partition: functions are compiled for the "
                         "warps of the default region");
    error.attachNote() << "inline the call";
    return WalkResult::interrupt();
  });
  return failure(calls.wasInterrupted());
}

LogicalResult lower::verifyLayouts(ModuleOp module, const target::Target &target) {
  if (failed(verifySizes(module, target)))
    return failure();
  const unsigned lanes = ttg::getThreadsPerWarp(module);
  const unsigned clusterBits = llvm::Log2_32(ttg::getNumCTAs(module));
  const unsigned blockBits = module->hasAttr(tw::distributedAttrName) ? 0 : clusterBits;
  bool ok = true;
  // Most ops share their types: each type is looked at once.
  llvm::DenseSet<std::pair<Type, unsigned>> good;
  module.walk([&](Operation *op) {
    unsigned warps = ttg::getNumWarps(op);
    auto check = [&](Type type) {
      if (auto memory = dyn_cast<ttg::MemDescType>(type))
        return verifyMemory(op, memory, target, blockBits);
      if (auto matrix = dyn_cast<tw::CoopMatrixType>(type))
        return verifyMatrix(op, matrix, lanes);
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || good.contains({type, warps}))
        return true;
      if (!tt::getLayoutEncoding(tensor)) {
        op->emitOpError() << "has a tensor without a layout: " << tensor;
        return false;
      }
      layout::LinearLayout layout = ttg::toLinearLayout(tensor);
      if (layout.inSize(layout::dims::Warp) != warps ||
          layout.inSize(layout::dims::Lane) != lanes) {
        (op->emitOpError() << "has a tensor whose layout is for "
                           << layout.inSize(layout::dims::Warp) << " warps of "
                           << layout.inSize(layout::dims::Lane) << " threads, but the "
                           << (ttg::getThreadGroup(op).partition ? "partition" : "module")
                           << " has " << warps << " of " << lanes << ": " << tensor)
                .attachNote()
            << "give it a layout for as many, or set " << ttg::numWarpsAttrName << " and "
            << ttg::threadsPerWarpAttrName << " of the module";
        return false;
      }
      if (layout.inBits(layout::dims::Block) != blockBits) {
        (op->emitOpError() << "has a tensor whose layout is for "
                           << layout.inSize(layout::dims::Block) << " blocks, but "
                           << ttg::numCTAsAttrName << " is " << (1u << clusterBits) << ": "
                           << tensor)
                .attachNote()
            << "say in CGALayout which part of the tensor each block of the cluster has";
        return false;
      }
      good.insert({type, warps});
      return true;
    };
    // One error an op.
    bool fine =
        llvm::all_of(op->getResultTypes(), check) && llvm::all_of(op->getOperandTypes(), check);
    for (Region &region : op->getRegions()) {
      warps = ttg::getThreadGroup(&region).numWarps;
      for (Block &block : region)
        fine = fine && llvm::all_of(block.getArgumentTypes(), check);
    }
    if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op))
      fine = fine && succeeded(verifyGroups(specialize, target));
    ok &= fine;
    if (auto convert = dyn_cast<tw::ClusterConvertOp>(op))
      ok &= verifyConvert(convert, clusterBits);
    if (auto func = dyn_cast<tt::FuncOp>(op); func && func.isPublic())
      for (Type type : func.getArgumentTypes())
        if (isa<RankedTensorType, tw::CoopMatrixType>(type)) {
          func.emitOpError() << "is a kernel and cannot take a "
                             << (isa<RankedTensorType>(type) ? "tensor" : "matrix")
                             << " as an argument";
          ok = false;
        }
  });
  return success(ok);
}
