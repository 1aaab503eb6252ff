//===- BlockProgram.cpp - The program of one block of a cluster ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/cluster/BlockProgram.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// The type of a tensor with one more dimension, of size 1.
static RankedTensorType expandedType(RankedTensorType type, int64_t axis) {
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + axis, 1);
  return RankedTensorType::get(shape, type.getElementType());
}

/// Whether an atomic operation orders other accesses of the program.
static bool ordersMemory(Operation *op) {
  if (auto rmw = dyn_cast<tt::AtomicRMWOp>(op))
    return rmw.getSem() != tt::MemSemantic::RELAXED;
  auto cas = dyn_cast<tt::AtomicCASOp>(op);
  return cas && cas.getSem() != tt::MemSemantic::RELAXED;
}

void BlockProgram::rewrite(tt::FuncOp kernel) {
  Block &old = kernel.getBody().front();
  auto *body = new Block;
  for (BlockArgument arg : old.getArguments())
    scalars.map(arg, body->addArgument(arg.getType(), arg.getLoc()));
  builder.setInsertionPointToStart(body);
  loc = kernel.getLoc();
  rank = tw::ClusterRankOp::create(builder, loc);
  clone(old);
  builder.clone(*old.getTerminator(), scalars);
  // Uses stand after definitions: from the last op on.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(old))) {
    op.dropAllReferences();
    op.dropAllUses();
    op.erase();
  }
  old.erase();
  kernel.getBody().push_back(body);
}

void BlockProgram::clone(Block &block) {
  for (Operation &op : block.without_terminator())
    clone(op);
}

void BlockProgram::clone(Operation &op) {
  loc = op.getLoc();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return cloneLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return cloneBranch(branch);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return cloneLoop(loop);
  // What all wait for, all blocks do.
  if (isa<ttg::BarrierOp>(op)) {
    tw::ClusterBarrierOp::create(builder, loc);
    return;
  }
  if (hasTiles(&op))
    return cloneParts(op);
  if (isDoneOnce(&op))
    return cloneOnce(op, ClusterSplit::replicated(bits));
  builder.clone(op, scalars);
}

SmallVector<Value> BlockProgram::expand(ValueRange values, ValueRange carriers) {
  SmallVector<Value> result;
  for (auto [value, carrier] : llvm::zip_equal(values, carriers)) {
    if (!isTile(value.getType())) {
      result.push_back(scalars.lookup(value));
      continue;
    }
    for (const ClusterSplit &split : demands.getWanted(carrier))
      result.push_back(getPart(value, split));
  }
  return result;
}

void BlockProgram::bind(ValueRange values, ValueRange newValues) {
  auto next = newValues.begin();
  for (Value value : values) {
    if (!isTile(value.getType())) {
      scalars.map(value, *next++);
      continue;
    }
    for (const ClusterSplit &split : demands.getWanted(value))
      setPart(value, split, *next++);
  }
}

Value BlockProgram::getPart(Value tile, const ClusterSplit &split) const {
  for (const auto &[known, part] : parts.lookup(tile))
    if (known == split)
      return part;
  llvm_unreachable("all parts that are wanted are computed");
}

void BlockProgram::cloneLoop(scf::ForOp loop) {
  auto made = scf::ForOp::create(
      builder, loc, scalars.lookup(loop.getLowerBound()), scalars.lookup(loop.getUpperBound()),
      scalars.lookup(loop.getStep()), expand(loop.getInitArgs(), loop.getResults()));
  made->setAttrs(loop->getAttrs());
  if (!made.getBody()->empty())
    made.getBody()->back().erase();
  scalars.map(loop.getInductionVar(), made.getInductionVar());
  bind(loop.getRegionIterArgs(), made.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(made.getBody());
    clone(*loop.getBody());
    scf::YieldOp::create(builder, loop.getLoc(),
                         expand(loop.getYieldedValues(), loop.getResults()));
  }
  bind(loop.getResults(), made.getResults());
}

/// The types of the parts of `values` that are wanted.
static SmallVector<Type> getPartTypes(const Demands &demands, ValueRange values) {
  SmallVector<Type> types;
  for (Value value : values) {
    if (!isTile(value.getType()))
      types.push_back(value.getType());
    else
      for (const ClusterSplit &split : demands.getWanted(value))
        types.push_back(getPartType(value.getType(), split));
  }
  return types;
}

