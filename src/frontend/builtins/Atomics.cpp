//===- Atomics.cpp - Builtins: atomic operations ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/MemoryArguments.h"

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::frontend;

namespace {

/// The order and the scope of an operation.
struct Ordering {
  tt::MemSemantic semantic = tt::MemSemantic::ACQUIRE_RELEASE;
  tt::MemSyncScope scope = tt::MemSyncScope::GPU;
};

/// The arguments `semantic` and `semantic` + 1; nothing after an error.
std::optional<Ordering> orderingArguments(const Arguments &arguments, size_t semantic) {
  Ordering ordering;
  std::optional<std::string> text = arguments.string(semantic);
  if (!text)
    return std::nullopt;
  if (!text->empty()) {
    std::optional<tt::MemSemantic> found = tt::symbolizeMemSemantic(*text);
    if (!found) {
      arguments.fail(semantic, "is '" + llvm::Twine(*text) + "', which is no order of memory",
                     "write acq_rel (the default), acquire, release or relaxed");
      return std::nullopt;
    }
    ordering.semantic = *found;
  }
  text = arguments.string(semantic + 1);
  if (!text)
    return std::nullopt;
  if (!text->empty()) {
    std::optional<tt::MemSyncScope> found = tt::symbolizeMemSyncScope(*text);
    if (!found) {
      arguments.fail(semantic + 1, "is '" + llvm::Twine(*text) + "', which is no scope",
                     "write gpu (the default), cta or sys");
      return std::nullopt;
    }
    ordering.scope = *found;
  }
  return ordering;
}

/// What an operation works on, all in one shape.
struct Operands {
  Value pointer, value, mask;
  Ordering ordering;

