//===- AmdCopies.cpp - Builtins of Gluon: CDNA4's copies to shared memory ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A copy by a buffer operation means what the copy through pointers means, and becomes that, as the
// other buffer operations do (AmdBuffers.cpp).
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/MemoryArguments.h"
#include "frontend/builtins/gluon/Gluon.h"

using namespace tilewright;
using namespace tilewright::frontend;

/// Copies the elements at `pointers`, which are argument `at`, to the memory that is argument 0.
/// The arguments from `next` on are mask, other and cache_modifier.
static Value copyElements(Arguments &arguments, const Value &pointers, size_t at, size_t next) {
  TritonBuilder &tb = arguments.tb;
  Value memory = memDescArgument(arguments, 0);
  if (!memory)
    return {};
  const mlir::Attribute layout = pointers.encoding();
  if (!isUndecidedLayout(layout) &&
      !llvm::isa<ttg::BlockedEncodingAttr, ttg::SliceEncodingAttr>(layout))
    return arguments.fail(at, "must be in a BlockedLayout or a SliceLayout, not " +
                                  reprOfLayout(layout));
  if (pointers.shape() != memory.shape())
    return arguments.fail(at, "has the shape " + describeShape(pointers.shape()) +
                                  ", but the memory has " + describeShape(memory.shape()));
  Value mask, other;
  if (!maskArgument(arguments, next, pointers, mask))
    return {};
  if (!arguments[next + 1].isNone()) {
    if (arguments[next].isNone())
      return arguments.fail(next + 1, "is given without a mask",
                            "leave it out: all elements are loaded");
    other = valueArgument(arguments, next + 1, pointers, pointers.type.pointee());
    if (!other)
      return {};
  }
  std::optional<std::string> cache = arguments.string(next + 2);
  if (!cache)
    return {};
  tt::CacheModifier modifier = tt::CacheModifier::NONE;
  if (!cache->empty()) {
    if (*cache != ".ca" && *cache != ".cg" && *cache != ".cv")
      return arguments.fail(next + 2,
                            "is '" + llvm::Twine(*cache) + "', which is no cache modifier",
                            "write .ca, .cg or .cv");
    modifier = *tt::symbolizeCacheModifier(llvm::StringRef(*cache).drop_front());
  }
  auto op = ttg::AsyncCopyGlobalToLocalOp::create(tb.builder, tb.loc(), pointers.ssa, memory.ssa,
                                                  mask.ssa, other.ssa, modifier,
                                                  tt::EvictionPolicy::NORMAL, /*isVolatile=*/false);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

/// dest, ptr, mask, other, cache_modifier.
static Value globalLoadToShared(Arguments &arguments) {
  Value pointers = pointerArgument(arguments, 1);
  if (!pointers)
    return {};
  if (!pointers.isBlock())
    return arguments.fail(1, "must be a tensor of pointers, not " + pointers.describe());
  return copyElements(arguments, pointers, 1, 2);
}

/// dest, ptr, offsets, mask, other, cache_modifier.
static Value bufferLoadToShared(Arguments &arguments) {
  Value pointers = bufferPointers(arguments, 1);
  return pointers ? copyElements(arguments, pointers, 2, 3) : Value();
}

/// smem, layout: what waits are for is said by the program's own wait_group; the load itself is one
/// as any other.
static Value loadSharedRelaxed(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value memory = memDescArgument(arguments, 0);
  std::optional<mlir::Attribute> layout = memory ? distributedLayout(arguments, 1) : std::nullopt;
  if (!layout || !checkLayoutFits(arguments, 1, *layout, memory.shape()))
    return {};
  auto op = ttg::LocalLoadOp::create(
      tb.builder, tb.loc(), tb.tensorType(memory.shape(), memory.type, *layout), memory.ssa);
  op->setAttr("ttg.amdg.syncedViaAsyncWait", tb.builder.getBoolAttr(true));
  return verifyMade(arguments, op) ? Value::tensor(op, memory.type) : Value();
}

llvm::ArrayRef<Builtin> frontend::gluonAmdCopyBuiltins() {
  static constexpr Builtin builtins[] = {
      {"global_load_to_shared", "dest ptr mask? other? cache_modifier?", globalLoadToShared},
      {"buffer_load_to_shared", "dest ptr offsets mask? other? cache_modifier?",
       bufferLoadToShared},
      {"load_shared_relaxed", "smem layout", loadSharedRelaxed},
  };
  return builtins;
}
