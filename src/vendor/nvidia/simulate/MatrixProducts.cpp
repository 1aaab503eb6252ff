//===- MatrixProducts.cpp - mma.sync ------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Which element a register of a lane holds is read off the maps of the atoms
// (target/NvidiaAtoms.cpp).
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/MatrixProducts.h"
#include "runtime/arrays/SmallFloat.h"
#include "simulate/machine/WarpProducts.h"
#include "target/NvidiaAtoms.h"
#include "vendor/nvidia/simulate/ProductArithmetic.h"
#include "vendor/nvidia/simulate/ProductElements.h"
#include "vendor/nvidia/simulate/Replacer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;
using target::MmaAtom;
using target::MmaType;

namespace {
namespace symbol {
/// After machine and site: ptr fragments, i32 number of the product: the fragments of A, B and the
/// accumulator, of which the last becomes that of the result.
constexpr char multiplyMatrices[] = "tilewright.nvidia.multiply_matrices";
} // namespace symbol

//===----------------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------------===//

/// c + a[0] * b[0] + .., as bits of accumulators. Sums of integers that an i32 does not hold are
/// the nearest that it holds (PTX ISA, "mma", .satfinite); sums in f64 are rounded after each
/// product; the others as ProductArithmetic.h says.
uint64_t multiplyAdd(const MmaAtom &atom, uint64_t c, const int64_t *a, const int64_t *b) {
  int64_t sum = decodeInteger(atom.accumulator, c);
  for (unsigned i = 0; i < atom.k; ++i)
    sum += a[i] * b[i];
  using Limits = std::numeric_limits<int32_t>;
  return static_cast<uint32_t>(std::clamp<int64_t>(sum, Limits::min(), Limits::max()));
}

uint64_t multiplyAdd(const MmaAtom &atom, uint64_t c, const Factor *a, const Factor *b) {
  if (atom.accumulator == MmaType::F64) {
    auto sum = std::bit_cast<double>(c);
    for (unsigned i = 0; i < atom.k; ++i)
      sum = std::fma(a[i].value, b[i].value, sum);
    return std::bit_cast<uint64_t>(sum);
  }
  const bool isHalf = atom.accumulator == MmaType::F16;
  const float initial = isHalf ? static_cast<float>(decodeFactor(MmaType::F16, c).value)
                               : std::bit_cast<float>(static_cast<uint32_t>(c));
  const float sum = sumWarpProducts(initial, a, b, atom.k, atom.a);
  return isHalf ? runtime::encode(runtime::float16, sum) : std::bit_cast<uint32_t>(sum);
}

//===----------------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------------===//

/// Those of all GPUs, by the names of the intrinsics.
struct ProductTable {
  ProductTable() {
    for (const MmaAtom &atom : target::nvidia::sm90Products())
      if (atom.issuer == target::Issuer::Warp) {
        numbers.emplace(lower::nvidia::getMmaIntrinsic(atom), products.size());
        products.emplace_back(atom, target::bitsOf(atom.a) / 8, target::bitsOf(atom.b) / 8);
      }
  }
  static const ProductTable &get() {
    static const ProductTable table;
    return table;
  }
  std::vector<WarpProduct> products;
  std::unordered_map<std::string, uint32_t> numbers;
};

// Operands: the address of the fragments (two halves) and the number of the product.
void combineProduct(WarpExchange &exchange) {
  const WarpProduct &product = ProductTable::get().products[exchange.lane[0].operands[2]];
  const MmaAtom &atom = product.atom;
  auto run = [&](auto decode) {
    multiply(
        exchange, product, [&](uint64_t bits) { return decode(atom.a, bits); },
        [&](uint64_t bits) { return decode(atom.b, bits); },
        [&](uint64_t c, const auto *a, const auto *b) { return multiplyAdd(atom, c, a, b); });
  };
  if (isInteger(atom.a))
    run(decodeInteger);
  else
    run(decodeFactor);
}

void multiplyMatrices(Machine *machine, uint32_t site, uint8_t *fragments, uint32_t number) {
  auto frame = reinterpret_cast<uint64_t>(fragments);
  machine->warpOperation(
      site, 0xffffffff,
      {static_cast<uint32_t>(frame), static_cast<uint32_t>(frame >> 32), number, 0},
      combineProduct);
}

} // namespace

std::span<const RuntimeSymbol> nvidia::matrixProductSymbols() {
  static const RuntimeSymbol symbols[] = {
      {symbol::multiplyMatrices, addressOf(multiplyMatrices)},
  };
  return symbols;
}

Value *Replacer::matrixProduct() {
  const ProductTable &table = ProductTable::get();
  auto found = table.numbers.find(call.getCalledFunction()->getName().str());
  if (found == table.numbers.end())
    return unknown;
  const WarpProduct &product = table.products[found->second];

  llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  Value *fragments = entry.CreateAlloca(
      llvm::ArrayType::get(builder.getInt64Ty(), (product.frameBytes() + 7) / 8));
  auto at = [&](uint64_t byte) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), fragments, byte);
  };
  const llvm::DataLayout &layout = call.getModule()->getDataLayout();
  uint64_t byte = 0;
  for (Value *operand : call.args()) {
    builder.CreateStore(operand, at(byte));
    byte += layout.getTypeStoreSize(operand->getType());
  }
  const uint32_t site = instrumenter.addSite(call, "mma.sync");
  instrumenter.callMachine(builder, symbol::multiplyMatrices, builder.getVoidTy(), site,
                           {fragments, builder.getInt32(found->second)});

  auto *type = llvm::cast<llvm::StructType>(call.getType());
  Value *result = llvm::PoisonValue::get(type);
  byte = product.sum.begin;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    result =
        builder.CreateInsertValue(result, builder.CreateLoad(type->getElementType(i), at(byte)), i);
    byte += layout.getTypeStoreSize(type->getElementType(i));
  }
  return result;
}
