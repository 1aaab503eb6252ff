//===- CooperativeMatrices.cpp - Matrices of SPV_KHR_cooperative_matrix -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/transform/CooperativeMatrices.h"

#include "ir/ttig/Ops.h"
#include "ir/tw/Dialect.h"
#include "vendor/intel/transform/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::intel;
using layout::MatrixUse;
using tw::CoopMatrixType;

namespace tilewright::vendor::intel {
#define GEN_PASS_DEF_INTELCOOPERATIVEMATRICES
#include "vendor/intel/transform/Passes.h.inc"
} // namespace tilewright::vendor::intel

//===----------------------------------------------------------------------------===//
// What drivers have
//===----------------------------------------------------------------------------===//

/// The sub-groups whose products these are.
static constexpr unsigned subGroupSize = 16;

/// Whether drivers of `target` multiply A and B and add to C in this shape and these types. The
/// products of DPAS of up to 8 rows on all targets, and three larger ones on Ponte Vecchio:
/// sycl_ext_oneapi_matrix, "Intel XMX Supported Combinations", whose matrices these are.
static bool isOffered(tw::CoopMatrixMulAddOp op, const target::Target &target) {
  const CoopMatrixType a = op.getA().getType();
  const int64_t m = op.getType().getRows(), n = op.getType().getColumns(), k = a.getColumns();
  const Type element = a.getElementType(), sum = op.getType().getElementType();
  if (element.isInteger(8))
    return sum.isInteger(32) && m <= 8 && n == 16 && k == 32;
  if (!sum.isF32() || !(element.isF16() || element.isBF16()) || k != 16)
    return false;
  if (m <= 8 && n == 16)
    return true;
  const bool isLarge = (m == 16 && n == 16) || (m == 1 && n == 64) || (m == 32 && n == 64);
  return isLarge && element.isBF16() && target.name == "xpu:pvc";
}

//===----------------------------------------------------------------------------===//
// Which values
//===----------------------------------------------------------------------------===//

/// Where a matrix is in memory, with the strides of its own rows and columns.
template <typename Op> static std::pair<Value, Value> stridesOf(Op op) {
  std::pair<Value, Value> strides(op.getStride0(), op.getStride1());
  if (op.getTransposed())
    std::swap(strides.first, strides.second);
  return strides;
}

template <typename Op> static std::string findReasonInMemory(Op op) {
  if (op.getRowsChecked() || op.getColsChecked())
    return "its bounds are checked";
  auto [ofRows, ofColumns] = stridesOf(op);
  if (!matchPattern(ofRows, m_One()) && !matchPattern(ofColumns, m_One()))
    return "neither its rows nor its columns are known to be contiguous";
  return {};
}

static bool isMatrix(Value value) { return isa<CoopMatrixType>(value.getType()); }

namespace {

/// The matrices of a module, in groups that can only change together.
class MatrixGroups {
public:
  MatrixGroups(ModuleOp module, const target::Target &target) : target(target) {
    module.walk([&](Operation *op) { join(op); });
    if (const unsigned lanes = ttg::getThreadsPerWarp(module); lanes != subGroupSize)
      commonReason = "sub-groups have " + std::to_string(lanes) +
                     " lanes, and matrices of the extension " + std::to_string(subGroupSize);
    module.walk([&](Operation *op) { judge(op); });
  }

  bool mayChange(Value value) {
    const Group &group = groupOf(value);
    return group.product && group.reason.empty();
  }

  /// Says of each group with a product why it stays.
  void remark() {
    for (auto &[leader, group] : groups)
      if (group.product && !group.reason.empty()) {
        mlir::InFlightDiagnostic remark = group.product->emitRemark();
        remark << "the product is not done on matrices of SPV_KHR_cooperative_matrix: "
               << group.reason;
        remark.attachNote() << "use a shape that drivers have for the types (docs/emit.md lists "
                               "them), sub-groups of 16, and accesses without checks";
      }
  }

private:
  struct Group {
    tw::CoopMatrixMulAddOp product;
    /// Why the group stays; empty if nothing is known to speak against its change.
    std::string reason;
  };

