//===- TensorMemoryCalls.cpp - Calls of tcgen05 -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM's intrinsics llvm.nvvm.tcgen05.*, of one block, and the waits of
// plan/TensorMemoryFunctions.h. The words of a load may only pass to such a wait: before any other
// use of one a call is planted that reports it.
//
//===--------------------------------------------------------------------------===//

#include "target/NvidiaAtoms.h"
#include "vendor/nvidia/plan/TensorMemoryFunctions.h"
#include "vendor/nvidia/simulate/Replacer.h"
#include "vendor/nvidia/simulate/TensorMemory.h"

#include <llvm/IR/Instructions.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using namespace tilewright::vendor::nvidia;
using llvm::Value;

namespace {
namespace symbol {
// After machine and site:
/// i64 address, i32 columns
constexpr char allocate[] = "tilewright.nvidia.tensor_allocate";
constexpr char relinquish[] = "tilewright.nvidia.tensor_relinquish";
/// i32 address, i32 columns
constexpr char release[] = "tilewright.nvidia.tensor_release";
/// ptr form, i32 address, ptr registers
constexpr char load[] = "tilewright.nvidia.tensor_load";
constexpr char store[] = "tilewright.nvidia.tensor_store";
constexpr char waitForLoads[] = "tilewright.nvidia.tensor_wait_loads";
constexpr char waitForStores[] = "tilewright.nvidia.tensor_wait_stores";
constexpr char useEarly[] = "tilewright.nvidia.tensor_use_early";
/// i32 accumulator, i64 a, i64 b, i32 description, i32 kind, i32 a in tensor memory, i32 uses d
constexpr char product[] = "tilewright.nvidia.tensor_product";
/// i64 address
constexpr char commit[] = "tilewright.nvidia.tensor_commit";
constexpr char endThread[] = "tilewright.nvidia.tensor_end_thread";
} // namespace symbol

/// The operands of a warp for an allocation.
struct AllocationOperands {
  uint64_t address;
  uint32_t columns;
};
} // namespace

static TensorMemory &memoryOf(Machine &machine) { return machine.blockState<TensorMemory>(); }

static const AllocationOperands &firstOf(const GroupExchange &exchange) {
  return *static_cast<const AllocationOperands *>(exchange.operands.front());
}

static void allocate(Machine *machine, uint32_t site, uint64_t address, uint32_t columns) {
  AllocationOperands operands{address, columns};
  machine->groupOperation(site, 1, &operands, [](GroupExchange &exchange) {
    memoryOf(*exchange.machine)
        .allocate(*exchange.machine, exchange.site, firstOf(exchange).address,
                  firstOf(exchange).columns);
  });
  machine->leaveIfFailed();
}

static void relinquish(Machine *machine, uint32_t site) {
  machine->groupOperation(
      site, 1, nullptr, [](GroupExchange &exchange) { memoryOf(*exchange.machine).relinquish(); });
  machine->leaveIfFailed();
}

static void release(Machine *machine, uint32_t site, uint32_t address, uint32_t columns) {
  AllocationOperands operands{address, columns};
  machine->groupOperation(site, 1, &operands, [](GroupExchange &exchange) {
    memoryOf(*exchange.machine)
        .release(*exchange.machine, exchange.site, static_cast<uint32_t>(firstOf(exchange).address),
                 firstOf(exchange).columns);
  });
  machine->leaveIfFailed();
}

static void load(Machine *machine, uint32_t site, const TensorCopyForm *form, uint32_t address,
                 uint32_t *registers) {
  TensorCopyOperands operands{form, address, registers};
  machine->groupOperation(site, 1, &operands, [](GroupExchange &exchange) {
    memoryOf(*exchange.machine).load(exchange);
  });
  machine->leaveIfFailed();
}

static void store(Machine *machine, uint32_t site, const TensorCopyForm *form, uint32_t address,
                  uint32_t *registers) {
  TensorCopyOperands operands{form, address, registers};
  machine->groupOperation(site, 1, &operands, [](GroupExchange &exchange) {
    memoryOf(*exchange.machine).store(exchange);
  });
  machine->leaveIfFailed();
}

static void waitForLoads(Machine *machine, uint32_t) {
  memoryOf(*machine).waitForLoads(machine->currentThread());
}

static void waitForStores(Machine *machine, uint32_t) {
  memoryOf(*machine).waitForStores(*machine, machine->currentThread());
}

static void useEarly(Machine *machine, uint32_t site) {
  machine->fail(site, "a register of tcgen05.ld is used before tcgen05.wait::ld",
                "what is read of it must be read after the wait");
  machine->leaveIfFailed();
}

