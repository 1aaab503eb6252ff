//===- MatrixUnits.cpp - Atoms of products and their encodings ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/MatrixUnits.h"

#include "ir/ttig/Dialect.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;
using target::Issuer;
using target::MmaAtom;
using target::MmaType;
using target::Space;

std::optional<MmaType> ttg::getOperandMmaType(Type type, tt::InputPrecision precision) {
  if (type.isF64())
    return MmaType::F64;
  if (type.isF32())
    return precision == tt::InputPrecision::TF32 ? MmaType::Tf32 : MmaType::F32;
  if (type.isF16())
    return MmaType::F16;
  if (type.isBF16())
    return MmaType::Bf16;
  if (isa<Float8E4M3FNType>(type))
    return MmaType::E4m3;
  if (isa<Float8E5M2Type>(type))
    return MmaType::E5m2;
  if (type.isInteger(8))
    return MmaType::S8;
  if (type.isInteger(4))
    return MmaType::I4;
  return std::nullopt;
}

std::optional<MmaType> ttg::getResultMmaType(Type type) {
  if (type.isF64())
    return MmaType::F64;
  if (type.isF32())
    return MmaType::F32;
  if (type.isF16())
    return MmaType::F16;
  if (type.isBF16())
    return MmaType::Bf16;
  if (type.isInteger(32))
    return MmaType::S32;
  return std::nullopt;
}

std::optional<MmaTypes> ttg::getMmaTypes(tt::DotOp op) {
  auto elementOf = [](Value value) { return tt::getElementTypeOrSelf(value.getType()); };
  const std::optional<MmaType> a = getOperandMmaType(elementOf(op.getA()), op.getInputPrecision()),
                               b = getOperandMmaType(elementOf(op.getB()), op.getInputPrecision()),
                               result = getResultMmaType(elementOf(op.getD()));
  if (!a || !b || !result)
    return std::nullopt;
  return MmaTypes{*a, *b, *result};
}

/// Whether a unit's `own` type takes elements of type `wanted`. To round f32 to tf32 is allowed,
/// not asked for.
static bool takes(MmaType own, MmaType wanted) {
  return own == wanted ||
         (own == MmaType::I8 && (wanted == MmaType::S8 || wanted == MmaType::U8)) ||
         (own == MmaType::F32 && wanted == MmaType::Tf32);
}

static bool takes(const MmaAtom &atom, const MmaTypes &types) {
  return takes(atom.a, types.a) && takes(atom.b, types.b) && atom.accumulator == types.result;
}

bool ttg::isWarpProduct(const MmaAtom &atom, const MmaTypes &types) {
  return atom.issuer == Issuer::Warp && !atom.isAsync && atom.aOperand.space == Space::Registers &&
         atom.bOperand.space == Space::Registers && takes(atom, types);
}

bool ttg::isWarpGroupProduct(const MmaAtom &atom, const MmaTypes &types) {
  return atom.issuer == Issuer::WarpGroup && atom.bOperand.space == Space::Shared &&
         atom.accumulatorOperand.space == Space::Registers && takes(atom, types);
}

bool ttg::isBlockProduct(const MmaAtom &atom, const MmaTypes &types) {
  return atom.issuer == Issuer::Block && atom.aOperand.space == Space::Shared &&
         atom.bOperand.space == Space::Shared &&
         atom.accumulatorOperand.space == Space::TensorMemory && takes(atom, types);
}

unsigned ttg::getRowsOfWarp(const MmaAtom &atom) {
  return atom.issuer == Issuer::WarpGroup ? atom.m / target::warpsOfGroup : atom.m;
}

unsigned ttg::getLanes(const MmaAtom &atom) {
  // Warps of 32 lanes bring the results of such units to registers.
  if (atom.accumulatorOperand.space == Space::TensorMemory)
    return 32;
  return static_cast<unsigned>(atom.accumulatorOperand.map.inSize(layout::dims::Lane));
}

/// A lane has a row or, of a tile of 64 rows, half of one; more warps share the columns.
static Attribute getRowsOfLanes(MLIRContext *context, const MmaAtom &atom, ArrayRef<unsigned> warps,
                                ArrayRef<int64_t> shape) {
  constexpr unsigned warpsOfRows = 4, rowsOfWholeWarps = 128;
  const unsigned count = std::accumulate(warps.begin(), warps.end(), 1u, std::multiplies<>());
  const unsigned lanes = atom.m < rowsOfWholeWarps ? 16 : 32;
  const unsigned columns = (count / warpsOfRows) * (32 / lanes);
  if (shape.size() != 2 || count % warpsOfRows || shape[1] < columns)
    return {};
  return BlockedEncodingAttr::get(context,
                                  layout::Blocked{{1, static_cast<unsigned>(shape[1]) / columns},
                                                  {lanes, 32 / lanes},
                                                  {warpsOfRows, count / warpsOfRows},
                                                  {0, 1}});
}

