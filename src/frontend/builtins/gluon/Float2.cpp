//===- Float2.cpp - Builtins of Gluon: pairs of floats on Blackwell ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A Float2Tensor is a named tuple of one tensor of 64-bit integers, of which each holds two f32:
// the first one in the low half. Blackwell's instructions for such pairs compute both at once (PTX
// ISA, add.f32x2 and those that follow it); LLVM has no op on tensors for them, so they are
// assembly, which the simulator knows.
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Combine.h"
#include "frontend/builtins/gluon/Gluon.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::frontend;
namespace arith = mlir::arith;

const TupleClass &frontend::float2Class() {
  static const TupleClass made = [] {
    TupleClass tupleClass;
    tupleClass.name = "Float2Tensor";
    tupleClass.fields = {"value"};
    return tupleClass;
  }();
  return made;
}

static Value pairsOf(Value words) {
  if (!words)
    return {};
  Value pairs = Value::tuple({std::move(words)});
  pairs.tupleClass = &float2Class();
  return pairs;
}

static bool arePairs(const Value &value) {
  return value.isTuple() && value.tupleClass == &float2Class();
}

/// The words of the argument; no value, after an error, if it is no Float2Tensor.
static Value wordsArgument(const Arguments &arguments, size_t index) {
  if (arePairs(arguments[index]))
    return arguments[index].elements->front();
  return arguments.fail(index, "must be a Float2Tensor, not " + arguments[index].describe(),
                        "float2.pack makes one of a tensor of fp32");
}

static mlir::Type withElements(const Value &like, mlir::Type element) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(like.ssa.getType());
  return tensor ? mlir::Type(tensor.clone(element)) : element;
}

/// An instruction for pairs: "add.f32x2".
static Value compute(TritonBuilder &tb, llvm::StringRef instruction,
                     llvm::SmallVector<Value, 3> operands) {
  for (size_t round = 0; round < 2; ++round)
    for (size_t i = 1; i < operands.size(); ++i)
      if (!tb.broadcast(operands[i - 1], operands[i], "arithmetic of Float2Tensors"))
        return {};
  std::string text = (instruction + " $0").str(), constraints = "=l";
  llvm::SmallVector<mlir::Value> values;
  for (const Value &operand : operands) {
    values.push_back(operand.ssa);
    text += ", $" + std::to_string(values.size());
    constraints += ",l";
  }
  auto op = tt::ElementwiseInlineAsmOp::create(tb.builder, tb.loc(), values.front().getType(),
                                               text + ";", constraints, /*pure=*/true,
                                               /*packed_element=*/1u, values);
  return Value::tensor(op->getResult(0), {ScalarKind::Int64});
}

std::optional<Value> frontend::float2Operator(TritonBuilder &tb, BinaryOperator op,
                                              const Value &left, const Value &right) {
  if (!arePairs(left))
    return std::nullopt;
  const llvm::StringRef instruction = op == BinaryOperator::Add    ? "add.f32x2"
                                      : op == BinaryOperator::Sub  ? "sub.f32x2"
                                      : op == BinaryOperator::Mult ? "mul.f32x2"
                                                                   : "";
  if (instruction.empty())
    return tb.fail("a Float2Tensor has only the operators +, - and *");
  if (!arePairs(right))
    return tb.fail("rhs must be a Float2Tensor, not " + right.describe(),
                   "float2.pack and float2.full_like make one");
  return pairsOf(compute(tb, instruction, {left.elements->front(), right.elements->front()}));
}

/// The bits of an f32 as the low half of a word.
static mlir::Value wordOf(TritonBuilder &tb, const Value &number) {
  mlir::Value bits = tt::BitcastOp::create(
      tb.builder, tb.loc(), withElements(number, tb.builder.getI32Type()), number.ssa);
  return arith::ExtUIOp::create(tb.builder, tb.loc(), withElements(number, tb.builder.getI64Type()),
                                bits);
}

static Value packBoth(TritonBuilder &tb, Value first, Value second) {
  if (!tb.broadcast(first, second, "float2.pack2"))
    return {};
  Value half =
      tb.constant(Value::ofInteger(32), {ScalarKind::Int64}, first.shape(), first.encoding());
  if (!half)
    return {};
  mlir::Value high = arith::ShLIOp::create(tb.builder, tb.loc(), wordOf(tb, second), half.ssa);
  mlir::Value word = arith::OrIOp::create(tb.builder, tb.loc(), wordOf(tb, first), high);
  return pairsOf(Value::tensor(word, {ScalarKind::Int64}));
}

/// The two tensors that a tensor of words holds.
static std::pair<Value, Value> unpackBoth(TritonBuilder &tb, const Value &words) {
  auto half = [&](mlir::Value word) {
    mlir::Value bits = arith::TruncIOp::create(tb.builder, tb.loc(),
                                               withElements(words, tb.builder.getI32Type()), word);
    return Value::tensor(tt::BitcastOp::create(tb.builder, tb.loc(),
                                               withElements(words, tb.builder.getF32Type()), bits),
                         {ScalarKind::FP32});
  };
  Value count =
      tb.constant(Value::ofInteger(32), {ScalarKind::Int64}, words.shape(), words.encoding());
  return {half(words.ssa),
          half(arith::ShRUIOp::create(tb.builder, tb.loc(), words.ssa, count.ssa))};
}

