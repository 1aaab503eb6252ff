//===- Sort.cpp - Builtins: sort, top-k, flip ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Sorting is Batcher's bitonic network. The sorted axis of size 2^n becomes n axes of size 2,
// one for each bit of the index, so that the partner of every element across a bit is its
// neighbour along an axis: a reduction by xor along it gives both elements' xor, from which
// each element has the other. What these reductions cost the layouts decide: moves between
// registers, shuffles or shared memory.
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Combine.h"

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;

namespace {

/// A tensor one axis of which is spread over axes of size 2, one for each bit of its index.
class Hypercube {
public:
  Hypercube(TritonBuilder &tb, const Value &tensor, unsigned axis)
      : tb(tb), axis(axis), outer(tensor.shape().take_front(axis)),
        inner(tensor.shape().drop_front(axis + 1)),
        bits(llvm::Log2_64(static_cast<uint64_t>(tensor.shape()[axis]))) {
    llvm::SmallVector<int64_t> shape(outer);
    shape.append(bits, 2);
    shape.append(inner.begin(), inner.end());
    value = bits == 0 ? tensor : tb.reshape(tensor, shape, /*mayReorder=*/false);
  }

  /// The tensor with its axis in one piece again.
  Value collapse() const {
    llvm::SmallVector<int64_t> shape(outer);
    shape.push_back(int64_t(1) << bits);
    shape.append(inner.begin(), inner.end());
    return tb.reshape(value, shape, /*mayReorder=*/false);
  }

  /// Exchanges all pairs of elements whose indices differ in `bit` only.
  void exchange(unsigned bit) { value = partners(bit); }

  /// The order into which a merge brings the runs.
  enum class Order { Ascending, Descending, Alternating };

  /// Sorts runs of 2^stage elements that are bitonic: they first rise and then fall, or the
  /// other way round. Alternating: every second run becomes descending.
  void merge(unsigned stage, Order order) {
    for (unsigned bit = stage; bit-- > 0;)
      compareAndExchange(bit, stage, order);
  }

  /// Keeps the greater (or the lesser) of each two elements whose indices differ in `bit`,
  /// which the index then lacks. Types narrower than 32 bits become 32 bits wide.
  void keepExtreme(unsigned bit, bool greater) {
    if (value.type.bits() < 32)
      value = tb.cast(value, {value.type.isFloat() ? ScalarKind::FP32 : ScalarKind::Int32});
    auto combine = [&](llvm::ArrayRef<Value> elements) -> Values {
      return {greater ? tb.maximum(elements[0], elements[1], /*propagateNan=*/false)
                      : tb.minimum(elements[0], elements[1], /*propagateNan=*/false)};
    };
    value = emitReduce(tb, value, axisOf(bit), combine).front();
    --bits;
    isSetKnown.clear();
  }

private:
  /// Bit 0 is the innermost one.
  unsigned axisOf(unsigned bit) const { return axis + bits - 1 - bit; }

  /// Every element's partner across a bit.
  Value partners(unsigned bit) const {
    constexpr ScalarKind signedKinds[] = {ScalarKind::Int8, ScalarKind::Int16, ScalarKind::Int32,
                                          ScalarKind::Int64};
    DType type = value.type;
    DType integer{type.isBool() ? ScalarKind::Int1 : signedKinds[llvm::Log2_32(type.bits() / 8)]};
    Value number = tb.bitcast(value, integer);
    Value both = emitReduce(tb, number, axisOf(bit), combineBy(tb, BinaryOperator::BitXor)).front();
    both = tb.expandDims(both, axisOf(bit));
    return tb.bitcast(tb.binary(BinaryOperator::BitXor, number, both), type);
  }

  /// An i1 tensor that broadcasts to the hypercube: whether the bit of the index is 1.
  Value isSet(unsigned bit) {
    isSetKnown.resize(bits);
    Value &known = isSetKnown[bit];
    if (known)
      return known;
    DType type{ScalarKind::Int32};
    auto range = mlir::RankedTensorType::get({2}, type.toMLIR(tb.builder.getContext()));
    Value two = Value::tensor(tt::MakeRangeOp::create(tb.builder, tb.loc(), range, 0u, 2u), type);
    llvm::SmallVector<int64_t> shape(value.shape().size(), 1);
    shape[axisOf(bit)] = 2;
    known = tb.compare(CompareOperator::NotEq, tb.reshape(two, shape, false), Value::ofInteger(0));
    return known;
  }

