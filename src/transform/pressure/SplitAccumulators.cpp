//===- SplitAccumulators.cpp - Products in parts that registers hold ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A loop whose sums leave no registers for operands spills in every iteration. It becomes one loop
// for each part of the sums:
//
//     c = for k { c += a[k] b[k] }            c0 = for k { c0 += a[k] b[k][:, :n/2] }
//     store(p, cast(c))                  ->   d0 = cast(c0)
//                                             c1 = for k { c1 += a[k] b[k][:, n/2:] }
//                                             d1 = cast(c1)
//                                             store(p[:, :n/2], d0)
//                                             store(p[:, n/2:], d1)
//
// What is the same for all parts (a) is loaded again for each. Nothing is stored before the last
// loop, since the program's own stores came after all of its loads and may overwrite what they
// read. So what is computed from a part moves up after that part's loop: most kernels round there,
// and half of the registers are then free.
//
// Which part of an operand gives which part of a result is what SplitRules.h knows; a part here is
// what a block of a cluster has there. A loop is left as it is where a part would need what the
// rules do not know, and where a product would be computed more than once: attention's first
// product is needed in full for every part of the second.
//
// A thread's sums may take a share of its registers (target::ResourceShares). What is kept of a
// part is to find room in shared memory (tilewright-spill-to-shared-memory), beside the operands of
// the next: there may be more parts for that.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/MatrixUnits.h"
#include "target/Target.h"
#include "transform/cluster/SplitRules.h"
#include "transform/pipeline/staged/StagedLoads.h"
#include "transform/pressure/Passes.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_SPLITACCUMULATORS
#include "transform/pressure/Passes.h.inc"
} // namespace tilewright::transform

using transform::ClusterSplit;

/// The rows and columns that a part keeps at least: those of one instruction of most units.
static constexpr int64_t minPartSize = 16;
/// A limit of the code's size and of the traffic: what all parts need is loaded once for each.
static constexpr unsigned maxPartBits = 2;

namespace {

/// What a block has.
struct Limits {
  const target::Target *target;
  unsigned threads;
  /// Of a thread, for sums.
  unsigned maxRegisters;
};

using Splits = SmallVector<ClusterSplit, 1>;

/// A loop that accumulates products, and what depends on its parts.
class AccumulatingLoop {
public:
  explicit AccumulatingLoop(scf::ForOp loop) : loop(loop) {}

  /// Finds the loop's sums, and how to divide them. Returns whether they are to be divided.
  bool chooseSplit(const Limits &limits);
  /// Whether all that depends on the sums can be computed in those parts.
  bool analyse();
  void rewrite(OpBuilder &builder);

private:
  bool isSafeBody();
  /// The shared memory for operands of parts of `shape` and, beside them, one part's result.
  int64_t countSharedBytes(const target::Target &target, ArrayRef<int64_t> shape);
  bool isSum(unsigned number);
  /// Whether `value` is computed by the loop.
  bool isOfLoop(Value value) {
    return value.getParentBlock() == loop.getBody() || value.getDefiningOp() == loop;
  }
  bool collectDerived(Value value, const ClusterSplit &split);
  std::optional<ClusterSplit> getDerivedSplit(Operation *op, const ClusterSplit &operand) const;
  bool want(Value value, const ClusterSplit &split);
  bool wantResults(Operation *op, const ClusterSplit &split);
  bool wantOperands(Operation *op, ArrayRef<ClusterSplit> splits);

  scf::ForOp createLoop(OpBuilder &builder, unsigned part);
  Value getPart(OpBuilder &builder, Value value, const ClusterSplit &split, unsigned part);
  Operation *clonePart(OpBuilder &builder, Operation *op, const ClusterSplit &split, unsigned part);
  void setPart(Value value, const ClusterSplit &split, unsigned part, Value result) {
    parts[{value.getAsOpaquePointer(), part, split}] = result;
  }
  SmallVector<ClusterSplit> getOperandParts(Operation *op, const ClusterSplit &split) const;

  scf::ForOp loop;
  SmallVector<unsigned> sums;
  ClusterSplit whole, split;
  /// The parts that are wanted of values: of all that the loop computes, and of what is computed
  /// outside and divided.
  llvm::MapVector<Value, Splits> wanted;
  /// The parts in which ops are computed: of their results or, without results, of their operands.
  DenseMap<Operation *, Splits> computed;
  /// What is computed from the sums after the loop.
  DenseMap<Value, ClusterSplit> derived;
  llvm::SetVector<Operation *> derivedOps;
  std::map<std::tuple<void *, unsigned, ClusterSplit>, Value> parts;
};

} // namespace

