//===- AxisInfo.cpp - What is known of integers and pointers ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The rules below talk of one dimension. A group is a run of g elements that starts at a
// multiple of g, g a power of two. With `c`, `q`, `k` for contiguity, divisibility and
// constancy:
//
//   - the start of a group of g elements is divisible by q if g is a multiple of c; if g
//     is smaller, it lies a multiple of g behind such a start: min(q, g) divides it. This
//     is `divisorAtStarts`.
//   - "a contiguous from multiples of g, b one multiple of g", `alignedGroup`, is what
//     remainders, comparisons and bit operations need: adding 0 .. g-1 to a multiple of g
//     stays below the next one.
//
//===--------------------------------------------------------------------------===//

#include "transform/analysis/AxisInfo.h"

#include "ir/ttg/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilewright::transform {

/// The largest power of two that divides `value`, not above maxDivisibility.
static int64_t divisorOf(int64_t value) {
  if (value == 0)
    return maxDivisibility;
  return std::min<int64_t>(maxDivisibility, value & -value);
}

static int64_t product(int64_t a, int64_t b) { return std::min(maxDivisibility, a * b); }

static ArrayRef<int64_t> shapeOf(Type type) {
  static constexpr int64_t scalar[] = {1};
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() > 0 ? tensor.getShape() : ArrayRef<int64_t>(scalar);
}

static unsigned rankOf(Type type) { return shapeOf(type).size(); }

/// The dimensions of `info`, of a value of `type`, less the one that stands in for none.
static SmallVector<DimInfo, 2> realDims(const AxisInfo &info, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 ? SmallVector<DimInfo, 2>() : info.dims;
}

/// Bytes between neighbours: of the pointee for pointers, 1 for integers.
static int64_t elementBytes(Type type) {
  auto pointer = dyn_cast<tt::PointerType>(tt::getElementTypeOrSelf(type));
  return pointer ? tt::getStorageBits(pointer.getPointeeType()) / 8 : 1;
}

static bool isTracked(Type type) {
  return isa<IntegerType, IndexType, tt::PointerType>(tt::getElementTypeOrSelf(type));
}

/// A divisor of the first element of each group of `group` elements.
static int64_t divisorAtStarts(const DimInfo &info, int64_t group, int64_t bytes = 1) {
  return group >= info.contiguity ? info.divisibility
                                  : std::min(info.divisibility, product(group, bytes));
}

int64_t AxisInfo::divisorOfAll(int64_t elementBytes) const {
  int64_t divisor = constant ? divisorOf(*constant) : 1;
  for (const DimInfo &dim : dims)
    divisor = std::max(divisor, divisorAtStarts(dim, 1, elementBytes));
  return divisor;
}

/// `a` or `b`, whichever it is.
static AxisInfo join(const AxisInfo &a, const AxisInfo &b) {
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.contiguity = std::min(x.contiguity, y.contiguity);
    out.constancy = std::min(x.constancy, y.constancy);
    out.divisibility =
        std::min(divisorAtStarts(x, out.contiguity), divisorAtStarts(y, out.contiguity));
  }
  if (a.constant == b.constant)
    result.constant = a.constant;
  result.nonNegative = a.nonNegative && b.nonNegative;
  return result;
}

/// The same for pointers, whose groups advance by more than one.
static AxisInfo join(const AxisInfo &a, const AxisInfo &b, int64_t bytes) {
  AxisInfo result = join(a, b);
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims))
    out.divisibility = std::min(divisorAtStarts(x, out.contiguity, bytes),
                                divisorAtStarts(y, out.contiguity, bytes));
  return result;
}

/// Elements that all are `value`.
static AxisInfo constantInfo(int64_t value, ArrayRef<int64_t> shape) {
  AxisInfo result;
  for (int64_t size : shape)
    result.dims.push_back({1, divisorOf(value), size});
  result.constant = value;
  result.nonNegative = value >= 0;
  return result;
}

/// The walk that fills an analysis.
class AxisInfoWalker {
public:
  explicit AxisInfoWalker(AxisInfoAnalysis &analysis) : infos(analysis.infos) {}

