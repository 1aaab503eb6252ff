//===- Operators.cpp - Operators of kernel values -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/TritonBuilder.h"

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace tilewright;
using namespace tilewright::frontend;
namespace arith = mlir::arith;

llvm::StringRef frontend::signOf(BinaryOperator op) {
  constexpr llvm::StringLiteral signs[] = {"+",  "-",  "*", "@", "/", "%", "**",
                                           "<<", ">>", "|", "^", "&", "//"};
  return signs[static_cast<size_t>(op)];
}

llvm::StringRef frontend::signOf(CompareOperator op) {
  constexpr llvm::StringLiteral signs[] = {"==", "!=", "<",      "<=", ">",
                                           ">=", "is", "is not", "in", "not in"};
  return signs[static_cast<size_t>(op)];
}

//===--------------------------------------------------------------------------===//
// Promotion
//===--------------------------------------------------------------------------===//

/// bool < integer < float.
static int kindRank(DType type) { return type.isBool() ? 0 : type.isInteger() ? 1 : 2; }

/// The wider of two integer types; the unsigned one of two as wide.
static DType promoteIntegers(DType a, DType b) {
  if (a.isUnsigned() == b.isUnsigned())
    return a.bits() > b.bits() ? a : b;
  if (a.isUnsigned())
    return a.bits() >= b.bits() ? a : b;
  return b.bits() >= a.bits() ? b : a;
}

/// The rules stand in the chapter "Promotion" of docs/frontend.md.
std::optional<DType> TritonBuilder::commonType(const Value &left, const Value &right,
                                               llvm::StringRef what, Promotion rules) {
  const bool division = rules.division;
  DType a = left.isTensor() ? left.type : *typeOfNumber(left);
  DType b = right.isTensor() ? right.type : *typeOfNumber(right);
  if (left.isTensor() != right.isTensor() && !rules.typedNumbers) {
    DType number = left.isTensor() ? b : a;
    DType tensor = left.isTensor() ? a : b;
    if (kindRank(number) <= kindRank(tensor)) {
      if (division && (tensor.is(ScalarKind::FP16) || tensor.is(ScalarKind::BF16)))
        return DType{ScalarKind::FP32};
      return tensor;
    }
  }
  auto either = [&](ScalarKind kind) { return a.is(kind) || b.is(kind); };
  if (either(ScalarKind::FP64))
    return DType{ScalarKind::FP64};
  if (either(ScalarKind::FP32))
    return DType{ScalarKind::FP32};
  if (either(ScalarKind::FP16))
    return DType{division ? ScalarKind::FP32 : ScalarKind::FP16};
  if (either(ScalarKind::BF16))
    return DType{division || a != b ? ScalarKind::FP32 : ScalarKind::BF16};
  if (a.isFloat8() && b.isFloat8())
    return a == b ? a : DType{ScalarKind::FP16};
  if (a.isFloat() || b.isFloat()) {
    fail(what + " cannot mix " + a.str() + " and " + b.str(), "convert one of them with .to(..)");
    return std::nullopt;
  }
  // Triton counts int1 among the unsigned types.
  auto isUnsigned = [](DType type) { return type.isUnsigned() || type.isBool(); };
  if (division && isUnsigned(a) != isUnsigned(b)) {
    fail("Cannot use " + what + " with " + a.str() + " and " + b.str() +
             " because they have different signedness",
         "convert one of them with .to(..)");
    return std::nullopt;
  }
  return promoteIntegers(a, b);
}

std::pair<Integer, Integer> frontend::rangeOf(DType type) {
  unsigned bits = type.bits();
  if (type.isBool())
    return {0, 1};
  if (type.isUnsigned())
    return {0, (Integer(1) << bits) - 1};
  return {-(Integer(1) << (bits - 1)), (Integer(1) << (bits - 1)) - 1};
}