/// The encoding of DPAS with the tiles of `atom`, if it has such. A sub-group does the instructions
/// side by side whose operands one 2D block message brings, of 32 rows of 64 bytes: tiles of A
/// below each other, and tiles of B next to each other.
static std::optional<layout::intel::Dpas> getDpas(const MmaAtom &atom, ArrayRef<unsigned> warps,
                                                  ArrayRef<int64_t> shape) {
  constexpr uint64_t messageRows = 32, messageBytes = 64;
  layout::intel::Dpas dpas;
  dpas.repeatCount = atom.m;
  dpas.executionSize = atom.n;
  dpas.opsPerChan = atom.k / dpas.systolicDepth;
  dpas.threadsPerWarp = ttg::getLanes(atom);
  dpas.warpsPerCTA.assign(warps.begin(), warps.end());
  dpas.repCluster.assign(warps.size(), 1);
  if (!layout::intel::verify(dpas))
    return std::nullopt;
  const size_t row = warps.size() - 2, column = row + 1;
  auto tilesOfWarp = [&](size_t dim, unsigned tile) {
    return std::max<uint64_t>(1, shape[dim] / (uint64_t(tile) * warps[dim]));
  };
  const uint64_t tileBytes = atom.n * target::bitsOf(atom.b) / 8;
  dpas.repCluster[row] = std::min(messageRows / atom.m, tilesOfWarp(row, atom.m));
  dpas.repCluster[column] = std::min(messageBytes / tileBytes, tilesOfWarp(column, atom.n));
  return dpas;
}

Attribute ttg::getAccumulatorEncoding(MLIRContext *context, const MmaAtom &atom,
                                      ArrayRef<unsigned> warps, ArrayRef<int64_t> shape) {
  if (atom.accumulatorOperand.space == Space::TensorMemory)
    return getRowsOfLanes(context, atom, warps, shape);
  if (atom.accumulatorOperand.space != Space::Registers)
    return {};
  if (atom.issuer == Issuer::WarpGroup)
    return NvidiaMmaEncodingAttr::get(context,
                                      {3, 0, warps.vec(), {getRowsOfWarp(atom), atom.n, atom.k}});
  if (atom.issuer != Issuer::Warp)
    return {};
  // The tiles are those of an encoding if one warp holds one of them as the atom does.
  const int64_t tile[] = {atom.m, atom.n};
  auto hasTiles = [&](const auto &encoding) {
    return toLinearLayout(encoding, tile)
        .removeZeroBasesAlong(layout::dims::Register)
        .dropIn(layout::dims::Warp)
        .dropIn(layout::dims::Block)
        .sameMapAs(atom.accumulatorOperand.map);
  };
  if (hasTiles(layout::nvidia::Mma{2, 0, {1, 1}, {16, 8}})) {
    layout::nvidia::Mma mma = {2, 0, warps.vec(), {16, 8}};
    if (warps.size() == 3)
      mma.instrShape.insert(mma.instrShape.begin(), 1);
    return NvidiaMmaEncodingAttr::get(context, mma);
  }
  for (unsigned version : {1, 2}) {
    layout::amd::Wmma wmma;
    wmma.version = version;
    wmma.instrShape = {atom.m, atom.n, atom.k};
    if (!layout::amd::verify(wmma) || !hasTiles(wmma))
      continue;
    // Transposed, a lane has elements of one row: neighbours in memory, and, of version 2, what an
    // operand A has where it is.
    wmma.isTranspose = true;
    wmma.rank = warps.size();
    wmma.warps = layout::amd::tileBases(warps);
    return AmdWmmaEncodingAttr::get(context, wmma);
  }
  layout::amd::Mfma mfma;
  mfma.version = 0;
  mfma.warpsPerCTA = {1, 1};
  mfma.tilesPerWarp = {1, 1};
  mfma.instrShape = {atom.m, atom.n, atom.k};
  mfma.elementBitWidth = target::bitsOf(atom.accumulator);
  if (layout::amd::verify(mfma) && hasTiles(mfma)) {
    // Transposed for the same reason.
    mfma.isTransposed = true;
    mfma.warpsPerCTA.assign(warps.begin(), warps.end());
    mfma.tilesPerWarp.assign(warps.size(), 1);
    return AmdMfmaEncodingAttr::get(context, mfma);
  }
  const unsigned one[] = {1, 1};
  if (const auto dpas = getDpas(atom, one, tile); dpas && hasTiles(*dpas))
    return ttig::DpasEncodingAttr::get(context, *getDpas(atom, warps, shape));
  return {};
}

Attribute ttg::getSharedOperandEncoding(MLIRContext *context, ArrayRef<int64_t> shape,
                                        unsigned elementBits, bool isLastContiguous) {
  const uint64_t rowBytes = (isLastContiguous ? shape.back() : shape.front()) * elementBits / 8;
  constexpr unsigned widest = 128, narrowest = 32;
  if (rowBytes < narrowest)
    return {};
  layout::nvidia::NvmmaShared shared;
  shared.swizzlingByteWidth = std::min<uint64_t>(widest, rowBytes);
  shared.transposed = !isLastContiguous;
  shared.elementBitWidth = elementBits;
  if (!verifyShape(shared, shape))
    return {};
  return NvmmaSharedEncodingAttr::get(context, shared);
}
