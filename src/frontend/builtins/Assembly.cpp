//===- Assembly.cpp - Builtins: inline assembly -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"

using namespace tilewright;
using namespace tilewright::frontend;

/// The operands, numbers as scalars, all in their common shape.
static std::optional<llvm::SmallVector<Value>> operandsOf(const Arguments &arguments,
                                                          size_t index) {
  TritonBuilder &tb = arguments.tb;
  const Value &given = arguments[index];
  if (!given.isTuple()) {
    arguments.fail(index, "must be a list of tensors, not " + given.describe(),
                   "write args=[x, y]");
    return std::nullopt;
  }
  llvm::SmallVector<Value> operands;
  for (const Value &element : *given.elements) {
    if (!element.isTensor() && !element.isNumber()) {
      arguments.fail(index, "must hold tensors and numbers, not " + element.describe());
      return std::nullopt;
    }
    operands.push_back(tb.toTensor(element));
    if (!operands.back())
      return std::nullopt;
  }
  // Once for each to find the shape, and once to give it to all.
  TritonBuilder::At at(tb, arguments.spanOf(index));
  for (unsigned round = 0; round < 2; ++round)
    for (size_t i = 1; i < operands.size(); ++i)
      if (!tb.broadcast(operands[i - 1], operands[i], "tl.inline_asm_elementwise"))
        return std::nullopt;
  if (!operands.empty())
    for (Value &operand : operands)
      if (!tb.broadcast(operand, operands.back(), "tl.inline_asm_elementwise"))
        return std::nullopt;
  return operands;
}

static Value inlineAssembly(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<std::string> text = arguments.string(0);
  std::optional<std::string> constraints = text ? arguments.string(1) : std::nullopt;
  if (!constraints)
    return {};
  std::optional<llvm::SmallVector<Value>> operands = operandsOf(arguments, 2);
  if (!operands)
    return {};

  const Value &types = arguments[3];
  llvm::ArrayRef<Value> elementTypes(types);
  if (types.isTuple())
    elementTypes = *types.elements;
  if (elementTypes.empty())
    return arguments.fail(3, "names no type", "assembly gives one result at least");
  llvm::SmallVector<mlir::Type> resultTypes;
  for (const Value &type : elementTypes) {
    if (type.kind != ValueKind::Type)
      return arguments.fail(3, "must be types such as tl.float32, not " + type.describe());
    mlir::Type scalar = type.type.toMLIR(tb.builder.getContext());
    if (!operands->empty() && operands->front().isBlock())
      scalar = mlir::RankedTensorType::get(operands->front().shape(), scalar,
                                           operands->front().encoding());
    resultTypes.push_back(scalar);
  }

  std::optional<bool> isPure = arguments.flag(4, false);
  std::optional<int64_t> pack = isPure ? arguments.integer(5) : std::nullopt;
  if (!pack)
    return {};
  if (*pack < 1 || *pack > tt::maxTensorElements)
    return arguments.fail(5, "is " + llvm::Twine(*pack), "write how many elements go at once: 1");
  llvm::SmallVector<mlir::Value> values;
  for (const Value &operand : *operands)
    values.push_back(operand.ssa);
  auto op =
      tt::ElementwiseInlineAsmOp::create(tb.builder, tb.loc(), resultTypes, *text, *constraints,
                                         *isPure, static_cast<uint32_t>(*pack), values);
  std::vector<Value> results;
  for (auto [result, type] : llvm::zip_equal(op.getResults(), elementTypes))
    results.push_back(Value::tensor(result, type.type));
  return types.isTuple() ? Value::tuple(std::move(results)) : results[0];
}

//===--------------------------------------------------------------------------===//
// triton.language.extra.cuda
//===--------------------------------------------------------------------------===//

/// What one instruction without operands answers.
static Value instruction(TritonBuilder &tb, llvm::StringRef text, llvm::StringRef constraints,
                         ScalarKind type, bool isPure) {
  DType result{type};
  mlir::Type resultType = result.toMLIR(tb.builder.getContext());
  auto op = tt::ElementwiseInlineAsmOp::create(tb.builder, tb.loc(), mlir::TypeRange(resultType),
                                               text, constraints, isPure,
                                               /*packed_element=*/uint32_t(1), mlir::ValueRange());
  return Value::tensor(op->getResult(0), result);
}

static Value multiprocessor(Arguments &arguments) {
  return instruction(arguments.tb, "mov.u32 $0, %smid;", "=r", ScalarKind::Int32, true);
}

static Value globalTimer(Arguments &arguments) {
  return instruction(arguments.tb, "mov.u64 $0, %globaltimer;", "=l", ScalarKind::Int64, false);
}

/// The op wants a result, which these instructions do not have: a comment names it.
static Value waitForGrids(Arguments &arguments) {
  instruction(arguments.tb, "griddepcontrol.wait; // $0", "=r", ScalarKind::Int32, false);
  return Value::none();
}

static Value launchDependentGrids(Arguments &arguments) {
  instruction(arguments.tb, "griddepcontrol.launch_dependents; // $0", "=r", ScalarKind::Int32,
              false);
  return Value::none();
}

static Value numberOfWarps(Arguments &arguments) {
  return Value::ofInteger(arguments.tb.facts.numWarps);
}

static Value numberOfThreads(Arguments &arguments) {
  const CompileFacts &facts = arguments.tb.facts;
  return Value::ofInteger(Integer(facts.numWarps) * facts.threadsPerWarp);
}

const Builtin *frontend::findExtraBuiltin(llvm::StringRef name) {
  static constexpr Builtin builtins[] = {
      {"smid", "", multiprocessor},     {"globaltimer", "", globalTimer},
      {"gdc_wait", "", waitForGrids},   {"gdc_launch_dependents", "", launchDependentGrids},
      {"num_warps", "", numberOfWarps}, {"num_threads", "", numberOfThreads},
  };
  const Builtin *found =
      llvm::find_if(builtins, [&](const Builtin &builtin) { return builtin.name == name; });
  return found == std::end(builtins) ? nullptr : found;
}

llvm::ArrayRef<Builtin> frontend::assemblyBuiltins() {
  static constexpr Builtin builtins[] = {
      {"inline_asm_elementwise", "asm constraints args dtype is_pure pack", inlineAssembly},
  };
  return builtins;
}
