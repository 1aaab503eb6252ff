//===- Access.cpp - Cooperative matrices in memory ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each lane accesses its own elements, those side by side together. All warps hold a matrix: all
// load it, and the first writes it.
//
//===--------------------------------------------------------------------------===//

#include "lower/coopmatrix/MatrixRegisters.h"
#include "lower/coopmatrix/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "lower/core/types/AccessWidth.h"
#include "lower/memory/NarrowAtomics.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::CooperativeMatrix;
using LLVM::AtomicBinOp;
using LLVM::AtomicOrdering;
using tw::CombineKind;

namespace {

/// The addresses of a matrix's elements, and which of them are accessed.
class MatrixAddresses {
public:
  template <typename Op, typename Adaptor>
  MatrixAddresses(LoweringBuilder &e, MatrixRegisters &places, Op op, Adaptor adaptor,
                  Type elementType)
      : e(e), places(places), memoryType(e.getMemoryType(elementType)) {
    std::array<Value, 2> positions = {adaptor.getRow().front(), adaptor.getColumn().front()};
    strides = {adaptor.getStride0().front(), adaptor.getStride1().front()};
    if (!op.getShape().empty())
      sizes = {adaptor.getShape()[0].front(), adaptor.getShape()[1].front()};
    if (op.getTransposed()) {
      std::swap(strides[0], strides[1]);
      std::swap(sizes[0], sizes[1]);
    }
    isChecked = {op.getRowsChecked(), op.getColsChecked()};
    const std::array<Value, 2> ofLane = {places.getLaneRow(), places.getLaneColumn()};
    pointer = adaptor.getBase().front();
    for (unsigned axis : {0, 1}) {
      first[axis] = ofLane[axis] ? Value(e.create<LLVM::AddOp>(positions[axis], ofLane[axis]))
                                 : positions[axis];
      Value wide = e.create<LLVM::SExtOp>(e.builder.getI64Type(), first[axis]);
      pointer = advance(pointer, e.create<LLVM::MulOp>(wide, strides[axis]));
    }
  }

  unsigned getElementBytes() const { return e.getMemoryBytes(memoryType); }
  Type getMemoryType() const { return memoryType; }

  Value getPointer(unsigned reg) {
    Value result = pointer;
    for (unsigned axis : {0, 1})
      if (const int64_t offset = getOffset(reg, axis))
        result = advance(
            result, e.create<LLVM::MulOp>(e.getInt(e.builder.getI64Type(), offset), strides[axis]));
    return result;
  }

  /// i1: whether this lane accesses a register; null where it does.
  Value getPredicate(unsigned reg) {
    Value predicate = places.isElement(reg);
    for (unsigned axis : {0, 1})
      if (isChecked[axis])
        predicate = e.andPredicates(predicate, isInside(axis, getOffset(reg, axis)));
    return predicate;
  }

private:
  int64_t getOffset(unsigned reg, unsigned axis) const {
    const CooperativeMatrix::Element at = places.getLayout().registerElement(reg);
    return axis == 0 ? at.row : at.column;
  }

  Value advance(Value from, Value elements) {
    return e.create<LLVM::GEPOp>(from.getType(), memoryType, from, elements);
  }

  /// A size that is not positive has nothing inside, and neither has what overflows.
  Value isInside(unsigned axis, int64_t offset) {
    Value &test = inside[{axis, offset}];
    if (!test) {
      Value index =
          offset ? Value(e.create<LLVM::AddOp>(first[axis], e.getI32(offset))) : first[axis];
      Value isFromZero = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::sge, index, e.getI32(0));
      Value isBelow = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::slt, index, sizes[axis]);
      test = e.create<LLVM::AndOp>(isFromZero, isBelow);
    }
    return test;
  }

  LoweringBuilder &e;
  MatrixRegisters &places;
  Type memoryType;
  /// The coordinate of register 0 of this lane, and its address.
  std::array<Value, 2> first;
  Value pointer;
  std::array<Value, 2> strides, sizes;
  std::array<bool, 2> isChecked;
  std::map<std::pair<unsigned, int64_t>, Value> inside;
};

