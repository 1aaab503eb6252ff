//===- WarpGroupTest.cpp - wgmma and what goes wrong with it ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Kernels of one warpgroup: d = a @ b, f16 of 64 x 16 by 16 x 8, both in shared memory without a
// swizzle, as core matrices of 8 rows of 16 bytes. a is 1 everywhere, b is column + 1 (in row n of
// its core matrices): so d has 16 * (n + 1) in column n. Each fault is planted once, and is found
// however early products complete.
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::ArgumentValue;
using runtime::HostArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

constexpr int threads = 128;
/// a has 16 core matrices of 128 bytes, 8 along M for each of 2 along K; b has 2.
constexpr int aBytes = 16 * 128, bBytes = 2 * 128;

/// Descriptor fields: 128 bytes from a core matrix to the next along K for b and 8 * 128 for a,
/// and 128 to the next along M.
constexpr uint64_t aForm = uint64_t(8 * 128 / 16) << 16 | uint64_t(128 / 16) << 32;
constexpr uint64_t bForm = uint64_t(128 / 16) << 16 | uint64_t(16 / 16) << 32;

/// `%a` and `%b` are the descriptors; each thread stores its part of both matrices first, and `%y`
/// points to its result.
CompiledKernel productKernel(const std::string &body, int bOffset = aBytes, int warps = 4) {
  std::string text = R"(
    declare void @llvm.nvvm.wgmma.fence.sync.aligned()
    declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
    declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
    declare void @llvm.nvvm.fence.proxy.async.shared_cta()
    declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
    declare void @llvm.nvvm.cp.async.wait.all()
    declare {float, float, float, float} @tilewright.wgmma.m64n8k16.f32.f16.f16.ss(float, float, float, float, i64, i64, i1, i1, i1)
    declare {float, float, float, float} @tilewright.wgmma.wait_group.f32x4(i32, float, float, float, float)
    define ptx_kernel void @k(ptr addrspace(1) %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %y = getelementptr float, ptr addrspace(1) %out, i32 %t
      %base = ptrtoint ptr addrspace(3) @global_smem to i32
      %aOffset = shl i32 %t, 4
      %aPlace = getelementptr i8, ptr addrspace(3) @global_smem, i32 %aOffset
      store <8 x half> splat (half 1.0), ptr addrspace(3) %aPlace, align 16
      %isB = icmp ult i32 %t, 16
      br i1 %isB, label %storeB, label %stored
    storeB:
      %bOffset = add i32 %aOffset, )" +
                     std::to_string(aBytes) + R"(
      %bPlace = getelementptr i8, ptr addrspace(3) @global_smem, i32 %bOffset
      %n = and i32 %t, 7
      %n1 = add i32 %n, 1
      %value = uitofp i32 %n1 to half
      %one = insertelement <8 x half> poison, half %value, i32 0
      %row = shufflevector <8 x half> %one, <8 x half> poison, <8 x i32> zeroinitializer
      store <8 x half> %row, ptr addrspace(3) %bPlace, align 16
      br label %stored
    stored:
)";
  auto descriptor = [&](const std::string &name, int offset, uint64_t form) {
    text += "%at" + name + " = add i32 %base, " + std::to_string(offset) + "\n%low" + name +
            " = and i32 %at" + name + ", 262143\n%units" + name + " = lshr i32 %low" + name +
            ", 4\n%wide" + name + " = zext i32 %units" + name + " to i64\n%" + name +
            " = or i64 %wide" + name + ", " + std::to_string(form) + "\n";
  };
  descriptor("a", 0, aForm);
  descriptor("b", bOffset, bForm);
  return makeKernel("out: *fp32", text + body + "ret void\n}\n", warps, aBytes + bBytes);
}

SimulatorOptions completing(AsyncCompletion completion) {
  SimulatorOptions options;
  options.asyncCompletion = completion;
  return options;
}

std::string faultOf(const CompiledKernel &kernel, int outputs = threads) {
  std::string late = errorOf(kernel, {floats(outputs)});
  EXPECT_EQ(late, errorOf(kernel, {floats(outputs)}, completing(AsyncCompletion::Early)));
  return late;
}

