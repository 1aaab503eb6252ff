//===- AsyncAccessesTest.cpp - Copies under way against all paths -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Functions of random blocks that copy, commit and wait, and branch anywhere. The reference walks
// through them with the groups of one thread, in every state that some path leads to.
//
//===--------------------------------------------------------------------------===//

#include "lower/space/Allocations.h"

#include "ir/Dialects.h"

#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

constexpr unsigned allocations = 3, mostLeft = 3;

using Numbers = std::set<unsigned>;

/// What one thread has under way: what is in no group, and its groups, the last one first. No wait
/// tells the groups after the first `mostLeft` apart: they are one.
struct Thread {
  Numbers begun;
  std::deque<Numbers> groups;

  Numbers all() const {
    Numbers result = begun;
    for (const Numbers &group : groups)
      result.insert(group.begin(), group.end());
    return result;
  }
  auto operator<=>(const Thread &) const = default;
};

class AsyncAccessesTest : public testing::Test {
protected:
  AsyncAccessesTest() {
    DialectRegistry registry;
    ir::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  unsigned random(unsigned end) { return generator() % end; }

  std::string makeFunction(unsigned blocks) {
    const std::string row = "!ttg.memdesc<128xi32, #s, #ttg.shared_memory, mutable>";
    std::string text =
        "#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
        "[0]}>\n#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\n"
        "module {\ntt.func public @f(%p: tensor<128x!tt.ptr<i32>, #v>, %c: i1) {\n";
    for (unsigned i = 0; i < allocations; ++i)
      text += "%m" + std::to_string(i) + " = ttg.local_alloc : () -> " + row + "\n";
    text += "cf.br ^b0\n";
    unsigned names = 0;
    for (unsigned block = 0; block < blocks; ++block) {
      text += "^b" + std::to_string(block) + ":\n";
      for (unsigned count = random(6); count; --count) {
        text += "%t" + std::to_string(names++) + " = ";
        switch (random(3)) {
        case 0:
          text += "ttg.async_copy_global_to_local %p, %m" + std::to_string(random(allocations)) +
                  " : tensor<128x!tt.ptr<i32>, #v> -> <128xi32, #s, #ttg.shared_memory, mutable>\n";
          break;
        case 1:
          text += "ttg.async_commit_group\n";
          break;
        default:
          text += "ttg.async_wait {num = " + std::to_string(random(mostLeft + 1)) + " : i32}\n";
        }
      }
      auto target = [&] { return "^b" + std::to_string(random(blocks)); };
      if (random(4) == 0)
        text += "tt.return\n";
      else
        text += "cf.cond_br %c, " + target() + ", " + target() + "\n";
    }
    return text + "}\n}\n";
  }

  MLIRContext context;
  std::mt19937 generator{12};
};

/// What a walk along all paths finds.
struct Reference {
  std::map<Operation *, Numbers> underWay, completed;

  explicit Reference(tt::FuncOp func) {
    std::set<std::pair<Block *, Thread>> seen;
    std::vector<std::pair<Block *, Thread>> open = {{&func.getBody().front(), Thread()}};
    while (!open.empty()) {
      auto [block, thread] = open.back();
      open.pop_back();
      if (!seen.insert({block, thread}).second)
        continue;
      for (Operation &op : *block)
        pass(op, thread);
      for (Block *successor : block->getSuccessors())
        open.push_back({successor, thread});
    }
  }

private:
  void pass(Operation &op, Thread &thread) {
    const Numbers all = thread.all();
    underWay[&op].insert(all.begin(), all.end());
    if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op)) {
      Operation *alloc = copy.getResult().getDefiningOp();
      unsigned number = 0;
      for (Operation &other : *alloc->getBlock()) {
        if (&other == alloc)
          break;
        number += isa<ttg::LocalAllocOp>(other);
      }
      thread.begun.insert(number);
    } else if (isa<ttg::AsyncCommitGroupOp>(op)) {
      thread.groups.push_front(thread.begun);
      thread.begun.clear();
      if (thread.groups.size() > mostLeft + 1) {
        const Numbers last = thread.groups.back();
        thread.groups.pop_back();
        thread.groups.back().insert(last.begin(), last.end());
      }
    } else if (auto wait = dyn_cast<ttg::AsyncWaitOp>(op)) {
      while (thread.groups.size() > static_cast<size_t>(wait.getNum())) {
        completed[&op].insert(thread.groups.back().begin(), thread.groups.back().end());
        thread.groups.pop_back();
      }
    }
  }
};

Numbers toNumbers(const llvm::BitVector &bits) {
  return Numbers(bits.set_bits_begin(), bits.set_bits_end());
}

TEST_F(AsyncAccessesTest, EveryPath) {
  unsigned waits = 0;
  for (unsigned round = 0; round < 300; ++round) {
    const std::string text = makeFunction(1 + random(6));
    SCOPED_TRACE(text);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    tt::FuncOp func = *module->getOps<tt::FuncOp>().begin();
    Allocations locals(func, sharedMemorySpace);
    AsyncAccesses accesses(func, sharedMemorySpace, [&](Value view) { return locals.of(view); });
    Reference reference(func);
    func.walk([&](Operation *op) {
      // Blocks that no path leads to are of no interest.
      if (op == func.getOperation() || !reference.underWay.contains(op))
        return;
      EXPECT_EQ(toNumbers(accesses.underWayAt(op)), reference.underWay[op]);
      const AccessedAllocations completed = accesses.completedAt(op);
      EXPECT_EQ(toNumbers(completed.writes), reference.completed[op]);
      EXPECT_TRUE(completed.reads.none());
      waits += !reference.completed[op].empty();
    });
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(waits, 100u);
}

} // namespace
