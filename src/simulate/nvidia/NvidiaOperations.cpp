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

#include "simulate/CallReplacer.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Intrinsics.h>

#include <optional>
#include <vector>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;
using llvm::Intrinsic::ID;

namespace {

struct ParsedName {
  std::string base;
  bool flush = false;
};

class Replacer : public CallReplacer {
public:
  using CallReplacer::CallReplacer;

  /// The value in the call's place; null if the operation is not known.
  Value *replacement();

private:
  Value *intrinsicNamed(const ParsedName &name);
  Value *threadNumber(llvm::StringRef name);
  Value *warpWide(llvm::StringRef name);
  Value *vote(llvm::StringRef name);
  Value *reduction(llvm::StringRef name);
  Value *arithmetic(const ParsedName &name);
  Value *integers(llvm::StringRef name);
  Value *shuffled(llvm::StringRef name);
  Value *matrixAccess(llvm::StringRef name);
  Value *asyncCopy(llvm::StringRef name);

  /// The 32 bits of PTX's member masks as the machine takes them.
  Value *membersOf(Value *mask) { return builder.CreateZExt(mask, builder.getInt64Ty()); }
  template <ID id> static Value *callOf(Replacer &self, llvm::ArrayRef<Value *> values) {
    return self.intrinsic(id, values);
  }
  Value *one() { return llvm::ConstantFP::get(call.getType(), 1.0); }
  Value *flushed(Value *value);
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
    return readRegister(*field);
  if (name == "warpsize")
    return builder.getInt32(32);
  return unknown;
}

Value *Replacer::shuffled(llvm::StringRef name) {
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
  Value *packed =
      machineCall(nvidia::runtime_call::shuffle, builder.getInt64Ty(),
                  {membersOf(operand(0)), builder.getInt32(static_cast<uint32_t>(*mode)),
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
  Value *names = builder.CreateICmpULT(lane(), builder.getInt32(8 * matrices));
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

/// A copy is done when it is begun: whoever reads too early what it brings finds it there, but the
/// races in shared memory are those of a store.
Value *Replacer::asyncCopy(llvm::StringRef name) {
  if (name == "commit.group" || name == "wait.group" || name == "wait.all")
    return done();
  // "cg.shared.global.16", and ".s" with the number of bytes that are read: here all or none.
  unsigned bytes;
  if ((!name.consume_front("ca.shared.global.") && !name.consume_front("cg.shared.global.")) ||
      name.consumeInteger(10, bytes) || (!name.empty() && name != ".s"))
    return unknown;
  auto *type = llvm::FixedVectorType::get(builder.getInt32Ty(), bytes / 4);
  llvm::Align alignment(bytes);
  llvm::Instruction *load;
  if (name.empty()) {
    load = builder.CreateAlignedLoad(type, operand(1), alignment);
  } else {
    Value *all = builder.CreateICmpEQ(operand(2), builder.getInt32(bytes));
    load = builder.CreateMaskedLoad(type, operand(1), alignment,
                                    builder.CreateVectorSplat(bytes / 4, all),
                                    llvm::Constant::getNullValue(type));
  }
  llvm::StoreInst *store = builder.CreateAlignedStore(load, operand(0), alignment);
  for (llvm::Instruction *access : {static_cast<llvm::Instruction *>(store), load})
    if (Expected<void> watched = instrumenter.instrumentAccess(*access); !watched)
      return unknown;
  builder.SetInsertPoint(&call);
  return done();
}

Value *Replacer::vote(llvm::StringRef name) {
  Value *members = membersOf(operand(0)), *votes = ballot(members, operand(1));
  Value *none = builder.CreateICmpEQ(votes, builder.getInt64(0));
  Value *all = builder.CreateICmpEQ(votes, members);
  if (name == "ballot.sync")
    return builder.CreateTrunc(votes, call.getType());
  if (name == "all.sync")
    return all;
  if (name == "any.sync")
    return builder.CreateNot(none);
  if (name == "uni.sync")
    return builder.CreateOr(all, none);
  return unknown;
}

Value *Replacer::reduction(llvm::StringRef name) {
  using Operation = LaneCombination::Operation;
  bool isUnsigned = name.consume_front("u");
  auto operation = llvm::StringSwitch<std::optional<Operation>>(name)
                       .Case("add", Operation::Add)
                       .Case("min", Operation::Min)
                       .Case("max", Operation::Max)
                       .Case("and", Operation::And)
                       .Case("or", Operation::Or)
                       .Case("xor", Operation::Xor)
                       .Default(std::nullopt);
  if (!operation)
    return unknown;
  return combineLanes(
      membersOf(operand(1)), operand(0),
      {.operation = *operation,
       .type = isUnsigned ? LaneCombination::Type::Unsigned : LaneCombination::Type::Signed});
}

Value *Replacer::warpWide(llvm::StringRef name) {
  if (name == "bar.warp.sync")
    return warpBarrier(membersOf(operand(0)));
  if (name.consume_front("shfl.sync."))
    return shuffled(name);
  if (name.consume_front("redux.sync."))
    return reduction(name);
  if (name.consume_front("vote."))
    return vote(name);
  if (name == "elect.sync") {
    // Any lane may be elected as long as it is the same every time.
    ballot(membersOf(operand(0)), builder.getTrue());
    Value *elected = builder.CreateIntrinsic(llvm::Intrinsic::cttz, {builder.getInt32Ty()},
                                             {operand(0), builder.getFalse()});
    Value *pair = builder.CreateInsertValue(llvm::PoisonValue::get(call.getType()), elected, 0);
    return builder.CreateInsertValue(pair, builder.CreateICmpEQ(elected, lane()), 1);
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
  if (name == "prmt")
    return hostCall(nvidia::runtime_call::permuteBytes, builder.getInt32Ty(),
                    {operand(0), operand(1), operand(2)});
  // Pairs of 8-bit floats. The words that are types are not part of the name.
  auto convert = [&](const char *symbol, llvm::Type *result) {
    return builder.CreateBitCast(
        hostCall(symbol, result, llvm::SmallVector<Value *, 2>(call.args())), call.getType());
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

Value *Replacer::intrinsicNamed(const ParsedName &name) {
  llvm::StringRef base = name.base;
  if (base.consume_front("read.ptx.sreg."))
    return threadNumber(base);
  if (base == "barrier.cta.sync.aligned.all" || base == "barrier.cta.sync.all") {
    // Other barriers than number 0 are for parts of a block.
    auto *number = llvm::dyn_cast<llvm::ConstantInt>(operand(0));
    if (!number || !number->isZero())
      return unknown;
    return blockBarrier(/*ordersShared=*/true);
  }
  // Memory is in order here: one thread runs at a time.
  if (base == "membar.cta" || base == "membar.gl" || base == "membar.sys")
    return done();
  // Launches come one after the other.
  if (base == "griddepcontrol.wait" || base == "griddepcontrol.launch.dependents")
    return done();
  if (base.consume_front("cp.async."))
    return asyncCopy(base);
  for (Value *value : {warpWide(base), matrixAccess(base), integers(base)})
    if (value)
      return value;
  return arithmetic(name);
}

Value *Replacer::replacement() {
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (name == "__assertfail") {
    machineCall(simulate::runtime_call::assertionFailed, builder.getVoidTy(),
                {operand(0), operand(1), operand(2)});
    return done();
  }
  if (name == "vprintf")
    return hostCall(simulate::runtime_call::print, call.getType(), {operand(0), operand(1)});
  return name.consume_front("llvm.nvvm.") ? intrinsicNamed(parseName(name)) : unknown;
}

static bool replace(Instrumenter &instrumenter, llvm::CallInst &call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  name.consume_front("llvm.nvvm.");
  Replacer replacer(instrumenter, call, name.str());
  return replacer.finish(replacer.replacement());
}

/// "nvvm.reqntid"="128" or "16,8,1".
static StatedLaunch statedLaunch(const llvm::Function &kernel) {
  llvm::StringRef rest = kernel.getFnAttribute("nvvm.reqntid").getValueAsString();
  uint64_t threads = 1, size;
  bool said = !rest.empty();
  while (!rest.empty() && !rest.consumeInteger(10, size)) {
    threads *= size;
    rest.consume_front(",");
  }
  return {.threadsPerBlock = said ? threads : 0};
}

const VendorOperations &nvidia::operations() {
  static const std::string_view prefixes[] = {"llvm.nvvm.", "__assertfail", "vprintf"};
  static const std::vector<RuntimeSymbol> symbols = [] {
    std::vector<RuntimeSymbol> all;
    for (std::span<const RuntimeSymbol> part : {threadOperationSymbols(), matrixAccessSymbols()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  static const VendorOperations table = {.target = "cuda",
                                         .prefixes = prefixes,
                                         .replace = replace,
                                         .symbols = symbols,
                                         .statedLaunch = statedLaunch,
                                         .addressSpaces = {.generic = 0, .shared = 3, .stack = 5}};
  return table;
}
