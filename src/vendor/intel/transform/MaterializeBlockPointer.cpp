//===- MaterializeBlockPointer.cpp - Loads and stores by 2D block messages ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Which accesses are rectangles of a matrix, and what of the messages' rules is left to be tested,
// MatrixTile.h says; which messages serve a layout, plan/BlockTransfer.h. Here accesses change.
//
// A load that is converted to an operand of a product is loaded as that operand: from memory to
// the registers of the matrix unit. So is what an operand is computed from (ProductOperands.h). A
// store of what was converted stores it from where it was.
//
// A loop of which conditions are to be tested exists twice, in the branches of one test before it.
// Only what a product reads or makes is worth that: other accesses become messages if the rules are
// known to hold.
//
//===--------------------------------------------------------------------------===//

#include "analysis/AxisInfo.h"
#include "ir/ttig/Ops.h"
#include "transform/tile/BlockLines.h"
#include "vendor/intel/plan/BlockTransfer.h"
#include "vendor/intel/transform/MatrixTile.h"
#include "vendor/intel/transform/Passes.h"
#include "vendor/intel/transform/ProductOperands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::intel;
using plan::block2d::BlockAccess;
using plan::block2d::BlockMessagePlan;

namespace tilewright::vendor::intel {
#define GEN_PASS_DEF_TRITONINTELGPUMATERIALIZEBLOCKPOINTER
#include "vendor/intel/transform/Passes.h.inc"
} // namespace tilewright::vendor::intel

namespace {

/// On accesses that stay what they are, however often the pass runs.
constexpr llvm::StringLiteral staysAttrName = "ttig.no_block_io";

/// An access that becomes messages.
struct Access {
  Operation *op;
  /// The layout of the tensor that messages move.
  RankedTensorType type;
  MatrixTile tile;
};

/// Whether a matrix unit has tensors of the type as operands or results.
bool isOfProduct(RankedTensorType type) {
  auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(type.getEncoding());
  return isa<ttig::DpasEncodingAttr>(operand ? operand.getParent() : type.getEncoding());
}

/// The number that a load gives for elements outside of its mask: a scalar, or the attribute of a
/// constant. Null if there is none, or they are not all the same.
static OpFoldResult getPadding(tt::LoadOp load) {
  Value other = load.getOther();
  while (Operation *op = other ? other.getDefiningOp() : nullptr) {
    if (auto splat = dyn_cast<tt::SplatOp>(op))
      return splat.getSrc();
    if (!isa<tt::TransOp, ttg::ConvertLayoutOp>(op))
      break;
    other = op->getOperand(0);
  }
  DenseElementsAttr constant;
  if (other && matchPattern(other, m_Constant(&constant)) && constant.isSplat())
    return constant.getSplatValue<Attribute>();
  return {};
}

/// Whether messages give this number for what is out of bounds, or nothing is asked for.
static bool isZero(OpFoldResult padding) {
  if (!padding)
    return true;
  if (auto value = dyn_cast<Value>(padding))
    return matchPattern(value, m_Zero()) || matchPattern(value, m_PosZeroFloat());
  auto attribute = cast<Attribute>(padding);
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValue().isPosZero();
  return cast<IntegerAttr>(attribute).getValue().isZero();
}

/// The stored value; if it was converted before, also what it was.
SmallVector<Value> storedValues(tt::StoreOp store) {
  SmallVector<Value> values;
  if (auto convert = store.getValue().getDefiningOp<ttg::ConvertLayoutOp>())
    values.push_back(convert.getSrc());
  values.push_back(store.getValue());
  return values;
}

RankedTensorType typeOf(RankedTensorType type) { return type; }
RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

class Materializer {
public:
  Materializer(const target::Target &target, ModuleOp module)
      : target(target), axes(module), tiles(target, axes) {}