static void product(Machine *machine, uint32_t site, uint32_t accumulator, uint64_t a, uint64_t b,
                    uint32_t description, uint32_t kind, uint32_t aInTensorMemory,
                    uint32_t usesAccumulator) {
  memoryOf(*machine).multiply(
      *machine, site,
      {accumulator, a, b, description, kind, aInTensorMemory != 0, usesAccumulator != 0});
  machine->leaveIfFailed();
}

static void commit(Machine *machine, uint32_t site, uint64_t address) {
  memoryOf(*machine).commit(*machine, site, address);
  machine->leaveIfFailed();
}

static void endThread(Machine *machine, uint32_t site) {
  memoryOf(*machine).endThread(*machine, site);
  machine->leaveIfFailed();
}

std::span<const RuntimeSymbol> nvidia::tensorMemorySymbols() {
  static const RuntimeSymbol symbols[] = {{symbol::allocate, addressOf(allocate)},
                                          {symbol::relinquish, addressOf(relinquish)},
                                          {symbol::release, addressOf(release)},
                                          {symbol::load, addressOf(load)},
                                          {symbol::store, addressOf(store)},
                                          {symbol::waitForLoads, addressOf(waitForLoads)},
                                          {symbol::waitForStores, addressOf(waitForStores)},
                                          {symbol::useEarly, addressOf(useEarly)},
                                          {symbol::product, addressOf(product)},
                                          {symbol::commit, addressOf(commit)},
                                          {symbol::endThread, addressOf(endThread)}};
  return symbols;
}

//===----------------------------------------------------------------------------===//
// Registers under way
//===----------------------------------------------------------------------------===//

static bool isLoadWait(const llvm::User *user) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(user);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(tensorLoadWaitPrefix);
}

/// Plants a report before each use of `value`, words of a load, that is not a wait for it.
static void plantEarlyUses(Instrumenter &instrumenter, Value *value) {
  for (llvm::User *user : value->users()) {
    if (isLoadWait(user))
      continue;
    if (llvm::isa<llvm::ExtractElementInst>(user)) {
      plantEarlyUses(instrumenter, user);
      continue;
    }
    auto *instruction = llvm::cast<llvm::Instruction>(user);
    llvm::IRBuilder<> builder(instruction);
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      builder.SetInsertPoint(phi->getParent(), phi->getParent()->getFirstInsertionPt());
    instrumenter.callMachine(builder, symbol::useEarly, builder.getVoidTy(),
                             instrumenter.addSite(*instruction, "use of a load"), {});
  }
}

//===----------------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------------===//

/// The i32 that a pointer to tensor memory is.
static Value *addressWord(llvm::IRBuilder<> &builder, Value *pointer) {
  return builder.CreateTrunc(builder.CreatePtrToInt(pointer, builder.getInt64Ty()),
                             builder.getInt32Ty());
}

/// `name`: "tcgen05.ld.16x256b.x8".
static std::optional<TensorCopyForm> parseCopy(llvm::StringRef name) {
  auto [atomName, times] = name.rsplit(".x");
  unsigned count;
  if (times.getAsInteger(10, count))
    return std::nullopt;
  for (const target::CopyAtom &atom : target::nvidia::sm100Copies())
    if (llvm::StringRef(atom.name) == atomName) {
      const auto inAtom =
          static_cast<uint32_t>(atom.registers().map.inSize(layout::dims::Register));
      return TensorCopyForm{&atom, count, count * inAtom, 0};
    }
  return std::nullopt;
}

Value *Replacer::tensorCopyOperation(llvm::StringRef name) {
  std::optional<TensorCopyForm> form = parseCopy(name);
  if (!form)
    return unknown;
  const bool isLoad = name.starts_with("tcgen05.ld.");
  unsigned next = 1;
  if (name.contains("16x32bx2")) {
    std::optional<uint64_t> split = constantOperand(next++);
    if (!split)
      return unknown;
    form->splitColumns = static_cast<uint32_t>(*split);
  }
  // .pack::16b and .unpack::16b.
  if (constantOperand(call.arg_size() - 1) != 0)
    return unknown;
  Value *registers = stackWords(form->words);
  const bool isVector = form->words > 1;
  if (!isLoad)
    for (uint32_t i = 0; i < form->words; ++i)
      builder.CreateStore(isVector ? builder.CreateExtractElement(operand(next), i) : operand(next),
                          builder.CreateConstGEP1_32(builder.getInt32Ty(), registers, i));
  machineCall(
      isLoad ? symbol::load : symbol::store, builder.getVoidTy(),
      {instrumenter.hostPointer(instrumenter.machine.keep(std::as_bytes(std::span(&*form, 1)))),
       addressWord(builder, operand(0)), registers});
  if (!isLoad)
    return done();
  plantEarlyUses(instrumenter, &call);
  if (!isVector)
    return builder.CreateLoad(builder.getInt32Ty(), registers);
  Value *result = llvm::PoisonValue::get(call.getType());
  for (uint32_t i = 0; i < form->words; ++i)
    result = builder.CreateInsertElement(
        result,
        builder.CreateLoad(builder.getInt32Ty(),
                           builder.CreateConstGEP1_32(builder.getInt32Ty(), registers, i)),
        i);
  return result;
}

