//===- TilesTest.cpp - Tests of tiles, memory and products ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ProgramRunner.h"

#include <numeric>
#include <random>

using namespace tilewright;
using namespace tilewright::interpret;

namespace {

/// Pointers %NAMEp to the elements of a matrix of rows x columns at %NAME, rows first.
std::string matrixPointers(const std::string &name, const std::string &type, int rows,
                           int columns) {
  const std::string shape = std::to_string(rows) + "x" + std::to_string(columns) + "x",
                    row = "tensor<" + std::to_string(rows) + "x1xi32>",
                    column = "tensor<1x" + std::to_string(columns) + "xi32>",
                    whole = "tensor<" + shape + "i32>", n = "%" + name;
  return n + "0 = tt.make_range {start = 0 : i32, end = " + std::to_string(rows) +
         " : i32} : tensor<" + std::to_string(rows) + "xi32>\n" + n +
         "1 = tt.make_range {start = 0 : i32, end = " + std::to_string(columns) +
         " : i32} : tensor<" + std::to_string(columns) + "xi32>\n" + n + "2 = tt.expand_dims " + n +
         "0 {axis = 1 : i32} : tensor<" + std::to_string(rows) + "xi32> -> " + row + "\n" + n +
         "3 = tt.expand_dims " + n + "1 {axis = 0 : i32} : tensor<" + std::to_string(columns) +
         "xi32> -> " + column + "\n" + n + "4 = arith.constant dense<" + std::to_string(columns) +
         "> : " + row + "\n" + n + "5 = arith.muli " + n + "2, " + n + "4 : " + row + "\n" + n +
         "6 = tt.broadcast " + n + "5 : " + row + " -> " + whole + "\n" + n + "7 = tt.broadcast " +
         n + "3 : " + column + " -> " + whole + "\n" + n + "8 = arith.addi " + n + "6, " + n +
         "7 : " + whole + "\n" + n + "9 = tt.splat " + n + " : !tt.ptr<" + type + "> -> tensor<" +
         shape + "!tt.ptr<" + type + ">>\n" + n + "p = tt.addptr " + n + "9, " + n + "8 : tensor<" +
         shape + "!tt.ptr<" + type + ">>, " + whole + "\n";
}

std::vector<int32_t> iota(size_t count) {
  std::vector<int32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST(InterpretTiles, Transposes) {
  ProgramRunner runner(
      "(%a: !tt.ptr<i32>, %o: !tt.ptr<i32>) {\n" + matrixPointers("a", "i32", 4, 8) +
      matrixPointers("o", "i32", 8, 4) +
      "%x = tt.load %ap : tensor<4x8x!tt.ptr<i32>>\n"
      "%t = tt.trans %x {order = array<i32: 1, 0>} : tensor<4x8xi32> -> tensor<8x4xi32>\n"
      "tt.store %op, %t : tensor<8x4x!tt.ptr<i32>>\ntt.return\n}");
  runner.add(iota(32));
  runner.add(std::vector<int32_t>(32));
  ASSERT_TRUE(runner.run());
  const auto out = runner.get<int32_t>(1);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      EXPECT_EQ(out[i * 4 + j], j * 8 + i);
}

/// join(x, y) and split of it: halves stay apart.
TEST(InterpretTiles, JoinsAndSplits) {
  ProgramRunner runner("(%a: !tt.ptr<i32>, %o: !tt.ptr<i32>) {\n" +
                       matrixPointers("a", "i32", 4, 2) + matrixPointers("o", "i32", 4, 2) +
                       "%x = tt.load %ap : tensor<4x2x!tt.ptr<i32>>\n"
                       "%l, %h = tt.split %x : tensor<4x2xi32> -> tensor<4xi32>\n"
                       "%j = tt.join %h, %l : tensor<4xi32> -> tensor<4x2xi32>\n"
                       "tt.store %op, %j : tensor<4x2x!tt.ptr<i32>>\ntt.return\n}");
  runner.add(iota(8));
  runner.add(std::vector<int32_t>(8));
  ASSERT_TRUE(runner.run());
  EXPECT_EQ(runner.get<int32_t>(1), (std::vector<int32_t>{1, 0, 3, 2, 5, 4, 7, 6}));
}

/// A reduction along the first axis with a region of two values, and a reversed scan.
TEST(InterpretTiles, ReducesAndScansAlongAnAxis) {
  const std::string text =
      "(%a: !tt.ptr<i32>, %o: !tt.ptr<i32>) {\n" + matrixPointers("a", "i32", 4, 8) +
      matrixPointers("o", "i32", 4, 8) +
      "%x = tt.load %ap : tensor<4x8x!tt.ptr<i32>>\n"
      "%s = \"tt.scan\"(%x) <{axis = 0 : i32, reverse = true}> ({\n^bb0(%p: i32, %q: i32):\n"
      "%c = arith.constant 3 : i32\n%d = arith.muli %p, %c : i32\n%e = arith.addi %d, %q : i32\n"
      "tt.scan.return %e : i32\n}) : (tensor<4x8xi32>) -> tensor<4x8xi32>\n"
      "%m = \"tt.reduce\"(%x) <{axis = 0 : i32}> ({\n^bb0(%p: i32, %q: i32):\n"
      "%e = arith.maxsi %p, %q : i32\ntt.reduce.return %e : i32\n}) : (tensor<4x8xi32>) -> "
      "tensor<8xi32>\n"
      "%m2 = tt.expand_dims %m {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>\n"
      "%m3 = tt.broadcast %m2 : tensor<1x8xi32> -> tensor<4x8xi32>\n"
      "%z = arith.addi %s, %m3 : tensor<4x8xi32>\n"
      "tt.store %op, %z : tensor<4x8x!tt.ptr<i32>>\ntt.return\n}";
  ProgramRunner runner(text);
  std::vector<int32_t> in(32);
  std::mt19937 random(7);
  for (int32_t &number : in)
    number = static_cast<int32_t>(random() % 100);
  runner.add(in);
  runner.add(std::vector<int32_t>(32));
  ASSERT_TRUE(runner.run());
  for (int j = 0; j < 8; ++j) {
    int32_t total = in[3 * 8 + j], largest = 0;
    for (int i = 0; i < 4; ++i)
      largest = std::max(largest, in[i * 8 + j]);
    for (int i = 3; i >= 0; --i) {
      total = i == 3 ? in[i * 8 + j] : 3 * total + in[i * 8 + j];
      EXPECT_EQ(runner.get<int32_t>(1)[i * 8 + j], total + largest);
    }
  }
}

/// Any order of a reduction gives the same integer.
TEST(InterpretTiles, VariantsReduceInOtherOrders) {
  const std::string text =
      "(%a: !tt.ptr<f32>, %o: !tt.ptr<f32>) {\n" + matrixPointers("a", "f32", 1, 64) +
      "%x = tt.load %ap : tensor<1x64x!tt.ptr<f32>>\n"
      "%m = \"tt.reduce\"(%x) <{axis = 1 : i32}> ({\n^bb0(%p: f32, %q: f32):\n"
      "%e = arith.addf %p, %q : f32\ntt.reduce.return %e : f32\n}) : (tensor<1x64xf32>) -> "
      "tensor<1xf32>\n"
      "%u = tt.unsplat %m : tensor<1xf32>\ntt.store %o, %u : !tt.ptr<f32>\ntt.return\n}";
  std::vector<float> in(64);
  std::mt19937 random(8);
  for (float &number : in)
    number = std::normal_distribution<float>(0, 1)(random);
  float plain = 0, backward = 0;
  for (size_t i = 0; i < 64; ++i)
    plain = i ? plain + in[i] : in[i], backward = i ? backward + in[63 - i] : in[63];
  for (auto [variant, expected] :
       {std::pair(Variant::Plain, plain), std::pair(Variant::Backward, backward)}) {
    ProgramRunner runner(text);
    runner.add(in);
    runner.add(std::vector<float>(1));
    ASSERT_TRUE(runner.run({1, 1, 1}, variant));
    EXPECT_EQ(runner.get<float>(1)[0], expected);
  }
}

/// Bytes with signs, in batches.
TEST(InterpretTiles, MultipliesMatricesOfBytes) {
  ProgramRunner runner(
      "(%a: !tt.ptr<i8>, %b: !tt.ptr<i8>, %o: !tt.ptr<i32>) {\n" +
      matrixPointers("a", "i8", 4, 16) + matrixPointers("b", "i8", 16, 8) +
      matrixPointers("o", "i32", 4, 8) +
      "%x = tt.load %ap : tensor<4x16x!tt.ptr<i8>>\n%y = tt.load %bp : tensor<16x8x!tt.ptr<i8>>\n"
      "%c = arith.constant dense<-7> : tensor<4x8xi32>\n"
      "%d = tt.dot %x, %y, %c : tensor<4x16xi8> * tensor<16x8xi8> -> tensor<4x8xi32>\n"
      "tt.store %op, %d : tensor<4x8x!tt.ptr<i32>>\ntt.return\n}");
  std::vector<int8_t> a(64), b(128);
  std::mt19937 random(9);
  for (int8_t &number : a)
    number = static_cast<int8_t>(random());
  for (int8_t &number : b)
    number = static_cast<int8_t>(random());
  runner.add(a);
  runner.add(b);
  runner.add(std::vector<int32_t>(32));
  ASSERT_TRUE(runner.run());
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) {
      int32_t sum = -7;
      for (int k = 0; k < 16; ++k)
        sum += a[i * 16 + k] * b[k * 8 + j];
      EXPECT_EQ(runner.get<int32_t>(2)[i * 8 + j], sum);
    }
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

constexpr const char *maskedCopy = R"((%a: !tt.ptr<i32>, %o: !tt.ptr<i32>, %n: i32) {
  %r = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %p = tt.get_program_id x : i32
  %c = arith.constant 16 : i32
  %b = arith.muli %p, %c : i32
  %bs = tt.splat %b : i32 -> tensor<16xi32>
  %i = arith.addi %bs, %r : tensor<16xi32>
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<16xi32>
  %as = tt.splat %a : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %ap = tt.addptr %as, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %os = tt.splat %o : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %op = tt.addptr %os, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %x = tt.load %ap, LOADMASK : tensor<16x!tt.ptr<i32>>
  tt.store %op, %x, STOREMASK : tensor<16x!tt.ptr<i32>>
  tt.return
})";

