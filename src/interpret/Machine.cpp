//===- Machine.cpp - The state of a program of tiles ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/Machine.h"

#include "ir/tt/Dialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

static const Handlers &allHandlers() {
  static const Handlers handlers = [] {
    Handlers made;
    addArithmetic(made);
    addMathematics(made);
    addControl(made);
    addShapes(made);
    addGlobalAccesses(made);
    addDescriptors(made);
    addCollectives(made);
    addProducts(made);
    addSharedMemory(made);
    addAsynchronous(made);
    return made;
  }();
  return handlers;
}

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

TensorPtr Machine::tensor(Value value) const {
  const Datum datum = get(value);
  if (const TensorPtr *found = std::get_if<TensorPtr>(&datum))
    return *found;
  auto undefined = std::make_shared<Tensor>(value.getType());
  undefined->setAllUndefined();
  return undefined;
}

int64_t Machine::integer(Value value, Operation *user) {
  const TensorPtr scalar = tensor(value);
  if (scalar->isUndefined(0)) {
    fault(user, "what it does depends on an undefined value");
    return 0;
  }
  const unsigned width = widthOf(scalar->element);
  return width == 1 ? static_cast<int64_t>(scalar->bits[0] & 1)
                    : signExtend(scalar->bits[0], width);
}

TensorPtr Machine::makeResult(Value result) {
  auto made = std::make_shared<Tensor>(result.getType());
  set(result, made);
  return made;
}

int Machine::direction() {
  switch (launch.variant) {
  case Variant::Plain:
    return 0;
  case Variant::Forward:
    return 1;
  case Variant::Backward:
    return -1;
  case Variant::Paired:
    // The upper bits of a multiplicative sequence look random enough.
    return (++drawn * 0x9E3779B97F4A7C15ULL) >> 63 ? 1 : -1;
  }
  return 0;
}

//===--------------------------------------------------------------------------===//
// Control
//===--------------------------------------------------------------------------===//

void Machine::halt(Stop::Kind kind, const std::string &what, Location place) {
  if (!stop)
    stop = Stop{kind, what, place};
}

void Machine::refuse(Operation *op, const std::string &why) {
  halt(Stop::Kind::Unknown, op->getName().getStringRef().str() + (why.empty() ? "" : " " + why),
       op->getLoc());
}

void Machine::spend(uint64_t elements, Operation *op) {
  work += elements;
  if (work > launch.maxWork)
    halt(Stop::Kind::TooLong, "the program computes too much to be interpreted", op->getLoc());
}

void Machine::runOp(Operation *op) {
  ++steps;
  spend(16, op);
  if (const auto *handler = allHandlers().find(op->getName().getStringRef()))
    (*handler)(*this, op);
  else
    refuse(op);
}

static Data dataOf(Machine &machine, ValueRange operands) {
  Data data;
  for (Value operand : operands)
    data.push_back(machine.get(operand));
  return data;
}

/// The block to which a branch goes, and its arguments; null where `op` leaves the region.
static Block *followBranch(Machine &machine, Operation *op, Data &arguments) {
  if (auto branch = dyn_cast<cf::BranchOp>(op)) {
    arguments = dataOf(machine, branch.getDestOperands());
    return branch.getDest();
  }
  if (auto branch = dyn_cast<cf::CondBranchOp>(op)) {
    const bool taken = machine.truth(branch.getCondition(), op);
    arguments =
        dataOf(machine, taken ? branch.getTrueDestOperands() : branch.getFalseDestOperands());
    return taken ? branch.getTrueDest() : branch.getFalseDest();
  }
  arguments = dataOf(machine, op->getOperands());
  return nullptr;
}

