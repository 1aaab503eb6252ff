//===- LoopProblem.cpp - The scheduling problem of a loop ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/LoopProblem.h"

#include "analysis/RegisterPressure.h"
#include "ir/ttg/query/Conversion.h"
#include "ir/ttg/query/MatrixUnits.h"
#include "ir/ttg/query/OpKinds.h"
#include "ir/ttng/Dialect.h"
#include "transform/pipeline/schedule/LoopSchedule.h"
#include "transform/pipeline/schedule/MemoryOrder.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

//===----------------------------------------------------------------------------===//
// Cycles
//===----------------------------------------------------------------------------===//

/// Cycles from the beginning of a load from global memory until its value is there, where nobody
/// else loads: an estimate for all targets.
static constexpr unsigned globalLatency = 500;
/// Cycles of a scheduler for a warp's instruction on the unit of special functions, which takes the
/// lanes a few at a time: four on NVIDIA (16 results a cycle and multiprocessor, CUDA C++
/// Programming Guide, "Throughput of native arithmetic instructions"), a quarter of the lanes on
/// AMD and Intel.
static constexpr unsigned specialCycles = 8;
/// Cycles until the result of an instruction on registers is there.
static constexpr unsigned registerLatency = 4;

namespace {
/// What ops of a loop cost a warp.
class WarpCosts {
public:
  WarpCosts(scf::ForOp loop, const target::Target &target)
      : target(target), plans(ttg::getPlanCache(loop)), warps(ttg::getNumWarps(loop)),
        lanes(ttg::getThreadsPerWarp(loop)) {}

  void add(Operation *op, ScheduleOp &result) {
    if (op->getNumRegions() != 0 && !isa<tt::ReduceOp, tt::ScanOp>(op))
      return addRegions(op, result);
    if (ttg::isProduct(op))
      return addProduct(op, result);
    if (ttg::isLoad(op))
      return addAccess(op->getResult(0).getType(), globalLatency, result);
    if (auto store = dyn_cast<tt::StoreOp>(op))
      return addAccess(store.getValue().getType(), 0, result);
    if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
      return addConversion(convert, result);
    addInstructions(op, result);
  }

private:
  static unsigned &cyclesOf(ScheduleOp &op, MachineUnit unit) {
    return op.cycles[static_cast<unsigned>(unit)];
  }

  /// A branch is as long as all that is in it.
  void addRegions(Operation *op, ScheduleOp &result) {
    op->walk([&](Operation *inner) {
      if (inner->getNumRegions() == 0)
        add(inner, result);
    });
  }

  void addProduct(Operation *op, ScheduleOp &result) {
    const unsigned cycles = getProductCycles(op);
    cyclesOf(result, MachineUnit::Matrix) += cycles;
    result.latency += cycles;
  }

  /// Of the instructions of a warp that compute the product: those of the unit that takes the
  /// fewest cycles, or multiply-adds of its lanes.
  unsigned getProductCycles(Operation *op) {
    const uint64_t multiplyAdds = countMultiplyAdds(op);
    auto dot = dyn_cast<tt::DotOp>(op);
    const std::optional<target::Issuer> issuer = getIssuer(op);
    if (dot && isa<ttg::BlockedEncodingAttr>(cast<RankedTensorType>(dot.getType()).getEncoding()))
      return multiplyAdds / (warps * lanes);
    const std::optional<target::MmaType> a =
        ttg::getOperandMmaType(getElementType(op->getOperand(0)), tt::InputPrecision::TF32);
    std::optional<uint64_t> least;
    for (const target::MmaAtom &atom : target.products()) {
      // Types of as many bits are as quick.
      const bool isIssuer = issuer ? atom.issuer == *issuer : isOfWarps(atom.issuer);
      if (!a || target::bitsOf(*a) != target::bitsOf(atom.a) || !isIssuer)
        continue;
      const uint64_t issuers = !issuer                                ? warps
                               : *issuer == target::Issuer::WarpGroup ? std::max(1u, warps / 4)
                                                                      : 1;
      const uint64_t instructions = multiplyAdds / (uint64_t(atom.m) * atom.n * atom.k * issuers);
      least =
          std::min(least.value_or(UINT64_MAX), std::max<uint64_t>(1, instructions) * atom.cycles);
    }
    return least.value_or(multiplyAdds / (warps * lanes));
  }

  /// Who issues a product of operands in memory together; nothing where each warp, or each of its
  /// lanes, has products of its own.
  static std::optional<target::Issuer> getIssuer(Operation *product) {
    if (isa<ttng::WarpGroupDotOp>(product))
      return target::Issuer::WarpGroup;
    if (isa<ttg::SharedMemoryUser>(product))
      return target::Issuer::Block;
    return std::nullopt;
  }
  static bool isOfWarps(target::Issuer issuer) {
    return issuer == target::Issuer::Warp || issuer == target::Issuer::Lane;
  }

  /// Of a tile in registers or in memory.
  static Type getElementType(Value tile) {
    auto memory = dyn_cast<ttg::MemDescType>(tile.getType());
    return memory ? memory.getElementType() : tt::getElementTypeOrSelf(tile.getType());
  }

