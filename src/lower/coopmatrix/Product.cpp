//===- Product.cpp - Products of cooperative matrices -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/coopmatrix/ElementArithmetic.h"
#include "lower/coopmatrix/MatrixRegisters.h"
#include "lower/coopmatrix/Patterns.h"
#include "lower/coopmatrix/UnitTiles.h"
#include "lower/matrix/Accumulators.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::CooperativeMatrix;

namespace {

using Element = CooperativeMatrix::Element;

/// Each lane computes the elements that it holds of the result. The row of A and the column of B
/// come by shuffles: where M is S or more, a lane has its rows of A, and an element of B is the
/// same for all.
SmallVector<Value> multiplyByLanes(LoweringBuilder &e, tw::CoopMatrixMulAddOp op, ValueRange a,
                                   ValueRange b, ValueRange c) {
  const tw::CoopMatrixType typeA = op.getA().getType(), typeB = op.getB().getType(),
                           typeC = op.getType();
  ElementArithmetic arithmetic(e, typeC.getElementType());
  MatrixRegisters placesA(e, typeA), placesB(e, typeB), placesC(e, typeC);
  auto widen = [&](ValueRange registers, tw::CoopMatrixType type, bool isUnsigned) {
    return llvm::map_to_vector(registers, [&](Value value) {
      return arithmetic.widen(value, type.getElementType(), isUnsigned);
    });
  };
  ElementGather gatherA(e, placesA.getLayout(), widen(a, typeA, op.getUnsignedA())),
      gatherB(e, placesB.getLayout(), widen(b, typeB, op.getUnsignedB()));
  const CooperativeMatrix &layout = placesC.getLayout();

  SmallVector<Value> sums(c);
  for (auto [r, sum] : llvm::enumerate(sums)) {
    if (layout.isPadding(r))
      continue;
    const Element own = layout.registerElement(r);
    sum = arithmetic.widen(sum, typeC.getElementType());
    for (int64_t k = 0; k < typeA.getColumns(); ++k) {
      Value left = gatherA.get(
          [&](int64_t lane) -> Element { return {own.row + layout.laneElement(lane).row, k}; });
      Value right = gatherB.get([&](int64_t lane) -> Element {
        return {k, own.column + layout.laneElement(lane).column};
      });
      sum = arithmetic.multiplyAdd(left, right, sum);
    }
    sum = placesC.withoutPadding(r, arithmetic.narrow(sum));
  }
  return sums;
}

/// The registers of an operand, as the unit has them, tile by tile.
SmallVector<SmallVector<Value>> gatherTiles(LoweringBuilder &e, const UnitTiles &tiles,
                                            MatrixRegisters &places, ValueRange registers) {
  ElementGather gather(e, places.getLayout(), registers);
  SmallVector<SmallVector<Value>> gathered;
  for (unsigned rowTile = 0; rowTile < tiles.rowTiles(); ++rowTile)
    for (unsigned columnTile = 0; columnTile < tiles.columnTiles(); ++columnTile) {
      SmallVector<Value> values;
      for (unsigned reg = 0; reg < tiles.registersPerTile(); ++reg)
        values.push_back(gather.get([&](int64_t lane) {
          return tiles.element(rowTile, columnTile, reg, static_cast<unsigned>(lane));
        }));
      gathered.push_back(std::move(values));
    }
  return gathered;
}

SmallVector<Value> multiplyByUnit(LoweringBuilder &e, const MatrixUnit &unit,
                                  tw::CoopMatrixMulAddOp op, ValueRange a, ValueRange b,
                                  ValueRange c) {
  const target::MmaAtom &atom = *unit.atom;
  const MatrixUnits &units = e.target;
  const tw::CoopMatrixType typeC = op.getType();
  const int64_t m = typeC.getRows(), n = typeC.getColumns(), k = op.getA().getType().getColumns();
  MatrixRegisters placesA(e, op.getA().getType()), placesB(e, op.getB().getType()),
      placesC(e, typeC);
  const auto &[mapA, mapB] = unit.isTransposed ? std::tie(atom.bOperand.map, atom.aOperand.map)
                                               : std::tie(atom.aOperand.map, atom.bOperand.map);
  const UnitTiles tilesA(mapA, unit.isTransposed, m, k), tilesB(mapB, unit.isTransposed, k, n),
      tilesC(atom.accumulatorOperand.map, unit.isTransposed, m, n);
  const auto [operandA, operandB] = unit.isTransposed
                                        ? std::pair(ProductOperand::B, ProductOperand::A)
                                        : std::pair(ProductOperand::A, ProductOperand::B);
  auto pack = [&](ProductOperand operand, ArrayRef<SmallVector<Value>> tiles) {
    return llvm::map_to_vector(tiles, [&](const SmallVector<Value> &values) {
      return units.packFragment(e.builder, e.loc, atom, operand, values);
    });
  };
  const auto left = pack(operandA, gatherTiles(e, tilesA, placesA, a)),
             right = pack(operandB, gatherTiles(e, tilesB, placesB, b));
  Accumulators sums(units, e.builder, e.loc, atom, gatherTiles(e, tilesC, placesC, c));
  // All accumulators before the next k: none waits for the one before.
  for (unsigned part = 0; part < tilesA.columnTiles(); ++part)
    for (unsigned row = 0; row < tilesC.rowTiles(); ++row)
      for (unsigned column = 0; column < tilesC.columnTiles(); ++column) {
        const SmallVector<Value> &ofA = left[row * tilesA.columnTiles() + part],
                                 &ofB = right[part * tilesB.columnTiles() + column];
        sums.add(row * tilesC.columnTiles() + column, unit.isTransposed ? ofB : ofA,
                 unit.isTransposed ? ofA : ofB);
      }
  SmallVector<Value> registers;
  for (const SmallVector<Value> &sum : sums.unpack(c.front().getType()))
    llvm::append_range(registers, sum);

  const CooperativeMatrix &layout = placesC.getLayout();
  ElementGather gather(e, m, n, [&](Element element) { return tilesC.place(element); }, registers);
  SmallVector<Value> results;
  for (unsigned r = 0; r < placesC.size(); ++r) {
    const Element own = layout.registerElement(r);
    Value value = gather.get([&](int64_t lane) -> Element {
      const Element at = layout.laneElement(lane);
      return {own.row + at.row, own.column + at.column};
    });
    results.push_back(placesC.withoutPadding(r, value));
  }
  return results;
}

struct MulAddPattern final : LoweringPattern<tw::CoopMatrixMulAddOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixMulAddOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    const MatrixUnit unit =
        chooseMatrixUnit(op, context.target.getTarget(), 1u << context.laneBits);
    // Without a unit, each product of an element of A and one of B is a value of its own.
    constexpr int64_t maxProducts = 1 << 13;
    const int64_t products = int64_t(adaptor.getC().size()) * op.getA().getType().getColumns();
    if (!unit.atom && products > maxProducts)
      return reject(op, rewriter,
                    "by " + Twine(products) + " multiply-adds in each lane, more than " +
                        Twine(maxProducts),
                    "cut the matrices into smaller ones, or use types that a matrix unit takes");
    const SmallVector<Value> results =
        unit.atom ? multiplyByUnit(e, unit, op, adaptor.getA(), adaptor.getB(), adaptor.getC())
                  : multiplyByLanes(e, op, adaptor.getA(), adaptor.getB(), adaptor.getC());
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

} // namespace

void lower::addCoopMatrixProductPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                                        LoweringContext &context) {
  patterns.add<MulAddPattern>(converter, context, patterns.getContext());
}
