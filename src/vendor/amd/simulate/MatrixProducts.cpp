//===- MatrixProducts.cpp - WMMA ----------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Which element a register of a lane holds is read off the maps of the atoms (target/AmdAtoms.cpp).
// In what order the unit adds, and how it rounds on the way, the documents do not say. Here the sum
// of C and all K products is rounded once.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/MatrixProducts.h"
#include "simulate/machine/WarpProducts.h"
#include "target/AmdAtoms.h"
#include "vendor/amd/simulate/Replacer.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::amd;
using llvm::Value;
using target::MmaAtom;
using target::MmaType;
namespace Intrinsic = llvm::Intrinsic;

namespace {
namespace symbol {
/// After machine and site: ptr frame, i32 number of the product, i32 whether sums of integers are
/// limited to what i32 has.
constexpr char multiplyMatrices[] = "tilewright.amd.multiply_matrices";
} // namespace symbol

bool isInteger(MmaType type) { return type == MmaType::I8 || type == MmaType::I4; }

/// In frames integers are i16, extended as they are signed.
unsigned frameBytesOf(MmaType type) { return isInteger(type) ? 2 : target::bitsOf(type) / 8; }

/// Products of all generations, by the name of the intrinsic and the bits of A that a lane has,
/// which tell gfx11 and gfx12 apart.
struct ProductTable {
  ProductTable() {
    for (std::span<const MmaAtom> list :
         {target::amd::rdna3Products(), target::amd::rdna4Products()})
      for (const MmaAtom &atom : list) {
        const unsigned bits =
            atom.aOperand.map.inSize(layout::dims::Register) * target::bitsOf(atom.a);
        numbers.emplace(key(lower::amd::getWmmaIntrinsic(atom), bits), products.size());
        products.emplace_back(atom, frameBytesOf(atom.a), frameBytesOf(atom.b));
      }
  }
  static std::string key(const std::string &name, unsigned bits) {
    return name + "/" + std::to_string(bits);
  }
  static const ProductTable &get() {
    static const ProductTable table;
    return table;
  }
  std::vector<WarpProduct> products;
  std::unordered_map<std::string, uint32_t> numbers;
};

/// Whether lanes with the same elements of `fragment` agree: on gfx11 the wave's halves.
bool agree(const WarpExchange &exchange, const ProductFragment &fragment) {
  std::vector<const uint8_t *> known(fragment.places.size());
  bool same = true;
  forEachElement(exchange, fragment, [&](unsigned place, const uint8_t *bytes) {
    if (known[place])
      same &= std::memcmp(known[place], bytes, fragment.elementBytes) == 0;
    known[place] = bytes;
  });
  return same;
}

void multiplyIntegers(const WarpExchange &exchange, const WarpProduct &product, bool clamps) {
  auto decode = [](uint64_t bits) -> int64_t { return static_cast<int16_t>(bits); };
  multiply(exchange, product, decode, decode, [&](uint64_t c, const int64_t *a, const int64_t *b) {
    int64_t sum = static_cast<int32_t>(c);
    for (unsigned i = 0; i < product.atom.k; ++i)
      sum += a[i] * b[i];
    if (clamps)
      sum = std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                                std::numeric_limits<int32_t>::max());
    return static_cast<uint32_t>(sum);
  });
}

// Operands: the address of the frame (two halves), the number of the product, and whether it
// clamps.
void combineProduct(WarpExchange &exchange) {
  const WarpProduct &product = ProductTable::get().products[exchange.lane[0].operands[2]];
  for (const ProductFragment *fragment : {&product.a, &product.b})
    if (!agree(exchange, *fragment)) {
      exchange.problem = "lanes 16 to 31 hold other elements than lanes 0 to 15, which the product "
                         "wants to have the same";
      return;
    }
  if (isInteger(product.atom.a))
    multiplyIntegers(exchange, product, exchange.lane[0].operands[3]);
  else
    multiplyRoundingOnce(exchange, product);
}