  Group &groupOf(Value value) { return groups[classes.getLeaderValue(value.getAsOpaquePointer())]; }

  /// Makes those of `values` that are matrices one group.
  void unite(ArrayRef<Value> values) {
    void *first = nullptr;
    for (Value value : values) {
      if (!isMatrix(value))
        continue;
      void *const entry = value.getAsOpaquePointer();
      classes.insert(entry);
      if (first)
        classes.unionSets(first, entry);
      first = entry;
    }
  }

  /// Loops and branches pass each value on by itself; another op's belong together.
  void join(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (auto [init, argument, result] :
           llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults()))
        unite({init, argument, result});
    } else if (passesOn(op)) {
      for (auto [value, result] :
           llvm::zip_equal(op->getOperands(), op->getParentOp()->getResults()))
        unite({value, result});
    } else if (!isa<scf::IfOp>(op)) {
      unite(valuesOf(op));
    }
  }

  /// Those of a loop or branch are judged by where they come from.
  void judge(Operation *op) {
    if (isa<scf::ForOp, scf::IfOp>(op) || passesOn(op))
      return;
    const SmallVector<Value> values = valuesOf(op);
    const auto *matrix = llvm::find_if(values, isMatrix);
    if (matrix == values.end())
      return;
    Group &group = groupOf(*matrix);
    std::string reason;
    if (auto product = dyn_cast<tw::CoopMatrixMulAddOp>(op)) {
      if (!group.product)
        group.product = product;
      reason = !commonReason.empty() ? commonReason : findReason(product);
    } else if (auto load = dyn_cast<tw::CoopMatrixLoadOp>(op)) {
      reason = findReasonInMemory(load);
    } else if (auto store = dyn_cast<tw::CoopMatrixStoreOp>(op)) {
      reason = findReasonInMemory(store);
    } else if (auto splat = dyn_cast<tw::CoopMatrixSplatOp>(op)) {
      // SPV_KHR_bfloat16 has such numbers, but kernels have them as integers.
      if (splat.getValue().getType().isBF16())
        reason = "a number of bf16 is an integer in registers";
    } else {
      reason = "the extension has no such instruction";
    }
    if (!group.reason.empty() || reason.empty())
      return;
    group.reason = isa<tw::CoopMatrixMulAddOp>(op)
                       ? reason
                       : (op->getName().getStringRef() + ": " + reason).str();
  }

  std::string findReason(tw::CoopMatrixMulAddOp op) const {
    std::string reason;
    if (isOffered(op, target))
      return reason;
    const CoopMatrixType a = op.getA().getType(), sum = op.getType();
    llvm::raw_string_ostream(reason)
        << "there is no product of " << sum.getRows() << "x" << a.getColumns() << "x"
        << a.getElementType() << " by " << a.getColumns() << "x" << sum.getColumns()
        << " with sums of " << sum.getElementType();
    return reason;
  }

  /// Whether `op` ends a block and its operands are what a loop or a branch gives.
  static bool passesOn(Operation *op) {
    return isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::IfOp>(op->getParentOp());
  }

  /// All that an op takes and gives, its regions' arguments too.
  static SmallVector<Value> valuesOf(Operation *op) {
    SmallVector<Value> values(op->getOperands());
    llvm::append_range(values, op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(values, block.getArguments());
    return values;
  }

  const target::Target &target;
  std::string commonReason;
  llvm::EquivalenceClasses<void *> classes;
  llvm::MapVector<void *, Group> groups;
};

} // namespace

//===----------------------------------------------------------------------------===//
// Their change
//===----------------------------------------------------------------------------===//

