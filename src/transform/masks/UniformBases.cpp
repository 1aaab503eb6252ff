//===- UniformBases.cpp - Addresses as a base of all threads and offsets -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An integer tensor is a scalar and a tensor that stays: those of a sum are the sums, those of a
// product with a scalar the products. A pointer is likewise. As no number wraps around, the sums
// of parts are those of the whole.
//
//===--------------------------------------------------------------------------===//

#include "transform/masks/UniformBases.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using transform::UniformBases;

/// Bytes that a thread may be from the base, such that arithmetic of 32 bits has room above.
static constexpr int64_t offsetLimit = int64_t(1) << 30;

/// Whether `op` moves elements of its operand, and computes nothing.
static bool isMove(Operation *op) {
  return isa<tt::BroadcastOp, tt::ExpandDimsOp, ttg::ConvertLayoutOp>(op);
}

/// The scalar that all elements of `value` are; null if they are not known to be one.
static Value getSplatScalar(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && isMove(op))
    op = op->getOperand(0).getDefiningOp();
  auto splat = dyn_cast_or_null<tt::SplatOp>(op);
  return splat ? splat.getSrc() : Value();
}

/// Integers that are all the same constant.
static std::optional<APInt> getSplatConstant(Value value) {
  DenseIntElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && constant.isSplat())
    return constant.getSplatValue<APInt>();
  return std::nullopt;
}

static bool isUniform(Value value) { return getSplatScalar(value) || getSplatConstant(value); }

static bool isPointer(Value value) {
  return isa<tt::PointerType>(getElementTypeOrSelf(value.getType()));
}

//===----------------------------------------------------------------------------===//
// The parts that stay
//===----------------------------------------------------------------------------===//

UniformBases::Invariant UniformBases::getInvariant(Value value) {
  if (auto found = invariants.find(value); found != invariants.end())
    return found->second;
  Invariant invariant = computeInvariant(value);
  invariants[value] = invariant;
  return invariant;
}

UniformBases::Invariant UniformBases::addInvariants(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  OpBuilder &builder = ranges.getBounds().builder;
  // A sum of pointers' offsets, which may be of either width.
  auto narrow = [&](Value value) -> Value {
    if (getElementTypeOrSelf(value.getType()).isInteger(32))
      return value;
    return arith::TruncIOp::create(
        builder, loop.getLoc(), tt::withElementType(value.getType(), builder.getI32Type()), value);
  };
  if (a.getType() != b.getType()) {
    a = narrow(a);
    b = narrow(b);
  }
  return arith::AddIOp::create(builder, loop.getLoc(), a, b).getResult();
}

UniformBases::Invariant UniformBases::moveInvariant(Operation *op) {
  Invariant source = getInvariant(op->getOperand(0));
  if (!source || !*source)
    return source;
  OpBuilder &builder = ranges.getBounds().builder;
  IRMapping mapping;
  mapping.map(op->getOperand(0), *source);
  Operation *moved = builder.clone(*op, mapping);
  auto type = cast<RankedTensorType>(moved->getResult(0).getType());
  Type element = getElementTypeOrSelf(source->getType());
  if (auto extension = dyn_cast<arith::ExtSIOp>(op))
    element = getElementTypeOrSelf(extension.getType());
  moved->getResult(0).setType(cast<RankedTensorType>(tt::withElementType(type, element)));
  return moved->getResult(0);
}

UniformBases::Invariant UniformBases::computeInvariant(Value value) {
  if (isUniform(value))
    return Value();
  if (auto argument = dyn_cast<BlockArgument>(value); argument && isCarried(argument))
    return isPointer(value) && stepsUniformly(argument)
               ? getInvariant(loop.getTiedLoopInit(argument)->get())
               : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (op && (isMove(op) || isa<arith::ExtSIOp>(op)))
    if (Invariant moved = moveInvariant(op))
      return moved;
  if (isa_and_nonnull<arith::AddIOp, tt::AddPtrOp>(op)) {
    const Invariant a = getInvariant(op->getOperand(0)), b = getInvariant(op->getOperand(1));
    if (a && b)
      return addInvariants(*a, *b);
  }
  if (auto product = dyn_cast_or_null<arith::MulIOp>(op)) {
    Value factor = product.getRhs(), other = product.getLhs();
    if (!isUniform(factor))
      std::swap(factor, other);
    const Invariant part = isUniform(factor) && loop.isDefinedOutsideOfLoop(factor)
                               ? getInvariant(other)
                               : Invariant();
    if (part && *part)
      return arith::MulIOp::create(ranges.getBounds().builder, loop.getLoc(), *part, factor)
          .getResult();
    if (part)
      return part;
  }
  // All of it stays, but of a pointer only what has been taken off its base.
  return loop.isDefinedOutsideOfLoop(value) && !isPointer(value) ? Invariant(value) : std::nullopt;
}

