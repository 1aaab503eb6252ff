//===- Cluster.h - Clusters of blocks -------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_CLUSTER_H
#define TILEWRIGHT_TARGET_CLUSTER_H

#include "target/Target.h"
#include "tilewright/support/Result.h"

namespace tilewright::target {

/// The most blocks of a cluster that every launch on the target may have; 1 where blocks form no
/// clusters. Nvidia.cpp has it: no other vendor's do.
unsigned maxClusterBlocks(const Target &target);

/// The names of those targets that have clusters.
std::string clusterTargetsText();

/// Whether `blocks` can be a cluster on the target. The error says what the target has.
Result<void> verifyClusterBlocks(const Target &target, int64_t blocks);

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_CLUSTER_H
