//===- BackendErrorsTest.cpp - Tests of LLVM's errors as diagnostics ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/BackendErrors.h"

#include "EmitText.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

using namespace tilewright;
using namespace tilewright::emit;
using namespace tilewright::emit::test;

/// As functions of LLVM are: no exception passes through it.
static void fail(const char *reason) noexcept { llvm::report_fatal_error(reason); }

TEST(BackendErrors, FatalErrorsEndTheStep) {
  llvm::LLVMContext context;
  auto failure = runBackendStep(context, [] { fail("planted"); });
  ASSERT_TRUE(failure);
  EXPECT_TRUE(failure->isFatal);
  EXPECT_EQ(failure->diagnostic.message, "the code generator gave up: planted");
  EXPECT_FALSE(runBackendStep(context, [] {}));
}

TEST(BackendErrors, FatalErrorsEndTheInnermostStep) {
  llvm::LLVMContext context;
  std::optional<BackendFailure> inner;
  auto outer = runBackendStep(context, [&] {
    inner = runBackendStep(context, [] { fail("inside"); });
    fail("outside");
  });
  ASSERT_TRUE(inner && outer);
  EXPECT_EQ(inner->diagnostic.message, "the code generator gave up: inside");
  EXPECT_EQ(outer->diagnostic.message, "the code generator gave up: outside");
}

/// A kernel with an operation that no other vendor's code generator has, nor one for the targets
/// before cuda:90.
static std::string fatalKernel(const std::string &callingConvention) {
  return "define " + callingConvention + R"( void @fence() {
    call void @llvm.nvvm.wgmma.fence.sync.aligned()
    ret void
  })";
}

/// What a fatal error costs is memory that is never freed (BackendFailure::isFatal); the leak
/// checker is not to report that.
static Expected<EmittedCode> emitFatal(const char *target, const std::string &callingConvention) {
#if __has_feature(address_sanitizer)
  __lsan::ScopedDisabler noLeakCheck;
#endif
  return emitText(target, fatalKernel(callingConvention));
}

// Instruction selection of each vendor: the next compilation is as it was before.
TEST(BackendErrors, EveryVendorsGeneratorGivesUpAndGoesOn) {
  const std::pair<const char *, const char *> vendors[] = {
      {"cuda:80", "ptx_kernel"}, {"hip:gfx1100", "amdgpu_kernel"}, {"xpu:bmg", "spir_kernel"}};
  for (auto [target, convention] : vendors) {
    const std::string before = codeOf(target, scaleKernel(convention)).nativeCode;
    for (int attempt = 0; attempt < 3; ++attempt) {
      Expected<EmittedCode> failed = emitFatal(target, convention);
      ASSERT_FALSE(failed) << target;
      EXPECT_EQ(failed.error().message.find("the code generator gave up"), 0u) << target;
      EXPECT_EQ(codeOf(target, scaleKernel(convention)).nativeCode, before) << target;
    }
  }
}
