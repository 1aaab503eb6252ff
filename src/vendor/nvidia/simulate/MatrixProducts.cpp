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
#include "runtime/SmallFloat.h"
#include "target/NvidiaAtoms.h"
#include "vendor/nvidia/simulate/ProductArithmetic.h"
#include "vendor/nvidia/simulate/ProductElements.h"
#include "vendor/nvidia/simulate/Replacer.h"

#include <bit>
#include <cmath>
#include <cstring>
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

/// c + a[0] * b[0] + .., as bits of accumulators. Integers wrap around; sums in f64 are rounded
/// after each product; the others as ProductArithmetic.h says.
uint64_t multiplyAdd(const MmaAtom &atom, uint64_t c, const int64_t *a, const int64_t *b) {
  int64_t sum = decodeInteger(atom.accumulator, c);
  for (unsigned i = 0; i < atom.k; ++i)
    sum += a[i] * b[i];
  return static_cast<uint32_t>(sum);
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

/// An operand as the lanes hold it.
struct Fragment {
  MmaType type;
  /// Elements of a lane, bytes of an element, and where the lane's part begins in its frame.
  unsigned elements, elementBytes, begin;
  /// For each element of each lane its place in the tile, in rows of `columns` elements.
  std::vector<uint32_t> places;

  unsigned end() const { return begin + elements * elementBytes; }
};

Fragment fragmentOf(const layout::LinearLayout &map, MmaType type, bool inColumns, unsigned begin) {
  return {type, static_cast<unsigned>(map.inSize(layout::dims::Register)), target::bitsOf(type) / 8,
          begin, getPlaces(map, inColumns)};
}

/// A product, with B in columns.
struct Product {
  explicit Product(const MmaAtom &atom)
      : atom(atom), a(fragmentOf(atom.aOperand.map, atom.a, false, 0)),
        b(fragmentOf(atom.bOperand.map, atom.b, true, a.end())),
        sum(fragmentOf(atom.accumulatorOperand.map, atom.accumulator, false, b.end())) {}

  const MmaAtom &atom;
  Fragment a, b, sum;
};

/// Those of all GPUs, by the names of the intrinsics.
struct ProductTable {
  ProductTable() {
    for (const MmaAtom &atom : target::nvidia::sm90Products())
      if (atom.issuer == target::Issuer::Warp) {
        numbers.emplace(lower::nvidia::getMmaIntrinsic(atom), products.size());
        products.emplace_back(atom);
      }
  }
  static const ProductTable &get() {
    static const ProductTable table;
    return table;
  }
  std::vector<Product> products;
  std::unordered_map<std::string, uint32_t> numbers;
};

/// The fragments of a lane, which lie in its own frame.
uint8_t *frameOf(const WarpExchange::Lane &lane) {
  return reinterpret_cast<uint8_t *>(uint64_t(lane.operands[1]) << 32 | lane.operands[0]);
}

/// Calls `visit` with the place of each element in the tile and a pointer to its bytes.
template <typename Visit>
void forEachElement(const WarpExchange &exchange, const Fragment &fragment, Visit visit) {
  for (size_t i = 0; i < fragment.places.size(); ++i)
    visit(fragment.places[i], frameOf(exchange.lane[i / fragment.elements]) + fragment.begin +
                                  i % fragment.elements * fragment.elementBytes);
}

template <typename Number>
void read(const WarpExchange &exchange, const Fragment &fragment, std::vector<Number> &tile) {
  tile.resize(fragment.places.size());
  forEachElement(exchange, fragment, [&](unsigned place, const uint8_t *bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes, fragment.elementBytes);
    if constexpr (std::is_integral_v<Number>)
      tile[place] = decodeInteger(fragment.type, bits);
    else
      tile[place] = decodeFactor(fragment.type, bits);
  });
}

template <typename Number> void multiply(const WarpExchange &exchange, const Product &product) {
  static thread_local std::vector<Number> a, b;
  read(exchange, product.a, a);
  read(exchange, product.b, b);
  const unsigned n = product.atom.n, k = product.atom.k;
  forEachElement(exchange, product.sum, [&](unsigned place, uint8_t *bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes, product.sum.elementBytes);
    bits = multiplyAdd(product.atom, bits, &a[place / n * k], &b[place % n * k]);
    std::memcpy(bytes, &bits, product.sum.elementBytes);
  });
}

// Operands: the address of the fragments (two halves) and the number of the product.
void combineProduct(WarpExchange &exchange) {
  const Product &product = ProductTable::get().products[exchange.lane[0].operands[2]];
  if (isInteger(product.atom.a))
    multiply<int64_t>(exchange, product);
  else
    multiply<Factor>(exchange, product);
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
  const Product &product = table.products[found->second];

  llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  Value *fragments =
      entry.CreateAlloca(llvm::ArrayType::get(builder.getInt64Ty(), (product.sum.end() + 7) / 8));
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
