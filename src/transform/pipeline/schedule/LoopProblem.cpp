//===- LoopProblem.cpp - The scheduling problem of a loop ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/LoopProblem.h"

#include "analysis/RegisterEstimate.h"
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

namespace {
/// What ops of a loop cost a warp.
class WarpCosts {
public:
  WarpCosts(scf::ForOp loop, const target::Target &target)
      : target(target), plans(ttg::getPlanCache(loop)), warps(ttg::getNumWarps(loop)),
        lanes(ttg::getThreadsPerWarp(loop)),
        specialCycles(target.execution.specialCycles *
                      std::max(1u, lanes / target.execution.threadsPerWarp)) {}

  void add(Operation *op, ScheduleOp &result) {
    if (op->getNumRegions() != 0 && !isa<tt::ReduceOp, tt::ScanOp>(op))
      return addRegions(op, result);
    if (ttg::isProduct(op))
      return addProduct(op, result);
    if (ttg::isLoad(op))
      return addAccess(op->getResult(0).getType(), target.global.latency, result);
    if (auto store = dyn_cast<tt::StoreOp>(op))
      return addAccess(store.getValue().getType(), 0, result);
    if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
      return addConversion(convert, result);
    addInstructions(op, result);
  }

  /// The cycles for which the unit of special functions computes those of `op`, one an element.
  unsigned getSpecialCycles(Operation *op) const {
    return isSpecial(op) ? getDistinctElements(op->getResult(0).getType()) * specialCycles : 0;
  }

private:
  static bool isSpecial(Operation *op) {
    return isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op, math::SinOp, math::CosOp,
               math::SqrtOp, math::RsqrtOp>(op);
  }

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

  /// The instructions of an issuer that compute a product.
  struct ProductInstructions {
    const target::MmaAtom *atom;
    uint64_t number;
    uint64_t cycles() const { return number * atom->cycles; }
  };

  void addProduct(Operation *op, ScheduleOp &result) {
    const std::optional<ProductInstructions> found = findInstructions(op);
    if (!found) {
      const unsigned cycles = countMultiplyAdds(op) / (uint64_t(warps) * lanes);
      cyclesOf(result, MachineUnit::Issue) += cycles;
      result.latency += cycles + target.execution.resultLatency;
      result.sumLatency += std::max(cycles, target.execution.resultLatency);
      return;
    }
    // Steps of K, each of which adds to all sums of the step before.
    const target::MmaAtom &atom = *found->atom;
    const uint64_t steps = std::min(found->number, llvm::divideCeil(getDepth(op), atom.k));
    const uint64_t ofStep = found->cycles() / steps;
    const uint64_t pace = atom.isAsync ? ofStep : std::max<uint64_t>(ofStep, atom.latency);
    cyclesOf(result, MachineUnit::Matrix) += found->cycles();
    result.sumLatency += steps * pace;
    result.latency += (steps - 1) * pace + ofStep + atom.latency - atom.cycles;
  }

  /// Those of the unit that take the fewest cycles; nothing where lanes multiply.
  std::optional<ProductInstructions> findInstructions(Operation *op) {
    auto dot = dyn_cast<tt::DotOp>(op);
    if (dot && isa<ttg::BlockedEncodingAttr>(cast<RankedTensorType>(dot.getType()).getEncoding()))
      return std::nullopt;
    const uint64_t multiplyAdds = countMultiplyAdds(op);
    const std::optional<target::Issuer> issuer = getIssuer(op);
    const std::optional<target::MmaType> a =
        ttg::getOperandMmaType(getElementType(op->getOperand(0)), tt::InputPrecision::TF32);
    std::optional<ProductInstructions> best;
    for (const target::MmaAtom &atom : target.products()) {
      // Types of as many bits are as quick.
      const bool isIssuer = issuer ? atom.issuer == *issuer : isOfWarps(atom.issuer);
      if (!a || target::bitsOf(*a) != target::bitsOf(atom.a) || !isIssuer)
        continue;
      const uint64_t issuers = !issuer ? warps
                               : *issuer == target::Issuer::WarpGroup
                                   ? std::max(1u, warps / target::warpsOfGroup)
                                   : 1;
      const ProductInstructions each = {
          &atom,
          std::max<uint64_t>(1, multiplyAdds / (uint64_t(atom.m) * atom.n * atom.k * issuers))};
      if (!best || each.cycles() < best->cycles())
        best = each;
    }
    return best;
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

  /// The size of a product along K.
  static uint64_t getDepth(Operation *op) {
    Value a = op->getOperand(0);
    auto memory = dyn_cast<ttg::MemDescType>(a.getType());
    return memory ? memory.getShape().back()
                  : cast<RankedTensorType>(a.getType()).getShape().back();
  }

  static uint64_t countMultiplyAdds(Operation *op) {
    uint64_t number = getDepth(op);
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
    result.latency += target.execution.resultLatency + instructions;
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
    const bool isOfUnit = isSpecial(op);
    cyclesOf(result, MachineUnit::Issue) += instructions;
    if (isOfUnit)
      cyclesOf(result, MachineUnit::Special) += instructions * specialCycles;
    result.latency +=
        target.execution.resultLatency + instructions * (isOfUnit ? specialCycles : 1);
  }

  const target::Target &target;
  plan::PlanCache &plans;
  unsigned warps, lanes;
  /// The cycles of an instruction of a warp.
  unsigned specialCycles;
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

IssueNeeds transform::findIssueNeeds(scf::ForOp loop, uint64_t room, uint64_t tileBytes,
                                     const target::Target &target) {
  IssueNeeds needs = {.warps = unsigned(ttg::getNumWarps(loop)),
                      .registers =
                          estimateMostRegisters(loop->getParentOfType<tt::FuncOp>(), target),
                      .usedBytes = target.shared.maxBytes - room,
                      .tileBytes = tileBytes};
  WarpCosts costs(loop, target);
  ScheduleOp all;
  for (Operation &op : loop.getBody()->without_terminator())
    costs.add(&op, all);
  needs.issueCycles = all.cyclesOf(MachineUnit::Issue);
  return needs;
}

unsigned transform::getSpecialCycles(scf::ForOp loop, const target::Target &target) {
  const WarpCosts costs(loop, target);
  unsigned cycles = 0;
  for (Operation &op : *loop.getBody())
    cycles += costs.getSpecialCycles(&op);
  return cycles;
}

//===----------------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------------===//

/// Whether all that `op` does with the value of `def`, of its iteration or of the one before, is to
/// add to it as a product to another's sum, without waiting for that.
static bool addsToSum(scf::ForOp loop, Operation *op, Operation *def) {
  if (!ttg::isProduct(op) || !ttg::isProduct(def))
    return false;
  if (auto self = def->getAttrOfType<IntegerAttr>(ttg::selfLatencyAttrName);
      self && self.getInt() == 0)
    return false;
  constexpr unsigned addend = 2;
  const auto isOfDef = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == loop.getBody() && value != loop.getInductionVar())
      value = loop.getTiedLoopYieldedValue(argument)->get();
    return value.getDefiningOp() == def;
  };
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return isOfDef(operand.get()) == (operand.getOperandNumber() == addend);
  });
}

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
      const ScheduleDependence each = {numbers.at(def), unsigned(to), isCarried,
                                       /*isOfMemory=*/false, addsToSum(loop, &op, def)};
      if (!llvm::is_contained(llvm::drop_begin(problem.dependences, begin), each))
        problem.dependences.push_back(each);
    });
    llvm::append_range(problem.dependences, ofMemory[to]);
  }
  return problem;
}
