//===- Arithmetic.cpp - Integers, comparisons, casts ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/Elements.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

#include <bit>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

using Bits = ArrayRef<uint64_t>;

static unsigned operandWidth(Operation *op) {
  return widthOf(elementOf(op->getOperand(0).getType()));
}
static unsigned resultWidth(Operation *op) {
  return widthOf(elementOf(op->getResult(0).getType()));
}

/// An op on integers of one width, without signs.
template <uint64_t (*fn)(uint64_t, uint64_t)>
static void unsignedOp(Machine &machine, Operation *op) {
  const unsigned width = resultWidth(op);
  mapElements(machine, op, [=](Bits in, bool &) { return lowBits(fn(in[0], in[1]), width); });
}

/// The same with signs.
template <int64_t (*fn)(int64_t, int64_t)> static void signedOp(Machine &machine, Operation *op) {
  const unsigned width = resultWidth(op);
  mapElements(machine, op, [=](Bits in, bool &) {
    return lowBits(static_cast<uint64_t>(fn(signExtend(in[0], width), signExtend(in[1], width))),
                   width);
  });
}

static uint64_t add(uint64_t a, uint64_t b) { return a + b; }
static uint64_t subtract(uint64_t a, uint64_t b) { return a - b; }
static uint64_t multiply(uint64_t a, uint64_t b) { return a * b; }
static uint64_t bitAnd(uint64_t a, uint64_t b) { return a & b; }
static uint64_t bitOr(uint64_t a, uint64_t b) { return a | b; }
static uint64_t bitXor(uint64_t a, uint64_t b) { return a ^ b; }
static uint64_t largerUnsigned(uint64_t a, uint64_t b) { return std::max(a, b); }
static uint64_t smallerUnsigned(uint64_t a, uint64_t b) { return std::min(a, b); }
static int64_t larger(int64_t a, int64_t b) { return std::max(a, b); }
static int64_t smaller(int64_t a, int64_t b) { return std::min(a, b); }

/// An op that a divisor of zero leaves undefined, and the one quotient that is too large.
template <int64_t (*fn)(int64_t, int64_t)>
static void signedDivision(Machine &machine, Operation *op) {
  const unsigned width = resultWidth(op);
  const int64_t smallest = signExtend(uint64_t(1) << (width - 1), width);
  mapElements(machine, op, [=](Bits in, bool &isDefined) -> uint64_t {
    const int64_t a = signExtend(in[0], width), b = signExtend(in[1], width);
    if (b == 0 || (a == smallest && b == -1)) {
      isDefined = false;
      return 0;
    }
    return lowBits(static_cast<uint64_t>(fn(a, b)), width);
  });
}

template <uint64_t (*fn)(uint64_t, uint64_t)>
static void unsignedDivision(Machine &machine, Operation *op) {
  mapElements(machine, op, [=](Bits in, bool &isDefined) -> uint64_t {
    isDefined &= in[1] != 0;
    return in[1] == 0 ? 0 : fn(in[0], in[1]);
  });
}

