//===- RegisterEstimate.cpp - Registers that a back end will allocate ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/RegisterEstimate.h"

#include "analysis/RegisterPressure.h"
#include "analysis/TileForm.h"
#include "ir/ttg/query/MatrixUnits.h"
#include "ir/ttg/query/OpKinds.h"
#include "target/RegisterModel.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using transform::AxisInfoAnalysis;
using transform::DataPeak;
using transform::RegisterEstimate;
using transform::RegisterTerms;

/// More ops than these do not add to what is under way at a time. Of 40, 60, 100 and 200, with 60
/// the estimate is nearest to what ptxas allocates (bench/resources).
static constexpr unsigned maxOperations = 60;

/// The same registers under another shape.
static bool isView(Operation *op) {
  return isa<tt::SplatOp, tt::UnsplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp,
             tt::ReshapeOp>(op);
}

/// Computed where it is wanted.
static bool isStreamed(Operation *op) {
  return op->getNumRegions() == 0 && isPure(op) &&
         (op->hasTrait<OpTrait::Elementwise>() || isView(op) || isa<tt::MakeRangeOp>(op) ||
          op->hasTrait<OpTrait::ConstantLike>() ||
          llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>));
}

static bool isTensorWithLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tt::getLayoutEncoding(tensor);
}

//===----------------------------------------------------------------------------===//
// One value
//===----------------------------------------------------------------------------===//

namespace {

/// The registers of values.
class ValueRegisters {
public:
  ValueRegisters(ModuleOp module, const target::Target &target)
      : target(target), axes(module), symbols(axes), forms(symbols) {}

  /// The value whose registers `value` is in; null if it is in none, as a constant.
  static Value resolve(Value value);

  /// The registers of a resolved value.
  const RegisterTerms &get(Value value) { return find(value).terms; }
  /// Those of data, and a number that is larger the later the value was asked for first.
  std::pair<unsigned, unsigned> getRank(Value value) {
    const Known &found = find(value);
    return {found.terms.values + found.terms.products, found.number};
  }

private:
  struct Known {
    RegisterTerms terms;
    unsigned number = 0;
  };

  const Known &find(Value value) {
    auto [entry, isNew] = known.try_emplace(value);
    if (isNew) {
      const Known made = {compute(value), unsigned(known.size())};
      return known[value] = made;
    }
    return entry->second;
  }
  RegisterTerms compute(Value value);
  bool isIndex(Value value);
  unsigned countDistances(Value value);
  unsigned countFragments(Value value);

  const target::Target &target;
  AxisInfoAnalysis axes;
  transform::ScalarSymbols symbols;
  transform::TileForms forms;
  DenseMap<Value, Known> known;
  DenseMap<Value, bool> indices;
};

} // namespace

Value ValueRegisters::resolve(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (op->hasTrait<OpTrait::ConstantLike>())
      return {};
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    return {};
  return value;
}

/// Whether an integer is computed from ranges, constants and scalars alone.
bool ValueRegisters::isIndex(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return true;
  auto [entry, isNew] = indices.try_emplace(value, false);
  if (!isNew)
    return entry->second;
  Operation *op = value.getDefiningOp();
  const bool result = op && isStreamed(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
                        return isIndex(operand);
                      });
  return indices[value] = result;
}

/// The elements of a thread that are not at constant distances from each other.
unsigned ValueRegisters::countDistances(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  const std::optional<transform::TileForm> form = forms.get(value);
  const unsigned distinct = transform::getDistinctElements(type);
  if (!form)
    return distinct;
  const layout::LinearLayout map = ttg::toLinearLayout(type);
  unsigned count = 1;
  for (uint64_t basis : map.bases(layout::dims::Register)) {
    const auto isComputed = [&](unsigned dim) {
      return map.outValue(basis, layout::Dim::tensor(dim)) != 0 && !form->steps[dim].asConstant();
    };
    if (llvm::any_of(llvm::seq<unsigned>(0, type.getRank()), isComputed))
      count *= 2;
  }
  return std::min(count, distinct);
}

/// The most elements along K that an instruction takes of a product; of multiply-adds, those that
/// are loaded at a time.
static unsigned getStepOfK(tt::DotOp dot, const target::Target &target) {
  unsigned step = isa<ttg::BlockedEncodingAttr>(dot.getType().getEncoding()) ? 4 : 0;
  if (const std::optional<ttg::MmaTypes> types = ttg::getMmaTypes(dot))
    for (const target::MmaAtom &atom : target.products())
      if (ttg::isWarpProduct(atom, *types))
        step = std::max(step, atom.k);
  return step;
}

