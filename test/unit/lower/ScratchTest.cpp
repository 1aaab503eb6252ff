//===- ScratchTest.cpp - Scratch memory of ops against what they access -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each op with scratch memory is lowered and run: with the bytes that its ttg::ScratchUser says the
// simulator finds no access outside of shared memory, with fewer it does. So the models say what
// the patterns use, neither less nor (but for padding at the end) more.
//
//===--------------------------------------------------------------------------===//

#include "KernelRunner.h"

#include "ir/Dialects.h"
#include "ir/ttg/query/Conversion.h"
#include "lower/core/Patterns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::lower::test;
using runtime::ElementType;
using runtime::HostArray;

namespace {

const std::string narrow = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], "
                           "warpsPerCTA = [4], order = [0]}>";
const std::string wide = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], "
                         "warpsPerCTA = [4], order = [0]}>";
const std::string square = "#ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], "
                           "warpsPerCTA = [2, 2], order = [1, 0]}>";

struct ScratchOp {
  std::string name, body;
};

std::string load(const std::string &name, const Tile &tile, const std::string &element) {
  return pointersTo(name, "a", tile, element) + "%" + name + " = tt.load %" + name +
         "_ptr : " + tensorType(tile.shape, "!tt.ptr<" + element + ">", tile.encoding) + "\n";
}

std::string store(const std::string &value, const Tile &tile, const std::string &element) {
  return pointersTo("out", "b", tile, element) + "tt.store %out_ptr, %" + value + " : " +
         tensorType(tile.shape, "!tt.ptr<" + element + ">", tile.encoding) + "\n";
}

std::vector<ScratchOp> scratchOps() {
  const Tile tile{{512}, narrow};
  const std::string x = load("x", tile, "i32"), type = tensorType({512}, "i32", narrow),
                    other = tensorType({512}, "i32", wide), bins = tensorType({128}, "i32", narrow),
                    matrix = tensorType({32, 32}, "f32", square),
                    storeScalar = "tt.store %b, %y : !tt.ptr<i32>\n",
                    region = " ({\n^bb0(%p: i32, %q: i32):\n%s = arith.addi %p, %q : i32\n";
  return {
      {"ttg.convert_layout", x + "%y = ttg.convert_layout %x : " + type + " -> " + other + "\n" +
                                 store("y", {{512}, wide}, "i32")},
      {"tt.reduce", x + "%y = \"tt.reduce\"(%x) <{axis = 0 : i32}>" + region +
                        "tt.reduce.return %s : i32\n}) : (" + type + ") -> i32\n" + storeScalar},
      {"tt.scan", x + "%y = \"tt.scan\"(%x) <{axis = 0 : i32, reverse = false}>" + region +
                      "tt.scan.return %s : i32\n}) : (" + type + ") -> " + type + "\n" +
                      store("y", tile, "i32")},
      {"tt.gather", x + "%y = tt.gather %x[%x] {axis = 0 : i32} : (" + type + ", " + type +
                        ") -> " + type + "\n" + store("y", tile, "i32")},
      {"tt.histogram", x + "%y = tt.histogram %x : " + type + " -> " + bins + "\n" +
                           store("y", {{128}, narrow}, "i32")},
      {"tt.atomic_rmw", "%c = arith.constant 1 : i32\n%y = tt.atomic_rmw add, relaxed, gpu, %a, %c "
                        ": (!tt.ptr<i32>, i32) -> i32\n" +
                            storeScalar},
      {"tt.atomic_cas", "%c = arith.constant 1 : i32\n%y = tt.atomic_cas relaxed, gpu, %a, %c, %c "
                        ": (!tt.ptr<i32>, i32, i32) -> i32\n" +
                            storeScalar},
      {"tt.dot", load("m", {{32, 32}, square}, "f32") + "%y = tt.dot %m, %m, %m : " + matrix +
                     " * " + matrix + " -> " + matrix + "\n" +
                     store("y", {{32, 32}, square}, "f32")},
  };
}

std::string run(const ScratchOp &op, int missingBytes) {
  const bool isFloat = op.name == "tt.dot";
  const std::string type = isFloat ? "*fp32" : "*i32";
  const ElementType element = isFloat ? ElementType::Float32 : ElementType::Int32;
  std::vector<HostArray> values = {HostArray(element, {1024}), HostArray(element, {1024})};
  return runKernel("a: " + type + ", b: " + type, op.body, /*warps=*/4, values, nullptr,
                   missingBytes);
}

TEST(Scratch, IsWhatPatternsAccess) {
  for (const ScratchOp &op : scratchOps()) {
    EXPECT_EQ(run(op, 0), "") << op.name;
    EXPECT_THAT(run(op, 32), testing::HasSubstr("shared memory")) << op.name;
  }
}

/// Every op that has a model is in the test above.
TEST(Scratch, EveryModelIsTested) {
  mlir::DialectRegistry registry;
  ir::registerDialects(registry);
  lower::registerScratch(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::vector<std::string> tested, registered;
  for (const ScratchOp &op : scratchOps())
    tested.push_back(op.name);
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.hasInterface<ttg::ScratchUser>())
      registered.push_back(name.getStringRef().str());
  EXPECT_THAT(registered, testing::UnorderedElementsAreArray(tested));
}

} // namespace
