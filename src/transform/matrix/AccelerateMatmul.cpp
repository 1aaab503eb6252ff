//===- AccelerateMatmul.cpp - Products given to matrix units ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A product whose result is in a blocked layout is computed by multiply-adds. Here those that an
// instruction of the target computes get the instruction's layouts.
//
// Other types with the same result are tried as well: what operands were widened from, since
// widening is exact; f16 for 8-bit floats; and sums in f32 that are rounded in the end, as the
// multiply-adds have them.
//
// A thread's elements along K are as many as fill a word of the narrowest type that the operands
// have on their way from memory: then they move in that type, several at a time, and are widened by
// the thread that multiplies them. K of both operands has the same order, so it is one number.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttig/Dialect.h"
#include "ir/ttng/Dialect.h"
#include "ir/tw/Dialect.h"
#include "transform/matrix/NeighborRows.h"
#include "transform/matrix/PadDepth.h"
#include "transform/matrix/Passes.h"
#include "transform/matrix/ProductBuilder.h"
#include "transform/matrix/TransposeProduct.h"
#include "transform/matrix/UnitChoice.h"
#include "transform/matrix/WidenedOperands.h"

#include "mlir/IR/Iterators.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TRITONGPUACCELERATEMATMUL
#include "transform/matrix/Passes.h.inc"

namespace {

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

RankedTensorType withEncoding(RankedTensorType type, Attribute encoding) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), encoding);
}

//===----------------------------------------------------------------------------===//
// Products of products
//===----------------------------------------------------------------------------===//

/// Operations looked at to find what a value is computed from.
constexpr unsigned maxVisited = 256;

/// Whether the units of warpgroups may sum the product: of 8-bit floats they keep fewer bits than
/// f32 has, which `maxNumImpreciseAcc` = 0 forbids.
bool allowsImpreciseSums(tt::DotOp dot) {
  const bool areFloats8 = llvm::all_of(dot->getOperands().take_front(2), [](Value operand) {
    Type element = getElementTypeOrSelf(operand.getType());
    return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8;
  });
  return !areFloats8 || !getElementTypeOrSelf(dot.getType()).isF32() ||
         dot.getMaxNumImpreciseAcc() != 0;
}

/// Whether `value` is computed, in `block`, from the result of a product.
bool comesFromProduct(Value value, Block *block) {
  SmallVector<Value> open = {value};
  DenseSet<Operation *> seen;
  while (!open.empty() && seen.size() < maxVisited) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != block || !seen.insert(op).second)
      continue;
    if (isa<tt::DotOp, ttng::WarpGroupDotOp, tw::MemoryDotOp>(op))
      return true;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        open.push_back(operand);
  }
  return false;
}

/// The products whose results are operands A of further products, and these: with rows of the
/// result for each warp, a warp has all that it needs of the first product for the second.
DenseSet<Operation *> findChains(ModuleOp module) {
  DenseSet<Operation *> chained;
  DenseSet<Block *> blocks;
  module.walk([&](tt::DotOp dot) {
    if (comesFromProduct(dot.getA(), dot->getBlock())) {
      chained.insert(dot);
      blocks.insert(dot->getBlock());
    }
  });
  module.walk([&](tt::DotOp dot) {
    if (blocks.contains(dot->getBlock()))
      chained.insert(dot);
  });
  return chained;
}

//===----------------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------------===//

/// The bits of the narrowest elements from which those of `value` are computed one by one since
/// they were loaded.
unsigned narrowestBits(Value value) {
  unsigned bits = tt::getElementBits(value.getType());
  SmallVector<Value> open = {value};
  DenseSet<Operation *> seen;
  while (!open.empty() && seen.size() < maxVisited) {
    Operation *op = skipConversions(open.pop_back_val()).getDefiningOp();
    if (!op || op->getNumResults() != 1 || !seen.insert(op).second)
      continue;
    if (isa<tt::LoadOp>(op))
      bits = std::min(bits, tt::getElementBits(op->getResult(0).getType()));
    else if (tt::getLayoutRule(op) == tt::LayoutRule::SameLayout && !isa<tt::BroadcastOp>(op))
      llvm::append_range(open, llvm::make_filter_range(op->getOperands(), [](Value operand) {
                           return isa<RankedTensorType>(operand.getType());
                         }));
  }
  return bits;
}