/// What atomic operations of a kernel's matrices are: relaxed, of the device.
constexpr AtomicOrdering ordering = AtomicOrdering::monotonic;

bool isNarrow(LoweringBuilder &e, Type memoryType) {
  return memoryType.getIntOrFloatBitWidth() < e.target.getMinAtomicBits();
}

/// A value in memory's type as an integer, and back.
Value toBits(LoweringBuilder &e, Value value) {
  Type integer = e.builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
  return value.getType() == integer ? value : Value(e.create<LLVM::BitcastOp>(integer, value));
}
Value fromBits(LoweringBuilder &e, Value bits, Type type) {
  return bits.getType() == type ? bits : Value(e.create<LLVM::BitcastOp>(type, bits));
}

/// The registers of each access of a lane, neighbours in memory: as many as the op says that rows
/// are aligned for (ttg::accessAlignmentAttrName). All of an access are elements, or none.
template <typename Op>
SmallVector<SmallVector<unsigned>> getAccesses(Op op, const CooperativeMatrix &layout,
                                               unsigned elementBytes) {
  auto alignment = op->template getAttrOfType<IntegerAttr>(ttg::accessAlignmentAttrName);
  const int64_t most = alignment ? alignment.getInt() / elementBytes : 1;
  std::map<std::pair<int64_t, int64_t>, unsigned> registerAt;
  for (unsigned r = 0; r < layout.registerCount(); ++r)
    if (const CooperativeMatrix::Element at = layout.registerElement(r); !layout.isPadding(r))
      registerAt[{at.row, at.column}] = r;
  // Lanes begin at multiples of what they all have side by side.
  int64_t ofLanes = most;
  for (int64_t lane = 1; lane < layout.subgroupSize(); lane *= 2)
    while (layout.laneElement(lane).column % ofLanes)
      ofLanes /= 2;
  SmallVector<SmallVector<unsigned>> accesses;
  for (auto it = registerAt.begin(); it != registerAt.end();) {
    const auto [row, column] = it->first;
    auto fits = [&](int64_t width) {
      if (column % width)
        return false;
      for (int64_t i = 0; i < width; ++i) {
        auto found = registerAt.find({row, column + i});
        // With whole entries all of one are elements, or none.
        if (found == registerAt.end() ||
            !(layout.isWhole(found->second) || width <= layout.channelCount()))
          return false;
      }
      return true;
    };
    int64_t width = ofLanes;
    while (width > 1 && !fits(width))
      width /= 2;
    SmallVector<unsigned> &access = accesses.emplace_back();
    for (int64_t i = 0; i < width; ++i, ++it)
      access.push_back(it->second);
  }
  return accesses;
}