  void run(ModuleOp module);

private:
  /// Whether products take tensors of the type, or what they take is computed from such.
  bool servesProduct(RankedTensorType type) const {
    return isOfProduct(type) || productTypes.contains(type);
  }
  /// Adds the types in which what products take is loaded, and what they give is stored, where
  /// other ops than conversions are in between.
  void addProductTypes(ModuleOp module);
  /// The types in which a loaded tensor may be wanted, the best one first.
  SmallVector<RankedTensorType> getWantedTypes(tt::LoadOp load) const;
  /// Adds the access of `op`; or says why it stays.
  void consider(Operation *op);
  Expected<Access> find(tt::LoadOp load, ArrayRef<RankedTensorType> candidates);
  Expected<Access> find(tt::StoreOp store);
  /// The access in the first of `candidates`, types or values, that messages serve.
  template <typename T>
  Expected<Access> find(Operation *op, Value pointers, Value mask, BlockAccess access,
                        ArrayRef<T> candidates);

  /// i1: whether all conditions of the accesses hold.
  Value emitTest(OpBuilder &builder, ArrayRef<Access *> accesses);
  void divideLoop(scf::ForOp loop, ArrayRef<Access *> accesses);
  void divideAccess(Access &access);
  /// The access by messages, at `access.op`; the loaded tensor.
  Value emit(OpBuilder &builder, Access &access);
  void replace(Access &access);

  const target::Target &target;
  transform::AxisInfoAnalysis axes;
  MatrixTiles tiles;
  /// Of what is loaded for operands that are computed from it.
  llvm::DenseSet<Type> productTypes;
  std::vector<Access> accesses;
};

} // namespace

//===----------------------------------------------------------------------------===//
// Which accesses
//===----------------------------------------------------------------------------===//

/// Why no messages serve a layout, whether of a product's operand or of something else.
static tilewright::Diagnostic describePlan(const std::string &reason, RankedTensorType type,
                                           bool servesProduct) {
  const int64_t lanes = ttg::toLinearLayout(type).inSize(layout::dims::Lane);
  return makeError(reason, lanes != 16     ? "give --threads-per-warp 16"
                           : servesProduct ? "choose other sizes of the tile, or another number of "
                                             "warps"
                                           : "messages are for what tl.dot takes and gives: other "
                                             "tiles are mostly as quick without");
}

template <typename T>
Expected<Access> Materializer::find(Operation *op, Value pointers, Value mask, BlockAccess access,
                                    ArrayRef<T> candidates) {
  const bool columnsFirst = tiles.hasContiguousColumns(pointers);
  std::optional<tilewright::Diagnostic> reason;
  for (const T &candidate : candidates) {
    RankedTensorType type = typeOf(candidate);
    Result<BlockMessagePlan> plan = planTransfer(target, type, columnsFirst, access);
    if (!plan) {
      if (!reason)
        reason = describePlan(plan.error(), type, servesProduct(type));
      continue;
    }
    Expected<MatrixTile> tile = tiles.find(op, pointers, mask, plan->message.elementBits / 8);
    if (!tile)
      return tile.error();
    if (!tile->conditions.empty() && !servesProduct(type)) {
      const SurfaceRule &rule = tile->conditions.front().rule;
      return makeError("it is known only at run time whether " + std::string(rule.broken) +
                           ", which is tested for operands and results of products alone",
                       rule.remedy);
    }
    return Access{op, type, *tile};
  }
  return *reason;
}

/// Whether a product's result became `value` by changes of its shape alone.
static bool isProductInOtherShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || isOfProduct(type))
    return static_cast<bool>(type);
  Operation *op = value.getDefiningOp();
  return op && isPure(op) && tt::getLayoutRule(op) == tt::LayoutRule::Inferred &&
         llvm::any_of(op->getOperands(), isProductInOtherShape);
}

