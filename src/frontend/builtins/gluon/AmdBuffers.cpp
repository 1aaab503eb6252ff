//===- AmdBuffers.cpp - Builtins of Gluon: AMD's buffer operations ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A buffer operation accesses the elements at 32-bit offsets from one pointer. It means what the
// access through pointers means, and becomes that: AMD's lowering finds by itself where a buffer
// instruction can do it.
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/gluon/Gluon.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

Value frontend::bufferPointers(const Arguments &arguments, size_t pointer) {
  const Value &base = arguments[pointer], &offsets = arguments[pointer + 1];
  if (!base.isTensor() || base.isBlock() || !base.type.isPointer())
    return arguments.fail(pointer, "must be one pointer, not " + base.describe(),
                          "pass the pointer, and the tensor of offsets beside it");
  if (!offsets.isBlock() || !offsets.type.isInteger() || offsets.type.bits() != 32)
    return arguments.fail(pointer + 1,
                          "must be a tensor of 32-bit integers, not " + offsets.describe());
  return arguments.tb.binary(BinaryOperator::Add, base, offsets);
}

/// Calls `tl.load` or `tl.store` with the cache modifier of the argument `cache` besides.
static Value callAccess(Arguments &arguments, StringRef name,
                        llvm::SmallVector<GivenArgument> given, size_t cache) {
  if (!arguments[cache].isNone())
    given.push_back({"cache_modifier", arguments[cache], arguments.tb.here()});
  return callLanguage(arguments, name, given);
}

/// ptr, offsets, mask, other, cache.
static Value bufferLoad(Arguments &arguments) {
  Value pointers = bufferPointers(arguments, 0);
  if (!pointers)
    return {};
  return callAccess(arguments, "load",
                    {{"pointer", pointers, arguments.tb.here()},
                     {"mask", arguments[2], arguments.tb.here()},
                     {"other", arguments[3], arguments.tb.here()}},
                    4);
}

/// stored_value, ptr, offsets, mask, cache.
static Value bufferStore(Arguments &arguments) {
  Value pointers = bufferPointers(arguments, 1);
  if (!pointers)
    return {};
  return callAccess(arguments, "store",
                    {{"pointer", pointers, arguments.tb.here()},
                     {"value", arguments[0], arguments.tb.here()},
                     {"mask", arguments[3], arguments.tb.here()}},
                    4);
}

/// ptr, offsets, value, mask, sem, scope; the builtin's name is that of the language's function
/// after "buffer_".
static Value bufferAtomic(Arguments &arguments) {
  Value pointers = bufferPointers(arguments, 0);
  // A mask of any numbers is taken for whether they are not zero.
  Value mask = arguments[3];
  if (pointers && (mask.isNumber() || mask.isTensor()))
    mask = arguments.tb.toBool(mask);
  if (!pointers || !mask)
    return {};
  llvm::SmallVector<GivenArgument> given{{"pointer", pointers, arguments.tb.here()},
                                         {"val", arguments[2], arguments.tb.here()},
                                         {"mask", mask, arguments.tb.here()},
                                         {"sem", arguments[4], arguments.tb.here()},
                                         {"scope", arguments[5], arguments.tb.here()}};
  StringRef name = arguments.builtin.name;
  name.consume_front("buffer_");
  return callLanguage(arguments, name, given);
}

llvm::ArrayRef<Builtin> frontend::gluonAmdBufferBuiltins() {
  static constexpr llvm::StringLiteral atomic = "ptr offsets value mask? sem? scope?";
  static constexpr Builtin builtins[] = {
      {"buffer_load", "ptr offsets mask? other? cache?", bufferLoad},
      {"buffer_store", "stored_value ptr offsets mask? cache?", bufferStore},
      {"buffer_atomic_add", atomic, bufferAtomic},
      {"buffer_atomic_and", atomic, bufferAtomic},
      {"buffer_atomic_max", atomic, bufferAtomic},
      {"buffer_atomic_min", atomic, bufferAtomic},
      {"buffer_atomic_or", atomic, bufferAtomic},
      {"buffer_atomic_xchg", atomic, bufferAtomic},
      {"buffer_atomic_xor", atomic, bufferAtomic},
  };
  return builtins;
}