bool TritonBuilder::promote(Value &left, Value &right, llvm::StringRef what, Promotion rules) {
  for (const Value *operand : {&left, &right})
    if (!operand->isTensor() && !operand->isNumber()) {
      if (*operand)
        fail(what + " cannot take " + operand->describe(),
             operand->kind == ValueKind::Type ? "x.to(type) converts a value to a type" : "");
      return false;
    }
  DType a = left.isTensor() ? left.type : *typeOfNumber(left);
  DType b = right.isTensor() ? right.type : *typeOfNumber(right);
  if (a.isPointer() || b.isPointer()) {
    bool allowed = (!a.isPointer() || rules.leftPointer) && (!b.isPointer() || rules.rightPointer);
    bool together = a.isPointer() && b.isPointer() ? a == b : !a.isFloat() && !b.isFloat();
    if (!allowed || !together)
      return reject(what + " cannot take " + left.describe() + " and " + right.describe(),
                    a.isFloat() || b.isFloat() ? "offsets of pointers are integers"
                                               : "integers are added to pointers and subtracted "
                                                 "from them; .to(tl.int64) gives the address");
  }
  if (!a.isPointer() && !b.isPointer()) {
    std::optional<DType> type = commonType(left, right, what, rules);
    if (!type)
      return false;
    for (Value *operand : {&left, &right}) {
      if (!operand->isNumber()) {
        *operand = cast(*operand, *type);
        if (!*operand)
          return false;
        continue;
      }
      if (!rules.typedNumbers && type->isInteger() && operand->isIntegral()) {
        auto [least, greatest] = rangeOf(*type);
        if (operand->integer < least || operand->integer > greatest)
          return reject(what + ": the constant " + operand->repr() + " is out of range of " +
                            type->str() + ", the type of the other operand",
                        "convert the other operand to a wider type with .to(..)");
      }
      // A constant goes straight into the other operand's shape.
      const Value &other = operand == &left ? right : left;
      *operand =
          constant(*operand, *type, other.isTensor() ? std::optional(other.shape()) : std::nullopt,
                   other.encoding());
      if (!*operand)
        return false;
    }
  } else {
    left = toTensor(left);
    right = toTensor(right);
    if (!left || !right)
      return false;
  }
  return broadcast(left, right, what);
}

//===--------------------------------------------------------------------------===//
// Arithmetic
//===--------------------------------------------------------------------------===//

Value TritonBuilder::binary(BinaryOperator op, const Value &left, const Value &right) {
  if (!left || !right)
    return {};
  if (!left.isTensor() && !right.isTensor())
    return foldBinary(op, left, right);
  return emitBinary(op, left, right);
}

Value TritonBuilder::pointerOffset(const Value &pointer, const Value &offset) {
  Value steps = offset;
  // The op takes offsets as signed.
  if ((offset.type.isUnsigned() && offset.type.bits() < 64) || offset.type.isBool())
    steps = cast(offset, {offset.type.bits() < 32 ? ScalarKind::Int32 : ScalarKind::Int64});
  return Value::tensor(
      builder.createOrFold<tt::AddPtrOp>(loc(), pointer.ssa.getType(), pointer.ssa, steps.ssa),
      pointer.type);
}

/// Which operands of an operator may be pointers, and whether it divides.
static TritonBuilder::Promotion promotionOf(BinaryOperator op) {
  TritonBuilder::Promotion rules;
  rules.leftPointer = op == BinaryOperator::Add || op == BinaryOperator::Sub;
  rules.rightPointer = op == BinaryOperator::Add;
  rules.division =
      op == BinaryOperator::Div || op == BinaryOperator::FloorDiv || op == BinaryOperator::Mod;
  return rules;
}

/// Whether the operator takes the bits of integers only.
static bool isBitwise(BinaryOperator op) {
  switch (op) {
  case BinaryOperator::BitAnd:
  case BinaryOperator::BitOr:
  case BinaryOperator::BitXor:
  case BinaryOperator::LShift:
  case BinaryOperator::RShift:
    return true;
  default:
    return false;
  }
}

