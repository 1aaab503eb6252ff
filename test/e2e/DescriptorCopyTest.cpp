//===- DescriptorCopyTest.cpp - Descriptors by hardware and by pointers -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each kernel is compiled twice: with arguments that are known to be multiples of 16 its
// descriptors are tensor maps, whose blocks the tensor memory accelerator copies; otherwise they
// are pointers. Both give the same bits, for tiles inside, across and outside of the bounds, in
// loops of 1 to 5 stages, and however early copies are complete.
//
//===--------------------------------------------------------------------------===//

#include "DotKernel.h"
#include "IRText.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::test;
using simulate::AsyncCompletion;
using ::testing::HasSubstr;

namespace {

/// What a kernel of the descriptors is compiled and run with.
struct Kernel {
  std::string body;
  /// With ":16" where the copies need to know; '@' is the number of stages.
  std::string signature;
  std::vector<ArgumentValue> arguments;
  Grid grid = {};
  int numWarps = 4;
  std::string target = "cuda:90";
};

/// Compiled for its descriptors as tensor maps, or as pointers.
std::optional<CompiledKernel> compileWith(const Kernel &kernel, bool isByHardware, int stages) {
  static Compiler compiler;
  CompileOptions options = optionsFor(kernel.target);
  options.signature = replaceAll(kernel.signature, "@", std::to_string(stages));
  if (!isByHardware)
    options.signature = replaceAll(options.signature, ":16", "");
  options.numWarps = kernel.numWarps;
  CompileResult result = compiler.compile({"test.py", imports + kernel.body}, options);
  for (const Diagnostic &diagnostic : result.diagnostics)
    ADD_FAILURE() << render(diagnostic) << kernel.body;
  if (!result)
    return std::nullopt;
  const bool hasCopies = result.compilation->ttgir.find("ttng.async_tma") != std::string::npos;
  EXPECT_EQ(hasCopies, isByHardware) << result.compilation->ttgir;
  return result.compilation->kernel;
}

/// The bytes of all arrays after the run.
std::vector<std::vector<std::byte>> runOf(const Kernel &kernel, bool isByHardware, int stages,
                                          AsyncCompletion completion) {
  std::vector<std::vector<std::byte>> arrays;
  std::optional<CompiledKernel> compiled = compileWith(kernel, isByHardware, stages);
  if (!compiled)
    return arrays;
  std::vector<ArgumentValue> arguments = kernel.arguments;
  if (auto done = runWith(completion, *compiled, arguments, kernel.grid); !done)
    ADD_FAILURE() << render(done.error());
  for (const ArgumentValue &argument : arguments)
    if (auto array = std::get_if<HostArray>(&argument))
      arrays.push_back(array->bytes);
  return arrays;
}

/// Checks that both ways leave the same in all arrays, and something new in one of them.
void checkSame(const Kernel &kernel) {
  const auto expected = runOf(kernel, false, 1, AsyncCompletion::Late);
  std::vector<std::vector<std::byte>> before;
  for (const ArgumentValue &argument : kernel.arguments)
    if (auto array = std::get_if<HostArray>(&argument))
      before.push_back(array->bytes);
  EXPECT_FALSE(expected == before);
  const bool hasStages = kernel.signature.find('@') != std::string::npos;
  for (int stages : hasStages ? std::vector{1, 2, 3, 4, 5} : std::vector{3})
    for (AsyncCompletion completion : allCompletions) {
      SCOPED_TRACE(std::to_string(stages) + " stages" +
                   (completion == AsyncCompletion::Early ? ", early" : ""));
      EXPECT_TRUE(runOf(kernel, true, stages, completion) == expected);
    }
}

/// Random values of any type, by their bits.
HostArray filled(ElementType type, std::vector<int64_t> shape) { return quarters(type, shape, 7); }

/// Not what anything is written as.
HostArray blank(ElementType type, std::vector<int64_t> shape) {
  HostArray array = quarters(type, shape, 1);
  std::ranges::fill(array.bytes, std::byte(0x55));
  return array;
}

struct NamedType {
  ElementType type;
  std::string name;
};

const NamedType allTypes[] = {{ElementType::Int8, "i8"},      {ElementType::Int16, "i16"},
                              {ElementType::Int32, "i32"},    {ElementType::Int64, "i64"},
                              {ElementType::Float16, "fp16"}, {ElementType::BFloat16, "bf16"},
                              {ElementType::Float32, "fp32"}, {ElementType::Float64, "fp64"}};

/// Blocks at multiples of their size, from one before the tensor to one behind it.
TEST(DescriptorCopies, EachTypeAcrossTheBounds) {
  for (const NamedType &type : allTypes)
    for (auto [rows, columns] : {std::pair(8, 64), {16, 32}, {4, 16}, {1, 128}, {32, 16}}) {
      SCOPED_TRACE(type.name + " " + std::to_string(rows) + " x " + std::to_string(columns));
      const std::string body = R"(
@triton.jit
def kernel(in_ptr, out_ptr, m, n, pitch, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(in_ptr, [m, n], [pitch, 1], [BM, BN])
    target = tl.make_tensor_descriptor(out_ptr, [m, n], [pitch, 1], [BM, BN])
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    x = source.load([row - 1, column - 3])
    target.store([row, column], x)
)";
      checkSame({body,
                 "*" + type.name + ":16, *" + type.name + ":16, i32, i32, i32:16, " +
                     std::to_string(rows) + ", " + std::to_string(columns),
                 {filled(type.type, {37, 80}), blank(type.type, {37, 80}), int64_t(37), int64_t(75),
                  int64_t(80)},
                 {(37u + rows - 1) / rows + 1, (80u + columns - 1) / columns + 1}});
    }
}

TEST(DescriptorCopies, RanksOneToFive) {
  for (int rank : {1, 2, 3, 4, 5}) {
    SCOPED_TRACE(rank);
    std::string shape, strides, block, at;
    int64_t size = 16;
    std::vector<int64_t> pitches = {1};
    for (int dim = 1; dim < rank; ++dim) {
      pitches.insert(pitches.begin(), size);
      size *= 3;
    }
    for (int dim = 0; dim < rank; ++dim) {
      const bool isLast = dim + 1 == rank;
      shape += isLast ? "n, " : "3, ";
      strides += std::to_string(pitches[dim]) + ", ";
      block += isLast ? "8, " : "2, ";
      at += isLast ? "8 * i, " : "1, ";
    }
    const std::string body = R"(
@triton.jit
def kernel(in_ptr, out_ptr, n):
    source = tl.make_tensor_descriptor(in_ptr, [SHAPE], [STRIDES], [BLOCK])
    target = tl.make_tensor_descriptor(out_ptr, [SHAPE], [STRIDES], [BLOCK])
    for i in range(2):
        target.store([AT], source.load([AT]) + 1)
)";
    checkSame(
        {replaceAll(replaceAll(replaceAll(replaceAll(body, "SHAPE", shape), "STRIDES", strides),
                               "BLOCK", block),
                    "AT", at),
         "*fp32:16, *fp32:16, i32",
         {filled(ElementType::Float32, {size}), blank(ElementType::Float32, {size}), int64_t(13)}});
  }
}