bool UniformBases::isCarried(BlockArgument argument) {
  return argument.getOwner() == loop.getBody();
}

bool UniformBases::stepsUniformly(BlockArgument argument) {
  Value value = loop.getTiedLoopYieldedValue(argument)->get();
  while (auto step = value.getDefiningOp<tt::AddPtrOp>()) {
    if (!isUniform(step.getOffset()))
      return false;
    value = step.getPtr();
  }
  return value == argument;
}

bool UniformBases::addRanges(Value pointer) {
  while (!getSplatScalar(pointer)) {
    if (auto argument = dyn_cast<BlockArgument>(pointer)) {
      pointer = loop.getTiedLoopInit(argument)->get();
      continue;
    }
    Operation *op = pointer.getDefiningOp();
    // What a carried pointer is moved on by goes to the base.
    if (auto sum = dyn_cast<tt::AddPtrOp>(op);
        sum && !isUniform(sum.getOffset()) && !ranges.get(sum.getOffset()))
      return false;
    pointer = op->getOperand(0);
  }
  return true;
}

/// The argument of `loop` that `pointer` is computed from by moves and sums; null if it is not.
static BlockArgument getCarriedPointer(Value pointer, scf::ForOp loop) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (!isMove(op) && !isa<tt::AddPtrOp>(op))
      return {};
    pointer = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(pointer);
  return argument.getOwner() == loop.getBody() ? argument : BlockArgument();
}

Value UniformBases::createOffsets(Value pointer, Value invariant) {
  const std::optional<RuntimeRanges::Range> range = ranges.get(invariant);
  if (!range || !addRanges(pointer))
    return {};
  OpBuilder &builder = ranges.getBounds().builder;
  const unsigned bits = tt::getStorageBits(
      cast<tt::PointerType>(getElementTypeOrSelf(pointer.getType())).getPointeeType());
  const int64_t limit = offsetLimit / (bits / 8);
  if (APInt most; matchPattern(range->high, m_ConstantInt(&most)) && most.slt(limit))
    return invariant;
  hasLarge = true;
  ranges.require(range->high, limit);
  auto type = cast<RankedTensorType>(invariant.getType());
  Value mask = arith::ConstantOp::create(
      builder, loop.getLoc(),
      DenseElementsAttr::get(type, builder.getIntegerAttr(type.getElementType(), limit - 1)));
  // Changes nothing, and shows it.
  return arith::AndIOp::create(builder, loop.getLoc(), invariant, mask);
}

bool UniformBases::find(Value pointer) {
  if (offsets.contains(pointer))
    return true;
  const Invariant invariant = getInvariant(pointer);
  if (!invariant || !*invariant)
    return false;
  auto [entry, isNew] = ofInvariants.try_emplace(*invariant);
  if (isNew)
    entry->second = createOffsets(pointer, *invariant);
  else if (!addRanges(pointer))
    return false;
  if (!entry->second)
    return false;
  offsets[pointer] = entry->second;
  return true;
}

UniformBases::UniformBases(scf::ForOp loop, bool carriesBases)
    : loop(loop), ranges(loop), carriesBases(carriesBases) {
  for (tt::LoadOp load : loop.getBody()->getOps<tt::LoadOp>()) {
    Value pointer = load.getPtr();
    if (!isa<RankedTensorType>(pointer.getType()) || loop.isDefinedOutsideOfLoop(pointer))
      continue;
    BlockArgument carried = getCarriedPointer(pointer, loop);
    if ((!carried || find(carried)) && find(pointer))
      loads.insert(load);
  }
}

//===----------------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------------===//

/// The scalar of `value`, an integer or pointer of which the parts that stay have been taken off;
/// null for zero. Of carried pointers, and of what has been asked for before, `scalars` has them;
/// of what else the loop computes, `mapping`.
Value UniformBases::createUniform(OpBuilder &builder, Value value, const IRMapping &mapping,
                                  Scalars &scalars) {
  if (auto found = scalars.find(value); found != scalars.end())
    return found->second;
  Value scalar = computeUniform(builder, value, mapping, scalars);
  scalars[value] = scalar;
  return scalar;
}