  void walk(Region &region) {
    for (Block &block : region)
      for (Operation &op : block)
        visit(&op);
  }
  void visit(Operation *op);

private:
  AxisInfo get(Value value) const {
    auto found = infos.find(value);
    return found == infos.end() ? AxisInfo::unknown(rankOf(value.getType())) : found->second;
  }
  void set(Value value, AxisInfo info) {
    if (isTracked(value.getType()))
      infos[value] = std::move(info);
  }

  void visitFor(scf::ForOp op);
  void visitWhile(scf::WhileOp op);
  void visitIf(scf::IfOp op);
  void visitFunction(FunctionOpInterface op);
  void visitSplit(tt::SplitOp op);

  AxisInfo joinOf(Value a, Value b) const {
    return join(get(a), get(b), elementBytes(a.getType()));
  }
  /// Joins `incoming` into what is known of `variable`; whether that changed it. From the
  /// `rounds`th time on what changes becomes unknown, which ends every loop.
  bool joinInto(Value variable, Value incoming, unsigned round);

  std::optional<AxisInfo> evaluate(Operation *op);
  AxisInfo evaluateAddPtr(tt::AddPtrOp op);
  AxisInfo evaluateMul(Operation *op);
  AxisInfo evaluateDiv(Operation *op, bool isSigned);
  AxisInfo evaluateRem(Operation *op, bool isSigned);
  AxisInfo evaluateShiftRight(Operation *op);
  AxisInfo evaluateAnd(Operation *op);
  AxisInfo evaluateOr(Operation *op);
  AxisInfo evaluateCmp(arith::CmpIOp op);
  AxisInfo evaluateSelect(arith::SelectOp op);
  AxisInfo evaluateReshape(tt::ReshapeOp op);
  AxisInfo evaluateJoin(tt::JoinOp op);
  static void applyHints(Operation *op, AxisInfo &info);

  DenseMap<Value, AxisInfo> &infos;
};

//===--------------------------------------------------------------------------===//
// Control flow
//===--------------------------------------------------------------------------===//

/// Rounds over a loop after which it is no longer waited for values to settle.
static constexpr unsigned patience = 4;

bool AxisInfoWalker::joinInto(Value variable, Value incoming, unsigned round) {
  if (!isTracked(variable.getType()))
    return false;
  AxisInfo before = get(variable);
  AxisInfo after = joinOf(variable, incoming);
  if (after == before)
    return false;
  set(variable, round < patience ? after : AxisInfo::unknown(before.dims.size()));
  return true;
}

void AxisInfoWalker::visitFor(scf::ForOp op) {
  AxisInfo lower = get(op.getLowerBound()), step = get(op.getStep());
  AxisInfo induction = AxisInfo::unknown(1);
  induction.dims[0].divisibility = std::min(lower.divisorOfAll(), step.divisorOfAll());
  induction.nonNegative = lower.nonNegative; // the step is positive
  set(op.getInductionVar(), induction);

  for (auto [arg, init] : llvm::zip_equal(op.getRegionIterArgs(), op.getInitArgs()))
    set(arg, get(init));
  bool changed = true;
  for (unsigned round = 0; changed; ++round) {
    walk(op.getRegion());
    changed = false;
    for (auto [arg, yielded] : llvm::zip_equal(op.getRegionIterArgs(), op.getYieldedValues()))
      changed |= joinInto(arg, yielded, round);
  }
  for (auto [result, arg] : llvm::zip_equal(op.getResults(), op.getRegionIterArgs()))
    set(result, get(arg));
}

void AxisInfoWalker::visitWhile(scf::WhileOp op) {
  for (auto [arg, init] : llvm::zip_equal(op.getBeforeArguments(), op.getInits()))
    set(arg, get(init));
  bool changed = true;
  for (unsigned round = 0; changed; ++round) {
    walk(op.getBefore());
    for (auto [arg, passed] :
         llvm::zip_equal(op.getAfterArguments(), op.getConditionOp().getArgs()))
      set(arg, get(passed));
    walk(op.getAfter());
    changed = false;
    for (auto [arg, yielded] : llvm::zip_equal(op.getBeforeArguments(), op.getYieldedValues()))
      changed |= joinInto(arg, yielded, round);
  }
  for (auto [result, arg] : llvm::zip_equal(op.getResults(), op.getAfterArguments()))
    set(result, get(arg));
}