//===----------------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------------===//

static bool isPlainLoad(Operation *op) {
  auto load = dyn_cast<tt::LoadOp>(op);
  return load && !hasEffect<MemoryEffects::Write>(op);
}

/// The loads that the parts repeat must find what they have found before, and nothing else may
/// happen more than once.
bool AccumulatingLoop::isSafeBody() {
  return llvm::all_of(loop.getBody()->without_terminator(), [](Operation &op) {
    if (op.getNumRegions() != 0 && !isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op))
      return false;
    return isMemoryEffectFree(&op) || isPlainLoad(&op);
  });
}

/// Whether the carried value is a product and what has been added to it.
bool AccumulatingLoop::isSum(unsigned number) {
  llvm::SetVector<Value> values;
  values.insert(loop.getYieldedValues()[number]);
  for (unsigned next = 0; next < values.size(); ++next) {
    Operation *op = values[next].getDefiningOp();
    if (!op || op->getBlock() != loop.getBody())
      continue;
    if (isa<tt::DotOp>(op))
      return true;
    if (op->hasTrait<OpTrait::Elementwise>())
      values.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// The bits of an element that the product's unit takes: of narrower ones where it has no such
/// product, those of 16.
static unsigned getOperandBits(tt::DotOp dot, const target::Target &target) {
  const unsigned bits = tt::getElementBits(tt::getElementTypeOrSelf(dot.getA().getType()));
  const std::optional<ttg::MmaTypes> types = ttg::getMmaTypes(dot);
  const bool isTaken = types && llvm::any_of(target.products(), [&](const target::MmaAtom &atom) {
                         return ttg::isWarpProduct(atom, *types);
                       });
  return isTaken ? bits : std::max(bits, 16u);
}

/// The bits of an element of what is kept of `sum`: what it is rounded to.
static unsigned getKeptBits(Value sum) {
  unsigned bits = tt::getElementBits(tt::getElementTypeOrSelf(sum.getType()));
  for (Operation *user : sum.getUsers())
    if (user->getNumResults() == 1 && user->hasTrait<OpTrait::Elementwise>())
      bits =
          std::min(bits, tt::getElementBits(tt::getElementTypeOrSelf(user->getResultTypes()[0])));
  return bits;
}

int64_t AccumulatingLoop::countSharedBytes(const target::Target &target, ArrayRef<int64_t> shape) {
  int64_t bits = 0;
  for (unsigned number : sums)
    bits += ShapedType::getNumElements(shape) * getKeptBits(loop.getResult(number));
  for (tt::DotOp dot : loop.getBody()->getOps<tt::DotOp>()) {
    const int64_t k = dot.getA().getType().getShape().back();
    const int64_t rowsAndColumns = shape.back() + shape[shape.size() - 2];
    bits += k * rowsAndColumns * getOperandBits(dot, target);
  }
  return bits / 8;
}

bool AccumulatingLoop::chooseSplit(const Limits &limits) {
  int64_t sumBits = 0;
  SmallVector<int64_t> shape;
  for (unsigned number = 0; number < loop.getNumResults(); ++number) {
    auto type = dyn_cast<RankedTensorType>(loop.getResult(number).getType());
    if (!type || !type.getElementType().isIntOrFloat() || !isSum(number))
      continue;
    // Of sums of several shapes none says where to divide the others.
    if (!sums.empty() && type.getShape() != ArrayRef(shape))
      return false;
    shape.assign(type.getShape().begin(), type.getShape().end());
    sums.push_back(number);
    sumBits += type.getNumElements() * type.getElementTypeBitWidth();
  }
  if (sums.empty() || shape.size() < 2)
    return false;
  SmallVector<int32_t> dims;
  const int32_t n = static_cast<int32_t>(shape.size()) - 1, m = n - 1;
  const auto divide = [&] {
    // Along the longer side, which leaves the least to be loaded again.
    const int32_t dim = shape[n] >= shape[m] ? n : m;
    if (dims.size() == maxPartBits || shape[dim] < 2 * minPartSize)
      return false;
    shape[dim] /= 2;
    sumBits /= 2;
    dims.push_back(dim);
    return true;
  };
  while (sumBits > int64_t(32) * limits.threads * limits.maxRegisters)
    if (!divide())
      break;
  if (dims.empty())
    return false;
  while (countSharedBytes(*limits.target, shape) > int64_t(limits.target->shared.maxBytes))
    if (!divide())
      break;
  split = ClusterSplit(dims);
  whole = ClusterSplit::replicated(dims.size());
  return true;
}

bool AccumulatingLoop::analyse() {
  if (!isSafeBody())
    return false;
  for (unsigned number : sums)
    if (!collectDerived(loop.getResult(number), split))
      return false;
  // Now that it is known what depends on the sums: everything else that is needed with it.
  for (Operation *op : derivedOps) {
    const ClusterSplit own = computed.lookup(op).front();
    const std::optional<SmallVector<ClusterSplit>> operands = transform::getOperandSplits(op, own);
    if (!operands || !wantOperands(op, *operands))
      return false;
  }
  for (OpResult result : loop.getResults())
    if (!result.use_empty() && !want(result, derived.contains(result) ? split : whole))
      return false;
  return true;
}

//===----------------------------------------------------------------------------===//
// What depends on the parts
//===----------------------------------------------------------------------------===//

/// The part of the results that comes from the part `operand` of any operand.
std::optional<ClusterSplit> AccumulatingLoop::getDerivedSplit(Operation *op,
                                                              const ClusterSplit &operand) const {
  if (auto trans = dyn_cast<tt::TransOp>(op)) {
    SmallVector<int32_t> dims(trans.getOrder().size());
    for (auto [to, from] : llvm::enumerate(trans.getOrder()))
      dims[from] = static_cast<int32_t>(to);
    return operand.renamed(dims);
  }
  const bool isElementwise = op->hasTrait<OpTrait::Elementwise>() && isPure(op);
  const bool isWrite = isa<tt::StoreOp>(op) || (isa<tt::AtomicRMWOp>(op) && op->use_empty());
  return isElementwise || isWrite ? std::optional(operand) : std::nullopt;
}

bool AccumulatingLoop::collectDerived(Value value, const ClusterSplit &own) {
  auto [known, isNew] = derived.try_emplace(value, own);
  if (!isNew)
    return known->second == own;
  for (Operation *user : value.getUsers()) {
    if (user->getNumRegions() != 0 || user->hasTrait<OpTrait::IsTerminator>())
      return false;
    const std::optional<ClusterSplit> result = getDerivedSplit(user, own);
    if (!result)
      return false;
    if (!derivedOps.insert(user)) {
      if (computed.lookup(user).front() != *result)
        return false;
      continue;
    }
    computed[user] = {*result};
    for (Value made : user->getResults())
      if (!collectDerived(made, *result))
        return false;
  }
  return true;
}

bool AccumulatingLoop::want(Value value, const ClusterSplit &own) {
  if (auto found = derived.find(value); found != derived.end() && !isOfLoop(value))
    return found->second == own;
  if (own == whole && !isOfLoop(value))
    return true;
  Splits &known = wanted[value];
  if (llvm::is_contained(known, own))
    return true;
  known.push_back(own);
  if (value.getDefiningOp() == loop)
    return want(loop.getRegionIterArg(cast<OpResult>(value).getResultNumber()), own);
  if (Operation *op = value.getDefiningOp())
    return wantResults(op, own);
  auto argument = cast<BlockArgument>(value);
  if (argument.getOwner() != loop.getBody())
    return false;
  if (argument == loop.getInductionVar())
    return true;
  const unsigned number = argument.getArgNumber() - loop.getNumInductionVars();
  return want(loop.getInitArgs()[number], own) && want(loop.getYieldedValues()[number], own);
}

bool AccumulatingLoop::wantOperands(Operation *op, ArrayRef<ClusterSplit> splits) {
  return llvm::all_of(llvm::zip_equal(op->getOperands(), splits), [&](auto pair) {
    auto [operand, own] = pair;
    return want(operand, transform::isTile(operand.getType()) ? own : whole);
  });
}

bool AccumulatingLoop::wantResults(Operation *op, const ClusterSplit &own) {
  Splits &known = computed[op];
  if (llvm::is_contained(known, own))
    return true;
  known.push_back(own);
  if (own == whole)
    return !isa<tt::DotOp>(op) && wantOperands(op, getOperandParts(op, own));
  if (op->getNumRegions() != 0 || !(isPure(op) || isPlainLoad(op)) ||
      isa<tt::CatOp, tt::GatherOp, tt::HistogramOp, tt::ElementwiseInlineAsmOp>(op) ||
      !transform::canDistribute(op))
    return false;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()); !dense || !dense.isSplat())
      return false;
  for (Type type : op->getResultTypes())
    if (!transform::isTile(type) || !transform::canDivide(transform::getTileShape(type), own))
      return false;
  const std::optional<SmallVector<ClusterSplit>> operands = transform::getOperandSplits(op, own);
  return operands && wantOperands(op, *operands);
}