void BlockProgram::cloneBranch(scf::IfOp branch) {
  auto made = scf::IfOp::create(builder, loc, getPartTypes(demands, branch.getResults()),
                                scalars.lookup(branch.getCondition()),
                                /*withElseRegion=*/!branch.getElseRegion().empty());
  made->setAttrs(branch->getAttrs());
  for (auto [from, to] : llvm::zip_equal(branch->getRegions(), made->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    to.front().clear();
    builder.setInsertionPointToEnd(&to.front());
    clone(from.front());
    scf::YieldOp::create(builder, branch.getLoc(),
                         expand(from.front().getTerminator()->getOperands(), branch.getResults()));
  }
  bind(branch.getResults(), made.getResults());
}

void BlockProgram::cloneLoop(scf::WhileOp loop) {
  const ValueRange before = loop.getBeforeArguments(), after = loop.getAfterArguments();
  auto made = scf::WhileOp::create(builder, loc, getPartTypes(demands, loop.getResults()),
                                   expand(loop.getInits(), before));
  made->setAttrs(loop->getAttrs());
  auto addBlock = [&](Region &region, ValueRange args) {
    const SmallVector<Type> types = getPartTypes(demands, args);
    Block *block =
        builder.createBlock(&region, {}, types, SmallVector<Location>(types.size(), loc));
    bind(args, block->getArguments());
  };
  {
    OpBuilder::InsertionGuard guard(builder);
    addBlock(made.getBefore(), before);
    clone(*loop.getBeforeBody());
    scf::ConditionOp::create(builder, loop.getLoc(),
                             scalars.lookup(loop.getConditionOp().getCondition()),
                             expand(loop.getConditionOp().getArgs(), loop.getResults()));
    addBlock(made.getAfter(), after);
    clone(*loop.getAfterBody());
    scf::YieldOp::create(builder, loop.getLoc(), expand(loop.getYieldOp().getOperands(), before));
  }
  bind(loop.getResults(), made.getResults());
}

void BlockProgram::cloneParts(Operation &op) {
  for (const ClusterSplit &split : demands.getComputed(&op)) {
    if (isDoneOnce(&op)) {
      cloneOnce(op, split);
      continue;
    }
    SmallVector<Value> results = clonePart(op, split);
    ClusterSplit resultSplit = split;
    if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
      if (split.divides(static_cast<int32_t>(reduce.getAxis())))
        results = reduceAcross(reduce, results, split);
      resultSplit = split.withoutDim(static_cast<int32_t>(reduce.getAxis()));
    }
    bindResults(op, results, resultSplit);
  }
  convertResults(op);
}

void BlockProgram::bindResults(Operation &op, ValueRange results, const ClusterSplit &split) {
  for (auto [result, value] : llvm::zip_equal(op.getResults(), results)) {
    if (isTile(result.getType()))
      setPart(result, split, value);
    else
      scalars.map(result, value);
  }
}

/// The parts that are wanted and not computed.
void BlockProgram::convertResults(Operation &op) {
  for (Value result : op.getResults()) {
    if (parts.lookup(result).empty())
      continue;
    const auto [from, part] = parts.lookup(result).front();
    for (const ClusterSplit &split : demands.getWanted(result))
      if (llvm::none_of(parts.lookup(result),
                        [&](const auto &known) { return known.first == split; }))
        setPart(result, split, convert(part, from, split));
  }
}

SmallVector<Value> BlockProgram::clonePart(Operation &op, const ClusterSplit &split) {
  // A copy, as cloning adds to it. Operands are set by number: an op may take two parts of one
  // value, such as the product of a tile with itself.
  IRMapping values = scalars;
  Operation *part = builder.clone(op, values);
  const Splits operandSplits = *getOperandSplits(&op, split);
  for (auto [index, operand, wanted] : llvm::enumerate(op.getOperands(), operandSplits))
    if (isTile(operand.getType()))
      part->setOperand(index, getPart(operand, wanted));
  ClusterSplit resultSplit = split;
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    resultSplit = split.withoutDim(static_cast<int32_t>(reduce.getAxis()));
  setPartTypes(part, resultSplit);
  if (auto range = dyn_cast<tt::MakeRangeOp>(part))
    return {numberRange(range, split.bitsAlong(0))};
  return part->getResults();
}

Value BlockProgram::numberRange(tt::MakeRangeOp range, uint32_t dividing) {
  if (!dividing)
    return range;
  Value first = arith::MulIOp::create(builder, loc, getRankBits(dividing),
                                      constant(range.getType().getDimSize(0)));
  return arith::AddIOp::create(builder, loc, range,
                               tt::SplatOp::create(builder, loc, range.getType(), first));
}