  static uint64_t countMultiplyAdds(Operation *op) {
    Value a = op->getOperand(0);
    auto memory = dyn_cast<ttg::MemDescType>(a.getType());
    uint64_t number =
        memory ? memory.getShape().back() : cast<RankedTensorType>(a.getType()).getShape().back();
    for (int64_t size : cast<ShapedType>(op->getResult(0).getType()).getShape())
      number *= size;
    return number;
  }

  /// Loads and stores: the sectors of a warp's part of a tile.
  void addAccess(Type type, unsigned latency, ScheduleOp &result) {
    const unsigned bytes =
        getDistinctElements(type) * std::max(1u, tt::getElementBits(type) / 8) * lanes;
    const unsigned sectors = std::max(1u, bytes / target.global.sectorBytes);
    cyclesOf(result, MachineUnit::Copy) += target.global.loadCycles + sectors;
    cyclesOf(result, MachineUnit::Issue) += 1;
    result.latency += latency;
  }

  void addConversion(ttg::ConvertLayoutOp op, ScheduleOp &result) {
    const Result<plan::ConversionPlan> &plan = ttg::planConversion(op, plans);
    const unsigned cycles = plan ? plan->cost : 0;
    const bool isShared = plan && plan->kind == plan::ConversionPlan::Kind::SharedMemory;
    cyclesOf(result, isShared ? MachineUnit::Shared : MachineUnit::Issue) += cycles;
    result.latency += cycles;
  }

  /// Adds the instructions that combine a thread's own elements.
  void addReduction(tt::ReduceOp op, ScheduleOp &result) {
    const unsigned elements = getDistinctElements(op->getOperand(0).getType());
    unsigned instructions = 0;
    for (Operation &inner : op.getCombineOp().front().without_terminator())
      instructions += inner.hasTrait<OpTrait::ConstantLike>() ? 0 : elements;
    cyclesOf(result, MachineUnit::Issue) += instructions;
    result.latency += registerLatency + instructions;
  }

  void addInstructions(Operation *op, ScheduleOp &result) {
    if (auto reduce = dyn_cast<tt::ReduceOp>(op))
      return addReduction(reduce, result);
    auto layoutOp = dyn_cast<tt::LayoutOp>(op);
    const unsigned each = layoutOp ? layoutOp.getInstructionsPerElement() : 1;
    const bool isOfTensors = llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    if (each == 0 || !isOfTensors || op->hasTrait<OpTrait::ConstantLike>())
      return;
    const unsigned instructions = each * getDistinctElements(op->getResult(0).getType());
    const bool isSpecial = isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op, math::SinOp,
                               math::CosOp, math::SqrtOp, math::RsqrtOp>(op);
    cyclesOf(result, MachineUnit::Issue) += instructions;
    if (isSpecial)
      cyclesOf(result, MachineUnit::Special) += instructions * specialCycles;
    result.latency += registerLatency + instructions * (isSpecial ? specialCycles : 1);
  }

  const target::Target &target;
  plan::PlanCache &plans;
  unsigned warps, lanes;
};
} // namespace

unsigned transform::getProductCycles(scf::ForOp loop, const target::Target &target) {
  WarpCosts costs(loop, target);
  ScheduleOp products;
  for (Operation &op : *loop.getBody())
    if (ttg::isProduct(&op))
      costs.add(&op, products);
  return products.cycles[static_cast<unsigned>(MachineUnit::Matrix)];
}

//===----------------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------------===//

ScheduleProblem transform::getProblem(scf::ForOp loop, const target::Target *target) {
  ScheduleProblem problem;
  std::optional<WarpCosts> costs;
  if (target)
    costs.emplace(loop, *target);
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (auto [number, op] : llvm::enumerate(loop.getBody()->without_terminator())) {
    numbers[&op] = number;
    ScheduleOp &made = problem.ops.emplace_back();
    made.name = op.getName().getStringRef().str();
    made.isLoad = ttg::isLoad(&op);
    made.isBranch = isa<scf::IfOp>(op);
    if (auto latency = op.getAttrOfType<IntegerAttr>(ttg::latencyAttrName))
      made.early = latency.getInt();
    if (costs)
      costs->add(&op, made);
  }

  const MemoryOrder memory(loop);
  std::vector<std::vector<ScheduleDependence>> ofMemory(problem.ops.size());
  memory.forEachPair([&](Operation *first, Operation *second) {
    const unsigned from = numbers.at(first), to = numbers.at(second);
    ofMemory[to].push_back({from, to, 0, /*isOfMemory=*/true});
    ofMemory[from].push_back({to, from, 1, /*isOfMemory=*/true});
  });
  for (auto [to, op] : llvm::enumerate(loop.getBody()->without_terminator())) {
    const size_t begin = problem.dependences.size();
    forEachDependence(loop, &op, [&, to = to](Operation *def, bool isCarried) {
      const ScheduleDependence each = {numbers.at(def), unsigned(to), isCarried};
      if (!llvm::is_contained(llvm::drop_begin(problem.dependences, begin), each))
        problem.dependences.push_back(each);
    });
    llvm::append_range(problem.dependences, ofMemory[to]);
  }
  return problem;
}