/// Boxes of 256 at most, and no wider than the swizzle.
TEST(DescriptorCopies, BlocksOfSeveralBoxes) {
  for (auto [rows, columns] : {std::pair(512, 16), {8, 512}, {64, 256}}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
    checkSame(
        {R"(
@triton.jit
def kernel(in_ptr, out_ptr, m, n, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(in_ptr, [m, n], [n, 1], [BM, BN])
    target = tl.make_tensor_descriptor(out_ptr, [m, n], [n, 1], [BM, BN])
    target.store([0, 8], source.load([3, 0]))
)",
         "*fp16:16, *fp16:16, i32, i32:16, " + std::to_string(rows) + ", " +
             std::to_string(columns),
         {filled(ElementType::Float16, {rows + 1, columns}),
          blank(ElementType::Float16, {rows + 1, columns}), int64_t(rows + 1), int64_t(columns)}});
  }
}

TEST(DescriptorCopies, Padding) {
  for (const char *type : {"fp16", "bf16", "fp32"})
    checkSame({R"(
@triton.jit
def kernel(in_ptr, out_ptr, m, n):
    source = tl.make_tensor_descriptor(in_ptr, [m, n], [16, 1], [16, 16], padding_option="nan")
    rows = tl.arange(0, 16)
    x = source.load([-2, 4])
    tl.store(out_ptr + rows[:, None] * 16 + rows[None, :], tl.where(x == x, 1, 0))
)",
               std::string("*") + type + ":16, *i32, i32, i32",
               {filled(std::string(type) == "fp32"   ? ElementType::Float32
                       : std::string(type) == "bf16" ? ElementType::BFloat16
                                                     : ElementType::Float16,
                       {7, 16}),
                blank(ElementType::Int32, {256}), int64_t(7), int64_t(14)}});
}