//===----------------------------------------------------------------------------===//
// The program in parts
//===----------------------------------------------------------------------------===//

/// What is not divided is computed from what is not divided, whatever the op.
SmallVector<ClusterSplit> AccumulatingLoop::getOperandParts(Operation *op,
                                                            const ClusterSplit &own) const {
  if (own == whole)
    return SmallVector<ClusterSplit>(op->getNumOperands(), whole);
  return *transform::getOperandSplits(op, own);
}

/// The number of `part` along a dimension that the bits in `mask` divide.
static int64_t getNumberAlong(unsigned part, uint32_t mask) {
  int64_t number = 0;
  for (unsigned bit = 0, to = 0; mask >> bit != 0; ++bit)
    if (mask >> bit & 1)
      number |= int64_t(part >> bit & 1) << to++;
  return number;
}

Operation *AccumulatingLoop::clonePart(OpBuilder &builder, Operation *op, const ClusterSplit &own,
                                       unsigned part) {
  SmallVector<Value> operands;
  for (auto [operand, operandSplit] : llvm::zip_equal(op->getOperands(), getOperandParts(op, own)))
    operands.push_back(getPart(builder, operand, operandSplit, part));
  Operation *clone = builder.clone(*op);
  // By number: an op may take two parts of one value.
  clone->setOperands(operands);
  if (own == whole)
    return clone;
  transform::setPartTypes(clone, own);
  if (auto range = dyn_cast<tt::MakeRangeOp>(clone)) {
    const int64_t first = getNumberAlong(part, own.bitsAlong(0)) * range.getType().getDimSize(0);
    range.setStart(range.getStart() + first);
    range.setEnd(range.getEnd() + first);
  }
  return clone;
}

