//===- MfmaProducts.cpp - MFMA ------------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Which element a register of a lane holds is read off the maps of the atoms
// (target/AmdMfmaAtoms.cpp). In what order the unit adds products of narrow numbers, and how it
// rounds on the way, the documents do not say: the sum of C and all K products is rounded once.
// Products of f32 and of f64 are added in the order of K, each by a fused multiply-add. CDNA 2
// takes subnormal numbers of 16 bits for zeros, which is not done here.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/MfmaProducts.h"
#include "simulate/machine/WarpProducts.h"
#include "target/AmdAtoms.h"
#include "vendor/amd/simulate/Replacer.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

#include <bit>
#include <cmath>
#include <optional>
#include <vector>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::amd;
using llvm::Value;
using target::MmaAtom;
using target::MmaType;
namespace Intrinsic = llvm::Intrinsic;

namespace {
namespace symbol {
/// After machine and site: ptr frame, i32 number of the product.
constexpr char multiplyMatrices[] = "tilewright.amd.mfma";
} // namespace symbol

using MmaList = std::span<const MmaAtom>;

/// The products of all generations.
class ProductTable {
public:
  static const ProductTable &get() {
    static const ProductTable table;
    return table;
  }

  const WarpProduct &operator[](uint32_t number) const { return products[number]; }

  /// The number of the product that `intrinsic` is. `a` and `b` are the types' numbers, of an
  /// instruction that is told them.
  std::optional<uint32_t> find(llvm::StringRef intrinsic, uint64_t a, uint64_t b) const {
    for (uint32_t number = 0; number < products.size(); ++number) {
      const MmaAtom &atom = products[number].atom;
      const bool hasTypes = !lower::amd::namesTypesByOperands(atom) ||
                            (a == (atom.a == MmaType::E5m2) && b == (atom.b == MmaType::E5m2));
      if (hasTypes && names[number] == intrinsic)
        return number;
    }
    return std::nullopt;
  }

private:
  ProductTable() {
    for (MmaList list :
         {target::amd::cdna4Products(), target::amd::cdna3Products(), target::amd::cdna2Products()})
      for (const MmaAtom &atom : list) {
        names.push_back(lower::amd::getMfmaIntrinsic(atom));
        products.emplace_back(atom, target::bitsOf(atom.a) / 8, target::bitsOf(atom.b) / 8);
      }
  }

  std::vector<WarpProduct> products;
  std::vector<std::string> names;
};

/// Products of f32 and of f64.
template <typename Float, typename Bits>
void multiplyFused(const WarpExchange &exchange, const WarpProduct &product) {
  auto decode = [](uint64_t bits) { return std::bit_cast<Float>(static_cast<Bits>(bits)); };
  multiply(exchange, product, decode, decode,
           [&](uint64_t c, const Float *a, const Float *b) -> uint64_t {
             Float sum = decode(c);
             for (unsigned i = 0; i < product.atom.k; ++i)
               sum = std::fma(a[i], b[i], sum);
             return std::bit_cast<Bits>(sum);
           });
}

void multiplyBytes(const WarpExchange &exchange, const WarpProduct &product) {
  auto decode = [](uint64_t bits) -> int32_t { return static_cast<int8_t>(bits); };
  multiply(exchange, product, decode, decode,
           [&](uint64_t c, const int32_t *a, const int32_t *b) -> uint64_t {
             auto sum = static_cast<uint32_t>(c);
             for (unsigned i = 0; i < product.atom.k; ++i)
               sum += static_cast<uint32_t>(a[i] * b[i]);
             return sum;
           });
}

// Operands: the address of the frame (two halves), the number of the product.
void combineProduct(WarpExchange &exchange) {
  const WarpProduct &product = ProductTable::get()[exchange.lane[0].operands[2]];
  switch (product.atom.a) {
  case MmaType::F64:
    return multiplyFused<double, uint64_t>(exchange, product);
  case MmaType::F32:
    return multiplyFused<float, uint32_t>(exchange, product);
  case MmaType::S8:
    return multiplyBytes(exchange, product);
  default:
    return multiplyRoundingOnce(exchange, product);
  }
}

void multiplyMatrices(Machine *machine, uint32_t site, uint8_t *frame, uint32_t number) {
  auto address = reinterpret_cast<uint64_t>(frame);
  machine->warpOperation(
      site, machine->allLanes(),
      {static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32), number, 0},
      combineProduct);
}

} // namespace

std::span<const RuntimeSymbol> amd::mfmaSymbols() {
  static const RuntimeSymbol symbols[] = {
      {symbol::multiplyMatrices, addressOf(multiplyMatrices)},
  };
  return symbols;
}

Value *Replacer::mfmaProduct(Intrinsic::ID id) {
  if (id == Intrinsic::not_intrinsic)
    return unknown;
  llvm::StringRef name = Intrinsic::getBaseName(id);
  name.consume_front("llvm.amdgcn.");
  if (!name.starts_with("mfma."))
    return unknown;
  constexpr unsigned cIndex = 2, firstFlag = 3, firstScale = 5;
  const bool isTold = name.starts_with("mfma.scale.");
  // Broadcasts, negations and scales are not used.
  for (unsigned flag = isTold ? firstScale : firstFlag; flag < call.arg_size(); ++flag)
    if (constantOperand(flag) != 0)
      return unknown;
  const std::optional<uint32_t> number =
      ProductTable::get().find(name, isTold ? constantOperand(firstFlag).value_or(0) : 0,
                               isTold ? constantOperand(firstFlag + 1).value_or(0) : 0);
  if (!number)
    return unknown;
  const WarpProduct &product = ProductTable::get()[*number];

  llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  Value *frame = entry.CreateAlloca(
      llvm::ArrayType::get(builder.getInt64Ty(), (product.frameBytes() + 7) / 8));
  auto at = [&](const ProductFragment &fragment) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), frame, fragment.begin);
  };
  builder.CreateAlignedStore(operand(0), at(product.a), llvm::Align(1));
  builder.CreateAlignedStore(operand(1), at(product.b), llvm::Align(1));
  builder.CreateAlignedStore(operand(cIndex), at(product.sum), llvm::Align(1));
  const uint32_t site = instrumenter.addSite(call, operation);
  instrumenter.callMachine(builder, symbol::multiplyMatrices, builder.getVoidTy(), site,
                           {frame, builder.getInt32(*number)});
  return builder.CreateAlignedLoad(call.getType(), at(product.sum), llvm::Align(1));
}
