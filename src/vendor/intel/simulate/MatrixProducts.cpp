//===- MatrixProducts.cpp - DPAS ----------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Which element a register of a lane holds is read off the maps of the atoms
// (target/IntelAtoms.cpp). The extension says nothing of how sums are rounded on their way: here
// that of C and all K products is rounded once. Integers wrap around.
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/lower/MatrixProducts.h"
#include "simulate/machine/WarpProducts.h"
#include "target/IntelAtoms.h"
#include "vendor/intel/simulate/Replacer.h"

#include <unordered_map>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::intel;
using llvm::Value;
using target::MmaAtom;
using target::MmaType;

namespace {
namespace symbol {
/// After machine and site: ptr frame, i32 number of the product.
constexpr char multiplyMatrices[] = "tilewright.intel.multiply_matrices";
} // namespace symbol

/// All products by the mangled names of the functions; generations differ in their cycles alone.
struct ProductTable {
  ProductTable() {
    for (const MmaAtom &atom : target::intel::xeHpcProducts()) {
      numbers.emplace(lower::intel::getDpasFunction(atom).mangled(), products.size());
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

void multiplyIntegers(const WarpExchange &exchange, const WarpProduct &product) {
  auto decoder = [](MmaType type) {
    return [isSigned = type == MmaType::S8](uint64_t bits) -> int64_t {
      return isSigned ? static_cast<int8_t>(bits) : static_cast<uint8_t>(bits);
    };
  };
  multiply(exchange, product, decoder(product.atom.a), decoder(product.atom.b),
           [&](uint64_t c, const int64_t *a, const int64_t *b) {
             int64_t sum = static_cast<int32_t>(c);
             for (unsigned i = 0; i < product.atom.k; ++i)
               sum += a[i] * b[i];
             return static_cast<uint32_t>(sum);
           });
}

// Operands: the address of the frame (two halves), and the number of the product.
void combineProduct(WarpExchange &exchange) {
  const WarpProduct &product = ProductTable::get().products[exchange.lane[0].operands[2]];
  const uint64_t lanes = product.atom.accumulatorOperand.map.inSize(layout::dims::Lane);
  if (exchange.lanes != lanes)
    exchange.problem = "the product is one of sub-groups of " + std::to_string(lanes) +
                       " lanes, and the kernel's have " + std::to_string(exchange.lanes);
  else if (product.atom.accumulator == MmaType::S32)
    multiplyIntegers(exchange, product);
  else
    multiplyRoundingOnce(exchange, product);
}

void multiplyMatrices(Machine *machine, uint32_t site, uint8_t *frame, uint32_t number) {
  auto address = reinterpret_cast<uint64_t>(frame);
  machine->warpOperation(
      site, machine->allLanes(),
      {static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32), number},
      combineProduct);
}

} // namespace

std::span<const RuntimeSymbol> intel::matrixProductSymbols() {
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
  Value *frame = entry.CreateAlloca(
      llvm::ArrayType::get(builder.getInt64Ty(), (product.frameBytes() + 7) / 8));
  // A row of A may end in the middle of a word.
  const llvm::Align align(1);
  const unsigned begins[] = {product.a.begin, product.b.begin, product.sum.begin};
  auto at = [&](unsigned index) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), frame, begins[index]);
  };
  for (unsigned index = 0; index < std::size(begins); ++index)
    builder.CreateAlignedStore(operand(index), at(index), align);
  instrumenter.callMachine(builder, symbol::multiplyMatrices, builder.getVoidTy(),
                           instrumenter.addSite(call, operation),
                           {frame, builder.getInt32(found->second)});
  return builder.CreateAlignedLoad(call.getType(), at(2), align);
}
