//===- NvidiaOperations.cpp - What NVIDIA's GPUs add --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Intrinsics are looked up by name, after "llvm.nvvm." and without their suffixes for
// element types and for flushing of denormal numbers ("ftz"):
// "llvm.nvvm.fma.rn.ftz.f" is "fma.rn" with `flush` set.
//
// Approximate operations are computed exactly and rounded; where the hardware's error
// matters, run on the hardware.
//
//===--------------------------------------------------------------------------===//

#include "simulate/nvidia/NvidiaOperations.h"

#include "simulate/Instrument.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Intrinsics.h>

#include <optional>
#include <vector>

using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;
using llvm::Intrinsic::ID;

namespace {

struct ParsedName {
  std::string base;
  bool flush = false;
};

/// One call that is being replaced.
class Replacer {
public:
  Replacer(Instrumenter &instrumenter, llvm::CallInst &call)
      : instrumenter(instrumenter), call(call), builder(&call) {}

  /// The value in the call's place; null if the operation is not known. What returns
  /// nothing is given `done`.
  Value *replacement(const ParsedName &name);
  static constexpr llvm::Value *unknown = nullptr;

private:
  Value *threadNumber(llvm::StringRef name);
  Value *warpWide(llvm::StringRef name);
  Value *arithmetic(const ParsedName &name);
  Value *integers(llvm::StringRef name);
  Value *shuffle(llvm::StringRef name);
  Value *matrixAccess(llvm::StringRef name);

  Value *operand(unsigned index) { return call.getArgOperand(index); }
  Value *done() { return llvm::PoisonValue::get(builder.getInt1Ty()); }
  Value *intrinsic(ID id, llvm::ArrayRef<Value *> values) {
    return builder.CreateIntrinsic(id, {values.front()->getType()}, values);
  }
  template <ID id> static Value *callOf(Replacer &self, llvm::ArrayRef<Value *> values) {
    return self.intrinsic(id, values);
  }
  Value *one() { return llvm::ConstantFP::get(call.getType(), 1.0); }
  Value *flushed(Value *value);
  Value *machineCall(const char *symbol, llvm::Type *result, llvm::ArrayRef<Value *> values) {
    uint32_t site =
        instrumenter.addSite(call, call.getCalledFunction()->getName().drop_front(10).str());
    return instrumenter.callMachine(builder, symbol, result, site, values);
  }

  Instrumenter &instrumenter;
  llvm::CallInst &call;
  llvm::IRBuilder<> builder;
};

} // namespace

static ParsedName parseName(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  name.split(parts, '.');
  ParsedName parsed;
  llvm::SmallVector<llvm::StringRef, 8> kept;
  for (llvm::StringRef part : parts) {
    bool type = llvm::StringSwitch<bool>(part)
                    .Cases({"f", "d", "f16", "f32", "f64", "bf16"}, true)
                    .Cases({"f16x2", "bf16x2", "v2f16", "v2bf16"}, true)
                    .Default(false);
    if (part == "ftz")
      parsed.flush = true;
    else if (!type)
      kept.push_back(part);
  }
  parsed.base = llvm::join(kept, ".");
  return parsed;
}

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

Value *Replacer::threadNumber(llvm::StringRef name) {
  const Registers &registers = instrumenter.machine.registers;
  const uint32_t *field = nullptr;
  auto vector = [&](llvm::StringRef prefix, const uint32_t (&values)[3]) {
    llvm::StringRef rest = name;
    if (rest.consume_front(prefix) && rest.size() == 1 && rest[0] >= 'x' && rest[0] <= 'z')
      field = &values[rest[0] - 'x'];
  };
  vector("tid.", registers.thread);
  vector("ntid.", registers.blockSize);
  vector("ctaid.", registers.block);
  vector("nctaid.", registers.gridSize);
  if (name == "laneid")
    field = &registers.lane;
  if (name == "warpid")
    field = &registers.warp;
  if (name == "dynamic_smem_size")
    field = &registers.sharedBytes;
  if (field)
    return instrumenter.readRegister(builder, *field);
  if (name == "warpsize")
    return builder.getInt32(32);
  return unknown;
}

