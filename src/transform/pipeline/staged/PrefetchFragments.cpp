//===- PrefetchFragments.cpp - Operands one step of K ahead -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A product that a warp computes from registers waits for its operands to come from shared memory,
// and in a pipelined loop that wait follows the one for the tile:
//
//     wait for tile i; barrier; copies of tile i + d
//     load all of tile i; multiply
//
// Here it is cut along K into steps of one instruction, and each step is loaded while the one
// before it is multiplied. The head, which is step 0, is loaded at the end of the iteration before:
//
//     copies of tile i + d
//     load step 1 of tile i; multiply step 0
//     ...
//     load step n - 1;       multiply step n - 2
//     wait for tile i + 1; barrier
//     load step 0 of tile i + 1; multiply step n - 1
//
// Only the head's registers pass from one iteration to the next. There is one barrier as before: it
// follows the last load of tile i, so the copies after it may write that buffer.
//
// What comes between the load and the product one element at a time, such as a conversion of f8,
// is done step by step too.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/MatrixUnits.h"
#include "target/Target.h"
#include "transform/pipeline/Passes.h"
#include "transform/pipeline/schedule/AsyncWaits.h"

#include "mlir/IR/IRMapping.h"

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONGPUPREFETCH
#include "transform/pipeline/Passes.h.inc"
} // namespace tilewright::transform

using namespace mlir;
using namespace tilewright;

namespace {

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// K of the smallest part of `dot` that is whole instructions: an instruction's, times the words
/// that a thread has side by side along K. 0 if no unit of a warp computes the product.
int64_t getKOfStep(tt::DotOp dot, const target::Target &target) {
  auto layout = dyn_cast<ttg::DotOperandEncodingAttr>(typeOf(dot.getA()).getEncoding());
  const std::optional<ttg::MmaTypes> types = ttg::getMmaTypes(dot);
  if (!layout || !types)
    return 0;
  unsigned k = 0;
  for (const target::MmaAtom &atom : target.products())
    if (ttg::isWarpProduct(atom, *types))
      k = std::max(k, atom.k);
  const unsigned natural = std::max(1u, 32 / target::bitsOf(types->a));
  return int64_t(k) * std::max(1u, layout.getKWidth() / natural);
}

/// An operand that comes from shared memory, through ops on one element at a time.
struct Operand {
  ttg::LocalLoadOp load;
  /// In the order of the computation.
  SmallVector<Operation *> steps;
  /// The dimension of K.
  unsigned kDim = 0;

  static std::optional<Operand> find(Value value, unsigned kDim, Block *block) {
    Operand operand;
    operand.kDim = kDim;
    while (Operation *op = value.getDefiningOp()) {
      if (op->getBlock() != block || !op->hasOneUse())
        return std::nullopt;
      if (auto load = dyn_cast<ttg::LocalLoadOp>(op)) {
        if (typeOf(load).getRank() != 2 || load.getSrc().getDefiningOp() == nullptr)
          return std::nullopt;
        operand.load = load;
        std::reverse(operand.steps.begin(), operand.steps.end());
        return operand;
      }
      if (op->getNumOperands() != 1 || op->getNumResults() != 1 || !isPure(op) ||
          tt::getLayoutRule(op) != tt::LayoutRule::SameLayout || isa<tt::BroadcastOp>(op))
        return std::nullopt;
      operand.steps.push_back(op);
      value = op->getOperand(0);
    }
    return std::nullopt;
  }

