//===- TensorProducts.cpp - Lowering of products in tensor memory -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A ttng.tc_gen5_mma is one instruction for each tile of the result and each step along K, which
// one thread issues (PTX ISA, tcgen05.mma). The first step of a tile takes the accumulator where
// `useD` says so, the others always. Instructions of one thread are carried out in the order of
// their issue; a tcgen05.commit has a barrier told when all so far are done.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/MatrixUnits.h"
#include "ir/ttng/TensorMemory.h"
#include "lower/core/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "vendor/nvidia/lower/ElectThread.h"
#include "vendor/nvidia/lower/Intrinsics.h"
#include "vendor/nvidia/lower/NvidiaPatterns.h"
#include "vendor/nvidia/lower/TensorMemory.h"
#include "vendor/nvidia/lower/WarpGroupOperands.h"
#include "vendor/nvidia/plan/InstructionDescriptor.h"
#include "vendor/nvidia/plan/TensorMemoryAccess.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::nvidia;
using namespace tilewright::vendor::nvidia;
using layout::LinearLayout;
using layout::nvidia::columnDim;
using layout::nvidia::rowDim;
using target::MmaAtom;
using target::MmaType;
using target::Space;

namespace {

constexpr StringLiteral oneBlockOnly =
    "for two blocks of a cluster, or with barriers of several: products of one block are all that "
    "is implemented";
constexpr StringLiteral oneBlockRemedy = "compile the kernel with num_ctas = 1 and two_ctas off";

/// A matrix of tiles in tensor memory.
class TensorTiles {
public:
  TensorTiles(LoweringBuilder &e, ttg::MemDescType type, Value address)
      : e(e), address(address), elementBits(ttng::getTensorMemoryElementBits(type)),
        places(ttng::toTensorMemoryLayout(type).pseudoInvert()) {}

  /// The address of the tile whose first element has these coordinates.
  Value getAddress(uint64_t row, uint64_t column) const {
    const uint64_t place = places.applyFlat(row | column << places.inShift(layout::dims::Dim1));
    const uint64_t word =
        places.outValue(place, columnDim()) * elementBits / ttng::tensorMemoryWordBits;
    const uint32_t offset = tensorMemoryAddress(
        static_cast<uint32_t>(places.outValue(place, rowDim())), static_cast<uint32_t>(word));
    return offset ? e.create<LLVM::AddOp>(address, e.getI32(offset)) : address;
  }
  Value getPointer(uint64_t row, uint64_t column) const {
    return getTensorMemoryPointer(e, getAddress(row, column));
  }

private:
  LoweringBuilder &e;
  Value address;
  unsigned elementBits;
  LinearLayout places;
};

/// The encoding of an operand or a result in tensor memory; null if it has none of tiles.
ttng::TensorMemoryEncodingAttr getTiles(ttg::MemDescType type) {
  return dyn_cast<ttng::TensorMemoryEncodingAttr>(type.getEncoding());
}

const MmaAtom *findAtom(const target::Target &target, ttng::TCGen5MMAOp op) {
  ttg::MemDescType a = op.getA().getType(), b = op.getB().getType(), d = op.getD().getType();
  const std::optional<MmaType> left = ttg::getOperandMmaType(a.getElementType(),
                                                             tt::InputPrecision::TF32),
                               right = ttg::getOperandMmaType(b.getElementType(),
                                                              tt::InputPrecision::TF32),
                               result = ttg::getResultMmaType(d.getElementType());
  const Space aSpace = a.inSharedMemory() ? Space::Shared : Space::TensorMemory;
  constexpr unsigned maxColumns = 256;
  const auto columns = std::min<uint64_t>(
      {getTiles(d).getBlockN(), maxColumns, static_cast<uint64_t>(d.getShape()[1])});
  for (const MmaAtom &atom : target.products())
    if (atom.issuer == target::Issuer::Block && atom.m == getTiles(d).getBlockM() &&
        atom.n == columns && left == atom.a && right == atom.b && result == atom.accumulator &&
        atom.aOperand.space == aSpace)
      return &atom;
  return nullptr;
}

struct ProductPattern final : LoweringPattern<ttng::TCGen5MMAOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::TCGen5MMAOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    if (op.getTwoCtas() || op.getMulticast())
      return reject(op, rewriter, oneBlockOnly, oneBlockRemedy);
    if (!op.getIsAsync())
      return reject(op, rewriter, "which nobody waits for",
                    "run triton-nvidia-mma-lowering first, which has it tell a barrier");
    if (Result<void> tiles = verifyTiles(op); !tiles)
      return reject(op, rewriter, "because " + tiles.error());
    const MmaAtom *atom = findAtom(e.target.getTarget(), op);
    if (!atom)
      return rejectTypes(op, rewriter);

    Operands operands{*atom};
    if (Result<void> found = operands.find(e, op, adaptor); !found)
      return reject(op, rewriter, "because " + found.error(),
                    "pass the operand in an #ttg.nvmma_shared, with elements of 32 bits contiguous "
                    "along K");
    Value predicate = matchPattern(op.getPred(), m_One()) ? Value() : adaptor.getPred()[0];
    emitForOneThread(e, rewriter, predicate, [&] {
      emitTiles(e, op, operands, adaptor.getD()[0], adaptor.getUseD()[0]);
      for (auto [barrier, view, condition] :
           llvm::zip_equal(op.getBarriers(), adaptor.getBarriers(), adaptor.getBarrierPreds()))
        emitCommit(e, rewriter, cast<ttg::MemDescType>(barrier.getType()), view, condition[0]);
    });
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>(op->getNumResults()));
    return success();
  }

  /// Tells `barrier`, where `condition` holds, when all products so far are done.
  static void emitCommit(LoweringBuilder &e, RewriterBase &rewriter, ttg::MemDescType type,
                         ValueRange view, Value condition) {
    LocalView local(view);
    Value address = LocalAddresses(e, type, local).get(e.getI32(0));
    auto commit = [&] {
      callIntrinsic(e, "tcgen05.commit.shared.cg1", address);
      return SmallVector<Value>();
    };
    if (!condition || matchPattern(condition, m_One()))
      commit();
    else
      emitBranch(e, rewriter, condition, {}, commit);
  }