Data Machine::runRegion(Region &region, ArrayRef<Datum> given) {
  Data arguments(given);
  Block *block = region.empty() ? nullptr : &region.front();
  while (block && !hasStopped()) {
    for (auto [argument, datum] : llvm::zip(block->getArguments(), arguments))
      set(argument, datum);
    for (Operation &op : block->without_terminator()) {
      runOp(&op);
      if (hasStopped())
        return {};
    }
    spend(16, block->getTerminator());
    block = followBranch(*this, block->getTerminator(), arguments);
  }
  return arguments;
}

//===--------------------------------------------------------------------------===//
// Groups of warps
//===--------------------------------------------------------------------------===//

void Machine::resume(Group &group) {
  Pending *before = std::exchange(current, &group.pending);
  Group *last = std::exchange(running, &group);
  group.fiber.resume();
  running = last;
  current = before;
}

bool Machine::resumeAll() {
  const uint64_t before = steps;
  for (std::unique_ptr<Group> &group : groups)
    if (!group->fiber.idle())
      resume(*group);
  return steps != before;
}

void Machine::waitUntil(llvm::function_ref<bool()> isReady, Operation *op) {
  while (!hasStopped() && !isReady()) {
    if (running) {
      running->fiber.suspend();
    } else if (!resumeAll() && !isReady()) {
      fault(op, "it waits for what never comes");
    }
  }
}

Data Machine::runGroups(Region &first, MutableArrayRef<Region> partitions, ArrayRef<Datum> captures,
                        Operation *op) {
  for (Region &partition : partitions) {
    auto group = std::make_unique<Group>();
    group->machine = this;
    group->region = &partition;
    group->arguments = Data(captures);
    group->fiber.start(
        [](void *opaque) {
          auto *group = static_cast<Group *>(opaque);
          group->machine->runRegion(*group->region, group->arguments);
          group->machine->finish(group->pending);
        },
        group.get());
    groups.push_back(std::move(group));
  }
  Data results = runRegion(first, {});
  auto haveEnded = [&] {
    return llvm::all_of(groups, [](const auto &group) { return group->fiber.idle(); });
  };
  while (!haveEnded())
    if (!resumeAll() && !haveEnded() && !hasStopped())
      fault(op, "a partition waits for what never comes");
  groups.clear();
  return results;
}

void Machine::doProducts(uint64_t count) {
  for (; doneProducts < count && !unitProducts.empty(); ++doneProducts) {
    Work product = std::move(unitProducts.front());
    unitProducts.pop_front();
    product();
  }
}

void Machine::finish(Pending &group) {
  auto doAll = [](auto &list) {
    for (Work &work : list)
      work();
    list.clear();
  };
  for (std::vector<Work> &copies : group.copyGroups)
    doAll(copies);
  group.copyGroups.clear();
  doAll(group.copies);
  doAll(group.products);
  doAll(group.stores);
}

void Machine::runProgram(Operation *kernel, ArrayRef<Datum> arguments, uint32_t number) {
  values.clear();
  writtenDescriptors.clear();
  placedPieces.clear();
  own = {};
  unitProducts.clear();
  doneProducts = 0;
  programNumber = number;
  const auto &[x, y, z] = launch.grid;
  programId = {number % x, number / x % y, number / x / y};
  runRegion(kernel->getRegion(0), arguments);
  if (!hasStopped())
    finish(own);
}

Outcome interpret::run(ModuleOp module, ArrayRef<Datum> arguments, GlobalMemory &memory,
                       const Launch &launch) {
  auto functions = module.getOps<tt::FuncOp>();
  auto kernel = llvm::find_if(functions, [](tt::FuncOp function) { return function.isPublic(); });
  if (kernel == functions.end())
    return {Stop{Stop::Kind::Unknown, "a module without a kernel", module.getLoc()}};
  Machine machine(memory, launch);
  const uint32_t count = launch.grid[0] * launch.grid[1] * launch.grid[2];
  for (uint32_t i = 0; i < count && !machine.hasStopped(); ++i)
    machine.runProgram(*kernel, arguments, launch.variant == Variant::Backward ? count - 1 - i : i);
  return {machine.stop, machine.work, machine.hasMoved};
}
