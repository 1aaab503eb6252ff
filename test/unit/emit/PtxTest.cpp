//===- PtxTest.cpp - Emitting PTX in one process, many times ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/Emit.h"
#include "emit/nvidia/NvptxMachine.h"
#include "target/Target.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

#include <thread>
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

using namespace tilewright;
using namespace tilewright::emit;

static constexpr const char *goodKernel = R"(
define ptx_kernel void @scale(ptr addrspace(1) %x, float %a, float %b) {
  %v = load float, ptr addrspace(1) %x
  %p = fmul float %v, %a
  %s = fadd float %p, %b
  store float %s, ptr addrspace(1) %x
  ret void
}
)";

// An instruction that the targets before 9.0 do not have.
static constexpr const char *fatalKernel = R"(
define ptx_kernel void @fence() {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  ret void
}
)";

static const target::Target &cuda(const char *name) { return *target::Target::find(name); }

static OwnedModule parse(const char *text) {
  OwnedModule module;
  module.context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic error;
  module.module = llvm::parseAssemblyString(text, error, *module.context);
  EXPECT_NE(module.module, nullptr) << error.getMessage().str();
  return module;
}

static std::string ptxOf(const char *text, const char *target, const EmitOptions &options = {}) {
  Expected<EmittedCode> result = emitCode(parse(text), cuda(target), options);
  EXPECT_TRUE(result) << result.error().message;
  return result ? result->nativeCode : "";
}

TEST(Ptx, SharedAddressesHave32Bits) {
  EXPECT_NE(nvidiaDataLayout().find("p3:32:32"), std::string::npos);
  Expected<EmittedCode> result = emitCode(parse(goodKernel), cuda("cuda:80"));
  ASSERT_TRUE(result);
  EXPECT_NE(result->llir.find("target datalayout = \"" + nvidiaDataLayout() + "\""),
            std::string::npos);
}

TEST(Ptx, FusionIsAnOption) {
  EXPECT_NE(ptxOf(goodKernel, "cuda:90").find("fma.rn.f32"), std::string::npos);
  std::string exact = ptxOf(goodKernel, "cuda:90", {.fuseMultiplyAdd = false});
  EXPECT_EQ(exact.find("fma"), std::string::npos);
  // Without a rounding mode the assembler would fuse them after all.
  EXPECT_NE(exact.find("mul.rn.f32"), std::string::npos);
  EXPECT_NE(exact.find("add.rn.f32"), std::string::npos);
}

/// What a fatal error costs is memory that is never freed (BackendFailure::isFatal); the leak
/// checker is not to report that.
static Expected<EmittedCode> emitFatalKernel(const char *target) {
#if __has_feature(address_sanitizer)
  __lsan::ScopedDisabler noLeakCheck;
#endif
  return emitCode(parse(fatalKernel), cuda(target));
}

TEST(Ptx, FatalErrorsEndOneCompilationOnly) {
  std::string before = ptxOf(goodKernel, "cuda:80");
  for (int attempt = 0; attempt < 3; ++attempt) {
    Expected<EmittedCode> failed = emitFatalKernel("cuda:80");
    ASSERT_FALSE(failed);
    EXPECT_NE(failed.error().message.find("wgmma.fence"), std::string::npos);
    EXPECT_EQ(ptxOf(goodKernel, "cuda:80"), before);
  }
}

TEST(Ptx, ThreadsDoNotDisturbEachOther) {
  std::string expected = ptxOf(goodKernel, "cuda:90");
  std::vector<std::string> results(8);
  std::vector<std::thread> threads;
  for (std::string &result : results)
    threads.emplace_back([&result] {
      for (int run = 0; run < 10; ++run) {
        EXPECT_FALSE(emitFatalKernel("cuda:86"));
        result = ptxOf(goodKernel, "cuda:90");
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &result : results)
    EXPECT_EQ(result, expected);
}