bool TritonBuilder::checkOperands(BinaryOperator op, const Value &left, const Value &right) {
  const std::string quoted = ("`" + signOf(op) + "`").str();
  if (op == BinaryOperator::MatMult)
    return reject("`@` is not defined for tensors", "use tl.dot");
  if (op == BinaryOperator::Pow)
    return reject("`**` is not defined for tensors", "multiply, or use libdevice.pow(x, y)");
  if (left.isTensor() && right.isTensor() && left.type.isPointer() && right.type.isPointer())
    return reject("two pointers cannot be " +
                      llvm::Twine(op == BinaryOperator::Add ? "added" : "operands of " + quoted),
                  "add an integer offset to one pointer");
  if (!isBitwise(op))
    return true;
  auto nameOf = [](const Value &operand) {
    return operand.isTensor() ? operand.type.str() : operand.describe();
  };
  for (const Value *operand : {&left, &right}) {
    bool integer = operand->isTensor() ? operand->type.isInteger() : operand->isIntegral();
    if (!integer)
      return reject(quoted + " has invalid operands of type " + nameOf(left) + " and " +
                        nameOf(right) + ": it needs integers",
                    "convert it with .to(..), or change its type by .to(.., bitcast=True)");
  }
  return true;
}

Value TritonBuilder::emitBinary(BinaryOperator op, const Value &leftOperand,
                                const Value &rightOperand) {
  Value left = leftOperand, right = rightOperand;
  if (!checkOperands(op, left, right) ||
      !promote(left, right, ("`" + signOf(op) + "`").str(), promotionOf(op)))
    return {};
  if (!left.type.isPointer() && !right.type.isPointer()) {
    // As in Triton, what is shifted keeps its sign, also where the result is unsigned.
    bool isArithmeticShift = op == BinaryOperator::RShift && left.type.isUnsigned() &&
                             leftOperand.isTensor() && !leftOperand.type.isUnsigned() &&
                             !leftOperand.type.isBool();
    if (!isArithmeticShift)
      return emitArithmetic(op, left, right);
    checkShift(op, left, right);
    return Value::tensor(builder.createOrFold<arith::ShRSIOp>(loc(), left.ssa, right.ssa),
                         left.type);
  }
  if (right.type.isPointer())
    std::swap(left, right);
  if (op == BinaryOperator::Sub)
    right = unary(UnaryOperator::USub, right);
  return right ? pointerOffset(left, right) : Value();
}

void TritonBuilder::checkShift(BinaryOperator op, const Value &left, const Value &right) {
  llvm::APInt count;
  if (!mlir::matchPattern(right.ssa, mlir::m_ConstantInt(&count)) || count.ult(left.type.bits()))
    return;
  warn("`" + signOf(op) + "` shifts " + left.type.str() + " by " +
           Value::ofInteger(count.getSExtValue()).repr() + ": the result is undefined",
       "a shift must be less than the operand's " + llvm::Twine(left.type.bits()) +
           " bits; convert it to a wider type first");
}

Value TritonBuilder::emitArithmetic(BinaryOperator op, const Value &left, const Value &right) {
  mlir::Value a = left.ssa, b = right.ssa;
  DType type = left.type;
  auto result = [&](mlir::Value ssa) { return Value::tensor(ssa, type); };
  mlir::Location at = loc();
  bool isFloat = type.isFloat(), isUnsigned = type.isUnsigned() || type.isBool();
  if (type.isFloat8())
    return fail("`" + signOf(op) + "` does not compute with " + type.str(),
                "convert the operands with .to(tl.float32) or .to(tl.float16)");
  if (op == BinaryOperator::LShift || op == BinaryOperator::RShift)
    checkShift(op, left, right);
  switch (op) {
  case BinaryOperator::Add:
    return result(isFloat ? builder.createOrFold<arith::AddFOp>(at, a, b)
                          : builder.createOrFold<arith::AddIOp>(at, a, b));
  case BinaryOperator::Sub:
    return result(isFloat ? builder.createOrFold<arith::SubFOp>(at, a, b)
                          : builder.createOrFold<arith::SubIOp>(at, a, b));
  case BinaryOperator::Mult:
    return result(isFloat ? builder.createOrFold<arith::MulFOp>(at, a, b)
                          : builder.createOrFold<arith::MulIOp>(at, a, b));
  case BinaryOperator::Div:
    if (!isFloat) {
      type = {ScalarKind::FP32};
      a = cast(left, type).ssa;
      b = cast(right, type).ssa;
    }
    return result(builder.createOrFold<arith::DivFOp>(at, a, b));
  case BinaryOperator::FloorDiv:
    if (isFloat)
      return fail("`//` divides integers, not " + type.str(), "use tl.floor(a / b)");
    return result(isUnsigned ? builder.createOrFold<arith::DivUIOp>(at, a, b)
                             : builder.createOrFold<arith::DivSIOp>(at, a, b));
  case BinaryOperator::Mod:
    if (isFloat)
      return result(builder.createOrFold<arith::RemFOp>(at, a, b));
    return result(isUnsigned ? builder.createOrFold<arith::RemUIOp>(at, a, b)
                             : builder.createOrFold<arith::RemSIOp>(at, a, b));
  case BinaryOperator::BitAnd:
    return result(builder.createOrFold<arith::AndIOp>(at, a, b));
  case BinaryOperator::BitOr:
    return result(builder.createOrFold<arith::OrIOp>(at, a, b));
  case BinaryOperator::BitXor:
    return result(builder.createOrFold<arith::XOrIOp>(at, a, b));
  case BinaryOperator::LShift:
    return result(builder.createOrFold<arith::ShLIOp>(at, a, b));
  case BinaryOperator::RShift:
    return result(isUnsigned ? builder.createOrFold<arith::ShRUIOp>(at, a, b)
                             : builder.createOrFold<arith::ShRSIOp>(at, a, b));
  default:
    llvm_unreachable("checkOperands refuses these");
  }
}

