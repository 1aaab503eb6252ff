//===- Other.cpp - Builtins: constants, hints, loop ranges --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/ttg/Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
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

/// The op that computes `value`, or what loops carry as `value` from before the first of them; null
/// for arguments of functions, indices of loops and constants. Triton notes hints there, too.
static mlir::Operation *findComputing(mlir::Value value) {
  while (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    auto loop = llvm::dyn_cast<mlir::LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    if (!loop)
      return nullptr;
    // The body of a `while` is given what its condition is given.
    const auto indices = loop.getLoopInductionVars();
    const unsigned first = indices ? indices->size() : 0, number = argument.getArgNumber();
    if (number < first)
      return nullptr;
    value = loop.getInits()[number - first];
  }
  mlir::Operation *op = value.getDefiningOp();
  return op->hasTrait<mlir::OpTrait::ConstantLike>() ? nullptr : op;
}

/// Notes what is known of the values of a tensor on the op that computes it. Of a value that a loop
/// carries, that is what it begins with: the analysis joins to it how each iteration changes it.
static Value hint(Arguments &arguments, llvm::StringRef attribute) {
  TritonBuilder &tb = arguments.tb;
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
  if (mlir::Operation *op = findComputing(input.ssa)) {
    llvm::SmallVector<int32_t> narrow(values.begin(), values.end());
    op->setAttr(attribute, tb.builder.getI32TensorAttr(narrow));
  }
  return input;
}

static Value multipleOf(Arguments &arguments) { return hint(arguments, "tt.divisibility"); }
static Value maxContiguous(Arguments &arguments) { return hint(arguments, "tt.contiguity"); }
static Value maxConstancy(Arguments &arguments) { return hint(arguments, "tt.constancy"); }

static Value assume(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &given = arguments[0];
  if (given.isNumber() && !tb.truth(given))
    return arguments.fail(0, "is false");
  Value condition = tb.toBool(given);
  if (!condition)
    return {};
  if (condition.isBlock())
    return arguments.fail(0, "must be a scalar, not " + condition.describe());
  if (!given.isNumber()) {
    tb.builder.getContext()->getOrLoadDialect<mlir::LLVM::LLVMDialect>();
    mlir::LLVM::AssumeOp::create(tb.builder, tb.loc(), condition.ssa);
  }
  return Value::none();
}

static Value barrier(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  tb.builder.getContext()->getOrLoadDialect<ttg::TritonGPUDialect>();
  ttg::BarrierOp::create(tb.builder, tb.loc(), ttg::All);
  return Value::none();
}

//===--------------------------------------------------------------------------===//
// Loops
//===--------------------------------------------------------------------------===//

static Value rangeAlone(Arguments &arguments) {
  return arguments.tb.fail(arguments.builtin.name + " stands outside the head of a `for`",
                           "write `for i in " + arguments.builtin.name +
                               "(..):`; tl.arange makes a tensor");
}

static Value conditionAlone(Arguments &arguments) {
  return arguments.tb.fail("tl.condition stands outside the head of a `while`",
                           "write `while tl.condition(..):`");
}

llvm::ArrayRef<Builtin> frontend::otherBuiltins() {
  static constexpr Builtin builtins[] = {
      {"constexpr", "value", constexprOf, ConstantOnly},
      {"next_power_of_2", "n", nextPowerOfTwo, ConstantOnly},
      {"multiple_of", "input values", multipleOf},
      {"max_contiguous", "input values", maxContiguous},
      {"max_constancy", "input values", maxConstancy},
      {"assume", "cond", assume},
      {"debug_barrier", "", barrier},
      {"range",
       "arg1 arg2? step? num_stages? loop_unroll_factor? disallow_acc_multi_buffer? flatten? "
       "warp_specialize? disable_licm?",
       rangeAlone, Range},
      {"static_range", "arg1 arg2? step?", rangeAlone, Range},
      {"condition", "arg1 disable_licm?", conditionAlone},
  };
  return builtins;
}
