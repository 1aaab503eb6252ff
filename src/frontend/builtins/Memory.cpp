//===- Memory.cpp - Builtins: loads and stores --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/MemoryArguments.h"

#include "frontend/value/Layouts.h"
#include "ir/tt/Dialect.h"

using namespace tilewright;
using namespace tilewright::frontend;

static std::optional<tt::CacheModifier> cacheModifier(const Arguments &arguments, size_t index,
                                                      llvm::StringRef allowed) {
  std::optional<std::string> text = arguments.string(index);
  if (!text)
    return std::nullopt;
  if (text->empty())
    return tt::CacheModifier::NONE;
  llvm::StringRef name = llvm::StringRef(*text).drop_front();
  std::optional<tt::CacheModifier> modifier = tt::symbolizeCacheModifier(name);
  if ((*text)[0] == '.' && modifier && allowed.contains(*text))
    return modifier;
  arguments.fail(index, "is '" + llvm::Twine(*text) + "', which is no cache modifier",
                 "write one of " + allowed);
  return std::nullopt;
}

static std::optional<tt::EvictionPolicy> evictionPolicy(const Arguments &arguments, size_t index) {
  std::optional<std::string> text = arguments.string(index);
  if (!text)
    return std::nullopt;
  if (text->empty())
    return tt::EvictionPolicy::NORMAL;
  if (std::optional<tt::EvictionPolicy> policy = tt::symbolizeEvictionPolicy(*text))
    return policy;
  arguments.fail(index, "is '" + llvm::Twine(*text) + "', which is no eviction policy",
                 "write evict_normal, evict_first or evict_last");
  return std::nullopt;
}

Value frontend::pointerArgument(const Arguments &arguments, size_t index) {
  const Value &pointer = arguments[index];
  if (pointer.isTensor() && pointer.type.isPointer())
    return pointer;
  return arguments.fail(index,
                        "must be a pointer or a tensor of pointers, not " + pointer.describe(),
                        "add the offsets to a pointer parameter of the kernel");
}

Value frontend::writtenPointerArgument(const Arguments &arguments, size_t index) {
  Value pointer = pointerArgument(arguments, index);
  if (pointer && pointer.type.isConst)
    return arguments.fail(index,
                          "is " + pointer.describe() + ": Cannot store to a constant pointer",
                          "leave out the parameter's annotation tl.const, or the k of its type");
  return pointer;
}

static bool pointsToBooleans(const Value &pointer) {
  return pointer && pointer.type.scalar == ScalarKind::Int1;
}

/// `pointer` as a load or a store takes it. Booleans are bytes in memory: their pointers become
/// i8's. So a store converts its value to i8 and not to a truth value, as Triton does: 2 is stored
/// as 2, and 0.5 as 0.
static Value accessedPointer(const Arguments &arguments, const Value &pointer) {
  return pointsToBooleans(pointer) ? arguments.tb.cast(pointer, {ScalarKind::Int8, true}) : pointer;
}

/// The argument `index` as errors call it: "store: 'value'".
static std::string inWords(const Arguments &arguments, size_t index) {
  llvm::SmallVector<llvm::StringRef, 8> parameters;
  arguments.builtin.parameters.split(parameters, ' ', -1, /*KeepEmpty=*/false);
  return (arguments.builtin.name + ": '" + parameters[index].rtrim('?') + "'").str();
}

/// Whether a scalar or a tensor fits pointers of this shape; false, after an error, if not.
static bool fits(const Arguments &arguments, size_t index, llvm::ArrayRef<int64_t> shape,
                 Fitting fitting) {
  if (!arguments[index].isBlock())
    return true;
  llvm::ArrayRef<int64_t> given = arguments[index].shape();
  const bool isGood = fitting == Fitting::Broadcast || given == shape ||
                      (fitting == Fitting::SameRank && given.size() == shape.size());
  return isGood ||
         arguments.reject(index,
                          "has the shape " + describeShape(given) + ", but what it goes with has " +
                              describeShape(shape),
                          fitting == Fitting::SameShape
                              ? "bring it to that shape with tl.broadcast_to"
                              : "the number of dimensions must be the same; [:, None] adds one");
}