std::string copyText(bool masksLoad, bool masksStore) {
  std::string text = maskedCopy;
  text.replace(text.find(", LOADMASK"), 10, masksLoad ? ", %m" : "");
  text.replace(text.find(", STOREMASK"), 11, masksStore ? ", %m" : "");
  return text;
}

TEST(InterpretTiles, MasksKeepAccessesInBounds) {
  ProgramRunner runner(copyText(true, true));
  runner.add(iota(21));
  runner.add(std::vector<int32_t>(21, -1));
  runner.addNumber(21);
  ASSERT_TRUE(runner.run({3, 1, 1}));
  EXPECT_EQ(runner.get<int32_t>(1), iota(21));
}

TEST(InterpretTiles, AnAccessOutOfBoundsIsAFault) {
  ProgramRunner runner(copyText(false, true));
  runner.add(iota(21));
  runner.add(std::vector<int32_t>(21));
  runner.addNumber(21);
  const Outcome outcome = runner.run({2, 1, 1});
  ASSERT_TRUE(outcome.stop);
  EXPECT_EQ(outcome.stop->kind, Stop::Kind::Fault);
  EXPECT_EQ(outcome.stop->what, "it reads outside of an argument: 'buffer 0' has 21 such elements, "
                                "and this is number 21");
}

