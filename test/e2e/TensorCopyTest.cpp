//===- TensorCopyTest.cpp - Copies of boxes, and barriers with phases ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Tiles of 32 x 64 floats, two boxes each, go through shared memory by the tensor memory
// accelerator: out[i][j] = in[i][j] + 1, a column of tiles a program, by tensor maps that each
// program makes. Tile t is loaded into stage t mod S, S - 1 rounds before it is needed, and barrier
// t mod S is told. Faults are planted in the program; the simulator must find each of them, and
// name the lines, however early it completes copies.
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

constexpr int tileRows = 32, tileColumns = 64;

/// What differs between the programs.
struct Program {
  int stages = 2;
  std::string expectedBytes = "8192";
  /// The phase that the wait in the loop is for.
  std::string phase = "%phase";
  std::string storeWait = "ttng.async_tma_store_wait {pendings = 0 : i32, read_only}";
  /// The stage that a load in the loop goes to.
  std::string refilled = "%free";
};

/// The load of tile %tile into stage %stage, where the tile is one.
std::string loadOf(const std::string &tile, const std::string &stage, const std::string &suffix) {
  const char *text = R"(
    %wanted@ = arith.cmpi slt, TILE, %tiles : i32
    %bar@ = ttg.memdesc_index %bars[STAGE] : !ttg.memdesc<%S%x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %bar@, %BYTES%, %wanted@ : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %to@ = ttg.memdesc_index %in_tiles[STAGE] : !ttg.memdesc<%S%x32x64xf32, #s, #smem, mutable> -> !ttg.memdesc<32x64xf32, #s, #smem, mutable>
    %from@ = arith.muli TILE, %c32 : i32
    ttng.async_tma_copy_global_to_local %in_desc[%from@, %column] %to@, %bar@, %wanted@ : !tt.tensordesc<tensor<32x64xf32, #s>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<32x64xf32, #s, #smem, mutable>
)";
  return replaceAll(replaceAll(replaceAll(text, "TILE", tile), "STAGE", stage), "@", suffix);
}