void AxisInfoWalker::visitIf(scf::IfOp op) {
  walk(op.getThenRegion());
  walk(op.getElseRegion());
  if (op.getNumResults() == 0)
    return;
  for (auto [result, yes, no] :
       llvm::zip_equal(op.getResults(), op.thenYield().getOperands(), op.elseYield().getOperands()))
    if (isTracked(result.getType()))
      set(result, joinOf(yes, no));
}

static int64_t hintOf(Attribute attr) {
  auto number = dyn_cast_or_null<IntegerAttr>(attr);
  int64_t value = number && number.getValue().getSignificantBits() <= 64 ? number.getInt() : 1;
  return value > 0 ? divisorOf(value) : 1;
}

void AxisInfoWalker::visitFunction(FunctionOpInterface op) {
  if (op.isExternal())
    return;
  for (BlockArgument arg : op.getArguments()) {
    AxisInfo info = AxisInfo::unknown(rankOf(arg.getType()));
    auto hint = [&](StringRef name) { return hintOf(op.getArgAttr(arg.getArgNumber(), name)); };
    for (auto [dim, size] : llvm::zip_equal(info.dims, shapeOf(arg.getType()))) {
      dim.contiguity = std::min(size, hint(contiguityAttrName));
      dim.divisibility = hint(divisibilityAttrName);
      dim.constancy = std::min(size, hint(constancyAttrName));
    }
    set(arg, info);
  }
  walk(op.getFunctionBody());
}

void AxisInfoWalker::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch);
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return visitFunction(function);
  for (Region &region : op->getRegions())
    walk(region);
  if (auto split = dyn_cast<tt::SplitOp>(op))
    return visitSplit(split);
  if (op->getNumResults() != 1 || !isTracked(op->getResult(0).getType()))
    return;
  AxisInfo info = evaluate(op).value_or(AxisInfo::unknown(rankOf(op->getResult(0).getType())));
  applyHints(op, info);
  set(op->getResult(0), std::move(info));
}

void AxisInfoWalker::applyHints(Operation *op, AxisInfo &info) {
  auto apply = [&](StringRef name, int64_t DimInfo::*field, bool bounded) {
    Attribute attr = op->getDiscardableAttr(name);
    if (!attr)
      return;
    auto list = dyn_cast<DenseIntElementsAttr>(attr);
    if (list && !list.isSplat() && list.getNumElements() != static_cast<int64_t>(info.dims.size()))
      return;
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0).getType());
    for (auto [i, dim] : llvm::enumerate(info.dims)) {
      int64_t hint = hintOf(attr);
      if (list) {
        APInt value = list.isSplat() ? list.getSplatValue<APInt>() : list.getValues<APInt>()[i];
        hint = value.isStrictlyPositive() ? divisorOf(value.getSExtValue()) : 1;
      }
      dim.*field = std::max(dim.*field, bounded ? std::min(hint, shape[i]) : hint);
    }
  };
  apply(contiguityAttrName, &DimInfo::contiguity, true);
  apply(divisibilityAttrName, &DimInfo::divisibility, false);
  apply(constancyAttrName, &DimInfo::constancy, true);
}

//===--------------------------------------------------------------------------===//
// Arithmetic
//===--------------------------------------------------------------------------===//

/// The largest g such that `run` counts up from multiples of g in groups of g, in each of
/// which `other` is one multiple of g. `otherDivisor` divides all of `other`.
static int64_t alignedGroup(const DimInfo &run, const DimInfo &other, int64_t otherDivisor) {
  return std::min(std::min(run.contiguity, run.divisibility),
                  std::min(other.constancy, otherDivisor));
}

/// a + b or a - b; offsets count `bytes` each.
static AxisInfo sum(const AxisInfo &a, const AxisInfo &b, bool subtract, int64_t bytes) {
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    out.contiguity = std::min(x.contiguity, y.constancy);
    if (!subtract)
      out.contiguity = std::max(out.contiguity, std::min(x.constancy, y.contiguity));
    out.divisibility = std::min(divisorAtStarts(x, out.contiguity, bytes),
                                product(divisorAtStarts(y, out.contiguity), bytes));
  }
  result.nonNegative = !subtract && a.nonNegative && b.nonNegative;
  return result;
}

