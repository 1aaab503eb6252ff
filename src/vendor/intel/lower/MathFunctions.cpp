//===- MathFunctions.cpp - OpenCL's mathematical functions --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/lower/MathFunctions.h"

#include "vendor/intel/lower/Builtins.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

struct Function {
  /// Its name in math/Formulas.h, and in OpenCL.
  StringRef name, openCL;
  /// Whether LLVM has an intrinsic of the name, which the back end turns into OpenCL's function;
  /// optimisers know it.
  bool isIntrinsic = false;
};

// OpenCL C 3.0, "Relative Error as ULPs", is how accurate they have to be.
constexpr Function table[] = {
    {"acos", "acos", true},   {"acosh", "acosh"},       {"asin", "asin", true},
    {"asinh", "asinh"},       {"atan", "atan", true},   {"atan2", "atan2", true},
    {"atanh", "atanh"},       {"cbrt", "cbrt"},         {"cos", "cos", true},
    {"cosh", "cosh", true},   {"cospi", "cospi"},       {"erf", "erf"},
    {"erfc", "erfc"},         {"exp", "exp", true},     {"exp10", "exp10", true},
    {"exp2", "exp2", true},   {"expm1", "expm1"},       {"fdim", "fdim"},
    {"fmod", "fmod"},         {"hypot", "hypot"},       {"ldexp", "ldexp", true},
    {"log", "log", true},     {"log10", "log10", true}, {"log1p", "log1p"},
    {"log2", "log2", true},   {"logb", "logb"},         {"nextafter", "nextafter"},
    {"pow", "pow", true},     {"powi", "pown"},         {"remainder", "remainder"},
    {"round", "round", true}, {"rsqrt", "rsqrt"},       {"sin", "sin", true},
    {"sinh", "sinh", true},   {"sinpi", "sinpi"},       {"tan", "tan", true},
    {"tanh", "tanh", true},
};

const Function *find(StringRef name) {
  const Function *function =
      llvm::find_if(table, [&](const Function &entry) { return entry.name == name; });
  return function == std::end(table) ? nullptr : function;
}

} // namespace

bool intel::hasMathFunction(StringRef name) { return find(name); }

Value intel::emitMathFunction(OpBuilder &builder, Location loc, StringRef name,
                              ValueRange operands) {
  const Function *function = find(name);
  Type type = operands[0].getType();
  if (function->isIntrinsic)
    return LLVM::CallIntrinsicOp::create(
               builder, loc, type, builder.getStringAttr("llvm." + function->openCL), operands)
        .getResult(0);
  std::string letters;
  for (Value operand : operands)
    letters += operand.getType().isF64() ? 'd' : operand.getType().isF32() ? 'f' : 'i';
  return callBuiltin(builder, loc, function->openCL, letters, type, operands, Effect::None)
      .getResult();
}
