//===- Elementwise.cpp - Lowering of elementwise ops --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"
#include "lower/core/Patterns.h"
#include "lower/core/types/RepeatedRegisters.h"
#include "lower/core/types/VectorValues.h"
#include "lower/elementwise/DeviceFunctions.h"
#include "lower/elementwise/FloatCasts.h"
#include "lower/elementwise/VectorGroups.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// The elements of an op that differ: registers that hold the same (broadcast tensors) are computed
/// once, as are those whose numbers differ in the bits of `repeated` only.
struct DistinctElements {
  SmallVector<ElementOperands> elements;
  /// For each register its element.
  SmallVector<unsigned> ofRegister;

  DistinctElements(ArrayRef<ValueRange> operands, unsigned registers, uint64_t repeated) {
    // Ops have four operands at most.
    using Key = std::tuple<Value, Value, Value, Value>;
    llvm::SmallDenseMap<Key, unsigned, 8> known;
    for (unsigned r = 0; r < registers; ++r) {
      if (r & repeated) {
        ofRegister.push_back(ofRegister[r & ~repeated]);
        continue;
      }
      ElementOperands element;
      for (ValueRange operand : operands)
        element.push_back(operand[operand.size() == 1 ? 0 : r]);
      auto at = [&](unsigned i) { return i < element.size() ? element[i] : Value(); };
      auto [entry, isNew] = known.try_emplace(Key(at(0), at(1), at(2), at(3)),
                                              static_cast<unsigned>(elements.size()));
      if (isNew)
        elements.push_back(std::move(element));
      ofRegister.push_back(entry->second);
    }
  }

  /// What the registers hold, where each element is `values`[its number].
  SmallVector<Value> distribute(ArrayRef<Value> values) const {
    return llvm::map_to_vector(ofRegister, [&](unsigned element) { return values[element]; });
  }
};

/// Appends one value for each result of an op, of these operands.
using Compute = llvm::function_ref<LogicalResult(ArrayRef<Value>, SmallVectorImpl<Value> &)>;

/// Calls `compute` for each of the distinct elements of an op, and gives the registers of its
/// `results`.
LogicalResult forEachElement(ArrayRef<ValueRange> operands, unsigned registers, uint64_t repeated,
                             MutableArrayRef<SmallVector<Value>> results, Compute compute) {
  const DistinctElements distinct(operands, registers, repeated);
  for (const ElementOperands &element : distinct.elements) {
    SmallVector<Value, 2> values;
    if (failed(compute(element, values)))
      return failure();
    for (auto [result, value] : llvm::zip_equal(results, values))
      result.push_back(value);
  }
  for (SmallVector<Value> &result : results)
    result = distinct.distribute(result);
  return success();
}

/// The same for an op that takes vectors, too: elements of vectors are computed together.
LogicalResult forEachVector(LoweringBuilder &e, ArrayRef<ValueRange> operands, unsigned registers,
                            uint64_t repeated, MutableArrayRef<SmallVector<Value>> results,
                            Compute compute) {
  const DistinctElements distinct(operands, registers, repeated);
  for (SmallVector<Value> &result : results)
    result.resize(distinct.elements.size());
  for (const VectorGroup &group : findVectorGroups(e, distinct.elements)) {
    SmallVector<Value, 2> vectors;
    if (failed(compute(group.operands, vectors)))
      return failure();
    for (auto [result, vector] : llvm::zip_equal(results, vectors))
      for (auto [element, value] : llvm::zip_equal(group.elements, e.unpackVector(vector)))
        result[element] = value;
  }
  for (auto [i, element] : llvm::enumerate(distinct.elements)) {
    if (results.front()[i])
      continue;
    SmallVector<Value, 2> values;
    if (failed(compute(element, values)))
      return failure();
    for (auto [result, value] : llvm::zip_equal(results, values))
      result[i] = value;
  }
  for (SmallVector<Value> &result : results)
    result = distinct.distribute(result);
  return success();
}

