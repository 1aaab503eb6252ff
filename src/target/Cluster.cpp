//===- Cluster.cpp - Clusters of blocks ---------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/Cluster.h"

#include <bit>

using namespace tilewright;

std::string target::clusterTargetsText() {
  std::string text;
  for (const Target &target : Target::all())
    if (maxClusterBlocks(target) > 1)
      text += (text.empty() ? "" : ", ") + std::string(target.name);
  return text;
}

Result<void> target::verifyClusterBlocks(const Target &target, int64_t blocks) {
  const unsigned most = maxClusterBlocks(target);
  if (blocks >= 1 && blocks <= most && std::has_single_bit(static_cast<uint64_t>(blocks)))
    return {};
  std::string text = "a program cannot be run by a cluster of " + std::to_string(blocks) +
                     " blocks: " + std::string(target.name);
  if (most == 1)
    return Failure(text + " has no clusters");
  return Failure(text + " has clusters of 1, 2, 4 and " + std::to_string(most) + " blocks");
}