std::string textOf(const Program &program) {
  std::string text = R"(
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%in: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32, %n: i32, %first_column: i32, %tiles: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c4 = arith.constant 4 : i64
    %ahead = arith.constant %AHEAD% : i32
    %stages = arith.constant %S% : i32
    %one = arith.constant dense<1.0> : tensor<32x64xf32, #b>
    %columns = arith.extsi %n : i32 to i64
    %pitch = arith.muli %columns, %c4 : i64
    %program = tt.get_program_id x : i32
    %program_column = arith.muli %program, %c64 : i32
    %column = arith.addi %first_column, %program_column : i32
    %in_map = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    %out_map = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %in_map, %in, [%c32, %c32], [%n, %m], [%pitch], [%c1, %c1] {elem_type = 7 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_create %out_map, %out, [%c32, %c32], [%n, %m], [%pitch], [%c1, %c1] {elem_type = 7 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %in_map : !tt.ptr<i8>
    ttng.tensormap_fenceproxy_acquire %out_map : !tt.ptr<i8>
    %in_desc = ttng.reinterpret_tensor_descriptor %in_map : !tt.ptr<i8> to !tt.tensordesc<tensor<32x64xf32, #s>>
    %out_desc = ttng.reinterpret_tensor_descriptor %out_map : !tt.ptr<i8> to !tt.tensordesc<tensor<32x64xf32, #s>>
    %in_tiles = ttg.local_alloc : () -> !ttg.memdesc<%S%x32x64xf32, #s, #smem, mutable>
    %out_tile = ttg.local_alloc : () -> !ttg.memdesc<32x64xf32, #s, #smem, mutable>
    %bars = ttg.local_alloc : () -> !ttg.memdesc<%S%x1xi64, #bar, #smem, mutable>
)";
  auto forEachBarrier = [&](const std::string &line) {
    for (int stage = 0; stage < program.stages; ++stage)
      text += replaceAll(line, "@", std::to_string(stage));
  };
  forEachBarrier(R"(
    %s@ = arith.constant @ : i32
    %b@ = ttg.memdesc_index %bars[%s@] : !ttg.memdesc<%S%x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %b@, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
)");
  for (int tile = 0; tile < program.stages - 1; ++tile)
    text += loadOf("%s" + std::to_string(tile), "%s" + std::to_string(tile), std::to_string(tile));
  text += R"(
    scf.for %i = %c0 to %tiles step %c1 : i32 {
      %slot = arith.remsi %i, %stages : i32
      %round = arith.divsi %i, %stages : i32
      %phase = arith.andi %round, %c1 : i32
      %other_phase = arith.xori %phase, %c1 : i32
      %full = ttg.memdesc_index %bars[%slot] : !ttg.memdesc<%S%x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
      %next = arith.addi %i, %ahead : i32
      %free = arith.remsi %next, %stages : i32
      ttng.wait_barrier %full, %PHASE% : !ttg.memdesc<1xi64, #bar, #smem, mutable>
)" + loadOf("%next", program.refilled, "next") +
          R"(
      %tile = ttg.memdesc_index %in_tiles[%slot] : !ttg.memdesc<%S%x32x64xf32, #s, #smem, mutable> -> !ttg.memdesc<32x64xf32, #s, #smem, mutable>
      %x = ttg.local_load %tile : !ttg.memdesc<32x64xf32, #s, #smem, mutable> -> tensor<32x64xf32, #b>
      %y = arith.addf %x, %one : tensor<32x64xf32, #b>
      %STOREWAIT%
      ttg.local_store %y, %out_tile : tensor<32x64xf32, #b> -> !ttg.memdesc<32x64xf32, #s, #smem, mutable>
      ttng.fence_async_shared {bCluster = false}
      %row = arith.muli %i, %c32 : i32
      ttng.async_tma_copy_local_to_global %out_desc[%row, %column] %out_tile : !tt.tensordesc<tensor<32x64xf32, #s>>, !ttg.memdesc<32x64xf32, #s, #smem, mutable>
    }
    %STOREWAIT%
)";
  forEachBarrier("    ttng.inval_barrier %b@ : !ttg.memdesc<1xi64, #bar, #smem, mutable>\n");
  text += "    tt.return\n  }\n}\n";
  text = replaceAll(text, "%AHEAD%", std::to_string(program.stages - 1));
  text = replaceAll(text, "%BYTES%", program.expectedBytes);
  text = replaceAll(text, "%PHASE%", program.phase);
  text = replaceAll(text, "%STOREWAIT%", program.storeWait);
  return replaceAll(text, "%S%", std::to_string(program.stages));
}

/// A matrix and the column of tiles of it that a program goes through.
struct Case {
  int rows = 5 * tileRows, columns = tileColumns;
  int column = 0;
  int tiles = 5;
  uint32_t programs = 1;
};

Expected<std::vector<float>> run(const CompiledKernel &compiled, const Case &matrix,
                                 AsyncCompletion completion) {
  const size_t size = size_t(matrix.rows) * matrix.columns;
  std::vector<ArgumentValue> arguments = {toArray(randomValues<float>(size, 5, -9, 9)),
                                          unwritten<float>(size),
                                          int64_t(matrix.rows),
                                          int64_t(matrix.columns),
                                          int64_t(matrix.column),
                                          int64_t(matrix.tiles)};
  if (auto done = runWith(completion, compiled, arguments, Grid{matrix.programs}); !done)
    return done.error();
  return fromArray<float>(arguments[1]);
}

/// A run of a faulty program. `damage` may change the compiled one.
auto runOf(const std::string &text, const std::function<void(CompiledKernel &)> &damage = {}) {
  CompiledKernel compiled = compileGoodText(text);
  if (damage)
    damage(compiled);
  return [compiled](AsyncCompletion completion) { return run(compiled, {}, completion); };
}