private:
  /// A, in shared or in tensor memory, and B.
  struct Operands {
    const MmaAtom &atom;
    std::optional<DescribedOperand> left = {}, right = {};
    std::optional<TensorTiles> leftTiles = {};

    Result<void> find(LoweringBuilder &e, ttng::TCGen5MMAOp op, OneToNOpAdaptor adaptor) {
      if (atom.aOperand.space == Space::TensorMemory) {
        leftTiles.emplace(e, op.getA().getType(), adaptor.getA()[0]);
      } else {
        Result<DescribedOperand> a = DescribedOperand::create(
            e, op.getA().getType(), LocalView(adaptor.getA()), /*opIdx=*/0, atom, {});
        if (!a)
          return Failure("no descriptor names its left operand: " + a.error());
        left.emplace(*a);
      }
      Result<DescribedOperand> b = DescribedOperand::create(
          e, op.getB().getType(), LocalView(adaptor.getB()), /*opIdx=*/1, atom, {});
      if (!b)
        return Failure("no descriptor names its right operand: " + b.error());
      right.emplace(*b);
      return {};
    }

    /// As an instruction takes A.
    Value getLeft(uint64_t row, uint64_t depth) {
      return left ? left->get(row, depth) : leftTiles->getPointer(row, depth);
    }
    uint32_t describe() const {
      return encodeInstruction(atom, left && left->alongRows(), right->alongRows());
    }
  };

  static void emitTiles(LoweringBuilder &e, ttng::TCGen5MMAOp op, Operands &operands, Value d,
                        Value useD) {
    const MmaAtom &atom = operands.atom;
    const TensorTiles tiles(e, op.getD().getType(), d);
    ArrayRef<int64_t> shape = op.getD().getType().getShape();
    const auto depth = static_cast<uint64_t>(op.getB().getType().getShape()[0]);
    Value description = e.getI32(static_cast<int32_t>(operands.describe()));
    Value kind = e.getI32(static_cast<int32_t>(kindOf(atom)));
    Value oneBlock = e.getI32(1), discards = e.getI32(0);
    StringRef name = operands.left ? "tcgen05.mma.shared" : "tcgen05.mma.tensor";
    for (uint64_t row = 0; row < static_cast<uint64_t>(shape[0]); row += atom.m)
      for (uint64_t column = 0; column < static_cast<uint64_t>(shape[1]); column += atom.n) {
        Value accumulator = tiles.getPointer(row, column);
        for (uint64_t k = 0; k < depth; k += atom.k)
          callIntrinsic(e, name,
                        {accumulator, operands.getLeft(row, k), operands.right->get(column, k),
                         description, k == 0 ? useD : e.getInt(e.builder.getI1Type(), 1), kind,
                         oneBlock, discards});
      }
  }

  /// That the tiles in tensor memory are those of instructions.
  static Result<void> verifyTiles(ttng::TCGen5MMAOp op) {
    ttg::MemDescType a = op.getA().getType(), d = op.getD().getType();
    auto result = getTiles(d);
    if (!result || result.getTwoCTAs() ||
        result.getColStride() * ttng::getTensorMemoryElementBits(d) != ttng::tensorMemoryWordBits)
      return Failure("its result is not one element to a column of tensor memory");
    if (a.inSharedMemory())
      return {};
    auto left = getTiles(a);
    if (!left || left.getTwoCTAs() || left.getColStride() != 1 ||
        left.getBlockM() != result.getBlockM())
      return Failure("its left operand does not fill the columns of tensor memory in the rows that "
                     "the result has");
    constexpr unsigned halfOfRows = 64;
    if (left.getBlockM() == halfOfRows && !(ttng::takesHalfOfRows(a) && ttng::takesHalfOfRows(d)))
      return Failure("its left operand or its result is several tiles of 64 rows, which are not in "
                     "the same rows of tensor memory");
    return {};
  }

  LogicalResult rejectTypes(ttng::TCGen5MMAOp op, ConversionPatternRewriter &rewriter) const {
    std::string text;
    llvm::raw_string_ostream(text)
        << "with operands of " << op.getA().getType().getElementType() << " and "
        << op.getB().getType().getElementType() << " and tiles of "
        << getTiles(op.getD().getType()).getBlockM() << " x "
        << getTiles(op.getD().getType()).getBlockN() << " of "
        << op.getD().getType().getElementType() << ", for which "
        << StringRef(context.target.getTarget().name) << " has no tcgen05.mma";
    return reject(op, rewriter, text);
  }
};

struct CommitPattern final : LoweringPattern<ttng::TCGen5CommitOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::TCGen5CommitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    if (op.getTwoCtas() || !op.getDescs().empty())
      return reject(op, rewriter, oneBlockOnly, oneBlockRemedy);
    emitForOneThread(e, rewriter, op.getPred() ? adaptor.getPred()[0] : Value(), [&] {
      ProductPattern::emitCommit(e, rewriter, op.getBarrier().getType(), adaptor.getBarrier(), {});
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void nvidia::addTensorProductPatterns(RewritePatternSet &patterns,
                                      const PatternServices &services) {
  patterns.add<ProductPattern, CommitPattern>(services.converter, services.context,
                                              patterns.getContext());
}
