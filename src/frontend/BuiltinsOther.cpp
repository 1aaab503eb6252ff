//===- BuiltinsOther.cpp - Hints, assertions, Python's own functions ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/Builtins.h"

#include "ir/ttg/Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <charconv>
#include <cmath>

using namespace tilewright;
using namespace tilewright::frontend;

//===--------------------------------------------------------------------------===//
// Constants
//===--------------------------------------------------------------------------===//

static Value constexprOf(Arguments &arguments) {
  const Value &value = arguments[0];
  if (!value.isConstant())
    return arguments.fail(0, "must be a constant, not " + value.describe());
  return value;
}

/// (x + (div - 1)) // div.
static Value ceilingDivision(Arguments &arguments) {
  Emitter &emitter = arguments.emitter;
  Value lessOne = emitter.binary(BinaryOperator::Sub, arguments[1], Value::ofInteger(1));
  return emitter.binary(BinaryOperator::FloorDiv,
                        emitter.binary(BinaryOperator::Add, arguments[0], lessOne), arguments[1]);
}

static Value nextPowerOfTwo(Arguments &arguments) {
  std::optional<int64_t> value = arguments.integer(0);
  if (!value)
    return {};
  if (*value < 1 || *value > (int64_t(1) << 62))
    return arguments.fail(0, "must be between 1 and 2^62");
  return Value::ofInteger(static_cast<Integer>(llvm::PowerOf2Ceil(*value)));
}

//===--------------------------------------------------------------------------===//
// Hints
//===--------------------------------------------------------------------------===//

/// Notes what is known of the values of a tensor on the op that computes it.
static Value hint(Arguments &arguments, llvm::StringRef attribute) {
  Emitter &emitter = arguments.emitter;
  Value input = arguments.tensor(0);
  llvm::SmallVector<int64_t> values;
  if (!input || !arguments.shape(1, values))
    return {};
  if (values.size() != std::max<size_t>(input.shape().size(), 1))
    return arguments.fail(1,
                          "has " + llvm::Twine(values.size()) + " entries, but there are " +
                              llvm::Twine(input.shape().size()) + " dimensions",
                          "give one number for each dimension");
  if (llvm::any_of(values, [](int64_t value) { return value < 1; }))
    return arguments.fail(1, "must have positive numbers");
  if (mlir::Operation *op = input.ssa.getDefiningOp()) {
    llvm::SmallVector<int32_t> narrow(values.begin(), values.end());
    op->setAttr(attribute, emitter.builder.getI32TensorAttr(narrow));
  }
  return input;
}

static Value multipleOf(Arguments &arguments) { return hint(arguments, "tt.divisibility"); }
static Value maxContiguous(Arguments &arguments) { return hint(arguments, "tt.contiguity"); }
static Value maxConstancy(Arguments &arguments) { return hint(arguments, "tt.constancy"); }

static Value assume(Arguments &arguments) {
  Emitter &emitter = arguments.emitter;
  const Value &given = arguments[0];
  if (given.isNumber() && !emitter.truth(given))
    return arguments.fail(0, "is false");
  Value condition = emitter.toBool(given);
  if (!condition)
    return {};
  if (condition.isBlock())
    return arguments.fail(0, "must be a scalar, not " + condition.describe());
  if (!given.isNumber()) {
    emitter.builder.getContext()->getOrLoadDialect<mlir::LLVM::LLVMDialect>();
    mlir::LLVM::AssumeOp::create(emitter.builder, emitter.loc(), condition.ssa);
  }
  return Value::none();
}

static Value barrier(Arguments &arguments) {
  Emitter &emitter = arguments.emitter;
  emitter.builder.getContext()->getOrLoadDialect<ttg::TritonGPUDialect>();
  ttg::BarrierOp::create(emitter.builder, emitter.loc(), ttg::All);
  return Value::none();
}

//===--------------------------------------------------------------------------===//
// Assertions and output
//===--------------------------------------------------------------------------===//

static Value staticAssert(Arguments &arguments) {
  const Value &condition = arguments[0];
  if (!condition.isConstant())
    return arguments.fail(0, "must be known while compiling, not " + condition.describe());
  if (arguments.emitter.truth(condition))
    return Value::none();
  const Value &message = arguments[1];
  if (message.kind == ValueKind::String && !message.text.empty())
    return arguments.emitter.fail("tl.static_assert fails: " + llvm::StringRef(message.text));
  return arguments.emitter.fail("tl.static_assert fails");
}