  /// Loads K from `first` to `first` + `count` of the tile in `memory`.
  Value createLoad(OpBuilder &builder, Value memory, Value token, int64_t first,
                   int64_t count) const {
    auto type = cast<ttg::MemDescType>(memory.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[kDim] = count;
    SmallVector<int32_t> offsets(shape.size(), 0);
    offsets[kDim] = static_cast<int32_t>(first);
    const Location loc = load->getLoc();
    Value part = ttg::MemDescSubsliceOp::create(builder, loc, type.withShape(shape), memory,
                                                builder.getDenseI32ArrayAttr(offsets));
    return ttg::LocalLoadOp::create(builder, loc, typeOf(load->getResult(0)).clone(shape), part,
                                    token);
  }

  /// What the product takes, from what has been loaded.
  Value createSteps(OpBuilder &builder, Value loaded) const {
    for (Operation *op : steps) {
      IRMapping mapping;
      mapping.map(op->getOperand(0), loaded);
      Operation *part = builder.clone(*op, mapping);
      Value result = part->getResult(0);
      result.setType(typeOf(result).clone(typeOf(loaded).getShape()));
      loaded = result;
    }
    return loaded;
  }
};

/// Computes values of a loop's body somewhere else, for another iteration.
class OtherIteration {
public:
  /// The values of the first iteration, at `builder`'s place before the loop.
  static OtherIteration first(scf::ForOp loop, OpBuilder &builder) {
    OtherIteration result(loop, builder);
    result.mapping.map(loop.getInductionVar(), loop.getLowerBound());
    result.mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
    return result;
  }
  /// The values of the next iteration, at `builder`'s place in the body.
  static OtherIteration next(scf::ForOp loop, OpBuilder &builder) {
    OtherIteration result(loop, builder);
    result.isNext = true;
    result.mapping.map(loop.getRegionIterArgs(), loop.getYieldedValues());
    return result;
  }

  /// Whether `value` can be computed for the next iteration before `place`.
  static bool isKnown(scf::ForOp loop, Value value, Operation *place) {
    if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
      return true;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Value next = loop.getTiedLoopYieldedValue(argument)->get();
      Operation *op = next.getDefiningOp();
      return !op || op->getBlock() != loop.getBody() || op->isBeforeInBlock(place);
    }
    Operation *op = value.getDefiningOp();
    return op->getBlock() == loop.getBody() && op->getNumRegions() == 0 &&
           (isPure(op) || isa<ttg::AsyncWaitOp>(op)) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isKnown(loop, operand, place); });
  }

  Value get(Value value) {
    if (loop.isDefinedOutsideOfLoop(value))
      return value;
    if (Value known = mapping.lookupOrNull(value))
      return known;
    if (value == loop.getInductionVar()) {
      assert(isNext && "the first iteration's is the lower bound");
      Value next = arith::AddIOp::create(builder, loop.getLoc(), value, loop.getStep());
      mapping.map(value, next);
      return next;
    }
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      get(operand);
    Operation *clone = builder.clone(*op, mapping);
    if (auto wait = dyn_cast<ttg::AsyncWaitOp>(clone))
      waits.push_back(wait);
    return mapping.lookup(value);
  }

  /// The waits that have been made.
  SmallVector<ttg::AsyncWaitOp> waits;

private:
  OtherIteration(scf::ForOp loop, OpBuilder &builder) : loop(loop), builder(builder) {}

  scf::ForOp loop;
  OpBuilder &builder;
  IRMapping mapping;
  bool isNext = false;
};

/// A product whose operands are loaded in the loop that it is in.
struct Product {
  tt::DotOp dot;
  std::array<Operand, 2> operands;
  int64_t k, kOfStep;
};

std::optional<Product> findProduct(tt::DotOp dot, const target::Target &target) {
  const int64_t kOfStep = getKOfStep(dot, target), k = typeOf(dot.getA()).getShape().back();
  if (!kOfStep || k % kOfStep != 0 || k / kOfStep < 2)
    return std::nullopt;
  auto a = Operand::find(dot.getA(), 1, dot->getBlock()),
       b = Operand::find(dot.getB(), 0, dot->getBlock());
  if (!a || !b)
    return std::nullopt;
  return Product{dot, {*a, *b}, k, kOfStep};
}

class LoopFragments {
public:
  LoopFragments(scf::ForOp loop, const target::Target &target) : loop(loop) {
    for (auto dot : loop.getBody()->getOps<tt::DotOp>())
      if (std::optional<Product> product = findProduct(dot, target))
        products.push_back(*product);
  }

  void run() {
    if (products.empty() || !areWaitsTheirs() || !areHeadsKnown())
      return;
    createHeads();
    for (size_t i = 0; i < products.size(); ++i)
      cut(i);
    for (Product &product : products)
      erase(product);
    for (Operation *op : waits)
      op->erase();
  }

private:
  /// Whether waits in the body are for nothing but what these products load, so that they may be
  /// done in the iteration before.
  bool areWaitsTheirs() {
    llvm::SmallPtrSet<Operation *, 4> loads;
    for (Product &product : products)
      for (Operand &operand : product.operands) {
        if (!operand.load.getToken())
          return false;
        loads.insert(operand.load);
      }
    for (auto wait : loop.getBody()->getOps<ttg::AsyncWaitOp>()) {
      if (!llvm::all_of(wait->getUsers(), [&](Operation *user) { return loads.contains(user); }))
        return false;
      waits.push_back(wait);
    }
    return !waits.empty();
  }

