//===- Atomics.cpp - Lowering of atomic operations on global memory -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each element is done exactly once: by the first of the locations that hold it, under its mask.
// What was in memory then goes to the others.
//
// Order. An operation that orders memory is for the whole program what it is for one thread: a
// release comes after all that the block's threads did before, so they meet first where only
// some of them do the operation; what others acquire through its result they get by the barrier
// that hands the result on. A thread that does several operations orders them by one fence before
// and one after instead of two around each. An operation whose result nobody looks at cannot
// acquire anything.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"
#include "lower/core/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "lower/core/builder/Scratch.h"
#include "lower/memory/NarrowAtomics.h"
#include "lower/memory/ThreadAccess.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using LLVM::AtomicBinOp;
using LLVM::AtomicOrdering;

namespace {

MemoryScope scopeOf(tt::MemSyncScope scope) {
  switch (scope) {
  case tt::MemSyncScope::CTA:
    return MemoryScope::Block;
  case tt::MemSyncScope::GPU:
    return MemoryScope::Device;
  case tt::MemSyncScope::SYSTEM:
    return MemoryScope::System;
  }
  llvm_unreachable("no such scope");
}

/// What LLVM calls the operation on elements of `type`; nothing where it has no sense.
std::optional<AtomicBinOp> operationOf(tt::RMWOp op, Type type) {
  const bool isFloat = isa<FloatType>(type);
  switch (op) {
  case tt::RMWOp::XCHG:
    return AtomicBinOp::xchg;
  case tt::RMWOp::ADD:
  case tt::RMWOp::FADD:
    return isFloat ? AtomicBinOp::fadd : AtomicBinOp::add;
  case tt::RMWOp::MAX:
    return isFloat ? AtomicBinOp::fmax : AtomicBinOp::max;
  case tt::RMWOp::MIN:
    return isFloat ? AtomicBinOp::fmin : AtomicBinOp::min;
  default:
    break;
  }
  if (isFloat)
    return std::nullopt;
  switch (op) {
  case tt::RMWOp::AND:
    return AtomicBinOp::_and;
  case tt::RMWOp::OR:
    return AtomicBinOp::_or;
  case tt::RMWOp::XOR:
    return AtomicBinOp::_xor;
  case tt::RMWOp::UMAX:
    return AtomicBinOp::umax;
  case tt::RMWOp::UMIN:
    return AtomicBinOp::umin;
  default:
    return std::nullopt;
  }
}

/// The order of a whole tensor's operation, and how it is had.
struct Order {
  bool release = false, acquire = false;
  /// By fences around relaxed operations.
  bool fences = false;

  /// Of an op with one result, done in `operations`. Old values of a tensor that nobody looks at
  /// say of no other thread what it has done: nothing is acquired. A scalar may be a lock, which is
  /// let go so, or the counter of a wait whose end another load has seen.
  Order(tt::MemSemantic semantic, Operation *op, size_t operations) {
    const bool isData = op->use_empty() && isa<RankedTensorType>(op->getResult(0).getType());
    release = semantic == tt::MemSemantic::RELEASE || semantic == tt::MemSemantic::ACQUIRE_RELEASE;
    acquire = !isData && (semantic == tt::MemSemantic::ACQUIRE ||
                          semantic == tt::MemSemantic::ACQUIRE_RELEASE);
    fences = operations > 1 && (release || acquire);
  }

  AtomicOrdering ofOperation() const {
    if (fences || (!release && !acquire))
      return AtomicOrdering::monotonic;
    return !acquire   ? AtomicOrdering::release
           : !release ? AtomicOrdering::acquire
                      : AtomicOrdering::acq_rel;
  }
};

/// The operations of one op.
class Atomics {
public:
  /// `op` has one result, of the type of `registers` pointers; they are done in `accesses`.
  Atomics(LoweringBuilder &e, RewriterBase &rewriter, Operation *op, tt::MemSemantic semantic,
          tt::MemSyncScope scope, SmallVector<SmallVector<unsigned>> accesses)
      : e(e), rewriter(rewriter), op(op), accesses(std::move(accesses)),
        order(semantic, op, this->accesses.size()), scope(e.target.getSyncScope(scopeOf(scope))) {}

  StringRef getScope() const { return scope; }
  AtomicOrdering getOrdering() const { return order.ofOperation(); }

