//===- BufferAccess.cpp - Access through buffer resources ---------------------===//
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
//===--------------------------------------------------------------------------===//

#include "simulate/amd/Replacer.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace tilewright::simulate;
using namespace tilewright::simulate::amd;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {
/// After machine and site: i64 address, i64 bytes -> ptr, to a Resource.
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

Value *Replacer::bufferLoadOrStore(bool loads) {
  constexpr unsigned globalSpace = 1;
  unsigned first = loads ? 0 : 1;
  llvm::Type *type = loads ? call.getType() : operand(0)->getType();
  llvm::Type *i64 = builder.getInt64Ty();
  uint64_t bytes = instrumenter.module.getDataLayout().getTypeStoreSize(type);

  auto field = [&](unsigned index) {
    return builder.CreateLoad(i64, builder.CreateConstGEP1_64(i64, operand(first), index));
  };
  Value *begin = field(0), *size = field(1);
  Value *offset = builder.CreateZExt(operand(first + 1), i64);
  Value *end = builder.CreateAdd(offset, builder.getInt64(bytes));
  Value *inside = builder.CreateICmpULE(end, size);
  Value *address = builder.CreateAdd(builder.CreateAdd(begin, offset),
                                     builder.CreateZExt(operand(first + 2), i64));
  Value *pointer = builder.CreateIntToPtr(address, builder.getPtrTy(globalSpace));

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
  builder.SetInsertPoint(&call);
  return loads ? result : done();
}

Value *Replacer::bufferAccess(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::amdgcn_make_buffer_rsrc: {
    if (constantOperand(1) != 0)
      return unknown;
    Value *begin = builder.CreatePtrToInt(operand(0), builder.getInt64Ty());
    Value *resource = machineCall(makeResourceSymbol, builder.getPtrTy(),
                                  {begin, builder.CreateZExt(operand(2), builder.getInt64Ty())});
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
