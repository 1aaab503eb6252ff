//===- BufferAccess.cpp - Accesses through AMD's buffer resources -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A resource says where a buffer begins and how many bytes ("records") of it there are. Loads that
// are not inside of them give zero, stores do nothing; what is inside is an access of memory like
// any other, and checked as one. The machine keeps resources, and a pointer to one is the address
// where it lies.
//
// Of the pointers that intrinsics take, those of raw buffers are known: the stride is zero, and
// the second offset is left out of the comparison.
//
// Loads that transpose are here, too: what they read is watched in the same way.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/simulate/Replacer.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::amd;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {
/// After machine and site: ptr begin, i64 bytes -> ptr, to a Resource.
constexpr char makeResourceSymbol[] = "tilewright.amd.make_resource";

struct Resource {
  uint64_t address;
  uint64_t bytes;
};
} // namespace

static const void *makeResource(Machine *machine, uint32_t, uint64_t address, uint64_t bytes) {
  Resource resource = {address, bytes};
  return machine->keep(std::as_bytes(std::span(&resource, 1)));
}

std::span<const RuntimeSymbol> amd::bufferSymbols() {
  static const RuntimeSymbol symbols[] = {{makeResourceSymbol, addressOf(makeResource)}};
  return symbols;
}

/// Whether the instruction is the call that makes a resource.
static bool isResource(const llvm::Instruction &instruction) {
  auto *made = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return made && made->getCalledOperand()->getName() == makeResourceSymbol;
}

/// Where the resource of an operand begins and how many bytes it has. Where the operand is seen to
/// be made, what it is made of tells which buffer it is for.
std::pair<Value *, Value *> Replacer::resourceOf(Value *pointer) {
  constexpr unsigned globalSpace = 1;
  auto *made = llvm::dyn_cast<llvm::CallInst>(pointer->stripPointerCasts());
  if (made && made->getIntrinsicID() == Intrinsic::amdgcn_make_buffer_rsrc)
    return {made->getArgOperand(0), made->getArgOperand(2)};
  if (made && isResource(*made))
    return {made->getArgOperand(2), made->getArgOperand(3)};
  llvm::Type *i64 = builder.getInt64Ty();
  auto field = [&](unsigned index) {
    return builder.CreateLoad(i64, builder.CreateConstGEP1_64(i64, pointer, index));
  };
  return {builder.CreateIntToPtr(field(0), builder.getPtrTy(globalSpace)), field(1)};
}

/// Takes the operand from the call, and away what was only made for it.
void Replacer::dropResource(unsigned index) {
  auto *made = llvm::dyn_cast<llvm::Instruction>(operand(index));
  call.setArgOperand(index, llvm::PoisonValue::get(operand(index)->getType()));
  while (made && made->use_empty()) {
    llvm::CallInst *from = nullptr;
    if (llvm::isa<llvm::CastInst>(made))
      from = llvm::dyn_cast<llvm::CallInst>(made->getOperand(0));
    else if (!isResource(*made))
      return;
    made->eraseFromParent();
    made = from;
  }
}

Value *Replacer::bufferLoadOrStore(bool loads) {
  unsigned first = loads ? 0 : 1;
  llvm::Type *type = loads ? call.getType() : operand(0)->getType();
  llvm::Type *i64 = builder.getInt64Ty();
  uint64_t bytes = instrumenter.module.getDataLayout().getTypeStoreSize(type);

  auto [begin, size] = resourceOf(operand(first));
  Value *offset = builder.CreateZExt(operand(first + 1), i64);
  Value *end = builder.CreateAdd(offset, builder.getInt64(bytes));
  Value *inside = builder.CreateICmpULE(end, size);
  Value *distance = builder.CreateAdd(offset, builder.CreateZExt(operand(first + 2), i64));
  Value *pointer = builder.CreatePtrAdd(begin, distance);

  // A predicated access, which is a vector's.
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  auto *accessed = vector ? vector : llvm::FixedVectorType::get(type, 1);
  unsigned count = accessed->getNumElements();
  Value *mask = builder.CreateVectorSplat(count, inside);
  // Words are aligned to four bytes, less to what they are.
  llvm::Align alignment(std::min<uint64_t>(4, llvm::PowerOf2Ceil(bytes)));
  llvm::CallInst *access;
  if (loads) {
    access = builder.CreateMaskedLoad(accessed, pointer, alignment, mask,
                                      llvm::Constant::getNullValue(accessed));
  } else {
    Value *stored = vector ? operand(0) : builder.CreateVectorSplat(1, operand(0));
    access = builder.CreateMaskedStore(stored, pointer, alignment, mask);
  }
  Value *result = loads && !vector ? builder.CreateExtractElement(access, uint64_t(0)) : access;
  // What watches the access replaces it: the extraction stays, a vector is to be followed.
  if (loads && vector)
    result = builder.CreateFreeze(access);
  if (Expected<void> watched = instrumenter.instrumentAccess(*access); !watched)
    return unknown;
  dropResource(first);
  builder.SetInsertPoint(&call);
  return loads ? result : done();
}