/// Chosen, carried by a loop, made in a branch; one that another function gets is by pointers.
TEST(DescriptorCopies, ControlFlow) {
  checkSame({R"(
@triton.jit
def kernel(in_ptr, other_ptr, out_ptr, n, flag):
    first = tl.make_tensor_descriptor(in_ptr, [n], [1], [32])
    second = tl.make_tensor_descriptor(other_ptr, [n], [1], [32])
    if flag > 0:
        current = first
    else:
        current = tl.make_tensor_descriptor(other_ptr, [n - 3], [1], [32])
    total = tl.zeros((32,), dtype=tl.float32)
    for i in range(3):
        total += current.load([32 * i])
        current, second = second, current
    tl.store(out_ptr + tl.arange(0, 32), total)
)",
             "*fp32:16, *fp32:16, *fp32, i32, i32",
             {filled(ElementType::Float32, {96}), quarters(ElementType::Float32, {96}, 9),
              blank(ElementType::Float32, {32}), int64_t(90), int64_t(0)}});
}

class DescriptorLoops : public testing::TestWithParam<int> {};

/// Nothing but loads in the loop; as many tiles as there are stages, fewer and more.
TEST_P(DescriptorLoops, Sums) {
  checkSame({R"(
@triton.jit
def kernel(in_ptr, other_ptr, out_ptr, m, n, STAGES: tl.constexpr):
    source = tl.make_tensor_descriptor(in_ptr, [m, n], [64, 1], [16, 64])
    other = tl.make_tensor_descriptor(other_ptr, [m, n], [64, 1], [16, 64])
    total = tl.zeros((16, 64), dtype=tl.float32)
    for i in tl.range(0, tl.cdiv(m, 16), num_stages=STAGES):
        total = total * 0.5 + source.load([i * 16, 0]) * other.load([i * 16, 1])
    rows = tl.arange(0, 16)
    tl.store(out_ptr + rows[:, None] * 64 + tl.arange(0, 64)[None, :], total)
)",
             "*fp32:16, *fp32:16, *fp32, i32, i32, @",
             {filled(ElementType::Float32, {96, 64}), quarters(ElementType::Float32, {96, 64}, 9),
              blank(ElementType::Float32, {16, 64}), int64_t(16 * GetParam() - 5), int64_t(61)}});
}