/// An operand as it comes from memory: what is loaded, and whether it is turned round after that.
struct LoadedOperand {
  Value value;
  bool isTransposed = false;

  explicit LoadedOperand(Value operand) : value(skipConversions(operand)) {
    if (auto trans = value.getDefiningOp<tt::TransOp>(); trans && isMatrixTranspose(trans)) {
      value = skipConversions(trans.getSrc());
      isTransposed = true;
    }
  }

  /// Whether neighbours along the last dimension of `value` are neighbours in memory.
  bool isLastContiguous() const {
    auto blocked = dyn_cast<ttg::BlockedEncodingAttr>(typeOf(value).getEncoding());
    return !blocked || blocked.getLayout().order.front() + 1 == blocked.getLayout().order.size();
  }
  /// The same of the operand's last dimension.
  bool isContiguousAlongLast() const { return isLastContiguous() != isTransposed; }
  /// Whether threads compute it from what they have loaded.
  bool isComputed() const {
    Operation *op = value.getDefiningOp();
    return op && isPure(op) && !op->hasTrait<OpTrait::ConstantLike>();
  }
};

class AccelerateMatmul : public impl::TritonGPUAccelerateMatmulBase<AccelerateMatmul> {
public:
  using TritonGPUAccelerateMatmulBase::TritonGPUAccelerateMatmulBase;

  void runOnOperation() override {
    target = ttg::getTarget(getOperation());
    if (!target || target->products().empty())
      return;
    chained = findChains(getOperation());
    takenColumns = 0;
    SmallVector<tt::DotOp> dots;
    getOperation().walk([&](tt::DotOp dot) {
      if (isa_and_nonnull<ttg::BlockedEncodingAttr>(typeOf(dot.getD()).getEncoding()))
        dots.push_back(dot);
    });
    for (tt::DotOp dot : dots)
      accelerate(dot);
    // What has been looked through.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op))
        op->erase();
    });
  }

