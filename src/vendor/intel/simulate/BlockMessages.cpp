//===- BlockMessages.cpp - 2D block messages, simulated -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Semantics from the OpenCL extension cl_intel_subgroup_2d_block_io and from what
// plan/block2d/BlockMessage.h says of the hardware; which byte goes where is the interpreter's
// business (plan/interpret/BlockMessageInterpreter.h). A message is the sub-group's: its operands
// are to be the same in all lanes, but for where each has its values.
//
// What is out of a surface's bounds is read as zero and not written. What is in its bounds has to
// be in a buffer. Prefetches keep the rules of messages, and touch nothing.
//
//===--------------------------------------------------------------------------===//

#include "plan/interpret/BlockMessageInterpreter.h"
#include "vendor/intel/plan/BlockFunctions.h"
#include "vendor/intel/simulate/Replacer.h"

#include <cstring>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::intel;
using namespace tilewright::plan::block2d;
using llvm::Value;
using vendor::intel::parseBlockFunction;

namespace {
namespace symbol {
/// After machine and site: ptr to MessageOperands.
constexpr char blockMessage[] = "tilewright.intel.block_message";
} // namespace symbol

/// A lane's operands, in its own frame.
struct MessageOperands {
  uint64_t base;
  int32_t width, height, pitch, x, y;
  /// Where the lane's values are.
  uint8_t *values;

  bool hasSameSurface(const MessageOperands &other) const {
    return std::tie(base, width, height, pitch, x, y) ==
           std::tie(other.base, other.width, other.height, other.pitch, other.x, other.y);
  }
};
} // namespace

static const MessageOperands &operandsOf(const WarpExchange::Lane &lane) {
  return *reinterpret_cast<const MessageOperands *>(uint64_t(lane.operands[1]) << 32 |
                                                    lane.operands[0]);
}

/// The limits of all GPUs that have such messages.
static const BlockMessageLimits &limits() {
  static const BlockMessageLimits &found = *blockMessageLimits(*target::Target::find("xpu:pvc"));
  return found;
}

/// That the bytes in bounds are in buffers.
static bool checkBytes(WarpExchange &exchange, const std::vector<ByteAddress> &payload,
                       uint64_t base, bool isStore) {
  uint64_t begin = 0, bytes = 0;
  for (ByteAddress byte : payload) {
    const auto address = static_cast<uint64_t>(byte);
    if (byte < 0 || address - begin < bytes)
      continue;
    begin = address;
    bytes = exchange.machine->bytesOfBufferAt(address, isStore);
    if (bytes == 0) {
      exchange.machine->fail(exchange.site,
                             "the message's surface says that byte " +
                                 std::to_string(int64_t(address - base)) +
                                 " from its base on is in bounds, and it is in no buffer" +
                                 (isStore ? " that may be written" : ""),
                             "the surface's width, height and pitch are to be those of the array");
      return false;
    }
  }
  return true;
}

static void combineMessage(WarpExchange &exchange) {
  Machine &machine = *exchange.machine;
  const BlockMessage message = *parseBlockFunction(machine.sites[exchange.site].operation);
  const MessageOperands &first = operandsOf(exchange.lane[0]);
  for (uint32_t lane = 1; lane < exchange.lanes; ++lane)
    if (!operandsOf(exchange.lane[lane]).hasSameSurface(first))
      return machine.fail(exchange.site,
                          "the operands of a block message are not the same in lane " +
                              std::to_string(lane) + " as in lane 0",
                          "a message is one of the whole sub-group");

  const BlockSurface surface = {.base = first.base,
                                .width = static_cast<uint64_t>(first.width),
                                .height = static_cast<uint64_t>(first.height),
                                .pitch = static_cast<uint64_t>(first.pitch),
                                .x = static_cast<uint64_t>(first.x),
                                .y = static_cast<uint64_t>(first.y)};
  if (Result<void> valid = verifyMessage(message, limits()); !valid)
    return machine.fail(exchange.site, valid.error());
  if (!hasSpirvForm(message, exchange.lanes))
    return machine.fail(exchange.site, "there is no such message for sub-groups of " +
                                           std::to_string(exchange.lanes));
  if (Result<void> valid = verifySurface(surface, message, limits()); !valid)
    return machine.fail(exchange.site, valid.error());
  if (message.access == BlockAccess::Prefetch)
    return;

  const std::vector<ByteAddress> payload = payloadOf(message, surface, limits().registerBytes);
  if (!checkBytes(exchange, payload, first.base, message.access == BlockAccess::Store))
    return;
  // Value p is slot p / lanes of lane p mod lanes.
  const unsigned valueBytes = message.slotBits() / 8;
  for (size_t byte = 0; byte < payload.size(); ++byte) {
    const size_t value = byte / valueBytes;
    uint8_t *held = operandsOf(exchange.lane[value % exchange.lanes]).values +
                    value / exchange.lanes * valueBytes + byte % valueBytes;
    auto *place = reinterpret_cast<uint8_t *>(payload[byte]);
    if (payload[byte] < 0) {
      if (message.access == BlockAccess::Load)
        *held = 0;
      continue;
    }
    const auto before = static_cast<std::byte>(*place);
    if (message.access == BlockAccess::Load)
      *held = *place;
    else
      *place = *held;
    if (!machine.accessGlobal(
            exchange.firstThread + value % exchange.lanes, exchange.site,
            static_cast<uint64_t>(payload[byte]), 1,
            message.access == BlockAccess::Load ? AccessKind::Load : AccessKind::Store, &before))
      return;
  }
}

static void blockMessage(Machine *machine, uint32_t site, const MessageOperands *operands) {
  const auto frame = reinterpret_cast<uint64_t>(operands);
  machine->warpOperation(site, machine->allLanes(),
                         {static_cast<uint32_t>(frame), static_cast<uint32_t>(frame >> 32)},
                         combineMessage);
  machine->leaveIfFailed();
}

std::span<const RuntimeSymbol> intel::blockMessageSymbols() {
  static const RuntimeSymbol symbols[] = {{symbol::blockMessage, addressOf(blockMessage)}};
  return symbols;
}

Value *Replacer::blockMessage() {
  const std::optional<BlockMessage> message = parseBlockFunction(function.name);
  const bool hasValues = message && message->access != BlockAccess::Prefetch;
  if (!message || call.arg_size() != (hasValues ? 6 : 5))
    return unknown;
  llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst *frame =
      entry.CreateAlloca(llvm::ArrayType::get(entry.getInt64Ty(), sizeof(MessageOperands) / 8));
  auto put = [&](Value *value, size_t offset) {
    builder.CreateStore(value, builder.CreateConstGEP1_64(builder.getInt8Ty(), frame, offset));
  };
  put(builder.CreatePtrToInt(operand(0), builder.getInt64Ty()), offsetof(MessageOperands, base));
  put(operand(1), offsetof(MessageOperands, width));
  put(operand(2), offsetof(MessageOperands, height));
  put(operand(3), offsetof(MessageOperands, pitch));
  put(builder.CreateExtractElement(operand(4), uint64_t(0)), offsetof(MessageOperands, x));
  put(builder.CreateExtractElement(operand(4), uint64_t(1)), offsetof(MessageOperands, y));
  if (hasValues)
    put(operand(5), offsetof(MessageOperands, values));
  machineCall(symbol::blockMessage, builder.getVoidTy(), {frame});
  return done();
}
