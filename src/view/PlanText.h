//===- PlanText.h - Plans as text and as JSON -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VIEW_PLANTEXT_H
#define TILEWRIGHT_VIEW_PLANTEXT_H

#include "plan/block2d/BlockLoadSteps.h"
#include "plan/block2d/BlockMessages.h"
#include "target/ExchangeModel.h"
#include "tilewright/layout/ConversionPlan.h"
#include "view/Namespaces.h"

#include <string>

namespace tilewright::view {

/// The plan in words: its kind, the cost and the steps, with all that they are chosen by.
std::string toText(const ConversionPlan &plan);
/// The whole plan as one line: {"kind": .., "cost": .., and one of "source_registers",
/// "shuffles" and "shared"}.
std::string toJson(const ConversionPlan &plan);

/// In words, one fact a line; the maps as LinearLayout::toString writes them.
std::string toText(const block2d::BlockMessagePlan &plan);
std::string toJson(const block2d::BlockMessagePlan &plan);
/// {"element_bits": .., "width": .., "height": .., "blocks": .., "transpose": .., "vnni": ..,
/// "slot_bits": .., "spirv": ..}, with hasSpirvForm at the end.
std::string toJson(const block2d::BlockMessage &message, unsigned threadsPerWarp);

/// The three maps as text, one basis a line, each followed by samples: of the tile the offsets
/// that the first lane reads, of the others the first and the last offset of each iteration.
/// There are none for transposing loads, where a lane's elements are not at its offsets, and
/// none for a single load, which adds nothing to the iterations.
std::string toText(const block2d::BlockLoadSteps &steps);
/// {"message": .., "slot": {"dim0": .., "dim1": ..}, "tile": .., "iterations": .., "loads": ..,
/// "origins": ..}; the message as above, maps as LinearLayout::toJson.
std::string toJson(const block2d::BlockLoadSteps &steps);

} // namespace tilewright::view

#endif // TILEWRIGHT_VIEW_PLANTEXT_H