Value *Replacer::shuffle(llvm::StringRef name) {
  // "bfly.i32", or "bfly.i32p" for a value together with its predicate. The float forms
  // have lost their suffix with the name's element type, except for "f32p".
  auto [modeName, typeName] = name.split('.');
  auto mode = llvm::StringSwitch<std::optional<ShuffleMode>>(modeName)
                  .Case("up", ShuffleMode::Up)
                  .Case("down", ShuffleMode::Down)
                  .Case("bfly", ShuffleMode::Butterfly)
                  .Case("idx", ShuffleMode::Index)
                  .Default(std::nullopt);
  if (!mode || (!typeName.empty() && typeName != "i32" && typeName != "i32p" && typeName != "f32p"))
    return unknown;
  llvm::Type *i32 = builder.getInt32Ty();
  llvm::Type *type = operand(1)->getType();
  Value *packed = machineCall(nvidia::runtime_call::shuffle, builder.getInt64Ty(),
                              {operand(0), builder.getInt32(static_cast<uint32_t>(*mode)),
                               builder.CreateBitCast(operand(1), i32), operand(2), operand(3)});
  Value *value = builder.CreateBitCast(builder.CreateTrunc(packed, i32), type);
  if (!call.getType()->isStructTy())
    return value;
  Value *inside = builder.CreateTrunc(builder.CreateLShr(packed, 32), builder.getInt1Ty());
  Value *pair = llvm::PoisonValue::get(call.getType());
  return builder.CreateInsertValue(builder.CreateInsertValue(pair, value, 0), inside, 1);
}

Value *Replacer::matrixAccess(llvm::StringRef name) {
  // "ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3"
  bool loads = name.consume_front("ldmatrix.sync.aligned.m8n8.x");
  if (!loads && !name.consume_front("stmatrix.sync.aligned.m8n8.x"))
    return unknown;
  unsigned matrices;
  if (name.consumeInteger(10, matrices))
    return unknown;
  bool transposed = name.consume_front(".trans");
  if (!name.starts_with(".b16"))
    return unknown;
  Value *pointer = operand(0);
  uint32_t index = instrumenter.addSite(call, loads ? "ldmatrix" : "stmatrix");
  Site &site = instrumenter.machine.sites[index];
  site.space = MemorySpace::Shared;
  site.kind = loads ? AccessKind::Load : AccessKind::Store;
  site.bytes = site.alignment = 16;
  Value *names =
      builder.CreateICmpULT(instrumenter.readRegister(builder, instrumenter.machine.registers.lane),
                            builder.getInt32(8 * matrices));
  instrumenter.plantCount(builder, pointer, names, index);

  llvm::Type *i32 = builder.getInt32Ty();
  llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  Value *words = entry.CreateAlloca(i32, entry.getInt32(matrices));
  auto wordAt = [&](unsigned i) { return builder.CreateConstGEP1_32(i32, words, i); };
  if (!loads)
    for (unsigned i = 0; i < matrices; ++i)
      builder.CreateStore(operand(1 + i), wordAt(i));
  instrumenter.callMachine(builder, nvidia::runtime_call::accessMatrices, builder.getVoidTy(),
                           index,
                           {builder.CreatePtrToInt(pointer, builder.getInt64Ty()), words,
                            builder.getInt32(matrices), builder.getInt32(transposed)});
  if (!loads)
    return done();
  if (matrices == 1)
    return builder.CreateLoad(i32, wordAt(0));
  Value *result = llvm::PoisonValue::get(call.getType());
  for (unsigned i = 0; i < matrices; ++i)
    result = builder.CreateInsertValue(result, builder.CreateLoad(i32, wordAt(i)), i);
  return result;
}

