//===- ProxyFences.cpp - Fences between the ways to shared memory -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/ProxyFences.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::simulate;

void ProxyFences::reset() {
  std::ranges::fill(made, 0);
  std::ranges::fill(last, Fence());
}

void ProxyFences::add(const Accessor &now) {
  ++made[now.thread];
  Fence &fence = last[now.warp];
  fence.happened = true;
  fence.when = now;
  if (now.seen) {
    fence.seen.assign(now.seen, now.seen + last.size());
    fence.when.seen = fence.seen.data();
  }
}