/// A tile that is stored in every iteration, through one buffer, from one that is loaded early.
TEST_P(DescriptorLoops, Stores) {
  checkSame({R"(
@triton.jit
def kernel(in_ptr, out_ptr, m, n, STAGES: tl.constexpr):
    source = tl.make_tensor_descriptor(in_ptr, [m, n], [64, 1], [16, 64])
    target = tl.make_tensor_descriptor(out_ptr, [m, n], [64, 1], [16, 64])
    for i in tl.range(0, tl.cdiv(m, 16), num_stages=STAGES):
        target.store([i * 16, 0], source.load([i * 16, 0]) + 1)
)",
             "*fp32:16, *fp32:16, i32, i32, @",
             {filled(ElementType::Float32, {96, 64}), blank(ElementType::Float32, {96, 64}),
              int64_t(16 * GetParam() - 5), int64_t(61)}});
}

/// Attention's shape: two products in an iteration, and the second one's operand loaded for it.
TEST_P(DescriptorLoops, TwoProducts) {
  checkSame({R"(
@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, out_ptr, n, STAGES: tl.constexpr):
    q_desc = tl.make_tensor_descriptor(q_ptr, [64, 64], [64, 1], [64, 64])
    k_desc = tl.make_tensor_descriptor(k_ptr, [n, 64], [64, 1], [32, 64])
    v_desc = tl.make_tensor_descriptor(v_ptr, [n, 64], [64, 1], [32, 64])
    q = q_desc.load([0, 0])
    total = tl.zeros((64, 64), dtype=tl.float32)
    for i in tl.range(0, tl.cdiv(n, 32), num_stages=STAGES):
        p = tl.dot(q, k_desc.load([i * 32, 0]).T)
        total = tl.dot((p * 0.125).to(tl.float16), v_desc.load([i * 32, 0]), total)
    rows = tl.arange(0, 64)
    tl.store(out_ptr + rows[:, None] * 64 + rows[None, :], total)
)",
             "*fp16:16, *fp16:16, *fp16:16, *fp32, i32, @",
             {filled(ElementType::Float16, {64, 64}), quarters(ElementType::Float16, {192, 64}, 9),
              quarters(ElementType::Float16, {192, 64}, 10), blank(ElementType::Float32, {64, 64}),
              int64_t(32 * GetParam() - 5)}});
}

INSTANTIATE_TEST_SUITE_P(Trips, DescriptorLoops, testing::Values(1, 2, 3, 6));

/// A product of blocks of descriptors, in each order of B, with edges in all three dimensions.
TEST(DescriptorCopies, Products) {
  struct Types {
    ElementType type;
    std::string name, result;
  };
  for (const Types &types : {Types{ElementType::Float16, "fp16", "fp32"},
                             {ElementType::BFloat16, "bf16", "fp32"},
                             {ElementType::Float32, "fp32", "fp32"},
                             {ElementType::Float8E5M2, "fp8e5", "fp32"},
                             {ElementType::Int8, "i8", "i32"}})
    for (bool isTransposed : {false, true})
      for (int warps : types.type == ElementType::Float16 ? std::vector{4, 8} : std::vector{4}) {
        SCOPED_TRACE(types.name + (isTransposed ? ", [N, K], " : ", [K, N], ") +
                     std::to_string(warps) + " warps");
        std::string body = R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, m, n, k, STAGES: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, [m, k], [160, 1], [64, 64])
    b_desc = tl.make_tensor_descriptor(b_ptr, B_SHAPE, [160, 1], B_BLOCK)
    c_desc = tl.make_tensor_descriptor(c_ptr, [m, n], [160, 1], [64, 32])
    i = tl.program_id(0) * 64
    j = tl.program_id(1) * 32
    acc = tl.zeros((64, 32), dtype=TYPE)
    for l in tl.range(0, tl.cdiv(k, 64), num_stages=STAGES):
        a = a_desc.load([i, l * 64])
        b = B_LOAD
        acc = tl.dot(a, b, acc)
    c_desc.store([i, j], acc)
)";
        body = replaceAll(body, "B_SHAPE", isTransposed ? "[n, k]" : "[k, n]");
        body = replaceAll(body, "B_BLOCK", isTransposed ? "[32, 64]" : "[64, 32]");
        body = replaceAll(body, "B_LOAD",
                          isTransposed ? "b_desc.load([j, l * 64]).T" : "b_desc.load([l * 64, j])");
        body = replaceAll(body, "TYPE", types.result == "i32" ? "tl.int32" : "tl.float32");
        const ElementType result =
            types.result == "i32" ? ElementType::Int32 : ElementType::Float32;
        checkSame({body,
                   "*" + types.name + ":16, *" + types.name + ":16, *" + types.result +
                       ":16, i32, i32, i32, @",
                   {filled(types.type, {100, 160}), quarters(types.type, {160, 160}, 9),
                    blank(result, {100, 160}), int64_t(99), int64_t(45), int64_t(150)},
                   {2, 2},
                   warps});
      }
}