TEST(InterpretTiles, WhatAMaskLeavesOutIsUndefined) {
  ProgramRunner runner(copyText(true, false));
  runner.add(iota(21));
  runner.add(std::vector<int32_t>(32, -1));
  runner.addNumber(21);
  ASSERT_TRUE(runner.run({2, 1, 1}));
  for (size_t i = 0; i < 32; ++i)
    EXPECT_EQ(runner.isUndefined(1, 4 * i), i >= 21);
}

TEST(InterpretTiles, ProgramsThatMeetAreNoticed) {
  const char *text = "(%o: !tt.ptr<i32>) {\n%p = tt.get_program_id x : i32\n"
                     "tt.store %o, %p : !tt.ptr<i32>\ntt.return\n}";
  ProgramRunner alone(text), together(text);
  alone.add(iota(1));
  together.add(iota(1));
  ASSERT_TRUE(alone.run({1, 1, 1}));
  ASSERT_TRUE(together.run({2, 1, 1}));
  EXPECT_FALSE(alone.memory.hasRaces);
  EXPECT_TRUE(together.memory.hasRaces);
}

TEST(InterpretTiles, AtomicSumsCount) {
  ProgramRunner runner(
      "(%o: !tt.ptr<i32>) {\n%one = arith.constant dense<1> : tensor<16xi32>\n"
      "%m = arith.constant dense<true> : tensor<16xi1>\n"
      "%ps = tt.splat %o : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>\n"
      "%old = tt.atomic_rmw add, acq_rel, gpu, %ps, %one, %m : (tensor<16x!tt.ptr<i32>>, "
      "tensor<16xi32>, tensor<16xi1>) -> tensor<16xi32>\ntt.return\n}");
  runner.add(std::vector<int32_t>(1));
  ASSERT_TRUE(runner.run({3, 1, 1}));
  EXPECT_EQ(runner.get<int32_t>(0)[0], 48);
  EXPECT_FALSE(runner.memory.hasRaces);
}

