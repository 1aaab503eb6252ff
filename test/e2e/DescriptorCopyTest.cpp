//===- DescriptorCopyTest.cpp - Blocks of descriptors by hardware -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Blocks inside, across and outside of the bounds of tensors, of all types and ranks; and which
// descriptors are not given to the hardware.
//
//===--------------------------------------------------------------------------===//

#include "DescriptorKernel.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::test;
using ::testing::HasSubstr;

namespace {

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
    x = source.load([row - 1, column - 16])
    target.store([row, column], x)
)";
      checkSame({body,
                 "*" + type.name + ":16, *" + type.name + ":16, i32, i32:16, i32:16, " +
                     std::to_string(rows) + ", " + std::to_string(columns),
                 {filled(type.type, {37, 80}), blank(type.type, {37, 80}), int64_t(37), int64_t(64),
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
         "*fp32:16, *fp32:16, i32:16",
         {filled(ElementType::Float32, {size}), blank(ElementType::Float32, {size}), int64_t(16)}});
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
    x = source.load([-2, 8])
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

/// Sums of whole numbers, which are exact in any order.
TEST(DescriptorCopies, Reductions) {
  for (auto [type, name, kind] : {std::tuple(ElementType::Float32, "fp32", "atomic_add"),
                                  {ElementType::Float16, "fp16", "atomic_add"},
                                  {ElementType::Float16, "fp16", "atomic_min"},
                                  {ElementType::BFloat16, "bf16", "atomic_max"},
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
               std::string("*") + name + ":16, *" + name + ":16, i32, i32:16",
               {filled(type, {32, 64}), quarters(type, {32, 64}, 9), int64_t(29), int64_t(48)},
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
             "*fp32:16, *fp32:16, *i32, *i32, i32, i32:16, i32:16",
             {filled(ElementType::Float32, {9, 64}), blank(ElementType::Float32, {9, 64}),
              toArray(rows), toArray(places), int64_t(9), int64_t(48), int64_t(-16)}});
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
    std::string what, arguments, block, use, shape = "[n, n]";
  };
  for (const Case &each : {
           Case{"a stride of which nothing is known", "*fp32:16, *fp32:16, i32, i32", "[16, 16]",
                "y = d.load([0, 0])"},
           Case{"an address of which nothing is known", "*fp32, *fp32:16, i32:16, i32", "[16, 16]",
                "y = d.load([0, 0])"},
           Case{"a column of which nothing is known", "*fp32:16, *fp32:16, i32:16, i32", "[16, 16]",
                "y = d.load([0, at])"},
           Case{"a store to rows of which nothing is known", "*fp32:16, *fp32:16, i32:16, i32",
                "[16, 16]", "d.store([0, 0], y)", "[n, at]"},
           Case{"a store whose coordinate may be negative", "*fp32:16, *fp32:16, i32:16, i32",
                "[16, 16]", "d.store([at, 0], y)"},
           Case{"a sum at a coordinate that may be negative", "*fp32:16, *fp32:16, i32:16, i32",
                "[16, 16]", "d.atomic_add([at, 0], y)"},
           Case{"rows that are no multiple of 128 bytes", "*fp32:16, *fp32:16, i32:16, i32",
                "[1, 16]", "y = d.gather(tl.arange(0, 16), 0)"},
           Case{"a block that is too large to be staged", "*fp32:16, *fp32:16, i32:16, i32",
                "[256, 256]", "y = tl.sum(d.load([0, 0]).reshape(16, 16, 256), axis=2)"},
       }) {
    SCOPED_TRACE(each.what);
    std::string body = R"(
@triton.jit
def kernel(in_ptr, out_ptr, n, at):
    d = tl.make_tensor_descriptor(in_ptr, SHAPE, [n, 1], BLOCK)
    each = tl.arange(0, 16)
    y = tl.full((16, 16), 1.0, dtype=tl.float32)
    USE
    tl.store(out_ptr + each[:, None] * 16 + each[None, :], y)
)";
    body = replaceAll(replaceAll(body, "BLOCK", each.block), "USE", each.use);
    body = replaceAll(body, "SHAPE", each.shape);
    CompileOptions options = optionsFor("cuda:90");
    options.signature = each.arguments;
    noteRun();
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

} // namespace