/// The error of a program in which the same is found however early copies complete.
std::string faultOf(const std::string &text,
                    const std::function<void(CompiledKernel &)> &damage = {}) {
  return faultInAll(runOf(text, damage));
}

TEST(TensorCopy, Tiles) {
  for (int stages : {2, 3}) {
    Program program;
    program.stages = stages;
    const CompiledKernel compiled = compileGoodText(textOf(program));
    // Whole tiles; tiles across the end, and all outside.
    for (const Case &matrix : {Case{}, Case{100, 60, 0, 4}, Case{70, 132, 100, 3},
                               Case{40, 64, 0, 3}, Case{40, 64, 0, 0}, Case{64, 192, 32, 2, 2}})
      for (AsyncCompletion completion : allCompletions) {
        SCOPED_TRACE(std::to_string(stages) + " stages, " + std::to_string(matrix.rows) + " x " +
                     std::to_string(matrix.columns));
        auto result = run(compiled, matrix, completion);
        ASSERT_TRUE(result) << render(result.error());
        const std::vector<float> x =
            randomValues<float>(size_t(matrix.rows) * matrix.columns, 5, -9, 9);
        for (int row = 0; row < matrix.rows; ++row)
          for (int column = 0; column < matrix.columns; ++column) {
            const float value = (*result)[row * matrix.columns + column];
            if (row < matrix.tiles * tileRows && column >= matrix.column &&
                column < matrix.column + tileColumns * static_cast<int>(matrix.programs))
              ASSERT_EQ(value, x[row * matrix.columns + column] + 1) << row << ", " << column;
            else
              ASSERT_TRUE(std::isnan(value)) << row << ", " << column;
          }
      }
  }
}

/// Removes the calls of a function from the code, those after `after` if that is there.
void removeCalls(CompiledKernel &compiled, const std::string &function,
                 const std::string &after = {}) {
  const std::string call = "call void @llvm.nvvm." + function;
  size_t removed = 0;
  for (size_t at = compiled.llir.find(after);
       (at = compiled.llir.find(call, at)) != std::string::npos; ++removed)
    compiled.llir.erase(at, compiled.llir.find('\n', at) - at);
  EXPECT_GT(removed, 0u) << function;
}

TEST(TensorCopy, MissingFence) {
  const std::string text = textOf({});
  const std::string error = faultOf(text, [](CompiledKernel &compiled) {
    removeCalls(compiled, "fence.proxy.async.shared_cta");
  });
  EXPECT_THAT(error, StartsWith(lineOf(text, "ttng.async_tma_copy_local_to_global")));
  EXPECT_THAT(error, HasSubstr("with no fence between the proxies"));
  EXPECT_THAT(error, HasSubstr(lineOf(text, "ttg.local_store")));
}

TEST(TensorCopy, TooFewBytesExpected) {
  Program program;
  program.expectedBytes = "4096";
  const std::string text = textOf(program);
  const auto [error, early] = faultsOf(runOf(text));
  // The first box ends the phase, and the second one is of the next.
  EXPECT_THAT(early, StartsWith(lineOf(text, "ttg.local_load")));
  EXPECT_THAT(early, HasSubstr("wait for the end of the phase of parity 1 first"));
  EXPECT_THAT(error, StartsWith(lineOf(text, "ttng.barrier_expect")));
  EXPECT_THAT(error, HasSubstr("copies bring 8192 bytes"));
  EXPECT_THAT(error, HasSubstr("which expects 4096"));
  EXPECT_THAT(error, HasSubstr(lineOf(text, "ttng.async_tma_copy_global_to_local")));
}

TEST(TensorCopy, TooManyBytesExpected) {
  Program program;
  program.expectedBytes = "12288";
  const std::string text = textOf(program), error = faultOf(text);
  EXPECT_THAT(error, StartsWith(lineOf(text, "ttng.wait_barrier")));
  EXPECT_THAT(error, HasSubstr("wait for each other for ever"));
  EXPECT_THAT(error, HasSubstr("which expects 12288 bytes, and copies bring 8192"));
  EXPECT_THAT(error, HasSubstr(lineOf(text, "ttng.barrier_expect")));
}

