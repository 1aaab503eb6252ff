//===- AmdMfmaAtoms.cpp - Products of AMD's CDNA GPUs ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// MFMA. "AMD Instinct MI200", "MI300" and "CDNA4" Instruction Set Architecture guides, "Matrix
// Arithmetic Instructions", have the shapes, the types and the fragments, which are those of
// layout/encoding/AmdMfma.h. That LLVM has each for its processor a test asks
// (test/lit/emit/amd/mfma.test).
//
// Cycles are in passes of four, in which a SIMD takes an instruction of a wave. The multiply-adds
// of a pass follow from the peaks of the white papers ("AMD CDNA 2", "CDNA 3", "CDNA 4
// Architecture"), and agree with LLVM's SISchedule.td, SIDPFullSpeedModel and
// SIDPGFX940FullSpeedModel. Results are there three passes later, for which who reads them has to
// wait (the guides' tables of required wait states).
//
//===--------------------------------------------------------------------------===//

#include "target/AmdAtoms.h"

#include "layout/encoding/AmdMfma.h"

namespace tilewright::target::amd {

using layout::LinearLayout;
namespace dims = layout::dims;
using layout::amd::Mfma;
using enum MmaType;

namespace {

/// The types of A and B of an instruction, of its sums, the elements of A that a lane has side by
/// side along K, and the multiply-adds in a pass.
struct Family {
  MmaType a, b, sum;
  unsigned width;
  unsigned perPass;
};

/// An instruction of `size` x `size` whose lanes have `runs` times Family::width elements of A.
MmaAtom product(const Family &family, unsigned size, unsigned runs = 1) {
  constexpr unsigned lanes = 64;
  const unsigned k = lanes / size * family.width * runs;
  Mfma mfma;
  mfma.version = 0;
  mfma.warpsPerCTA = {1, 1};
  mfma.tilesPerWarp = {1, 1};
  mfma.instrShape = {size, size, k};
  mfma.elementBitWidth = bitsOf(family.sum);
  const int64_t aShape[] = {size, k}, bShape[] = {k, size}, shape[] = {size, size};
  auto ofWarp = [](const LinearLayout &map) {
    return map.removeZeroBasesAlong(dims::Register).dropIn(dims::Warp).dropIn(dims::Block);
  };
  MmaAtom atom;
  atom.name = mmaName("mfma", size, size, k, family.sum, family.a, family.b);
  atom.m = size;
  atom.n = size;
  atom.k = k;
  atom.a = family.a;
  atom.b = family.b;
  atom.accumulator = family.sum;
  atom.aOperand.map = ofWarp(operandLayout(mfma, 0, family.width, aShape));
  atom.bOperand.map = ofWarp(operandLayout(mfma, 1, family.width, bShape));
  atom.accumulatorOperand.map = ofWarp(toLinearLayout(mfma, shape));
  atom.cycles = size * size * k / family.perPass;
  atom.latency = atom.cycles + 3;
  return atom;
}

/// Adds the instructions of 32 x 32 and of 16 x 16.
void addBoth(std::vector<MmaAtom> &list, const Family &family, unsigned runs = 1) {
  list.push_back(product(family, 32, runs));
  list.push_back(product(family, 16, runs));
}

/// Those with 8-bit floats, which A and B may have each its own of.
void addFloats8(std::vector<MmaAtom> &list, unsigned width, unsigned perPass, unsigned runs = 1) {
  for (MmaType a : {E4m3, E5m2})
    for (MmaType b : {E4m3, E5m2})
      addBoth(list, {a, b, F32, width, perPass}, runs);
}

/// What all three have. The multiply-adds in a pass are of 16 bits and of f64.
std::vector<MmaAtom> listCommon(unsigned perPass16, unsigned perPassF64) {
  std::vector<MmaAtom> list;
  addBoth(list, {F16, F16, F32, 4, perPass16});
  addBoth(list, {Bf16, Bf16, F32, 4, perPass16});
  addBoth(list, {F32, F32, F32, 1, 128});
  list.push_back(product({F64, F64, F64, 1, perPassF64}, 16));
  return list;
}

} // namespace

std::span<const MmaAtom> cdna2Products() {
  static const std::vector<MmaAtom> list = [] {
    std::vector<MmaAtom> products = listCommon(512, 128);
    addBoth(products, {S8, S8, S32, 4, 512});
    return products;
  }();
  return list;
}

std::span<const MmaAtom> cdna3Products() {
  static const std::vector<MmaAtom> list = [] {
    std::vector<MmaAtom> products = listCommon(1024, 128);
    addBoth(products, {S8, S8, S32, 8, 2048});
    addBoth(products, {Tf32, Tf32, F32, 2, 512});
    return products;
  }();
  return list;
}

std::span<const MmaAtom> cdna4Products() {
  static const std::vector<MmaAtom> list = [] {
    std::vector<MmaAtom> products = listCommon(1024, 64);
    addBoth(products, {F16, F16, F32, 8, 2048});
    addBoth(products, {Bf16, Bf16, F32, 8, 2048});
    addBoth(products, {S8, S8, S32, 8, 2048});
    addBoth(products, {S8, S8, S32, 16, 4096});
    addFloats8(products, 8, 2048);
    // Two runs of 16: "f8f6f4".
    addFloats8(products, 16, 4096, 2);
    return products;
  }();
  return list;
}

} // namespace tilewright::target::amd