/// A block that hangs over both ends of a tensor of 3 x 6.
TEST(InterpretTiles, DescriptorsPadBlocks) {
  ProgramRunner runner(
      "(%a: !tt.ptr<i32>, %o: !tt.ptr<i32>) {\n" + matrixPointers("o", "i32", 4, 8) +
      "%h = arith.constant 3 : i32\n%w = arith.constant 6 : i32\n%s = arith.constant 6 : i64\n"
      "%one = arith.constant 1 : i64\n%i = arith.constant -1 : i32\n%j = arith.constant 2 : i32\n"
      "%d = tt.make_tensor_descriptor %a, [%h, %w], [%s, %one] : !tt.ptr<i32>, "
      "!tt.tensordesc<tensor<4x8xi32>>\n"
      "%x = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<4x8xi32>> -> tensor<4x8xi32>\n"
      "tt.store %op, %x : tensor<4x8x!tt.ptr<i32>>\ntt.return\n}");
  runner.add(iota(18));
  runner.add(std::vector<int32_t>(32, -1));
  ASSERT_TRUE(runner.run());
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j)
      EXPECT_EQ(runner.get<int32_t>(1)[i * 8 + j], i >= 1 && j + 2 < 6 ? (i - 1) * 6 + j + 2 : 0);
}

//===--------------------------------------------------------------------------===//
// Asynchronous copies
//===--------------------------------------------------------------------------===//

/// Copies 16 numbers by way of shared memory; WAIT waits for as many groups as are left.
std::string asyncText(const std::string &wait) {
  return R"((%a: !tt.ptr<i32>, %o: !tt.ptr<i32>) {
  %r = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #b>
  %as = tt.splat %a : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #b>
  %ap = tt.addptr %as, %r : tensor<16x!tt.ptr<i32>, #b>, tensor<16xi32, #b>
  %os = tt.splat %o : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #b>
  %op = tt.addptr %os, %r : tensor<16x!tt.ptr<i32>, #b>, tensor<16xi32, #b>
  %m = ttg.local_alloc : () -> !ttg.memdesc<16xi32, #s, #ttg.shared_memory, mutable>
  %t = ttg.async_copy_global_to_local %ap, %m : tensor<16x!tt.ptr<i32>, #b> -> <16xi32, #s, #ttg.shared_memory, mutable>
  %g = ttg.async_commit_group tokens %t
  %w = ttg.async_wait %g {num = )" +
         wait + R"( : i32}
  %x = ttg.local_load %m : !ttg.memdesc<16xi32, #s, #ttg.shared_memory, mutable> -> tensor<16xi32, #b>
  tt.store %op, %x : tensor<16x!tt.ptr<i32>, #b>
  tt.return
})";
}