const std::string proxyFence = "call void @llvm.nvvm.fence.proxy.async.shared_cta()\n";
const std::string barrier = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
const std::string fence = "call void @llvm.nvvm.wgmma.fence.sync.aligned()\n";
const std::string commit = "call void @llvm.nvvm.wgmma.commit_group.sync.aligned()\n";
const std::string here = ", !dbg !1000", there = ", !dbg !2000";

/// The four registers of a struct.
std::string registersOf(const std::string &name) {
  std::string text;
  for (int i = 0; i < 4; ++i)
    text += "%" + name + std::to_string(i) + " = extractvalue {float, float, float, float} %" +
            name + ", " + std::to_string(i) + "\n";
  return text;
}
/// A product named `name` of an accumulator of 0, or of the registers of `c`.
std::string product(const std::string &name, const std::string &c = {},
                    const std::string &location = {}) {
  std::string text = "%" + name +
                     " = call {float, float, float, float} "
                     "@tilewright.wgmma.m64n8k16.f32.f16.f16.ss(";
  for (int i = 0; i < 4; ++i)
    text += "float " + (c.empty() ? "0.0" : "%" + c + std::to_string(i)) + ", ";
  return text + "i64 %a, i64 %b, i1 true, i1 false, i1 false)" + location + "\n" +
         registersOf(name);
}
std::string wait(const std::string &name, int left, const std::string &of) {
  std::string text =
      "%" + name + " = call {float, float, float, float} @tilewright.wgmma.wait_group.f32x4(i32 " +
      std::to_string(left);
  for (int i = 0; i < 4; ++i)
    text += ", float %" + of + std::to_string(i);
  return text + ")\n" + registersOf(name);
}
std::string give(const std::string &value, const std::string &location = {}) {
  return "store float %" + value + ", ptr addrspace(1) %y, align 4" + location + "\n";
}

const std::string ready = proxyFence + barrier + fence;

} // namespace

TEST(WarpGroup, Product) {
  for (AsyncCompletion completion : {AsyncCompletion::Late, AsyncCompletion::Early}) {
    std::vector<ArgumentValue> arguments = {floats(threads)};
    Expected<void> done = Launcher(completing(completion))
                              .run(productKernel(ready + product("d") + product("e", "d") + commit +
                                                 wait("w", 0, "e") + give("w1")),
                                   arguments);
    ASSERT_TRUE(done) << render(done.error());
    const auto *values =
        reinterpret_cast<const float *>(std::get<HostArray>(arguments[0]).bytes.data());
    // Register 1 of thread t is in column 2 (t mod 4) + 1.
    for (int t = 0; t < threads; ++t)
      EXPECT_EQ(values[t], 2 * 16 * (2 * (t % 4) + 2)) << t;
  }
}

// The fence may be the writers' before the barrier, or the readers' after it.
TEST(WarpGroup, FenceAfterTheBarrier) {
  std::vector<ArgumentValue> arguments = {floats(threads)};
  Expected<void> done = Launcher().run(productKernel(barrier + proxyFence + fence + product("d") +
                                                     commit + wait("w", 0, "d") + give("w0")),
                                       arguments);
  ASSERT_TRUE(done) << render(done.error());
}

// What cp.async has brought products see without one.
TEST(WarpGroup, CopiesWithoutFence) {
  const std::string copy = "%from = getelementptr i8, ptr addrspace(1) %out, i32 %aOffset\n"
                           "call void @llvm.nvvm.cp.async.cg.shared.global.16("
                           "ptr addrspace(3) %aPlace, ptr addrspace(1) %from)\n"
                           "call void @llvm.nvvm.cp.async.wait.all()\n";
  std::vector<ArgumentValue> arguments = {floats(4 * threads)};
  Expected<void> done =
      Launcher().run(productKernel(proxyFence + copy + barrier + fence + product("d") + commit +
                                   wait("w", 0, "d") + give("w0")),
                     arguments);
  ASSERT_TRUE(done) << render(done.error());
}

