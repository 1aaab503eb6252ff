//===- Arithmetic.cpp - NVIDIA's operations within a thread -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Approximate operations are computed exactly and rounded; where the hardware's error
// matters, run on the hardware.
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/Replacer.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;

/// Numbers too small for a normal representation become zero, with their sign.
Value *Replacer::flushed(Value *value) {
  llvm::Type *type = value->getType();
  llvm::APFloat smallest =
      llvm::APFloat::getSmallestNormalized(type->getScalarType()->getFltSemantics());
  Value *tiny = builder.CreateFCmpOLT(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value),
                                      llvm::ConstantFP::get(type, smallest));
  Value *zero = builder.CreateCopySign(llvm::ConstantFP::get(type, 0.0), value);
  return builder.CreateSelect(tiny, zero, value);
}

Value *Replacer::arithmetic(const ParsedName &name) {
  // How an operation is written with LLVM's own; flushing is done around it.
  using Build = Value *(*)(Replacer &, llvm::ArrayRef<Value *>);
  Build build = llvm::StringSwitch<Build>(name.base)
                    .Case("ex2.approx", &callOf<llvm::Intrinsic::exp2>)
                    .Case("lg2.approx", &callOf<llvm::Intrinsic::log2>)
                    .Case("sin.approx", &callOf<llvm::Intrinsic::sin>)
                    .Case("cos.approx", &callOf<llvm::Intrinsic::cos>)
                    .Case("tanh.approx", &callOf<llvm::Intrinsic::tanh>)
                    .Cases({"sqrt.approx", "sqrt.rn", "sqrt"}, &callOf<llvm::Intrinsic::sqrt>)
                    .Case("fabs", &callOf<llvm::Intrinsic::fabs>)
                    .Case("floor", &callOf<llvm::Intrinsic::floor>)
                    .Case("ceil", &callOf<llvm::Intrinsic::ceil>)
                    .Case("round", &callOf<llvm::Intrinsic::roundeven>)
                    .Case("fma.rn", &callOf<llvm::Intrinsic::fma>)
                    .Case("fmin", &callOf<llvm::Intrinsic::minnum>)
                    .Case("fmax", &callOf<llvm::Intrinsic::maxnum>)
                    .Case("fmin.nan", &callOf<llvm::Intrinsic::minimum>)
                    .Case("fmax.nan", &callOf<llvm::Intrinsic::maximum>)
                    .Case("saturate",
                          [](Replacer &self, llvm::ArrayRef<Value *> values) -> Value * {
                            llvm::Type *type = values[0]->getType();
                            Value *zero = llvm::ConstantFP::get(type, 0.0);
                            Value *low = self.intrinsic(llvm::Intrinsic::maxnum, {values[0], zero});
                            return self.intrinsic(llvm::Intrinsic::minnum, {low, self.one()});
                          })
                    .Cases({"rcp.approx", "rcp.rn"},
                           [](Replacer &self, llvm::ArrayRef<Value *> values) {
                             return self.builder.CreateFDiv(self.one(), values[0]);
                           })
                    .Case("rsqrt.approx",
                          [](Replacer &self, llvm::ArrayRef<Value *> values) {
                            return self.builder.CreateFDiv(
                                self.one(), self.intrinsic(llvm::Intrinsic::sqrt, values));
                          })
                    .Cases({"div.full", "div.approx", "div.rn"},
                           [](Replacer &self, llvm::ArrayRef<Value *> values) {
                             return self.builder.CreateFDiv(values[0], values[1]);
                           })
                    .Cases({"add.rn", "add"},
                           [](Replacer &self, llvm::ArrayRef<Value *> values) {
                             return self.builder.CreateFAdd(values[0], values[1]);
                           })
                    .Case("mul.rn",
                          [](Replacer &self, llvm::ArrayRef<Value *> values) {
                            return self.builder.CreateFMul(values[0], values[1]);
                          })
                    .Default(nullptr);
  if (!build)
    return unknown;
  llvm::SmallVector<Value *, 3> values;
  for (Value *value : call.args()) {
    if (!value->getType()->isFPOrFPVectorTy())
      return unknown;
    values.push_back(name.flush ? flushed(value) : value);
  }
  Value *result = build(*this, values);
  return name.flush ? flushed(result) : result;
}

Value *Replacer::integers(llvm::StringRef name) {
  if (name == "idp4a.s.s") {
    auto *bytes = llvm::FixedVectorType::get(builder.getInt8Ty(), 4);
    auto *words = llvm::FixedVectorType::get(builder.getInt32Ty(), 4);
    auto extend = [&](Value *word) {
      return builder.CreateSExt(builder.CreateBitCast(word, bytes), words);
    };
    Value *products = builder.CreateMul(extend(operand(0)), extend(operand(1)));
    return builder.CreateAdd(builder.CreateAddReduce(products), operand(2));
  }
  if (name.consume_front("mulhi.")) {
    // s, i, ll are signed; us, ui, ull unsigned; of 16, 32 and 64 bits.
    bool isUnsigned = name.starts_with("u");
    llvm::Type *type = call.getType();
    unsigned bits = type->getIntegerBitWidth();
    llvm::Type *wide = builder.getIntNTy(2 * bits);
    auto extend = [&](Value *value) {
      return isUnsigned ? builder.CreateZExt(value, wide) : builder.CreateSExt(value, wide);
    };
    Value *product = builder.CreateMul(extend(operand(0)), extend(operand(1)));
    return builder.CreateTrunc(builder.CreateLShr(product, bits), type);
  }
  return unknown;
}

Value *Replacer::packedArithmetic() {
  const auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  llvm::StringRef text = llvm::StringRef(assembly->getAsmString()).trim();
  const unsigned count = call.arg_size();
  std::string operands = " $0";
  for (unsigned i = 1; i <= count; ++i)
    operands += ", $" + std::to_string(i);
  if (!text.consume_back(operands + ";") || !call.getType()->isIntegerTy(64))
    return unknown;
  llvm::SmallVector<Value *, 3> pairs;
  for (Value *word : call.args()) {
    if (!word->getType()->isIntegerTy(64))
      return unknown;
    pairs.push_back(
        builder.CreateBitCast(word, llvm::FixedVectorType::get(builder.getFloatTy(), 2)));
  }
  Value *result = unknown;
  if (count == 2)
    result = text == "add.f32x2"   ? builder.CreateFAdd(pairs[0], pairs[1])
             : text == "sub.f32x2" ? builder.CreateFSub(pairs[0], pairs[1])
             : text == "mul.f32x2" ? builder.CreateFMul(pairs[0], pairs[1])
                                   : unknown;
  if (count == 3 && text == "fma.rn.f32x2")
    result = intrinsic(llvm::Intrinsic::fma, pairs);
  return result ? builder.CreateBitCast(result, call.getType()) : unknown;
}
