//===- LocalMemoryTest.cpp - Shared memory, from IR with layouts --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Kernels as .ttgir text: a 64x64 tile of random bits goes to shared memory and comes back another
// way. Types, shared encodings and numbers of warps are put into the text.
//
//===--------------------------------------------------------------------------===//

#include "IRText.h"
#include "RunKernel.h"

using namespace tilewright;
using namespace tilewright::test;

namespace {

constexpr int size = 64;

struct LocalType {
  const char *name;
  ElementType type;
};

const LocalType allTypes[] = {
    {"i8", ElementType::Int8},     {"i16", ElementType::Int16},   {"i32", ElementType::Int32},
    {"i64", ElementType::Int64},   {"f16", ElementType::Float16}, {"bf16", ElementType::BFloat16},
    {"f32", ElementType::Float32}, {"f64", ElementType::Float64}, {"f8E4M3FN", ElementType::Int8},
    {"f8E5M2", ElementType::Int8},
};
const LocalType fewTypes[] = {
    {"i8", ElementType::Int8}, {"f16", ElementType::Float16}, {"f32", ElementType::Float32}};

int bitsOf(const LocalType &type) { return static_cast<int>(8 * sizeOf(type.type)); }

/// Encodings of a matrix by rows, and what each is by columns after a transposition. `%BITS%`
/// stands for the bits of an element.
struct Shared {
  const char *rows, *columns;
  int maxBits = 64;
};

const Shared encodings[] = {
    {"#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>",
     "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>"},
    {"#ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 8, order = [1, 0]}>",
     "#ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 8, order = [0, 1]}>"},
    {"#ttg.padded_shared<[64:+4] {order = [1, 0], shape = [64, 64]}>",
     "#ttg.padded_shared<[64:+4] {order = [0, 1], shape = [64, 64]}>"},
    {"#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = %BITS%}>",
     "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = %BITS%}>",
     32},
};

/// A tensor of pointers `%NAME` to rows x columns elements from `base` on, which lie in rows of 64.
std::string pointers(const std::string &name, const std::string &base, const std::string &layout,
                     int rows = size, int columns = size) {
  const char *text = R"(
    %N_r = tt.make_range {start = 0 : i32, end = R : i32} : tensor<Rxi32, #ttg.slice<{dim = 1, parent = L}>>
    %N_r1 = tt.expand_dims %N_r {axis = 1 : i32} : tensor<Rxi32, #ttg.slice<{dim = 1, parent = L}>> -> tensor<Rx1xi32, L>
    %N_s = arith.constant dense<64> : tensor<Rx1xi32, L>
    %N_rs = arith.muli %N_r1, %N_s : tensor<Rx1xi32, L>
    %N_row = tt.broadcast %N_rs : tensor<Rx1xi32, L> -> tensor<RxCxi32, L>
    %N_c = tt.make_range {start = 0 : i32, end = C : i32} : tensor<Cxi32, #ttg.slice<{dim = 0, parent = L}>>
    %N_c1 = tt.expand_dims %N_c {axis = 0 : i32} : tensor<Cxi32, #ttg.slice<{dim = 0, parent = L}>> -> tensor<1xCxi32, L>
    %N_column = tt.broadcast %N_c1 : tensor<1xCxi32, L> -> tensor<RxCxi32, L>
    %N_offset = arith.addi %N_row, %N_column : tensor<RxCxi32, L>
    %N_base = tt.splat %BASE : !tt.ptr<%T%> -> tensor<RxCx!tt.ptr<%T%>, L>
    %N = tt.addptr %N_base, %N_offset : tensor<RxCx!tt.ptr<%T%>, L>, tensor<RxCxi32, L>
)";
  // Names first: no other letter stands alone in them.
  std::string result = replaceAll(text, "%N", "%" + name);
  result = replaceAll(result, "%BASE", base);
  result = replaceAll(result, "tensor<RxC",
                      "tensor<" + std::to_string(rows) + "x" + std::to_string(columns));
  result = replaceAll(result, "<Rx", "<" + std::to_string(rows) + "x");
  result = replaceAll(result, "<Cx", "<" + std::to_string(columns) + "x");
  result = replaceAll(result, "<1xCx", "<1x" + std::to_string(columns) + "x");
  result = replaceAll(result, "end = R ", "end = " + std::to_string(rows) + " ");
  result = replaceAll(result, "end = C ", "end = " + std::to_string(columns) + " ");
  result = replaceAll(result, "parent = L}", "parent = " + layout + "}");
  return replaceAll(result, ", L>", ", " + layout + ">");
}

struct Case {
  /// What the kernel does between `%x`, the tile by rows, and a store through pointers `%outs`,
  /// which it makes itself. `n` is an argument, 2.
  std::string body;
  LocalType type;
  Shared shared;
  int numWarps;
};