void Materializer::addProductTypes(ModuleOp module) {
  SmallVector<Value> wanted;
  module.walk([&](Operation *op) {
    if (auto dot = dyn_cast<tt::DotOp>(op); dot && isOfProduct(typeOf(dot.getD())))
      wanted.append({dot.getA(), dot.getB()});
    else if (auto store = dyn_cast<tt::StoreOp>(op))
      for (Value value : storedValues(store))
        if (isProductInOtherShape(value))
          productTypes.insert(value.getType());
  });
  llvm::DenseSet<Value> known;
  while (!wanted.empty()) {
    Value value = wanted.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !isa<RankedTensorType>(value.getType()) || !known.insert(value).second)
      continue;
    if (isa<tt::LoadOp, ttg::ConvertLayoutOp>(op))
      productTypes.insert(value.getType());
    else if (isPure(op) && !op->getNumRegions())
      llvm::append_range(wanted, op->getOperands());
  }
}

SmallVector<RankedTensorType> Materializer::getWantedTypes(tt::LoadOp load) const {
  SmallVector<RankedTensorType> types;
  for (Operation *user : load->getUsers())
    if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(user))
      if (auto type = cast<RankedTensorType>(convert.getType());
          servesProduct(type) && !llvm::is_contained(types, type))
        types.push_back(type);
  types.push_back(cast<RankedTensorType>(load.getType()));
  return types;
}

Expected<Access> Materializer::find(tt::LoadOp load, ArrayRef<RankedTensorType> candidates) {
  if (load.getIsVolatile() || load.getCache() == tt::CacheModifier::CV)
    return makeError("it is volatile", "leave volatile and the cache modifier .cv out");
  if (load.getOther() && !getPadding(load))
    return makeError("elements outside of the mask are not all one number",
                     "let them be 0, tl.load's default, or another number");
  return find(load, load.getPtr(), load.getMask(), BlockAccess::Load, candidates);
}

Expected<Access> Materializer::find(tt::StoreOp store) {
  return find<Value>(store, store.getPtr(), store.getMask(), BlockAccess::Store,
                     storedValues(store));
}

/// Whether `op`, a load or a store, may become messages at all.
static bool mayChange(Operation *op) {
  auto pointers = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (op->hasAttr(staysAttrName) || !pointers ||
      (pointers.getRank() != 2 && pointers.getRank() != 3))
    return false;
  Type element = tt::getElementTypeOrSelf(tt::getPointeeType(pointers));
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8;
}

void Materializer::consider(Operation *op) {
  if (!mayChange(op))
    return;
  auto load = dyn_cast<tt::LoadOp>(op);
  Expected<Access> access = load ? find(load, getWantedTypes(load)) : find(cast<tt::StoreOp>(op));
  if (access) {
    accesses.push_back(*access);
    return;
  }
  op->setAttr(staysAttrName, UnitAttr::get(op->getContext()));
  mlir::InFlightDiagnostic remark = op->emitRemark();
  remark << (load ? "the load" : "the store")
         << " is not done by 2D block messages: " << access.error().message;
  remark.attachNote() << access.error().remedy;
}

//===----------------------------------------------------------------------------===//
// Their change
//===----------------------------------------------------------------------------===//

/// Notes on a message how the caches are to be used, as lowering does on other accesses.
template <typename Op> static void copyCachePolicy(Op from, Operation *message) {
  StringRef policy;
  if (from.getCache() != tt::CacheModifier::NONE)
    policy = tt::stringifyCacheModifier(from.getCache());
  else if (from.getEvict() != tt::EvictionPolicy::NORMAL)
    policy = tt::stringifyEvictionPolicy(from.getEvict());
  if (!policy.empty())
    message->setAttr(ttg::cachePolicyAttrName, StringAttr::get(from->getContext(), policy));
}

