//===- OpInterfacesTest.cpp - What the ops say of their layouts and memory ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Every op that is registered must answer, and its answers are those of the tables below: who adds
// an op adds a line, and so has thought of its rule. The ops are taken from the tests of the
// syntax, which have all of them.
//
//===--------------------------------------------------------------------------===//

#include "Parsing.h"

#include "ir/ttg/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace mlir;
using namespace tilewright;
using tt::LayoutRule;
using ttg::AsyncQueue;

namespace {

constexpr const char *dialects[] = {"tt", "ttg", "ttng", "ttig", "gluon", "tw"};

bool isOurs(StringRef dialect) { return llvm::is_contained(dialects, dialect); }

/// Ops that the tests of the syntax do not have, or not with tensors.
const char *const moreOps = R"(
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %i: tensor<16x64xi32, #blocked>,
           %x: tensor<16x64xf16, #blocked>, %b: tensor<16x64xi8>) {
  %0 = ttg.local_atomic_scatter_rmw fadd, %m[%i], %x {axis = 1 : i32} : (!ttg.memdesc<16x64xf16, #shared, #smem, mutable>, tensor<16x64xi32, #blocked>, tensor<16x64xf16, #blocked>) -> tensor<16x64xf16, #blocked>
  %1 = ttg.fp4_to_fp %b {axis = 1 : i32} : tensor<16x64xi8> -> tensor<16x128xf16>
  tt.return
}
tt.func private @h(tensor<16xi32>)
tt.func @g(%p: tensor<16x!tt.ptr<i32>>, %i: tensor<16xi32>, %l: tensor<16xi64>) {
  %0 = tt.addptr %p, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %1 = tt.int_to_ptr %l : tensor<16xi64> -> tensor<16x!tt.ptr<i32>>
  %2 = tt.atomic_cas relaxed, gpu, %p, %i, %i : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
  tt.call @h(%i) : (tensor<16xi32>) -> ()
  tt.return
}
)";

/// The modules of the tests of the syntax, in which every op is.
const std::vector<OwningOpRef<ModuleOp>> &modules() {
  static const std::vector<OwningOpRef<ModuleOp>> modules = [] {
    std::vector<OwningOpRef<ModuleOp>> result;
    result.push_back(parseSourceString<ModuleOp>(moreOps, &test::context()));
    for (const char *name :
         {"ops", "tt-tiles", "ttg-memory", "memory-spellings", "ttng", "coopmatrix", "clusters",
          "block-messages", "block-pointers", "tensor-memory-ops"}) {
      std::ifstream file(std::string(TILEWRIGHT_LIT) + "/ir/" + name + ".mlir");
      std::stringstream text;
      text << file.rdbuf();
      std::string all = text.str(), marker = "// -----";
      for (size_t begin = 0; begin < all.size();) {
        const size_t end = std::min(all.find(marker, begin), all.size());
        result.push_back(
            parseSourceString<ModuleOp>(all.substr(begin, end - begin), &test::context()));
        if (!result.back())
          throw std::runtime_error(std::string("cannot parse ") + name);
        begin = end + marker.size();
      }
    }
    return result;
  }();
  return modules;
}

void forEachOp(llvm::function_ref<void(Operation *)> visit) {
  for (const OwningOpRef<ModuleOp> &module : modules())
    module.get()->walk([&](Operation *op) {
      if (op->getDialect() && isOurs(op->getDialect()->getNamespace()))
        visit(op);
    });
}