/// Three dimensions, the first of which is a program's.
TEST(DescriptorCopies, BatchedProducts) {
  checkSame(
      {R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, m, n, k, STAGES: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, [3, m, k], [64 * 160, 160, 1], [1, 64, 64])
    b_desc = tl.make_tensor_descriptor(b_ptr, [3, k, n], [160 * 64, 64, 1], [1, 64, 64])
    c_desc = tl.make_tensor_descriptor(c_ptr, [3, m, n], [64 * 64, 64, 1], [1, 64, 64])
    batch = tl.program_id(0)
    acc = tl.zeros((64, 64), dtype=tl.float32)
    for l in tl.range(0, tl.cdiv(k, 64), num_stages=STAGES):
        a = a_desc.load([batch, 0, l * 64]).reshape(64, 64)
        b = b_desc.load([batch, l * 64, 0]).reshape(64, 64)
        acc = tl.dot(a, b, acc)
    c_desc.store([batch, 0, 0], acc.reshape(1, 64, 64))
)",
       "*fp16:16, *fp16:16, *fp32:16, i32, i32, i32, @",
       {filled(ElementType::Float16, {3, 64, 160}), quarters(ElementType::Float16, {3, 160, 64}, 9),
        blank(ElementType::Float32, {3, 64, 64}), int64_t(61), int64_t(50), int64_t(150)},
       {3}});
}

/// Sums of whole numbers, which are exact in any order.
TEST(DescriptorCopies, Reductions) {
  for (auto [type, name, kind] : {std::tuple(ElementType::Float32, "fp32", "atomic_add"),
                                  {ElementType::Float16, "fp16", "atomic_add"},
                                  {ElementType::Int32, "i32", "atomic_add"},
                                  {ElementType::Int32, "i32", "atomic_min"},
                                  {ElementType::Int32, "i32", "atomic_max"},
                                  {ElementType::Int32, "i32", "atomic_xor"},
                                  {ElementType::UInt32, "u32", "atomic_max"}}) {
    SCOPED_TRACE(std::string(name) + " " + kind);
    checkSame({replaceAll(R"(
@triton.jit
def kernel(in_ptr, out_ptr, m, n):
    source = tl.make_tensor_descriptor(in_ptr, [m, n], [64, 1], [16, 32])
    target = tl.make_tensor_descriptor(out_ptr, [m, n], [64, 1], [16, 32])
    for i in range(0, 2):
        for j in range(0, 2):
            target.KIND([i * 16, j * 32], source.load([i * 16, j * 32]))
)",
                          "KIND", kind),
               std::string("*") + name + ":16, *" + name + ":16, i32, i32",
               {filled(type, {32, 64}), quarters(type, {32, 64}, 9), int64_t(29), int64_t(60)},
               {3}});
  }
}