AxisInfo AxisInfoWalker::evaluateAddPtr(tt::AddPtrOp op) {
  return sum(get(op.getPtr()), get(op.getOffset()), /*subtract=*/false, elementBytes(op.getType()));
}

AxisInfo AxisInfoWalker::evaluateMul(Operation *op) {
  AxisInfo a = get(op->getOperand(0)), b = get(op->getOperand(1));
  if (a.constant == 1)
    return b;
  if (b.constant == 1)
    return a;
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    out.divisibility = product(divisorAtStarts(x, 1), divisorAtStarts(y, 1));
  }
  result.nonNegative = a.nonNegative && b.nonNegative;
  return result;
}

AxisInfo AxisInfoWalker::evaluateDiv(Operation *op, bool isSigned) {
  AxisInfo a = get(op->getOperand(0)), b = get(op->getOperand(1));
  if (b.constant == 1)
    return a;
  // Division that truncates towards zero is not even around zero: -8 / 8 = -1, -7 / 8 = 0.
  bool floors = !isSigned || a.nonNegative;
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    if (floors)
      out.constancy = std::max(out.constancy, alignedGroup(x, y, b.divisorOfAll()));
    // Exact only if the divisor is a power of two that divides every dividend.
    if (b.constant && *b.constant > 0 && llvm::isPowerOf2_64(*b.constant))
      out.divisibility = std::max<int64_t>(1, a.divisorOfAll() / *b.constant);
  }
  // The one thing that is assumed: a scalar that is divided by another one, as the number of a
  // block by a number of blocks, is divided by a positive one. `min(blocks - group * SIZE, SIZE)`
  // is positive, but only the grid could tell.
  bool isCount = !isa<RankedTensorType>(op->getResult(0).getType()) && !a.constant && !b.constant;
  result.nonNegative = a.nonNegative && (!isSigned || b.nonNegative || isCount);
  return result;
}

AxisInfo AxisInfoWalker::evaluateRem(Operation *op, bool isSigned) {
  AxisInfo a = get(op->getOperand(0)), b = get(op->getOperand(1));
  bool floors = !isSigned || a.nonNegative;
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    if (floors)
      out.contiguity = alignedGroup(x, y, b.divisorOfAll());
    out.divisibility = std::min(divisorAtStarts(x, out.contiguity), b.divisorOfAll());
  }
  result.nonNegative = a.nonNegative;
  return result;
}

AxisInfo AxisInfoWalker::evaluateShiftRight(Operation *op) {
  AxisInfo a = get(op->getOperand(0)), b = get(op->getOperand(1));
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    if (!b.constant || *b.constant < 0 || *b.constant > 30)
      continue;
    // It rounds down, whatever the sign.
    int64_t divisor = int64_t(1) << *b.constant;
    DimInfo same{1, divisor, std::numeric_limits<int64_t>::max()};
    out.constancy = std::max(out.constancy, alignedGroup(x, same, divisor));
    out.divisibility = std::max<int64_t>(1, a.divisorOfAll() / divisor);
  }
  result.nonNegative = a.nonNegative;
  return result;
}

AxisInfo AxisInfoWalker::evaluateAnd(Operation *op) {
  AxisInfo a = get(op->getOperand(0)), b = get(op->getOperand(1));
  if (a.constant && !b.constant)
    std::swap(a, b);
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    int64_t group = std::min(x.contiguity, x.divisibility);
    if (b.constant && *b.constant >= 0 && llvm::isPowerOf2_64(uint64_t(*b.constant) + 1))
      out.contiguity = std::min(group, *b.constant + 1); // keeps the low bits
    else if (b.constant)
      // Clears at least the low bits, so what they count does not show.
      out.constancy = std::max(out.constancy, std::min(group, divisorOf(*b.constant)));
    out.divisibility =
        std::max(divisorAtStarts(x, out.contiguity), divisorAtStarts(y, out.contiguity));
  }
  result.nonNegative = a.nonNegative || b.nonNegative;
  return result;
}

AxisInfo AxisInfoWalker::evaluateOr(Operation *op) {
  AxisInfo a = get(op->getOperand(0)), b = get(op->getOperand(1));
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    // What one counts in its low bits is where the other has none.
    out.contiguity =
        std::max(alignedGroup(x, y, b.divisorOfAll()), alignedGroup(y, x, a.divisorOfAll()));
    out.divisibility =
        std::min(divisorAtStarts(x, out.contiguity), divisorAtStarts(y, out.contiguity));
  }
  result.nonNegative = a.nonNegative && b.nonNegative;
  return result;
}

