//===- InstrumentMemory.cpp - Instrumentation of memory accesses --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/VendorOperations.h"
#include "simulate/instrument/Instrument.h"

#include <llvm/ADT/SmallBitVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace tilewright;
using namespace tilewright::simulate;

std::optional<size_t> Instrumenter::launchBlockOf(const llvm::Function *function) const {
  for (size_t i = 0; function && i < vendor.launchBlocks.size(); ++i)
    if (vendor.launchBlocks[i].function == std::string_view(function->getName()))
      return i;
  return std::nullopt;
}

std::optional<uint32_t> Instrumenter::memorySite(const llvm::Instruction &instruction,
                                                 const llvm::Value *pointer, AccessKind kind,
                                                 uint64_t bytes, uint64_t alignment) {
  const AddressSpaces &spaces = vendor.addressSpaces;
  unsigned addressSpace = pointer->getType()->getPointerAddressSpace();
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  const llvm::Value *object = objects.size() == 1 ? objects.front() : nullptr;
  if (object && llvm::isa<llvm::AllocaInst>(object))
    return std::nullopt;

  uint32_t index = addSite(instruction, instruction.getOpcodeName());
  Site &site = machine.sites[index];
  site.space = addressSpace == spaces.shared    ? MemorySpace::Shared
               : addressSpace == spaces.generic ? MemorySpace::Generic
               : addressSpace == spaces.stack   ? MemorySpace::Stack
               : addressSpace == spaces.cluster ? MemorySpace::Cluster
                                                : MemorySpace::Global;
  site.kind = kind;
  site.bytes = bytes;
  site.alignment = alignment;
  if (auto *argument = llvm::dyn_cast_or_null<llvm::Argument>(object);
      argument && argument->getParent() == &kernel)
    site.parameter = argument->getArgNo();
  auto setSize = [&](uint64_t size) { site.range.limit = size >= bytes ? size - bytes + 1 : 0; };
  if (auto *variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(object);
      variable && addressSpace != spaces.shared && addressSpace != spaces.cluster) {
    site.object = ("the module's variable @" + variable->getName()).str();
    variables[index] = const_cast<llvm::GlobalVariable *>(variable);
    setSize(module.getDataLayout().getTypeAllocSize(variable->getValueType()));
  }
  if (auto *call = llvm::dyn_cast_or_null<llvm::CallInst>(object))
    if (std::optional<size_t> block = launchBlockOf(call->getCalledFunction())) {
      site.object = vendor.launchBlocks[*block].name;
      std::span<const std::byte> bytesOfBlock = machine.launchBlock(*block);
      site.range.begin = reinterpret_cast<uint64_t>(bytesOfBlock.data());
      setSize(kind == AccessKind::Load ? bytesOfBlock.size() : 0);
    }
  return index;
}