bool touchesTensors(Operation *op) {
  auto isTensor = llvm::IsaPred<RankedTensorType>;
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

//===--------------------------------------------------------------------------===//
// Layouts
//===--------------------------------------------------------------------------===//

/// The rules of the ops that have tensors among their operands or results.
std::map<std::string, std::set<LayoutRule>> expectedRules() {
  std::map<std::string, std::set<LayoutRule>> rules;
  auto add = [&](LayoutRule rule, std::initializer_list<const char *> names) {
    for (const char *name : names)
      rules[name].insert(rule);
  };
  add(LayoutRule::AnyResult, {"tt.make_range", "tt.splat"});
  // Inline assembly and functions of libraries that have effects are anchors, and so are loads of
  // many elements, and gathers and reshapes whose layout was chosen.
  add(LayoutRule::SameLayout,
      {"tt.addptr", "tt.bitcast", "tt.broadcast", "tt.clampf", "tt.elementwise_inline_asm",
       "tt.extern_elementwise", "tt.fp_to_fp", "tt.int_to_ptr", "tt.load", "tt.map_elementwise",
       "tt.mulhiui", "tt.precise_divf", "tt.precise_sqrt", "tt.ptr_to_int"});
  add(LayoutRule::Inferred,
      {"tt.cat", "tt.expand_dims", "tt.join", "tt.reshape", "tt.split", "tt.trans"});
  add(LayoutRule::Collective, {"tt.gather", "tt.reduce", "tt.scan"});
  add(LayoutRule::AnyLayout, {"tt.assert", "tt.histogram", "tt.unsplat", "tw.cluster_convert"});
  add(LayoutRule::AnyLayouts, {"tt.print"});
  add(LayoutRule::Conversion, {"ttg.convert_layout"});
  add(LayoutRule::Anchor,
      {"tt.elementwise_inline_asm", "tt.extern_elementwise", "tt.gather", "tt.load", "tt.reshape"});
  // Accesses of memory were given their layouts; products need theirs; functions agree on them.
  add(LayoutRule::Anchor, {"tt.atomic_cas",
                           "tt.atomic_rmw",
                           "tt.call",
                           "tt.descriptor_gather",
                           "tt.descriptor_load",
                           "tt.descriptor_reduce",
                           "tt.descriptor_scatter",
                           "tt.descriptor_store",
                           "tt.dot",
                           "tt.dot_scaled",
                           "tt.return",
                           "tt.store",
                           "ttg.async_copy_global_to_local",
                           "ttg.fp4_to_fp",
                           "ttg.local_alloc",
                           "ttg.local_atomic_scatter_rmw",
                           "ttg.local_gather",
                           "ttg.local_load",
                           "ttg.local_scatter",
                           "ttg.local_store",
                           "ttng.async_shared_store",
                           "ttng.async_tma_gather",
                           "ttng.async_tma_scatter",
                           "ttng.clc_try_cancel_sync",
                           "ttng.packed_arith",
                           "ttng.tmem_alloc",
                           "ttng.tmem_load",
                           "ttng.tmem_store",
                           "ttng.warp_group_dot",
                           "ttng.warp_group_dot_wait",
                           "ttig.block_load",
                           "ttig.block_store",
                           "tw.coopmatrix_extract",
                           "tw.coopmatrix_insert",
                           "tw.memory_dot",
                           "gluon.set_auto_layout"});
  return rules;
}

TEST(LayoutOp, EveryRegisteredOpAnswers) {
  std::set<std::string> seen;
  forEachOp([&](Operation *op) { seen.insert(op->getName().getStringRef().str()); });
  // Has no text, and is read as another op.
  seen.insert({"ttg.warp_specialize.partitions", "ttg.local_barrier"});
  for (RegisteredOperationName name : test::context().getRegisteredOperations()) {
    if (!isOurs(name.getDialectNamespace()))
      continue;
    EXPECT_TRUE(name.hasInterface<tt::LayoutOp>()) << name.getStringRef().str();
    EXPECT_TRUE(seen.contains(name.getStringRef().str()))
        << name.getStringRef().str() << " is in none of the files of this test";
  }
}

TEST(LayoutOp, RulesAreThoseOfTheTable) {
  const auto expected = expectedRules();
  std::set<std::string> met;
  forEachOp([&](Operation *op) {
    if (!touchesTensors(op))
      return;
    const std::string name = op->getName().getStringRef().str();
    met.insert(name);
    auto found = expected.find(name);
    if (found == expected.end())
      ADD_FAILURE() << name << " is not in the table of rules";
    else
      EXPECT_TRUE(found->second.contains(tt::getLayoutRule(op)))
          << name << " has rule " << static_cast<int>(tt::getLayoutRule(op));
  });
  for (const auto &[name, rules] : expected)
    EXPECT_TRUE(met.contains(name)) << name << " was not met";
}

TEST(LayoutOp, ForeignOpsWithoutAnswersAreAnchors) {
  test::context().allowUnregisteredDialects();
  OpBuilder builder(&test::context());
  OperationState state(builder.getUnknownLoc(), "other.op");
  Operation *op = Operation::create(state);
  EXPECT_EQ(tt::getLayoutRule(op), LayoutRule::Anchor);
  op->destroy();
}

TEST(LayoutOp, TheAttributeMakesAnAnchor) {
  bool met = false;
  forEachOp([&](Operation *op) {
    if (met || !isa<tt::BroadcastOp>(op))
      return;
    met = true;
    Operation *copy = op->clone();
    EXPECT_EQ(tt::getLayoutRule(copy), LayoutRule::SameLayout);
    copy->setAttr(tt::anchorAttrName, UnitAttr::get(&test::context()));
    EXPECT_EQ(tt::getLayoutRule(copy), LayoutRule::Anchor);
    copy->destroy();
  });
  EXPECT_TRUE(met);
}

/// All ops of arith and math have a rule.
TEST(LayoutOp, ArithAndMathAreAttached) {
  test::context().loadAllAvailableDialects();
  const std::set<std::string> anchors = {"arith.scaling_extf", "arith.scaling_truncf",
                                         "ub.unreachable"};
  for (RegisteredOperationName name : test::context().getRegisteredOperations()) {
    const StringRef dialect = name.getDialectNamespace();
    if (dialect == "arith" || dialect == "math" || dialect == "ub")
      EXPECT_EQ(name.hasInterface<tt::LayoutOp>(), !anchors.contains(name.getStringRef().str()))
          << name.getStringRef().str();
  }
}

//===--------------------------------------------------------------------------===//
// Shared memory
//===--------------------------------------------------------------------------===//

struct Role {
  AsyncQueue queue;
  bool issues, commits, waits;
  friend bool operator==(const Role &, const Role &) = default;
};

TEST(SharedMemoryUser, RolesAreThoseOfTheTable) {
  const Role issues{AsyncQueue::Barriers, true, false, false};
  const Role stores{AsyncQueue::TensorStores, true, true, false};
  const std::map<std::string, Role> expected = {
      {"ttg.async_copy_global_to_local", {AsyncQueue::CopyGroups, true, false, false}},
      {"ttg.async_commit_group", {AsyncQueue::CopyGroups, false, true, false}},
      {"ttg.async_wait", {AsyncQueue::CopyGroups, false, false, true}},
      {"ttng.warp_group_dot_wait", {AsyncQueue::Products, false, false, true}},
      {"ttng.tc_gen5_mma", issues},
      {"ttng.tc_gen5_mma_scaled", issues},
      {"ttng.tc_gen5_commit", {AsyncQueue::Barriers, false, true, false}},
      {"ttng.tmem_copy", issues},
      {"ttng.async_shared_store", issues},
      {"ttng.async_tma_copy_global_to_local", issues},
      {"ttng.async_tma_gather", issues},
      {"ttng.clc_try_cancel", issues},
      {"ttng.arrive_barrier", {AsyncQueue::Barriers, false, true, false}},
      {"ttng.arrive_barrier perWarp", {AsyncQueue::Barriers, false, false, false}},
      {"ttng.async_copy_mbarrier_arrive", {AsyncQueue::Barriers, false, true, false}},
      {"ttng.wait_barrier", {AsyncQueue::Barriers, false, false, true}},
      {"ttng.async_tma_copy_local_to_global", stores},
      {"ttng.async_tma_reduce", stores},
      {"ttng.async_tma_scatter", stores},
      {"ttng.async_tma_store_wait", {AsyncQueue::TensorStores, false, false, true}},
      {"tw.memory_dot", {AsyncQueue::Products, false, false, false}},
  };
  std::set<std::string> met;
  forEachOp([&](Operation *op) {
    auto user = dyn_cast<ttg::SharedMemoryUser>(op);
    const StringRef dialect = op->getDialect()->getNamespace();
    std::string name = op->getName().getStringRef().str();
    ASSERT_EQ(bool(user),
              dialect == "ttg" || dialect == "ttng" || dialect == "ttig" || name == "tw.memory_dot")
        << name;
    // Whether a product is asynchronous is its attribute's to say.
    if (!user || op->getName().getStringRef() == "ttng.warp_group_dot")
      return;
    // One that each warp does for itself.
    if (op->getAttrOfType<UnitAttr>("perWarp"))
      name += " perWarp";
    const ttg::AsyncRole role = user.getAsyncRole();
    auto found = expected.find(name);
    const Role wanted =
        found == expected.end() ? Role{AsyncQueue::None, false, false, false} : found->second;
    EXPECT_EQ((Role{role.queue, role.issues, role.commits, role.waits.has_value()}), wanted)
        << name;
    met.insert(name);
  });
  for (const auto &[name, role] : expected)
    EXPECT_TRUE(met.contains(name)) << name << " was not met";
}

/// How often an op reads and writes the shared memory that it names.
TEST(SharedMemoryUser, AccessesAreThoseOfTheTable) {
  using Counts = std::pair<unsigned, unsigned>;
  const std::map<std::string, Counts> expected = {
      {"ttg.local_load", {1, 0}},    {"ttg.local_store", {0, 1}},
      {"ttg.local_gather", {1, 0}},  {"ttg.local_scatter", {0, 1}},
      {"ttg.memdesc_index", {0, 0}}, {"ttg.async_copy_global_to_local", {0, 1}},
      {"ttg.async_wait", {0, 0}},    {"ttng.async_tma_copy_local_to_global", {1, 0}}};
  std::set<std::string> met;
  forEachOp([&](Operation *op) {
    const std::string name = op->getName().getStringRef().str();
    auto found = expected.find(name);
    if (found == expected.end())
      return;
    SmallVector<ttg::ViewAccess> accesses;
    cast<ttg::SharedMemoryUser>(op).getViewAccesses(accesses);
    Counts counts = {0, 0};
    for (const ttg::ViewAccess &access : accesses)
      ++(access.isWrite ? counts.second : counts.first);
    EXPECT_EQ(counts, found->second) << name;
    met.insert(name);
  });
  EXPECT_EQ(met.size(), expected.size());
}

} // namespace
