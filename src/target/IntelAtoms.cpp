//===- IntelAtoms.cpp - Copies and products of Intel's GPUs -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// 2D block messages: what plan/block2d/BlockMessage.h says, for sub-groups of 16 lanes. The list
// has the largest message of each width of blocks; one with fewer rows, columns or blocks is the
// same with the highest bits left out. Prefetches move nothing into registers and are not listed.
//
// DPAS: Intel Graphics Compiler, "DPAS" of the vISA manual; types of Xe-HPC to Xe3. A row of A is
// a cycle of the systolic array (Xe-HPC), two on Xe2 and Xe3, whose array is half as wide. The
// first row's results are there after 21 cycles, and each further row's follow (IGC,
// LatencyTable.h, LatenciesXe).
//
//===--------------------------------------------------------------------------===//

#include "target/IntelAtoms.h"

#include "layout/encoding/IntelDpas.h"

namespace tilewright::target::intel {

using layout::Dim;
using layout::LinearLayout;
namespace dims = layout::dims;
using layout::intel::Dpas;

namespace {

constexpr unsigned Lanes = 16;
/// Of all blocks of a message together.
constexpr unsigned RowBytes = 64;
constexpr unsigned LoadRows = 32, StoreRows = 8;

//===----------------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------------===//

enum class Form { Plain, Vnni, Transposed };

/// The message of `blocks` blocks side by side, each `rows` x `columns`. Elements are numbered row
/// by row, block by block (transposed: column by column); number p is of lane p mod 16. With Vnni,
/// 32 bits of a column count as one.
CopyAtom blockMessage(bool isLoad, unsigned elementBits, unsigned rows, unsigned columns,
                      unsigned blocks, Form form) {
  const unsigned packed = form == Form::Vnni ? 32 / elementBits : 1;
  LinearLayout registers = LinearLayout::identity1D(packed, dims::Register, dims::Dim0);
  unsigned inLanes = 1;
  auto count = [&](unsigned size, Dim dim) {
    const unsigned lanes = std::min(size, Lanes / inLanes);
    registers *= LinearLayout::identity1D(lanes, dims::Lane, dim) *
                 LinearLayout::identity1D(size / lanes, dims::Register, dim);
    inLanes *= lanes;
  };
  if (form == Form::Transposed)
    count(rows, dims::Dim0);
  count(columns, dims::Dim1);
  if (form != Form::Transposed)
    count(rows / packed, dims::Dim0);
  count(blocks, dims::Dim1);
  AtomOperand inRegisters = {Space::Registers, registers.transposeOuts({dims::Dim0, dims::Dim1})};
  AtomOperand inMemory = {Space::Global,
                          (LinearLayout::identity1D(columns * blocks, dims::Offset, dims::Dim1) *
                           LinearLayout::identity1D(rows, pitchDim(), dims::Dim0))
                              .transposeOuts({dims::Dim0, dims::Dim1})};
  CopyAtom atom;
  atom.name = std::string(isLoad ? "load" : "store") + "_block2d.d" + std::to_string(elementBits) +
              "." + std::to_string(rows) + "x" + std::to_string(columns) + "x" +
              std::to_string(blocks);
  atom.name += form == Form::Vnni ? ".vnni" : form == Form::Transposed ? ".transpose" : "";
  atom.issuer = Issuer::Warp;
  atom.elementBits = elementBits;
  atom.source = isLoad ? inMemory : inRegisters;
  atom.destination = isLoad ? inRegisters : inMemory;
  return withForms(std::move(atom));
}

std::vector<CopyAtom> listCopies() {
  std::vector<CopyAtom> list;
  addLaneCopies(list, "load.slm.b", Space::Shared, Space::Registers, 128);
  addLaneCopies(list, "store.slm.b", Space::Registers, Space::Shared, 128);
  addLaneCopies(list, "load.ugm.b", Space::Global, Space::Registers, 128);
  auto addLoads = [&](unsigned elementBits, unsigned maxBlocks, Form form) {
    for (unsigned blocks = 1; blocks <= maxBlocks; blocks *= 2)
      list.push_back(blockMessage(true, elementBits, LoadRows, RowBytes * 8 / elementBits / blocks,
                                  blocks, form));
  };
  addLoads(8, 4, Form::Plain);
  addLoads(16, 4, Form::Plain);
  addLoads(32, 2, Form::Plain);
  addLoads(64, 1, Form::Plain);
  addLoads(8, 4, Form::Vnni);
  addLoads(16, 4, Form::Vnni);
  list.push_back(blockMessage(true, 32, LoadRows, 8, 1, Form::Transposed));
  list.push_back(blockMessage(true, 64, 8, 4, 1, Form::Transposed));
  addLaneCopies(list, "store.ugm.b", Space::Registers, Space::Global, 128);
  for (unsigned elementBits : {8, 16, 32, 64})
    list.push_back(
        blockMessage(false, elementBits, StoreRows, RowBytes * 8 / elementBits, 1, Form::Plain));
  return list;
}

//===----------------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------------===//

using enum MmaType;

MmaAtom product(unsigned m, MmaType d, MmaType a, MmaType b, unsigned cyclesOfRow) {
  Dpas dpas;
  dpas.repeatCount = m;
  dpas.opsPerChan = 32 / bitsOf(a);
  dpas.threadsPerWarp = Lanes;
  dpas.warpsPerCTA = {1, 1};
  dpas.repCluster = {1, 1};
  const unsigned n = dpas.executionSize, k = instructionOperand(dpas, 0).cols;
  const int64_t aShape[] = {m, k}, bShape[] = {k, n}, shape[] = {m, n};
  auto ofWarp = [](const LinearLayout &map) {
    return map.removeZeroBasesAlong(dims::Register).dropIn(dims::Warp).dropIn(dims::Block);
  };
  MmaAtom atom;
  atom.name = mmaName("dpas", m, n, k, d, a, b);
  atom.m = m;
  atom.n = n;
  atom.k = k;
  atom.accumulator = d;
  atom.a = a;
  atom.b = b;
  atom.aOperand.map = ofWarp(operandLayout(dpas, 0, operandKWidth(dpas, 0), aShape));
  atom.bOperand.map = ofWarp(operandLayout(dpas, 1, operandKWidth(dpas, 1), bShape));
  atom.accumulatorOperand.map = ofWarp(toLinearLayout(dpas, shape));
  atom.cycles = m * cyclesOfRow;
  atom.latency = 21 + (m - 1) * cyclesOfRow;
  return atom;
}

std::vector<MmaAtom> listProducts(unsigned cyclesOfRow) {
  std::vector<MmaAtom> list;
  auto add = [&](MmaType d, MmaType a, MmaType b) {
    // Of tf32, one row of A fills 8 lanes of the 16.
    for (unsigned m : {8, 4, 2, 1})
      if (a != Tf32 || m > 1)
        list.push_back(product(m, d, a, b, cyclesOfRow));
  };
  add(F32, F16, F16);
  add(F16, F16, F16);
  add(F32, Bf16, Bf16);
  add(Bf16, Bf16, Bf16);
  add(F32, Tf32, Tf32);
  for (MmaType a : {S8, U8})
    for (MmaType b : {S8, U8})
      add(S32, a, b);
  return list;
}

} // namespace

std::span<const CopyAtom> copies() {
  static const std::vector<CopyAtom> list = listCopies();
  return list;
}

std::span<const MmaAtom> xeHpcProducts() {
  static const std::vector<MmaAtom> list = listProducts(1);
  return list;
}

std::span<const MmaAtom> xe2Products() {
  static const std::vector<MmaAtom> list = listProducts(2);
  return list;
}

} // namespace tilewright::target::intel