TEST(TensorCopy, WrongPhase) {
  Program program;
  program.phase = "%other_phase";
  const std::string text = textOf(program);
  const auto [error, early] = faultsOf(runOf(text));
  EXPECT_THAT(error, StartsWith(lineOf(text, "ttg.local_load")));
  EXPECT_THAT(error, HasSubstr("is written by an outstanding asynchronous copy"));
  EXPECT_THAT(error, HasSubstr("wait for the end of the phase of parity 0 first"));
  EXPECT_THAT(error, HasSubstr(lineOf(text, "ttng.wait_barrier")));
  // The first phase is over, and the second one never ends.
  EXPECT_THAT(early, StartsWith(lineOf(text, "ttng.wait_barrier")));
  EXPECT_THAT(early, HasSubstr("wait at the end of the phase of parity 1"));
}

TEST(TensorCopy, StoreAtNegativeCoordinate) {
  const std::string text = textOf({});
  const CompiledKernel compiled = compileGoodText(text);
  for (AsyncCompletion completion : allCompletions) {
    auto result = run(compiled, Case{64, 64, -8, 2}, completion);
    ASSERT_FALSE(result);
    const std::string error = render(result.error());
    EXPECT_THAT(error, StartsWith(lineOf(text, "ttng.async_tma_copy_local_to_global")));
    EXPECT_THAT(error, HasSubstr("a box is stored at coordinate -8 of dimension 0"));
  }
}

TEST(TensorCopy, BoxAtUnevenColumn) {
  const std::string text = textOf({});
  const CompiledKernel compiled = compileGoodText(text);
  for (AsyncCompletion completion : allCompletions) {
    auto result = run(compiled, Case{64, 128, 2, 2}, completion);
    ASSERT_FALSE(result);
    const std::string error = render(result.error());
    EXPECT_THAT(error, StartsWith(lineOf(text, "ttng.async_tma_copy_global_to_local")));
    EXPECT_THAT(error, HasSubstr("a box begins at coordinate 2 of the fastest dimension"));
  }
}

/// What is in memory has longer rows than the map says.
TEST(TensorCopy, StoreAcrossUnevenRows) {
  std::string text = textOf({});
  text = replaceAll(text, "%out_map, %out, [%c32, %c32], [%n, %m]",
                    "%out_map, %out, [%c32, %c32], [%shorter, %m]");
  text = replaceAll(text, "    %c32 = arith",
                    "    %shorter = arith.constant 61 : i32\n    %c32 = arith");
  const std::string error = faultOf(text);
  EXPECT_THAT(error, StartsWith(lineOf(text, "ttng.async_tma_copy_local_to_global")));
  EXPECT_THAT(error, HasSubstr("a box is stored across the end of rows of 244 bytes"));
}

/// From the third tile on the phase is an older one, which is over.
TEST(TensorCopy, PhaseOfAnotherRound) {
  Program program;
  program.phase = "%c0";
  const std::string text = textOf(program);
  const auto [error, early] = faultsOf(runOf(text));
  EXPECT_THAT(error, StartsWith(lineOf(text, "ttg.local_load")));
  EXPECT_THAT(error, HasSubstr("wait for the end of the phase of parity 1 first"));
  EXPECT_THAT(early, StartsWith(lineOf(text, "ttng.wait_barrier")));
}

/// The stage that the present tile is in.
TEST(TensorCopy, RefilledBeforeItIsRead) {
  Program program;
  program.refilled = "%slot";
  const std::string text = textOf(program);
  const auto [error, early] = faultsOf(runOf(text));
  EXPECT_THAT(error, StartsWith(lineOf(text, "ttg.local_load")));
  EXPECT_THAT(error, HasSubstr("is written by an outstanding asynchronous copy"));
  EXPECT_THAT(error, HasSubstr(lineOf(text, "%tonext, %barnext")));
  EXPECT_THAT(early, StartsWith(lineOf(text, "ttg.local_load")));
  EXPECT_THAT(early, HasSubstr("this warp has not waited for it"));
}

