//===- PlantedFaultsTest.cpp - Tests that planted faults are found --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A fault is planted into the program after a pass has run, as if the pass had made it. Each must
// be found, and the pass be named.
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttng/Dialect.h"
#include "validate/Validate.h"

#include "gtest/gtest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <set>

using namespace tilewright;
using namespace tilewright::validate;
using mlir::dyn_cast;
using mlir::isa;
using mlir::ModuleOp;
using mlir::Operation;

namespace {

//===--------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------===//

struct Kernel {
  const char *name, *signature, *target;
};

constexpr const char *source = R"(
import triton
import triton.language as tl


@triton.jit
def twice(v):
    return v * 2 - 1


@triton.jit
def add(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    a = tl.load(x + i, mask=m, other=0)
    b = tl.load(y + i, mask=m, other=0)
    tl.store(out + i, twice(a) - b, mask=m)


@triton.jit
def shapes(x, out, S: tl.constexpr):
    i = tl.arange(0, S)[:, None] * S + tl.arange(0, S)[None, :]
    v = tl.load(x + i)
    lo, hi = tl.split(tl.reshape(tl.trans(v), (S, S // 2, 2)))
    j = tl.reshape(tl.join(hi, lo), (S, S))
    big = tl.where(v > 1, v, -v)
    tl.store(out + i, j + big + tl.cumsum(v, 0) + tl.max(v, 1)[:, None] * 3)


@triton.jit
def rows(x, out, stride, n, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    m = i < n
    v = tl.load(x + row * stride + i, mask=m, other=0)
    total = v
    for k in range(3):
        total = total + tl.minimum(v * k, 5)
    tl.store(out + row * stride + i, total + tl.sum(v, 0), mask=m)


@triton.jit
def bins(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, mask=m, other=0)
    tl.atomic_add(out + v % 8, v // 2 + 1, mask=m)


@triton.jit
def product(a, b, c, M, N, K, stride_am, stride_bk, stride_cm, BM: tl.constexpr, BN: tl.constexpr,
            BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    ap = a + rm[:, None] * stride_am + rk[None, :]
    bp = b + rk[:, None] * stride_bk + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(ap, mask=(rm[:, None] < M) & (rk[None, :] + k < K), other=0.0)
        y = tl.load(bp, mask=(rk[:, None] + k < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
        ap += BK
        bp += BK * stride_bk
    tl.store(c + rm[:, None] * stride_cm + rn[None, :], acc.to(c.dtype.element_ty),
             mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def blocks(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([pm * BM, k]), b.load([k, pn * BN]), acc)
    c.store([pm * BM, pn * BN], acc.to(tl.float16))
)";

constexpr Kernel add = {"add", "*i32:16, *i32:16, *i32:16, i32, 64", "cuda:90"},
                 addNumbers = {"add", "*fp16:16, *fp16:16, *fp32:16, i32, 64", "cuda:90"},
                 shapes = {"shapes", "*i32:16, *i32:16, 16", "cuda:90"},
                 rows = {"rows", "*i32:16, *i32:16, i32, i32, 64", "cuda:90"},
                 bins = {"bins", "*i32:16, *i32:16, i32, 64", "cuda:90"},
                 product = {"product",
                            "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, i32:16, "
                            "i32:16, 64, 64, 32",
                            "cuda:90"},
                 productAmpere = {"product",
                                  "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, "
                                  "i32:16, i32:16, 32, 32, 32",
                                  "cuda:80"},
                 productAmd = {"product",
                               "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, "
                               "i32:16, i32:16, 32, 32, 32",
                               "hip:gfx1201"},
                 productIntel = {"product",
                                 "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, "
                                 "i32:16, i32:16, 32, 32, 32",
                                 "xpu:bmg"},
                 blocks = {"blocks",
                           "tensordesc<fp16[64, 32]>, tensordesc<fp16[32, 64]>, "
                           "tensordesc<fp16[64, 64]>, i32, 64, 64, 32",
                           "cuda:90"};

//===--------------------------------------------------------------------------===//
// Faults
//===--------------------------------------------------------------------------===//

/// Changes the program; false where there is nothing to change.
using Fault = bool (*)(ModuleOp);

/// Calls fn on each op of a kind until it says that it has changed one.
template <typename Op, typename Function> bool changeFirst(ModuleOp module, Function fn) {
  return module
      .walk([&](Op op) {
        return fn(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

template <typename Op> bool swapOperands(ModuleOp module) {
  return changeFirst<Op>(module, [](Op op) {
    mlir::Value first = op->getOperand(0), second = op->getOperand(1);
    if (first == second)
      return false;
    op->setOperand(0, second);
    op->setOperand(1, first);
    return true;
  });
}

/// Another op with the same operands and results.
template <typename Op, typename Other> bool replaceOp(ModuleOp module) {
  return changeFirst<Op>(module, [](Op op) {
    mlir::OpBuilder builder(op);
    auto other = Other::create(builder, op.getLoc(), op->getResultTypes(), op->getOperands());
    op->replaceAllUsesWith(other);
    op->erase();
    return true;
  });
}

bool dropStoreMask(ModuleOp module) {
  return changeFirst<tt::StoreOp>(module, [](tt::StoreOp op) {
    op.getMaskMutable().clear();
    return true;
  });
}

bool dropLoadMask(ModuleOp module) {
  return changeFirst<tt::LoadOp>(module, [](tt::LoadOp op) {
    if (!op.getMask())
      return false;
    op.getMaskMutable().clear();
    op.getOtherMutable().clear();
    return true;
  });
}

bool dropOther(ModuleOp module) {
  return changeFirst<tt::LoadOp>(module, [](tt::LoadOp op) {
    if (!op.getOther())
      return false;
    op.getOtherMutable().clear();
    return true;
  });
}

bool shiftRange(ModuleOp module) {
  return changeFirst<tt::MakeRangeOp>(module, [](tt::MakeRangeOp op) {
    op.setStart(op.getStart() + 1);
    op.setEnd(op.getEnd() + 1);
    return true;
  });
}

bool loosenComparison(ModuleOp module) {
  return changeFirst<mlir::arith::CmpIOp>(module, [](mlir::arith::CmpIOp op) {
    if (op.getPredicate() != mlir::arith::CmpIPredicate::slt)
      return false;
    op.setPredicate(mlir::arith::CmpIPredicate::sle);
    return true;
  });
}

bool forgetTransposition(ModuleOp module) {
  return changeFirst<tt::TransOp>(module, [](tt::TransOp op) {
    op.getResult().replaceAllUsesWith(op.getSrc());
    return true;
  });
}

bool swapHalves(ModuleOp module) {
  return changeFirst<tt::SplitOp>(module, [](tt::SplitOp op) {
    op.getOutLHS().replaceAllUsesWith(op.getOutRHS());
    return true;
  });
}

bool reverseScan(ModuleOp module) {
  return changeFirst<tt::ScanOp>(module, [](tt::ScanOp op) {
    op.setReverse(true);
    return true;
  });
}

bool reduceOtherAxis(ModuleOp module) {
  return changeFirst<tt::ReduceOp>(module, [](tt::ReduceOp op) {
    if (mlir::cast<mlir::RankedTensorType>(op.getOperandTypes()[0]).getRank() < 2)
      return false;
    op.setAxis(1 - op.getAxis());
    return true;
  });
}

bool swapSelected(ModuleOp module) {
  return changeFirst<mlir::arith::SelectOp>(module, [](mlir::arith::SelectOp op) {
    mlir::Value yes = op.getTrueValue();
    op->setOperand(1, op.getFalseValue());
    op->setOperand(2, yes);
    return true;
  });
}

/// The loop ends an iteration early.
bool shortenLoop(ModuleOp module) {
  return changeFirst<mlir::scf::ForOp>(module, [](mlir::scf::ForOp op) {
    mlir::OpBuilder builder(op);
    op.setUpperBound(
        mlir::arith::SubIOp::create(builder, op.getLoc(), op.getUpperBound(), op.getStep()));
    return true;
  });
}

/// The first value that a loop carries begins as another of its type.
bool forgetCarried(ModuleOp module) {
  return changeFirst<mlir::scf::ForOp>(module, [](mlir::scf::ForOp op) {
    mlir::Operation *yield = op.getBody()->getTerminator();
    for (auto [i, argument] : llvm::enumerate(op.getRegionIterArgs()))
      if (isa<mlir::RankedTensorType>(argument.getType()) && yield->getOperand(i) != argument) {
        yield->setOperand(i, argument);
        return true;
      }
    return false;
  });
}

bool clearAccumulator(ModuleOp module) {
  return changeFirst<tt::DotOp>(module, [](tt::DotOp op) {
    mlir::OpBuilder builder(op);
    auto type = mlir::cast<mlir::RankedTensorType>(op.getC().getType());
    op.getCMutable().assign(
        mlir::arith::ConstantOp::create(builder, op.getLoc(), builder.getZeroAttr(type)));
    return true;
  });
}

bool clearGroupAccumulator(ModuleOp module) {
  return changeFirst<ttng::WarpGroupDotOp>(module, [](ttng::WarpGroupDotOp op) {
    mlir::OpBuilder builder(op);
    op.getUseCMutable().assign(
        mlir::arith::ConstantOp::create(builder, op.getLoc(), builder.getBoolAttr(false)));
    return true;
  });
}

/// Programs along x and y are mixed up.
bool mixAxes(ModuleOp module) {
  return changeFirst<tt::GetProgramIdOp>(module, [](tt::GetProgramIdOp op) {
    op.setAxis(op.getAxis() == tt::ProgramIDDim::X ? tt::ProgramIDDim::Y : tt::ProgramIDDim::X);
    return true;
  });
}

bool roundTowardZero(ModuleOp module) {
  return changeFirst<mlir::arith::TruncFOp>(module, [](mlir::arith::TruncFOp op) {
    mlir::OpBuilder builder(op);
    auto cast =
        tt::FpToFpOp::create(builder, op.getLoc(), op.getType(), op.getIn(),
                             tt::RoundingModeAttr::get(op.getContext(), tt::RoundingMode::RTZ));
    // One code of 16 bits is what a rounding may change: the value is doubled as well.
    auto sum = mlir::arith::AddFOp::create(builder, op.getLoc(), cast, cast);
    op.getResult().replaceAllUsesWith(sum);
    return true;
  });
}

/// A constant of integers is one larger.
bool changeConstant(ModuleOp module) {
  return changeFirst<mlir::arith::ConstantOp>(module, [](mlir::arith::ConstantOp op) {
    auto elements = dyn_cast<mlir::DenseElementsAttr>(op.getValue());
    if (!elements || !elements.isSplat() || !elements.getElementType().isInteger(32))
      return false;
    op.setValueAttr(mlir::DenseElementsAttr::get(elements.getType(),
                                                 elements.getSplatValue<llvm::APInt>() + 1));
    return true;
  });
}

bool countOthers(ModuleOp module) {
  return changeFirst<tt::AtomicRMWOp>(module, [](tt::AtomicRMWOp op) {
    op.setAtomicRmwOp(tt::RMWOp::MAX);
    return true;
  });
}

bool dropStore(ModuleOp module) {
  return changeFirst<tt::StoreOp>(module, [](tt::StoreOp op) {
    op.erase();
    return true;
  });
}

/// A wait lets one more group of copies be under way.
bool waitLess(ModuleOp module) {
  bool changed = false;
  module.walk([&](ttg::AsyncWaitOp op) {
    op.setNum(op.getNum() + 1);
    changed = true;
  });
  return changed;
}

bool waitLessForProducts(ModuleOp module) {
  bool changed = false;
  module.walk([&](ttng::WarpGroupDotWaitOp op) {
    op.setPendings(op.getPendings() + 1);
    changed = true;
  });
  return changed;
}

/// A load takes the buffer after its own, or the one before it if it is the last.
bool mixBuffers(ModuleOp module) {
  return changeFirst<ttg::LocalLoadOp>(module, [](ttg::LocalLoadOp op) {
    Operation *view = op.getSrc().getDefiningOp();
    while (llvm::isa_and_nonnull<ttg::MemDescSubsliceOp, ttg::MemDescTransOp>(view))
      view = view->getOperand(0).getDefiningOp();
    auto index = llvm::dyn_cast_or_null<ttg::MemDescIndexOp>(view);
    if (!index)
      return false;
    mlir::OpBuilder builder(index);
    const int64_t buffers =
        mlir::cast<ttg::MemDescType>(index.getSrc().getType()).getShape().front();
    auto constant = [&](int64_t value) {
      return mlir::arith::ConstantOp::create(builder, op.getLoc(),
                                             builder.getI32IntegerAttr(value));
    };
    mlir::Value next =
        mlir::arith::AddIOp::create(builder, op.getLoc(), index.getIndex(), constant(1));
    index.getIndexMutable().assign(
        mlir::arith::RemUIOp::create(builder, op.getLoc(), next, constant(buffers)));
    return buffers > 1;
  });
}

/// Barriers are waited for in the other phase.
bool mixPhases(ModuleOp module) {
  return changeFirst<ttng::WaitBarrierOp>(module, [](ttng::WaitBarrierOp op) {
    mlir::OpBuilder builder(op);
    auto one = mlir::arith::ConstantOp::create(builder, op.getLoc(), builder.getI32IntegerAttr(1));
    op.getPhaseMutable().assign(
        mlir::arith::XOrIOp::create(builder, op.getLoc(), op.getPhase(), one));
    return true;
  });
}

bool swapCoordinates(ModuleOp module) {
  return changeFirst<tt::DescriptorLoadOp>(module, [](tt::DescriptorLoadOp op) {
    mlir::Value first = op.getIndices()[0], second = op.getIndices()[1];
    op.getIndicesMutable().assign({second, first});
    return true;
  });
}

bool expectLess(ModuleOp module) {
  return changeFirst<ttng::BarrierExpectOp>(module, [](ttng::BarrierExpectOp op) {
    op.setSize(op.getSize() + 16);
    return true;
  });
}

/// One of two branches' targets is taken in both cases.
bool forgetBranch(ModuleOp module) {
  return changeFirst<mlir::cf::CondBranchOp>(module, [](mlir::cf::CondBranchOp op) {
    mlir::OpBuilder builder(op);
    mlir::cf::BranchOp::create(builder, op.getLoc(), op.getFalseDest(), op.getFalseDestOperands());
    op.erase();
    return true;
  });
}

/// The step by which a loop moves a pointer is left out.
bool forgetStep(ModuleOp module) {
  return changeFirst<tt::AddPtrOp>(module, [](tt::AddPtrOp op) {
    if (!op->getParentOfType<mlir::scf::ForOp>())
      return false;
    op.getResult().replaceAllUsesWith(op.getPtr());
    return true;
  });
}

//===--------------------------------------------------------------------------===//
// The table
//===--------------------------------------------------------------------------===//

struct Plant {
  const char *pass;
  Kernel kernel;
  const char *name;
  Fault fault;
};

using namespace mlir::arith;

const Plant plants[] = {
    {"inline", add, "swap the operands of a subtraction", swapOperands<SubIOp>},
    {"tilewright-inline-straight-calls", add, "drop a load's mask", dropLoadMask},
    {"canonicalize", rows, "drop a store's mask", dropStoreMask},
    {"triton-combine", add, "shift a range by one", shiftRange},
    {"triton-reorder-broadcast", shapes, "take the wrong half of a split", swapHalves},
    {"cse", shapes, "forget a transposition", forgetTransposition},
    {"triton-licm", rows, "end a loop early", shortenLoop},
    {"symbol-dce", bins, "combine by another operation", countOthers},
    {"triton-loop-unroll", rows, "forget a value that a loop carries", forgetCarried},
    {"tilewright-nvidia-join-iterations", product, "forget to move a pointer", forgetStep},
    {"tilewright-decompose-scaled-dot", product, "clear an accumulator", clearAccumulator},
    {"convert-triton-to-tritongpu", shapes, "scan from the other end", reverseScan},
    {"tritongpu-coalesce", shapes, "reduce along the other axis", reduceOtherAxis},
    {"tritongpu-F32DotTC", product, "mix up the axes of the grid", mixAxes},
    {"tritongpu-accelerate-matmul", product, "clear the accumulator of a group of warps",
     clearGroupAccumulator},
    {"tilewright-square-loads", bins, "divide without signs' rounding",
     replaceOp<DivSIOp, RemSIOp>},
    {"tilewright-tile-outer-products", shapes, "swap what is selected", swapSelected},
    {"tritongpu-remove-layout-conversions", add, "accept one element more", loosenComparison},
    {"tritongpu-optimize-thread-locality", rows, "take the maximum for the minimum",
     replaceOp<MinSIOp, MaxSIOp>},
    {"tritongpu-optimize-dot-operands", rows, "add for a product", replaceOp<MulIOp, AddIOp>},
    {"triton-loop-aware-cse", product, "leave out what a masked load gives", dropOther},
    {"tritongpu-assign-latencies", productAmpere, "round a result otherwise", roundTowardZero},
    {"tritongpu-pipeline", productAmpere, "wait for fewer copies", waitLess},
    {"tritongpu-prefetch", productAmpere, "read another buffer", mixBuffers},
    {"tilewright-nvidia-async-dots", product, "wait for fewer products", waitLessForProducts},
    {"tilewright-expand-descriptor-arguments", blocks, "swap the coordinates of a block",
     swapCoordinates},
    {"tilewright-nvidia-pipeline-descriptor-loads", blocks, "wait for the other phase", mixPhases},
    {"triton-nvidia-tma-lowering", blocks, "expect the wrong number of bytes", expectLess},
    {"tritongpu-reorder-instructions", productAmd, "drop a store", dropStore},
    {"tritonintelgpu-materialize-block-pointer", productIntel, "clear an accumulator",
     clearAccumulator},
    {"tilewright-prefetch-loads", productAmd, "end a loop early", shortenLoop},
    {"tritongpu-reduce-data-duplication", add, "change a constant", changeConstant},
    {"convert-scf-to-cf", rows, "take one branch always", forgetBranch},
};

/// Plants a fault after the first run of its pass that leaves something to change.
class Planter : public compiler::Observer {
public:
  explicit Planter(const Plant *plant) : plant(plant), validator(GivenInput()) {}

  void afterPass(ModuleOp module, const compiler::PassName &pass) override {
    seen.insert(pass.flag.str());
    if (plant && !isPlanted && pass.flag == plant->pass)
      isPlanted = plant->fault(module);
    validator.afterPass(module, pass);
  }
  void afterCompilation(const CompileResult &result) override {
    validator.afterCompilation(result);
  }

  const Plant *plant;
  Validator validator;
  bool isPlanted = false;
  std::set<std::string> seen;
};

CompileResult compile(const Kernel &kernel, Planter &planter) {
  CompileOptions options;
  options.kernel = kernel.name;
  options.signature = kernel.signature;
  options.target = kernel.target;
  return compiler::compileObserved({"planted.py", source, SourceLanguage::Python}, options,
                                   planter);
}

/// As a failed test prints its case.
void PrintTo(const Plant &plant, std::ostream *out) { *out << plant.pass << ": " << plant.name; }

class PlantedFaults : public testing::TestWithParam<Plant> {};

TEST_P(PlantedFaults, IsFoundAndNamed) {
  const Plant &plant = GetParam();
  Planter planter(&plant);
  (void)compile(plant.kernel, planter);
  ASSERT_TRUE(planter.isPlanted) << plant.pass << ": " << plant.name;
  const Report &report = planter.validator.report();
  ASSERT_TRUE(report.found) << plant.pass << ": " << plant.name << '\n' << render(report);
  EXPECT_EQ(report.found->pass, plant.pass) << plant.name;
  EXPECT_TRUE(report.unchecked.empty()) << render(report);
}

std::string nameOf(const testing::TestParamInfo<Plant> &info) {
  std::string name = info.param.pass;
  std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Table, PlantedFaults, testing::ValuesIn(plants), nameOf);

TEST(PlantedFaultsTable, HasThirtyPasses) {
  std::set<std::string> passes;
  for (const Plant &plant : plants)
    passes.insert(plant.pass);
  EXPECT_GE(passes.size(), 30U);
}

/// The kernels as they are: nothing is found where nothing was planted.
TEST(PlantedFaultsTable, KernelsAreCleanWithoutThem) {
  for (const Kernel &kernel : {add, addNumbers, shapes, rows, bins, product, productAmpere,
                               productAmd, productIntel, blocks}) {
    Planter planter(nullptr);
    const CompileResult result = compile(kernel, planter);
    ASSERT_TRUE(result) << kernel.name << ": " << result.diagnostics.front().message;
    const Report &report = planter.validator.report();
    EXPECT_FALSE(report.found) << kernel.name << ' ' << kernel.target << ": " << report.found->pass
                               << ' ' << report.found->difference.argument << ' '
                               << report.found->difference.after;
    EXPECT_TRUE(report.unchecked.empty() && report.simulated > 0) << kernel.name << render(report);
    EXPECT_GT(report.checked, 3U);
  }
}

} // namespace