Value UniformBases::computeUniform(OpBuilder &builder, Value value, const IRMapping &mapping,
                                   Scalars &scalars) {
  const Location loc = loop.getLoc();
  if (Value scalar = getSplatScalar(value))
    return mapping.lookupOrDefault(scalar);
  if (std::optional<APInt> constant = getSplatConstant(value))
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(getElementTypeOrSelf(value.getType()), *constant));
  if (invariants.lookup(value) == value)
    return {};
  Operation *op = value.getDefiningOp();
  if (isMove(op))
    return createUniform(builder, op->getOperand(0), mapping, scalars);
  if (isa<arith::ExtSIOp>(op)) {
    Value narrow = createUniform(builder, op->getOperand(0), mapping, scalars);
    return narrow ? builder.createOrFold<arith::ExtSIOp>(loc, builder.getI64Type(), narrow)
                  : Value();
  }
  Value a = createUniform(builder, op->getOperand(0), mapping, scalars),
        b = createUniform(builder, op->getOperand(1), mapping, scalars);
  if (isa<arith::MulIOp>(op))
    return a && b ? builder.createOrFold<arith::MulIOp>(loc, a, b) : Value();
  if (!a || !b)
    return a ? a : b;
  return isPointer(value) ? Value(tt::AddPtrOp::create(builder, loc, a.getType(), a, b))
                          : builder.createOrFold<arith::AddIOp>(loc, a, b);
}

Value UniformBases::createPointer(OpBuilder &builder, Value base, Value pointer) {
  Value bases = tt::SplatOp::create(builder, loop.getLoc(), pointer.getType(), base);
  return tt::AddPtrOp::create(builder, loop.getLoc(), pointer.getType(), bases,
                              offsets.lookup(pointer));
}

SmallVector<Value> UniformBases::createInits(OpBuilder &builder) {
  SmallVector<Value> inits;
  for (BlockArgument argument : loop.getRegionIterArgs()) {
    Value init = loop.getTiedLoopInit(argument)->get();
    inits.push_back(carriesBases && offsets.contains(argument) ? createPlainBase(builder, init)
                                                               : init);
  }
  return inits;
}

SmallVector<Value> UniformBases::createLoop(OpBuilder &builder, Value upper, IRMapping &mapping) {
  const Location loc = loop.getLoc();
  SmallVector<Value> inits;
  Scalars scalarsBefore;
  for (BlockArgument argument : loop.getRegionIterArgs()) {
    Value init = loop.getTiedLoopInit(argument)->get();
    inits.push_back(offsets.contains(argument) ? createUniform(builder, init, {}, scalarsBefore)
                                               : init);
  }
  auto fast = scf::ForOp::create(builder, loc, loop.getLowerBound(), upper, loop.getStep(), inits);
  fast->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(fast.getBody());
  mapping.map(loop.getInductionVar(), fast.getInductionVar());
  Scalars scalars;
  for (auto [argument, own] : llvm::zip_equal(loop.getRegionIterArgs(), fast.getRegionIterArgs())) {
    if (offsets.contains(argument))
      scalars[argument] = own;
    mapping.map(argument,
                offsets.contains(argument) ? createPointer(builder, own, argument) : Value(own));
  }
  auto createBase = [&](Value pointer) {
    return createUniform(builder, pointer, mapping, scalars);
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!loads.contains(&op)) {
      builder.clone(op, mapping);
      continue;
    }
    Value pointer = cast<tt::LoadOp>(op).getPtr();
    Value made = createPointer(builder, createBase(pointer), pointer);
    Operation *load = builder.clone(op, mapping);
    cast<tt::LoadOp>(load).getPtrMutable().assign(made);
  }
  SmallVector<Value> yielded, results;
  for (BlockArgument argument : loop.getRegionIterArgs()) {
    Value next = loop.getTiedLoopYieldedValue(argument)->get();
    yielded.push_back(offsets.contains(argument) ? createBase(next)
                                                 : mapping.lookupOrDefault(next));
  }
  // A loop without results has its terminator.
  if (!yielded.empty())
    scf::YieldOp::create(builder, loc, yielded);
  builder.setInsertionPointAfter(fast);
  for (auto [argument, result] : llvm::zip_equal(loop.getRegionIterArgs(), fast.getResults())) {
    Value init = loop.getTiedLoopInit(argument)->get();
    if (!offsets.contains(argument))
      results.push_back(result);
    else
      results.push_back(carriesBases ? createPlainBase(builder, result, init)
                                     : createPointer(builder, result, argument));
  }
  return results;
}