/// Compiles and runs the kernel; out has `size` rows of 64 elements.
HostArray runCase(const Case &c, const HostArray &x) {
  const std::string warps = std::to_string(c.numWarps);
  std::string text = R"(
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [%L%, 8], warpsPerCTA = [%W%, 1], order = [1, 0]}>
#t = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [8, %L%], warpsPerCTA = [1, %W%], order = [0, 1]}>
#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [%LANES%], warpsPerCTA = [%W%], order = [0]}>
#rows = %ROWS%
#columns = %COLUMNS%
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = %W% : i32, ttg.target = "%TARGET%", "ttg.threads-per-warp" = %LANES% : i32} {
  tt.func public @kernel(%x_ptr: !tt.ptr<%T%> {tt.divisibility = 16 : i32}, %out_ptr: !tt.ptr<%T%> {tt.divisibility = 16 : i32}, %n: i32) {
)" + pointers("xs", "%x_ptr", "#b") +
                     c.body + R"(
    tt.return
  }
}
)";
  text = replaceAll(text, "%ROWS%", c.shared.rows);
  text = replaceAll(text, "%COLUMNS%", c.shared.columns);
  text = replaceAll(text, "%BITS%", std::to_string(bitsOf(c.type)));
  text = replaceAll(text, "%W%", warps);
  text = replaceAll(text, "%LANES%", std::to_string(lanesOfDefaultTarget()));
  text = replaceAll(text, "%L%", std::to_string(lanesOfDefaultTarget() / 8));
  text = replaceAll(text, "%TARGET%", *optionsFor(defaultTarget()).target);
  text = replaceAll(text, "%T%", c.type.name);
  HostArray out = x;
  std::ranges::fill(out.bytes, std::byte(0x55));
  std::vector<ArgumentValue> arguments = {x, out, int64_t(2)};

  const CompiledKernel compiled = compileGoodText(text);
  if (testing::Test::HasFailure())
    return out;
  if (auto done = runKernel(compiled, Grid{}, arguments); !done)
    ADD_FAILURE() << render(done.error());
  return std::get<HostArray>(arguments[1]);
}

/// Nothing, as an element of the input: the output was not written there.
constexpr int untouched = -1;
/// The same with zero.
constexpr int zero = -2;

/// Element (i, j) of the output has the bits of element `source(i, j)` of the input.
void testCase(const Case &c, const std::function<int(int, int)> &source) {
  SCOPED_TRACE(std::string(c.type.name) + " " + c.shared.rows + " warps " +
               std::to_string(c.numWarps));
  HostArray x;
  x.type = c.type.type;
  x.shape = {size * size};
  x.bytes.resize(size * size * sizeOf(x.type));
  std::mt19937 generator(95);
  for (std::byte &byte : x.bytes)
    byte = static_cast<std::byte>(generator());
  HostArray out = runCase(c, x);
  const size_t bytes = sizeOf(x.type);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      const int from = source(i, j);
      std::vector<std::byte> expected(bytes, from == zero ? std::byte(0) : std::byte(0x55));
      if (from >= 0)
        std::copy_n(x.bytes.begin() + from * bytes, bytes, expected.begin());
      ASSERT_TRUE(
          std::equal(expected.begin(), expected.end(), out.bytes.begin() + (i * size + j) * bytes))
          << "element " << i << ", " << j;
    }
}

/// Every type in every encoding, for 4 and 8 warps in turn: with fewer, a thread has so many
/// elements that compiling takes long; EveryNumberOfWarps has those.
void testAll(const std::string &body, std::span<const LocalType> types,
             std::span<const Shared> shared, const std::function<int(int, int)> &source) {
  unsigned turn = 0;
  for (const LocalType &type : types) {
    for (const Shared &encoding : shared)
      if (bitsOf(type) <= encoding.maxBits)
        testCase({body, type, encoding, turn++ % 2 ? 8 : 4}, source);
    // The next type has other warps in the same encoding.
    ++turn;
  }
}

const std::string loadX = "    %x = tt.load %xs : tensor<64x64x!tt.ptr<%T%>, #b>\n";

int atSamePlace(int i, int j) { return i * size + j; }

// Stored by rows, loaded by columns.
TEST(LocalMemory, AllocationsOfEveryType) {
  testAll(loadX + pointers("outs", "%out_ptr", "#t") + R"(
    %m = ttg.local_alloc %x : (tensor<64x64x%T%, #b>) -> !ttg.memdesc<64x64x%T%, #rows, #smem>
    %y = ttg.local_load %m : !ttg.memdesc<64x64x%T%, #rows, #smem> -> tensor<64x64x%T%, #t>
    tt.store %outs, %y : tensor<64x64x!tt.ptr<%T%>, #t>
)",
          allTypes, encodings, atSamePlace);
}