/// Some threads may still be reading the stage.
TEST(TensorCopy, RefilledWithoutBarrier) {
  const std::string text = textOf({});
  const std::string error = faultOf(text, [](CompiledKernel &compiled) {
    removeCalls(compiled, "barrier.cta.sync.aligned.all", "mbarrier.try.wait");
  });
  EXPECT_THAT(error, HasSubstr("race in shared memory"));
}

TEST(TensorCopy, StoreThatStillReads) {
  Program program;
  program.storeWait = "";
  const std::string text = textOf(program), error = faultOf(text);
  EXPECT_THAT(error, StartsWith(lineOf(text, "ttg.local_store")));
  EXPECT_THAT(error, HasSubstr("is still read by an outstanding asynchronous operation"));
  EXPECT_THAT(error, HasSubstr(lineOf(text, "ttng.async_tma_copy_local_to_global")));
}

TEST(TensorCopy, StoreThatNobodyWaitsFor) {
  const std::string whole = textOf({});
  const size_t last = whole.rfind("ttng.async_tma_store_wait");
  std::string text = whole;
  text.erase(last, whole.find('\n', last) - last);
  const std::string error = faultOf(text);
  EXPECT_THAT(error, StartsWith(lineOf(text, "ttng.async_tma_copy_local_to_global")));
  EXPECT_THAT(error, HasSubstr("a thread ends while this copy"));
}

TEST(TensorCopy, BarrierThatNobodyMade) {
  const std::string whole = textOf({});
  const size_t first = whole.find("ttng.init_barrier");
  std::string text = whole;
  text.erase(first, whole.find('\n', first) - first);
  const std::string error = faultOf(text);
  EXPECT_THAT(error, StartsWith(lineOf(text, "ttng.barrier_expect")));
}

/// A kernel with the arguments of the others: maps of both matrices, of boxes of so many rows, and
/// shared memory for a tile; `body` comes after.
std::string kernelWith(int boxRows, const std::string &body) {
  std::string text = R"(
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
#i = #ttg.slice<{dim = 1, parent = #b}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%in: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32, %n: i32, %column: i32, %last: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %rows = arith.constant %ROWS% : i32
    %c4 = arith.constant 4 : i64
    %true = arith.constant true
    %columns = arith.extsi %n : i32 to i64
    %pitch = arith.muli %columns, %c4 : i64
    %in_map = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    %out_map = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %in_map, %in, [%c32, %rows], [%n, %m], [%pitch], [%c1, %c1] {elem_type = 7 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_create %out_map, %out, [%c32, %rows], [%n, %m], [%pitch], [%c1, %c1] {elem_type = 7 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %in_map : !tt.ptr<i8>
    ttng.tensormap_fenceproxy_acquire %out_map : !tt.ptr<i8>
    %in_desc = ttng.reinterpret_tensor_descriptor %in_map : !tt.ptr<i8> to !tt.tensordesc<tensor<%ROWS%x64xf32, #s>>
    %out_desc = ttng.reinterpret_tensor_descriptor %out_map : !tt.ptr<i8> to !tt.tensordesc<tensor<%ROWS%x64xf32, #s>>
    %tile = ttg.local_alloc : () -> !ttg.memdesc<32x64xf32, #s, #smem, mutable>
    %full = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %full, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %full, 8192, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
)" + body + R"(
    ttng.inval_barrier %full : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }
}
)";
  return replaceAll(text, "%ROWS%", std::to_string(boxRows));
}

