//===- Ranges.cpp - The ranges of loops ---------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/Ranges.h"

#include "frontend/names/scope/Names.h"
#include "frontend/value/LoopCounter.h"
#include "ir/ttg/Attributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

bool frontend::dropRangeHints(TritonBuilder &tb, llvm::SmallVectorImpl<GivenArgument> &given) {
  for (const GivenArgument &argument : given) {
    if (argument.keyword.empty())
      continue;
    const StringRef name = argument.keyword;
    const bool isDefault =
        name == "step" && argument.value.isIntegral() && argument.value.integer == 1;
    if (isDefault)
      continue;
    if (name == "start" || name == "stop" || name == "step")
      return tb.rejectAt(argument.span,
                         "range takes '" + name + "' by its position only, and Triton ignores it",
                         "leave the name out, or write tl.range(.., step=..)");
    tb.warnAt(argument.span, "range has no '" + name + "': it is ignored, as in Triton",
              "write tl.range(..)");
  }
  llvm::erase_if(given, [](const GivenArgument &argument) { return !argument.keyword.empty(); });
  return true;
}

std::optional<LoopBounds> frontend::loopBounds(TritonBuilder &tb, const Arguments &range) {
  const bool both = range.given(1);
  Value bounds[3] = {both ? range[0] : Value::ofInteger(0), both ? range[1] : range[0],
                     range.given(2) ? range[2] : Value::ofInteger(1)};
  const size_t indices[3] = {0, both ? size_t(1) : size_t(0), 2};
  LoopBounds result;
  for (size_t i = 0; i < 3; ++i) {
    const Value &bound = bounds[i];
    if (bound.isBlock() || !(bound.isIntegral() || (bound.isTensor() && bound.type.isInteger()))) {
      range.fail(indices[i], "must be an integer, not " + bound.describe(),
                 bound.isTensor() && bound.type.isFloat() ? "convert it with .to(tl.int32)" : "");
      return std::nullopt;
    }
    DType its = bound.isTensor() ? bound.type : *tb.typeOfNumber(bound);
    if (its.bits() > result.type.bits() || (its.bits() == result.type.bits() && its.isUnsigned()))
      result.type = its;
  }
  if (bounds[2].isIntegral() && bounds[2].integer == 0) {
    range.fail(2, "is zero");
    return std::nullopt;
  }
  // A loop counts up: one that counts down is reversed.
  result.countsDown = bounds[2].isIntegral() && bounds[2].integer < 0;
  if (result.countsDown) {
    std::swap(bounds[0], bounds[1]);
    bounds[2].integer = -bounds[2].integer;
  }
  Value *const casts[3] = {&result.lower, &result.upper, &result.step};
  for (size_t i = 0; i < 3; ++i)
    if (!(*casts[i] = tb.cast(bounds[i], result.type)))
      return std::nullopt;
  return result;
}

void frontend::forbidHoisting(mlir::Operation *loop) {
  namespace LLVM = mlir::LLVM;
  mlir::MLIRContext *context = loop->getContext();
  context->getOrLoadDialect<LLVM::LLVMDialect>();
  auto licm = LLVM::LoopLICMAttr::get(context, mlir::BoolAttr::get(context, true),
                                      mlir::BoolAttr::get(context, true));
  LLVM::LoopAnnotationAttr annotation = LLVM::LoopAnnotationAttr::get(
      context, {}, {}, {}, {}, {}, licm, {}, {}, {}, {}, {}, {}, {}, {}, {});
  loop->setAttr("llvm.loop_annotation", annotation);
}

bool frontend::setLoopHints(mlir::Operation *loop, const Arguments &range) {
  // `range` of Python has none.
  if (range.size() <= 3)
    return true;
  mlir::Builder builder(loop->getContext());
  for (auto [index, attribute] : {std::pair<size_t, llvm::StringRef>{3, ttg::numStagesAttrName},
                                  {4, ttg::unrollFactorAttrName}}) {
    if (!range.given(index) || range[index].isNone())
      continue;
    std::optional<int64_t> value = range.integer(index);
    if (!value)
      return false;
    // No copy of the body is one.
    if (index == 4 && *value == 0)
      continue;
    loop->setAttr(attribute, builder.getI32IntegerAttr(static_cast<int32_t>(*value)));
  }
  for (auto [index, attribute] :
       {std::pair<size_t, llvm::StringRef>{5, ttg::noAccumulatorBuffersAttrName},
        {6, ttg::flattenAttrName},
        {7, ttg::warpSpecializeAttrName}}) {
    std::optional<bool> value = range.flag(index, false);
    if (!value)
      return false;
    if (*value)
      loop->setAttr(attribute, builder.getUnitAttr());
  }
  std::optional<bool> disableLicm = range.flag(8, false);
  if (!disableLicm)
    return false;
  if (*disableLicm)
    forbidHoisting(loop);
  return true;
}

//===--------------------------------------------------------------------------===//
// The variable of a loop after it
//===--------------------------------------------------------------------------===//

Value frontend::counterAfter(Execution &now, const ForStmt *loop, const LoopBounds &bounds,
                             const Value &old) {
  TritonBuilder &tb = now.tb;
  NameSet assigned;
  collectAssigned(loop->body, assigned);
  Value counter = Value::unavailable(
      now.keep("only the loop on line " + llvm::Twine(loop->begin.line) + " assigns it"));
  if (assigned.contains(StringRef(loop->target->as<NameExpr>()->id)))
    return counter;
  // Its last value is computed where it is asked for.
  counter.type = bounds.type;
  counter.integer = bounds.countsDown;
  counter.elements = std::make_shared<const std::vector<Value>>(
      std::vector<Value>{bounds.lower, bounds.upper, bounds.step});
  if (!old || old.kind == ValueKind::Unavailable)
    return counter;
  // A loop that does not run leaves the old value, if that is of the same type.
  Value before = old.isNumber() ? tb.toTensor(old) : old;
  if (!before.isTensor() || before.isBlock() || before.type != bounds.type)
    return Value::unavailable(now.keep("it is " + old.describe() + " before the loop on line " +
                                       llvm::Twine(loop->begin.line) + ", and a scalar " +
                                       bounds.type.str() + " after it"));
  Value runs = tb.compare(CompareOperator::Lt, bounds.lower, bounds.upper);
  Value last = lastOf(tb, counter);
  return Value::tensor(
      mlir::arith::SelectOp::create(tb.builder, tb.loc(), runs.ssa, last.ssa, before.ssa),
      bounds.type);
}