/// The registers of a step of K, of an operand that comes from shared memory for products alone; 0
/// of other values.
unsigned ValueRegisters::countFragments(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto encoding = dyn_cast_or_null<ttg::DotOperandEncodingAttr>(type.getEncoding());
  Operation *op = value.getDefiningOp();
  if (!encoding || !op || !isa<ttg::LocalLoadOp, ttg::ConvertLayoutOp>(op) || value.use_empty())
    return 0;
  unsigned step = 0;
  for (Operation *user : value.getUsers()) {
    auto dot = dyn_cast<tt::DotOp>(user);
    if (!dot || user->getBlock() != op->getBlock())
      return 0;
    step = std::max(step, getStepOfK(dot, target));
  }
  const unsigned dimOfK = type.getRank() - (encoding.getOpIdx() == 0 ? 1 : 2);
  const unsigned k = type.getShape()[dimOfK];
  const unsigned registers = transform::getDistinctRegisters(type);
  return step == 0 ? 0 : std::max(registers * std::min(k, step) / k, 1u);
}

RegisterTerms ValueRegisters::compute(Value value) {
  const Type type = value.getType(), element = tt::getElementTypeOrSelf(type);
  if (!isTensorWithLayout(type))
    return {.scalars = isa<RankedTensorType>(type) ? 0 : transform::getRegisterCount(type)};
  if (isa<tt::PointerType>(element))
    return {.addresses = 2 * countDistances(value)};
  if (element.isInteger(1))
    return {.masks = transform::getDistinctElements(type)};
  if (isa<IntegerType>(element) && isIndex(value))
    return {.indices =
                countDistances(value) * llvm::divideCeil(element.getIntOrFloatBitWidth(), 32)};
  if (const unsigned fragments = countFragments(value))
    return {.products = fragments};
  return {.values = transform::getDistinctRegisters(type)};
}

//===----------------------------------------------------------------------------===//
// Live values
//===----------------------------------------------------------------------------===//

namespace {

/// The values that are alive at a place, and what they take.
class LiveValues {
public:
  explicit LiveValues(ValueRegisters &registers) : registers(registers) {}

  void begin(Value value) {
    value = ValueRegisters::resolve(value);
    if (value && live.insert(value).second)
      add(registers.get(value), 1);
  }
  void end(Value value) {
    if (live.erase(value))
      add(registers.get(value), -1);
  }
  const RegisterTerms &getTerms() const { return terms; }
  unsigned countData() const { return terms.values + terms.products; }
  /// The value with the most registers of data, of several the one that was asked for last: the
  /// walk is backwards, and that one came first.
  Value findLargest() const {
    return *llvm::max_element(
        live, [&](Value a, Value b) { return registers.getRank(a) < registers.getRank(b); });
  }

private:
  void add(const RegisterTerms &more, int times) {
    terms.values += times * more.values;
    terms.products += times * more.products;
    terms.addresses += times * more.addresses;
    terms.indices += times * more.indices;
    terms.masks += times * more.masks;
    terms.scalars += times * more.scalars;
  }

  ValueRegisters &registers;
  llvm::DenseSet<Value> live;
  RegisterTerms terms;
};

using SeeOp = llvm::function_ref<void(Operation *, const RegisterTerms &)>;

/// Goes through a region from its end to its start.
class PeakSearch {
public:
  PeakSearch(ValueRegisters &registers, const target::Target &target, SeeOp see = {})
      : registers(registers), target(target), see(see) {}

  RegisterEstimate run(Region &region) {
    countOperations(region);
    for (Block &block : region)
      walk(block, LiveValues(registers));
    peak.registers = settle(peak.registers, region.getParentOfType<ModuleOp>());
    return peak;
  }

private:
  /// `live`: after the block.
  LiveValues walk(Block &block, LiveValues live);
  void walkRegions(Operation &op, LiveValues &live);
  void note(Operation &op, const LiveValues &live);
  void countOperations(Region &region);
  unsigned settle(unsigned needed, ModuleOp module) const;
  const target::RegisterWeights &getWeights() const {
    return hasProduct ? target.registers->product : target.registers->plain;
  }

  ValueRegisters &registers;
  const target::Target &target;
  SeeOp see;
  RegisterEstimate peak;
  unsigned operations = 0;
  bool hasProduct = false;
};

} // namespace

/// Values from outside that the regions of `op` use; its own operands are not among them.
static llvm::SetVector<Value> getUsedFromOutside(Operation &op) {
  llvm::SetVector<Value> used;
  op.walk([&](Operation *inner) {
    if (inner == &op)
      return;
    for (Value operand : inner->getOperands())
      if (!op.isAncestor(operand.getParentBlock()->getParentOp()) ||
          operand.getParentBlock() == op.getBlock())
        used.insert(operand);
  });
  return used;
}

static unsigned weigh(const RegisterTerms &terms, const target::RegisterWeights &weights) {
  return weights.base + (terms.values * weights.values + terms.products * weights.products +
                         terms.addresses * weights.addresses + terms.indices * weights.indices +
                         terms.masks * weights.masks + terms.scalars * weights.scalars +
                         terms.operations * weights.operations) /
                            100;
}

void PeakSearch::countOperations(Region &region) {
  region.walk([&](Operation *op) {
    ++operations;
    hasProduct |= ttg::isProduct(op);
  });
  operations = std::min(operations, maxOperations);
}