AxisInfo AxisInfoWalker::evaluateCmp(arith::CmpIOp op) {
  AxisInfo a = get(op.getLhs()), b = get(op.getRhs());
  using P = arith::CmpIPredicate;
  P predicate = op.getPredicate();
  // A run left of < or >=, or right of > or <=, crosses a multiple of its length only between
  // groups; on the other side it crosses one element later.
  bool runLeft = llvm::is_contained({P::slt, P::ult, P::sge, P::uge}, predicate);
  bool runRight = llvm::is_contained({P::sgt, P::ugt, P::sle, P::ule}, predicate);
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    // Two runs keep their distance, so signed order and equality do not change.
    bool isUnsigned = llvm::is_contained({P::ult, P::ule, P::ugt, P::uge}, predicate);
    out.constancy = std::min(x.constancy, y.constancy);
    if (!isUnsigned || (a.nonNegative && b.nonNegative))
      out.constancy = std::max(out.constancy, std::min(x.contiguity, y.contiguity));
    if (runLeft)
      out.constancy = std::max(out.constancy, alignedGroup(x, y, b.divisorOfAll()));
    if (runRight)
      out.constancy = std::max(out.constancy, alignedGroup(y, x, a.divisorOfAll()));
  }
  return result;
}

AxisInfo AxisInfoWalker::evaluateSelect(arith::SelectOp op) {
  AxisInfo result = joinOf(op.getTrueValue(), op.getFalseValue());
  if (!isa<RankedTensorType>(op.getCondition().getType()))
    return result;
  AxisInfo condition = get(op.getCondition());
  int64_t bytes = elementBytes(op.getType());
  for (auto [out, by] : llvm::zip_equal(result.dims, condition.dims)) {
    int64_t contiguity = std::min(out.contiguity, by.constancy);
    out.divisibility = divisorAtStarts(out, contiguity, bytes);
    out.contiguity = contiguity;
    out.constancy = std::min(out.constancy, by.constancy);
  }
  return result;
}

//===--------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------===//

AxisInfo AxisInfoWalker::evaluateReshape(tt::ReshapeOp op) {
  AxisInfo a = get(op.getSrc());
  ArrayRef<int64_t> from = shapeOf(op.getSrc().getType()), to = shapeOf(op.getType());
  if (a.constant) {
    AxisInfo result = constantInfo(*a.constant, to);
    result.nonNegative = a.nonNegative;
    return result;
  }
  AxisInfo result = AxisInfo::unknown(to.size());
  int64_t bytes = elementBytes(op.getType());
  for (DimInfo &dim : result.dims)
    dim.divisibility = a.divisorOfAll(bytes);
  result.nonNegative = a.nonNegative;
  if (op.getAllowReorder())
    return result;
  // Groups along the innermost dimension larger than 1 stay groups.
  auto innermost = [](ArrayRef<int64_t> shape) {
    unsigned dim = shape.size() - 1;
    while (dim > 0 && shape[dim] == 1)
      --dim;
    return dim;
  };
  const DimInfo &in = a.dims[innermost(from)];
  unsigned last = innermost(to);
  DimInfo &out = result.dims[last];
  out.contiguity = std::min(in.contiguity, to[last]);
  out.constancy = std::min(in.constancy, to[last]);
  out.divisibility = std::max(out.contiguity == 1 ? out.divisibility : 1,
                              divisorAtStarts(in, out.contiguity, bytes));
  return result;
}

AxisInfo AxisInfoWalker::evaluateJoin(tt::JoinOp op) {
  // Along the old dimensions all is one operand's; along the new one there are pairs.
  AxisInfo info = joinOf(op.getLhs(), op.getRhs());
  int64_t divisor = info.divisorOfAll(elementBytes(op.getType()));
  info.dims = realDims(info, op.getLhs().getType());
  info.dims.push_back({1, divisor, op.getLhs() == op.getRhs() ? 2 : 1});
  return info;
}

