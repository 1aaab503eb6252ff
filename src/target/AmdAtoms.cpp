//===- AmdAtoms.cpp - Copies and products of AMD's GPUs -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// RDNA3 and RDNA4 Instruction Set Architecture: "Data Share Operations", "Global Memory
// Instructions", "WMMA"; docs/fragments.md has the fragments. Cycles, from the dense peaks of the
// white papers: a SIMD does 128 products of 16 bits in a cycle (RDNA 3), 256 (RDNA 4); of 8 bits
// as many, and twice as many; of 4 bits twice as many as those. Latencies: LLVM's GFX11SpeedModel
// and GFX12SpeedModel let results of WMMA come 5 cycles after the issue, as those of arithmetic,
// and know nothing of the cycles of the unit; both together are taken.
//
// GLOBAL_LOAD_TR_B64 and _B128: RDNA4 Instruction Set Architecture, section 11.6.2, says that they
// load a 16 x 16 tile from the order opposite to that of the fragments, and which part of it a lane
// loads, but not for which address; docs/atoms.md has where that was found.
//
//===--------------------------------------------------------------------------===//

#include "target/AmdAtoms.h"

#include "layout/encoding/AmdWmma.h"

namespace tilewright::target::amd {

using layout::LinearLayout;
namespace dims = layout::dims;
using layout::amd::Wmma;

namespace {

/// A copy of a whole wave, of a tile of 16 x 16: each lane gives the address of 8 neighbours in a
/// row, and gets 8 of a column.
CopyAtom transposingLoad(std::string name, unsigned elementBits, const LinearLayout &registers,
                         const LinearLayout &addresses) {
  CopyAtom atom;
  atom.name = std::move(name);
  atom.issuer = Issuer::Warp;
  atom.elementBits = elementBits;
  atom.source = {Space::Global, (LinearLayout::identity1D(8, dims::Offset, dims::Dim1) * addresses)
                                    .transposeOuts({dims::Dim0, dims::Dim1})};
  atom.destination = {Space::Registers, registers.transposeOuts({dims::Dim0, dims::Dim1})};
  return withForms(std::move(atom));
}

void addTransposingLoads(std::vector<CopyAtom> &list) {
  auto lanes = [](uint64_t size, layout::Dim dim) {
    return LinearLayout::identity1D(size, dims::Lane, dim);
  };
  const LinearLayout registers = LinearLayout::identity1D(8, dims::Register, dims::Dim0) *
                                 lanes(16, dims::Dim1) * lanes(2, dims::Dim0);
  list.push_back(
      transposingLoad("global_load_tr_b64", 8, registers,
                      lanes(4, dims::Dim0) * lanes(2, dims::Dim1) * lanes(4, dims::Dim0)));
  list.push_back(
      transposingLoad("global_load_tr_b128", 16, registers,
                      lanes(8, dims::Dim0) * lanes(2, dims::Dim1) * lanes(2, dims::Dim0)));
}

std::vector<CopyAtom> listCopies(bool hasTransposingLoads) {
  std::vector<CopyAtom> list;
  addLaneCopies(list, "ds_load_b", Space::Shared, Space::Registers, 128);
  addLaneCopies(list, "ds_store_b", Space::Registers, Space::Shared, 128);
  addLaneCopies(list, "global_load_b", Space::Global, Space::Registers, 128);
  if (hasTransposingLoads)
    addTransposingLoads(list);
  addLaneCopies(list, "global_store_b", Space::Registers, Space::Global, 128);
  return list;
}

using enum MmaType;

MmaAtom product(unsigned version, unsigned k, MmaType d, MmaType a, MmaType b,
                unsigned productsPerCycle) {
  const unsigned size = 16;
  Wmma wmma;
  wmma.version = version;
  wmma.instrShape = {size, size, k};
  // Contiguous along K: all of it on gfx11, half of it on gfx12, whose lanes share K.
  const unsigned kWidth = version == 1 ? k : k / 2;
  const int64_t aShape[] = {size, k}, bShape[] = {k, size}, shape[] = {size, size};
  auto ofWarp = [](const LinearLayout &map) {
    return map.removeZeroBasesAlong(dims::Register).dropIn(dims::Warp).dropIn(dims::Block);
  };
  MmaAtom atom;
  atom.name = mmaName("wmma", size, size, k, d, a, b);
  atom.m = size;
  atom.n = size;
  atom.k = k;
  atom.accumulator = d;
  atom.a = a;
  atom.b = b;
  atom.aOperand.map = ofWarp(operandLayout(wmma, 0, kWidth, aShape));
  atom.bOperand.map = ofWarp(operandLayout(wmma, 1, kWidth, bShape));
  atom.accumulatorOperand.map = ofWarp(toLinearLayout(wmma, shape));
  atom.cycles = size * size * k / productsPerCycle;
  atom.latency = atom.cycles + 5;
  return atom;
}

} // namespace

std::span<const CopyAtom> cdnaCopies() {
  static const std::vector<CopyAtom> list = [] {
    std::vector<CopyAtom> copies;
    addLaneCopies(copies, "ds_read_b", Space::Shared, Space::Registers, 128);
    addLaneCopies(copies, "ds_write_b", Space::Registers, Space::Shared, 128);
    addLaneCopies(copies, "global_load_b", Space::Global, Space::Registers, 128);
    addLaneCopies(copies, "global_store_b", Space::Registers, Space::Global, 128);
    return copies;
  }();
  return list;
}

std::span<const CopyAtom> rdna3Copies() {
  static const std::vector<CopyAtom> list = listCopies(/*hasTransposingLoads=*/false);
  return list;
}

std::span<const CopyAtom> rdna4Copies() {
  static const std::vector<CopyAtom> list = listCopies(/*hasTransposingLoads=*/true);
  return list;
}

std::span<const MmaAtom> rdna3Products() {
  static const std::vector<MmaAtom> list = {
      product(1, 16, F32, F16, F16, 128), product(1, 16, F32, Bf16, Bf16, 128),
      product(1, 16, F16, F16, F16, 128), product(1, 16, Bf16, Bf16, Bf16, 128),
      product(1, 16, S32, I8, I8, 128),   product(1, 16, S32, I4, I4, 256),
  };
  return list;
}

std::span<const MmaAtom> rdna4Products() {
  static const std::vector<MmaAtom> list = {
      product(2, 16, F32, F16, F16, 256),   product(2, 16, F32, Bf16, Bf16, 256),
      product(2, 16, F16, F16, F16, 256),   product(2, 16, Bf16, Bf16, Bf16, 256),
      product(2, 16, F32, E4m3, E4m3, 512), product(2, 16, F32, E4m3, E5m2, 512),
      product(2, 16, F32, E5m2, E4m3, 512), product(2, 16, F32, E5m2, E5m2, 512),
      product(2, 16, S32, I8, I8, 512),     product(2, 16, S32, I4, I4, 1024),
      product(2, 32, S32, I4, I4, 1024),
  };
  return list;
}

} // namespace tilewright::target::amd