bool frontend::maskArgument(const Arguments &arguments, size_t index, const Value &pointer,
                            Value &mask, Fitting fitting) {
  mask = arguments[index];
  if (mask.isNone())
    return true;
  if (mask.kind == ValueKind::Bool)
    mask = arguments.tb.constant(mask, {ScalarKind::Int1});
  if (!mask.isTensor() || !mask.type.isBool())
    return arguments.reject(index, "must be boolean, not " + mask.describe(),
                            mask.isIntegral() ? "write True or False"
                                              : "compare to get a mask, as in offs < n");
  if (mask.isBlock() && !pointer.isBlock())
    return arguments.reject(index, "is a tensor, but the pointer is a scalar",
                            "add the offsets to the pointer, or mask with a scalar");
  if (!fits(arguments, index, pointer.shape(), fitting))
    return false;
  TritonBuilder::At at(arguments.tb, arguments.spanOf(index));
  mask = arguments.tb.broadcastTo(mask, pointer.shape(), inWords(arguments, index),
                                  pointer.encoding());
  return bool(mask);
}

Value frontend::valueArgument(const Arguments &arguments, size_t index, const Value &pointer,
                              DType type, Fitting fitting) {
  TritonBuilder &tb = arguments.tb;
  const Value &given = arguments[index];
  if (!given.isTensor() && !given.isNumber())
    return arguments.fail(index, "must be a number or a tensor, not " + given.describe());
  if (given.isBlock() && !pointer.isBlock())
    return arguments.fail(index, "is " + given.describe() + ", but the pointer is a scalar",
                          "add a tensor of offsets to the pointer");
  if (given.isTensor() && given.type.isPointer() != type.isPointer()) {
    // Addresses and integers of their size stand for each other, as in Triton.
    const DType number = given.type.isPointer() ? type : given.type;
    if (!number.isInteger() || number.bits() != 64)
      return arguments.fail(index,
                            "is a pointer, which cannot be stored or loaded as " + type.str(),
                            "convert it with .to(tl.int64)");
  }
  if (!fits(arguments, index, pointer.shape(), fitting))
    return {};
  TritonBuilder::At at(tb, arguments.spanOf(index));
  Value value = tb.cast(given, type);
  if (!value)
    return {};
  return tb.broadcastTo(value, pointer.shape(), inWords(arguments, index), pointer.encoding());
}

/// Refuses what belongs to block pointers.
static bool noBlockPointer(const Arguments &arguments, size_t boundaryCheck, size_t padding) {
  const Value &check = arguments[boundaryCheck];
  if (!check.isNone() && !(check.isTuple() && check.elements->empty()))
    return arguments.reject(boundaryCheck, "belongs to block pointers",
                            "mask the elements outside, or use tl.make_block_ptr");
  if (padding != 0 && !arguments[padding].isNone() && !arguments[padding].text.empty())
    return arguments.reject(padding, "belongs to block pointers",
                            "give `other`, or use tl.make_block_ptr");
  return true;
}

/// True if `given` has a dimension that `pointer` lacks, or has with size 1.
static bool isWider(const Value &given, const Value &pointer) {
  if (!pointer.isBlock() || !given.isBlock())
    return false;
  llvm::ArrayRef<int64_t> from = pointer.shape(), to = given.shape();
  return to.size() > from.size() ||
         llvm::any_of(llvm::zip_equal(from.take_back(to.size()), to), [](auto sizes) {
           return std::get<0>(sizes) == 1 && std::get<1>(sizes) != 1;
         });
}

/// A load is as large as its pointers and its mask together: brings the pointers to that shape.
/// False after an error.
static bool widenPointer(const Arguments &arguments, Value &pointer) {
  Value mask = arguments[1];
  TritonBuilder::At at(arguments.tb, arguments.spanOf(1));
  return !isWider(mask, pointer) || arguments.tb.broadcast(pointer, mask, inWords(arguments, 1));
}