/// out[2 r][c] = in[last - r][column + c], 0 outside, for 32 rows r; rows outside are dropped.
TEST(TensorCopy, GatherAndScatter) {
  const std::string text = kernelWith(1, R"(
    %range = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #i>
    %lasts = tt.splat %last : i32 -> tensor<32xi32, #i>
    %from = arith.subi %lasts, %range : tensor<32xi32, #i>
    %to = arith.addi %range, %range : tensor<32xi32, #i>
    ttng.async_tma_gather %in_desc[%from, %column] %tile, %full, %true : !tt.tensordesc<tensor<1x64xf32, #s>>, tensor<32xi32, #i>, i32, !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<32x64xf32, #s, #smem, mutable>, i1
    ttng.wait_barrier %full, %c0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_scatter %out_desc[%to, %c0] %tile : !tt.tensordesc<tensor<1x64xf32, #s>>, tensor<32xi32, #i>, i32, !ttg.memdesc<32x64xf32, #s, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
)");
  const CompiledKernel compiled = compileGoodText(text);
  for (const Case &matrix : {Case{64, 64, 0, 40}, Case{40, 72, 20, 31}, Case{40, 64, -4, 10}})
    for (AsyncCompletion completion : allCompletions) {
      auto result = run(compiled, matrix, completion);
      ASSERT_TRUE(result) << render(result.error());
      const auto x = randomValues<float>(size_t(matrix.rows) * matrix.columns, 5, -9, 9);
      for (int row = 0; row < matrix.rows; ++row)
        for (int column = 0; column < matrix.columns; ++column) {
          const float value = (*result)[row * matrix.columns + column];
          const int fromRow = matrix.tiles - row / 2, fromColumn = matrix.column + column;
          if (row % 2 || column >= tileColumns)
            ASSERT_TRUE(std::isnan(value)) << row << ", " << column;
          else if (fromRow >= 0 && fromRow < matrix.rows && fromColumn >= 0 &&
                   fromColumn < matrix.columns)
            ASSERT_EQ(value, x[fromRow * matrix.columns + fromColumn]) << row << ", " << column;
          else
            ASSERT_EQ(value, 0) << row << ", " << column;
        }
    }
}

/// out = in, and then three times in is added to it, where both are inside.
TEST(TensorCopy, Reductions) {
  const std::string add = "    ttng.async_tma_reduce add, %out_desc[%c0, %column] %tile : "
                          "!tt.tensordesc<tensor<32x64xf32, #s>>, "
                          "!ttg.memdesc<32x64xf32, #s, #smem, mutable>\n";
  const std::string text = kernelWith(32, R"(
    ttng.async_tma_copy_global_to_local %in_desc[%c0, %column] %tile, %full, %true : !tt.tensordesc<tensor<32x64xf32, #s>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<32x64xf32, #s, #smem, mutable>
    ttng.wait_barrier %full, %c0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_local_to_global %out_desc[%c0, %column] %tile : !tt.tensordesc<tensor<32x64xf32, #s>>, !ttg.memdesc<32x64xf32, #s, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
)" + add + add + add + "    ttng.async_tma_store_wait {pendings = 0 : i32}\n");
  const CompiledKernel compiled = compileGoodText(text);
  for (const Case &matrix : {Case{32, 64, 0, 0}, Case{20, 72, 20, 0}})
    for (AsyncCompletion completion : allCompletions) {
      auto result = run(compiled, matrix, completion);
      ASSERT_TRUE(result) << render(result.error());
      const auto x = randomValues<float>(size_t(matrix.rows) * matrix.columns, 5, -9, 9);
      for (int row = 0; row < matrix.rows; ++row)
        for (int column = 0; column < matrix.columns; ++column) {
          const size_t at = row * matrix.columns + column;
          const float once = x[at];
          if (column >= matrix.column && column < matrix.column + tileColumns)
            ASSERT_EQ((*result)[at], once + once + once + once) << row << ", " << column;
          else
            ASSERT_TRUE(std::isnan((*result)[at])) << row << ", " << column;
        }
    }
}

} // namespace
