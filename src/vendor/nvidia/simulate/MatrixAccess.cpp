//===- MatrixAccess.cpp - ldmatrix and stmatrix -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Semantics from the PTX ISA, sections on ldmatrix and stmatrix, the shape .m8n8 of .b16
// elements. Lane 8m + i names the address of row i of matrix m, and each lane holds two
// elements of every matrix in one 32-bit word: which, is read off the maps of the atoms ldmatrix
// and ldmatrix.trans (target/NvidiaAtoms.cpp).
//
// Bounds and alignment are the business of the lane that names a row, and so are its banks. An
// element is read or written by the lane that holds it: which is why such an access needs a
// barrier for other accesses of its warp. It makes the lanes wait for each other, but does not
// order what they did in memory.
//
//===--------------------------------------------------------------------------===//

#include "target/NvidiaAtoms.h"
#include "vendor/nvidia/simulate/Replacer.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

#include <cstring>
#include <optional>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;

namespace {
namespace symbol {
/// After machine and site: i64 address, ptr words, i32 matrices (1, 2 or 4), i32 transposed: as
/// many words of the lane as matrices are loaded or stored, as the site's kind of access says.
constexpr char accessMatrices[] = "tilewright.nvidia.access_matrices";
} // namespace symbol
} // namespace

static constexpr uint32_t rows = 8, elementBytes = 2;
static constexpr uint32_t transposedBit = 1u << 31;

/// Which element of a matrix each lane has; of stmatrix the same.
static const target::AccessForm &formOf(bool isTransposed) {
  static const target::CopyAtom plain = target::nvidia::matrixCopy("ldmatrix", true, false),
                                transposed =
                                    target::nvidia::matrixCopy("ldmatrix.trans", true, true);
  return *(isTransposed ? transposed : plain).form(elementBytes);
}

/// The words of a lane, which lie in its own frame.
static uint8_t *wordsOf(const WarpExchange::Lane &lane) {
  return reinterpret_cast<uint8_t *>(uint64_t(lane.operands[2]) << 32 | lane.operands[1]);
}

// Operands: the address, the address of the words (two halves), and the number of matrices with
// transposedBit.
static void combineMatrixAccess(WarpExchange &exchange) {
  const Site &site = exchange.machine->sites[exchange.site];
  const uint32_t shape = exchange.lane[0].operands[3], matrices = shape & ~transposedBit;
  const target::AccessForm &form = formOf(shape & transposedBit);
  const uint32_t inMatrix = 1u << form.registerBits;
  for (uint32_t matrix = 0; matrix < matrices; ++matrix)
    for (uint32_t holder = 0; holder < 1u << form.laneBits; ++holder)
      for (uint32_t element = matrix * inMatrix; element < (matrix + 1) * inMatrix; ++element) {
        const target::AccessForm::Position at = form.locate(element, holder);
        const uint64_t address =
            exchange.lane[at.addressLane].operands[0] + uint64_t(at.offset) * elementBytes;
        if (!exchange.machine->accessShared(exchange.firstThread + holder, exchange.site, address,
                                            elementBytes))
          return;
        uint8_t *held = wordsOf(exchange.lane[holder]) + elementBytes * element;
        auto *place = reinterpret_cast<uint8_t *>(address);
        if (site.kind == AccessKind::Load)
          std::memcpy(held, place, elementBytes);
        else
          std::memcpy(place, held, elementBytes);
      }
}

static void accessMatrices(Machine *machine, uint32_t site, uint64_t address, uint32_t *words,
                           uint32_t matrices, uint32_t transposed) {
  if (machine->registers.lane < rows * matrices) {
    machine->checkSharedRange(site, address);
    machine->leaveIfFailed();
  }
  auto frame = reinterpret_cast<uint64_t>(words);
  machine->warpOperation(site, 0xffffffff,
                         {static_cast<uint32_t>(address), static_cast<uint32_t>(frame),
                          static_cast<uint32_t>(frame >> 32),
                          matrices | (transposed ? transposedBit : 0)},
                         combineMatrixAccess);
}

std::span<const RuntimeSymbol> nvidia::matrixAccessSymbols() {
  static const RuntimeSymbol symbols[] = {
      {symbol::accessMatrices, addressOf(accessMatrices)},
  };
  return symbols;
}

namespace {
struct Shape {
  bool loads;
  unsigned matrices;
  bool isTransposed;
};
} // namespace

static std::optional<Shape> shapeOf(llvm::Intrinsic::ID id) {
  using namespace llvm::Intrinsic;
  switch (id) {
  case nvvm_ldmatrix_sync_aligned_m8n8_x1_b16:
    return Shape{true, 1, false};
  case nvvm_ldmatrix_sync_aligned_m8n8_x2_b16:
    return Shape{true, 2, false};
  case nvvm_ldmatrix_sync_aligned_m8n8_x4_b16:
    return Shape{true, 4, false};
  case nvvm_ldmatrix_sync_aligned_m8n8_x1_trans_b16:
    return Shape{true, 1, true};
  case nvvm_ldmatrix_sync_aligned_m8n8_x2_trans_b16:
    return Shape{true, 2, true};
  case nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16:
    return Shape{true, 4, true};
  case nvvm_stmatrix_sync_aligned_m8n8_x1_b16:
    return Shape{false, 1, false};
  case nvvm_stmatrix_sync_aligned_m8n8_x2_b16:
    return Shape{false, 2, false};
  case nvvm_stmatrix_sync_aligned_m8n8_x4_b16:
    return Shape{false, 4, false};
  case nvvm_stmatrix_sync_aligned_m8n8_x1_trans_b16:
    return Shape{false, 1, true};
  case nvvm_stmatrix_sync_aligned_m8n8_x2_trans_b16:
    return Shape{false, 2, true};
  case nvvm_stmatrix_sync_aligned_m8n8_x4_trans_b16:
    return Shape{false, 4, true};
  default:
    return std::nullopt;
  }
}

Value *Replacer::matrixAccess() {
  const std::optional<Shape> shape = shapeOf(call.getIntrinsicID());
  if (!shape)
    return unknown;
  const auto [loads, matrices, transposed] = *shape;
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
  instrumenter.callMachine(builder, symbol::accessMatrices, builder.getVoidTy(), index,
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