/// Rows by index, also before the first and after the last.
TEST(DescriptorCopies, GatherAndScatter) {
  std::vector<int32_t> rows = {3, 3, 0, 8, 9, -1, 5, 100}, places = {8, 7, -2, 6, 1, 0, 40, 2};
  checkSame({R"(
@triton.jit
def kernel(in_ptr, out_ptr, rows_ptr, places_ptr, m, n, at):
    source = tl.make_tensor_descriptor(in_ptr, [m, n], [64, 1], [1, 32])
    target = tl.make_tensor_descriptor(out_ptr, [m, n], [64, 1], [1, 32])
    each = tl.arange(0, 8)
    x = source.gather(tl.load(rows_ptr + each), at)
    target.scatter(x + 1, tl.load(places_ptr + each), 32)
)",
             "*fp32:16, *fp32:16, *i32, *i32, i32, i32, i32",
             {filled(ElementType::Float32, {9, 64}), blank(ElementType::Float32, {9, 64}),
              toArray(rows), toArray(places), int64_t(9), int64_t(61), int64_t(-5)}});
}

/// Products by other instructions than Hopper's, from the same boxes.
TEST(DescriptorCopies, OtherTargets) {
  for (const char *target : {"cuda:100", "cuda:120"}) {
    SCOPED_TRACE(target);
    checkSame(
        {R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, m, n, k, STAGES: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, [m, k], [160, 1], [32, 64])
    b_desc = tl.make_tensor_descriptor(b_ptr, [n, k], [160, 1], [32, 64])
    c_desc = tl.make_tensor_descriptor(c_ptr, [m, n], [64, 1], [32, 32])
    acc = tl.zeros((32, 32), dtype=tl.float32)
    for l in tl.range(0, tl.cdiv(k, 64), num_stages=STAGES):
        acc = tl.dot(a_desc.load([0, l * 64]), b_desc.load([0, l * 64]).T, acc)
    c_desc.store([0, 0], acc)
)",
         "*fp16:16, *fp16:16, *fp32:16, i32, i32, i32, @",
         {filled(ElementType::Float16, {32, 160}), quarters(ElementType::Float16, {32, 160}, 9),
          blank(ElementType::Float32, {32, 64}), int64_t(31), int64_t(29), int64_t(150)},
         {1},
         4,
         target});
  }
}

/// What one program stores, the last of them reads: it is complete before a counter says so.
TEST(DescriptorCopies, StoredBeforeAnAtomicOperation) {
  checkSame({R"(
@triton.jit
def kernel(in_ptr, out_ptr, sum_ptr, count_ptr, n):
    source = tl.make_tensor_descriptor(in_ptr, [64, 64], [64, 1], [16, 64])
    target = tl.make_tensor_descriptor(out_ptr, [64, 64], [64, 1], [16, 64])
    total = 0
    for i in range(tl.program_id(0), 4, 2):
        target.store([i * 16, 0], source.load([i * 16, 0]) + 1)
        total = tl.atomic_add(count_ptr, 1)
    if total == 3:
        each = tl.arange(0, 64)
        rows = tl.load(out_ptr + each[:, None] * 64 + each[None, :])
        tl.store(sum_ptr + each, tl.sum(rows, axis=0))
)",
             "*fp32:16, *fp32:16, *fp32, *i32, i32",
             {filled(ElementType::Float32, {64, 64}), blank(ElementType::Float32, {64, 64}),
              blank(ElementType::Float32, {64}), toArray(std::vector<int32_t>{0}), int64_t(64)},
             {2}});
}

