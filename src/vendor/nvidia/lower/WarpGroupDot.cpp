//===- WarpGroupDot.cpp - Lowering of products of warpgroups --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A ttng.warp_group_dot becomes one group of instructions: a fence, as its registers may have been
// written by others; for each tile of the result one product for each step along K, each with the
// result of the one before as its accumulator; the commit; and, unless it is asynchronous, the
// wait. WarpGroupFunctions.h has what products and waits are in the LLVM dialect.
//
// Accumulators of f16 are two to a register, and would have to be taken apart for other ops while
// they are under way: such a product waits for its end.
//
// Products of 8-bit floats sum with fewer bits than f32 has. After `maxNumImpreciseAcc` elements
// along K, rounded up to whole instructions, and at the end of K, their sum is added to the
// accumulator, for which it has to be waited for. As in Triton, a limit above K leaves all of the
// summing to the instructions, across iterations of a loop, too.
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/WarpGroupDot.h"

#include "ir/ttg/query/MatrixUnits.h"
#include "ir/ttng/Dialect.h"
#include "lower/core/Patterns.h"
#include "lower/memory/ThreadAccess.h"
#include "vendor/nvidia/lower/RegisterCalls.h"
#include "vendor/nvidia/lower/WarpGroupOperands.h"
#include "vendor/nvidia/plan/WarpGroupFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::nvidia;
using namespace tilewright::vendor::nvidia;
using target::MmaAtom;
using target::MmaType;
namespace dims = layout::dims;

namespace {

//===----------------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------------===//

/// f32 and i32 registers: what wgmma has accumulators in.
bool isAccumulatorRegister(Type type) { return type.isF32() || type.isInteger(32); }

/// Waits until at most `left` groups are under way; `registers` are read after it.
SmallVector<Value> emitWait(LoweringBuilder &e, unsigned left, ValueRange registers) {
  if (registers.empty()) {
    e.create<NVVM::WgmmaWaitGroupSyncOp>(e.builder.getI64IntegerAttr(left));
    return {};
  }
  std::string name(warpGroupWaitPrefix);
  for (size_t i = 0; i < registers.size();) {
    const size_t first = i;
    Type type = registers[first].getType();
    while (i < registers.size() && registers[i].getType() == type)
      ++i;
    name += (type.isF32() ? ".f32x" : ".i32x") + std::to_string(i - first);
  }
  SmallVector<Value> operands = {e.getI32(left)};
  llvm::append_range(operands, registers);
  return callWithRegisters(e, name, llvm::to_vector(registers.getTypes()), operands);
}

//===----------------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------------===//

Type getElementType(Type type) {
  if (auto memory = dyn_cast<ttg::MemDescType>(type))
    return memory.getElementType();
  return cast<RankedTensorType>(type).getElementType();
}

const MmaAtom *findAtom(const target::Target &target, Type a, Type b, Type d, unsigned columns,
                        bool aInRegisters) {
  const std::optional<MmaType> left = ttg::getOperandMmaType(a, tt::InputPrecision::TF32),
                               right = ttg::getOperandMmaType(b, tt::InputPrecision::TF32),
                               result = ttg::getResultMmaType(d);
  for (const MmaAtom &atom : target.products())
    if (atom.issuer == target::Issuer::WarpGroup && atom.n == columns && left == atom.a &&
        right == atom.b && result == atom.accumulator &&
        hasOperandInRegisters(atom) == aInRegisters)
      return &atom;
  return nullptr;
}

//===----------------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------------===//

struct WarpGroupDotPattern final : LoweringPattern<ttng::WarpGroupDotOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::WarpGroupDotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    auto type = cast<RankedTensorType>(op.getType());
    Type a = getElementType(op.getA().getType()), b = op.getB().getType().getElementType();
    const bool aInRegisters = isa<RankedTensorType>(op.getA().getType());
    const layout::LinearLayout layout = ttg::toLinearLayout(type);
    Result<AccumulatorTiles> tiles =
        tileAccumulator(layout, cast<ttg::NvidiaMmaEncodingAttr>(type.getEncoding()).getLayout());
    if (!tiles)
      return reject(op, rewriter, "because " + tiles.error());
    const MmaAtom *atom =
        findAtom(e.target.getTarget(), a, b, type.getElementType(), tiles->columns, aInRegisters);
    if (!atom)
      return rejectTypes(op, rewriter, a, b, tiles->columns);
    if (a.isF32() && op.getInputPrecision() != tt::InputPrecision::TF32)
      return reject(op, rewriter,
                    "with f32 operands that are to keep their precision: wgmma takes of them what "
                    "tf32 has",
                    "inputPrecision = 0 (tf32) allows that");