Value *Replacer::tensorProduct(llvm::StringRef name) {
  const bool inTensorMemory = name == "tcgen05.mma.tensor";
  // One block, no collector of A to keep.
  if ((!inTensorMemory && name != "tcgen05.mma.shared") || constantOperand(6) != 1 ||
      constantOperand(7) != 0)
    return unknown;
  instrumenter.machine.trackAsyncUnits();
  llvm::Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
  const uint32_t index = instrumenter.addSite(call, "tcgen05.mma");
  Site &site = instrumenter.machine.sites[index];
  site.space = MemorySpace::Shared;
  site.kind = AccessKind::Load;
  site.isAsync = true;
  site.bytes = site.alignment = 16;
  Value *a = inTensorMemory ? builder.CreatePtrToInt(operand(1), i64) : operand(1);
  instrumenter.callMachine(builder, symbol::product, builder.getVoidTy(), index,
                           {addressWord(builder, operand(0)), a, operand(2), operand(3), operand(5),
                            builder.getInt32(inTensorMemory), builder.CreateZExt(operand(4), i32)});
  return done();
}

/// Adds a site for a word of shared memory.
uint32_t Replacer::sharedWordSite(unsigned bytes) {
  instrumenter.machine.trackAsyncUnits();
  const uint32_t index = instrumenter.addSite(call, operation);
  Site &site = instrumenter.machine.sites[index];
  site.space = MemorySpace::Shared;
  site.kind = AccessKind::Store;
  site.bytes = site.alignment = bytes;
  return index;
}

Value *Replacer::tensorMemoryOperation() {
  llvm::StringRef name = call.getCalledFunction()->getName();
  llvm::Type *i64 = builder.getInt64Ty();
  if (name.starts_with(tensorLoadWaitPrefix)) {
    machineCall(symbol::waitForLoads, builder.getVoidTy());
    Value *result = llvm::PoisonValue::get(call.getType());
    for (unsigned i = 0; i < call.arg_size(); ++i)
      result = builder.CreateInsertValue(result, operand(i), i);
    return result;
  }
  if (!name.consume_front("llvm.nvvm.") || !name.starts_with("tcgen05."))
    return unknown;
  if (name == "tcgen05.alloc.shared.cg1") {
    plantEndChecks();
    instrumenter.callMachine(builder, symbol::allocate, builder.getVoidTy(), sharedWordSite(4),
                             {builder.CreatePtrToInt(operand(0), i64), operand(1)});
    return done();
  }
  if (name == "tcgen05.relinq.alloc.permit.cg1") {
    machineCall(symbol::relinquish, builder.getVoidTy());
    return done();
  }
  if (name == "tcgen05.dealloc.cg1") {
    machineCall(symbol::release, builder.getVoidTy(),
                {addressWord(builder, operand(0)), operand(1)});
    return done();
  }
  if (name == "tcgen05.wait.ld" || name == "tcgen05.wait.st") {
    machineCall(name.ends_with("ld") ? symbol::waitForLoads : symbol::waitForStores,
                builder.getVoidTy());
    return done();
  }
  // What they order, threads see here when they have met.
  if (name == "tcgen05.fence.before.thread.sync" || name == "tcgen05.fence.after.thread.sync")
    return done();
  if (name == "tcgen05.commit.shared.cg1") {
    instrumenter.callMachine(builder, symbol::commit, builder.getVoidTy(), sharedWordSite(8),
                             {builder.CreatePtrToInt(operand(0), i64)});
    return done();
  }
  if (name.starts_with("tcgen05.ld.") || name.starts_with("tcgen05.st."))
    return tensorCopyOperation(name);
  return tensorProduct(name);
}

/// Before each return of a kernel that takes columns.
void Replacer::plantEndChecks() {
  for (llvm::BasicBlock &block : *call.getFunction())
    if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
      llvm::IRBuilder<> atEnd(end);
      instrumenter.callMachine(atEnd, symbol::endThread, atEnd.getVoidTy(),
                               instrumenter.addSite(*end, "the end of the kernel"), {});
    }
}