/// Plants the check of one access. Where the last known range or the module's variable
/// tells that it is right, the machine is not called.
void Instrumenter::plantCheck(llvm::IRBuilderBase &builder, llvm::Value *pointer,
                              uint32_t siteIndex) {
  const Site &site = machine.sites[siteIndex];
  llvm::Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  if (site.space == MemorySpace::Shared || site.space == MemorySpace::Cluster) {
    callMachine(builder, runtime_call::checkShared, builder.getVoidTy(), siteIndex, {address});
    return;
  }
  llvm::Constant *beginField = hostPointer(&site.range.begin);
  // A variable's address is known to compiled code only.
  if (llvm::GlobalVariable *variable = variables.lookup(siteIndex))
    builder.CreateStore(builder.CreatePtrToInt(variable, builder.getInt64Ty()), beginField);
  llvm::Value *begin = builder.CreateLoad(builder.getInt64Ty(), beginField);
  llvm::Value *limit = builder.CreateLoad(builder.getInt64Ty(), hostPointer(&site.range.limit));
  llvm::Value *bad = builder.CreateICmpUGE(builder.CreateSub(address, begin), limit);
  if (site.alignment > 1) {
    llvm::Value *low = builder.CreateAnd(address, builder.getInt64(site.alignment - 1));
    bad = builder.CreateOr(bad, builder.CreateICmpNE(low, builder.getInt64(0)));
  }
  llvm::Instruction *before = &*builder.GetInsertPoint();
  llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(
      bad, before, false, llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(then);
  callMachine(builder, runtime_call::checkAddress, builder.getVoidTy(), siteIndex, {address});
  builder.SetInsertPoint(before);
  if (site.kind == AccessKind::Load)
    plantLoad(builder, pointer, siteIndex);
}

void Instrumenter::plantCount(llvm::IRBuilderBase &builder, llvm::Value *pointer,
                              llvm::Value *active, uint32_t site) {
  if (!options.count)
    return;
  llvm::Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  callMachine(builder, runtime_call::countAccess, builder.getVoidTy(), site,
              {address, builder.CreateZExt(active, builder.getInt32Ty())});
}

Expected<void> Instrumenter::instrumentAccess(llvm::Instruction &instruction) {
  if (auto *masked = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return instrumentMasked(*masked);

  const llvm::DataLayout &layout = module.getDataLayout();
  llvm::Value *pointer = nullptr;
  llvm::Type *type = nullptr;
  AccessKind kind = AccessKind::Atomic;
  llvm::Align alignment;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    pointer = load->getPointerOperand();
    type = load->getType();
    alignment = load->getAlign();
    kind = load->isAtomic() ? AccessKind::Atomic : AccessKind::Load;
    if (load->isAtomic())
      load->setSyncScopeID(llvm::SyncScope::System);
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    pointer = store->getPointerOperand();
    type = store->getValueOperand()->getType();
    alignment = store->getAlign();
    kind = store->isAtomic() ? AccessKind::Atomic : AccessKind::Store;
    if (store->isAtomic())
      store->setSyncScopeID(llvm::SyncScope::System);
  } else if (auto *modify = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    pointer = modify->getPointerOperand();
    type = modify->getValOperand()->getType();
    alignment = modify->getAlign();
  } else {
    auto &exchange = llvm::cast<llvm::AtomicCmpXchgInst>(instruction);
    pointer = exchange.getPointerOperand();
    type = exchange.getCompareOperand()->getType();
    alignment = exchange.getAlign();
  }

  std::optional<uint32_t> site =
      memorySite(instruction, pointer, kind, layout.getTypeStoreSize(type), alignment.value());
  if (site) {
    llvm::IRBuilder<> builder(&instruction);
    plantCount(builder, pointer, builder.getTrue(), *site);
    plantCheck(builder, pointer, *site);
    if (kind == AccessKind::Atomic)
      plantAtomic(instruction, pointer, *site);
    else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      plantStore(*store, *site);
  }
  // A thread keeps its turn from a load to the store after it, so that the two are one step. The
  // host need not have the operation: it has none on vectors.
  if (auto *modify = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    llvm::lowerAtomicRMWInst(modify);
  else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    llvm::lowerAtomicCmpXchgInst(exchange);
  return {};
}

/// The one condition that all elements of a mask are equal to, if that can be seen.
static llvm::Value *uniformMask(llvm::IRBuilderBase &builder, llvm::Value *mask) {
  if (llvm::Value *splat = llvm::getSplatValue(mask))
    return splat;
  unsigned count = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  if (count == 1)
    return builder.CreateExtractElement(mask, uint64_t(0));
  // A chain of insertions of one value into every element.
  llvm::Value *common = nullptr;
  llvm::SmallBitVector seen(count);
  for (llvm::Value *chain = mask; seen.count() < count;) {
    auto *insert = llvm::dyn_cast<llvm::InsertElementInst>(chain);
    if (!insert)
      return nullptr;
    auto *index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    if (!index || index->getZExtValue() >= count)
      return nullptr;
    if (!seen.test(index->getZExtValue())) {
      if (common && common != insert->getOperand(1))
        return nullptr;
      common = insert->getOperand(1);
      seen.set(index->getZExtValue());
    }
    chain = insert->getOperand(0);
  }
  return common;
}

/// A masked access becomes a branch around a plain one if all elements share a condition:
/// that is how a predicated vector access looks, and it is checked as the one access
/// that it is. Otherwise each element is accessed on its own.
Expected<void> Instrumenter::instrumentMasked(llvm::IntrinsicInst &call) {
  const llvm::DataLayout &layout = module.getDataLayout();
  bool loads = call.getIntrinsicID() == llvm::Intrinsic::masked_load;
  unsigned pointerOperand = loads ? 0 : 1;
  llvm::Value *pointer = call.getArgOperand(pointerOperand);
  llvm::Value *mask = call.getArgOperand(pointerOperand + 1);
  llvm::Value *stored = loads ? nullptr : call.getArgOperand(0);
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(loads ? call.getType() : stored->getType());
  if (!type)
    return errorAt(call, "the simulator knows no vectors of scalable length");
  llvm::Align alignment = call.getParamAlign(pointerOperand).valueOrOne();
  AccessKind kind = loads ? AccessKind::Load : AccessKind::Store;
  llvm::Value *result = loads ? call.getArgOperand(2) : nullptr;

  /// Accesses `part` (all or one element) under `condition`; gives what was loaded, or
  /// `otherwise`.
  llvm::IRBuilder<> builder(&call);
  auto accessUnder = [&](llvm::Value *condition, llvm::Value *address, llvm::Type *part,
                         llvm::Align partAlignment, llvm::Value *value, llvm::Value *otherwise,
                         std::optional<uint32_t> site) -> llvm::Value * {
    if (site)
      plantCount(builder, address, condition, *site);
    llvm::BasicBlock *head = builder.GetInsertBlock();
    llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(condition, &call, false);
    builder.SetInsertPoint(then);
    if (site)
      plantCheck(builder, address, *site);
    llvm::Value *loaded = nullptr;
    if (loads) {
      loaded = builder.CreateAlignedLoad(part, address, partAlignment);
    } else {
      llvm::StoreInst *store = builder.CreateAlignedStore(value, address, partAlignment);
      if (site)
        plantStore(*store, *site);
    }
    llvm::BasicBlock *body = builder.GetInsertBlock();
    builder.SetInsertPoint(&call);
    if (!loads)
      return nullptr;
    llvm::PHINode *phi = llvm::PHINode::Create(part, 2, "", call.getParent()->begin());
    phi->addIncoming(loaded, body);
    phi->addIncoming(otherwise, head);
    return phi;
  };

  if (llvm::Value *condition = uniformMask(builder, mask)) {
    std::optional<uint32_t> site =
        memorySite(call, pointer, kind, layout.getTypeStoreSize(type), alignment.value());
    result = accessUnder(condition, pointer, type, alignment, stored, result, site);
  } else {
    llvm::Type *element = type->getElementType();
    uint64_t bytes = layout.getTypeStoreSize(element);
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      llvm::Align partAlignment = llvm::commonAlignment(alignment, i * bytes);
      std::optional<uint32_t> site = memorySite(call, pointer, kind, bytes, partAlignment.value());
      llvm::Value *address = builder.CreateConstGEP1_64(element, pointer, i);
      llvm::Value *condition = builder.CreateExtractElement(mask, i);
      llvm::Value *value = loads ? nullptr : builder.CreateExtractElement(stored, i);
      llvm::Value *otherwise = loads ? builder.CreateExtractElement(result, i) : nullptr;
      llvm::Value *loaded =
          accessUnder(condition, address, element, partAlignment, value, otherwise, site);
      if (loads)
        result = builder.CreateInsertElement(result, loaded, i);
    }
  }
  if (loads)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return {};
}

/// Shared variables get their places: first the dynamic part, which all external
/// variables of unknown size name, if there are any, then the others.
Expected<void> Instrumenter::placeSharedVariables() {
  const llvm::DataLayout &layout = module.getDataLayout();
  llvm::SmallVector<std::pair<llvm::GlobalVariable *, uint64_t>> places;
  uint64_t bytes = 0;
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == vendor.addressSpaces.shared && variable.isDeclaration())
      bytes = machine.registers.sharedBytes;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != vendor.addressSpaces.shared)
      continue;
    if (variable.isDeclaration()) {
      places.push_back({&variable, 0});
      continue;
    }
    bytes = llvm::alignTo(bytes, layout.getPreferredAlign(&variable));
    places.push_back({&variable, bytes});
    bytes += layout.getTypeAllocSize(variable.getValueType());
  }
  if (bytes > static_cast<uint64_t>(options.sharedBytesLimit))
    return makeError("the kernel needs " + std::to_string(bytes) +
                         " bytes of shared memory, the simulator has " +
                         std::to_string(options.sharedBytesLimit),
                     "use smaller tiles or fewer stages");
  if (!machine.shared.reserve(bytes, machine.blocksPerCluster()))
    return makeError("no room for the simulator's shared memory below 4 GiB");
  for (auto [variable, offset] : places) {
    llvm::Constant *address = llvm::ConstantExpr::getIntToPtr(
        llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()),
                               machine.shared.begin() + offset),
        variable->getType());
    variable->replaceAllUsesWith(address);
    variable->eraseFromParent();
  }
  return {};
}