  /// Does `update` with an element of `type`, an LLVM type narrower than what atomic operations
  /// take, as an integer; gives the old one.
  Value emitNarrow(Value pointer, Type type, llvm::function_ref<Value(Value)> update) {
    Value old = emitNarrowAtomic(e, rewriter, pointer, type.getIntOrFloatBitWidth(), getOrdering(),
                                 scope, update);
    return old.getType() == type ? old : Value(e.create<LLVM::BitcastOp>(type, old));
  }

  /// Emits `operate` for each access: it gives the old values of its registers as they are in
  /// memory, of `memoryType`. Returns the result's registers, of `type`.
  SmallVector<Value> emit(ValueRange mask, unsigned registers, Type type, Type memoryType,
                          std::optional<uint64_t> scratch,
                          llvm::function_ref<SmallVector<Value>(ArrayRef<unsigned>)> operate) {
    const Type resultType = op->getResult(0).getType();
    const uint32_t copyThreads = getCopyThreads(resultType, e);
    if (order.release && copyThreads)
      e.emitGroupBarrier();
    if (order.fences && order.release)
      e.create<LLVM::FenceOp>(AtomicOrdering::release, scope);

    Value isFirst = e.testThreadBitsZero(copyThreads);
    const bool isUsed = !op->use_empty();
    SmallVector<Value> old(registers);
    for (ArrayRef<unsigned> access : accesses) {
      Value predicate = e.andPredicates(getPredicate(mask, access[0]), isFirst);
      auto operateOnce = [&] {
        SmallVector<Value> values = operate(access);
        return isUsed ? values : SmallVector<Value>();
      };
      // Elements that are masked off give zero, so that every run gives the same.
      SmallVector<Value> zeros;
      if (isUsed)
        zeros.assign(access.size(), e.getZero(memoryType));
      SmallVector<Value> values =
          predicate ? emitBranch(e, rewriter, predicate, zeros, operateOnce) : operateOnce();
      if (isUsed)
        for (auto [r, value] : llvm::zip_equal(access, values))
          old[r] = e.fromMemory(value, type);
    }
    if (!isUsed)
      return SmallVector<Value>(registers, e.create<LLVM::PoisonOp>(type));
    if (order.fences && order.acquire)
      e.create<LLVM::FenceOp>(AtomicOrdering::acquire, scope);
    if (auto tensorType = dyn_cast<RankedTensorType>(resultType))
      fillCopies(ttg::toLinearLayout(tensorType), old);
    return sendToCopies(e, resultType, old, scratch.value_or(0));
  }

private:
  LoweringBuilder &e;
  RewriterBase &rewriter;
  Operation *op;
  SmallVector<SmallVector<unsigned>> accesses;
  Order order;
  StringRef scope;
};

/// Whether `op` lacks the scratch by which its result gets to all threads.
bool lacksScratch(Operation *op) {
  return !op->use_empty() && getCopyScratchBytes(op->getResult(0).getType()) &&
         !getScratchOffset(op);
}
constexpr StringLiteral noScratch = "before allocate-shared-memory has placed its scratch";

/// Whether elements of `memoryType` are changed as parts of words.
bool isNarrow(LoweringBuilder &e, Type memoryType) {
  return memoryType.getIntOrFloatBitWidth() < e.target.getMinAtomicBits();
}

/// A value in memory's type as an integer.
Value toBits(LoweringBuilder &e, Value value) {
  Type integer = e.builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
  return value.getType() == integer ? value : Value(e.create<LLVM::BitcastOp>(integer, value));
}

struct AtomicRMWPattern final : LoweringPattern<tt::AtomicRMWOp> {
  AtomicRMWPattern(const TypeConverter &converter, LoweringContext &context,
                   const AccessWidths &widths, MLIRContext *mlirContext)
      : LoweringPattern(converter, context, mlirContext), widths(widths) {}

