//===- BlockFallback.h - Why a layout has no block messages ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Internal to the planner.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_INTEL_BLOCKFALLBACK_H
#define TILEWRIGHT_TARGET_INTEL_BLOCKFALLBACK_H

#include "target/intel/BlockTileSearch.h"

namespace tilewright::target::intel {

/// Whether no load or store at all can serve the layout's lanes; then the plan says why.
bool lanesForbid(const LayoutParts &parts, BlockMessagePlan &plan);

/// What a search met that found nothing, one sentence without a full stop.
std::string explain(const TileObstacle &obstacle, const LayoutParts &parts,
                    const BlockMessageRequest &request);

} // namespace tilewright::target::intel

#endif // TILEWRIGHT_TARGET_INTEL_BLOCKFALLBACK_H
