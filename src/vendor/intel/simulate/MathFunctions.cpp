//===- MathFunctions.cpp - Intel's operations within a work-item --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One table takes a function's name to LLVM's function of the same meaning, or to a function of
// the host's. The forms with less precision ("native_exp") are computed as the others are: where
// the hardware's error matters, run on the hardware.
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/simulate/Replacer.h"

#include <llvm/ADT/StringSwitch.h>

#include <cmath>
#include <numbers>
#include <vector>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::intel;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {
struct HostFunction {
  llvm::StringLiteral name;
  const char *ofFloat;
  const char *ofDouble;
  RuntimeSymbol symbols[2];
};
} // namespace

/// The quarter turns are exact.
template <typename T> static T sinpi(T x) {
  T part = x - 2 * std::nearbyint(x / 2);
  return std::fabs(part) == 1 ? std::copysign(T(0), x)
                              : static_cast<T>(std::sin(std::numbers::pi * double(part)));
}
template <typename T> static T cospi(T x) {
  T part = std::fabs(x - 2 * std::nearbyint(x / 2));
  return part == T(0.5) ? T(0) : static_cast<T>(std::cos(std::numbers::pi * double(part)));
}

/// A function of one and of two numbers, for float and double.
#define TILEWRIGHT_UNARY(name, function)                                                           \
  {                                                                                                \
    #name, "tilewright.intel." #name ".f32", "tilewright.intel." #name ".f64", {                   \
      {"tilewright.intel." #name ".f32",                                                           \
       addressOf(+[](float x) -> float { return function(x); })},                                  \
      {                                                                                            \
        "tilewright.intel." #name ".f64",                                                          \
            addressOf(+[](double x) -> double { return function(x); })                             \
      }                                                                                            \
    }                                                                                              \
  }
#define TILEWRIGHT_BINARY(name, function)                                                          \
  {                                                                                                \
    #name, "tilewright.intel." #name ".f32", "tilewright.intel." #name ".f64", {                   \
      {"tilewright.intel." #name ".f32",                                                           \
       addressOf(+[](float x, float y) -> float { return function(x, y); })},                      \
      {                                                                                            \
        "tilewright.intel." #name ".f64",                                                          \
            addressOf(+[](double x, double y) -> double { return function(x, y); })                \
      }                                                                                            \
    }                                                                                              \
  }

static llvm::ArrayRef<HostFunction> hostFunctions() {
  static const HostFunction functions[] = {
      TILEWRIGHT_UNARY(acosh, std::acosh),
      TILEWRIGHT_UNARY(asinh, std::asinh),
      TILEWRIGHT_UNARY(atanh, std::atanh),
      TILEWRIGHT_UNARY(cbrt, std::cbrt),
      TILEWRIGHT_UNARY(erf, std::erf),
      TILEWRIGHT_UNARY(erfc, std::erfc),
      TILEWRIGHT_UNARY(expm1, std::expm1),
      TILEWRIGHT_UNARY(log1p, std::log1p),
      TILEWRIGHT_UNARY(logb, std::logb),
      TILEWRIGHT_UNARY(lgamma, std::lgamma),
      TILEWRIGHT_UNARY(tgamma, std::tgamma),
      TILEWRIGHT_UNARY(sinpi, sinpi),
      TILEWRIGHT_UNARY(cospi, cospi),
      TILEWRIGHT_BINARY(fdim, std::fdim),
      TILEWRIGHT_BINARY(fmod, std::fmod),
      TILEWRIGHT_BINARY(hypot, std::hypot),
      TILEWRIGHT_BINARY(nextafter, std::nextafter),
      TILEWRIGHT_BINARY(remainder, std::remainder),
  };
  return functions;
}

#undef TILEWRIGHT_UNARY
#undef TILEWRIGHT_BINARY

std::span<const RuntimeSymbol> intel::mathSymbols() {
  static const std::vector<RuntimeSymbol> symbols = [] {
    std::vector<RuntimeSymbol> all;
    for (const HostFunction &function : hostFunctions())
      all.insert(all.end(), std::begin(function.symbols), std::end(function.symbols));
    return all;
  }();
  return symbols;
}

/// LLVM's function of the same meaning.
static Intrinsic::ID intrinsicOf(llvm::StringRef name) {
  return llvm::StringSwitch<Intrinsic::ID>(name)
      .Case("acos", Intrinsic::acos)
      .Case("asin", Intrinsic::asin)
      .Case("atan", Intrinsic::atan)
      .Case("atan2", Intrinsic::atan2)
      .Case("ceil", Intrinsic::ceil)
      .Case("copysign", Intrinsic::copysign)
      .Case("cos", Intrinsic::cos)
      .Case("cosh", Intrinsic::cosh)
      .Case("exp", Intrinsic::exp)
      .Case("exp10", Intrinsic::exp10)
      .Case("exp2", Intrinsic::exp2)
      .Case("fabs", Intrinsic::fabs)
      .Case("floor", Intrinsic::floor)
      .Cases({"fma", "mad"}, Intrinsic::fma)
      .Case("fmax", Intrinsic::maxnum)
      .Case("fmin", Intrinsic::minnum)
      .Case("log", Intrinsic::log)
      .Case("log10", Intrinsic::log10)
      .Case("log2", Intrinsic::log2)
      .Cases({"pow", "powr"}, Intrinsic::pow)
      .Case("rint", Intrinsic::roundeven)
      .Case("round", Intrinsic::round)
      .Case("sin", Intrinsic::sin)
      .Case("sinh", Intrinsic::sinh)
      .Case("sqrt", Intrinsic::sqrt)
      .Case("tan", Intrinsic::tan)
      .Case("tanh", Intrinsic::tanh)
      .Case("trunc", Intrinsic::trunc)
      .Default(Intrinsic::not_intrinsic);
}

