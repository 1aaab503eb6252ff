//===- Device.cpp - Builtins: libdevice functions -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"
#include "ir/tt/ExternFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static DType typeOfLetter(char letter) {
  switch (letter) {
  case 'i':
    return {ScalarKind::Int32};
  case 'u':
    return {ScalarKind::UInt32};
  case 'l':
    return {ScalarKind::Int64};
  case 'L':
    return {ScalarKind::UInt64};
  case 'f':
    return {ScalarKind::FP32};
  default:
    return {ScalarKind::FP64};
  }
}

/// "(fp32, fp32)".
static std::string describeTypes(llvm::ArrayRef<DType> types) {
  std::string text = "(";
  for (auto [index, type] : llvm::enumerate(types))
    text += (index ? ", " : "") + type.str();
  return text + ")";
}

static llvm::SmallVector<DType, 4> operandTypes(const tt::ExternFunction &function) {
  return llvm::map_to_vector<4>(function.operands, typeOfLetter);
}

/// The function for exactly these operands.
static const tt::ExternFunction *findExact(llvm::ArrayRef<tt::ExternFunction> functions,
                                           llvm::ArrayRef<Value> values) {
  for (const tt::ExternFunction &function : functions)
    if (llvm::equal(operandTypes(function), values,
                    [](DType type, const Value &value) { return type == value.type; }))
      return &function;
  return nullptr;
}

static Value deviceFunction(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  StringRef name = arguments.builtin.name;
  llvm::ArrayRef<tt::ExternFunction> functions = tt::findExternFunctions(name);
  llvm::SmallVector<Value, 4> values;
  for (size_t i = 0; i < arguments.size(); ++i) {
    Value value = arguments.tensor(i);
    if (!value)
      return {};
    values.push_back(value);
  }
  const tt::ExternFunction *function = findExact(functions, values);
  std::string what = ("libdevice." + name).str();
  if (!function) {
    // Operands that fit no function are brought to a common type, as an operator's are.
    std::string given = describeTypes(
        llvm::map_to_vector<4>(values, [](const Value &value) { return value.type; }));
    bool sameKind = llvm::none_of(values, [](const Value &v) { return v.type.isPointer(); });
    for (size_t i = 1; sameKind && i < values.size(); ++i)
      if (!tb.promote(values[0], values[i], what, {}))
        return {};
    for (size_t i = 1; sameKind && i + 1 < values.size(); ++i)
      if (!tb.promote(values[0], values[i], what, {}))
        return {};
    function = findExact(functions, values);
    if (!function) {
      std::vector<std::string> known;
      for (const tt::ExternFunction &each : functions)
        known.push_back(describeTypes(operandTypes(each)));
      return tb.fail(what + " cannot take " + given,
                     "it takes " + llvm::join(known, " or ") +
                         "; convert the arguments, such as with .to(tl.float32)");
    }
  }
  for (size_t round = 0; round < 2; ++round)
    for (size_t i = 1; i < values.size(); ++i)
      if (!tb.broadcast(values[0], values[i], what))
        return {};
  auto operands = llvm::map_to_vector<4>(values, [](const Value &value) { return value.ssa; });
  DType type = typeOfLetter(function->result);
  mlir::Type result = type.toMLIR(tb.builder.getContext());
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(operands[0].getType()))
    result = tensor.clone(result);
  return Value::tensor(tt::ExternElementwiseOp::create(tb.builder, tb.loc(), result, operands,
                                                       /*libname=*/"", /*libpath=*/"",
                                                       function->symbol, /*pure=*/true),
                       type);
}

/// One for each name.
static const std::vector<Builtin> &deviceBuiltins() {
  static const std::vector<Builtin> builtins = [] {
    static constexpr StringRef parameters[] = {"arg0", "arg0 arg1", "arg0 arg1 arg2",
                                               "arg0 arg1 arg2 arg3"};
    std::vector<Builtin> all;
    for (const tt::ExternFunction &function : tt::allExternFunctions())
      if (all.empty() || all.back().name != function.name)
        all.push_back({function.name, parameters[function.operands.size() - 1], deviceFunction});
    return all;
  }();
  return builtins;
}

const Builtin *frontend::findDeviceBuiltin(StringRef name) {
  const std::vector<Builtin> &all = deviceBuiltins();
  auto found = llvm::partition_point(all, [&](const Builtin &b) { return b.name < name; });
  return found != all.end() && found->name == name ? &*found : nullptr;
}

StringRef frontend::closestDeviceName(StringRef name) {
  return closestOf(name, llvm::map_to_vector(deviceBuiltins(),
                                             [](const Builtin &builtin) { return builtin.name; }));
}
