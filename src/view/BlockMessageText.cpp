//===- BlockMessageText.cpp - Text of block-message plans ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/PlanText.h"

#include "support/Counted.h"
#include "support/JsonText.h"

#include <bit>

namespace tilewright::view {

using namespace plan::block2d;

namespace {

std::string dimName(const BlockMessagePlan &plan, unsigned dim) {
  return std::string(plan.origin.outs()[dim].dim.name());
}

/// Elements (units) that a lane has of one message.
unsigned slotCount(const BlockMessagePlan &plan) {
  return static_cast<unsigned>(plan.slots.outSize(slotDim()));
}

/// Operands of `operandRegisters` registers in a message; 0 if it is not known or a message
/// has no whole ones: the lowest registers must all be slots of it.
unsigned operandCount(const BlockMessagePlan &plan) {
  if (plan.access != BlockAccess::Load || !plan.operandRegisters ||
      !std::has_single_bit(plan.operandRegisters) || plan.unitsPerElement > 1)
    return 0;
  auto bits = static_cast<unsigned>(std::countr_zero(plan.operandRegisters));
  if (bits > plan.slots.inBits(layout::dims::Register))
    return 0;
  for (unsigned i = 0; i < bits; ++i)
    if (plan.slots.basis(layout::dims::Register, i, messageDim()))
      return 0;
  return slotCount(plan) / plan.operandRegisters;
}

/// "every 4th of dim0" and the like.
std::string rowsText(const BlockMessagePlan &plan) {
  if (!plan.rowDim)
    return "a single row";
  uint64_t step = uint64_t(1) << plan.rowShift;
  if (plan.foldsRows())
    return "pieces of " + std::to_string(step) + " elements of " + dimName(plan, *plan.rowDim);
  if (step == 1)
    return dimName(plan, *plan.rowDim);
  bool isSecond = step % 10 == 2 && step % 100 != 12;
  return "every " + std::to_string(step) + (isSecond ? "nd" : "th") + " of " +
         dimName(plan, *plan.rowDim);
}

/// The bits of a mask as a list: [0, 2].
std::string bitList(uint64_t mask) {
  std::string text = "[";
  for (uint64_t rest = mask; rest; rest &= rest - 1)
    text += (rest == mask ? "" : ", ") + std::to_string(std::countr_zero(rest));
  return text + "]";
}

std::string_view obstacleName(MessageRejection obstacle) {
  switch (obstacle) {
  case MessageRejection::None:
    return "none";
  case MessageRejection::LaneCount:
    return "lane_count";
  case MessageRejection::LaneCopy:
    return "lane_copy";
  case MessageRejection::LaneSum:
    return "lane_sum";
  case MessageRejection::LaneTwice:
    return "lane_twice";
  case MessageRejection::LaneMoved:
    return "lane_moved";
  case MessageRejection::Mask:
    return "mask";
  case MessageRejection::Shape:
    return "shape";
  }
  return "";
}

} // namespace

std::string toJson(const BlockMessage &message, unsigned threadsPerWarp) {
  return JsonObject()
      .number("element_bits", message.elementBits)
      .number("width", message.width)
      .number("height", message.height)
      .number("blocks", message.blocks)
      .boolean("transpose", message.transpose)
      .boolean("vnni", message.vnni)
      .number("slot_bits", message.slotBits())
      .boolean("spirv", hasSpirvForm(message, threadsPerWarp))
      .str();
}

std::string toText(const BlockMessagePlan &plan) {
  const std::string access(accessName(plan.access));
  if (!plan.hasMessages())
    return std::string(plan.access == BlockAccess::Store  ? "scatter"
                       : plan.access == BlockAccess::Load ? "gather"
                                                          : "no prefetch") +
           ": " + plan.fallback + "\n";

  std::string text = access + ": " + counted(plan.messageCount(), "message", "messages") +
                     " a warp of " + plan.message.toString() + "\n";
  text += "elements: " + std::to_string(plan.elementBits) + " bits, contiguous along " +
          dimName(plan, plan.contiguousDim) + "; rows: " + rowsText(plan) + "\n";
  if (plan.access != BlockAccess::Prefetch) {
    text += "a lane's part of a message: " + counted(slotCount(plan), "register", "registers");
    if (plan.unitsPerElement > 1)
      text += " of 32 bits, halves of elements";
    else if (plan.message.slotBits() > plan.elementBits)
      text += ", " + std::to_string(plan.message.slotBits() / plan.elementBits) +
              " in each value of " + std::to_string(plan.message.slotBits()) + " bits";
    if (unsigned operands = operandCount(plan))
      text += ": " + counted(operands, "operand", "operands") + " of " +
              std::to_string(plan.operandRegisters);
    text += "\n";
  }
  text += "starts: " + plan.origin.toString() + "\n";
  if (plan.access != BlockAccess::Prefetch)
    text += "registers: " + plan.registers.toString() + "\n";
  if (plan.idleWarps)
    text += "idle warps: those with one of bits " + bitList(plan.idleWarps) + "\n";
  if (plan.idleBlocks)
    text += "idle blocks: those with one of bits " + bitList(plan.idleBlocks) + "\n";
  if (plan.foldsRows())
    text += "needs: a start aligned to " + std::to_string(plan.limits.baseAlignment) +
            " bytes, and no element out of bounds\n";
  return text;
}

std::string toJson(const BlockMessagePlan &plan) {
  JsonObject json;
  json.word("access", accessName(plan.access)).number("element_bits", plan.elementBits);
  if (!plan.hasMessages())
    return json.number("messages", 0)
        .word("obstacle", obstacleName(plan.obstacle))
        .word("fallback", plan.fallback)
        .str();
  json.number("messages", plan.messageCount())
      .raw("message", toJson(plan.message, plan.threadsPerWarp))
      .number("threads_per_warp", plan.threadsPerWarp)
      .word("contiguous", dimName(plan, plan.contiguousDim));
  if (plan.rowDim)
    json.word("rows", dimName(plan, *plan.rowDim));
  else
    json.raw("rows", "null");
  json.number("row_step", uint64_t(1) << plan.rowShift).raw("origin", plan.origin.toJson());
  if (plan.access != BlockAccess::Prefetch)
    json.number("units_per_element", plan.unitsPerElement)
        .raw("slots", plan.slots.toJson())
        .raw("registers", plan.registers.toJson());
  return json.raw("idle_warp_bits", bitList(plan.idleWarps))
      .raw("idle_block_bits", bitList(plan.idleBlocks))
      .str();
}

} // namespace tilewright::view