    // Before the fence, which registers of products are to be ready at.
    LeftOperand left;
    if (aInRegisters) {
      if (!left.pack(e, cast<RankedTensorType>(op.getA().getType()), adaptor.getA(), *atom, *tiles))
        return rejectRegisters(op, rewriter, *atom);
    } else {
      Result<DescribedOperand> described =
          DescribedOperand::create(e, cast<ttg::MemDescType>(op.getA().getType()),
                                   LocalView(adaptor.getA()), 0, *atom, tiles->rowOfWarp);
      if (!described)
        return rejectOperand(op, rewriter, "left", described.error());
      left.memory.emplace(*described);
    }
    Result<DescribedOperand> described = DescribedOperand::create(
        e, op.getB().getType(), LocalView(adaptor.getB()), 1, *atom, tiles->columnOfWarp);
    if (!described)
      return rejectOperand(op, rewriter, "right", described.error());
    DescribedOperand right = *described;
    const uint64_t depth = op.getB().getType().getShape()[0];

    Product product{e,
                    *atom,
                    left,
                    right,
                    depth,
                    getUseC(op, adaptor, e),
                    left.memory && left.memory->alongRows()};
    const bool isPromoted = bitsOf(atom->a) == 8 && atom->accumulator == MmaType::F32 &&
                            op.getMaxNumImpreciseAcc() <= static_cast<int64_t>(depth);
    const bool waits = !op.getIsAsync() || isPromoted || atom->accumulator == MmaType::F16;

    const RegisterTiles accumulator(layout);
    SmallVector<Value> results(layout.inSize(dims::Register)), sums;
    SmallVector<std::vector<unsigned>> places;
    if (!isPromoted)
      e.create<NVVM::WgmmaFenceAlignedOp>();
    for (unsigned i = 0; i < tiles->rowTiles; ++i)
      for (unsigned j = 0; j < tiles->columnTiles; ++j) {
        const uint64_t row = i * tiles->rowStep, column = j * tiles->columnStep;
        places.push_back(accumulator.registersOf(atom->accumulatorOperand, row, column));
        SmallVector<Value> c;
        for (unsigned r : places.back())
          c.push_back(adaptor.getC()[r]);
        if (isPromoted)
          llvm::append_range(sums,
                             product.emitPromoted(c, row, column, op.getMaxNumImpreciseAcc()));
        else
          llvm::append_range(sums, product.emit(packAccumulator(e, *atom, c), row, column));
      }
    if (!isPromoted) {
      e.create<NVVM::WgmmaGroupSyncAlignedOp>();
      if (waits)
        sums = emitWait(e, 0, sums);
    }
    if (atom->accumulator == MmaType::F16)
      sums = unpackWords(e, sums, type.getElementType());
    size_t next = 0;
    for (const std::vector<unsigned> &tile : places)
      for (unsigned r : tile)
        results[r] = sums[next++];
    fillCopies(layout, results);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }

private:
  /// The products of one op.
  struct Product {
    LoweringBuilder &e;
    const MmaAtom &atom;
    LeftOperand &left;
    DescribedOperand &right;
    uint64_t depth;
    /// Whether the accumulator counts (i1).
    Value useC;
    bool aAlongRows;

    /// One instruction, at `k` along K.
    SmallVector<Value> step(ArrayRef<Value> c, uint64_t row, uint64_t column, uint64_t k,
                            Value usesC) {
      SmallVector<Value> operands(c);
      llvm::append_range(operands, left.get(row, k));
      operands.push_back(right.get(column, k));
      Type i1 = e.builder.getI1Type();
      operands.append({usesC, e.getInt(i1, aAlongRows), e.getInt(i1, right.alongRows())});
      return callWithRegisters(e, productFunction(atom), llvm::to_vector(ValueRange(c).getTypes()),
                               operands);
    }

    /// All of K for one tile of the result.
    SmallVector<Value> emit(SmallVector<Value> c, uint64_t row, uint64_t column) {
      for (uint64_t k = 0; k < depth; k += atom.k)
        c = step(c, row, column, k, k == 0 ? useC : e.getInt(e.builder.getI1Type(), true));
      return c;
    }

    /// The same, with sums of `limit` elements, rounded up to whole instructions, added to c.
    /// Before each sum there is a fence: its registers may have been those of the sum before.
    SmallVector<Value> emitPromoted(SmallVector<Value> c, uint64_t row, uint64_t column,
                                    uint64_t limit) {
      const uint64_t part = std::max<uint64_t>(llvm::divideCeil(limit, atom.k), 1) * atom.k;
      SmallVector<Value> unset(c.size(), e.create<LLVM::UndefOp>(e.builder.getF32Type()));
      Value zero = e.getFloat(e.builder.getF32Type(), 0);
      if (!matchPattern(useC, m_One()))
        for (Value &value : c)
          value = e.create<LLVM::SelectOp>(useC, value, zero);
      for (uint64_t begin = 0; begin < depth; begin += part) {
        e.create<NVVM::WgmmaFenceAlignedOp>();
        SmallVector<Value> sum = unset;
        for (uint64_t k = begin; k < std::min(begin + part, depth); k += atom.k)
          sum = step(sum, row, column, k, e.getInt(e.builder.getI1Type(), k != begin));
        e.create<NVVM::WgmmaGroupSyncAlignedOp>();
        for (auto [value, more] : llvm::zip_equal(c, emitWait(e, 0, sum)))
          value = e.create<LLVM::FAddOp>(value, more);
      }
      return c;
    }
  };

  /// False where the accumulator is known to be zero: its registers need not be set then.
  static Value getUseC(ttng::WarpGroupDotOp op, OneToNOpAdaptor adaptor, LoweringBuilder &e) {
    const bool isZero = llvm::all_of(adaptor.getC(), [](Value value) {
      return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
    });
    if (isZero || !op.getUseC())
      return e.getInt(e.builder.getI1Type(), !isZero);
    return adaptor.getUseC()[0];
  }

  static SmallVector<Value> packAccumulator(LoweringBuilder &e, const MmaAtom &atom, ValueRange c) {
    return atom.accumulator == MmaType::F16 ? packWords(e, c) : SmallVector<Value>(c);
  }

  LogicalResult rejectTypes(ttng::WarpGroupDotOp op, ConversionPatternRewriter &rewriter, Type a,
                            Type b, unsigned columns) const {
    std::string text;
    llvm::raw_string_ostream(text)
        << "with operands of " << a << " and " << b << " and " << columns
        << " columns of a result of " << getElementType(op.getType()) << ", for which "
        << StringRef(context.target.getTarget().name) << " has no wgmma";
    return reject(op, rewriter, text);
  }

  LogicalResult rejectRegisters(ttng::WarpGroupDotOp op, ConversionPatternRewriter &rewriter,
                                const MmaAtom &atom) const {
    return reject(op, rewriter, "with a left operand whose registers are not those of wgmma's",
                  "#ttg.dot_op with kWidth = " + std::to_string(32 / bitsOf(atom.a)) +
                      ", and at least " + std::to_string(atom.k) + " elements along K");
  }

  LogicalResult rejectOperand(ttng::WarpGroupDotOp op, ConversionPatternRewriter &rewriter,
                              StringRef which, const std::string &reason) const {
    return reject(op, rewriter,
                  "because no descriptor of wgmma names its " + which +
                      " operand in shared memory: " + reason,
                  "pass the operand in an #ttg.nvmma_shared that wgmma reads");
  }
};

/// The values that pass through waits: products, whose registers are read after them, and memory.
struct WarpGroupDotWaitPattern final : LoweringPattern<ttng::WarpGroupDotWaitOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::WarpGroupDotWaitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    if (llvm::none_of(e.target.getTarget().products(),
                      [](const MmaAtom &atom) { return atom.issuer == target::Issuer::WarpGroup; }))
      return reject(op, rewriter, "which has no wgmma to wait for",
                    "compile for cuda:90, or leave the wait out");
    auto isTied = [](Value input, ValueRange values) {
      return isa<RankedTensorType>(input.getType()) &&
             isAccumulatorRegister(values.front().getType());
    };
    SmallVector<Value> registers;
    for (auto [input, values] : llvm::zip_equal(op.getInputs(), adaptor.getInputs()))
      if (isTied(input, values))
        llvm::append_range(registers, values);
    SmallVector<Value> waited = emitWait(e, op.getPendings(), registers);
    SmallVector<SmallVector<Value>> results;
    const Value *next = waited.begin();
    for (auto [input, values] : llvm::zip_equal(op.getInputs(), adaptor.getInputs())) {
      if (!isTied(input, values)) {
        results.push_back(values);
        continue;
      }
      results.emplace_back(next, next + values.size());
      next += values.size();
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>(results.begin(), results.end()));
    return success();
  }
};

} // namespace

void lower::nvidia::populateWarpGroupPatterns(RewritePatternSet &patterns,
                                              const PatternServices &services) {
  patterns.add<WarpGroupDotPattern, WarpGroupDotWaitPattern>(services.converter, services.context,
                                                             patterns.getContext());
}