//===--------------------------------------------------------------------------===//
// Comparisons and logic
//===--------------------------------------------------------------------------===//

Value TritonBuilder::compare(CompareOperator op, const Value &leftOperand,
                             const Value &rightOperand) {
  if (!leftOperand || !rightOperand)
    return {};
  if (!leftOperand.isTensor() && !rightOperand.isTensor())
    return foldCompare(op, leftOperand, rightOperand);
  std::string quoted = ("`" + signOf(op) + "`").str();
  if (op == CompareOperator::Is || op == CompareOperator::IsNot) {
    if (!leftOperand.isNone() && !rightOperand.isNone())
      return fail(quoted + " compares with None only", "use == or !=");
    return Value::boolean(op == CompareOperator::IsNot);
  }
  if (op == CompareOperator::In || op == CompareOperator::NotIn)
    return fail(quoted + " is not defined for tensors", "compare with == and combine with |");

  Value left = leftOperand, right = rightOperand;
  Promotion rules;
  rules.leftPointer = rules.rightPointer = true;
  rules.typedNumbers = true;
  if (!promote(left, right, quoted, rules))
    return {};
  if (left.type.isPointer() || right.type.isPointer()) {
    left = cast(left, {ScalarKind::Int64});
    right = cast(right, {ScalarKind::Int64});
    left.type = right.type = {ScalarKind::UInt64};
  }
  if (left.type.isFloat8()) {
    left = cast(left, {ScalarKind::FP16});
    right = cast(right, {ScalarKind::FP16});
  }
  DType boolean{ScalarKind::Int1};
  if (left.type.isFloat()) {
    using P = arith::CmpFPredicate;
    constexpr P predicates[] = {P::OEQ, P::UNE, P::OLT, P::OLE, P::OGT, P::OGE};
    return Value::tensor(builder.createOrFold<arith::CmpFOp>(
                             loc(), predicates[static_cast<size_t>(op)], left.ssa, right.ssa),
                         boolean);
  }
  using P = arith::CmpIPredicate;
  constexpr P signedPredicates[] = {P::eq, P::ne, P::slt, P::sle, P::sgt, P::sge};
  constexpr P unsignedPredicates[] = {P::eq, P::ne, P::ult, P::ule, P::ugt, P::uge};
  bool isUnsigned = left.type.isUnsigned() || left.type.isBool();
  P predicate = (isUnsigned ? unsignedPredicates : signedPredicates)[static_cast<size_t>(op)];
  return Value::tensor(builder.createOrFold<arith::CmpIOp>(loc(), predicate, left.ssa, right.ssa),
                       boolean);
}

