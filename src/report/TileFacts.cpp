//===- TileFacts.cpp - Layouts, moves and costs of the IR of tiles ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/TileFacts.h"

#include "analysis/RegisterEstimate.h"
#include "analysis/RegisterPressure.h"
#include "ir/ttg/query/Conversion.h"
#include "ir/ttg/query/OpKinds.h"
#include "ir/ttg/query/TransposingLoads.h"
#include "plan/shared/LocalAccess.h"
#include "view/PlanText.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::report;

namespace {

class Collector {
public:
  Collector(ModuleOp module, PrintedModule &printed, Places &places, const target::Target &target)
      : module(module), printed(printed), places(places), target(target), axes(module) {}

  TileFacts run() {
    module.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
    module.walk([&](tt::FuncOp function) { collectRegisters(function); });
    llvm::sort(facts.registers);
    return std::move(facts);
  }

private:
  void visit(Operation *op);
  void addValue(Value value, unsigned line);
  std::optional<unsigned> layoutOf(Type type);
  unsigned add(LayoutFact fact, Attribute encoding);
  /// A fact of this kind with what all ops have.
  template <typename Fact> Fact describe(Operation *op);

  void addConversion(ttg::ConvertLayoutOp op);
  void addGlobal(Operation *op, Value pointer, Value mask, bool isStore);
  void addLocal(Operation *op, RankedTensorType tensor, ttg::MemDescType memory, bool isStore);
  void addLocalStore(ttg::LocalStoreOp store);
  unsigned countElementsOfAccess(Operation *op, Value pointer, Value mask);
  void addProduct(Operation *op);
  void addLoop(scf::ForOp loop);
  void collectRegisters(tt::FuncOp function);

  ModuleOp module;
  PrintedModule &printed;
  Places &places;
  const target::Target &target;
  const transform::AxisInfoAnalysis axes;
  std::map<std::pair<const void *, std::vector<int64_t>>, unsigned> layoutNumbers;
  TileFacts facts;
};

} // namespace

//===--------------------------------------------------------------------------===//
// Layouts
//===--------------------------------------------------------------------------===//

static std::string textOf(auto object) {
  std::string text;
  llvm::raw_string_ostream(text) << object;
  return text;
}

unsigned Collector::add(LayoutFact fact, Attribute encoding) {
  std::vector<int64_t> key = fact.shape;
  // The banks of shared memory depend on the elements' size.
  key.push_back(fact.isShared ? fact.elementBits : 0);
  auto [at, isNew] = layoutNumbers.try_emplace({encoding.getAsOpaquePointer(), std::move(key)},
                                               facts.layouts.size());
  if (isNew) {
    fact.name = printed.nameOf(encoding);
    fact.text = textOf(encoding);
    facts.layouts.push_back(std::move(fact));
  } else if (std::vector<std::string> &elements = facts.layouts[at->second].elements;
             !llvm::is_contained(elements, fact.elements.front())) {
    elements.push_back(fact.elements.front());
  }
  return at->second;
}

std::optional<unsigned> Collector::layoutOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tt::getLayoutEncoding(tensor))
    return add({{},
                {},
                tensor.getShape().vec(),
                {textOf(tensor.getElementType())},
                tt::getStorageBits(tensor.getElementType()),
                false,
                ttg::toLinearLayout(tensor)},
               tensor.getEncoding());
  auto memory = dyn_cast<ttg::MemDescType>(type);
  if (!memory || !isa<ttg::SharedLayoutEncoding>(memory.getEncoding()))
    return std::nullopt;
  return add({{},
              {},
              memory.getLayoutShape().vec(),
              {textOf(memory.getElementType())},
              tt::getStorageBits(memory.getElementType()),
              true,
              memory.toLinearLayout()},
             memory.getEncoding());
}

void Collector::addValue(Value value, unsigned line) {
  if (std::optional<unsigned> layout = layoutOf(value.getType()))
    facts.values.push_back({printed.nameOf(value), line, *layout});
}

//===--------------------------------------------------------------------------===//
// Ops
//===--------------------------------------------------------------------------===//

template <typename Fact> Fact Collector::describe(Operation *op) {
  Fact fact;
  fact.op = op->getName().getStringRef().str();
  fact.line = printed.lineOf(op).value_or(0);
  places.collect(op->getLoc(), fact.places);
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    fact.loopDepth += isa<LoopLikeOpInterface>(parent);
  return fact;
}