/// What a load gives, of what its messages give: zeros out of bounds.
static Value pad(OpBuilder &builder, tt::LoadOp load, ttig::BlockLoadOp message) {
  const OpFoldResult padding = getPadding(load);
  if (isZero(padding))
    return message;
  Location loc = load.getLoc();
  RankedTensorType type = message.getType();
  const transform::BlockLines lines(builder, loc, type);
  // A position before the matrix is a large number without a sign.
  auto isInside = [&](unsigned dim, Value start, Value size) {
    const RankedTensorType line = lines.getType(dim, builder.getI32Type());
    Value range =
        tt::MakeRangeOp::create(builder, loc, line, 0, static_cast<int32_t>(line.getDimSize(0)));
    Value positions = arith::AddIOp::create(builder, loc, range, lines.splatLine(dim, start));
    return lines.toBlock(dim, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                                    positions, lines.splatLine(dim, size)));
  };
  const auto rank = static_cast<unsigned>(type.getRank());
  const unsigned across = message.getColumnMajor() ? rank - 2 : rank - 1,
                 along = 2 * rank - 3 - across;
  Value inside =
      arith::AndIOp::create(builder, loc, isInside(along, message.getRow(), message.getHeight()),
                            isInside(across, message.getColumn(), message.getWidth()));
  Value number = dyn_cast<Value>(padding);
  if (!number)
    number = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(cast<Attribute>(padding)));
  return arith::SelectOp::create(builder, loc, inside, message, lines.splatBlock(number));
}

Value Materializer::emit(OpBuilder &builder, Access &access) {
  const MatrixTile &tile = access.tile;
  Location loc = access.op->getLoc();
  auto &symbols = tiles.getSymbols();
  // Values that are the same in all iterations are computed before the loop.
  auto emitAt = [&](const transform::Polynomial &polynomial, Type type) {
    OpBuilder::InsertionGuard guard(builder);
    if (tile.loop && !polynomial.has(symbols.getIteration(tile.loop)))
      builder.setInsertionPoint(tile.loop);
    return symbols.emit(builder, loc, polynomial, type);
  };
  auto word = [&](const transform::Polynomial &polynomial) {
    return emitAt(polynomial, builder.getI32Type());
  };
  Value base = tile.base;
  if (!tile.baseOffset.isZero()) {
    Value offset = emitAt(tile.baseOffset, builder.getI64Type());
    OpBuilder::InsertionGuard guard(builder);
    if (tile.loop && !tile.baseOffset.has(symbols.getIteration(tile.loop)))
      builder.setInsertionPoint(tile.loop);
    base = tt::AddPtrOp::create(builder, loc, base.getType(), base, offset);
  }
  Value row = word(tile.row), column = word(tile.column), height = word(tile.height),
        width = word(tile.width), pitch = word(tile.pitch);
  Value slicePitch =
      access.type.getRank() == 3 ? emitAt(tile.slicePitch, builder.getI64Type()) : Value();
  if (auto load = dyn_cast<tt::LoadOp>(access.op)) {
    auto message = ttig::BlockLoadOp::create(builder, loc, access.type, base, row, column, height,
                                             width, pitch, slicePitch, tile.columnMajor);
    copyCachePolicy(load, message);
    return pad(builder, load, message);
  }
  Value value;
  for (Value stored : storedValues(cast<tt::StoreOp>(access.op)))
    if (stored.getType() == access.type && !value)
      value = stored;
  // A load that became messages may have taken the place of its conversion.
  if (!value)
    value = ttg::ConvertLayoutOp::create(builder, loc, access.type,
                                         cast<tt::StoreOp>(access.op).getValue());
  auto message = ttig::BlockStoreOp::create(builder, loc, base, row, column, height, width, pitch,
                                            slicePitch, value, tile.columnMajor);
  copyCachePolicy(cast<tt::StoreOp>(access.op), message);
  return {};
}

void Materializer::replace(Access &access) {
  OpBuilder builder(access.op);
  Value loaded = emit(builder, access);
  if (!loaded) {
    access.op->erase();
    return;
  }
  Value converted;
  for (OpOperand &use : llvm::make_early_inc_range(access.op->getUses())) {
    auto convert = dyn_cast<ttg::ConvertLayoutOp>(use.getOwner());
    if (convert && convert.getType() == loaded.getType()) {
      convert.replaceAllUsesWith(loaded);
      convert.erase();
      continue;
    }
    if (!converted && access.op->getResult(0).getType() != loaded.getType())
      converted = ttg::ConvertLayoutOp::create(builder, access.op->getLoc(),
                                               access.op->getResult(0).getType(), loaded);
    use.set(converted ? converted : loaded);
  }
  access.op->erase();
}

