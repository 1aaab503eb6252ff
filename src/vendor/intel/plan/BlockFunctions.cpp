//===- BlockFunctions.cpp - The functions of 2D block messages ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/plan/BlockFunctions.h"

#include "llvm/ADT/StringRef.h"

using namespace tilewright;
using namespace tilewright::vendor::intel;
using plan::block2d::BlockAccess;
using plan::block2d::BlockMessage;

static constexpr llvm::StringLiteral prefix = "intel_sub_group_2d_block_";

static llvm::StringRef getKind(const BlockMessage &message) {
  switch (message.access) {
  case BlockAccess::Load:
    return message.transpose ? "read_transpose_" : message.vnni ? "read_transform_" : "read_";
  case BlockAccess::Store:
    return "write_";
  case BlockAccess::Prefetch:
    return "prefetch_";
  }
  return {};
}

BlockFunction vendor::intel::getBlockFunction(const BlockMessage &message) {
  BlockFunction function;
  function.name = (prefix + getKind(message)).str() + std::to_string(message.elementBits) + "b_" +
                  std::to_string(message.height) + "r" + std::to_string(message.width) + "x" +
                  std::to_string(message.blocks) + "c";
  function.parameters = "PU3AS1viiiDv2_i";
  if (message.access != BlockAccess::Prefetch) {
    const unsigned bits = message.slotBits();
    function.parameters += bits == 8 ? "Ph" : bits == 16 ? "Pt" : bits == 32 ? "Pj" : "Pm";
  }
  return function;
}

std::optional<BlockMessage> vendor::intel::parseBlockFunction(std::string_view name) {
  llvm::StringRef rest(name.data(), name.size());
  if (!rest.consume_front(prefix))
    return std::nullopt;
  BlockMessage message;
  if (rest.consume_front("read_")) {
    message.transpose = rest.consume_front("transpose_");
    message.vnni = !message.transpose && rest.consume_front("transform_");
  } else if (rest.consume_front("write_")) {
    message.access = BlockAccess::Store;
  } else if (rest.consume_front("prefetch_")) {
    message.access = BlockAccess::Prefetch;
  } else {
    return std::nullopt;
  }
  auto number = [&](unsigned &value, llvm::StringRef unit) {
    return !rest.consumeInteger(10, value) && rest.consume_front(unit);
  };
  if (!number(message.elementBits, "b_") || !number(message.height, "r") ||
      !number(message.width, "x") || !number(message.blocks, "c") || !rest.empty())
    return std::nullopt;
  return message;
}

unsigned vendor::intel::countLaneValues(const BlockMessage &message, unsigned registerBytes,
                                        unsigned threadsPerWarp) {
  const unsigned blockBytes = message.bytes() / message.blocks;
  const unsigned padded = (blockBytes + registerBytes - 1) / registerBytes * registerBytes;
  return padded * message.blocks * 8 / message.slotBits() / threadsPerWarp;
}