//===----------------------------------------------------------------------------===//
// The original loop
//===----------------------------------------------------------------------------===//

Value UniformBases::createPlainBase(OpBuilder &builder, Value pointer) {
  if (Value base = getSplatScalar(pointer))
    return base;
  Operation *op = pointer.getDefiningOp();
  Value base = createPlainBase(builder, op->getOperand(0));
  auto sum = dyn_cast<tt::AddPtrOp>(op);
  if (!sum || !isUniform(sum.getOffset()))
    return base;
  Scalars scalars;
  return tt::AddPtrOp::create(builder, loop.getLoc(), base.getType(), base,
                              createUniform(builder, sum.getOffset(), {}, scalars));
}

Value UniformBases::createPlainBase(OpBuilder &builder, Value base, Value pointer) {
  const Location loc = loop.getLoc();
  Scalars scalars;
  while (!getSplatScalar(pointer)) {
    Operation *op = pointer.getDefiningOp();
    auto sum = dyn_cast<tt::AddPtrOp>(op);
    Value taken = sum && !isUniform(sum.getOffset())
                      ? createUniform(builder, sum.getOffset(), {}, scalars)
                      : Value();
    if (taken) {
      Value zero =
          arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(taken.getType(), 0));
      base = tt::AddPtrOp::create(builder, loc, base.getType(), base,
                                  builder.createOrFold<arith::SubIOp>(loc, zero, taken));
    }
    pointer = op->getOperand(0);
  }
  return base;
}

/// What is added to the base of `pointer`, which is in front of a loop, and is not the same for all
/// threads: by element of `pointer`.
static SmallVector<Value> createAddends(OpBuilder &builder, Value pointer) {
  if (getSplatScalar(pointer))
    return {};
  Operation *op = pointer.getDefiningOp();
  SmallVector<Value> addends = createAddends(builder, op->getOperand(0));
  if (auto sum = dyn_cast<tt::AddPtrOp>(op)) {
    if (!isUniform(sum.getOffset()))
      addends.push_back(sum.getOffset());
    return addends;
  }
  for (Value &addend : addends) {
    IRMapping mapping;
    mapping.map(op->getOperand(0), addend);
    Operation *moved = builder.clone(*op, mapping);
    moved->getResult(0).setType(
        tt::withElementType(pointer.getType(), getElementTypeOrSelf(addend.getType())));
    addend = moved->getResult(0);
  }
  return addends;
}

/// Makes a scalar like `base` of `pointer`, an argument or a result of a loop, and gives its users
/// the sum of that and `addends`, as the tensor that it was.
static Value makeBase(OpBuilder &builder, Location loc, Value pointer, Value base,
                      ArrayRef<Value> addends) {
  const Type type = pointer.getType();
  pointer.setType(base.getType());
  auto splat = tt::SplatOp::create(builder, loc, type, pointer);
  Value pointers = splat;
  for (Value addend : llvm::reverse(addends))
    pointers = tt::AddPtrOp::create(builder, loc, type, pointers, addend);
  pointer.replaceAllUsesExcept(pointers, splat);
  return pointers;
}

void UniformBases::startWith(ValueRange inits) {
  const Location loc = loop.getLoc();
  OpBuilder builder(loop);
  for (auto [argument, base] : llvm::zip_equal(loop.getRegionIterArgs(), inits)) {
    OpOperand *init = loop.getTiedLoopInit(argument);
    Value before = init->get();
    init->set(base);
    if (!carriesBases || !offsets.contains(argument))
      continue;
    builder.setInsertionPoint(loop);
    const SmallVector<Value> addends = createAddends(builder, before);
    builder.setInsertionPointToStart(loop.getBody());
    Value pointers = makeBase(builder, loc, argument, base, addends);
    OpOperand *yielded = loop.getTiedLoopYieldedValue(argument);
    builder.setInsertionPoint(yielded->getOwner());
    Scalars scalars = {{pointers, argument}};
    yielded->set(createUniform(builder, yielded->get(), {}, scalars));
    builder.setInsertionPointAfter(loop);
    makeBase(builder, loc, loop.getTiedLoopResult(argument), base, addends);
  }
}
