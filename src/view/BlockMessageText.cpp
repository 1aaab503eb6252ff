//===- BlockMessageText.cpp - Text of block-message plans ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/block2d/BlockMessages.h"

#include "support/Counted.h"
#include "support/JsonText.h"

#include <bit>

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::plan::block2d;

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

std::string BlockMessage::toJson(unsigned threadsPerWarp) const {
  return JsonObject()
      .number("element_bits", elementBits)
      .number("width", width)
      .number("height", height)
      .number("blocks", blocks)
      .boolean("transpose", transpose)
      .boolean("vnni", vnni)
      .number("slot_bits", slotBits())
      .boolean("spirv", hasSpirvForm(*this, threadsPerWarp))
      .str();
}

std::string BlockMessagePlan::toString() const {
  std::string access(accessName(this->access));
  if (!hasMessages())
    return std::string(this->access == BlockAccess::Store  ? "scatter"
                       : this->access == BlockAccess::Load ? "gather"
                                                           : "no prefetch") +
           ": " + fallback + "\n";

  std::string text = access + ": " + counted(messageCount(), "message", "messages") +
                     " a warp of " + message.toString() + "\n";
  text += "elements: " + std::to_string(elementBits) + " bits, contiguous along " +
          dimName(*this, contiguousDim) + "; rows: " + rowsText(*this) + "\n";
  if (this->access != BlockAccess::Prefetch) {
    text += "a lane's part of a message: " + counted(slotCount(*this), "register", "registers");
    if (unitsPerElement > 1)
      text += " of 32 bits, halves of elements";
    else if (message.slotBits() > elementBits)
      text += ", " + std::to_string(message.slotBits() / elementBits) + " in each value of " +
              std::to_string(message.slotBits()) + " bits";
    if (unsigned operands = operandCount(*this))
      text += ": " + counted(operands, "operand", "operands") + " of " +
              std::to_string(operandRegisters);
    text += "\n";
  }
  text += "starts: " + origin.toString() + "\n";
  if (this->access != BlockAccess::Prefetch)
    text += "registers: " + registers.toString() + "\n";
  if (idleWarps)
    text += "idle warps: those with one of bits " + bitList(idleWarps) + "\n";
  if (idleBlocks)
    text += "idle blocks: those with one of bits " + bitList(idleBlocks) + "\n";
  if (foldsRows())
    text += "needs: a start aligned to " + std::to_string(limits.baseAlignment) +
            " bytes, and no element out of bounds\n";
  return text;
}

std::string BlockMessagePlan::toJson() const {
  JsonObject json;
  json.word("access", accessName(access)).number("element_bits", elementBits);
  if (!hasMessages())
    return json.number("messages", 0)
        .word("obstacle", obstacleName(obstacle))
        .word("fallback", fallback)
        .str();
  json.number("messages", messageCount())
      .raw("message", message.toJson(threadsPerWarp))
      .number("threads_per_warp", threadsPerWarp)
      .word("contiguous", dimName(*this, contiguousDim));
  if (rowDim)
    json.word("rows", dimName(*this, *rowDim));
  else
    json.raw("rows", "null");
  json.number("row_step", uint64_t(1) << rowShift).raw("origin", origin.toJson());
  if (access != BlockAccess::Prefetch)
    json.number("units_per_element", unitsPerElement)
        .raw("slots", slots.toJson())
        .raw("registers", registers.toJson());
  return json.raw("idle_warp_bits", bitList(idleWarps))
      .raw("idle_block_bits", bitList(idleBlocks))
      .str();
}