Value *Replacer::warpWide(llvm::StringRef name) {
  llvm::Type *i32 = builder.getInt32Ty();
  if (name == "bar.warp.sync") {
    machineCall(nvidia::runtime_call::warpBarrier, builder.getVoidTy(), {operand(0)});
    return done();
  }
  if (name.consume_front("shfl.sync."))
    return shuffle(name);
  if (name.consume_front("redux.sync.")) {
    auto mode = llvm::StringSwitch<std::optional<ReduceMode>>(name)
                    .Case("add", ReduceMode::Add)
                    .Case("min", ReduceMode::Min)
                    .Case("max", ReduceMode::Max)
                    .Case("umin", ReduceMode::UMin)
                    .Case("umax", ReduceMode::UMax)
                    .Case("and", ReduceMode::And)
                    .Case("or", ReduceMode::Or)
                    .Case("xor", ReduceMode::Xor)
                    .Default(std::nullopt);
    if (!mode)
      return unknown;
    return machineCall(nvidia::runtime_call::reduce, i32,
                       {operand(1), builder.getInt32(static_cast<uint32_t>(*mode)), operand(0)});
  }
  if (name.consume_front("vote.")) {
    auto mode = llvm::StringSwitch<std::optional<VoteMode>>(name)
                    .Case("all.sync", VoteMode::All)
                    .Case("any.sync", VoteMode::Any)
                    .Case("uni.sync", VoteMode::Uniform)
                    .Case("ballot.sync", VoteMode::Ballot)
                    .Default(std::nullopt);
    if (!mode)
      return unknown;
    Value *result = machineCall(nvidia::runtime_call::vote, i32,
                                {operand(0), builder.getInt32(static_cast<uint32_t>(*mode)),
                                 builder.CreateZExt(operand(1), i32)});
    return builder.CreateTrunc(result, call.getType());
  }
  if (name == "elect.sync") {
    Value *packed = machineCall(nvidia::runtime_call::elect, builder.getInt64Ty(), {operand(0)});
    Value *pair = llvm::PoisonValue::get(call.getType());
    pair = builder.CreateInsertValue(pair, builder.CreateTrunc(packed, i32), 0);
    Value *elected = builder.CreateTrunc(builder.CreateLShr(packed, 32), builder.getInt1Ty());
    return builder.CreateInsertValue(pair, elected, 1);
  }
  return unknown;
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
  if (name == "prmt") {
    llvm::Type *i32 = builder.getInt32Ty();
    llvm::FunctionCallee permute = instrumenter.module.getOrInsertFunction(
        nvidia::runtime_call::permuteBytes, i32, i32, i32, i32);
    return builder.CreateCall(permute, {operand(0), operand(1), operand(2)});
  }
  // Pairs of 8-bit floats. The words that are types are not part of the name.
  auto convert = [&](const char *symbol, llvm::Type *result) {
    llvm::SmallVector<llvm::Type *, 2> types;
    for (Value *value : call.args())
      types.push_back(value->getType());
    llvm::FunctionCallee function = instrumenter.module.getOrInsertFunction(
        symbol, llvm::FunctionType::get(result, types, /*isVarArg=*/false));
    return builder.CreateBitCast(
        builder.CreateCall(function, llvm::SmallVector<Value *, 2>(call.args())), call.getType());
  };
  if (name == "ff.to.e4m3x2.rn")
    return convert(nvidia::runtime_call::packE4M3, builder.getInt16Ty());
  if (name == "ff.to.e5m2x2.rn")
    return convert(nvidia::runtime_call::packE5M2, builder.getInt16Ty());
  if (name == "e4m3x2.to.rn")
    return convert(nvidia::runtime_call::unpackE4M3, builder.getInt32Ty());
  if (name == "e5m2x2.to.rn")
    return convert(nvidia::runtime_call::unpackE5M2, builder.getInt32Ty());
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

Value *Replacer::replacement(const ParsedName &name) {
  llvm::StringRef base = name.base;
  if (base.consume_front("read.ptx.sreg."))
    return threadNumber(base);
  if (base == "barrier.cta.sync.aligned.all" || base == "barrier.cta.sync.all") {
    // Other barriers than number 0 are for parts of a block.
    auto *number = llvm::dyn_cast<llvm::ConstantInt>(operand(0));
    if (!number || !number->isZero())
      return unknown;
    machineCall(tilewright::simulate::runtime_call::blockBarrier, builder.getVoidTy(), {});
    return done();
  }
  // Memory is in order here: one thread runs at a time.
  if (base == "membar.cta" || base == "membar.gl" || base == "membar.sys")
    return done();
  for (Value *value : {warpWide(base), matrixAccess(base), integers(base)})
    if (value)
      return value;
  return arithmetic(name);
}

static bool replace(Instrumenter &instrumenter, llvm::CallInst &call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (name == "__assertfail") {
    llvm::IRBuilder<> builder(&call);
    uint32_t site = instrumenter.addSite(call, name.str());
    instrumenter.callMachine(builder, nvidia::runtime_call::assertionFailed, builder.getVoidTy(),
                             site,
                             {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2),
                              call.getArgOperand(3)});
    call.eraseFromParent();
    return true;
  }
  if (!name.consume_front("llvm.nvvm."))
    return false;
  Value *value = Replacer(instrumenter, call).replacement(parseName(name));
  if (!value)
    return false;
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(value);
  call.eraseFromParent();
  return true;
}

const VendorOperations &nvidia::operations() {
  static const std::string_view prefixes[] = {"llvm.nvvm.", "__assertfail"};
  static const std::vector<RuntimeSymbol> symbols = [] {
    std::vector<RuntimeSymbol> all;
    for (std::span<const RuntimeSymbol> part : {warpOperationSymbols(), matrixAccessSymbols()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  static const VendorOperations table = {"cuda", prefixes, replace, symbols};
  return table;
}