struct LoadPattern final : LoweringPattern<tw::CoopMatrixLoadOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    const Type type = getTypeConverter()->convertType(op.getType().getElementType());
    MatrixRegisters places(e, op.getType());
    MatrixAddresses addresses(e, places, op, adaptor, type);
    SmallVector<Value> results(places.size(), e.getZero(type));
    for (ArrayRef<unsigned> access :
         getAccesses(op, places.getLayout(), addresses.getElementBytes())) {
      const auto vector = VectorType::get(access.size(), addresses.getMemoryType());
      Value predicate = addresses.getPredicate(access[0]);
      Value loaded = e.target.emitLoad(e.builder, e.loc, vector, addresses.getPointer(access[0]),
                                       addresses.getElementBytes() * access.size(), predicate,
                                       predicate ? e.getZero(vector) : Value(), {});
      for (auto [r, value] : llvm::zip_equal(access, e.unpackVector(loaded)))
        results[r] = e.fromMemory(value, type);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

/// i1: whether this thread is in the first warp; null where there is one.
Value isFirstWarp(LoweringBuilder &e) {
  const uint32_t lanes = (uint32_t(1) << e.context.laneBits) - 1;
  return e.testThreadBitsZero((e.numThreads() - 1) & ~lanes);
}

struct StorePattern final : LoweringPattern<tw::CoopMatrixStoreOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    MatrixRegisters places(e, op.getValue().getType());
    MatrixAddresses addresses(e, places, op, adaptor, adaptor.getValue()[0].getType());
    Value isFirst = isFirstWarp(e);
    for (ArrayRef<unsigned> access :
         getAccesses(op, places.getLayout(), addresses.getElementBytes())) {
      const SmallVector<Value> values = llvm::map_to_vector(
          access, [&](unsigned r) { return e.toMemory(adaptor.getValue()[r]); });
      e.target.emitStore(e.builder, e.loc, e.packVector(values), addresses.getPointer(access[0]),
                         addresses.getElementBytes() * access.size(),
                         e.andPredicates(addresses.getPredicate(access[0]), isFirst), {});
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// `operate` in the lanes where `predicate` (may be null) holds.
Value operateWhere(LoweringBuilder &e, RewriterBase &rewriter, Value predicate, Value otherwise,
                   llvm::function_ref<Value()> operate) {
  if (!predicate)
    return operate();
  return emitBranch(e, rewriter, predicate, otherwise,
                    [&] { return SmallVector<Value>{operate()}; })[0];
}

struct AtomicLoadPattern final : LoweringPattern<tw::CoopMatrixAtomicLoadOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixAtomicLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    const Type type = getTypeConverter()->convertType(op.getType().getElementType());
    MatrixRegisters places(e, op.getType());
    MatrixAddresses addresses(e, places, op, adaptor, type);
    const Type memoryType = addresses.getMemoryType();
    const StringRef scope = e.target.getSyncScope(MemoryScope::Device);
    SmallVector<Value> results;
    for (unsigned r = 0; r < places.size(); ++r) {
      if (places.getLayout().isPadding(r)) {
        results.push_back(e.getZero(type));
        continue;
      }
      Value predicate = addresses.getPredicate(r), pointer = addresses.getPointer(r);
      Value loaded = operateWhere(e, rewriter, predicate, e.getZero(memoryType), [&]() -> Value {
        if (isNarrow(e, memoryType))
          return fromBits(e,
                          emitNarrowAtomic(e, rewriter, pointer, memoryType.getIntOrFloatBitWidth(),
                                           ordering, scope, [](Value old) { return old; }),
                          memoryType);
        return e.create<LLVM::LoadOp>(memoryType, pointer, addresses.getElementBytes(),
                                      /*isVolatile=*/false, /*isNonTemporal=*/false,
                                      /*isInvariant=*/false, /*isInvariantGroup=*/false, ordering,
                                      scope);
      });
      results.push_back(e.fromMemory(loaded, type));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

/// Stores and updates: an atomic operation for each element, whose result nobody wants.
template <typename Op> struct AtomicWritePattern : LoweringPattern<Op> {
  using LoweringPattern<Op>::LoweringPattern;

  LogicalResult matchAndRewrite(Op op,
                                typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(this->context, rewriter, op.getLoc());
    const tw::CoopMatrixType type = op.getValue().getType();
    MatrixRegisters places(e, type);
    MatrixAddresses addresses(e, places, op, adaptor, adaptor.getValue()[0].getType());
    Value isFirst = isFirstWarp(e);
    for (auto [r, value] : llvm::enumerate(adaptor.getValue())) {
      if (places.getLayout().isPadding(r))
        continue;
      Value predicate = e.andPredicates(addresses.getPredicate(r), isFirst);
      Value pointer = addresses.getPointer(r), stored = e.toMemory(value);
      auto operate = [&]() -> SmallVector<Value> {
        write(op, e, rewriter, pointer, stored, type.getElementType(), addresses.getElementBytes());
        return {};
      };
      if (predicate)
        emitBranch(e, rewriter, predicate, {}, operate);
      else
        operate();
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static AtomicBinOp operationOf(tw::CoopMatrixAtomicStoreOp, Type) { return AtomicBinOp::xchg; }
  static AtomicBinOp operationOf(tw::CoopMatrixAtomicUpdateOp op, Type type) {
    const bool isFloat = isa<FloatType>(type);
    switch (op.getKind()) {
    case CombineKind::Add:
      return isFloat ? AtomicBinOp::fadd : AtomicBinOp::add;
    case CombineKind::Min:
      return isFloat ? AtomicBinOp::fmin : AtomicBinOp::min;
    case CombineKind::Max:
      return isFloat ? AtomicBinOp::fmax : AtomicBinOp::max;
    case CombineKind::UMin:
      return AtomicBinOp::umin;
    case CombineKind::UMax:
      return AtomicBinOp::umax;
    }
    llvm_unreachable("no such kind");
  }

  static void write(Op op, LoweringBuilder &e, RewriterBase &rewriter, Value pointer, Value value,
                    Type elementType, unsigned alignment) {
    const StringRef scope = e.target.getSyncScope(MemoryScope::Device);
    const AtomicBinOp operation = operationOf(op, elementType);
    const bool isExtremum = operation == AtomicBinOp::fmin || operation == AtomicBinOp::fmax;
    const unsigned bits = value.getType().getIntOrFloatBitWidth();
    if (isNarrow(e, value.getType())) {
      Value operand = toBits(e, value);
      emitNarrowAtomic(e, rewriter, pointer, bits, ordering, scope, [&](Value old) {
        return emitOperation(e, operation, elementType, old, operand);
      });
    } else if (operation == AtomicBinOp::xchg) {
      e.create<LLVM::StoreOp>(value, pointer, alignment, /*isVolatile=*/false,
                              /*isNonTemporal=*/false, /*isInvariantGroup=*/false, ordering, scope);
    } else if (isExtremum) {
      updateFloatExtremum(e, rewriter, operation == AtomicBinOp::fmin, pointer, toBits(e, value),
                          scope);
    } else {
      auto update =
          e.create<LLVM::AtomicRMWOp>(operation, pointer, value, ordering, scope, alignment);
      e.target.markAtomic(update, MemoryScope::Device);
    }
  }

  // Floats of one sign are ordered as their bits are, those without it as signed integers: a value
  // that is not negative is compared as a signed integer, one that is as an unsigned integer, the
  // other way round. Zeros of both signs count as different, -0 as the smaller.
  static void updateFloatExtremum(LoweringBuilder &e, RewriterBase &rewriter, bool isMin,
                                  Value pointer, Value bits, StringRef scope) {
    Value isNegative =
        e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::slt, bits, e.getZero(bits.getType()));
    auto emit = [&](AtomicBinOp operation) {
      return [&e, operation, pointer, bits, scope]() -> SmallVector<Value> {
        auto update = e.create<LLVM::AtomicRMWOp>(operation, pointer, bits, ordering, scope);
        e.target.markAtomic(update, MemoryScope::Device);
        return {};
      };
    };
    emitBranch(e, rewriter, isNegative, {}, emit(isMin ? AtomicBinOp::umax : AtomicBinOp::umin));
    Value isPositive = e.create<LLVM::XOrOp>(isNegative, e.getInt(e.builder.getI1Type(), 1));
    emitBranch(e, rewriter, isPositive, {}, emit(isMin ? AtomicBinOp::min : AtomicBinOp::max));
  }
};

} // namespace

void lower::addCoopMatrixAccessPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                                        LoweringContext &context) {
  patterns.add<LoadPattern, StorePattern, AtomicLoadPattern,
               AtomicWritePattern<tw::CoopMatrixAtomicStoreOp>,
               AtomicWritePattern<tw::CoopMatrixAtomicUpdateOp>>(converter, context,
                                                                 patterns.getContext());
}