Value Materializer::emitTest(OpBuilder &builder, ArrayRef<Access *> accesses) {
  Value test;
  Type i64 = builder.getI64Type();
  for (Access *access : accesses)
    for (const SurfaceCondition &condition : access->tile.conditions) {
      Location loc = access->op->getLoc();
      auto constant = [&](int64_t value) -> Value {
        return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
      };
      Value value = tiles.getSymbols().emit(builder, loc, condition.value, i64);
      if (condition.divisor)
        value = arith::AndIOp::create(builder, loc, value, constant(condition.divisor - 1));
      auto predicate = condition.divisor ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
      Value holds = arith::CmpIOp::create(builder, loc, predicate, value, constant(0));
      test = test ? arith::AndIOp::create(builder, loc, test, holds).getResult() : holds;
    }
  return test;
}

/// The loop, and the same as it was where the test fails.
void Materializer::divideLoop(scf::ForOp loop, ArrayRef<Access *> accesses) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value test = emitTest(builder, accesses);
  auto branch = scf::IfOp::create(builder, loc, loop.getResultTypes(), test,
                                  /*withElseRegion=*/true);
  loop.replaceAllUsesWith(branch.getResults());
  auto endWith = [&](Block *block, ValueRange results) {
    if (!block->empty() && block->back().hasTrait<OpTrait::IsTerminator>())
      block->back().erase();
    builder.setInsertionPointToEnd(block);
    scf::YieldOp::create(builder, loc, results);
  };
  IRMapping mapping;
  builder.setInsertionPointToStart(branch.elseBlock());
  auto other = cast<scf::ForOp>(builder.clone(*loop, mapping));
  endWith(branch.elseBlock(), other.getResults());
  loop->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  endWith(branch.thenBlock(), loop.getResults());
  for (Access *access : accesses) {
    mapping.lookup(access->op)->setAttr(staysAttrName, UnitAttr::get(loop.getContext()));
    replace(*access);
  }
}

void Materializer::divideAccess(Access &access) {
  OpBuilder builder(access.op);
  Location loc = access.op->getLoc();
  Value test = emitTest(builder, &access);
  auto load = dyn_cast<tt::LoadOp>(access.op);
  SmallVector<Type> types;
  if (load)
    types.push_back(access.type);
  auto branch = scf::IfOp::create(builder, loc, types, test, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (Value loaded = emit(builder, access))
    scf::YieldOp::create(builder, loc, loaded);
  builder.setInsertionPointToStart(branch.elseBlock());
  Operation *other = builder.clone(*access.op);
  other->setAttr(staysAttrName, UnitAttr::get(access.op->getContext()));
  if (load) {
    Value value = other->getResult(0);
    if (value.getType() != access.type)
      value = ttg::ConvertLayoutOp::create(builder, loc, access.type, value);
    scf::YieldOp::create(builder, loc, value);
    value = branch.getResult(0);
    if (load.getType() != access.type) {
      builder.setInsertionPointAfter(branch);
      value = ttg::ConvertLayoutOp::create(builder, loc, load.getType(), value);
    }
    load.replaceAllUsesWith(value);
  }
  access.op->erase();
}

//===----------------------------------------------------------------------------===//
// What is left
//===----------------------------------------------------------------------------===//

/// Whether `value`, of an op without effects in the loop, only serves to compute what `next` takes.
static bool onlyServes(Value value, OpOperand &next) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    if (&use == &next)
      return true;
    Operation *user = use.getOwner();
    return user->getBlock() == next.getOwner()->getBlock() && isPure(user) &&
           !user->hasTrait<OpTrait::IsTerminator>() &&
           llvm::all_of(user->getResults(), [&](Value result) { return onlyServes(result, next); });
  });
}

