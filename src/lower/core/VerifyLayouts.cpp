//===- VerifyLayouts.cpp - Whether a module can be lowered --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/VerifyLayouts.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"

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
  const StringRef targetName = target.name;
  if (unsigned blocks = ttg::getNumCTAs(module); blocks != 1)
    return module.emitError() << "clusters of " << blocks
                              << " blocks cannot be lowered: " << ttg::numCTAsAttrName
                              << " must be 1";
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
  return success();
}

/// Whether memory is one block's, and a map says where its elements are; other memories than shared
/// memory are not looked at, as no op on them can be lowered.
static bool verifyMemory(Operation *op, ttg::MemDescType type, const target::Target &target) {
  if (!type.inSharedMemory())
    return true;
  if (!type.getSharedEncoding().isLinear()) {
    op->emitOpError() << "has memory in several partitions, which cannot be lowered for "
                      << StringRef(target.name) << ": " << type;
    return false;
  }
  if (type.toLinearLayout().inSize(layout::dims::Block) != 1) {
    op->emitOpError() << "has memory whose layout is for several blocks, but "
                      << ttg::numCTAsAttrName << " is 1: " << type;
    return false;
  }
  return true;
}

LogicalResult lower::verifyLayouts(ModuleOp module, const target::Target &target) {
  if (failed(verifySizes(module, target)))
    return failure();
  const unsigned warps = ttg::getNumWarps(module), lanes = ttg::getThreadsPerWarp(module);
  bool ok = true;
  // Types are few, and most ops have those of others.
  llvm::DenseSet<Type> good;
  module.walk([&](Operation *op) {
    auto check = [&](Type type) {
      if (auto memory = dyn_cast<ttg::MemDescType>(type))
        return verifyMemory(op, memory, target);
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || good.contains(type))
        return true;
      if (!tt::getLayoutEncoding(tensor)) {
        op->emitOpError() << "has a tensor without a layout: " << tensor;
        return false;
      }
      layout::LinearLayout layout = ttg::toLinearLayout(tensor);
      if (layout.inSize(layout::dims::Warp) != warps ||
          layout.inSize(layout::dims::Lane) != lanes || layout.inSize(layout::dims::Block) != 1) {
        (op->emitOpError() << "has a tensor whose layout is for "
                           << layout.inSize(layout::dims::Warp) << " warps of "
                           << layout.inSize(layout::dims::Lane) << " threads, but the module has "
                           << warps << " of " << lanes << ": " << tensor)
                .attachNote()
            << "give it a layout for as many, or set " << ttg::numWarpsAttrName << " and "
            << ttg::threadsPerWarpAttrName << " of the module";
        return false;
      }
      good.insert(type);
      return true;
    };
    // One error an op.
    bool fine =
        llvm::all_of(op->getResultTypes(), check) && llvm::all_of(op->getOperandTypes(), check);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        fine = fine && llvm::all_of(block.getArgumentTypes(), check);
    ok &= fine;
    if (auto func = dyn_cast<tt::FuncOp>(op); func && func.isPublic())
      for (Type type : func.getArgumentTypes())
        if (isa<RankedTensorType>(type)) {
          func.emitOpError() << "is a kernel and cannot take a tensor as an argument";
          ok = false;
        }
  });
  return success(ok);
}