/// The type with other scalars: a vector of as many, or one.
static llvm::Type *withScalar(llvm::Type *type, llvm::Type *scalar) {
  auto *vector = llvm::dyn_cast<llvm::VectorType>(type);
  return vector ? llvm::VectorType::get(scalar, vector->getElementCount()) : scalar;
}

/// Functions of a number and an integer.
Value *Replacer::powers(llvm::StringRef name) {
  llvm::Type *type = call.getType();
  if (call.arg_size() != 2 || operand(0)->getType() != type ||
      !operand(1)->getType()->isIntOrIntVectorTy())
    return unknown;
  if (name == "ldexp")
    return builder.CreateIntrinsic(Intrinsic::ldexp, {type, operand(1)->getType()},
                                   {operand(0), operand(1)});
  if (name != "pown")
    return unknown;
  // Not every integer is a float.
  llvm::Type *wide = withScalar(type, builder.getDoubleTy());
  Value *power = intrinsic(Intrinsic::pow, {builder.CreateFPCast(operand(0), wide),
                                            builder.CreateSIToFP(operand(1), wide)});
  return builder.CreateFPCast(power, type);
}

Value *Replacer::math() {
  llvm::Type *type = call.getType();
  if (!type->isFPOrFPVectorTy())
    return unknown;
  llvm::StringRef name = function.name;
  if (!name.consume_front("__spirv_ocl_"))
    name.consume_front("half_");
  name.consume_front("native_");
  if (Value *power = powers(name))
    return power;
  llvm::SmallVector<Value *, 3> values;
  for (Value *value : call.args()) {
    if (value->getType() != type)
      return unknown;
    values.push_back(value);
  }
  auto quotient = [&](Value *divisor) {
    return builder.CreateFDiv(llvm::ConstantFP::get(type, 1), divisor);
  };
  if (name == "rsqrt" && values.size() == 1)
    return quotient(intrinsic(Intrinsic::sqrt, values));
  if (name == "recip" && values.size() == 1)
    return quotient(values[0]);
  if (name == "divide" && values.size() == 2)
    return builder.CreateFDiv(values[0], values[1]);
  if (Intrinsic::ID id = intrinsicOf(name)) {
    auto *declared = Intrinsic::getOrInsertDeclaration(&instrumenter.module, id, {type});
    return declared->arg_size() == values.size() ? builder.CreateCall(declared, values) : unknown;
  }

  const auto *host = llvm::find_if(
      hostFunctions(), [&](const HostFunction &candidate) { return candidate.name == name; });
  if (host == hostFunctions().end())
    return unknown;
  // The host knows float and double, one at a time.
  bool isDouble = type->getScalarType()->isDoubleTy();
  llvm::Type *computed = isDouble ? builder.getDoubleTy() : builder.getFloatTy();
  auto compute = [&](llvm::ArrayRef<Value *> scalars) {
    llvm::SmallVector<Value *, 2> wide;
    for (Value *scalar : scalars)
      wide.push_back(builder.CreateFPCast(scalar, computed));
    return builder.CreateFPCast(hostCall(isDouble ? host->ofDouble : host->ofFloat, computed, wide),
                                type->getScalarType());
  };
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector)
    return compute(values);
  Value *result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    llvm::SmallVector<Value *, 2> scalars;
    for (Value *value : values)
      scalars.push_back(builder.CreateExtractElement(value, i));
    result = builder.CreateInsertElement(result, compute(scalars), i);
  }
  return result;
}

Value *Replacer::integers() {
  llvm::Type *type = call.getType();
  if (!type->isIntOrIntVectorTy() || call.arg_size() == 0 || operand(0)->getType() != type)
    return unknown;
  llvm::StringRef name = function.name;
  bool isUnsigned = function.firstIsUnsigned();
  if (name == "min" && call.arg_size() == 2)
    return intrinsic(isUnsigned ? Intrinsic::umin : Intrinsic::smin, {operand(0), operand(1)});
  if (name == "max" && call.arg_size() == 2)
    return intrinsic(isUnsigned ? Intrinsic::umax : Intrinsic::smax, {operand(0), operand(1)});
  if (name == "mul_hi" || name == "__spirv_ocl_u_mul_hi" || name == "__spirv_ocl_s_mul_hi") {
    unsigned bits = type->getScalarSizeInBits();
    llvm::Type *wide = type->getWithNewBitWidth(2 * bits);
    isUnsigned |= name.contains("_u_");
    auto extend = [&](Value *value) {
      return isUnsigned ? builder.CreateZExt(value, wide) : builder.CreateSExt(value, wide);
    };
    Value *product = builder.CreateMul(extend(operand(0)), extend(operand(1)));
    return builder.CreateTrunc(builder.CreateLShr(product, bits), type);
  }
  return unknown;
}

/// Between float and the bits of bfloat16, as SPV_INTEL_bfloat16_conversion has it.
Value *Replacer::converted() {
  llvm::Type *type = call.getType();
  llvm::Type *brain = withScalar(type, builder.getBFloatTy());
  if (function.name == "__spirv_ConvertFToBF16INTEL")
    return builder.CreateBitCast(builder.CreateFPTrunc(operand(0), brain), type);
  if (function.name == "__spirv_ConvertBF16ToFINTEL")
    return builder.CreateFPExt(builder.CreateBitCast(operand(0), brain), type);
  return unknown;
}