/// The argument as a tensor of fp32.
static Value singles(const Arguments &arguments, size_t index) {
  const Value &value = arguments[index];
  if (value.isTensor() && value.type.is(ScalarKind::FP32))
    return value;
  return arguments.fail(index, "must be a tensor of fp32, not " + value.describe(),
                        value.isTensor() ? "convert it with .to(gl.float32)" : "");
}

static Value pack2(Arguments &arguments) {
  Value first = singles(arguments, 0), second = first ? singles(arguments, 1) : Value();
  return second ? packBoth(arguments.tb, first, second) : Value();
}

static Value unpack2(Arguments &arguments) {
  Value words = wordsArgument(arguments, 0);
  if (!words)
    return {};
  auto [first, second] = unpackBoth(arguments.tb, words);
  return Value::tuple({first, second});
}

/// The order in which the last of `rank` dimensions and that after `axis` change places.
static llvm::SmallVector<int32_t> swapWithLast(size_t rank, unsigned axis) {
  auto order = llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(rank)));
  std::swap(order[axis + 1], order.back());
  return order;
}

/// x, axis: neighbours along the axis become pairs.
static Value pack(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value x = singles(arguments, 0);
  if (!x)
    return {};
  if (!x.isBlock())
    return arguments.fail(0, "must be a tensor of fp32, not a scalar");
  std::optional<unsigned> axis = arguments.axis(1, static_cast<unsigned>(x.shape().size()));
  if (!axis)
    return {};
  llvm::SmallVector<int64_t> shape(x.shape());
  if (shape[*axis] < 2)
    return arguments.fail(1, "has one element along it, of which no pair can be made");
  shape[*axis] /= 2;
  shape.insert(shape.begin() + *axis + 1, 2);
  Value pairs = tb.reshape(x, shape, /*mayReorder=*/false);
  if (pairs)
    pairs = tb.transpose(pairs, swapWithLast(shape.size(), *axis));
  Value halves = pairs ? callLanguage(arguments, "split", {{{}, pairs, tb.here()}}) : Value();
  return halves ? packBoth(tb, (*halves.elements)[0], (*halves.elements)[1]) : Value();
}

/// x, axis: the pairs stand beside each other along the axis again.
static Value unpack(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value words = wordsArgument(arguments, 0);
  if (!words)
    return {};
  llvm::SmallVector<int64_t> shape(words.shape());
  std::optional<unsigned> axis = arguments.axis(1, static_cast<unsigned>(shape.size()));
  if (!axis)
    return {};
  auto [first, second] = unpackBoth(tb, words);
  Value pairs = callLanguage(arguments, "join", {{{}, first, tb.here()}, {{}, second, tb.here()}});
  if (!pairs)
    return {};
  // The dimension of the two comes right after the axis.
  auto order = llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(shape.size())));
  order.insert(order.begin() + *axis + 1, static_cast<int32_t>(shape.size()));
  pairs = tb.transpose(pairs, order);
  shape[*axis] *= 2;
  return pairs ? tb.reshape(pairs, shape, /*mayReorder=*/false) : Value();
}

/// x, fill_value.
static Value fullLike(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value words = wordsArgument(arguments, 0), value = words ? singles(arguments, 1) : Value();
  if (!value)
    return {};
  if (value.isBlock())
    return arguments.fail(1, "must be a scalar, not " + value.describe());
  Value filled = words.isBlock()
                     ? tb.broadcastTo(value, words.shape(), "float2.full_like", words.encoding())
                     : value;
  return filled ? packBoth(tb, filled, filled) : Value();
}

static Value multiplyAdd(Arguments &arguments) {
  llvm::SmallVector<Value, 3> operands;
  for (size_t index : {0, 1, 2}) {
    operands.push_back(wordsArgument(arguments, index));
    if (!operands.back())
      return {};
  }
  return pairsOf(compute(arguments.tb, "fma.rn.f32x2", std::move(operands)));
}

/// self, axis.
static Value sumAlong(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value words = wordsArgument(arguments, 0);
  if (!words)
    return {};
  std::optional<unsigned> axis = arguments.axis(1, static_cast<unsigned>(words.shape().size()));
  if (!axis)
    return {};
  Values sums = emitReduce(tb, {words}, *axis, [&](llvm::ArrayRef<Value> elements) -> Values {
    return {compute(tb, "add.f32x2", {elements[0], elements[1]})};
  });
  return sums.empty() ? Value() : pairsOf(sums.front());
}

llvm::ArrayRef<Builtin> frontend::gluonFloat2Builtins() {
  static constexpr Builtin builtins[] = {
      {"pack2", "x0 x1", pack2},     {"unpack2", "x", unpack2},
      {"pack", "x axis", pack},      {"unpack", "x axis", unpack},
      {"fma", "a b c", multiplyAdd}, {"full_like", "x fill_value", fullLike},
  };
  return builtins;
}

const Builtin *frontend::findFloat2Method(llvm::StringRef name) {
  static constexpr Builtin builtin{"sum", "self axis", sumAlong};
  return name == builtin.name ? &builtin : nullptr;
}