constexpr const char *aliases =
    "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
    "[0]}>\n"
    "#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>";

TEST(InterpretTiles, CopiesAreThereAfterTheirWait) {
  for (const char *wait : {"0", "1"}) {
    ProgramRunner runner(asyncText(wait), aliases);
    runner.add(iota(16));
    runner.add(std::vector<int32_t>(16));
    ASSERT_TRUE(runner.run());
    for (size_t i = 0; i < 16; ++i)
      EXPECT_EQ(runner.isUndefined(1, 4 * i), std::string(wait) == "1");
    if (std::string(wait) == "0")
      EXPECT_EQ(runner.get<int32_t>(1), iota(16));
  }
}

/// A partition sends a number by a barrier; nobody sends, and the program hangs.
std::string partitionText(bool sends) {
  return R"((%o: !tt.ptr<i32>) {
  %m = ttg.local_alloc : () -> !ttg.memdesc<16xi32, #s, #ttg.shared_memory, mutable>
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #ttg.shared_memory, mutable>
  ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #s, #ttg.shared_memory, mutable>
  ttg.warp_specialize(%m, %bar) attributes {warpGroupStartIds = array<i32: 4>}
  default {
    %zero = arith.constant 0 : i32
    ttng.wait_barrier %bar, %zero : !ttg.memdesc<1xi64, #s, #ttg.shared_memory, mutable>
    %x = ttg.local_load %m : !ttg.memdesc<16xi32, #s, #ttg.shared_memory, mutable> -> tensor<16xi32, #b>
    %os = tt.splat %o : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #b>
    %r = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #b>
    %op = tt.addptr %os, %r : tensor<16x!tt.ptr<i32>, #b>, tensor<16xi32, #b>
    tt.store %op, %x : tensor<16x!tt.ptr<i32>, #b>
    ttg.warp_yield
  }
  partition0(%to: !ttg.memdesc<16xi32, #s, #ttg.shared_memory, mutable>, %tell: !ttg.memdesc<1xi64, #s, #ttg.shared_memory, mutable>) num_warps(4) {
    %r = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #b>
    ttg.local_store %r, %to : tensor<16xi32, #b> -> !ttg.memdesc<16xi32, #s, #ttg.shared_memory, mutable>
    )" +
         std::string(sends ? "ttng.arrive_barrier %tell, 1 : !ttg.memdesc<1xi64, #s, "
                             "#ttg.shared_memory, mutable>"
                           : "") +
         R"(
    ttg.warp_return
  } : (!ttg.memdesc<16xi32, #s, #ttg.shared_memory, mutable>, !ttg.memdesc<1xi64, #s, #ttg.shared_memory, mutable>) -> ()
  tt.return
})";
}

TEST(InterpretTiles, GroupsOfWarpsWaitForOneAnother) {
  ProgramRunner runner(partitionText(true), aliases);
  runner.add(std::vector<int32_t>(16, -1));
  const Outcome outcome = runner.run();
  ASSERT_TRUE(outcome) << outcome.stop->what;
  EXPECT_EQ(runner.get<int32_t>(0), iota(16));
}

TEST(InterpretTiles, AWaitWithoutAnArrivalIsAFault) {
  ProgramRunner runner(partitionText(false), aliases);
  runner.add(std::vector<int32_t>(16, -1));
  const Outcome outcome = runner.run();
  ASSERT_TRUE(outcome.stop);
  EXPECT_EQ(outcome.stop->what, "it waits for what never comes");
}

} // namespace