// The blocks' results are a tile of their own, with one element a block along the axis: all of it
// is fetched and reduced in the same way.
SmallVector<Value> BlockProgram::reduceAcross(tt::ReduceOp reduce, ValueRange results,
                                              const ClusterSplit &split) {
  const auto axis = static_cast<int32_t>(reduce.getAxis());
  auto dims = llvm::to_vector(llvm::seq<int32_t>(
      0, static_cast<int32_t>(getTileShape(reduce.getSrcs()[0].getType()).size())));
  dims[axis] = ClusterSplit::Nothing;
  const ClusterSplit whole = split.renamed(dims);
  SmallVector<Value> operands;
  for (Value result : results) {
    Value tile;
    if (auto tensor = dyn_cast<RankedTensorType>(result.getType()))
      tile = tt::ExpandDimsOp::create(builder, loc, expandedType(tensor, axis), result, axis);
    else
      tile =
          tt::SplatOp::create(builder, loc, RankedTensorType::get({1}, result.getType()), result);
    operands.push_back(convert(tile, split, whole));
  }
  IRMapping values = scalars;
  Operation *all = builder.clone(*reduce, values);
  all->setOperands(operands);
  for (auto [value, result] : llvm::zip_equal(all->getResults(), results))
    value.setType(result.getType());
  return all->getResults();
}

void BlockProgram::cloneOnce(Operation &op, const ClusterSplit &split) {
  const uint32_t copies = split.copies();
  // An atomic operation may tell others of what this program's blocks have written, and this
  // program's blocks of what others have.
  const bool meets = ordersMemory(&op);
  if (meets || demands.mayOverwriteLoads(&op))
    tw::ClusterBarrierOp::create(builder, loc);
  SmallVector<Value> results;
  if (!copies) {
    results = clonePart(op, split);
  } else {
    SmallVector<Type> types;
    for (Type type : op.getResultTypes())
      types.push_back(isTile(type) ? getPartType(type, split) : type);
    auto branch = scf::IfOp::create(builder, loc, types, isFirst(copies),
                                    /*withElseRegion=*/!types.empty());
    OpBuilder::InsertionGuard guard(builder);
    branch.thenBlock()->clear();
    builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(builder, loc, clonePart(op, split));
    if (!types.empty()) {
      branch.elseBlock()->clear();
      builder.setInsertionPointToEnd(branch.elseBlock());
      SmallVector<Value> nothing;
      for (Type type : types)
        nothing.push_back(
            arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type))));
      scf::YieldOp::create(builder, loc, nothing);
    }
    results = branch.getResults();
  }
  // What the first block has got, in all.
  for (auto [old, result] : llvm::zip_equal(op.getResults(), results))
    if (copies && !old.use_empty())
      result = isTile(old.getType()) ? convert(result, split, split) : broadcast(result);
  const bool sends = copies && !op.use_empty();
  if (meets && !sends)
    tw::ClusterBarrierOp::create(builder, loc);
  bindResults(op, results, split);
}

//===----------------------------------------------------------------------------===//
// Between blocks
//===----------------------------------------------------------------------------===//

Value BlockProgram::convert(Value part, const ClusterSplit &from, const ClusterSplit &to) {
  auto type = cast<RankedTensorType>(part.getType());
  auto result = RankedTensorType::get(to.shapePerBlock(from.shapeOfTile(type.getShape())),
                                      type.getElementType(), type.getEncoding());
  return tw::ClusterConvertOp::create(builder, loc, result, part, from.getDims(), to.getDims());
}

Value BlockProgram::broadcast(Value scalar) {
  auto type = RankedTensorType::get({1}, scalar.getType());
  const ClusterSplit all = ClusterSplit::replicated(bits);
  Value tile = convert(tt::SplatOp::create(builder, loc, type, scalar), all, all);
  return tt::UnsplatOp::create(builder, loc, scalar.getType(), tile);
}

Value BlockProgram::getRankBits(uint32_t mask) {
  // Where the bits have others between them, each is moved by itself.
  Value result;
  unsigned to = 0;
  for (unsigned bit = 0; bit < bits;) {
    if (!(mask >> bit & 1)) {
      ++bit;
      continue;
    }
    const unsigned count = llvm::countr_one(mask >> bit);
    Value term = arith::AndIOp::create(builder, loc, rank, constant(((1u << count) - 1) << bit));
    if (bit > to)
      term = arith::ShRUIOp::create(builder, loc, term, constant(bit - to));
    result = result ? Value(arith::OrIOp::create(builder, loc, result, term)) : term;
    bit += count;
    to += count;
  }
  return result;
}

Value BlockProgram::isFirst(uint32_t mask) {
  Value own = arith::AndIOp::create(builder, loc, rank, constant(mask));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, own, constant(0));
}
