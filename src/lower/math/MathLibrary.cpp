//===- MathLibrary.cpp - Mathematical functions as LLVM functions -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/math/MathLibrary.h"

#include "lower/core/builder/LoweringBuilder.h"
#include "lower/math/Formulas.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

using Emit = Expr (*)(ArrayRef<Expr>);

template <Expr (*formula)(Expr)> Expr unary(ArrayRef<Expr> x) { return formula(x[0]); }
template <Expr (*formula)(Expr, Expr)> Expr binary(ArrayRef<Expr> x) { return formula(x[0], x[1]); }

struct Formula {
  StringRef name;
  Emit emit;
  /// Called rarely, and too long to be inlined.
  bool isRare = false;
};

/// Sorted by name.
constexpr Formula table[] = {
    {"acos", unary<formulas::acos>},
    {"acosh", unary<formulas::acosh>},
    {"asin", unary<formulas::asin>},
    {"asinh", unary<formulas::asinh>},
    {"atan", unary<formulas::atan>},
    {"atan2", binary<formulas::atan2>},
    {"atanh", unary<formulas::atanh>},
    {"cbrt", unary<formulas::cbrt>},
    {"cos", unary<formulas::cos>},
    {"cos_large", unary<formulas::cosOfLarge>, true},
    {"cosh", unary<formulas::cosh>},
    {"cospi", unary<formulas::cospi>},
    {"cyl_bessel_i0", unary<formulas::cylBesselI0>},
    {"cyl_bessel_i1", unary<formulas::cylBesselI1>},
    {"erf", unary<formulas::erf>},
    {"erfc", unary<formulas::erfc>},
    {"erfcinv", unary<formulas::erfcinv>},
    {"erfcx", unary<formulas::erfcx>},
    {"erfinv", unary<formulas::erfinv>},
    {"exp", unary<formulas::exp>},
    {"exp10", unary<formulas::exp10>},
    {"exp2", unary<formulas::exp2>},
    {"expm1", unary<formulas::expm1>},
    {"fdim", binary<formulas::fdim>},
    {"fmod", binary<formulas::fmod>},
    {"hypot", binary<formulas::hypot>},
    {"ilogb", unary<formulas::ilogb>},
    {"j0", unary<formulas::j0>},
    {"j1", unary<formulas::j1>},
    {"jn", binary<formulas::jn>},
    {"ldexp", binary<formulas::ldexp>},
    {"lgamma", unary<formulas::lgamma>},
    {"log", unary<formulas::log>},
    {"log10", unary<formulas::log10>},
    {"log1p", unary<formulas::log1p>},
    {"log2", unary<formulas::log2>},
    {"logb", unary<formulas::logb>},
    {"nextafter", binary<formulas::nextafter>},
    {"norm3d", formulas::norm},
    {"norm4d", formulas::norm},
    {"normcdf", unary<formulas::normcdf>},
    {"normcdfinv", unary<formulas::normcdfinv>},
    {"pow", binary<formulas::pow>},
    {"powi", binary<formulas::powi>},
    {"rcbrt", unary<formulas::rcbrt>},
    {"remainder", binary<formulas::remainder>},
    {"rhypot", binary<formulas::rhypot>},
    {"rnorm3d", formulas::reciprocalNorm},
    {"rnorm4d", formulas::reciprocalNorm},
    {"round", unary<formulas::round>},
    {"rsqrt", unary<formulas::rsqrt>},
    {"sin", unary<formulas::sin>},
    {"sin_large", unary<formulas::sinOfLarge>, true},
    {"sinh", unary<formulas::sinh>},
    {"sinpi", unary<formulas::sinpi>},
    {"tan", unary<formulas::tan>},
    {"tan_large", unary<formulas::tanOfLarge>, true},
    {"tanh", unary<formulas::tanh>},
    {"tgamma", unary<formulas::tgamma>},
    {"y0", unary<formulas::y0>},
    {"y1", unary<formulas::y1>},
    {"yn", binary<formulas::yn>},
};

const Formula *find(StringRef name) {
  const Formula *found = llvm::lower_bound(
      table, name, [](const Formula &formula, StringRef wanted) { return formula.name < wanted; });
  return found != std::end(table) && found->name == name ? found : nullptr;
}

} // namespace

bool lower::hasFormula(StringRef name) { return find(name); }

ArrayRef<StringRef> lower::formulaNames() {
  static const auto names = llvm::map_to_vector(table, [](const Formula &f) { return f.name; });
  return names;
}

LLVM::LLVMFuncOp lower::getFormula(ModuleOp module, StringRef name, TypeRange operands) {
  const Formula *formula = find(name);
  assert(formula && "hasFormula says which there are");
  std::string symbol = ("__tw_" + name + (operands[0].isF64() ? "_f64" : "_f32")).str();
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(symbol))
    return function;
  // The result's type is known when the body is there.
  auto unknown = LLVM::LLVMFunctionType::get(operands[0], llvm::to_vector(operands));
  // No line of anybody's source; but calls need a line where functions have debug scopes.
  Location loc = FileLineColLoc::get(module.getContext(), ("<" + name + ">").str(), 1, 1);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(builder, loc, symbol, unknown, LLVM::Linkage::Internal);
  function.setNoInline(formula->isRare);
  function.setNoUnwind(true);
  function.setWillReturn(true);
  // Back ends that give each thread a stack then know how long it is.
  function.setPassthroughAttr(builder.getStrArrayAttr({"norecurse"}));
  Code code{OpBuilder(module.getContext()), loc};
  Block *entry = function.addEntryBlock(code.builder);
  code.builder.setInsertionPointToEnd(entry);
  SmallVector<Expr> arguments;
  for (Value argument : entry->getArguments())
    arguments.push_back({code, argument});
  Expr result = formula->emit(arguments);
  code.create<LLVM::ReturnOp>(result.value());
  function.setFunctionType(LLVM::LLVMFunctionType::get(result.type(), llvm::to_vector(operands)));
  return function;
}

Value lower::emitFunction(LoweringBuilder &e, StringRef name, ValueRange operands) {
  if (e.target.hasLibraryFunction(name))
    return e.target.emitLibraryFunction(e.builder, e.loc, name, operands);
  return callFormula(e.builder, e.loc, name, operands);
}

Value lower::callFormula(OpBuilder &builder, Location loc, StringRef name, ValueRange operands) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  LLVM::LLVMFuncOp function = getFormula(module, name, operands.getTypes());
  return LLVM::CallOp::create(builder, loc, function, operands).getResult();
}

Expr lower::callFormula(StringRef name, ArrayRef<Expr> x) {
  Code &code = x[0].at();
  auto operands = llvm::map_to_vector<2>(x, [](Expr operand) { return operand.value(); });
  return {code, callFormula(code.builder, code.loc, name, operands)};
}
