//===- MeasureTest.cpp - Configurations measured, one after the other ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/CompileSession.h"
#include "tilewright/Tuner.h"

#include "gmock/gmock.h"

#include <csignal>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::tune;
using runtime::ArgumentValue;
using runtime::ElementType;
using runtime::HostArray;
using testing::HasSubstr;

namespace {

/// A device on which a launch takes as long as the kernel's number of warps says, and leaves
/// that number times `factor` in its first argument. It counts.
class FakeDevice : public runtime::Device {
public:
  struct Log {
    int opened = 0, launches = 0, cleared = 0;
    /// Kernels of so many warps fail when they run, and the device is unusable from there on.
    int failingWarps = 0;
    /// Kernels of so many warps give something else.
    int wrongWarps = 0;
    /// Kernels of so many warps end the process, or never end.
    int crashingWarps = 0, endlessWarps = 0;
  };
  explicit FakeDevice(Log &log) : log(log) { ++log.opened; }

  std::string name() const override { return "fake"; }
  Expected<runtime::DevicePointer> allocate(size_t bytes, std::string_view) override {
    memory.push_back(std::vector<std::byte>(bytes));
    return runtime::DevicePointer{reinterpret_cast<uint64_t>(memory.back().data())};
  }
  Expected<void> free(runtime::DevicePointer) override { return {}; }
  Expected<void> copyIn(runtime::DevicePointer to, const void *from, size_t bytes) override {
    memcpy(reinterpret_cast<void *>(to.address), from, bytes);
    return {};
  }
  Expected<void> copyOut(void *to, runtime::DevicePointer from, size_t bytes) override {
    memcpy(to, reinterpret_cast<void *>(from.address), bytes);
    return {};
  }
  Expected<std::unique_ptr<runtime::Kernel>> load(const CompiledKernel &kernel) override {
    if (kernel.metadata.sharedBytes > 1000)
      return makeError("too much shared memory");
    return std::make_unique<runtime::Kernel>(kernel.metadata);
  }

protected:
  Expected<void> launchPacked(runtime::Kernel &kernel, runtime::Grid,
                              std::span<const uint64_t> parameters) override {
    int warps = kernel.metadata().numWarps;
    if (warps == log.crashingWarps)
      raise(SIGKILL);
    while (warps == log.endlessWarps)
      pause();
    broken = broken || warps == log.failingWarps;
    if (broken)
      return makeError("an illegal address");
    ++log.launches;
    auto *data = reinterpret_cast<float *>(parameters[0]);
    *data += warps == log.wrongWarps ? 7 : 1;
    return {};
  }
  Expected<double> timePacked(runtime::Kernel &kernel, runtime::Grid grid,
                              std::span<const uint64_t> parameters) override {
    if (auto done = launchPacked(kernel, grid, parameters); !done)
      return done.error();
    return 100.0 / kernel.metadata().numWarps;
  }
  Expected<void> clearCaches() override {
    ++log.cleared;
    return {};
  }

private:
  Log &log;
  bool broken = false;
  std::vector<std::vector<std::byte>> memory;
};

class MeasureTest : public testing::Test {
protected:
  /// A kernel with one pointer argument, "compiled" for so many warps.
  static CompileResult kernelOf(int warps, int sharedBytes = 0) {
    CompileResult result;
    result.compilation.emplace();
    KernelMetadata &metadata = result.compilation->kernel.metadata;
    metadata.name = "k";
    metadata.numWarps = warps;
    metadata.sharedBytes = sharedBytes;
    metadata.arguments = {{"p", "*fp32", 1, std::nullopt}};
    return result;
  }

  Expected<TuningResult> measureAll(const std::vector<CompileResult> &kernels,
                                    decltype(measure) &how = measure,
                                    std::optional<std::set<size_t>> only = std::nullopt) {
    HostArray array(ElementType::Float32, {1});
    const std::vector<ArgumentValue> arguments = {array};
    MeasureOptions options;
    options.secondsAtMost = 0.5;
    options.only = std::move(only);
    options.onTrial = [&](size_t index, const Trial &) { reported.push_back(index); };
    return how([&] { return openDevice(); }, kernels, arguments,
               [](size_t) -> Expected<runtime::Grid> { return runtime::Grid(); }, options);
  }

  Expected<std::unique_ptr<runtime::Device>> openDevice() {
    return std::unique_ptr<runtime::Device>(std::make_unique<FakeDevice>(log));
  }

  FakeDevice::Log log;
  std::vector<size_t> reported;
};

TEST_F(MeasureTest, TheQuickestIsTheBest) {
  auto result = measureAll({kernelOf(1), kernelOf(8), kernelOf(4)});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->best, 1u);
  EXPECT_EQ(result->trials[0].milliseconds, 100);
  EXPECT_THAT(reported, testing::ElementsAre(0, 1, 2));
  EXPECT_EQ(log.opened, 1);
  // Launches that are timed find cold caches: for each, one to see how long it takes and then at
  // most 200 ms of them; the run that gives the results and one to warm up are not timed.
  EXPECT_EQ(log.cleared, 3 + 2 + 16 + 8);
  EXPECT_EQ(log.launches, log.cleared + 6);
}

