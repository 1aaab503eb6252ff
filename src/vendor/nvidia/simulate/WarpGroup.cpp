//===- WarpGroup.cpp - wgmma --------------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions of plan/WarpGroupFunctions.h and the intrinsics beside them. The registers of a
// product that is under way may be accumulators of products and pass through waits; before any
// other use of one a call is planted that looks whether it is complete (WarpGroupProducts.h).
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/plan/WarpGroupFunctions.h"
#include "vendor/nvidia/simulate/Replacer.h"
#include "vendor/nvidia/simulate/WarpGroupProducts.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using namespace tilewright::vendor::nvidia;
using llvm::Value;

namespace {
namespace symbol {
// After machine and site:
/// ptr form, ptr registers, i64 a, i64 b, i32 uses c
constexpr char product[] = "tilewright.nvidia.warp_group_product";
constexpr char commit[] = "tilewright.nvidia.warp_group_commit";
/// i32 left, ptr registers, i32 count
constexpr char wait[] = "tilewright.nvidia.warp_group_wait";
constexpr char fence[] = "tilewright.nvidia.warp_group_fence";
/// i32 contents -> i32
constexpr char use[] = "tilewright.nvidia.warp_group_use";
constexpr char fenceProxies[] = "tilewright.nvidia.fence_proxies";
} // namespace symbol
} // namespace

static constexpr uint32_t warps = 4;

static WarpGroupProducts &productsOf(Machine &machine) {
  return machine.blockState<WarpGroupProducts>();
}

static void product(Machine *machine, uint32_t site, const ProductForm *form, uint32_t *registers,
                    uint64_t a, uint64_t b, uint32_t usesC) {
  ProductOperands operands{form, registers, a, b, usesC != 0};
  machine->groupOperation(site, warps, &operands, [](GroupExchange &exchange) {
    productsOf(*exchange.machine).issue(exchange);
  });
  machine->leaveIfFailed();
}

static void commit(Machine *machine, uint32_t site) {
  machine->groupOperation(site, warps, nullptr, [](GroupExchange &exchange) {
    productsOf(*exchange.machine).commit(exchange);
  });
  machine->leaveIfFailed();
}

static void wait(Machine *machine, uint32_t site, uint32_t left, uint32_t *registers,
                 uint32_t count) {
  WaitOperands operands{left, registers, count};
  machine->groupOperation(site, warps, &operands, [](GroupExchange &exchange) {
    productsOf(*exchange.machine).wait(exchange);
  });
  machine->leaveIfFailed();
}

static void fence(Machine *machine, uint32_t) {
  productsOf(*machine).fence(machine->currentThread());
}

static uint32_t use(Machine *machine, uint32_t site, uint32_t contents) {
  const uint32_t value = productsOf(*machine).use(*machine, site, contents);
  machine->leaveIfFailed();
  return value;
}

static void fenceProxies(Machine *machine, uint32_t) { machine->fenceProxies(); }

std::span<const RuntimeSymbol> nvidia::warpGroupSymbols() {
  static const RuntimeSymbol symbols[] = {
      {symbol::product, addressOf(product)}, {symbol::commit, addressOf(commit)},
      {symbol::wait, addressOf(wait)},       {symbol::fence, addressOf(fence)},
      {symbol::use, addressOf(use)},         {symbol::fenceProxies, addressOf(fenceProxies)}};
  return symbols;
}

//===----------------------------------------------------------------------------===//
// Registers under way
//===----------------------------------------------------------------------------===//

/// The function of wgmma that is called; empty if it is none.
static llvm::StringRef calledFunction(const llvm::User *user) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(user);
  llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(warpGroupPrefix) ? callee->getName()
                                                                  : llvm::StringRef();
}

/// Whether a value stays under way there: as the accumulator of a product, or in a wait.
static bool goesOn(const llvm::Use &use) {
  const llvm::StringRef name = calledFunction(use.getUser());
  if (name.empty())
    return false;
  const target::MmaAtom *atom = findProduct(name);
  return !atom || use.getOperandNo() < accumulatorRegisters(*atom);
}

/// Whether a call's results may be under way.
static bool leavesUnderWay(const llvm::CallInst &call) {
  if (findProduct(call.getCalledFunction()->getName()))
    return true;
  auto *left = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  return !left || !left->isZero();
}

/// Plants the calls that look at registers of `function` before they are used. Those of functions
/// that are called are looked at when they are passed.
static void plantUses(Instrumenter &instrumenter, llvm::Function &function) {
  llvm::SmallSetVector<Value *, 32> underWay;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (!calledFunction(&instruction).empty() &&
        leavesUnderWay(llvm::cast<llvm::CallInst>(instruction)))
      for (llvm::User *user : instruction.users())
        if (llvm::isa<llvm::ExtractValueInst>(user))
          underWay.insert(user);
  for (size_t i = 0; i < underWay.size(); ++i) {
    Value *value = underWay[i];
    llvm::SmallVector<llvm::Use *> uses;
    for (llvm::Use &use : value->uses())
      uses.push_back(&use);
    for (llvm::Use *use : uses) {
      auto *user = llvm::cast<llvm::Instruction>(use->getUser());
      if (llvm::isa<llvm::PHINode>(user)) {
        underWay.insert(user);
        continue;
      }
      if (goesOn(*use))
        continue;
      llvm::IRBuilder<> builder(user);
      llvm::Type *i32 = builder.getInt32Ty();
      Value *contents = instrumenter.callMachine(builder, symbol::use, i32,
                                                 instrumenter.addSite(*user, "use of a product"),
                                                 {builder.CreateBitCast(value, i32)});
      use->set(builder.CreateBitCast(contents, value->getType()));
    }
  }
}

