//===- UnitTiles.cpp - Cooperative matrices as tiles of an instruction --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/coopmatrix/UnitTiles.h"

#include "ir/ttg/query/MatrixUnits.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using target::MmaType;

//===----------------------------------------------------------------------------===//
// The instruction
//===----------------------------------------------------------------------------===//

/// The types of a product, if units may compute it: f32 is not rounded to tf32.
static std::optional<ttg::MmaTypes> getTypes(tw::CoopMatrixMulAddOp op) {
  const Type element = op.getA().getType().getElementType();
  const std::optional<MmaType> operand = ttg::getOperandMmaType(element, tt::InputPrecision::IEEE),
                               result = ttg::getResultMmaType(op.getType().getElementType());
  if (!operand || !result)
    return std::nullopt;
  return ttg::MmaTypes{op.getUnsignedA() ? MmaType::U8 : *operand,
                       op.getUnsignedB() ? MmaType::U8 : *operand, *result};
}

/// How many tiles cover `size`.
static int64_t tilesOf(int64_t size, int64_t tile) { return (size + tile - 1) / tile; }

MatrixUnit lower::chooseMatrixUnit(tw::CoopMatrixMulAddOp op, const target::Target &target,
                                   unsigned lanes) {
  // Of what an instruction computes, at most so much is beyond the matrix, for each part of it.
  constexpr int64_t maxWaste = 4;
  const std::optional<ttg::MmaTypes> types = getTypes(op);
  if (!types)
    return {};
  const int64_t m = op.getType().getRows(), n = op.getType().getColumns(),
                k = op.getA().getType().getColumns();
  MatrixUnit best;
  int64_t leastCost = 0;
  for (const target::MmaAtom &atom : target.products()) {
    const unsigned oneWarp[] = {1, 1};
    const int64_t oneTile[] = {atom.m, atom.n};
    // Flags of the instruction would say of I8 that it is unsigned.
    const bool isSigned = atom.a == types->a && atom.b == types->b;
    if (ttg::getLanes(atom) != lanes || k % atom.k ||
        !(isSigned || (types->a == MmaType::S8 && types->b == MmaType::S8)) ||
        !ttg::isWarpProduct(atom, *types) ||
        !ttg::getAccumulatorEncoding(op.getContext(), atom, oneWarp, oneTile))
      continue;
    for (bool isTransposed : {false, true}) {
      const int64_t tiles = tilesOf(isTransposed ? n : m, atom.m) *
                            tilesOf(isTransposed ? m : n, atom.n) * (k / atom.k);
      // An instruction has to be issued, too: few large ones are better than many small ones.
      const int64_t cost = tiles * (atom.cycles + 1);
      if (tiles * atom.m * atom.n * atom.k > maxWaste * m * n * k ||
          (best.atom && cost >= leastCost))
        continue;
      best = {&atom, isTransposed};
      leastCost = cost;
    }
  }
  return best;
}

//===----------------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------------===//

UnitTiles::UnitTiles(const layout::LinearLayout &map, bool isTransposed, int64_t rows,
                     int64_t columns)
    : map(map), isTransposed(isTransposed),
      tileRows(map.outSize(isTransposed ? layout::dims::Dim1 : layout::dims::Dim0)),
      tileColumns(map.outSize(isTransposed ? layout::dims::Dim0 : layout::dims::Dim1)),
      numRowTiles(tilesOf(rows, tileRows)), numColumnTiles(tilesOf(columns, tileColumns)),
      registers(map.inSize(layout::dims::Register)) {
  // Registers and lanes whose free bits are zero hold each element once.
  const uint64_t free = map.freeMask();
  places.resize(tileRows * tileColumns);
  for (unsigned reg = 0; reg < registers; ++reg)
    for (unsigned lane = 0; lane < map.inSize(layout::dims::Lane); ++lane) {
      const uint64_t input = uint64_t(reg) << map.inShift(layout::dims::Register) |
                             uint64_t(lane) << map.inShift(layout::dims::Lane);
      if (input & free)
        continue;
      const Element at = inTile(reg, lane);
      places[at.row * tileColumns + at.column] = {lane, reg};
    }
}

UnitTiles::Element UnitTiles::inTile(unsigned reg, unsigned lane) const {
  const uint64_t out = map.applyFlat(uint64_t(reg) << map.inShift(layout::dims::Register) |
                                     uint64_t(lane) << map.inShift(layout::dims::Lane));
  auto coordinate = [&](layout::Dim dim) {
    return static_cast<int64_t>(out >> map.outShift(dim) & (map.outSize(dim) - 1));
  };
  Element result = {coordinate(layout::dims::Dim0), coordinate(layout::dims::Dim1)};
  if (isTransposed)
    std::swap(result.row, result.column);
  return result;
}

UnitTiles::Element UnitTiles::element(unsigned rowTile, unsigned columnTile, unsigned reg,
                                      unsigned lane) const {
  const Element at = inTile(reg, lane);
  return {rowTile * tileRows + at.row, columnTile * tileColumns + at.column};
}

UnitTiles::Register UnitTiles::place(Element element) const {
  const int64_t tile = element.row / tileRows * numColumnTiles + element.column / tileColumns;
  const Register at = places[element.row % tileRows * tileColumns + element.column % tileColumns];
  return {at.lane, at.reg + tile * registers};
}
