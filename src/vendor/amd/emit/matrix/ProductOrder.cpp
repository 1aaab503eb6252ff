//===- ProductOrder.cpp - When products load their operands from LDS ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/matrix/ProductOrder.h"

#include "vendor/amd/emit/LaneRegisters.h"
#include "vendor/amd/emit/RegisterPeak.h"
#include "vendor/amd/emit/arith/EarlyRoundings.h"
#include "vendor/amd/emit/matrix/MatrixInstructions.h"
#include "vendor/amd/emit/matrix/SharedAddresses.h"
#include "vendor/amd/emit/sync/Waits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;
using namespace tilewright::emit;
using tilewright::target::amd::WaitFormat;

/// Products between a load and the first that uses it: what LDS takes for an answer.
static constexpr unsigned productsAhead = 4;

/// Products whose fragments are loaded together, as far as registers go, and waited for once.
static constexpr unsigned productsPerWait = 8;

/// Registers for what is computed between products, and for what finds no place beside others:
/// fragments take eight in a row.
static constexpr unsigned reservedRegisters = 48;

/// How many times the registers that there are a block may take, fragments aside, before it is
/// changed to take fewer: of the order in LLVM IR LLVM's scheduler makes one that takes fewer.
static constexpr double shortage = 1.0625;

//===----------------------------------------------------------------------------===//
// Between two barriers
//===----------------------------------------------------------------------------===//

namespace {
/// A stretch of a block that LDS is not written in.
class Stretch {
public:
  Stretch(ArrayRef<Instruction *> instructions, const LaneRegisters &registers, uint64_t roomInBits,
          WaitFormat waits)
      : registers(&registers), room(roomInBits), waits(waits) {
    findMembers(instructions);
  }

  bool hasLoads() const { return !loads.empty(); }

  bool isMember(const Value *value) const { return uses.contains(value); }
  bool hasProduct(const Instruction &product) const { return numbers.contains(&product); }

  /// Says how many bits are alive before `product` beside what this moves.
  void setAlive(const Instruction &product, uint64_t bits) {
    alive[numbers.find(&product)->second] = bits;
  }

  /// Says that `bits` fewer are alive beside what this moves.
  void free(uint64_t bits) {
    for (uint64_t &others : alive)
      others -= std::min(bits, others);
  }

  void order() {
    sortLoads();
    placeLoads();
    for (unsigned number = 0; number < products.size(); ++number)
      placeBefore(number);
  }

private:
  /// The numbers of products that use a value first and last.
  struct Range {
    unsigned first, last;
  };

  void findMembers(ArrayRef<Instruction *> instructions) {
    LaneRegisters::Values fromLoads;
    for (Instruction *instruction : instructions) {
      const bool isDependent =
          any_of(instruction->operands(), [&](const Use &use) { return fromLoads.contains(use); });
      if (isProduct(instruction)) {
        numbers[instruction] = products.size();
        products.push_back(instruction);
      } else if (isSharedLoad(*instruction) || (isDependent && isPure(*instruction))) {
        fromLoads.insert(instruction);
        // Nothing goes up.
        earliest[instruction] = products.size();
      }
    }
    alive.resize(products.size());
    for (Instruction *instruction : reverse(instructions))
      if (fromLoads.contains(instruction))
        if (std::optional<Range> range = findUses(*instruction)) {
          uses[instruction] = *range;
          if (auto *load = dyn_cast<LoadInst>(instruction))
            loads.push_back(load);
          else
            computed.push_back(instruction);
        }
    std::reverse(loads.begin(), loads.end());
    std::reverse(computed.begin(), computed.end());
  }

  /// Which products use `value`, if nothing else does.
  std::optional<Range> findUses(const Instruction &value) const {
    Range range = {~0u, 0};
    for (const User *user : value.users()) {
      if (auto product = numbers.find(user); product != numbers.end()) {
        range.first = std::min(range.first, product->second);
        range.last = std::max(range.last, product->second);
      } else if (auto member = uses.find(user); member != uses.end()) {
        range.first = std::min(range.first, member->second.first);
        range.last = std::max(range.last, member->second.last);
      } else {
        return std::nullopt;
      }
    }
    return range.first <= range.last ? std::optional(range) : std::nullopt;
  }

  /// In the order in which they are wanted.
  void sortLoads() {
    std::vector<SmallVector<LoadInst *>> byUse(products.size());
    for (LoadInst *load : loads)
      byUse[uses[load].first].push_back(load);
    loads.clear();
    for (ArrayRef<LoadInst *> wanted : byUse)
      append_range(loads, wanted);
  }

  void placeLoads() {
    batches.resize(products.size());
    size_t next = 0;
    // What is loaded until its last use, that is in registers.
    uint64_t loaded = 0;
    SmallVector<uint64_t> freed(products.size() + 1);
    for (unsigned number = 0; number < products.size(); ++number) {
      loaded -= freed[number];
      for (; next < loads.size(); ++next) {
        LoadInst *load = loads[next];
        const Range range = uses[load];
        const uint64_t bits = registers->getBits(load);
        const bool isWanted = range.first <= number;
        const unsigned group = range.first - range.first % productsPerWait;
        const bool isEarly = group <= number + productsAhead && earliest[load] <= number &&
                             alive[number] + loaded + bits <= room;
        if (!isWanted && !isEarly)
          break;
        batches[number].push_back(load);
        loaded += bits;
        freed[range.last + 1] += bits;
      }
    }
  }