void multiplyMatrices(Machine *machine, uint32_t site, uint8_t *frame, uint32_t number,
                      uint32_t clamps) {
  auto address = reinterpret_cast<uint64_t>(frame);
  machine->warpOperation(
      site, machine->allLanes(),
      {static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32), number, clamps},
      combineProduct);
}

} // namespace

std::span<const RuntimeSymbol> amd::matrixProductSymbols() {
  static const RuntimeSymbol symbols[] = {
      {symbol::multiplyMatrices, addressOf(multiplyMatrices)},
  };
  return symbols;
}

Value *Replacer::matrixProduct(Intrinsic::ID id) {
  if (id == Intrinsic::not_intrinsic)
    return unknown;
  llvm::StringRef name = Intrinsic::getBaseName(id);
  name.consume_front("llvm.amdgcn.");
  const bool keepsOthers = name.consume_back(".tied");
  if (!name.starts_with("wmma."))
    return unknown;
  const bool isOfIntegers = call.arg_size() == 6;
  const unsigned aIndex = isOfIntegers ? 1 : 0, bIndex = isOfIntegers ? 3 : 1,
                 cIndex = isOfIntegers ? 4 : 2;
  const ProductTable &table = ProductTable::get();
  auto found = table.numbers.find(ProductTable::key(
      name.str(), operand(aIndex)->getType()->getPrimitiveSizeInBits().getFixedValue()));
  if (found == table.numbers.end())
    return unknown;
  const WarpProduct &product = table.products[found->second];

  llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  Value *frame = entry.CreateAlloca(
      llvm::ArrayType::get(builder.getInt64Ty(), (product.frameBytes() + 7) / 8));
  const llvm::Align frameAlign(alignof(uint64_t));
  auto at = [&](unsigned byte) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), frame, byte);
  };
  auto factor = [&](unsigned index, const ProductFragment &fragment, MmaType type) {
    Value *value = operand(index);
    if (isOfIntegers) {
      const unsigned count = fragment.elements, bits = target::bitsOf(type);
      auto *narrow = llvm::FixedVectorType::get(builder.getIntNTy(bits), count);
      auto *wide = llvm::FixedVectorType::get(builder.getInt16Ty(), count);
      value = builder.CreateBitCast(value, narrow);
      value = *constantOperand(index - 1) ? builder.CreateSExt(value, wide)
                                          : builder.CreateZExt(value, wide);
    }
    builder.CreateAlignedStore(value, at(fragment.begin), frameAlign);
  };
  factor(aIndex, product.a, product.atom.a);
  factor(bIndex, product.b, product.atom.b);

  // The half of each register that counts, and back into it.
  Value *added = operand(cIndex);
  const unsigned elements = product.sum.elements;
  const bool hasHalves = lower::amd::hasHalfAccumulators(product.atom);
  const unsigned half = hasHalves ? *constantOperand(cIndex + 1) : 0;
  if (hasHalves) {
    llvm::SmallVector<int> chosen;
    for (unsigned i = 0; i < elements; ++i)
      chosen.push_back(2 * i + half);
    added = builder.CreateShuffleVector(added, chosen);
  }
  builder.CreateAlignedStore(added, at(product.sum.begin), frameAlign);
  Value *clamps = builder.getInt32(isOfIntegers ? *constantOperand(5) : 0);
  const uint32_t site = instrumenter.addSite(call, operation);
  instrumenter.callMachine(builder, symbol::multiplyMatrices, builder.getVoidTy(), site,
                           {frame, builder.getInt32(found->second), clamps});
  Value *sum = builder.CreateAlignedLoad(added->getType(), at(product.sum.begin), frameAlign);
  if (!hasHalves)
    return sum;
  // All ones is not a number.
  Value *others = keepsOthers ? operand(cIndex) : llvm::Constant::getAllOnesValue(call.getType());
  for (uint64_t i = 0; i < elements; ++i)
    others =
        builder.CreateInsertElement(others, builder.CreateExtractElement(sum, i), 2 * i + half);
  return others;
}