TEST(LocalMemory, EveryNumberOfWarps) {
  for (int numWarps : {1, 2, 4, 8})
    testCase({loadX + pointers("outs", "%out_ptr", "#t") + R"(
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64x%T%, #rows, #smem, mutable>
    ttg.local_store %x, %m : tensor<64x64x%T%, #b> -> !ttg.memdesc<64x64x%T%, #rows, #smem, mutable>
    %y = ttg.local_load %m : !ttg.memdesc<64x64x%T%, #rows, #smem, mutable> -> tensor<64x64x%T%, #t>
    ttg.local_dealloc %m : !ttg.memdesc<64x64x%T%, #rows, #smem, mutable>
    tt.store %outs, %y : tensor<64x64x!tt.ptr<%T%>, #t>
)",
              fewTypes[1], encodings[1], numWarps},
             atSamePlace);
}

// One of three buffers, by a number known at run time only; another one holds something else.
TEST(LocalMemory, BuffersByIndex) {
  testAll(loadX + pointers("outs", "%out_ptr", "#t") + R"(
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<3x64x64x%T%, #rows, #smem, mutable>
    %a = ttg.memdesc_index %m[%n] : !ttg.memdesc<3x64x64x%T%, #rows, #smem, mutable> -> !ttg.memdesc<64x64x%T%, #rows, #smem, mutable>
    %b = ttg.memdesc_index %m[%c1] : !ttg.memdesc<3x64x64x%T%, #rows, #smem, mutable> -> !ttg.memdesc<64x64x%T%, #rows, #smem, mutable>
    ttg.local_store %x, %a : tensor<64x64x%T%, #b> -> !ttg.memdesc<64x64x%T%, #rows, #smem, mutable>
    %y = ttg.local_load %a : !ttg.memdesc<64x64x%T%, #rows, #smem, mutable> -> tensor<64x64x%T%, #t>
    ttg.local_store %y, %b : tensor<64x64x%T%, #t> -> !ttg.memdesc<64x64x%T%, #rows, #smem, mutable>
    ttg.local_store %x, %a : tensor<64x64x%T%, #b> -> !ttg.memdesc<64x64x%T%, #rows, #smem, mutable>
    %z = ttg.local_load %b : !ttg.memdesc<64x64x%T%, #rows, #smem, mutable> -> tensor<64x64x%T%, #t>
    tt.store %outs, %z : tensor<64x64x!tt.ptr<%T%>, #t>
)",
          fewTypes, std::span(encodings).first(2), atSamePlace);
}

// A part of the matrix, from its middle.
TEST(LocalMemory, PartsOfAMatrix) {
  testAll(loadX + pointers("outs", "%out_ptr", "#b", 32, 16) + R"(
    %m = ttg.local_alloc %x : (tensor<64x64x%T%, #b>) -> !ttg.memdesc<64x64x%T%, #rows, #smem>
    %p = ttg.memdesc_subslice %m[32, 48] : !ttg.memdesc<64x64x%T%, #rows, #smem> -> !ttg.memdesc<32x16x%T%, #rows, #smem, 64x64>
    %y = ttg.local_load %p : !ttg.memdesc<32x16x%T%, #rows, #smem, 64x64> -> tensor<32x16x%T%, #b>
    tt.store %outs, %y : tensor<32x16x!tt.ptr<%T%>, #b>
)",
          fewTypes, std::span(encodings).first(3),
          [](int i, int j) { return i < 32 && j < 16 ? (i + 32) * size + j + 48 : untouched; });
}

TEST(LocalMemory, Transposed) {
  testAll(loadX + pointers("outs", "%out_ptr", "#t") + R"(
    %m = ttg.local_alloc %x : (tensor<64x64x%T%, #b>) -> !ttg.memdesc<64x64x%T%, #rows, #smem>
    %p = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<64x64x%T%, #rows, #smem> -> !ttg.memdesc<64x64x%T%, #columns, #smem>
    %y = ttg.local_load %p : !ttg.memdesc<64x64x%T%, #columns, #smem> -> tensor<64x64x%T%, #t>
    tt.store %outs, %y : tensor<64x64x!tt.ptr<%T%>, #t>
)",
          fewTypes, encodings, [](int i, int j) { return j * size + i; });
}

