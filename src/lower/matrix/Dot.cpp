//===- Dot.cpp - Lowering of matrix products to multiply-adds -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Emits what planDot says. Floats are multiplied and added in f32, with one rounding, or in f64
// where one of the types is: every narrower operand is exact in f32, so a sum of N products is
// off by no more than about N / 2^24 of the sum of their sizes, whatever precision the op names.
// A result of 16 bits is rounded once, in the end. Integers wrap around in the result's width.
//
//===--------------------------------------------------------------------------===//

#include "lower/core/Patterns.h"
#include "lower/core/blocks/Loop.h"
#include "lower/core/builder/Scratch.h"
#include "lower/elementwise/FloatCasts.h"
#include "lower/matrix/DotPlans.h"
#include "lower/matrix/UnitProduct.h"
#include "lower/memory/ThreadAccess.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;
using plan::DotCoordinates;
using plan::DotOperandPlan;
using plan::DotPlan;

namespace {

/// Multiplications and additions in the type in which a product is computed.
class Arithmetic {
public:
  Arithmetic(tt::DotOp op, LoweringBuilder &e, unsigned unit)
      : e(e), unit(unit), resultType(tt::getElementTypeOrSelf(op.getType())), type(resultType) {
    if (!isa<FloatType>(type))
      return;
    bool wide = llvm::any_of(op->getOperandTypes(), [](Type operand) {
      return tt::getElementTypeOrSelf(operand).isF64();
    });
    type = wide ? e.builder.getF64Type() : e.builder.getF32Type();
  }

  /// An element of an operand or accumulator in the type of the computation; what is a word of
  /// four bytes stays one.
  Value widen(Value value) {
    Type from = value.getType();
    if (from == type || unit > 1)
      return value;
    if (isa<FloatType>(type))
      return castFloat(e, value, formatOf(from), cast<FloatType>(type), /*towardZero=*/false);
    if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
      return e.create<LLVM::TruncOp>(type, value);
    return e.create<LLVM::SExtOp>(type, value);
  }

  Value widenAccumulator(Value value) { return value.getType() == type ? value : widen(value); }

  Value narrowResult(Value value) {
    if (type == resultType)
      return value;
    return castFloat(e, value, cast<FloatType>(type), cast<FloatType>(resultType),
                     /*towardZero=*/false);
  }

  /// a * b + c; of floats, rounded once where the kernel lets products and sums be fused.
  Value multiplyAdd(Value a, Value b, Value c) {
    if (unit > 1)
      return multiplyAddBytes(a, b, c);
    if (isa<FloatType>(type))
      return e.create<LLVM::FMulAddOp>(a, b, c);
    return e.create<LLVM::AddOp>(e.create<LLVM::MulOp>(a, b), c);
  }

private:
  /// The format of staged floats of an LLVM type. Integers are a bf16's bits: narrower floats have
  /// been converted.
  FloatType formatOf(Type staged) {
    auto format = dyn_cast<FloatType>(staged);
    return format ? format : e.builder.getBF16Type();
  }

  /// The products of four bytes each.
  Value multiplyAddBytes(Value a, Value b, Value c) {
    if (e.target.getTarget().execution.hasByteDotProduct)
      return e.target.emitByteDotProduct(e.builder, e.loc, a, b, c);
    Type bytes = VectorType::get(4, e.builder.getI8Type());
    SmallVector<Value> bytesOfA = e.unpackVector(e.create<LLVM::BitcastOp>(bytes, a)),
                       bytesOfB = e.unpackVector(e.create<LLVM::BitcastOp>(bytes, b));
    for (auto [byteOfA, byteOfB] : llvm::zip_equal(bytesOfA, bytesOfB))
      c = e.create<LLVM::AddOp>(e.create<LLVM::MulOp>(e.create<LLVM::SExtOp>(type, byteOfA),
                                                      e.create<LLVM::SExtOp>(type, byteOfB)),
                                c);
    return c;
  }