/// All ops that ScalarOps knows.
class ElementwisePattern final : public ConversionPattern {
public:
  ElementwisePattern(const TypeConverter &converter, LoweringContext &context,
                     const ScalarOps &scalarOps, MLIRContext *mlirContext)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1, mlirContext),
        context(context), scalarOps(scalarOps) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!scalarOps.find(op->getName()))
      return failure();
    SmallVector<Type, 2> types;
    for (Type type : op->getResultTypes())
      types.push_back(getTypeConverter()->convertType(tt::getElementTypeOrSelf(type)));
    LoweringBuilder emitter(context, rewriter, op->getLoc());
    SmallVector<SmallVector<Value>> results(op->getNumResults());
    auto compute = [&](ArrayRef<Value> elements, SmallVectorImpl<Value> &values) {
      for (Type &type : types)
        type = elements.empty() ? type : withElement(elements[0].getType(), type);
      scalarOps.emit(emitter, {op, elements, types}, values);
      return success(llvm::all_of(values, [](Value value) { return bool(value); }));
    };
    // The condition of a select may be a scalar beside tensors; its other operands are not.
    const unsigned registers = operands.back().size();
    const SteppedRegisters stepped = getSteppedRegisters(op);
    uint64_t repeated = getRepeatedRegisterBits(op);
    for (auto [bit, step] : llvm::enumerate(stepped.steps))
      if (step)
        repeated |= uint64_t(1) << bit;
    if (failed(scalarOps.takesVectors(op)
                   ? forEachVector(emitter, operands, registers, repeated, results, compute)
                   : forEachElement(operands, registers, repeated, results, compute)))
      return rejectOp(context, *getTypeConverter(), op, rewriter, "on these types");
    if (!stepped.steps.empty())
      addSteps(emitter, op, stepped, results.front());
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

private:
  /// Makes of `values`, in which registers have the value of the one that they are computed from,
  /// what they hold. A remainder does not wrap around.
  static void addSteps(LoweringBuilder &e, Operation *op, const SteppedRegisters &stepped,
                       MutableArrayRef<Value> values) {
    const auto wraps =
        isa<arith::RemSIOp>(op) ? LLVM::IntegerOverflowFlags::nsw : LLVM::IntegerOverflowFlags::nuw;
    for (auto [number, value] : llvm::enumerate(values))
      if (const int64_t distance = stepped.getOrigin(number).second)
        value = LLVM::AddOp::create(
            e.builder, e.loc, value,
            LLVM::ConstantOp::create(e.builder, e.loc,
                                     e.builder.getIntegerAttr(value.getType(), distance)),
            wraps);
  }

  LoweringContext &context;
  const ScalarOps &scalarOps;
};

/// Functions of device libraries that we have, too.
struct ExternPattern final : LoweringPattern<tt::ExternElementwiseOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::ExternElementwiseOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::string what = ("because of '" + op.getSymbol() + "'").str();
    const tt::ExternFunction *function = tt::findExternSymbol(op.getSymbol());
    if (!function)
      return reject(op, rewriter, what + ", which is no known function");
    if (!hasTypesOf(op, *function))
      return reject(op, rewriter, what + ", which is a function of other types");
    LoweringBuilder e(context, rewriter, op.getLoc());
    SmallVector<ValueRange> operands(adaptor.getSrcs());
    SmallVector<SmallVector<Value>> results(1);
    auto compute = [&](ArrayRef<Value> elements, SmallVectorImpl<Value> &values) {
      values.push_back(emitDeviceFunction(e, *function, elements));
      return success(bool(values.back()));
    };
    if (failed(forEachElement(operands, operands.front().size(), /*repeated=*/0, results, compute)))
      return reject(op, rewriter, what + ", which has no implementation here");
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