Value AccumulatingLoop::getPart(OpBuilder &builder, Value value, const ClusterSplit &own,
                                unsigned part) {
  const ClusterSplit &kind = transform::isTile(value.getType()) ? own : whole;
  auto found = parts.find({value.getAsOpaquePointer(), part, kind});
  if (found != parts.end())
    return found->second;
  // Outside of the loop, beside the tile.
  if (kind == whole)
    return value;
  Operation *op = value.getDefiningOp();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(op);
  Operation *clone = clonePart(builder, op, kind, part);
  for (auto [old, made] : llvm::zip_equal(op->getResults(), clone->getResults()))
    setPart(old, kind, part, made);
  return parts.at({value.getAsOpaquePointer(), part, kind});
}

scf::ForOp AccumulatingLoop::createLoop(OpBuilder &builder, unsigned part) {
  SmallVector<std::pair<unsigned, ClusterSplit>> carried;
  SmallVector<Value> inits;
  for (unsigned number = 0; number < loop.getNumResults(); ++number)
    for (const ClusterSplit &own : wanted.lookup(loop.getRegionIterArg(number))) {
      carried.push_back({number, own});
      inits.push_back(getPart(builder, loop.getInitArgs()[number], own, part));
    }
  auto made = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                                 loop.getStep(), inits);
  made->setAttrs(loop->getAttrs());
  made->setAttr(ttg::partAttrName, builder.getUnitAttr());
  if (!made.getBody()->empty())
    made.getBody()->back().erase();
  setPart(loop.getInductionVar(), whole, part, made.getInductionVar());
  for (auto [carry, argument] : llvm::zip_equal(carried, made.getRegionIterArgs()))
    setPart(loop.getRegionIterArg(carry.first), carry.second, part, argument);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(made.getBody());
  for (Operation &op : loop.getBody()->without_terminator())
    for (const ClusterSplit &own : computed.lookup(&op)) {
      Operation *clone = clonePart(builder, &op, own, part);
      for (auto [old, result] : llvm::zip_equal(op.getResults(), clone->getResults()))
        setPart(old, own, part, result);
    }
  SmallVector<Value> yielded;
  for (auto [number, own] : carried)
    yielded.push_back(getPart(builder, loop.getYieldedValues()[number], own, part));
  scf::YieldOp::create(builder, loop.getLoc(), yielded);
  for (auto [carry, result] : llvm::zip_equal(carried, made.getResults()))
    setPart(loop.getResult(carry.first), carry.second, part, result);
  return made;
}

