//===- MemorySpace.cpp - Memories that a kernel has pieces of -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/space/MemorySpace.h"

#include "lower/core/builder/Scratch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

llvm::SmallVector<ttg::ViewAccess, 2> MemorySpace::getAccesses(Operation *op) const {
  llvm::SmallVector<ttg::ViewAccess, 2> accesses;
  if (auto user = dyn_cast<ttg::SharedMemoryUser>(op))
    user.getViewAccesses(accesses);
  llvm::erase_if(accesses, [&](const ttg::ViewAccess &access) { return !hasView(access.view); });
  return accesses;
}

bool MemorySpace::hasView(Value value) const {
  auto type = dyn_cast<ttg::MemDescType>(value.getType());
  return type && contains(type);
}

static Value getLocalAllocation(Operation *op) {
  auto alloc = dyn_cast<ttg::LocalAllocOp>(op);
  return alloc ? alloc.getResult() : Value();
}

static Extent getLocalExtent(Operation *op) {
  auto alloc = cast<ttg::LocalAllocOp>(op);
  const uint64_t encoding = alloc.getType().getSharedEncoding().getAlignment();
  const uint64_t stated = alloc.getAlignment().value_or(1);
  return {.units = alloc.getType().getAllocBytes(),
          .alignment = std::max({uint64_t(sharedMemoryAlignment), encoding, stated})};
}

const MemorySpace lower::sharedMemorySpace = {
    .name = "shared memory",
    .unit = "bytes",
    .contains = [](ttg::MemDescType type) { return type.inSharedMemory(); },
    .getAllocated = getLocalAllocation,
    .getExtent = getLocalExtent,
    .getMaxUnits = [](const target::Target &target) -> uint64_t { return target.shared.maxBytes; },
    .roundUp = [](uint64_t bytes) { return bytes; },
    .sizeAttrName = ttg::sharedBytesAttrName};
