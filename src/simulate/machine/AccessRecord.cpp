//===- AccessRecord.cpp - What a byte remembers of its accesses ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/AccessRecord.h"

using namespace tilewright::simulate;

bool AccessRecord::isOrderedBefore(const Accessor &now) const {
  if (who == Who::Nobody)
    return true;
  if (blockEpoch != now.blockEpoch || who == Who::Outstanding)
    return blockEpoch < now.blockEpoch && who != Who::Outstanding;
  if (who == Who::SeveralWarps)
    return false;
  const bool isOwn = thread == now.thread;
  if (who == Who::OneThread && isOwn)
    return true;
  const uint32_t epoch = isOwn ? othersEpoch : warpEpoch;
  if (now.seen)
    return epoch < now.seen[warp];
  return warp == now.warp && epoch < now.warpEpoch;
}

void AccessRecord::add(uint32_t newSite, const Accessor &now) {
  Who merged = Who::OneThread;
  uint32_t others = 0;
  if (who != Who::Nobody && blockEpoch == now.blockEpoch) {
    if (who == Who::SeveralWarps || warp != now.warp) {
      merged = Who::SeveralWarps;
    } else if (!isOrderedBefore(now)) {
      merged = Who::OneWarp;
      others = thread == now.thread ? othersEpoch : warpEpoch;
    }
  }
  blockEpoch = now.blockEpoch;
  warpEpoch = now.warpEpoch;
  othersEpoch = others;
  site = newSite;
  thread = now.thread;
  warp = now.warp;
  who = merged;
}