  void placeBefore(unsigned number) {
    Instruction *product = products[number];
    if (!batches[number].empty()) {
      if (number != 0)
        keepProductsInPlace(product);
      for (LoadInst *load : batches[number])
        load->moveBefore(product->getIterator());
      keepProductsInPlace(product);
      isWaitedFor = false;
    }
    if (number % productsPerWait == 0 && !isWaitedFor) {
      // To the scheduler a wait is scalar arithmetic: it would wait right after the loads.
      constexpr unsigned others =
          may_pass::VectorArithmetic | may_pass::GlobalMemory | may_pass::Transcendentals;
      IRBuilder<> builder(product);
      createSchedulerBarrier(builder, others);
      waitForShared(builder, waits);
      createSchedulerBarrier(builder, others);
      isWaitedFor = true;
    }
    for (Instruction *instruction : computed)
      if (uses[instruction].first == number)
        instruction->moveBefore(product->getIterator());
  }

  const LaneRegisters *registers;
  uint64_t room;
  SmallVector<Instruction *> products;
  DenseMap<const Value *, unsigned> numbers;
  /// The moving instructions: loads, and what is computed of them for products alone.
  SmallVector<LoadInst *> loads;
  SmallVector<Instruction *> computed;
  DenseMap<const Value *, Range> uses;
  /// The number of the product after a value.
  DenseMap<const Value *, unsigned> earliest;
  SmallVector<uint64_t> alive;
  /// Whether a wait stands after all loads so far.
  bool isWaitedFor = true;
  WaitFormat waits;
  /// The loads that are to stand before each product.
  std::vector<SmallVector<LoadInst *>> batches;
};
} // namespace

/// The stretches of `block` in which products wait for loads.
static std::vector<Stretch> findStretches(BasicBlock &block, const LaneRegisters &registers,
                                          uint64_t roomInBits, WaitFormat waits) {
  std::vector<Stretch> found;
  SmallVector<Instruction *> instructions;
  for (Instruction &instruction : block) {
    if (!instruction.mayWriteToMemory() && !instruction.isTerminator()) {
      instructions.push_back(&instruction);
      continue;
    }
    if (Stretch stretch(instructions, registers, roomInBits, waits); stretch.hasLoads())
      found.push_back(std::move(stretch));
    instructions.clear();
  }
  return found;
}

/// Orders the loads of the stretches of `block`. If more than `maxBits` are alive in a lane at one
/// time beside the fragments, the block is changed to have fewer.
static void orderBlock(BasicBlock &block, MutableArrayRef<Stretch> stretches,
                       const LaneRegisters &registers, const LaneLiveness &liveness,
                       uint64_t maxBits) {
  auto isMember = [&](const Value *value) {
    return any_of(stretches, [&](const Stretch &stretch) { return stretch.isMember(value); });
  };
  RegisterPeak peak(registers, isMember);
  LaneRegisters::Values alive = liveness.getAliveAtEnd(block);
  for (const Value *value : alive)
    peak.change(value, /*isAlive=*/true);
  for (const Instruction &instruction : reverse(block)) {
    registers.stepBack(alive, instruction,
                       [&](const Value *value, bool isAlive) { peak.change(value, isAlive); });
    if (!isProduct(&instruction))
      continue;
    for (Stretch &stretch : stretches)
      if (stretch.hasProduct(instruction)) {
        uint64_t bits = 0;
        for (const Value *value : alive)
          if (!stretch.isMember(value))
            bits += registers.getBits(value);
        stretch.setAlive(instruction, bits);
      }
  }
  const bool isShort = peak.getBits() > maxBits;
  SharedAddresses addresses(block);
  for (Stretch &stretch : stretches) {
    if (isShort)
      stretch.free(uint64_t(addresses.getCount()) * 32);
    stretch.order();
  }
  if (isShort) {
    addresses.computeAgain();
    roundBeforeLoads(block);
  }
}

void tilewright::emit::orderProductLoads(Function &function, TargetMachine &machine,
                                         unsigned registers, WaitFormat waits) {
  if (none_of(function, hasProducts))
    return;
  // Two loads of 16 bytes that LLVM wants next to each other would pass what stands between them.
  function.addFnAttr("amdgpu-max-memory-cluster-dwords", "4");
  const LaneRegisters ofLanes(function, machine);
  const uint64_t roomInBits = uint64_t(registers - reservedRegisters) * 32;
  std::vector<std::pair<BasicBlock *, std::vector<Stretch>>> found;
  for (BasicBlock &block : function)
    if (auto stretches = findStretches(block, ofLanes, roomInBits, waits); !stretches.empty())
      found.emplace_back(&block, std::move(stretches));
  if (found.empty())
    return;
  const LaneLiveness liveness(function, ofLanes);
  const auto maxBits = static_cast<uint64_t>(shortage * registers * 32);
  for (auto &[block, stretches] : found)
    orderBlock(*block, stretches, ofLanes, liveness, maxBits);
}