TEST(WarpGroup, MissingProxyFence) {
  const std::string error = faultOf(productKernel(barrier + fence + product("d", "", here) +
                                                  commit + wait("w", 0, "d") + give("w0")));
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: asynchronous read of 16 bytes of byte 0 of "
                                "shared memory through the asynchronous proxy"));
}

TEST(WarpGroup, MissingBarrier) {
  const std::string error = faultOf(productKernel(proxyFence + fence + product("d", "", here) +
                                                  commit + wait("w", 0, "d") + give("w0")));
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: race in shared memory: a write and then a "
                                "read"));
}

TEST(WarpGroup, MissingFence) {
  const std::string error = faultOf(productKernel(proxyFence + barrier + product("d", "", here) +
                                                  commit + wait("w", 0, "d") + give("w0")));
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: the registers of a product may have been "
                                "written since the last wgmma.fence"));
}

// A second group with another accumulator needs its own.
TEST(WarpGroup, MissingFenceOfTheSecondGroup) {
  const std::string error =
      faultOf(productKernel(ready + product("d") + commit + product("e", "", here) + commit +
                            wait("w", 0, "d") + wait("x", 0, "e") + give("w0")));
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: the registers of a product"));
}

TEST(WarpGroup, WaitForOneGroupTooFew) {
  const std::string error =
      faultOf(productKernel(ready + product("d") + commit + product("e", "d", here) + commit +
                            wait("w", 1, "e") + give("w0", there)));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: the result of an asynchronous product is "
                                "used before it is complete"));
  EXPECT_THAT(error, HasSubstr("wait until at most 0 groups are under way"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: the product was issued here"));
}

// The first of two groups is what a wait for all but one gives.
TEST(WarpGroup, WaitForTheFirstGroup) {
  std::vector<ArgumentValue> arguments = {floats(threads)};
  Expected<void> done =
      Launcher().run(productKernel(ready + product("d") + commit + fence + product("e") + commit +
                                   wait("w", 1, "d") + give("w0") + wait("x", 0, "e")),
                     arguments);
  ASSERT_TRUE(done) << render(done.error());
}

TEST(WarpGroup, OperandOverwrittenTooEarly) {
  const std::string error = faultOf(productKernel(ready + product("d", "", here) + commit +
                                                  "store i8 0, ptr addrspace(3) %aPlace, align 1" +
                                                  there + "\n" + wait("w", 0, "d") + give("w0")));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: store of 1 byte of shared memory"));
  EXPECT_THAT(error, HasSubstr("is still read by an outstanding asynchronous operation"));
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: note: thread 0 issued the operation here"));
}

// What lies behind the last row was never written, or is not there at all.
TEST(WarpGroup, DescriptorOffByARow) {
  const std::string error = faultOf(productKernel(
      ready + product("d", "", here) + commit + wait("w", 0, "d") + give("w0"), aBytes + 16));
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: asynchronous read of 16 bytes at offset " +
                                std::to_string(aBytes + bBytes) + " outside of shared memory"));
}

TEST(WarpGroup, DifferentDescriptors) {
  const std::string error = faultOf(productKernel(
      "%lane = zext i32 %t to i64\n%other = xor i64 %a, %lane\n" + ready +
      "%d = call {float, float, float, float} @tilewright.wgmma.m64n8k16.f32.f16.f16.ss(float 0.0, "
      "float 0.0, float 0.0, float 0.0, i64 %other, i64 %b, i1 true, i1 false, i1 false)" +
      here + "\n" + registersOf("d") + commit + wait("w", 0, "d") + give("w0")));
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: the threads of a warpgroup give a product "
                                "different descriptors"));
}

TEST(WarpGroup, TooFewWarps) {
  const std::string error = faultOf(
      productKernel(ready + product("d", "", here) + commit + wait("w", 0, "d") + give("w0"),
                    aBytes, 2),
      64);
  EXPECT_THAT(error, StartsWith("kernel.py:10:7: error: wgmma takes 4 consecutive warps, but the "
                                "block has 2"));
}
