//===- AsyncCopyTest.cpp - Pipelines of asynchronous copies -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A loop that adds up tiles of 256 floats, as a pipeline writes it: tile i is copied into stage
// i mod S of shared memory, S - 1 rounds before it is needed. Faults are planted in its text; the
// simulator must find each of them, and name the lines, however early it completes copies.
//
//===--------------------------------------------------------------------------===//

#include "IRText.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::test;
using simulate::AsyncCompletion;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

constexpr int elements = 256;

/// What differs between the pipelines.
struct Pipeline {
  int stages;
  /// The groups that the wait in the loop leaves outstanding; none: there is no wait.
  std::optional<int> left;
  /// The copy in the loop is for so many rounds later, and goes to the stage of the tile that many
  /// rounds after the present one.
  int stageAhead;
  /// What stands in the loop before the copy.
  std::string beforeCopy = {};

  static Pipeline correct(int stages) { return {stages, stages - 2, stages - 1}; }
};

/// The copy of tile `%tile` into stage `%stage`, by names that end in `suffix`.
std::string copyOf(const std::string &tile, const std::string &stage, const std::string &suffix) {
  const char *text = R"(
    %begin@ = arith.muli TILE, %size : i32
    %begins@ = tt.splat %begin@ : i32 -> tensor<256xi32, #b>
    %offset@ = arith.addi %begins@, %range : tensor<256xi32, #b>
    %from@ = tt.addptr %xs, %offset@ : tensor<256x!tt.ptr<f32>, #b>, tensor<256xi32, #b>
    %inside@ = arith.cmpi slt, TILE, %n : i32
    %mask@ = tt.splat %inside@ : i1 -> tensor<256xi1, #b>
    %to@ = ttg.memdesc_index %m[STAGE] : !ttg.memdesc<%S%x256xf32, #s, #smem, mutable> -> !ttg.memdesc<256xf32, #s, #smem, mutable>
    %k@ = ttg.async_copy_global_to_local %from@, %to@ mask %mask@ : tensor<256x!tt.ptr<f32>, #b> -> <256xf32, #s, #smem, mutable>
    %g@ = ttg.async_commit_group tokens %k@
)";
  return replaceAll(replaceAll(replaceAll(text, "TILE", tile), "STAGE", stage), "@", suffix);
}

std::string textOf(const Pipeline &pipeline) {
  std::string text = R"(
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %size = arith.constant 256 : i32
    %stages = arith.constant %S% : i32
    %ahead = arith.constant %AHEAD% : i32
    %stageAhead = arith.constant %STAGEAHEAD% : i32
    %range = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #b>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #b>
    %m = ttg.local_alloc : () -> !ttg.memdesc<%S%x256xf32, #s, #smem, mutable>
)";
  for (int tile = 0; tile < pipeline.stages - 1; ++tile)
    text += copyOf("%c" + std::to_string(tile), "%c" + std::to_string(tile), std::to_string(tile));
  text += R"(
    %zero = arith.constant dense<0.0> : tensor<256xf32, #v>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<256xf32, #v>) : i32 {
)";
  if (pipeline.left)
    text += "      %w = ttg.async_wait {num = " + std::to_string(*pipeline.left) + " : i32}\n";
  text += R"(
      %slot = arith.remsi %i, %stages : i32
      %full = ttg.memdesc_index %m[%slot] : !ttg.memdesc<%S%x256xf32, #s, #smem, mutable> -> !ttg.memdesc<256xf32, #s, #smem, mutable>
      %t = ttg.local_load %full : !ttg.memdesc<256xf32, #s, #smem, mutable> -> tensor<256xf32, #v>
      %added = arith.addf %acc, %t : tensor<256xf32, #v>
      %next = arith.addi %i, %ahead : i32
      %later = arith.addi %i, %stageAhead : i32
      %free = arith.remsi %later, %stages : i32
)" + pipeline.beforeCopy +
          copyOf("%next", "%free", "next") + R"(
      scf.yield %added : tensor<256xf32, #v>
    }
    %end = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %m : !ttg.memdesc<%S%x256xf32, #s, #smem, mutable>
    %o = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #v>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #v>
    %op = tt.addptr %os, %o : tensor<256x!tt.ptr<f32>, #v>, tensor<256xi32, #v>
    tt.store %op, %sum : tensor<256x!tt.ptr<f32>, #v>
    tt.return
  }
}
)";
  text = replaceAll(text, "%STAGEAHEAD%", std::to_string(pipeline.stageAhead));
  text = replaceAll(text, "%AHEAD%", std::to_string(pipeline.stages - 1));
  return replaceAll(text, "%S%", std::to_string(pipeline.stages));
}