  void compareAndExchange(unsigned bit, unsigned stage, Order order) {
    // Where the greater element belongs: to the side of the 1, or where the run is to
    // descend, of the 0.
    Value greaterHere = isSet(bit);
    if (order == Order::Descending)
      greaterHere = tb.unary(UnaryOperator::Not, greaterHere);
    if (order == Order::Alternating)
      greaterHere = tb.binary(BinaryOperator::BitXor, greaterHere, isSet(stage));
    Value partner = partners(bit);
    Value exchanges = tb.binary(BinaryOperator::BitXor,
                                tb.compare(CompareOperator::Gt, value, partner), greaterHere);
    value = Value::tensor(
        mlir::arith::SelectOp::create(tb.builder, tb.loc(), exchanges.ssa, partner.ssa, value.ssa),
        value.type);
  }

  TritonBuilder &tb;
  unsigned axis;
  llvm::ArrayRef<int64_t> outer, inner;
  unsigned bits;
  Value value;
  /// What isSet gave for each bit, in the present shape.
  llvm::SmallVector<Value> isSetKnown;
};

using Order = Hypercube::Order;

} // namespace

/// The tensor to be rearranged along the axis that is the argument `axisIndex`, the last one
/// if it is left out. Nothing after an error.
static std::optional<unsigned> rearranged(Arguments &arguments, size_t axisIndex) {
  const Value &input = arguments[0];
  if (!input.isBlock() || input.type.isPointer()) {
    arguments.fail(0, "must be a tensor of numbers, not " + input.describe());
    return std::nullopt;
  }
  auto rank = static_cast<unsigned>(input.shape().size());
  return arguments[axisIndex].isNone() ? rank - 1 : arguments.axis(axisIndex, rank);
}

/// x, dim, descending.
static Value sort(Arguments &arguments) {
  std::optional<unsigned> axis = rearranged(arguments, 1);
  std::optional<bool> descending = arguments.flag(2, false);
  if (!axis || !descending)
    return {};
  Hypercube cube(arguments.tb, arguments[0], *axis);
  unsigned bits = llvm::Log2_64(static_cast<uint64_t>(arguments[0].shape()[*axis]));
  for (unsigned stage = 1; stage < bits; ++stage)
    cube.merge(stage, Order::Alternating);
  cube.merge(bits, *descending ? Order::Descending : Order::Ascending);
  return cube.collapse();
}

/// x, k, dim. Sorted runs of k elements are merged two by two: the greater ones of each pair
/// of elements of a rising and a falling run are the greatest k of both, and bitonic.
static Value topk(Arguments &arguments) {
  std::optional<unsigned> axis = rearranged(arguments, 2);
  std::optional<int64_t> count = axis ? arguments.integer(1) : std::nullopt;
  if (!count)
    return {};
  int64_t size = arguments[0].shape()[*axis];
  if (*count < 1 || *count > size || !llvm::isPowerOf2_64(static_cast<uint64_t>(*count)))
    return arguments.fail(1, "is " + llvm::Twine(*count) +
                                 "; it must be a power of two, from 1 to " + llvm::Twine(size) +
                                 ", the size of the dimension");
  unsigned bits = llvm::Log2_64(static_cast<uint64_t>(size));
  unsigned kept = llvm::Log2_64(static_cast<uint64_t>(*count));
  Hypercube cube(arguments.tb, arguments[0], *axis);
  auto order = [&](unsigned stage) {
    return stage < bits ? Order::Alternating : Order::Descending;
  };
  for (unsigned stage = 1; stage <= kept; ++stage)
    cube.merge(stage, order(stage));
  for (unsigned stage = kept + 1; stage <= bits; ++stage) {
    cube.keepExtreme(kept, /*greater=*/true);
    cube.merge(kept, order(stage));
  }
  return cube.collapse();
}

/// x, dim, descending.
static Value bitonicMerge(Arguments &arguments) {
  std::optional<unsigned> axis = rearranged(arguments, 1);
  std::optional<bool> descending = arguments.flag(2, false);
  if (!axis || !descending)
    return {};
  Hypercube cube(arguments.tb, arguments[0], *axis);
  cube.merge(llvm::Log2_64(static_cast<uint64_t>(arguments[0].shape()[*axis])),
             *descending ? Order::Descending : Order::Ascending);
  return cube.collapse();
}

/// x, dim. The index counts down if every bit of it is inverted.
static Value flip(Arguments &arguments) {
  std::optional<unsigned> axis = rearranged(arguments, 1);
  if (!axis)
    return {};
  Hypercube cube(arguments.tb, arguments[0], *axis);
  for (int64_t bit = 0; int64_t(1) << bit < arguments[0].shape()[*axis]; ++bit)
    cube.exchange(static_cast<unsigned>(bit));
  return cube.collapse();
}

llvm::ArrayRef<Builtin> frontend::sortBuiltins() {
  static constexpr Builtin builtins[] = {
      {"sort", "x dim? descending?", sort, Member},
      {"topk", "x k dim?", topk, Member},
      {"bitonic_merge", "x dim? descending?", bitonicMerge, Member},
      {"flip", "x dim?", flip, Member},
  };
  return builtins;
}