static int64_t quotient(int64_t a, int64_t b) { return a / b; }
static int64_t remainder(int64_t a, int64_t b) { return a % b; }
static int64_t floorQuotient(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static int64_t ceilQuotient(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}
static uint64_t unsignedQuotient(uint64_t a, uint64_t b) { return a / b; }
static uint64_t unsignedRemainder(uint64_t a, uint64_t b) { return a % b; }
static uint64_t unsignedCeilQuotient(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

enum class Shift : uint8_t { Left, Logical, Arithmetic };

template <Shift kind> static void shift(Machine &machine, Operation *op) {
  const unsigned width = resultWidth(op);
  mapElements(machine, op, [=](Bits in, bool &isDefined) -> uint64_t {
    if (in[1] >= width) {
      isDefined = false;
      return 0;
    }
    if (kind == Shift::Left)
      return lowBits(in[0] << in[1], width);
    if (kind == Shift::Logical)
      return in[0] >> in[1];
    return lowBits(static_cast<uint64_t>(signExtend(in[0], width) >> in[1]), width);
  });
}

/// The bits of a logical op where one operand alone may decide.
template <bool isAnd> static void logical(Machine &machine, Operation *op) {
  const TensorPtr a = machine.tensor(op->getOperand(0)), b = machine.tensor(op->getOperand(1));
  const uint64_t deciding = isAnd ? 0 : lowBits(~uint64_t(0), resultWidth(op));
  unsignedOp<isAnd ? bitAnd : bitOr>(machine, op);
  const TensorPtr result = machine.tensor(op->getResult(0));
  auto decides = [&](const Tensor &operand, size_t i) {
    const size_t at = operand.size() == 1 ? 0 : i;
    return !operand.isUndefined(at) && operand.bits[at] == deciding;
  };
  for (size_t i = 0; i < result->undefined.size(); ++i)
    if (result->undefined[i] && (decides(*a, i) || decides(*b, i))) {
      result->undefined[i] = 0;
      result->bits[i] = deciding;
    }
}

static void multiplyHigh(Machine &machine, tt::MulhiUIOp op) {
  const unsigned width = resultWidth(op);
  mapElements(machine, op, [=](Bits in, bool &) {
    return lowBits(static_cast<uint64_t>((static_cast<unsigned __int128>(in[0]) * in[1]) >> width),
                   width);
  });
}

//===--------------------------------------------------------------------------===//
// Comparisons
//===--------------------------------------------------------------------------===//

static bool compareIntegers(arith::CmpIPredicate predicate, uint64_t a, uint64_t b,
                            unsigned width) {
  const int64_t x = signExtend(a, width), y = signExtend(b, width);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return x < y;
  case arith::CmpIPredicate::sle:
    return x <= y;
  case arith::CmpIPredicate::sgt:
    return x > y;
  case arith::CmpIPredicate::sge:
    return x >= y;
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::ugt:
    return a > b;
  case arith::CmpIPredicate::uge:
    return a >= b;
  }
  return false;
}

static void compare(Machine &machine, arith::CmpIOp op) {
  const unsigned width = operandWidth(op);
  mapElements(machine, op, [=, predicate = op.getPredicate()](Bits in, bool &) -> uint64_t {
    return compareIntegers(predicate, in[0], in[1], width);
  });
}

/// The ordered predicates are sets of outcomes: bit 0 equal, bit 1 greater, bit 2 less. The
/// unordered ones follow, in the same order from that of equality on.
static bool compareNumbers(arith::CmpFPredicate predicate, double a, double b) {
  const auto code = static_cast<unsigned>(predicate);
  const bool isUnordered = std::isnan(a) || std::isnan(b);
  if (predicate == arith::CmpFPredicate::AlwaysTrue || predicate == arith::CmpFPredicate::UNO)
    return isUnordered || predicate == arith::CmpFPredicate::AlwaysTrue;
  const unsigned outcome = a == b ? 1 : a > b ? 2 : 4;
  const bool takesUnordered = predicate >= arith::CmpFPredicate::UEQ;
  return isUnordered ? takesUnordered : ((takesUnordered ? code - 7 : code) & outcome) != 0;
}

static void compare(Machine &machine, arith::CmpFOp op) {
  const Codec codec(elementOf(op.getLhs().getType()));
  mapElements(machine, op, [&, predicate = op.getPredicate()](Bits in, bool &) -> uint64_t {
    return compareNumbers(predicate, codec.decode(in[0]), codec.decode(in[1]));
  });
}

static void select(Machine &machine, arith::SelectOp op) {
  const Datum chosen = machine.get(op.getTrueValue());
  // Views and descriptors are chosen as they are, and so is a tensor by one condition.
  if (!isa<RankedTensorType>(op.getCondition().getType()) &&
      (!std::holds_alternative<TensorPtr>(chosen) || std::get<TensorPtr>(chosen)->size() > 1)) {
    const TensorPtr condition = machine.tensor(op.getCondition());
    if (!condition->isUndefined(0) && condition->size() == 1)
      return machine.set(op.getResult(),
                         condition->bits[0] ? chosen : machine.get(op.getFalseValue()));
  }
  const TensorPtr condition = machine.tensor(op.getCondition()),
                  yes = machine.tensor(op.getTrueValue()), no = machine.tensor(op.getFalseValue());
  const TensorPtr largest = std::max(
      {condition, yes, no}, [](const auto &a, const auto &b) { return a->size() < b->size(); });
  auto result = std::make_shared<Tensor>(elementOf(op.getType()), largest->shape);
  auto at = [](const Tensor &tensor, size_t i) { return tensor.size() == 1 ? 0 : i; };
  for (size_t i = 0; i < result->size(); ++i) {
    const size_t c = at(*condition, i);
    const Tensor &source = condition->bits[c] & 1 ? *yes : *no;
    result->copy(i, source, at(source, i));
    if (condition->isUndefined(c))
      result->setUndefined(i);
  }
  machine.set(op.getResult(), result);
  machine.spend(result->size(), op);
}

//===--------------------------------------------------------------------------===//
// Casts
//===--------------------------------------------------------------------------===//

static void keepBits(Machine &machine, Operation *op) {
  mapElements(machine, op, [](Bits in, bool &) { return in[0]; });
}

static void truncateBits(Machine &machine, Operation *op) {
  const unsigned width = resultWidth(op);
  mapElements(machine, op, [=](Bits in, bool &) { return lowBits(in[0], width); });
}

static void extendSign(Machine &machine, Operation *op) {
  const unsigned from = operandWidth(op), to = resultWidth(op);
  mapElements(machine, op, [=](Bits in, bool &) {
    return lowBits(static_cast<uint64_t>(signExtend(in[0], from)), to);
  });
}

template <bool isSigned> static void toFloat(Machine &machine, Operation *op) {
  const unsigned width = operandWidth(op);
  const Codec out(elementOf(op->getResult(0).getType()));
  mapElements(machine, op, [&](Bits in, bool &) -> uint64_t {
    const int64_t number = isSigned ? signExtend(in[0], width) : static_cast<int64_t>(in[0]);
    // One rounding: double does not hold all integers of 64 bits.
    if (out.width() == 32)
      return std::bit_cast<uint32_t>(isSigned ? static_cast<float>(number)
                                              : static_cast<float>(in[0]));
    return out.encode(isSigned ? static_cast<double>(number) : static_cast<double>(in[0]));
  });
}

/// A number that is too large for the integer gives an undefined one.
template <bool isSigned> static void toInteger(Machine &machine, Operation *op) {
  const Codec in(elementOf(op->getOperand(0).getType()));
  const unsigned width = resultWidth(op);
  const double end = std::ldexp(1.0, static_cast<int>(width) - (isSigned ? 1 : 0));
  const double begin = isSigned ? -end : 0;
  mapElements(machine, op, [&](Bits bits, bool &isDefined) -> uint64_t {
    const double number = std::trunc(in.decode(bits[0]));
    if (!(number >= begin && number < end)) {
      isDefined = false;
      return 0;
    }
    return isSigned ? lowBits(static_cast<uint64_t>(static_cast<int64_t>(number)), width)
                    : static_cast<uint64_t>(number);
  });
}

static void roundToNearest(Machine &machine, Operation *op) {
  const Codec in(elementOf(op->getOperand(0).getType())),
      out(elementOf(op->getResult(0).getType()));
  mapElements(machine, op, [&](Bits bits, bool &) { return out.encode(in.decode(bits[0])); });
}

static void castFloat(Machine &machine, tt::FpToFpOp op) {
  if (op.getRounding() != tt::RoundingMode::RTZ)
    return roundToNearest(machine, op);
  const Codec in(elementOf(op.getSrc().getType())), out(elementOf(op.getType()));
  mapElements(machine, op,
              [&](Bits bits, bool &) { return out.encodeTowardZero(in.decode(bits[0])); });
}

static void addPointer(Machine &machine, tt::AddPtrOp op) {
  const auto pointer = cast<tt::PointerType>(elementOf(op.getType()));
  const unsigned width = widthOf(elementOf(op.getOffset().getType()));
  const auto bytes = static_cast<int64_t>(bytesOf(pointer.getPointeeType()));
  mapElements(machine, op, [=](Bits in, bool &) {
    return in[0] + static_cast<uint64_t>(signExtend(in[1], width) * bytes);
  });
}

//===--------------------------------------------------------------------------===//
// Constants
//===--------------------------------------------------------------------------===//

static uint64_t bitsOf(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return cast<IntegerAttr>(value).getValue().getZExtValue();
}

static void constant(Machine &machine, arith::ConstantOp op) {
  TensorPtr &made = machine.constants[op];
  if (!made) {
    made = std::make_shared<Tensor>(op.getType());
    auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!elements)
      made->bits[0] = bitsOf(op.getValue());
    else if (elements.isSplat())
      made->bits.assign(made->size(), bitsOf(elements.getSplatValue<Attribute>()));
    else
      for (auto [slot, value] : llvm::zip(made->bits, elements.getValues<Attribute>()))
        slot = bitsOf(value);
  }
  machine.set(op.getResult(), made);
}