/// The sums of `tiles` tiles, or the error.
Expected<std::vector<float>> sumTiles(const std::string &text, int tiles,
                                      AsyncCompletion completion) {
  const CompiledKernel compiled = compileGoodText(text);
  std::vector<ArgumentValue> arguments = {toArray(randomValues<float>(elements * tiles, 5, -9, 9)),
                                          unwritten<float>(elements), int64_t(tiles)};
  if (auto done = runWith(completion, compiled, arguments); !done)
    return done.error();
  return fromArray<float>(arguments[1]);
}

/// The error of a faulty pipeline of five tiles.
std::string faultOf(const std::string &text) {
  return faultInAll([&](AsyncCompletion completion) { return sumTiles(text, 5, completion); });
}

TEST(AsyncCopy, Pipelines) {
  for (int stages : {2, 3})
    for (int tiles : {0, 1, 2, 5})
      for (AsyncCompletion completion : allCompletions) {
        SCOPED_TRACE(std::to_string(stages) + " stages, " + std::to_string(tiles) + " tiles");
        auto sums = sumTiles(textOf(Pipeline::correct(stages)), tiles, completion);
        ASSERT_TRUE(sums) << render(sums.error());
        const std::vector<float> x = randomValues<float>(elements * tiles, 5, -9, 9);
        for (int i = 0; i < elements; ++i) {
          float expected = 0;
          for (int tile = 0; tile < tiles; ++tile)
            expected += x[elements * tile + i];
          ASSERT_EQ((*sums)[i], expected) << "element " << i;
        }
      }
}

TEST(AsyncCopy, MissingWait) {
  for (int stages : {2, 3}) {
    Pipeline pipeline = Pipeline::correct(stages);
    pipeline.left = std::nullopt;
    const std::string text = textOf(pipeline), error = faultOf(text);
    EXPECT_THAT(error, StartsWith(lineOf(text, "ttg.local_load")));
    EXPECT_THAT(error, HasSubstr("by an outstanding asynchronous copy"));
    EXPECT_THAT(error, HasSubstr(lineOf(text, "%k0 =")));
    EXPECT_THAT(error, HasSubstr("issued the copy here, and has not waited since"));
  }
}

TEST(AsyncCopy, WaitForOneGroupTooFew) {
  for (int stages : {2, 3}) {
    Pipeline pipeline = Pipeline::correct(stages);
    ++*pipeline.left;
    const std::string text = textOf(pipeline), error = faultOf(text);
    EXPECT_THAT(error, StartsWith(lineOf(text, "ttg.local_load")));
    EXPECT_THAT(error, HasSubstr("must wait until at most " + std::to_string(stages - 2) +
                                 (stages == 3 ? " group is outstanding"
                                              : " groups are "
                                                "outstanding")));
    EXPECT_THAT(error, HasSubstr(lineOf(text, "%k0 =")));
    EXPECT_THAT(error, HasSubstr(lineOf(text, "%w =")));
  }
}

// The copy in the loop goes where the next tile is still under way to.
TEST(AsyncCopy, CopyIntoAStageThatIsBeingFilled) {
  Pipeline pipeline = Pipeline::correct(3);
  pipeline.stageAhead = 1;
  const std::string text = textOf(pipeline), error = faultOf(text);
  EXPECT_THAT(error, StartsWith(lineOf(text, "%knext =")));
  EXPECT_THAT(error, HasSubstr("error: asynchronous copy of 16 bytes of shared memory, of which "
                               "byte 1024 is written by an outstanding asynchronous copy"));
  EXPECT_THAT(error, HasSubstr(lineOf(text, "%k1 =")));
}

// So does a store.
TEST(AsyncCopy, StoreIntoAStageThatIsBeingFilled) {
  Pipeline pipeline = Pipeline::correct(3);
  pipeline.beforeCopy = R"(
      %soon = arith.addi %i, %c1 : i32
      %filling = arith.remsi %soon, %stages : i32
      %wrong = ttg.memdesc_index %m[%filling] : !ttg.memdesc<3x256xf32, #s, #smem, mutable> -> !ttg.memdesc<256xf32, #s, #smem, mutable>
      ttg.local_store %acc, %wrong : tensor<256xf32, #v> -> !ttg.memdesc<256xf32, #s, #smem, mutable>
)";
  const std::string text = textOf(pipeline), error = faultOf(text);
  EXPECT_THAT(error, StartsWith(lineOf(text, "ttg.local_store")));
  EXPECT_THAT(error, HasSubstr("by an outstanding asynchronous copy"));
  EXPECT_THAT(error, HasSubstr(lineOf(text, "%k1 =")));
}

} // namespace
