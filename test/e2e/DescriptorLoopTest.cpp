//===- DescriptorLoopTest.cpp - Blocks of descriptors in loops ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Loops of 1 to 5 stages that load, store and multiply blocks, with fewer and more iterations than
// there are stages; and faults in what the passes leave, which the simulator finds.
//
//===--------------------------------------------------------------------------===//

#include "DescriptorKernel.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::test;
using simulate::AsyncCompletion;
using ::testing::HasSubstr;

namespace {

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
        total = total * 0.5 + source.load([i * 16, 0]) * other.load([i * 16, 16])
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
             "*fp32:16, *fp32:16, i32, i32:16, @",
             {filled(ElementType::Float32, {96, 64}), blank(ElementType::Float32, {96, 64}),
              int64_t(16 * GetParam() - 5), int64_t(48)}});
}

/// Rows that are gathered early, by indices that are there before the loop; and sums of tiles.
TEST_P(DescriptorLoops, GathersAndSums) {
  checkSame({R"(
@triton.jit
def kernel(in_ptr, out_ptr, rows_ptr, m, n, STAGES: tl.constexpr):
    source = tl.make_tensor_descriptor(in_ptr, [m, 256], [256, 1], [1, 32])
    target = tl.make_tensor_descriptor(out_ptr, [16, 32], [32, 1], [16, 32])
    rows = tl.load(rows_ptr + tl.arange(0, 16))
    for i in tl.range(0, n, num_stages=STAGES):
        target.atomic_add([0, 0], source.gather(rows, i * 32) * 2)
)",
             "*fp32:16, *fp32:16, *i32, i32, i32, @",
             {filled(ElementType::Float32, {9, 256}), quarters(ElementType::Float32, {16, 32}, 9),
              toArray(std::vector<int32_t>{3, 3, 0, 8, 9, -1, 5, 100, 1, 2, 4, 6, 7, 0, 8, 5}),
              int64_t(9), int64_t(GetParam())}});
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
TEST(DescriptorProducts, EachTypeAndOrder) {
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
                       ":16, i32, i32:16, i32, @",
                   {filled(types.type, {100, 160}), quarters(types.type, {160, 160}, 9),
                    blank(result, {100, 160}), int64_t(50), int64_t(48), int64_t(150)},
                   {1, 2},
                   warps});
      }
}

/// Three dimensions, the first of which is a program's.
TEST(DescriptorProducts, Batches) {
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
       "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, i32, @",
       {filled(ElementType::Float16, {3, 64, 160}), quarters(ElementType::Float16, {3, 160, 64}, 9),
        blank(ElementType::Float32, {3, 64, 64}), int64_t(61), int64_t(48), int64_t(150)},
       {3}});
}

/// Products by other instructions than Hopper's, from the same boxes.
TEST(DescriptorProducts, OtherTargets) {
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
         "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, i32, @",
         {filled(ElementType::Float16, {32, 160}), quarters(ElementType::Float16, {32, 160}, 9),
          blank(ElementType::Float32, {32, 64}), int64_t(31), int64_t(16), int64_t(150)},
         {1},
         4,
         target});
  }
}

/// Faults that the passes must not make, made in what they leave.
TEST(DescriptorFaults, AreFound) {
  DescriptorKernel kernel = {
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
  noteRun();
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