static void poison(Machine &machine, ub::PoisonOp op) {
  if (op.getType().isIntOrIndexOrFloat() || isa<RankedTensorType, tt::PointerType>(op.getType()))
    machine.makeResult(op.getResult())->setAllUndefined();
}

void interpret::addArithmetic(Handlers &handlers) {
  handlers.addAll<arith::AddIOp>(unsignedOp<add>);
  handlers.addAll<arith::SubIOp>(unsignedOp<subtract>);
  handlers.addAll<arith::MulIOp>(unsignedOp<multiply>);
  handlers.addAll<arith::AndIOp>(logical<true>);
  handlers.addAll<arith::OrIOp>(logical<false>);
  handlers.addAll<arith::XOrIOp>(unsignedOp<bitXor>);
  handlers.addAll<arith::MaxUIOp>(unsignedOp<largerUnsigned>);
  handlers.addAll<arith::MinUIOp>(unsignedOp<smallerUnsigned>);
  handlers.addAll<arith::MaxSIOp>(signedOp<larger>);
  handlers.addAll<arith::MinSIOp>(signedOp<smaller>);
  handlers.addAll<arith::DivSIOp>(signedDivision<quotient>);
  handlers.addAll<arith::RemSIOp>(signedDivision<remainder>);
  handlers.addAll<arith::FloorDivSIOp>(signedDivision<floorQuotient>);
  handlers.addAll<arith::CeilDivSIOp>(signedDivision<ceilQuotient>);
  handlers.addAll<arith::DivUIOp>(unsignedDivision<unsignedQuotient>);
  handlers.addAll<arith::RemUIOp>(unsignedDivision<unsignedRemainder>);
  handlers.addAll<arith::CeilDivUIOp>(unsignedDivision<unsignedCeilQuotient>);
  handlers.addAll<arith::ShLIOp>(shift<Shift::Left>);
  handlers.addAll<arith::ShRUIOp>(shift<Shift::Logical>);
  handlers.addAll<arith::ShRSIOp>(shift<Shift::Arithmetic>);
  handlers.add<tt::MulhiUIOp>(multiplyHigh);
  handlers.add<arith::CmpIOp>(compare);
  handlers.add<arith::CmpFOp>(compare);
  handlers.add<arith::SelectOp>(select);
  handlers.addAll<arith::ExtUIOp, arith::BitcastOp, tt::BitcastOp, tt::IntToPtrOp, tt::PtrToIntOp>(
      keepBits);
  handlers.addAll<arith::TruncIOp, arith::IndexCastUIOp>(truncateBits);
  handlers.addAll<arith::ExtSIOp, arith::IndexCastOp>(extendSign);
  handlers.addAll<arith::SIToFPOp>(toFloat<true>);
  handlers.addAll<arith::UIToFPOp>(toFloat<false>);
  handlers.addAll<arith::FPToSIOp>(toInteger<true>);
  handlers.addAll<arith::FPToUIOp>(toInteger<false>);
  handlers.addAll<arith::ExtFOp, arith::TruncFOp>(roundToNearest);
  handlers.add<tt::FpToFpOp>(castFloat);
  handlers.add<tt::AddPtrOp>(addPointer);
  handlers.add<arith::ConstantOp>(constant);
  handlers.add<ub::PoisonOp>(poison);
}