void Collector::addConversion(ttg::ConvertLayoutOp op) {
  using Kind = plan::ConversionPlan::Kind;
  const Result<plan::ConversionPlan> &plan = ttg::planConversion(op, ttg::getPlanCache(op));
  std::optional<unsigned> from = layoutOf(op.getSrc().getType()), to = layoutOf(op.getType());
  if (!plan || !from || !to)
    return;
  auto fact = describe<ConversionFact>(op);
  fact.from = *from, fact.to = *to;
  fact.plan = view::toJson(*plan);
  fact.cost = plan->cost;
  fact.kind = plan->kind == Kind::None        ? "nothing moves"
              : plan->kind == Kind::Registers ? "registers"
              : plan->kind == Kind::Shuffles  ? "shuffles"
                                              : "shared memory";
  if (plan->kind == Kind::SharedMemory) {
    fact.scratchBytes = plan->shared.scratchBytes;
    fact.transactions = plan->shared.storeTransactions + plan->shared.loadTransactions;
    fact.conflicts = plan->shared.storeConflicts + plan->shared.loadConflicts;
  }
  facts.conversions.push_back(std::move(fact));
}

/// The dimension of `pointer` along which most elements are neighbors in memory.
static unsigned findDimOfNeighbors(const transform::AxisInfo &address) {
  unsigned dim = 0;
  for (unsigned d = 1; d < address.dims.size(); ++d)
    if (address.dims[d].contiguity > address.dims[dim].contiguity)
      dim = d;
  return dim;
}

/// The elements of one access of a thread.
unsigned Collector::countElementsOfAccess(Operation *op, Value pointer, Value mask) {
  const unsigned dim = findDimOfNeighbors(axes.get(pointer));
  return std::min(
      axes.getVectorWidth(pointer, mask, dim, ttg::getMaxAccessBits(op)),
      countNeighbours(ttg::toLinearLayout(cast<RankedTensorType>(pointer.getType())), dim));
}

void Collector::addGlobal(Operation *op, Value pointer, Value mask, bool isStore) {
  auto type = dyn_cast<RankedTensorType>(pointer.getType());
  if (!type || !tt::getLayoutEncoding(type))
    return;
  auto fact = describe<GlobalFact>(op);
  fact.isStore = isStore;
  fact.isAsync = isa<ttg::AsyncCopyGlobalToLocalOp>(op);
  const unsigned bytes = tt::getStorageBits(tt::getElementTypeOrSelf(tt::getPointeeType(type))) / 8;
  fact.bytes = type.getNumElements() * bytes;
  const layout::LinearLayout layout = ttg::toLinearLayout(type);
  const transform::AxisInfo address = axes.get(pointer);
  fact.access = describeWarpAccess(layout, address, findDimOfNeighbors(address),
                                   countElementsOfAccess(op, pointer, mask), bytes,
                                   target.global.sectorBytes);
  facts.global.push_back(std::move(fact));
}

void Collector::addLocal(Operation *op, RankedTensorType tensor, ttg::MemDescType memory,
                         bool isStore) {
  if (!tensor || !tt::getLayoutEncoding(tensor) || memory.getLayoutShape().empty())
    return;
  const unsigned bits = tt::getStorageBits(memory.getElementType());
  plan::LocalMemory local{memory.toLinearLayout(), bits};
  if (memory.getSharedEncoding().hasPadding())
    return;
  Result<plan::LocalAccessPlan> plan = plan::planLocalAccess(
      ttg::toLinearLayout(tensor), local,
      isStore ? plan::LocalDirection::Store : plan::LocalDirection::Load, target.sharedMemory());
  if (!plan)
    return;
  auto fact = describe<LocalFact>(op);
  fact.isStore = isStore;
  fact.bytes = tensor.getNumElements() * bits / 8;
  fact.atom = plan->atom->name;
  fact.accesses = plan->accesses.size();
  fact.transactions = plan->transactions;
  fact.conflicts = plan->conflicts;
  facts.local.push_back(std::move(fact));
}

/// A load may hand its elements to the store in another layout than its own.
void Collector::addLocalStore(ttg::LocalStoreOp store) {
  auto type = cast<RankedTensorType>(store.getSrc().getType());
  if (auto load = store.getSrc().getDefiningOp<tt::LoadOp>()) {
    const unsigned elements = countElementsOfAccess(load, load.getPtr(), load.getMask());
    if (Attribute layout = ttg::findTransposedStore(store, elements, target))
      type = RankedTensorType::get(type.getShape(), type.getElementType(), layout);
  }
  addLocal(store, type, store.getDst().getType(), true);
}