private:
  using MmaType = target::MmaType;

  /// A way to compute a product: from these operands, widened to `element` if that is given, with
  /// sums of type `sum`.
  struct Attempt {
    Value a, b;
    Type element, sum;
  };

  /// The ways to compute `dot`, the best first.
  SmallVector<Attempt> attemptsFor(tt::DotOp dot) {
    Builder builder(&getContext());
    const Value a = skipConversions(dot.getA()), b = skipConversions(dot.getB());
    const Type f16 = builder.getF16Type(), f32 = builder.getF32Type(),
               sum = typeOf(dot.getD()).getElementType();
    SmallVector<Attempt> attempts;
    auto add = [&](Value left, Value right, Type element) {
      attempts.push_back({left, right, element, sum});
      if (isa<FloatType>(sum) && tt::getElementBits(sum) < 32)
        attempts.push_back({left, right, element, f32});
    };
    if (auto [narrowA, narrowB] = skipWidening(dot); narrowA != a)
      add(narrowA, narrowB, {});
    add(a, b, {});
    const Type element = typeOf(a).getElementType();
    if (isa<FloatType>(element) && tt::getElementBits(element) == 8)
      add(a, b, f16);
    return attempts;
  }

  void accelerate(tt::DotOp dot) {
    const SmallVector<Attempt> attempts = attemptsFor(dot);
    auto accelerateByAny = [&](bool mayPad) {
      return llvm::any_of(
          attempts, [&](const Attempt &attempt) { return accelerateBy(dot, attempt, mayPad); });
    };
    // Zeros fill up operands that matrix loads bring; others of so little K stay with
    // multiply-adds.
    if (!accelerateByAny(/*mayPad=*/false) && loadsByWarps())
      accelerateByAny(/*mayPad=*/true);
  }

  /// Whether a unit computes `dot` in this way now.
  bool accelerateBy(tt::DotOp dot, const Attempt &attempt, bool mayPad) {
    auto typeFor = [&](Value value) {
      return ttg::getOperandMmaType(attempt.element ? attempt.element
                                                    : typeOf(value).getElementType(),
                                    dot.getInputPrecision());
    };
    const std::optional<MmaType> a = typeFor(attempt.a), b = typeFor(attempt.b),
                                 sum = ttg::getResultMmaType(attempt.sum);
    if (!a || !b || !sum)
      return false;
    const LoadedOperand left(attempt.a), right(attempt.b);
    const OperandForms forms = {.a = {left.isContiguousAlongLast(), left.isComputed()},
                                .b = {!right.isContiguousAlongLast(), right.isComputed()},
                                .mayBeShared = !attempt.element,
                                .mayBeImprecise = allowsImpreciseSums(dot),
                                .aFromProduct = comesFromProduct(attempt.a, dot->getBlock()),
                                .mayTranspose = !chained.contains(dot),
                                .mayPad = mayPad,
                                .rowsPerWarp = chained.contains(dot),
                                .rows = rows,
                                .takenColumns = takenColumns};
    const std::optional<UnitChoice> choice = chooseUnit(dot, {*a, *b, *sum}, *target, forms);
    if (!choice)
      return false;
    if (choice->atom->accumulatorOperand.space == target::Space::TensorMemory) {
      ArrayRef<int64_t> shape = typeOf(dot.getD()).getShape();
      takenColumns += target->multiprocessor.tensorColumnsOf(shape[0], shape[1]);
    }
    rewrite(dot, attempt, *choice, forms);
    return true;
  }

  void rewrite(tt::DotOp dot, Attempt attempt, const UnitChoice &choice,
               const OperandForms &forms) {
    if (choice.isTransposed) {
      // Registers that hold neighbours in memory are loaded together.
      const bool pairsRows = choice.atom->aOperand.space == target::Space::Registers &&
                             LoadedOperand(attempt.b).isContiguousAlongLast();
      dot = transposeProduct(dot, attempt.a, attempt.b, pairsRows);
      attempt.a = dot.getA();
      attempt.b = dot.getB();
    } else if (const NeighborRows wanted = wantNeighbors(dot, choice, forms);
               wanted.ofA || wanted.ofB) {
      dot = makeRowsNeighbors(dot, attempt.a, attempt.b, wanted, *choice.atom, choice.warps);
      attempt.a = dot.getA();
      attempt.b = dot.getB();
    }
    OpBuilder builder(dot);
    if (forms.mayPad) {
      const unsigned rank = typeOf(attempt.a).getRank();
      attempt.a = padDepth(builder, dot.getLoc(), attempt.a, rank - 1, choice.atom->k);
      attempt.b = padDepth(builder, dot.getLoc(), attempt.b, rank - 2, choice.atom->k);
    }
    const Location loc = dot.getLoc();
    const unsigned kWidth = getKWidth(attempt, *choice.atom, forms.aFromProduct);
    auto widen = [&](Value value) -> Value {
      if (!attempt.element)
        return value;
      return tt::FpToFpOp::create(builder, loc,
                                  tt::withElementType(value.getType(), attempt.element), value,
                                  tt::RoundingModeAttr());
    };
    ProductBuilder products(builder, loc, ProductForm(*choice.atom), choice.encoding, kWidth);
    auto operand = [&](Value value, unsigned index) {
      // Only an operand that is multiplied as it comes from memory may stay there.
      const target::AtomOperand &wanted =
          index == 0 ? choice.atom->aOperand : choice.atom->bOperand;
      if (wanted.space == target::Space::Registers)
        return products.createOperand({widen(value)}, index);
      const LoadedOperand loaded(value);
      return products.createOperand({loaded.value, loaded.isTransposed, loaded.isLastContiguous()},
                                    index);
    };
    Value a = operand(attempt.a, 0), b = operand(attempt.b, 1);
    Value c = skipConversions(dot.getC());
    const RankedTensorType type = typeOf(dot.getD()),
                           resultType = withEncoding(type, choice.encoding);
    const auto sumType = cast<RankedTensorType>(tt::withElementType(resultType, attempt.sum));
    c = ttg::ConvertLayoutOp::create(builder, loc, resultType, c);
    if (sumType != resultType)
      c = arith::ExtFOp::create(builder, loc, sumType, c);
    Value product =
        products.createProduct(a, b, c, {dot.getInputPrecision(), dot.getMaxNumImpreciseAcc()});
    if (sumType != resultType)
      product = arith::TruncFOp::create(builder, loc, resultType, product);
    dot.replaceAllUsesWith(ttg::ConvertLayoutOp::create(builder, loc, type, product).getResult());
    dot.erase();
  }

  /// The operands of which a thread is to have neighbours that do not lie along K: bytes, on a
  /// target that has no copy which turns them round on their way from shared memory, nor threads
  /// that have done so before (tilewright-square-loads).
  NeighborRows wantNeighbors(tt::DotOp dot, const UnitChoice &choice,
                             const OperandForms &forms) const {
    if (choice.atom->bOperand.space != target::Space::Registers || choice.warps.size() != 2 ||
        target::bitsOf(choice.atom->a) != 8 || !loadsByWarps() || chained.contains(dot))
      return {};
    return {!forms.a.isAlongK, !forms.b.isAlongK};
  }

  /// Whether warps load from shared memory together, each lane for another.
  bool loadsByWarps() const {
    return !target::warpCopiesOf(target::copiesBetween(target->copies(), target::Space::Shared,
                                                       target::Space::Registers))
                .empty();
  }

  /// Whether programs may say how many instructions along K a load feeds (Triton's kpack), as they
  /// may choose the rows: where the target has instructions of several, issued by warps.
  bool isOfSeveralShapes(const target::MmaAtom &atom) const {
    return llvm::any_of(target->products(), [&](const target::MmaAtom &other) {
      return other.m != atom.m && ttg::isWarpProduct(other, {atom.a, atom.b, atom.accumulator});
    });
  }

  /// The elements of A that a thread has side by side along K for one instruction.
  static unsigned getNaturalKWidth(const target::MmaAtom &atom) {
    if (atom.aOperand.space != target::Space::Registers)
      return std::max(1u, 32 / target::bitsOf(atom.a));
    unsigned width = 1;
    for (uint64_t basis : atom.aOperand.map.bases(layout::dims::Register)) {
      if (atom.aOperand.map.outValue(basis, layout::dims::Dim1) != width)
        break;
      width *= 2;
    }
    return width;
  }

  /// Whether each lane has of the result of `atom`, as that of the product of the transposes, what
  /// it takes of A, of `width` elements side by side along K.
  static bool givesOperand(const target::MmaAtom &atom, unsigned width) {
    namespace dims = layout::dims;
    const layout::LinearLayout &result = atom.accumulatorOperand.map, &a = atom.aOperand.map;
    if (atom.issuer != target::Issuer::Warp || result.inSize(dims::Register) < width ||
        result.inSize(dims::Lane) != a.inSize(dims::Lane))
      return false;
    auto isAlike = [&](uint64_t ofResult, uint64_t ofA) {
      return result.outValue(ofResult, dims::Dim0) == a.outValue(ofA, dims::Dim1) &&
             result.outValue(ofResult, dims::Dim1) == a.outValue(ofA, dims::Dim0);
    };
    const auto ofResult = result.bases(dims::Register), ofA = a.bases(dims::Register);
    for (unsigned bit = 0; 1u << bit < width; ++bit)
      if (!isAlike(ofResult[bit], ofA[bit]))
        return false;
    return llvm::equal(result.bases(dims::Lane), a.bases(dims::Lane), isAlike);
  }

  /// The elements of both operands that a thread has side by side along K: as many as an access of
  /// shared memory takes. That is a word where warps load together, each lane for another.
  unsigned getKWidth(const Attempt &attempt, const target::MmaAtom &atom, bool aFromProduct) const {
    const uint64_t k = typeOf(attempt.a).getShape().back();
    const unsigned natural = getNaturalKWidth(atom);
    // In memory the other operand's have the order of K.
    if (atom.bOperand.space != target::Space::Registers)
      return natural;
    // Wider ones would have to be exchanged between lanes.
    if (aFromProduct && givesOperand(atom, natural))
      return natural;
    const unsigned bits = loadsByWarps() ? 32 : target->shared.maxAccessBits;
    const bool isGiven = kPack && isOfSeveralShapes(atom);
    unsigned width = isGiven ? natural * kPack : natural;
    for (Value operand : {attempt.a, attempt.b})
      if (!isGiven)
        width = std::max(width, bits / std::max(8u, narrowestBits(operand)));
    // Then as many instructions follow each other along K.
    while (width > natural && width / natural * atom.k > k)
      width /= 2;
    return width;
  }

  const target::Target *target = nullptr;
  DenseSet<Operation *> chained;
  /// Columns of tensor memory that results of products have so far.
  unsigned takenColumns = 0;
};

} // namespace
} // namespace tilewright::transform