/// Of what the accelerator does not take nothing is given to it.
TEST(DescriptorCopies, ByPointersWhereItMust) {
  struct Case {
    std::string what, arguments, block, use;
  };
  for (const Case &each : {
           Case{"a stride of which nothing is known", "*fp32:16, *fp32:16, i32, i32", "[16, 16]",
                "y = d.load([0, 0])"},
           Case{"an address of which nothing is known", "*fp32, *fp32:16, i32:16, i32", "[16, 16]",
                "y = d.load([0, 0])"},
           Case{"a store whose coordinate may be negative", "*fp32:16, *fp32:16, i32:16, i32",
                "[16, 16]", "d.store([at, 0], y)"},
           Case{"a sum at a coordinate that may be negative", "*fp32:16, *fp32:16, i32:16, i32",
                "[16, 16]", "d.atomic_add([0, at], y)"},
           Case{"rows that are no multiple of 128 bytes", "*fp32:16, *fp32:16, i32:16, i32",
                "[1, 16]", "y = d.gather(tl.arange(0, 16), 0)"},
           Case{"a block that is too large to be staged", "*fp32:16, *fp32:16, i32:16, i32",
                "[256, 256]", "y = tl.sum(d.load([0, 0]).reshape(16, 16, 256), axis=2)"},
       }) {
    SCOPED_TRACE(each.what);
    std::string body = R"(
@triton.jit
def kernel(in_ptr, out_ptr, n, at):
    d = tl.make_tensor_descriptor(in_ptr, [n, n], [n, 1], BLOCK)
    each = tl.arange(0, 16)
    y = tl.full((16, 16), 1.0, dtype=tl.float32)
    USE
    tl.store(out_ptr + each[:, None] * 16 + each[None, :], y)
)";
    body = replaceAll(replaceAll(body, "BLOCK", each.block), "USE", each.use);
    CompileOptions options = optionsFor("cuda:90");
    options.signature = each.arguments;
    CompileResult result = Compiler().compile({"test.py", imports + body}, options);
    ASSERT_TRUE(result) << render(result.diagnostics.front());
    EXPECT_THAT(result.compilation->ttgir, ::testing::Not(HasSubstr("ttng.")));
    const bool isLoad = each.use.starts_with("y");
    const bool isSum = each.use.find("atomic") != std::string::npos;
    EXPECT_THAT(result.compilation->ttgir, HasSubstr(isLoad  ? "tt.load"
                                                     : isSum ? "tt.atomic_rmw"
                                                             : "tt.store"));
  }
}

/// Faults that the passes must not make, made in what they leave.
TEST(DescriptorCopies, FaultsAreFound) {
  Kernel kernel = {
      R"(
@triton.jit
def kernel(in_ptr, out_ptr, m, STAGES: tl.constexpr):
    source = tl.make_tensor_descriptor(in_ptr, [m, 64], [64, 1], [16, 64])
    total = tl.zeros((16, 64), dtype=tl.float32)
    for i in tl.range(0, tl.cdiv(m, 16), num_stages=STAGES):
        total = total * 0.5 + source.load([i * 16, 0])
    rows = tl.arange(0, 16)
    tl.store(out_ptr + rows[:, None] * 64 + tl.arange(0, 64)[None, :], total)
)",
      "*fp32:16, *fp32, i32, @",
      {filled(ElementType::Float32, {96, 64}), blank(ElementType::Float32, {16, 64}), int64_t(96)}};
  CompileOptions options = optionsFor("cuda:90");
  options.signature = replaceAll(kernel.signature, "@", "3");
  CompileResult result = Compiler().compile({"test.py", imports + kernel.body}, options);
  ASSERT_TRUE(result);
  const std::string text = result.compilation->ttgir;
  auto faultOf = [&](const std::string &from, const std::string &to) {
    std::string damaged = replaceAll(text, from, to);
    EXPECT_NE(damaged, text) << text;
    const CompiledKernel compiled = compileGoodText(damaged);
    return faultsOf([&](AsyncCompletion completion) -> Expected<void> {
      std::vector<ArgumentValue> arguments = kernel.arguments;
      return runWith(completion, compiled, arguments, {});
    });
  };
  // The other phase: waits for a copy that is not there, or for none.
  for (const std::string &error : faultOf("arith.xori", "arith.andi"))
    EXPECT_THAT(error, HasSubstr("wait"));
  // The buffer that the next iteration has still to read.
  for (const std::string &error : faultOf("= %c1_i32, %", "= %c0_i32, %"))
    EXPECT_THAT(error, ::testing::Not(HasSubstr("no error")));
  // Half the bytes.
  for (const std::string &error : faultOf(", 4096, ", ", 2048, "))
    EXPECT_THAT(error, ::testing::Not(HasSubstr("no error")));
}

} // namespace