  LoweringBuilder &e;
  unsigned unit;
  Type resultType, type;
};

/// The elements of the result that a thread has, each once, and which of the thread's rows of A
/// and columns of B (numbered in the order in which they first occur) each takes.
struct ThreadTile {
  explicit ThreadTile(RankedTensorType type, const std::array<DotOperandPlan, 2> &operands)
      : map(ttg::toLinearLayout(type)) {
    std::map<uint64_t, unsigned> elementAt;
    std::map<std::pair<uint64_t, uint64_t>, unsigned> seen[2];
    for (uint64_t r = 0; r < map.inSize(layout::dims::Register); ++r) {
      uint64_t packed = map.applyFlat(r << map.inShift(layout::dims::Register));
      auto [entry, isNew] = elementAt.try_emplace(packed, elements.size());
      elementOfRegister.push_back(entry->second);
      if (!isNew)
        continue;
      std::array<unsigned, 2> &sources = elements.emplace_back().sources;
      elements.back().firstRegister = r;
      for (unsigned i : {0, 1}) {
        DotCoordinates at = operands[i].resultCoordinates(map, packed);
        auto [row, isNewRow] = seen[i].try_emplace({at.batch, at.row}, rows[i].size());
        if (isNewRow)
          rows[i].push_back(at);
        sources[i] = row->second;
      }
    }
  }

  struct Element {
    std::array<unsigned, 2> sources;
    unsigned firstRegister = 0;
  };
  LinearLayout map;
  std::vector<Element> elements;
  std::vector<unsigned> elementOfRegister;
  /// The coordinates, with k = 0 and without the thread's part.
  std::array<std::vector<DotCoordinates>, 2> rows;
};

/// One operand on its way through shared memory.
class StagedOperand {
public:
  StagedOperand(const DotOperandPlan &plan, unsigned unit, LoweringBuilder &e, uint64_t scratch)
      : plan(plan), unit(unit), e(e), begin(scratch + plan.begin) {}

  //===------------------------------------------------------------------------===//
  // Stores
  //===------------------------------------------------------------------------===//

  /// Stores what belongs to chunk `chunk` of the operand with layout `map`; `values` are the
  /// thread's registers.
  void store(const LinearLayout &map, ArrayRef<Value> values, uint64_t chunk) {
    const uint64_t inChunk = (uint64_t(1) << plan.chunkBits) - 1;
    const uint64_t free = map.freeMask();
    auto offsetOf = [&](uint64_t location) {
      return plan.offset(plan.coordinates(map, map.applyFlat(location)));
    };
    ThreadBases bases, chunkBases;
    uint64_t threadBits = 0, chunkThreadBits = 0;
    for (uint64_t basis : getThreadBases(map)) {
      const uint64_t offset = plan.offset(plan.coordinates(map, basis));
      bases.push_back((offset & inChunk) * plan.elementBytes);
      chunkBases.push_back(offset >> plan.chunkBits);
      threadBits |= offset & inChunk;
      chunkThreadBits |= chunkBases.back();
    }

    // Registers in the order of their locations in memory, copies left out.
    std::map<uint64_t, unsigned> registerAt;
    uint64_t registerBits = 0;
    for (uint64_t r = 0; r < map.inSize(layout::dims::Register); ++r) {
      const uint64_t location = r << map.inShift(layout::dims::Register);
      if (location & free)
        continue;
      const uint64_t offset = offsetOf(location);
      registerAt[offset] = r;
      registerBits |= offset & inChunk;
    }

    Value isFirst = e.testThreadBitsZero(getCopyThreads(map, e));
    Value threadPart;
    const bool disjoint = (threadBits & registerBits) == 0;
    for (auto it = registerAt.begin(); it != registerAt.end();) {
      const uint64_t offset = it->first;
      SmallVector<Value> vector;
      for (unsigned i = 0; i < plan.storeVector; ++i, ++it)
        vector.push_back(values[it->second]);
      // The chunk of the element is that of the register, with the thread's bits changed.
      const uint64_t wanted = (offset >> plan.chunkBits) ^ chunk;
      if (wanted & ~chunkThreadBits)
        continue;
      Value predicate = e.andPredicates(isFirst, e.testThread(chunkBases, wanted));
      Value pointer;
      if (disjoint) {
        if (!threadPart)
          threadPart = getPointer(bases, 0);
        pointer = e.addBytes(threadPart, plan.padded(offset & inChunk) * plan.elementBytes);
      } else {
        pointer = getPointer(bases, (offset & inChunk) * plan.elementBytes);
      }
      e.target.emitStore(e.builder, e.loc, e.packVector(vector), pointer,
                         plan.elementBytes * plan.storeVector, predicate, {});
    }
  }

  //===------------------------------------------------------------------------===//
  // Loads
  //===------------------------------------------------------------------------===//

  /// Where the thread's part of row 0 is; `map` is the layout of the result.
  Value getLoadBase(const LinearLayout &map) {
    ThreadBases bases;
    for (uint64_t basis : getThreadBases(map))
      bases.push_back(plan.offset(plan.resultCoordinates(map, basis)) * plan.elementBytes);
    return getPointer(bases, 0);
  }