/// Where the layout of the pointers is still open and that of one of the arguments is not, they get
/// this one. False after an error.
static bool decideLayout(const Arguments &arguments, Value &pointer,
                         std::initializer_list<size_t> others) {
  for (size_t index : others)
    if (arguments[index].isBlock() && isAutoLayout(pointer.encoding()) &&
        !isAutoLayout(arguments[index].encoding()))
      pointer =
          arguments.tb.inLayout(pointer, arguments[index].encoding(), inWords(arguments, index));
  return bool(pointer);
}

static Value load(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  if (arguments[0].isBlockPointer() && !replaceBlockPointer(arguments, 1, 2, 3, 4))
    return {};
  const Value given = pointerArgument(arguments, 0);
  Value pointer = accessedPointer(arguments, given);
  if (!pointer || !noBlockPointer(arguments, 3, 4))
    return {};
  Value mask, other = arguments[2];
  if (!decideLayout(arguments, pointer, {1, 2}) || !widenPointer(arguments, pointer) ||
      !maskArgument(arguments, 1, pointer, mask))
    return {};
  if (!other.isNone()) {
    if (mask.isNone())
      return arguments.fail(2, "is given without 'mask'", "give the mask it stands in for");
    const DType element = pointer.type.pointee();
    const bool exact = other.isIntegral() || (other.isNumber() && element.isFloat());
    other = exact ? tb.constant(other, element, pointer.shape(), pointer.encoding())
                  : valueArgument(arguments, 2, pointer, element);
    if (!other)
      return {};
  }
  std::optional<tt::CacheModifier> cache = cacheModifier(arguments, 5, ".ca, .cg, .cv");
  std::optional<tt::EvictionPolicy> evict = evictionPolicy(arguments, 6);
  std::optional<bool> isVolatile = arguments.flag(7, false);
  if (!cache || !evict || !isVolatile)
    return {};
  auto op = tt::LoadOp::create(tb.builder, tb.loc(), pointer.ssa, mask.ssa, other.ssa);
  if (*cache != tt::CacheModifier::NONE)
    op.setCache(*cache);
  if (*evict != tt::EvictionPolicy::NORMAL)
    op.setEvict(*evict);
  if (*isVolatile)
    op.setIsVolatile(true);
  Value loaded = Value::tensor(op.getResult(), pointer.type.pointee());
  return pointsToBooleans(given) ? tb.cast(loaded, {ScalarKind::Int1}) : loaded;
}

static Value store(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  if (arguments[0].isBlockPointer() &&
      (!fits(arguments, 1, arguments[0].blockShape(), Fitting::SameShape) ||
       !replaceBlockPointer(arguments, 2, 0, 3, 0)))
    return {};
  Value pointer = accessedPointer(arguments, writtenPointerArgument(arguments, 0));
  if (!pointer || !noBlockPointer(arguments, 3, 0))
    return {};
  Value mask;
  if (!decideLayout(arguments, pointer, {1, 2}))
    return {};
  Value value = valueArgument(arguments, 1, pointer, pointer.type.pointee());
  if (!value || !maskArgument(arguments, 2, pointer, mask))
    return {};
  std::optional<tt::CacheModifier> cache = cacheModifier(arguments, 4, ".wb, .cg, .cs, .wt");
  std::optional<tt::EvictionPolicy> evict = evictionPolicy(arguments, 5);
  if (!cache || !evict)
    return {};
  auto op = tt::StoreOp::create(tb.builder, tb.loc(), pointer.ssa, value.ssa, mask.ssa);
  if (*cache != tt::CacheModifier::NONE)
    op.setCache(*cache);
  if (*evict != tt::EvictionPolicy::NORMAL)
    op.setEvict(*evict);
  return Value::none();
}

llvm::ArrayRef<Builtin> frontend::memoryBuiltins() {
  static constexpr Builtin builtins[] = {
      {"load",
       "pointer mask? other? boundary_check? padding_option? cache_modifier? eviction_policy? "
       "volatile?",
       load},
      {"store", "pointer value mask? boundary_check? cache_modifier? eviction_policy?", store,
       Member},
  };
  return builtins;
}