// As one row of elements, and those as the bytes they are of.
TEST(LocalMemory, ReshapedAndReinterpreted) {
  const std::string flatPointers = R"(
    %o = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32, #v>
    %ob = tt.splat %out_ptr : !tt.ptr<%T%> -> tensor<4096x!tt.ptr<%T%>, #v>
    %outs = tt.addptr %ob, %o : tensor<4096x!tt.ptr<%T%>, #v>, tensor<4096xi32, #v>
    %m = ttg.local_alloc %x : (tensor<64x64x%T%, #b>) -> !ttg.memdesc<64x64x%T%, #rows, #smem>
)";
  testAll(loadX + flatPointers + R"(
    %p = ttg.memdesc_reshape %m : !ttg.memdesc<64x64x%T%, #rows, #smem> -> !ttg.memdesc<4096x%T%, #flat, #smem>
    %y = ttg.local_load %p : !ttg.memdesc<4096x%T%, #flat, #smem> -> tensor<4096x%T%, #v>
    tt.store %outs, %y : tensor<4096x!tt.ptr<%T%>, #v>
)",
          fewTypes, std::span(encodings).first(1), atSamePlace);
  testAll(loadX + flatPointers + R"(
    %p = ttg.memdesc_reinterpret %m : !ttg.memdesc<64x64xf32, #rows, #smem> -> !ttg.memdesc<4096xi32, #flat, #smem>
    %i = ttg.local_load %p : !ttg.memdesc<4096xi32, #flat, #smem> -> tensor<4096xi32, #v>
    %y = tt.bitcast %i : tensor<4096xi32, #v> -> tensor<4096xf32, #v>
    tt.store %outs, %y : tensor<4096x!tt.ptr<f32>, #v>
)",
          std::span(fewTypes).last(1), std::span(encodings).first(1), atSamePlace);
}

/// `%index`: (i + j) % 64 for each element, by rows.
const std::string indices = R"(
    %sum_r = tt.expand_dims %xs_r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
    %sum_row = tt.broadcast %sum_r : tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>
    %sum = arith.addi %sum_row, %xs_column : tensor<64x64xi32, #b>
    %c63 = arith.constant dense<63> : tensor<64x64xi32, #b>
    %index = arith.andi %sum, %c63 : tensor<64x64xi32, #b>
)";

// Along either dimension.
TEST(LocalMemory, Gathered) {
  for (int axis : {0, 1})
    testAll(replaceAll(loadX + indices + pointers("outs", "%out_ptr", "#b") + R"(
    %m = ttg.local_alloc %x : (tensor<64x64x%T%, #b>) -> !ttg.memdesc<64x64x%T%, #rows, #smem>
    %y = ttg.local_gather %m[%index] {axis = AXIS : i32} : !ttg.memdesc<64x64x%T%, #rows, #smem>, tensor<64x64xi32, #b> -> tensor<64x64x%T%, #b>
    tt.store %outs, %y : tensor<64x64x!tt.ptr<%T%>, #b>
)",
                       "AXIS", std::to_string(axis)),
            fewTypes, encodings, [&](int i, int j) {
              const int index = (i + j) % size;
              return axis == 0 ? index * size + j : i * size + index;
            });
}

TEST(LocalMemory, Scattered) {
  for (int axis : {0, 1})
    testAll(replaceAll(loadX + indices + pointers("outs", "%out_ptr", "#t") + R"(
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64x%T%, #rows, #smem, mutable>
    ttg.local_scatter %m[%index], %x {axis = AXIS : i32} : !ttg.memdesc<64x64x%T%, #rows, #smem, mutable>, tensor<64x64xi32, #b>, tensor<64x64x%T%, #b>
    %y = ttg.local_load %m : !ttg.memdesc<64x64x%T%, #rows, #smem, mutable> -> tensor<64x64x%T%, #t>
    tt.store %outs, %y : tensor<64x64x!tt.ptr<%T%>, #t>
)",
                       "AXIS", std::to_string(axis)),
            fewTypes, encodings, [&](int i, int j) {
              // Element (a, j) went to row (a + j) % 64, or (i, a) to that column.
              return axis == 0 ? (i - j + size) % size * size + j
                               : i * size + (j - i + size) % size;
            });
}

// Masked: what is not copied is zero.
TEST(LocalMemory, CopiedAsynchronously) {
  testAll(pointers("outs", "%out_ptr", "#t") + R"(
    %limit = arith.constant dense<3000> : tensor<64x64xi32, #b>
    %mask = arith.cmpi slt, %xs_offset, %limit : tensor<64x64xi32, #b>
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64x%T%, #rows, #smem, mutable>
    %k = ttg.async_copy_global_to_local %xs, %m mask %mask : tensor<64x64x!tt.ptr<%T%>, #b> -> <64x64x%T%, #rows, #smem, mutable>
    %g = ttg.async_commit_group tokens %k
    %w = ttg.async_wait %g {num = 0 : i32}
    %y = ttg.local_load %m token %w : !ttg.memdesc<64x64x%T%, #rows, #smem, mutable> -> tensor<64x64x%T%, #t>
    tt.store %outs, %y : tensor<64x64x!tt.ptr<%T%>, #t>
)",
          allTypes, encodings, [](int i, int j) {
            const int place = i * size + j;
            return place < 3000 ? place : zero;
          });
}

} // namespace
