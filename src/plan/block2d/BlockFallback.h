//===- BlockFallback.h - Reasons for the absence of block messages --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Internal to the planner.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_BLOCK2D_BLOCKFALLBACK_H
#define TILEWRIGHT_PLAN_BLOCK2D_BLOCKFALLBACK_H

#include "plan/Namespaces.h"
#include "plan/block2d/BlockTileSearch.h"

namespace tilewright::plan::block2d {

/// Whether no load or store at all can serve the layout's lanes; then the plan says why.
bool lanesForbid(const LayoutParts &parts, BlockMessagePlan &plan);

/// The obstacle of a search that found nothing, as one sentence without a full stop.
std::string explain(const TileObstacle &obstacle, const LayoutParts &parts,
                    const BlockMessageRequest &request);

} // namespace tilewright::plan::block2d

#endif // TILEWRIGHT_PLAN_BLOCK2D_BLOCKFALLBACK_H
