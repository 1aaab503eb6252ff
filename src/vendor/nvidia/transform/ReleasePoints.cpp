//===- ReleasePoints.cpp - When a loop is done with a buffer ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/ReleasePoints.h"

#include "ir/ttng/Dialect.h"
#include "transform/pipeline/Strategy.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;

/// Adds the ops of `body` that read `memory` or a view of it to `readers`. False if others do.
static bool collectReaders(Value memory, Block *body, llvm::SetVector<Operation *> &readers) {
  return llvm::all_of(memory.getUsers(), [&](Operation *user) {
    if (user->getBlock() != body)
      return false;
    if (!llvm::any_of(user->getResultTypes(), llvm::IsaPred<ttg::MemDescType>))
      return readers.insert(user) || true;
    return llvm::all_of(user->getResults(),
                        [&](Value view) { return collectReaders(view, body, readers); });
  });
}

ReleasePoint vendor::nvidia::findReleasePoint(scf::ForOp loop, ValueRange buffers) {
  const SmallVector<Operation *> awaited = transform::findAwaitedProducts(loop);
  const ReleasePoint inNext = {awaited.empty() ? nullptr : awaited.front(), /*isOfLast=*/true};
  llvm::SetVector<Operation *> readers;
  for (Value buffer : buffers)
    if (!collectReaders(buffer, loop.getBody(), readers))
      return {};
  Operation *last = nullptr;
  for (Operation *reader : readers) {
    Operation *done = reader;
    if (isa<ttng::WarpGroupDotOp>(reader)) {
      auto wait = llvm::find_if(awaited, [&](Operation *product) {
        return product == reader || reader->isBeforeInBlock(product);
      });
      if (wait == awaited.end())
        return inNext;
      done = *wait;
    } else if (!isa<ttg::LocalLoadOp>(reader)) {
      return {};
    }
    if (!last || last->isBeforeInBlock(done))
      last = done;
  }
  return {last, /*isOfLast=*/last == nullptr};
}