Value TritonBuilder::unary(UnaryOperator op, const Value &operand) {
  if (!operand)
    return {};
  if (!operand.isTensor())
    return foldUnary(op, operand);
  auto full = [&](const Value &number) {
    return constant(number, operand.type, operand.shape(), operand.encoding()).ssa;
  };
  if (op == UnaryOperator::Not) {
    Value truthValue = toBool(operand);
    if (!truthValue)
      return {};
    Value one =
        constant(Value::boolean(true), truthValue.type, truthValue.shape(), truthValue.encoding());
    return Value::tensor(builder.createOrFold<arith::XOrIOp>(loc(), truthValue.ssa, one.ssa),
                         truthValue.type);
  }
  if (operand.type.isPointer() || operand.type.isFloat8())
    return fail(llvm::Twine("`") +
                (op == UnaryOperator::Invert ? "~"
                 : op == UnaryOperator::USub ? "-"
                                             : "+") +
                "` cannot take " + operand.describe());
  switch (op) {
  case UnaryOperator::UAdd:
    return operand;
  case UnaryOperator::USub:
    // As in Triton, a float is subtracted from 0: -x of 0.0 is 0.0.
    if (operand.type.isFloat())
      return Value::tensor(
          builder.createOrFold<arith::SubFOp>(loc(), full(Value::ofFloat(0)), operand.ssa),
          operand.type);
    return Value::tensor(
        builder.createOrFold<arith::SubIOp>(loc(), full(Value::ofInteger(0)), operand.ssa),
        operand.type);
  default:
    if (operand.type.isFloat())
      return fail("`~` needs integers, not " + operand.describe(),
                  "convert it with .to(..), or change its type by .to(.., bitcast=True)");
    return Value::tensor(
        builder.createOrFold<arith::XOrIOp>(loc(), operand.ssa, full(Value::ofInteger(-1))),
        operand.type);
  }
}

Value TritonBuilder::logical(BoolOperator op, const Value &left, const Value &right) {
  Value a = toBool(left), b = a ? toBool(right) : Value();
  if (!a || !b)
    return {};
  return binary(op == BoolOperator::And ? BinaryOperator::BitAnd : BinaryOperator::BitOr, a, b);
}

Value TritonBuilder::bfloat16AsSingle(const Value &value) {
  return value && value.type.is(ScalarKind::BF16) ? cast(value, {ScalarKind::FP32}) : value;
}

Value TritonBuilder::extremum(const Value &leftOperand, const Value &rightOperand, bool larger,
                              bool propagateNan) {
  if (!leftOperand || !rightOperand)
    return {};
  Value left = bfloat16AsSingle(leftOperand), right = bfloat16AsSingle(rightOperand);
  if (!left || !right ||
      !promote(left, right, larger ? "the maximum" : "the minimum", {.typedNumbers = true}))
    return {};
  mlir::Value a = left.ssa, b = right.ssa;
  DType type = left.type;
  auto result = [&](mlir::Value ssa) { return Value::tensor(ssa, type); };
  if (type.isFloat8())
    return fail("the maximum and minimum of " + type.str() + " are not defined",
                "convert the operands with .to(tl.float32)");
  if (type.isFloat()) {
    if (propagateNan)
      return result(larger ? builder.createOrFold<arith::MaximumFOp>(loc(), a, b)
                           : builder.createOrFold<arith::MinimumFOp>(loc(), a, b));
    return result(larger ? builder.createOrFold<arith::MaxNumFOp>(loc(), a, b)
                         : builder.createOrFold<arith::MinNumFOp>(loc(), a, b));
  }
  if (type.isUnsigned() || type.isBool())
    return result(larger ? builder.createOrFold<arith::MaxUIOp>(loc(), a, b)
                         : builder.createOrFold<arith::MinUIOp>(loc(), a, b));
  return result(larger ? builder.createOrFold<arith::MaxSIOp>(loc(), a, b)
                       : builder.createOrFold<arith::MinSIOp>(loc(), a, b));
}

Value TritonBuilder::minimum(const Value &left, const Value &right, bool propagateNan) {
  return extremum(left, right, false, propagateNan);
}

Value TritonBuilder::maximum(const Value &left, const Value &right, bool propagateNan) {
  return extremum(left, right, true, propagateNan);
}