/// OpTypeCooperativeMatrixKHR: the elements' type; the scope, a sub-group; rows, columns, use.
static Type toExtensionType(CoopMatrixType type) {
  constexpr unsigned subGroupScope = 3;
  const unsigned use = type.getUse() == MatrixUse::A ? 0 : type.getUse() == MatrixUse::B ? 1 : 2;
  return LLVM::LLVMTargetExtType::get(type.getContext(), "spirv.CooperativeMatrixKHR",
                                      {type.getElementType()},
                                      {subGroupScope, static_cast<unsigned>(type.getRows()),
                                       static_cast<unsigned>(type.getColumns()), use});
}

/// An element's type in the names of functions.
static StringRef lettersOf(Type type) {
  return type.isF16()         ? "Dh"
         : type.isBF16()      ? "DF16b"
         : type.isF32()       ? "f"
         : type.isInteger(8)  ? "c"
         : type.isInteger(32) ? "i"
                              : "v";
}

/// Functions are one for each type of matrix: what a name says after its parameters tells them
/// apart.
static std::string suffixOf(CoopMatrixType type) {
  return "." + std::string(layout::name(type.getUse())) + "_" + std::to_string(type.getRows()) +
         "x" + std::to_string(type.getColumns()) + lettersOf(type.getElementType()).str();
}

namespace {

class Rewriter {
public:
  explicit Rewriter(ModuleOp module) : module(module) {}

  void rewrite(Operation *op) {
    OpBuilder builder(op);
    if (auto load = dyn_cast<tw::CoopMatrixLoadOp>(op))
      rewriteLoad(builder, load);
    else if (auto store = dyn_cast<tw::CoopMatrixStoreOp>(op))
      rewriteStore(builder, store);
    else if (auto product = dyn_cast<tw::CoopMatrixMulAddOp>(op))
      rewriteProduct(builder, product);
    else
      rewriteSplat(builder, cast<tw::CoopMatrixSplatOp>(op));
  }

private:
  /// Calls the function of an instruction, which has the result's type, or null for none.
  Value call(OpBuilder &builder, Location loc, StringRef name, StringRef parameters, Type result,
             ValueRange operands, bool memory = false) {
    return ttig::BuiltinCallOp::create(builder, loc, result ? TypeRange(result) : TypeRange(), name,
                                       parameters, operands, memory)
        .getResult();
  }

  void replace(Operation *op, Value value) {
    op->replaceAllUsesWith(ValueRange(value));
    op->erase();
  }

  /// The address of a matrix's first element, its layout in memory, and the distance of its rows,
  /// or of its columns if these are contiguous.
  template <typename Op> SmallVector<Value> emitPlace(OpBuilder &builder, Op op) {
    Location loc = op.getLoc();
    auto [ofRows, ofColumns] = stridesOf(op);
    auto offsetOf = [&](Value position, Value stride) -> Value {
      Value wide = builder.createOrFold<arith::ExtSIOp>(loc, builder.getI64Type(), position);
      return builder.createOrFold<arith::MulIOp>(loc, wide, stride);
    };
    Value offset = builder.createOrFold<arith::AddIOp>(loc, offsetOf(op.getRow(), ofRows),
                                                       offsetOf(op.getColumn(), ofColumns));
    Value pointer =
        tt::AddPtrOp::create(builder, loc, op.getBase().getType(), op.getBase(), offset);
    // RowMajorKHR, ColumnMajorKHR.
    const bool isColumnMajor = !matchPattern(ofColumns, m_One());
    Value layout =
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(isColumnMajor));
    return {pointer, layout, isColumnMajor ? ofColumns : ofRows};
  }

  void rewriteLoad(OpBuilder &builder, tw::CoopMatrixLoadOp op) {
    const std::string parameters =
        "PU3AS1" + lettersOf(op.getType().getElementType()).str() + "im" + suffixOf(op.getType());
    replace(op, call(builder, op.getLoc(), "__spirv_CooperativeMatrixLoadKHR", parameters,
                     toExtensionType(op.getType()), emitPlace(builder, op), /*memory=*/true));
  }