/// The shape and the element type of a factor, in registers or in shared memory.
static std::pair<ArrayRef<int64_t>, Type> tileOf(Type type) {
  if (auto memory = dyn_cast<ttg::MemDescType>(type))
    return {memory.getShape(), memory.getElementType()};
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return {tensor.getShape(), tensor.getElementType()};
  return {};
}

void Collector::addProduct(Operation *op) {
  auto [a, aElement] = tileOf(op->getOperand(0).getType());
  auto [b, bElement] = tileOf(op->getOperand(1).getType());
  if (a.empty() || b.empty() || op->getNumResults() == 0)
    return;
  auto fact = describe<ProductFact>(op);
  fact.shape = a.vec();
  fact.shape.back() = b.back();
  fact.shape.push_back(a.back());
  fact.flops = 2;
  for (int64_t size : fact.shape)
    fact.flops *= size;
  fact.types = textOf(aElement) + " x " + textOf(bElement);
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  fact.isOnMatrixUnit = !result || !isa<ttg::BlockedEncodingAttr>(result.getEncoding());
  facts.products.push_back(std::move(fact));
}

/// Whether something in the iteration that loads `load` waits for it: all but what hands it to the
/// next iteration, or puts it into shared memory for it.
static bool isWaitedFor(tt::LoadOp load) {
  return llvm::any_of(load->getUsers(),
                      [](Operation *user) { return !isa<scf::YieldOp, ttg::LocalStoreOp>(user); });
}

void Collector::addLoop(scf::ForOp loop) {
  auto fact = describe<LoopFact>(loop);
  fact.endLine = fact.line;
  if (auto stages = loop->getAttrOfType<IntegerAttr>(ttg::numStagesAttrName))
    fact.stagesOfSource = stages.getInt();
  loop.getBody()->walk([&](Operation *op) {
    fact.endLine = std::max(fact.endLine, printed.lineOf(op).value_or(0));
    fact.hasProduct |= ttg::isProduct(op);
    fact.hasReduction |= isa<tt::ReduceOp>(op);
    fact.hasAsyncCopies |= isa<ttg::AsyncCopyGlobalToLocalOp>(op);
    if (auto user = dyn_cast<ttg::SharedMemoryUser>(op))
      fact.hasAsyncCopies |= user.getAsyncRole().queue == ttg::AsyncQueue::Barriers;
    auto load = dyn_cast<tt::LoadOp>(op);
    if (load && isa<RankedTensorType>(load.getType()) && load->getParentOp() == loop &&
        isWaitedFor(load))
      fact.waitedLoads.push_back(printed.lineOf(op).value_or(0));
  });
  facts.loops.push_back(std::move(fact));
}

void Collector::visit(Operation *op) {
  const unsigned line = printed.lineOf(op).value_or(0);
  for (Value result : op->getResults())
    addValue(result, line);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value argument : block.getArguments())
        addValue(argument, line);
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
    addConversion(convert);
  else if (auto load = dyn_cast<tt::LoadOp>(op))
    addGlobal(op, load.getPtr(), load.getMask(), false);
  else if (auto store = dyn_cast<tt::StoreOp>(op))
    addGlobal(op, store.getPtr(), store.getMask(), true);
  else if (auto atomic = dyn_cast<tt::AtomicRMWOp>(op))
    addGlobal(op, atomic.getPtr(), atomic.getMask(), true);
  else if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op))
    addGlobal(op, copy.getSrc(), copy.getMask(), false);
  else if (auto load = dyn_cast<ttg::LocalLoadOp>(op))
    addLocal(op, dyn_cast<RankedTensorType>(load.getType()), load.getSrc().getType(), false);
  else if (auto store = dyn_cast<ttg::LocalStoreOp>(op))
    addLocalStore(store);
  else if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op); alloc && alloc.getSrc())
    addLocal(op, dyn_cast<RankedTensorType>(alloc.getSrc().getType()), alloc.getType(), true);
  else if (ttg::isProduct(op))
    addProduct(op);
  else if (auto loop = dyn_cast<scf::ForOp>(op))
    addLoop(loop);
}

//===--------------------------------------------------------------------------===//
// Registers
//===--------------------------------------------------------------------------===//

void Collector::collectRegisters(tt::FuncOp function) {
  transform::forEachOp(function, target, [&](Operation *op, const transform::RegisterTerms &terms) {
    if (const std::optional<unsigned> line = printed.lineOf(op))
      facts.registers.push_back({*line, terms.values + terms.products});
  });
}

TileFacts report::collectTileFacts(ModuleOp module, PrintedModule &printed, Places &places,
                                   const target::Target &target) {
  return Collector(module, printed, places, target).run();
}