void AxisInfoWalker::visitSplit(tt::SplitOp op) {
  AxisInfo info = get(op.getSrc());
  int64_t divisor = info.divisorOfAll(elementBytes(op.getSrc().getType()));
  info.dims.pop_back();
  if (info.dims.empty())
    info.dims.push_back({1, divisor, 1});
  for (Value half : op->getResults())
    set(half, info);
}

std::optional<AxisInfo> AxisInfoWalker::evaluate(Operation *op) {
  Type type = op->getResult(0).getType();
  ArrayRef<int64_t> shape = shapeOf(type);

  APInt value;
  if (matchPattern(op, m_ConstantInt(&value)))
    return value.getSignificantBits() <= 64
               ? std::optional(constantInfo(value.getSExtValue(), shape))
               : std::nullopt;

  return TypeSwitch<Operation *, std::optional<AxisInfo>>(op)
      .Case([&](tt::MakeRangeOp range) {
        AxisInfo info = AxisInfo::unknown(1);
        int64_t start = range.getStartAttr().getInt();
        info.dims[0] = {shape[0], divisorOf(start), 1};
        info.nonNegative = start >= 0;
        return info;
      })
      .Case<tt::GetProgramIdOp, tt::GetNumProgramsOp>([&](auto) {
        AxisInfo info = AxisInfo::unknown(1);
        info.nonNegative = true;
        return info;
      })
      .Case([&](tt::SplatOp splat) {
        AxisInfo scalar = get(splat.getSrc());
        AxisInfo info = AxisInfo::unknown(shape.size());
        for (auto [dim, size] : llvm::zip_equal(info.dims, shape))
          dim = {1, scalar.dims[0].divisibility, size};
        info.constant = scalar.constant;
        info.nonNegative = scalar.nonNegative;
        return info;
      })
      .Case([&](tt::ExpandDimsOp expand) {
        AxisInfo info = get(expand.getSrc());
        DimInfo added{1, info.divisorOfAll(elementBytes(type)), 1};
        info.dims = realDims(info, expand.getSrc().getType());
        info.dims.insert(info.dims.begin() + expand.getAxis(), added);
        return info;
      })
      .Case([&](tt::BroadcastOp broadcast) {
        AxisInfo info = get(broadcast.getSrc());
        ArrayRef<int64_t> from = shapeOf(broadcast.getSrc().getType());
        for (auto [dim, before, after] : llvm::zip_equal(info.dims, from, shape))
          if (before != after)
            dim.constancy = after;
        return info;
      })
      .Case([&](tt::TransOp trans) {
        AxisInfo from = get(trans.getSrc()), info = from;
        for (auto [dim, source] : llvm::enumerate(trans.getOrder()))
          info.dims[dim] = from.dims[source];
        return info;
      })
      .Case([&](tt::ReshapeOp reshape) { return evaluateReshape(reshape); })
      .Case([&](tt::JoinOp pair) { return evaluateJoin(pair); })
      // A group lies in one of the operands.
      .Case([&](tt::CatOp cat) { return joinOf(cat.getLhs(), cat.getRhs()); })
      .Case([&](tt::AddPtrOp add) { return evaluateAddPtr(add); })
      .Case([&](arith::AddIOp) {
        AxisInfo a = get(op->getOperand(0)), b = get(op->getOperand(1));
        AxisInfo info = sum(a, b, /*subtract=*/false, 1);
        if (a.constant && b.constant)
          info.constant = *a.constant + *b.constant;
        return info;
      })
      .Case([&](arith::SubIOp) {
        return sum(get(op->getOperand(0)), get(op->getOperand(1)), /*subtract=*/true, 1);
      })
      .Case([&](arith::MulIOp) { return evaluateMul(op); })
      .Case([&](arith::DivSIOp) { return evaluateDiv(op, true); })
      .Case([&](arith::DivUIOp) { return evaluateDiv(op, false); })
      .Case([&](arith::RemSIOp) { return evaluateRem(op, true); })
      .Case([&](arith::RemUIOp) { return evaluateRem(op, false); })
      .Case([&](arith::ShLIOp) {
        AxisInfo a = get(op->getOperand(0)), b = get(op->getOperand(1));
        AxisInfo info = AxisInfo::unknown(shape.size());
        int64_t factor =
            b.constant && *b.constant >= 0 && *b.constant <= 30 ? int64_t(1) << *b.constant : 1;
        if (b.constant == 0)
          return a;
        for (auto [out, x, y] : llvm::zip_equal(info.dims, a.dims, b.dims))
          out = {1, product(divisorAtStarts(x, 1), factor), std::min(x.constancy, y.constancy)};
        info.nonNegative = a.nonNegative;
        return info;
      })
      .Case([&](arith::ShRSIOp) { return evaluateShiftRight(op); })
      .Case([&](arith::ShRUIOp) { return evaluateShiftRight(op); })
      .Case([&](arith::AndIOp) { return evaluateAnd(op); })
      .Case<arith::OrIOp, arith::XOrIOp>([&](auto) { return evaluateOr(op); })
      .Case<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>([&](auto) {
        // Runs keep their distance, so the same one is chosen all along (unsigned order may
        // turn within a run that crosses zero).
        AxisInfo a = get(op->getOperand(0)), b = get(op->getOperand(1));
        AxisInfo info = join(a, b);
        info.constant.reset();
        bool isUnsigned = isa<arith::MinUIOp, arith::MaxUIOp>(op);
        if (isUnsigned && !info.nonNegative)
          for (DimInfo &dim : info.dims) {
            dim.divisibility = divisorAtStarts(dim, 1);
            dim.contiguity = 1;
          }
        if (isa<arith::MaxSIOp>(op))
          info.nonNegative = a.nonNegative || b.nonNegative;
        return info;
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp, ttg::ConvertLayoutOp>(
          [&](auto) { return get(op->getOperand(0)); })
      .Case([&](arith::TruncIOp cast) {
        AxisInfo info = get(cast.getIn());
        info.constant.reset();
        info.nonNegative = false;
        return info;
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto cast) {
        // A run from a multiple of its length does not cross zero.
        AxisInfo info = get(cast.getIn());
        for (DimInfo &dim : info.dims) {
          int64_t run = std::min(dim.contiguity, dim.divisibility);
          dim.divisibility = divisorAtStarts(dim, run);
          dim.contiguity = run;
        }
        if (!info.nonNegative)
          info.constant.reset();
        info.nonNegative = true;
        return info;
      })
      .Case([&](arith::CmpIOp compare) { return evaluateCmp(compare); })
      .Case([&](arith::SelectOp select) { return evaluateSelect(select); })
      .Case([&](tt::BitcastOp cast) -> std::optional<AxisInfo> {
        // The same address with another pointee: runs of elements are runs no longer.
        Type from = cast.getSrc().getType();
        if (!isTracked(from))
          return std::nullopt;
        AxisInfo info = get(cast.getSrc());
        int64_t before = elementBytes(from);
        if (before == elementBytes(type))
          return info;
        for (DimInfo &dim : info.dims) {
          dim.divisibility = divisorAtStarts(dim, 1, before);
          dim.contiguity = 1;
        }
        return info;
      })
      .Default(std::optional<AxisInfo>());
}

//===--------------------------------------------------------------------------===//
// AxisInfoAnalysis
//===--------------------------------------------------------------------------===//

AxisInfoAnalysis::AxisInfoAnalysis(Operation *root) {
  AxisInfoWalker walker(*this);
  walker.visit(root);
}

AxisInfo AxisInfoAnalysis::get(Value value) const {
  auto found = infos.find(value);
  return found == infos.end() ? AxisInfo::unknown(rankOf(value.getType())) : found->second;
}

unsigned AxisInfoAnalysis::getVectorWidth(Value pointer, unsigned dim, unsigned maxBits) const {
  DimInfo info = get(pointer).dims[dim];
  int64_t bytes = elementBytes(pointer.getType());
  int64_t width =
      std::min({info.contiguity, std::max<int64_t>(1, info.divisibility / bytes),
                shapeOf(pointer.getType())[dim], std::max<int64_t>(1, maxBits / (8 * bytes))});
  return llvm::bit_floor(static_cast<uint64_t>(width));
}

unsigned AxisInfoAnalysis::getVectorWidth(Value pointer, Value mask, unsigned dim,
                                          unsigned maxBits) const {
  unsigned width = getVectorWidth(pointer, dim, maxBits);
  if (!mask || !isa<RankedTensorType>(mask.getType()))
    return width;
  return std::min<int64_t>(width, get(mask).dims[dim].constancy);
}

} // namespace tilewright::transform