  LogicalResult matchAndRewrite(tt::AtomicRMWOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Type elementType = tt::getElementTypeOrSelf(op.getType());
    Type type = getTypeConverter()->convertType(elementType);
    std::optional<AtomicBinOp> operation = operationOf(op.getAtomicRmwOp(), elementType);
    // 8-bit floats are their bits here: they can be exchanged only.
    const bool isBits = isa<FloatType>(elementType) && elementType.getIntOrFloatBitWidth() == 8;
    if (!operation || (isBits && *operation != AtomicBinOp::xchg))
      return reject(op, rewriter,
                    "with " + tt::stringifyRMWOp(op.getAtomicRmwOp()) + " on this type");
    Type memoryType = e.getMemoryType(type);
    if (lacksScratch(op))
      return reject(op, rewriter, noScratch);

    const AccessWidth &width = widths.get(op);
    Atomics atomics(e, rewriter, op, op.getSem(), op.getScope(), getAccesses(op.getType(), width));
    ValueRange pointers = adaptor.getPtr(), values = adaptor.getVal();
    SmallVector<Value> results = atomics.emit(
        adaptor.getMask(), pointers.size(), type, memoryType, getScratchOffset(op),
        [&](ArrayRef<unsigned> access) -> SmallVector<Value> {
          SmallVector<Value> operands;
          for (unsigned r : access)
            operands.push_back(e.toMemory(values[r]));
          if (isNarrow(e, memoryType)) {
            Value operand = toBits(e, operands[0]);
            return {atomics.emitNarrow(pointers[access[0]], memoryType, [&](Value old) {
              return emitOperation(e, *operation, elementType, old, operand);
            })};
          }
          const bool isVector = operands.size() > 1;
          auto old = e.create<LLVM::AtomicRMWOp>(
              *operation, pointers[access[0]], isVector ? e.packVector(operands) : operands[0],
              atomics.getOrdering(), atomics.getScope(), width.alignment);
          e.target.markAtomic(old, scopeOf(op.getScope()));
          return isVector ? e.unpackVector(old) : SmallVector<Value>{old};
        });
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }

  const AccessWidths &widths;
};

struct AtomicCASPattern final : LoweringPattern<tt::AtomicCASOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::AtomicCASOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Type type = getTypeConverter()->convertType(tt::getElementTypeOrSelf(op.getType()));
    if (lacksScratch(op))
      return reject(op, rewriter, noScratch);
    // Bits are compared, of floats as well.
    Type memoryType = e.getMemoryType(type);
    Type integer = rewriter.getIntegerType(memoryType.getIntOrFloatBitWidth());
    Atomics atomics(e, rewriter, op, op.getSem(), op.getScope(),
                    getAccesses(op.getType(), /*width=*/{}));
    ValueRange pointers = adaptor.getPtr();
    SmallVector<Value> results = atomics.emit(
        /*mask=*/{}, pointers.size(), type, memoryType, getScratchOffset(op),
        [&](ArrayRef<unsigned> access) -> SmallVector<Value> {
          Value pointer = pointers[access[0]];
          Value expected = toBits(e, e.toMemory(adaptor.getCmp()[access[0]]));
          Value desired = toBits(e, e.toMemory(adaptor.getVal()[access[0]]));
          if (isNarrow(e, memoryType))
            return {atomics.emitNarrow(pointer, memoryType, [&](Value old) -> Value {
              Value isExpected = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::eq, old, expected);
              return e.create<LLVM::SelectOp>(isExpected, desired, old);
            })};
          const AtomicOrdering ordering = atomics.getOrdering();
          Value pair =
              e.create<LLVM::AtomicCmpXchgOp>(pointer, expected, desired, ordering,
                                              getFailureOrdering(ordering), atomics.getScope());
          Value old = e.create<LLVM::ExtractValueOp>(pair, 0);
          if (memoryType != integer)
            old = e.create<LLVM::BitcastOp>(memoryType, old);
          return SmallVector<Value>{old};
        });
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

} // namespace

void lower::addAtomicPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                              LoweringContext &context, const AccessWidths &widths) {
  patterns.add<AtomicRMWPattern>(converter, context, widths, patterns.getContext());
  patterns.add<AtomicCASPattern>(converter, context, patterns.getContext());
}

/// What one thread finds in memory goes to those that hold the same element.
template <typename Op> static ttg::Scratch getAtomicScratch(Op op, plan::PlanCache &) {
  if (op->use_empty())
    return {};
  return {getCopyScratchBytes(op.getType()), /*hasBlockBarrier=*/true};
}

void lower::attachAtomicScratch(MLIRContext &context) {
  attachScratch<tt::AtomicRMWOp, getAtomicScratch>(context);
  attachScratch<tt::AtomicCASOp, getAtomicScratch>(context);
}