/// Conversions that 8-bit floats take part in: there may be instructions for two of them.
struct Float8CastPattern final : LoweringPattern<tt::FpToFpOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::FpToFpOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = cast<FloatType>(tt::getElementTypeOrSelf(op.getSrc().getType()));
    auto to = cast<FloatType>(tt::getElementTypeOrSelf(op.getType()));
    LoweringBuilder e(context, rewriter, op.getLoc());
    const bool towardZero = op.getRounding() == tt::RoundingMode::RTZ;
    const DistinctElements distinct({adaptor.getSrc()}, adaptor.getSrc().size(), /*repeated=*/0);
    SmallVector<Value> converted(distinct.elements.size());
    for (const VectorGroup &group : findVectorGroups(e, distinct.elements)) {
      Value vector = castVector(e, group.operands.front(), from, to, towardZero);
      for (auto [element, value] : llvm::zip_equal(group.elements, e.unpackVector(vector)))
        converted[element] = value;
    }
    SmallVector<Value> singles;
    for (auto [element, value] : llvm::zip_equal(distinct.elements, converted))
      if (!value)
        singles.push_back(element.front());
    SmallVector<Value> castSingles = castFloats(e, singles, from, to, towardZero);
    auto *next = castSingles.begin();
    for (Value &value : converted)
      if (!value)
        value = *next++;
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{distinct.distribute(converted)});
    return success();
  }
};

struct AddPtrPattern final : LoweringPattern<tt::AddPtrOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::AddPtrOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    auto pointerType = cast<tt::PointerType>(tt::getElementTypeOrSelf(op.getType()));
    // Offsets count elements as they lie in memory; i1 takes a byte.
    Type element = rewriter.getIntegerType(tt::getStorageBits(pointerType.getPointeeType()));
    Type type = getTypeConverter()->convertType(pointerType);
    SmallVector<SmallVector<Value>> results(1);
    auto compute = [&](ArrayRef<Value> elements, SmallVectorImpl<Value> &values) {
      // The index is sign-extended to the pointer's width.
      values.push_back(e.create<LLVM::GEPOp>(type, element, elements[0], elements[1]));
      return success();
    };
    (void)forEachElement({adaptor.getPtr(), adaptor.getOffset()}, adaptor.getPtr().size(),
                         /*repeated=*/0, results, compute);
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

/// Numbers, and tensors of one number or of one for each element.
struct ConstantPattern final : LoweringPattern<arith::ConstantOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Type type = getTypeConverter()->convertType(tt::getElementTypeOrSelf(op.getType()));
    auto emit = [&](Attribute value) {
      // Some floats are their bits.
      if (auto number = dyn_cast<FloatAttr>(value); number && type != number.getType())
        value = IntegerAttr::get(type, number.getValue().bitcastToAPInt());
      return e.getConstant(cast<TypedAttr>(value));
    };
    auto tensorType = dyn_cast<RankedTensorType>(op.getType());
    if (!tensorType) {
      rewriter.replaceOp(op, emit(op.getValue()));
      return success();
    }
    auto elements = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!elements)
      return reject(op, rewriter, "with different elements");
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(tensorType, types)))
      return failure();
    SmallVector<Value> registers(types.size(), emit(elements.getSplatValue<Attribute>()));
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct PoisonPattern final : LoweringPattern<ub::PoisonOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ub::PoisonOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getType(), types)))
      return failure();
    // Of one type, or the parts of a view of shared memory.
    SmallVector<Value> registers;
    for (Type type : types)
      registers.push_back(!registers.empty() && registers.back().getType() == type
                              ? registers.back()
                              : Value(LLVM::PoisonOp::create(rewriter, op.getLoc(), type)));
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

} // namespace

void lower::addElementwisePatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                                   LoweringContext &context, const ScalarOps &scalarOps) {
  MLIRContext *mlirContext = patterns.getContext();
  patterns.add<ElementwisePattern>(converter, context, scalarOps, mlirContext);
  patterns.add<AddPtrPattern, ConstantPattern, Float8CastPattern, ExternPattern, PoisonPattern>(
      converter, context, mlirContext);
}
