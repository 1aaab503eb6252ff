//===- AsyncCopies.cpp - Builtins of Gluon: copies, barriers, products --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Copies from global to shared memory that run beside the program, and the barriers in shared
// memory that say when they are done.
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/MemoryArguments.h"
#include "frontend/builtins/gluon/Gluon.h"

#include "ir/ttng/Dialect.h"

using namespace tilewright;
using namespace tilewright::frontend;

//===--------------------------------------------------------------------------===//
// Copies through pointers
//===--------------------------------------------------------------------------===//

/// smem, pointer, mask, cache_modifier, eviction_policy, volatile.
static Value copyToShared(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value memory = memDescArgument(arguments, 0);
  Value pointer = memory ? pointerArgument(arguments, 1) : Value();
  if (!pointer)
    return {};
  if (pointer.shape() != memory.shape())
    return arguments.fail(1, "has the shape " + describeShape(pointer.shape()) +
                                 ", but the memory has " + describeShape(memory.shape()));
  Value mask;
  if (!maskArgument(arguments, 2, pointer, mask))
    return {};
  std::optional<std::string> cache = arguments.string(3), evict = arguments.string(4);
  std::optional<bool> isVolatile = arguments.flag(5, false);
  if (!cache || !evict || !isVolatile)
    return {};
  std::optional<tt::CacheModifier> modifier = tt::CacheModifier::NONE;
  if (!cache->empty() && *cache != ".ca" && *cache != ".cg" && *cache != ".cv")
    return arguments.fail(3, "is '" + llvm::Twine(*cache) + "', which is no cache modifier",
                          "write .ca, .cg or .cv");
  if (!cache->empty())
    modifier = tt::symbolizeCacheModifier(llvm::StringRef(*cache).drop_front());
  std::optional<tt::EvictionPolicy> policy = tt::EvictionPolicy::NORMAL;
  if (!evict->empty())
    policy = tt::symbolizeEvictionPolicy(*evict);
  if (!policy)
    return arguments.fail(4, "is '" + llvm::Twine(*evict) + "', which is no eviction policy",
                          "write evict_normal, evict_first or evict_last");
  auto op =
      ttg::AsyncCopyGlobalToLocalOp::create(tb.builder, tb.loc(), pointer.ssa, memory.ssa, mask.ssa,
                                            mlir::Value(), *modifier, *policy, *isVolatile);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

static Value commitGroup(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  ttg::AsyncCommitGroupOp::create(tb.builder, tb.loc(), mlir::ValueRange());
  return Value::none();
}

static Value waitGroup(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<unsigned> outstanding = numberOf(arguments, 0, 0);
  if (!outstanding)
    return {};
  ttg::AsyncWaitOp::create(tb.builder, tb.loc(), mlir::ValueRange(), *outstanding);
  return Value::none();
}

/// mbarrier, increment_count.
static Value arriveAfterCopies(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value barrier = memDescArgument(arguments, 0);
  std::optional<bool> increments = barrier ? arguments.flag(1, true) : std::nullopt;
  if (!increments)
    return {};
  auto op = ttng::AsyncCopyMbarrierArriveOp::create(tb.builder, tb.loc(), barrier.ssa,
                                                    /*noIncrement=*/!*increments);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

llvm::ArrayRef<Builtin> frontend::gluonAsyncCopyBuiltins() {
  static constexpr Builtin builtins[] = {
      {"async_copy_global_to_shared",
       "smem pointer mask? cache_modifier? eviction_policy? volatile?", copyToShared},
      {"mbarrier_arrive", "mbarrier increment_count?", arriveAfterCopies},
      {"commit_group", "", commitGroup},
      {"wait_group", "num_outstanding?", waitGroup},
  };
  return builtins;
}

//===--------------------------------------------------------------------------===//
// Barriers
//===--------------------------------------------------------------------------===//

/// mbarrier, count.
static Value initBarrier(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value barrier = memDescArgument(arguments, 0);
  std::optional<unsigned> count = barrier ? numberOf(arguments, 1) : std::nullopt;
  if (!count)
    return {};
  auto op = ttng::InitBarrierOp::create(tb.builder, tb.loc(), barrier.ssa, *count);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

static Value invalidateBarrier(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value barrier = memDescArgument(arguments, 0);
  if (!barrier)
    return {};
  auto op = ttng::InvalBarrierOp::create(tb.builder, tb.loc(), barrier.ssa);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

/// mbarrier, bytes, pred.
static Value expectBytes(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value barrier = memDescArgument(arguments, 0);
  std::optional<unsigned> bytes = barrier ? numberOf(arguments, 1) : std::nullopt;
  Value predicate = bytes ? predicateArgument(arguments, 2) : Value();
  if (!predicate)
    return {};
  auto op = ttng::BarrierExpectOp::create(tb.builder, tb.loc(), barrier.ssa, *bytes, predicate.ssa);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

/// mbarrier, phase, pred, deps.
static Value waitBarrier(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value barrier = memDescArgument(arguments, 0);
  Value phase = barrier ? indexArgument(arguments, 1) : Value();
  Value predicate = phase ? predicateArgument(arguments, 2) : Value();
  llvm::SmallVector<mlir::Value> deps;
  if (!predicate || !memDescArguments(arguments, 3, deps))
    return {};
  auto op = ttng::WaitBarrierOp::create(tb.builder, tb.loc(), barrier.ssa, phase.ssa, predicate.ssa,
                                        deps);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

static Value arriveAt(Arguments &arguments, unsigned count, size_t predicateIndex) {
  TritonBuilder &tb = arguments.tb;
  Value barrier = memDescArgument(arguments, 0);
  Value predicate = barrier ? predicateArgument(arguments, predicateIndex) : Value();
  if (!predicate)
    return {};
  auto op = ttng::ArriveBarrierOp::create(tb.builder, tb.loc(), barrier.ssa, count, predicate.ssa);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

/// mbarrier, count, pred.
static Value arriveTimes(Arguments &arguments) {
  std::optional<unsigned> count = numberOf(arguments, 1, 1);
  return count ? arriveAt(arguments, *count, 2) : Value();
}

/// mbarrier, pred.
static Value arriveOnce(Arguments &arguments) { return arriveAt(arguments, 1, 1); }

llvm::ArrayRef<Builtin> frontend::gluonBarrierBuiltins() {
  static constexpr Builtin builtins[] = {
      {"init", "mbarrier count", initBarrier},
      {"invalidate", "mbarrier", invalidateBarrier},
      {"expect", "mbarrier bytes pred?", expectBytes},
      {"wait", "mbarrier phase pred? deps?", waitBarrier},
      {"arrive", "mbarrier count? pred?", arriveTimes},
  };
  return builtins;
}

llvm::ArrayRef<Builtin> frontend::gluonAmpereBarrierBuiltins() {
  static constexpr Builtin builtins[] = {
      {"init", "mbarrier count", initBarrier},
      {"invalidate", "mbarrier", invalidateBarrier},
      {"wait", "mbarrier phase pred? deps?", waitBarrier},
      {"arrive", "mbarrier pred?", arriveOnce},
  };
  return builtins;
}

//===--------------------------------------------------------------------------===//
// Copies of blocks of a tensor
//===--------------------------------------------------------------------------===//

static Value descriptorArgument(const Arguments &arguments, size_t index) {
  const Value &value = arguments[index];
  if (value.isDescriptor())
    return value;
  return arguments.fail(index, "must be a tensor descriptor, not " + value.describe(),
                        "a launch passes one, or tma.make_tensor_descriptor makes it");
}

/// tensor_desc, coord, barrier, result, pred.
static Value copyBlockToShared(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value descriptor = descriptorArgument(arguments, 0);
  llvm::SmallVector<mlir::Value> coordinates;
  if (!descriptor || !indexArguments(arguments, 1, coordinates))
    return {};
  Value barrier = memDescArgument(arguments, 2);
  Value result = barrier ? memDescArgument(arguments, 3) : Value();
  Value predicate = result ? predicateArgument(arguments, 4) : Value();
  if (!predicate)
    return {};
  auto op = ttng::AsyncTMACopyGlobalToLocalOp::create(tb.builder, tb.loc(), descriptor.ssa,
                                                      coordinates, mlir::ValueRange(), barrier.ssa,
                                                      result.ssa, predicate.ssa);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

/// tensor_desc, coord, src.
static Value copyBlockToGlobal(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value descriptor = descriptorArgument(arguments, 0);
  llvm::SmallVector<mlir::Value> coordinates;
  if (!descriptor || !indexArguments(arguments, 1, coordinates))
    return {};
  Value source = memDescArgument(arguments, 2);
  if (!source)
    return {};
  auto op = ttng::AsyncTMACopyLocalToGlobalOp::create(tb.builder, tb.loc(), descriptor.ssa,
                                                      coordinates, source.ssa);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

static Value waitForStores(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<unsigned> pendings = numberOf(arguments, 0);
  if (!pendings)
    return {};
  auto op = ttng::TMAStoreWaitOp::create(tb.builder, tb.loc(), *pendings);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

/// base, shape, strides, block_shape, layout, padding_option.
static Value makeDescriptor(Arguments &arguments) {
  return makeDescriptorIn(arguments, /*layoutIndex=*/4, /*paddingIndex=*/5);
}

llvm::ArrayRef<Builtin> frontend::gluonTensorCopyBuiltins() {
  static constexpr Builtin builtins[] = {
      {"async_copy_global_to_shared", "tensor_desc coord barrier result pred?", copyBlockToShared},
      {"async_copy_shared_to_global", "tensor_desc coord src", copyBlockToGlobal},
      {"store_wait", "pendings", waitForStores},
      {"make_tensor_descriptor", "base shape strides block_shape layout padding_option?",
       makeDescriptor},
  };
  return builtins;
}

/// Argument 1: the rows that a gather or a scatter copies.
static Value rowsArgument(const Arguments &arguments) {
  const Value &rows = arguments[1];
  if (rows.isBlock() && rows.type.is(ScalarKind::Int32))
    return rows;
  return arguments.fail(1, "must be a tensor of i32, not " + rows.describe());
}

/// tensor_desc, x_offsets, y_offset, barrier, result, pred.
static Value gatherRows(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value descriptor = descriptorArgument(arguments, 0);
  Value column = descriptor ? indexArgument(arguments, 2) : Value();
  Value barrier = column ? memDescArgument(arguments, 3) : Value();
  Value result = barrier ? memDescArgument(arguments, 4) : Value();
  Value predicate = result ? predicateArgument(arguments, 5) : Value();
  Value rows = predicate ? rowsArgument(arguments) : Value();
  if (!rows)
    return {};
  auto op = ttng::AsyncTMAGatherOp::create(tb.builder, tb.loc(), descriptor.ssa, rows.ssa,
                                           column.ssa, barrier.ssa, result.ssa, predicate.ssa);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

/// tensor_desc, x_offsets, y_offset, src.
static Value scatterRows(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value descriptor = descriptorArgument(arguments, 0);
  Value column = descriptor ? indexArgument(arguments, 2) : Value();
  Value source = column ? memDescArgument(arguments, 3) : Value();
  Value rows = source ? rowsArgument(arguments) : Value();
  if (!rows)
    return {};
  auto op = ttng::AsyncTMAScatterOp::create(tb.builder, tb.loc(), descriptor.ssa, rows.ssa,
                                            column.ssa, source.ssa);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

llvm::ArrayRef<Builtin> frontend::gluonGatherCopyBuiltins() {
  static constexpr Builtin builtins[] = {
      {"async_gather", "tensor_desc x_offsets y_offset barrier result pred?", gatherRows},
      {"async_scatter", "tensor_desc x_offsets y_offset src", scatterRows},
  };
  return builtins;
}