/// Whether `op` stands before `place`, or may: it computes from what stands there or may, and of
/// memory it reads what `place` does not write.
static bool canStandBefore(Operation *op, Operation *place, Operation *firstWrite) {
  if (op->getBlock() != place->getBlock())
    return op->getBlock()->getParentOp()->isAncestor(place);
  if (op->isBeforeInBlock(place))
    return true;
  if (op->getNumRegions() != 0 ||
      !(isPure(op) || (isPlainLoad(op) && (!firstWrite || op->isBeforeInBlock(firstWrite)))))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *source = operand.getDefiningOp();
    return !source || canStandBefore(source, place, firstWrite);
  });
}

static void moveBefore(Operation *op, Operation *place) {
  if (op->getBlock() != place->getBlock() || op->isBeforeInBlock(place))
    return;
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp())
      moveBefore(source, place);
  op->moveBefore(place);
}

void AccumulatingLoop::rewrite(OpBuilder &builder) {
  const unsigned numParts = 1u << whole.numBits();
  SmallVector<scf::ForOp> loops;
  builder.setInsertionPoint(loop);
  for (unsigned part = 0; part < numParts; ++part)
    loops.push_back(createLoop(builder, part));

  // In the order of the program, in which operands come first.
  SmallVector<Operation *> order;
  loop->getBlock()->walk([&](Operation *op) {
    if (derivedOps.contains(op))
      order.push_back(op);
  });
  SmallVector<SmallVector<Operation *>> clones(numParts);
  for (Operation *op : order)
    for (unsigned part = 0; part < numParts; ++part) {
      builder.setInsertionPoint(op);
      const ClusterSplit own = computed.lookup(op).front();
      Operation *clone = clonePart(builder, op, own, part);
      for (auto [old, made] : llvm::zip_equal(op->getResults(), clone->getResults()))
        setPart(old, own, part, made);
      clones[part].push_back(clone);
    }
  for (Operation *op : llvm::reverse(order))
    op->erase();
  for (OpResult result : loop.getResults())
    if (!result.use_empty())
      result.replaceAllUsesWith(getPart(builder, result, whole, /*part=*/0));

  // After the part's own loop, as far as nothing has been written.
  Operation *firstWrite = loop;
  do
    firstWrite = firstWrite->getNextNode();
  while (firstWrite && (isMemoryEffectFree(firstWrite) || isPlainLoad(firstWrite)));
  for (unsigned part = 0; part + 1 < numParts; ++part)
    for (Operation *op : clones[part])
      if (canStandBefore(op, loops[part + 1], firstWrite))
        moveBefore(op, loops[part + 1]);
  loop.erase();
}

//===----------------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------------===//

/// Erases what only the loop before its division needed, and joins what several parts have alike.
static void clean(ModuleOp module) {
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
  IRRewriter rewriter(module.getContext());
  DominanceInfo dominance(module);
  eliminateCommonSubExpressions(rewriter, dominance, module);
}

namespace {

struct SplitAccumulators : transform::impl::SplitAccumulatorsBase<SplitAccumulators> {
  using SplitAccumulatorsBase::SplitAccumulatorsBase;

  void runOnOperation() override {
    const auto known = target::Target::parse(target.getValue());
    if (!known) {
      emitError(getOperation().getLoc()) << known.error();
      return signalPassFailure();
    }
    const unsigned share =
        maxRegisters ? unsigned(maxRegisters)
                     : (*known)->execution.maxRegistersPerThread * (*known)->shares.sums / 100;
    const Limits limits{*known, threads, share};
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    OpBuilder builder(&getContext());
    bool changed = false;
    for (scf::ForOp loop : loops) {
      AccumulatingLoop candidate(loop);
      if (!candidate.chooseSplit(limits) || !candidate.analyse())
        continue;
      candidate.rewrite(builder);
      changed = true;
    }
    if (changed)
      clean(getOperation());
  }
};

} // namespace