//===----------------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------------===//

/// Room for words on the thread's stack.
Value *Replacer::stackWords(unsigned count) {
  llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  return entry.CreateAlloca(builder.getInt32Ty(), entry.getInt32(count));
}

void Replacer::storeWords(llvm::ArrayRef<Value *> values, Value *words) {
  for (auto [i, value] : llvm::enumerate(values))
    builder.CreateStore(builder.CreateBitCast(value, builder.getInt32Ty()),
                        builder.CreateConstGEP1_32(builder.getInt32Ty(), words, i));
}

/// The words as the call's result, a struct of registers.
Value *Replacer::loadWords(Value *words) {
  auto *type = llvm::cast<llvm::StructType>(call.getType());
  Value *result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value *place = builder.CreateConstGEP1_32(builder.getInt32Ty(), words, i);
    result =
        builder.CreateInsertValue(result, builder.CreateLoad(type->getElementType(i), place), i);
  }
  return result;
}

Value *Replacer::warpGroupOperation() {
  Machine &machine = instrumenter.machine;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_fence_proxy_async:
  case llvm::Intrinsic::nvvm_fence_proxy_async_shared_cta:
  case llvm::Intrinsic::nvvm_fence_proxy_async_shared_cluster:
    machineCall(symbol::fenceProxies, builder.getVoidTy());
    return done();
  case llvm::Intrinsic::nvvm_wgmma_fence_sync_aligned:
    machineCall(symbol::fence, builder.getVoidTy());
    return done();
  case llvm::Intrinsic::nvvm_wgmma_commit_group_sync_aligned:
    machineCall(symbol::commit, builder.getVoidTy());
    return done();
  case llvm::Intrinsic::nvvm_wgmma_wait_group_sync_aligned: {
    Value *none = llvm::ConstantPointerNull::get(builder.getPtrTy());
    machineCall(symbol::wait, builder.getVoidTy(),
                {builder.CreateTrunc(operand(0), builder.getInt32Ty()), none, builder.getInt32(0)});
    return done();
  }
  default:
    break;
  }
  const llvm::StringRef name = call.getCalledFunction()->getName();
  if (!name.starts_with(warpGroupPrefix))
    return unknown;
  // Once for each function, before the first of its calls is gone.
  constexpr char planted[] = "tilewright.planted-uses";
  if (!call.getFunction()->hasFnAttribute(planted)) {
    plantUses(instrumenter, *call.getFunction());
    call.getFunction()->addFnAttr(planted);
  }

  llvm::SmallVector<Value *> operands(call.args());
  const target::MmaAtom *atom = findProduct(name);
  if (!atom) {
    if (!name.starts_with(warpGroupWaitPrefix))
      return unknown;
    llvm::ArrayRef<Value *> registers = llvm::ArrayRef(operands).drop_front();
    Value *words = stackWords(registers.size());
    storeWords(registers, words);
    machineCall(symbol::wait, builder.getVoidTy(),
                {operands[0], words, builder.getInt32(registers.size())});
    return loadWords(words);
  }

  machine.trackReaders();
  const unsigned count = accumulatorRegisters(*atom);
  const unsigned inRegisters = hasOperandInRegisters(*atom) ? operandRegisters : 0;
  llvm::ArrayRef<Value *> rest = llvm::ArrayRef(operands).drop_front(count + inRegisters);
  Value *words = stackWords(count + inRegisters);
  storeWords(llvm::ArrayRef(operands).take_front(count + inRegisters), words);
  Value *zero = builder.getInt64(0), *a = inRegisters ? zero : rest[0];
  rest = rest.take_back(4);
  auto *aAlongRows = llvm::dyn_cast<llvm::ConstantInt>(rest[2]);
  auto *bAlongRows = llvm::dyn_cast<llvm::ConstantInt>(rest[3]);
  if (!aAlongRows || !bAlongRows)
    return unknown;
  const ProductForm form = ProductForm::of(*atom, aAlongRows->isOne(), bAlongRows->isOne());
  const uint32_t index = instrumenter.addSite(call, "wgmma");
  Site &site = machine.sites[index];
  site.space = MemorySpace::Shared;
  site.kind = AccessKind::Load;
  site.isAsync = true;
  site.bytes = site.alignment = 16;
  instrumenter.callMachine(
      builder, symbol::product, builder.getVoidTy(), index,
      {instrumenter.hostPointer(machine.keep(std::as_bytes(std::span(&form, 1)))), words, a,
       rest[0], builder.CreateZExt(rest[1], builder.getInt32Ty())});
  return loadWords(words);
}