static Value staticPrint(Arguments &) { return Value::none(); }

static Value print(Arguments &arguments) {
  return arguments.emitter.fail("print is not supported in a kernel",
                                "store the value to look at it");
}

//===--------------------------------------------------------------------------===//
// Loops
//===--------------------------------------------------------------------------===//

static Value rangeAlone(Arguments &arguments) {
  return arguments.emitter.fail(arguments.builtin.name + " stands outside the head of a `for`",
                                "write `for i in " + arguments.builtin.name + "(..):`");
}

//===--------------------------------------------------------------------------===//
// Questions about types
//===--------------------------------------------------------------------------===//

static DType receiver(const Arguments &arguments) { return arguments[0].type; }

static Value isFloating(Arguments &arguments) {
  return Value::boolean(receiver(arguments).isFloat());
}
static Value isInteger(Arguments &arguments) {
  return Value::boolean(receiver(arguments).isInteger());
}
static Value isUnsignedInteger(Arguments &arguments) {
  return Value::boolean(receiver(arguments).isUnsigned());
}
static Value isSignedInteger(Arguments &arguments) {
  return Value::boolean(receiver(arguments).isInteger() && !receiver(arguments).isUnsigned());
}
static Value isPointer(Arguments &arguments) {
  return Value::boolean(receiver(arguments).isPointer());
}
static Value isFloat8(Arguments &arguments) {
  return Value::boolean(receiver(arguments).isFloat8());
}
template <ScalarKind kind> static Value isKind(Arguments &arguments) {
  return Value::boolean(receiver(arguments).is(kind));
}

llvm::ArrayRef<Builtin> frontend::otherBuiltins() {
  static constexpr Builtin builtins[] = {
      {"constexpr", "value", constexprOf, ConstantOnly},
      {"cdiv", "x div", ceilingDivision, ConstantOnly},
      {"next_power_of_2", "n", nextPowerOfTwo, ConstantOnly},
      {"multiple_of", "input values", multipleOf},
      {"max_contiguous", "input values", maxContiguous},
      {"max_constancy", "input values", maxConstancy},
      {"assume", "cond", assume},
      {"debug_barrier", "", barrier},
      {"static_assert", "cond msg?", staticAssert},
      {"static_print", "*values sep? end? file? flush?", staticPrint},
      {"range",
       "arg1 arg2? step? num_stages? loop_unroll_factor? disallow_acc_multi_buffer? flatten? "
       "warp_specialize? disable_licm?",
       rangeAlone, Range},
      {"static_range", "arg1 arg2? step?", rangeAlone, Range},
  };
  return builtins;
}

llvm::ArrayRef<Builtin> frontend::typeMethods() {
  static constexpr Builtin builtins[] = {
      {"is_floating", "type", isFloating, ConstantOnly},
      {"is_int", "type", isInteger, ConstantOnly},
      {"is_int_unsigned", "type", isUnsignedInteger, ConstantOnly},
      {"is_int_signed", "type", isSignedInteger, ConstantOnly},
      {"is_ptr", "type", isPointer, ConstantOnly},
      {"is_fp8", "type", isFloat8, ConstantOnly},
      {"is_fp16", "type", isKind<ScalarKind::FP16>, ConstantOnly},
      {"is_bf16", "type", isKind<ScalarKind::BF16>, ConstantOnly},
      {"is_fp32", "type", isKind<ScalarKind::FP32>, ConstantOnly},
      {"is_fp64", "type", isKind<ScalarKind::FP64>, ConstantOnly},
      {"is_int1", "type", isKind<ScalarKind::Int1>, ConstantOnly},
      {"is_int8", "type", isKind<ScalarKind::Int8>, ConstantOnly},
      {"is_int16", "type", isKind<ScalarKind::Int16>, ConstantOnly},
      {"is_int32", "type", isKind<ScalarKind::Int32>, ConstantOnly},
      {"is_int64", "type", isKind<ScalarKind::Int64>, ConstantOnly},
  };
  return builtins;
}