  /// Whether what the heads are loaded with is known before the last product.
  bool areHeadsKnown() {
    Operation *place = products.back().dot;
    return llvm::all_of(products, [&](Product &product) {
      return llvm::all_of(product.operands, [&](Operand &operand) {
        return OtherIteration::isKnown(loop, operand.load.getSrc(), place) &&
               OtherIteration::isKnown(loop, operand.load.getToken(), place);
      });
    });
  }

  /// Has the loop carry the heads, and the tokens with which the rest is loaded.
  void createHeads() {
    IRRewriter rewriter(loop);
    OtherIteration first = OtherIteration::first(loop, rewriter);
    SmallVector<Value> initial;
    for (Product &product : products)
      for (Operand &operand : product.operands) {
        Value token = first.get(operand.load.getToken());
        initial.push_back(operand.createLoad(rewriter, first.get(operand.load.getSrc()), token, 0,
                                             product.kOfStep));
        initial.push_back(token);
      }
    for (ttg::AsyncWaitOp wait : first.waits)
      transform::setPendingGroups(wait);
    firstCarried = loop.getNumRegionIterArgs();
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
          return SmallVector<Value>(arguments.begin(), arguments.end());
        }));
  }

  /// The value that the loop carries of an operand: 0 is its head, 1 the token.
  BlockArgument getCarried(size_t product, size_t operand, unsigned which) {
    return loop.getRegionIterArg(firstCarried + 4 * product + 2 * operand + which);
  }

  /// Loads the heads of the next iteration.
  void loadNextHeads(OpBuilder &builder) {
    OtherIteration next = OtherIteration::next(loop, builder);
    for (auto [p, product] : llvm::enumerate(products))
      for (auto [o, operand] : llvm::enumerate(product.operands)) {
        Value token = next.get(operand.load.getToken());
        Value head =
            operand.createLoad(builder, next.get(operand.load.getSrc()), token, 0, product.kOfStep);
        loop.getTiedLoopYieldedValue(getCarried(p, o, 0))->set(head);
        loop.getTiedLoopYieldedValue(getCarried(p, o, 1))->set(token);
      }
    for (ttg::AsyncWaitOp wait : next.waits)
      transform::setPendingGroups(wait);
  }

  void cut(size_t number) {
    Product &product = products[number];
    tt::DotOp dot = product.dot;
    OpBuilder builder(dot);
    std::array<Value, 2> loaded = {getCarried(number, 0, 0), getCarried(number, 1, 0)};
    Value sum = dot.getC();
    for (int64_t k = 0; k < product.k; k += product.kOfStep) {
      const bool isLast = k + product.kOfStep == product.k;
      std::array<Value, 2> ahead;
      for (auto [o, operand] : llvm::enumerate(product.operands))
        if (!isLast)
          ahead[o] = operand.createLoad(builder, operand.load.getSrc(), getCarried(number, o, 1),
                                        k + product.kOfStep, product.kOfStep);
      if (isLast && number + 1 == products.size())
        loadNextHeads(builder);
      Value a = product.operands[0].createSteps(builder, loaded[0]),
            b = product.operands[1].createSteps(builder, loaded[1]);
      sum = tt::DotOp::create(builder, dot.getLoc(), dot.getType(), a, b, sum,
                              dot.getInputPrecision(), dot.getMaxNumImpreciseAcc());
      loaded = ahead;
    }
    dot.replaceAllUsesWith(sum);
  }

  /// Removes what `cut` has replaced: the heads of the next iteration are made after the operands
  /// of all products but the last one.
  static void erase(Product &product) {
    product.dot.erase();
    for (Operand &operand : product.operands) {
      for (Operation *op : llvm::reverse(operand.steps))
        op->erase();
      operand.load.erase();
    }
  }

  scf::ForOp loop;
  SmallVector<Product> products;
  SmallVector<Operation *> waits;
  unsigned firstCarried = 0;
};

struct PrefetchPass : transform::impl::TritonGPUPrefetchBase<PrefetchPass> {
  void runOnOperation() override {
    const target::Target *target = ttg::getTarget(getOperation());
    if (!target)
      return;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      LoopFragments(loop, *target).run();
  }
};

} // namespace