  // All warps hold a matrix, and the first writes it.
  void rewriteStore(OpBuilder &builder, tw::CoopMatrixStoreOp op) {
    Location loc = op.getLoc();
    // Its type has changed where the op that makes it has.
    Value value = op->getOperand(0);
    auto type = cast<LLVM::LLVMTargetExtType>(value.getType());
    SmallVector<Value> operands = emitPlace(builder, op);
    operands.insert(operands.begin() + 1, value);
    if (ttg::getNumWarps(module) > 1) {
      Value warp = ttg::WarpIdOp::create(builder, loc);
      Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
      Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, warp, zero);
      auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
      builder.setInsertionPoint(branch.thenYield());
    }
    std::string parameters = "PU3AS1" + lettersOf(type.getTypeParams()[0]).str() + "vim.";
    for (unsigned number : type.getIntParams())
      parameters += "_" + std::to_string(number);
    call(builder, loc, "__spirv_CooperativeMatrixStoreKHR", parameters, Type(), operands,
         /*memory=*/true);
    op.erase();
  }

  void rewriteProduct(OpBuilder &builder, tw::CoopMatrixMulAddOp op) {
    SmallVector<Value> operands(op->getOperands());
    // "Cooperative Matrix Operands": which elements have a sign.
    enum : int32_t { ASigned = 1, BSigned = 2, CSigned = 4, ResultSigned = 8 };
    if (op.getType().getElementType().isInteger()) {
      const int32_t flags = (op.getUnsignedA() ? 0 : ASigned) | (op.getUnsignedB() ? 0 : BSigned) |
                            CSigned | ResultSigned;
      operands.push_back(
          arith::ConstantOp::create(builder, op.getLoc(), builder.getI32IntegerAttr(flags)));
    }
    auto a = cast<LLVM::LLVMTargetExtType>(operands[0].getType());
    const std::string parameters =
        "v." + lettersOf(a.getTypeParams()[0]).str() + suffixOf(op.getType());
    replace(op, call(builder, op.getLoc(), "__spirv_CooperativeMatrixMulAddKHR", parameters,
                     toExtensionType(op.getType()), operands));
  }

  void rewriteSplat(OpBuilder &builder, tw::CoopMatrixSplatOp op) {
    const std::string parameters =
        lettersOf(op.getValue().getType()).str() + suffixOf(op.getType());
    replace(op, call(builder, op.getLoc(), "__spirv_CompositeConstruct", parameters,
                     toExtensionType(op.getType()), op.getValue()));
  }

  ModuleOp module;
};

} // namespace

bool vendor::intel::useCooperativeMatrices(ModuleOp module, const target::Target &target) {
  MatrixGroups groups(module, target);
  groups.remark();
  // Before types change: the groups know values by them.
  SmallVector<Operation *> ops;
  SmallVector<Value> passedOn;
  module.walk([&](Operation *op) {
    auto changes = [&](Value value) { return isMatrix(value) && groups.mayChange(value); };
    if (isa<tw::TilewrightDialect>(op->getDialect())) {
      if (llvm::any_of(op->getOperands(), changes) || llvm::any_of(op->getResults(), changes))
        ops.push_back(op);
      return;
    }
    llvm::copy_if(op->getResults(), std::back_inserter(passedOn), changes);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      llvm::copy_if(loop.getRegionIterArgs(), std::back_inserter(passedOn), changes);
  });
  for (Value value : passedOn)
    value.setType(toExtensionType(cast<CoopMatrixType>(value.getType())));
  Rewriter rewriter(module);
  for (Operation *op : ops)
    rewriter.rewrite(op);
  return !ops.empty();
}

namespace {
struct CooperativeMatrices
    : vendor::intel::impl::IntelCooperativeMatricesBase<CooperativeMatrices> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (const target::Target *target = ttg::getTarget(module))
      useCooperativeMatrices(module, *target);
  }
};
} // namespace