  DType type() const { return value.type; }
};

/// Refuses element types that the operation is not there for.
bool checkElement(const Arguments &arguments, DType element) {
  llvm::StringRef name = arguments.builtin.name;
  auto refuse = [&](const llvm::Twine &remedy) {
    return arguments.reject(
        0, "points to " + element.str() + ", which " + name + " is not there for", remedy);
  };
  const bool isAddition = name == "atomic_add";
  if (element.isFloat() && element.bits() >= 16) {
    if (name == "atomic_and" || name == "atomic_or" || name == "atomic_xor")
      return refuse("bits are changed in integers: cast the pointer, as in "
                    "x.to(tl.pointer_type(tl.int32))");
    if (element.bits() == 16 && !isAddition)
      return refuse("of fp16 and bf16 there is atomic_add only; use fp32 or fp64");
    return true;
  }
  if (element.bits() < 32)
    return refuse("elements must have 32 or 64 bits" +
                  llvm::Twine(isAddition ? ", or be fp16 or bf16" : ""));
  return true;
}

std::optional<Operands> bindOperands(const Arguments &arguments) {
  Operands operands;
  operands.pointer = writtenPointerArgument(arguments, 0);
  if (!operands.pointer)
    return std::nullopt;
  DType element = operands.pointer.type.pointee();
  if (!checkElement(arguments, element))
    return std::nullopt;
  operands.value = valueArgument(arguments, 1, operands.pointer, element, Fitting::SameRank);
  if (!operands.value ||
      !maskArgument(arguments, 2, operands.pointer, operands.mask, Fitting::SameRank))
    return std::nullopt;
  std::optional<Ordering> ordering = orderingArguments(arguments, 3);
  if (!ordering)
    return std::nullopt;
  operands.ordering = *ordering;
  return operands;
}

Value emit(TritonBuilder &tb, tt::RMWOp operation, const Operands &operands) {
  auto op = tt::AtomicRMWOp::create(tb.builder, tb.loc(), operands.value.ssa.getType(), operation,
                                    operands.pointer.ssa, operands.value.ssa, operands.mask.ssa,
                                    operands.ordering.semantic, operands.ordering.scope);
  return Value::tensor(op.getResult(), operands.type());
}

template <tt::RMWOp operation> Value integerOperation(Arguments &arguments) {
  std::optional<Operands> operands = bindOperands(arguments);
  return operands ? emit(arguments.tb, operation, *operands) : Value();
}

Value atomicAdd(Arguments &arguments) {
  std::optional<Operands> operands = bindOperands(arguments);
  if (!operands)
    return {};
  return emit(arguments.tb, operands->type().isFloat() ? tt::RMWOp::FADD : tt::RMWOp::ADD,
              *operands);
}

/// The bits of floats that are not negative are ordered as integers are, those of negative ones
/// the other way round, and above the others as unsigned numbers. So the larger of x
/// and what is in memory is the larger signed integer if x >= 0, and otherwise the smaller
/// unsigned one. Each element takes one of the two ways.
template <bool larger> Value atomicExtremum(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<Operands> operands = bindOperands(arguments);
  if (!operands)
    return {};
  DType type = operands->type();
  if (type.isInteger()) {
    if (type.isUnsigned())
      return emit(tb, larger ? tt::RMWOp::UMAX : tt::RMWOp::UMIN, *operands);
    return emit(tb, larger ? tt::RMWOp::MAX : tt::RMWOp::MIN, *operands);
  }
  DType integer{type.bits() == 32 ? ScalarKind::Int32 : ScalarKind::Int64};
  Operands bits = *operands;
  bits.value = tb.bitcast(operands->value, integer);
  bits.pointer = tb.cast(operands->pointer, integer.pointerTo());
  auto under = [&](CompareOperator sign) {
    Operands part = bits;
    part.mask = tb.compare(sign, bits.value, Value::ofInteger(0));
    if (part.mask && operands->mask.isTensor())
      part.mask = tb.binary(BinaryOperator::BitAnd, part.mask, operands->mask);
    return part;
  };
  Operands positive = under(CompareOperator::GtE), negative = under(CompareOperator::Lt);
  if (!positive.mask || !negative.mask)
    return {};
  Value ofPositive = emit(tb, larger ? tt::RMWOp::MAX : tt::RMWOp::MIN, positive);
  Value ofNegative = emit(tb, larger ? tt::RMWOp::UMIN : tt::RMWOp::UMAX, negative);
  Value isPositive = tb.compare(CompareOperator::GtE, bits.value, Value::ofInteger(0));
  mlir::Value old = tb.builder.createOrFold<mlir::arith::SelectOp>(tb.loc(), isPositive.ssa,
                                                                   ofPositive.ssa, ofNegative.ssa);
  return tb.bitcast(Value::tensor(old, integer), type);
}

Value atomicCas(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value pointer = writtenPointerArgument(arguments, 0);
  if (!pointer)
    return {};
  DType element = pointer.type.pointee();
  if (element.bits() < 16)
    return arguments.fail(0, "points to " + element.str() + ", which atomic_cas is not there for",
                          "elements must have 16, 32 or 64 bits");
  Value expected = valueArgument(arguments, 1, pointer, element, Fitting::SameShape);
  Value value =
      expected ? valueArgument(arguments, 2, pointer, element, Fitting::SameShape) : Value();
  std::optional<Ordering> ordering =
      value ? orderingArguments(arguments, 3) : std::optional<Ordering>();
  if (!ordering)
    return {};
  auto op = tt::AtomicCASOp::create(tb.builder, tb.loc(), value.ssa.getType(), pointer.ssa,
                                    expected.ssa, value.ssa, ordering->semantic, ordering->scope);
  return Value::tensor(op.getResult(), element);
}

} // namespace

llvm::ArrayRef<Builtin> frontend::atomicBuiltins() {
  static constexpr llvm::StringLiteral parameters = "pointer val mask? sem? scope?";
  static constexpr Builtin builtins[] = {
      {"atomic_add", parameters, atomicAdd, Member},
      {"atomic_max", parameters, atomicExtremum<true>, Member},
      {"atomic_min", parameters, atomicExtremum<false>, Member},
      {"atomic_and", parameters, integerOperation<tt::RMWOp::AND>, Member},
      {"atomic_or", parameters, integerOperation<tt::RMWOp::OR>, Member},
      {"atomic_xor", parameters, integerOperation<tt::RMWOp::XOR>, Member},
      {"atomic_xchg", parameters, integerOperation<tt::RMWOp::XCHG>, Member},
      {"atomic_cas", "pointer cmp val sem? scope?", atomicCas, Member},
  };
  return builtins;
}