TEST_F(MeasureTest, WhatDoesNotCompileOrLoadIsReported) {
  CompileResult bad;
  bad.diagnostics = {makeError("no such thing")};
  auto result = measureAll({bad, kernelOf(2, /*sharedBytes=*/5000), kernelOf(1)});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->best, 2u);
  EXPECT_EQ(result->trials[0].error->message, "no such thing");
  EXPECT_EQ(result->trials[1].error->message, "too much shared memory");
  EXPECT_EQ(log.opened, 1);
}

TEST_F(MeasureTest, AFailedLaunchDoesNotSpoilTheNext) {
  log.failingWarps = 4;
  auto result = measureAll({kernelOf(4), kernelOf(2)});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->trials[0].outcome, Trial::Outcome::Failed);
  EXPECT_EQ(result->best, 1u);
  EXPECT_EQ(log.opened, 2);
}

TEST_F(MeasureTest, WrongResultsAreNotTheBest) {
  log.wrongWarps = 8;
  auto result = measureAll({kernelOf(1), kernelOf(8), kernelOf(2)});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->trials[1].outcome, Trial::Outcome::WrongResult);
  EXPECT_THAT(result->trials[1].error->message,
              HasSubstr("p[0] is 7.0, where the first configuration gave 1.0"));
  EXPECT_EQ(result->best, 2u);
}

TEST_F(MeasureTest, ChildrenDoTheSame) {
  log.wrongWarps = 16;
  auto result =
      measureAll({kernelOf(1), kernelOf(8), kernelOf(16), CompileResult()}, measureIsolated);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->best, 1u);
  EXPECT_EQ(result->trials[1].milliseconds, 12.5);
  EXPECT_EQ(result->trials[2].outcome, Trial::Outcome::WrongResult);
  EXPECT_EQ(result->trials[3].outcome, Trial::Outcome::Failed);
  EXPECT_THAT(reported, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(log.opened, 0) << "in this process";
}

TEST_F(MeasureTest, NoConfigurationHarmsTheNext) {
  log.failingWarps = 2;
  log.crashingWarps = 4;
  log.endlessWarps = 8;
  log.wrongWarps = 32;
  // A failing one as the first and as the last; the wrong one is compared with a result of a child
  // that is gone.
  auto result = measureAll(
      {kernelOf(2), kernelOf(1), kernelOf(4), kernelOf(8), kernelOf(32), kernelOf(16), kernelOf(4)},
      measureIsolated);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->trials.size(), 7u);
  EXPECT_EQ(result->trials[0].error->message, "an illegal address");
  EXPECT_TRUE(result->trials[1].isMeasured());
  EXPECT_THAT(result->trials[2].error->message, HasSubstr("ended by signal Killed"));
  EXPECT_THAT(result->trials[3].error->message, HasSubstr("longer than 0.5"));
  EXPECT_EQ(result->trials[4].outcome, Trial::Outcome::WrongResult);
  EXPECT_EQ(result->best, 5u);
  EXPECT_EQ(result->trials[6].outcome, Trial::Outcome::Failed);
}

TEST_F(MeasureTest, APartIsMeasuredAsAmongAll) {
  log.failingWarps = 2;
  log.wrongWarps = 4;
  for (auto *how : {measure, measureIsolated}) {
    // The first does not run, the second gives what the others are compared with.
    auto result = measureAll({kernelOf(2), kernelOf(1), kernelOf(4), kernelOf(16), kernelOf(8)},
                             *how, std::set<size_t>{2, 4});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->trials[0].outcome, Trial::Outcome::Failed);
    EXPECT_EQ(result->trials[1].outcome, Trial::Outcome::Skipped);
    EXPECT_EQ(result->trials[2].outcome, Trial::Outcome::WrongResult);
    EXPECT_EQ(result->trials[3].outcome, Trial::Outcome::Skipped);
    EXPECT_EQ(result->trials[4].milliseconds, 12.5);
    EXPECT_EQ(result->best, 4u);
  }
  // In this process: a run each of three, and the last one's measurement.
  EXPECT_EQ(log.launches, 3 + 1 + 1 + 16);
}

TEST_F(MeasureTest, ADeviceThatDoesNotOpenIsAnError) {
  const OpenDevice none = []() -> Expected<std::unique_ptr<runtime::Device>> {
    return makeError("no driver", "install one");
  };
  const std::vector<CompileResult> kernels = {kernelOf(1)};
  auto gridOf = [](size_t) -> Expected<runtime::Grid> { return runtime::Grid(); };
  for (auto *how : {measure, measureIsolated}) {
    auto result = how(none, kernels, {}, gridOf, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "no driver");
    EXPECT_EQ(result.error().remedy, "install one");
  }
  EXPECT_EQ(nameOfDevice(none).error().message, "no driver");
  EXPECT_EQ(*nameOfDevice([&] { return openDevice(); }), "fake");
}

TEST_F(MeasureTest, NoneIsRight) {
  auto result = measureAll({CompileResult()});
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->best);
}

} // namespace
