//===- AsyncCopies.cpp - cp.async ---------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Semantics from the PTX ISA, section on cp.async: a thread copies 4, 8 or 16 bytes from global to
// shared memory, at addresses that are multiples of as many. With a source size, only so many of
// them are read, and the rest becomes zero. The copies since the last commit are a group; groups
// complete in order, when the thread waits for all but so many of them. There is no order between
// two copies that are outstanding.
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/Replacer.h"

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;

namespace {
namespace symbol {
// After machine and site, which is that of the store:
/// i64 to, i64 from, i32 bytes that are read
constexpr char copy[] = "tilewright.nvidia.async_copy";
constexpr char commit[] = "tilewright.nvidia.async_commit";
/// i32 groups that may be outstanding
constexpr char wait[] = "tilewright.nvidia.async_wait";
/// Waits for copies that are in no group, too.
constexpr char waitForAll[] = "tilewright.nvidia.async_wait_all";
} // namespace symbol
} // namespace

static void copy(Machine *machine, uint32_t site, uint64_t to, uint64_t from, uint32_t bytesRead) {
  const uint32_t bytes = machine->sites[site].bytes;
  if (bytesRead > bytes)
    machine->fail(site, "an asynchronous copy of " + std::to_string(bytes) + " bytes is to read " +
                            std::to_string(bytesRead));
  else
    machine->issueAsync(site, {from, bytesRead}, {to, bytes});
  machine->leaveIfFailed();
}

static void commit(Machine *machine, uint32_t) { machine->commitAsync(); }

static void wait(Machine *machine, uint32_t site, uint32_t left) { machine->waitAsync(site, left); }

static void waitForAll(Machine *machine, uint32_t site) {
  machine->commitAsync();
  machine->waitAsync(site, 0);
}

std::span<const RuntimeSymbol> nvidia::asyncCopySymbols() {
  static const RuntimeSymbol symbols[] = {{symbol::copy, addressOf(copy)},
                                          {symbol::commit, addressOf(commit)},
                                          {symbol::wait, addressOf(wait)},
                                          {symbol::waitForAll, addressOf(waitForAll)}};
  return symbols;
}

Value *Replacer::asyncOperation() {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_4:
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_4_s:
    return asyncCopy(4);
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_8:
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_8_s:
    return asyncCopy(8);
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_16:
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_16_s:
  case llvm::Intrinsic::nvvm_cp_async_cg_shared_global_16:
  case llvm::Intrinsic::nvvm_cp_async_cg_shared_global_16_s:
    return asyncCopy(16);
  case llvm::Intrinsic::nvvm_cp_async_commit_group:
    machineCall(symbol::commit, builder.getVoidTy());
    return done();
  case llvm::Intrinsic::nvvm_cp_async_wait_group:
    machineCall(symbol::wait, builder.getVoidTy(), {operand(0)});
    return done();
  case llvm::Intrinsic::nvvm_cp_async_wait_all:
    machineCall(symbol::waitForAll, builder.getVoidTy());
    return done();
  default:
    return unknown;
  }
}

Value *Replacer::asyncCopy(uint32_t bytes) {
  Value *to = operand(0), *from = operand(1);
  const bool isSized = call.arg_size() > 2;
  Value *bytesRead = isSized ? operand(2) : builder.getInt32(bytes);
  Value *readsAny = builder.CreateICmpNE(bytesRead, builder.getInt32(0));
  Value *readsAll = builder.CreateICmpEQ(bytesRead, builder.getInt32(bytes));

  // A source on the thread's own stack has no site.
  auto plantCheckOf = [&](Value *pointer, uint32_t size, uint32_t alignment) {
    if (std::optional<uint32_t> site =
            instrumenter.memorySite(call, pointer, AccessKind::Load, size, alignment))
      instrumenter.plantCheck(builder, pointer, *site);
  };
  auto plantUnder = [&](Value *condition, llvm::function_ref<void()> plant) {
    builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(condition, &call, false));
    plant();
    builder.SetInsertPoint(&call);
  };
  if (std::optional<uint32_t> source =
          instrumenter.memorySite(call, from, AccessKind::Load, bytes, bytes)) {
    instrumenter.plantCount(builder, from, readsAny, *source);
    plantUnder(readsAll, [&] { instrumenter.plantCheck(builder, from, *source); });
  }
  // The first and the last byte of a part.
  if (isSized)
    plantUnder(builder.CreateAnd(readsAny, builder.CreateNot(readsAll)), [&] {
      plantCheckOf(from, 1, bytes);
      Value *last = builder.CreateSub(bytesRead, builder.getInt32(1));
      plantCheckOf(builder.CreateGEP(builder.getInt8Ty(), from, last), 1, 1);
    });

  std::optional<uint32_t> target =
      instrumenter.memorySite(call, to, AccessKind::Store, bytes, bytes);
  if (!target)
    return unknown;
  instrumenter.machine.sites[*target].isAsync = true;
  instrumenter.plantCount(builder, to, builder.getTrue(), *target);
  llvm::Type *i64 = builder.getInt64Ty();
  instrumenter.callMachine(
      builder, symbol::copy, builder.getVoidTy(), *target,
      {builder.CreatePtrToInt(to, i64), builder.CreatePtrToInt(from, i64), bytesRead});
  return done();
}