/// Pointers that a loop moves on and nobody accesses any more: they would take registers.
static void dropUnused(scf::ForOp loop) {
  bool found = false;
  for (auto [argument, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults())) {
    OpOperand &next = *loop.getTiedLoopYieldedValue(argument);
    if (!result.use_empty() || !onlyServes(argument, next))
      continue;
    next.set(argument);
    found = true;
  }
  if (!found)
    return;
  // A value that stays what it was is not carried.
  RewritePatternSet patterns(loop.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, loop.getContext());
  (void)applyOpPatternsGreedily({loop.getOperation()}, std::move(patterns));
}

/// A loaded tile that is only transposed is loaded through transposed pointers: registers stay what
/// they are.
static void transposePointers(ModuleOp module) {
  SmallVector<tt::TransOp> transposed;
  module.walk([&](tt::TransOp trans) {
    auto load = trans.getSrc().getDefiningOp<tt::LoadOp>();
    const int64_t rank = trans.getType().getRank();
    const bool keepsSlices = rank == 2 || (rank == 3 && trans.getOrder().front() == 0);
    if (load && load->hasOneUse() && keepsSlices &&
        llvm::any_of(trans->getUsers(), [](Operation *user) {
          auto convert = dyn_cast<ttg::ConvertLayoutOp>(user);
          return convert && isOfProduct(cast<RankedTensorType>(convert.getType()));
        }))
      transposed.push_back(trans);
  });
  for (tt::TransOp trans : transposed) {
    auto load = trans.getSrc().getDefiningOp<tt::LoadOp>();
    OpBuilder builder(load);
    RankedTensorType type = trans.getType();
    Operation *copy = builder.clone(*load);
    builder.setInsertionPoint(copy);
    for (OpOperand &operand : copy->getOpOperands()) {
      Type element = cast<RankedTensorType>(operand.get().getType()).getElementType();
      operand.set(tt::TransOp::create(builder, load.getLoc(), type.clone(element), operand.get(),
                                      trans.getOrder()));
    }
    copy->getResult(0).setType(type);
    trans.replaceAllUsesWith(copy->getResult(0));
    trans.erase();
    load.erase();
  }
}

void Materializer::run(ModuleOp module) {
  // Here conditions are no obstacle: they are tested for what products take.
  productTypes = computeAsOperands(module, [&](tt::LoadOp load, RankedTensorType type) {
    productTypes.insert(type);
    return mayChange(load) && find(load, type);
  });
  addProductTypes(module);
  module.walk([&](Operation *op) {
    if (isa<tt::LoadOp, tt::StoreOp>(op))
      consider(op);
  });
  // What is known to be right first: loops that are copied have it then.
  llvm::MapVector<Operation *, SmallVector<Access *>> ofLoop;
  SmallVector<Access *> alone;
  for (Access &access : accesses)
    if (access.tile.conditions.empty())
      replace(access);
    else if (access.tile.loop)
      ofLoop[access.tile.loop].push_back(&access);
    else
      alone.push_back(&access);
  for (Access *access : alone)
    divideAccess(*access);
  for (auto &[loop, members] : ofLoop)
    divideLoop(cast<scf::ForOp>(loop), members);

  llvm::SetVector<scf::ForOp> loops;
  module.walk([&](ttig::BlockLoadOp load) {
    for (auto loop = load->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      loops.insert(loop);
  });
  for (scf::ForOp loop : loops)
    dropUnused(loop);
}

namespace {
struct MaterializeBlockPointer
    : vendor::intel::impl::TritonIntelGPUMaterializeBlockPointerBase<MaterializeBlockPointer> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    const target::Target *target = ttg::getTarget(module);
    if (!target || !plan::block2d::blockMessageLimits(*target))
      return;
    transposePointers(module);
    Materializer(*target, module).run(module);
  }
};
} // namespace