/// A load of 16 bytes, watched; null if it cannot be. Where the address is one of two, or an offset
/// from one of two, each is loaded from under its condition, so that it is checked against its own
/// array.
Value *Replacer::watchedLoad(Value *pointer, Value *condition) {
  auto *offset = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  Value *base = offset ? offset->getPointerOperand() : pointer;
  if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(base)) {
    auto addOffset = [&](Value *chosen) -> Value * {
      if (!offset)
        return chosen;
      llvm::Instruction *address = offset->clone();
      address->setOperand(0, chosen);
      return builder.Insert(address);
    };
    Value *isFirst = builder.CreateFreeze(choice->getCondition());
    Value *first =
        watchedLoad(addOffset(choice->getTrueValue()), builder.CreateAnd(condition, isFirst));
    Value *second = watchedLoad(addOffset(choice->getFalseValue()),
                                builder.CreateAnd(condition, builder.CreateNot(isFirst)));
    return first && second ? builder.CreateSelect(isFirst, first, second) : nullptr;
  }
  constexpr unsigned alignment = 16;
  auto *type = llvm::cast<llvm::FixedVectorType>(call.getType());
  llvm::CallInst *access =
      builder.CreateMaskedLoad(type, pointer, llvm::Align(alignment),
                               builder.CreateVectorSplat(type->getNumElements(), condition),
                               llvm::Constant::getNullValue(type));
  // The watcher of the access replaces it: the copy stays.
  Value *loaded = builder.CreateFreeze(access);
  if (Expected<void> watched = instrumenter.instrumentAccess(*access); !watched)
    return nullptr;
  builder.SetInsertPoint(&call);
  return loaded;
}

/// Eight lanes exchange the eight elements that each of them loads: a lane gets an element of each,
/// that of its own number. In step d lanes whose numbers differ by d in XOR give each other one.
Value *Replacer::transposingLoad() {
  Value *own = watchedLoad(operand(0), builder.getTrue());
  if (!own)
    return unknown;
  constexpr unsigned group = 8;
  Value *result = llvm::PoisonValue::get(call.getType());
  for (unsigned step = 0; step < group; ++step) {
    Value *other = builder.CreateXor(lane(), builder.getInt32(step));
    Value *number = builder.CreateAnd(other, builder.getInt32(group - 1));
    Value *got = fromLane(builder.CreateExtractElement(own, number), other);
    result = builder.CreateInsertElement(result, got, number);
  }
  return result;
}

Value *Replacer::bufferAccess(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::amdgcn_global_load_tr_b128:
    return transposingLoad();
  case Intrinsic::amdgcn_make_buffer_rsrc: {
    if (constantOperand(1) != 0)
      return unknown;
    Value *size = builder.CreateZExt(operand(2), builder.getInt64Ty());
    Value *resource = machineCall(makeResourceSymbol, builder.getPtrTy(), {operand(0), size});
    return builder.CreateAddrSpaceCast(resource, call.getType());
  }
  case Intrinsic::amdgcn_raw_ptr_buffer_load:
    return bufferLoadOrStore(/*loads=*/true);
  case Intrinsic::amdgcn_raw_ptr_buffer_store:
    return bufferLoadOrStore(/*loads=*/false);
  default:
    return unknown;
  }
}