void PeakSearch::note(Operation &op, const LiveValues &live) {
  if (const unsigned data = live.countData(); data != 0 && data >= peak.data.registers)
    peak.data = {data, &op, live.findLargest()};
  RegisterTerms terms = live.getTerms();
  terms.operations = operations;
  const unsigned needed = weigh(terms, getWeights());
  if (peak.place && needed < peak.registers)
    return;
  peak.registers = needed;
  peak.terms = terms;
  peak.place = &op;
}

/// The registers that a thread gets if it needs so many where the back end is free in the order of
/// instructions: fewer if that makes more blocks resident, and no more than leaves one of them.
unsigned PeakSearch::settle(unsigned needed, ModuleOp module) const {
  const unsigned warps = ttg::getTotalNumWarps(module), lanes = ttg::getThreadsPerWarp(module);
  const unsigned most = target.multiprocessor.maxWarps();
  const unsigned least = target.registersForWarps(most, lanes);
  const target::RegisterWeights &weights = getWeights();
  for (unsigned blocks = std::min(most / warps, target.multiprocessor.maxBlocks); blocks > 1;
       --blocks) {
    const unsigned registers = target.registersForWarps(blocks * warps, lanes);
    if (needed <= registers)
      return needed;
    const unsigned slack = registers == least ? weights.fullSlack : weights.blockSlack;
    if (needed * 100 <= registers * slack)
      return registers;
  }
  return std::min(needed, target.registersForWarps(warps, lanes));
}

/// A loop keeps what it uses from outside until its end.
void PeakSearch::walkRegions(Operation &op, LiveValues &live) {
  const llvm::SetVector<Value> used = getUsedFromOutside(op);
  if (isa<LoopLikeOpInterface>(op))
    for (Value value : used)
      live.begin(value);
  for (Region &region : op.getRegions())
    for (Block &block : region)
      walk(block, live);
  for (Value value : used)
    live.begin(value);
}

/// Whether the op takes its operands element by element, so that what is computed for it alone is
/// never there as a whole.
static bool takesElementByElement(Operation *op) {
  return isa<tt::ReduceOp, tt::StoreOp, ttg::LocalStoreOp, ttg::LocalAllocOp, ttg::ConvertLayoutOp,
             tt::AtomicRMWOp>(op);
}

/// `value`, or what it is computed from if it is computed for its one user element by element.
static void beginOperand(Value value, bool isStreaming, LiveValues &live) {
  Operation *op = value.getDefiningOp();
  if (!isStreaming || !op || !value.hasOneUse() || !isStreamed(op) ||
      !isTensorWithLayout(value.getType()) || op->getNumOperands() == 0)
    return live.begin(value);
  for (Value operand : op->getOperands())
    beginOperand(operand, isStreaming, live);
}

LiveValues PeakSearch::walk(Block &block, LiveValues live) {
  for (Operation &op : llvm::reverse(block)) {
    const bool isPlace = !isStreamed(&op);
    const LiveValues after = see ? live : LiveValues(registers);
    if (isPlace)
      note(op, live);
    llvm::for_each(op.getResults(), [&](Value value) { live.end(value); });
    if (isa<scf::ForOp, scf::IfOp, scf::WhileOp, ttg::WarpSpecializeOp>(op))
      walkRegions(op, live);
    const bool isStreaming = takesElementByElement(&op);
    llvm::for_each(op.getOperands(), [&](Value value) { beginOperand(value, isStreaming, live); });
    if (isPlace)
      note(op, live);
    if (see)
      see(&op, (after.countData() > live.countData() ? after : live).getTerms());
  }
  return live;
}

SmallVector<RegisterEstimate, 1> transform::estimateRegisters(tt::FuncOp kernel,
                                                              const target::Target &target) {
  ValueRegisters registers(kernel->getParentOfType<ModuleOp>(), target);
  SmallVector<RegisterEstimate, 1> estimates;
  const auto estimate = [&](Region &region) {
    estimates.push_back(PeakSearch(registers, target).run(region));
  };
  estimate(kernel.getBody());
  kernel.walk([&](ttg::WarpSpecializePartitionsOp groups) {
    for (Region &region : groups->getRegions())
      estimate(region);
  });
  return estimates;
}

void transform::forEachOp(tt::FuncOp kernel, const target::Target &target, SeeOp see) {
  ValueRegisters registers(kernel->getParentOfType<ModuleOp>(), target);
  PeakSearch(registers, target, see).run(kernel.getBody());
  kernel.walk([&](ttg::WarpSpecializePartitionsOp groups) {
    for (Region &region : groups->getRegions())
      PeakSearch(registers, target, see).run(region);
  });
}

unsigned transform::estimateMostRegisters(tt::FuncOp kernel, const target::Target &target) {
  unsigned most = 0;
  for (const RegisterEstimate &each : estimateRegisters(kernel, target))
    most = std::max(most, each.registers);
  return most;
}