  /// Bytes from one slice of `step` along K to the next.
  uint64_t getStride(uint64_t step) const {
    return plan.padded(plan.offset({.k = step})) * plan.elementBytes;
  }

  /// Makes sure that `loaded[k][row]` has, for all rows and the given k of the slice at `base`, an
  /// element (or unit of elements) as it is in memory.
  void load(Value base, ArrayRef<DotCoordinates> rows, uint64_t k, Type memoryType,
            std::map<uint64_t, SmallVector<Value>> &loaded) {
    if (loaded.contains(k))
      return;
    const unsigned count = plan.loadVector / unit;
    auto type = VectorType::get(count, memoryType);
    auto loadAt = [&](DotCoordinates at) {
      at.k = k;
      Value pointer = e.addBytes(base, plan.padded(plan.offset(at)) * plan.elementBytes);
      return e.unpackVector(e.target.emitLoad(e.builder, e.loc, type, pointer,
                                              plan.elementBytes * plan.loadVector, Value(), Value(),
                                              {}));
    };
    if (plan.alongK) {
      for (const DotCoordinates &row : rows)
        for (auto [i, value] : llvm::enumerate(loadAt(row)))
          loaded[k + i * unit].push_back(value);
      return;
    }
    // Rows by their locations in memory: each aligned group of them is one access.
    std::map<uint64_t, unsigned> rowAt;
    for (auto [i, row] : llvm::enumerate(rows))
      rowAt[plan.offset(row)] = i;
    SmallVector<Value> &values = loaded[k];
    values.resize(rows.size());
    for (auto it = rowAt.begin(); it != rowAt.end();)
      for (Value value : loadAt(rows[it->second]))
        values[(it++)->second] = value;
  }

private:
  /// The address of the element at (the image of the thread's number) XOR `constant`, in bytes
  /// without padding.
  Value getPointer(const ThreadBases &bases, uint64_t constant) {
    uint64_t bits = constant;
    for (uint64_t basis : bases)
      bits |= basis;
    Value start = e.addBytes(e.getSharedBase(), begin);
    if (!bits)
      return start;
    Value bytes = e.getIndex(bases, constant);
    const unsigned groupShift = plan.groupBits + llvm::Log2_32(plan.elementBytes);
    if (plan.pad && bits >> groupShift) {
      Value groups = e.create<LLVM::LShrOp>(bytes, e.getI32(groupShift));
      Value holes = e.create<LLVM::MulOp>(groups, e.getI32(plan.pad * plan.elementBytes));
      bytes = e.create<LLVM::AddOp>(bytes, holes);
    }
    return e.addBytes(start, bytes);
  }

  const DotOperandPlan &plan;
  const unsigned unit;
  LoweringBuilder &e;
  const uint64_t begin;
};

struct DotPattern final : LoweringPattern<tt::DotOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::DotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const Result<DotPlan> &planned = planDot(op, context.plans);
    if (!planned)
      return reject(op, rewriter, planned.error());
    const DotPlan &plan = *planned;
    warnOfMultiplyAdds(op);
    LoweringBuilder e(context, rewriter, op.getLoc());
    const std::array<RankedTensorType, 2> types = {cast<RankedTensorType>(op.getA().getType()),
                                                   cast<RankedTensorType>(op.getB().getType())};
    const std::array<SmallVector<Value>, 2> sources = {stageable(e, adaptor.getA(), types[0]),
                                                       stageable(e, adaptor.getB(), types[1])};

    Arithmetic arithmetic(op, e, plan.unit);
    const ThreadTile tile(cast<RankedTensorType>(op.getType()), plan.operands);
    SmallVector<Value> sums;
    for (const ThreadTile::Element &element : tile.elements)
      sums.push_back(arithmetic.widenAccumulator(adaptor.getC()[element.firstRegister]));
    if (plan.inRegisters) {
      sums = multiplyInRegisters(plan, tile, types, sources, sums, arithmetic);
    } else {
      std::optional<uint64_t> scratch = getScratchOffset(op);
      if (!scratch)
        return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");
      sums = multiplyStaged(e, rewriter, plan, *scratch, tile, types, sources, sums, arithmetic);
    }

    for (Value &sum : sums)
      sum = arithmetic.narrowResult(sum);
    SmallVector<Value> results;
    for (unsigned element : tile.elementOfRegister)
      results.push_back(sums[element]);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }

private:
  /// The registers of an operand as they go to memory: 8-bit floats as the f16 that equal them.
  static SmallVector<Value> stageable(LoweringBuilder &e, ValueRange values,
                                      RankedTensorType type) {
    auto narrow = dyn_cast<FloatType>(type.getElementType());
    if (narrow && narrow.getWidth() == 8)
      return castFloats(e, values, narrow, e.builder.getF16Type(), /*towardZero=*/false);
    return llvm::map_to_vector(values, [&](Value value) { return e.toMemory(value); });
  }

  /// Adds the products of one k: `a` and `b` have an element for each row of the tile.
  static void multiplyAdd(const ThreadTile &tile, ArrayRef<Value> a, ArrayRef<Value> b,
                          MutableArrayRef<Value> sums, Arithmetic &arithmetic) {
    auto widen = [&](Value value) { return arithmetic.widen(value); };
    SmallVector<Value> wideA = llvm::map_to_vector(a, widen), wideB = llvm::map_to_vector(b, widen);
    for (auto [element, sum] : llvm::zip_equal(tile.elements, sums))
      sum = arithmetic.multiplyAdd(wideA[element.sources[0]], wideB[element.sources[1]], sum);
  }

  static SmallVector<Value> multiplyInRegisters(const DotPlan &plan, const ThreadTile &tile,
                                                ArrayRef<RankedTensorType> types,
                                                ArrayRef<SmallVector<Value>> sources,
                                                SmallVector<Value> sums, Arithmetic &arithmetic) {
    // The registers of each operand by their coordinates.
    using Key = std::tuple<uint64_t, uint64_t, uint64_t>;
    std::map<Key, Value> valueAt[2];
    for (unsigned i : {0, 1}) {
      const LinearLayout map = ttg::toLinearLayout(types[i]);
      for (auto [r, value] : llvm::enumerate(sources[i])) {
        DotCoordinates at = plan.operands[i].coordinates(
            map, map.applyFlat(uint64_t(r) << map.inShift(layout::dims::Register)));
        valueAt[i][{at.batch, at.row, at.k}] = value;
      }
    }
    for (uint64_t k = 0; k < plan.k; ++k) {
      SmallVector<Value> slices[2];
      for (unsigned i : {0, 1})
        for (const DotCoordinates &row : tile.rows[i])
          slices[i].push_back(valueAt[i][{row.batch, row.row, k}]);
      multiplyAdd(tile, slices[0], slices[1], sums, arithmetic);
    }
    return sums;
  }

  static SmallVector<Value> multiplyStaged(LoweringBuilder &e, RewriterBase &rewriter,
                                           const DotPlan &plan, uint64_t scratch,
                                           const ThreadTile &tile, ArrayRef<RankedTensorType> types,
                                           ArrayRef<SmallVector<Value>> sources,
                                           SmallVector<Value> sums, Arithmetic &arithmetic) {
    StagedOperand operands[2] = {{plan.operands[0], plan.unit, e, scratch},
                                 {plan.operands[1], plan.unit, e, scratch}};
    Type memoryTypes[2];
    Value bases[2];
    for (unsigned i : {0, 1}) {
      memoryTypes[i] = plan.unit > 1 ? Type(e.builder.getI32Type()) : sources[i][0].getType();
      bases[i] = operands[i].getLoadBase(tile.map);
    }
    for (uint64_t chunk = 0; chunk < plan.k / plan.chunk; ++chunk) {
      if (chunk)
        e.emitSharedBarrier();
      for (unsigned i : {0, 1})
        operands[i].store(ttg::toLinearLayout(types[i]), sources[i], chunk);
      e.emitSharedBarrier();

      auto slice = [&](Value number, ValueRange carried) {
        Value starts[2];
        for (unsigned i : {0, 1})
          starts[i] =
              plan.chunk == plan.step
                  ? bases[i]
                  : e.addBytes(bases[i], e.create<LLVM::MulOp>(
                                             number, e.getI32(operands[i].getStride(plan.step))));
        SmallVector<Value> next(carried);
        std::map<uint64_t, SmallVector<Value>> loaded[2];
        for (uint64_t k = 0; k < plan.step; k += plan.unit) {
          for (unsigned i : {0, 1})
            operands[i].load(starts[i], tile.rows[i], k, memoryTypes[i], loaded[i]);
          multiplyAdd(tile, loaded[0][k], loaded[1][k], next, arithmetic);
        }
        return next;
      };
      sums = emitLoop(e, rewriter, plan.chunk / plan.step, sums, slice);
    }
    return sums;
  }
};

} // namespace

void lower::addDotPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                          LoweringContext &context) {
  patterns.add<DotPattern>(converter, context, patterns.getContext());
}

void lower::attachDotScratch(MLIRContext &context) {
  attachScratch<tt::DotOp, getDotScratch>(context);
}
