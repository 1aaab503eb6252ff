//===- ProcessorTest.cpp - Facts of AMD's processors beside LLVM's ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/AmdProcessor.h"

#include "emit/Emit.h"
#include "vendor/amd/emit/AmdgpuMachine.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::target::amd;

TEST(AmdProcessor, IsThatOfItsTarget) {
  unsigned count = 0;
  for (const Target &target : Target::all()) {
    if (target.vendor != Vendor::Amd)
      continue;
    ++count;
    const Processor &processor = processorOf(target);
    EXPECT_EQ(processor.name, target.processor);
    EXPECT_EQ(processor.waveLanes, target.execution.threadsPerWarp);
    EXPECT_EQ(processor.shared.bytes, target.shared.maxBytes);
    EXPECT_EQ(processor.shared.banks, target.shared.banks);
    EXPECT_EQ(processor.registers.vectors + processor.registers.accumulators,
              target.execution.maxRegistersPerThread);
  }
  EXPECT_EQ(count, processors().size());
}

TEST(AmdProcessor, FactsAreThoseOfLLVM) {
  for (const Target &target : Target::all()) {
    if (target.vendor != Vendor::Amd)
      continue;
    const Processor &processor = processorOf(target);
    std::shared_ptr<llvm::TargetMachine> machine = emit::createAmdgpuMachine(target, {});
    ASSERT_TRUE(machine);
    const llvm::MCSubtargetInfo &llvmFacts = *machine->getMCSubtargetInfo();
    const auto has = [&](const char *feature) { return llvmFacts.checkFeatures(feature); };
    EXPECT_TRUE(has(std::string(processor.waveFeature).c_str())) << target.name;
    EXPECT_EQ(processor.writesHalves, has("+real-true16")) << target.name;
    EXPECT_EQ(processor.hasDualIssue, has("+vopd")) << target.name;
    // The formats of gfx942's are others.
    EXPECT_EQ(processor.hasFloat8Casts,
              has("+fp8-conversion-insts") && (has("+gfx950-insts") || has("+gfx12-insts")))
        << target.name;
    EXPECT_TRUE(has(processor.hasMixedByteProducts ? "+dot8-insts" : "+dot1-insts")) << target.name;
    EXPECT_EQ(processor.registers.accumulators != 0, has("+mai-insts")) << target.name;
    EXPECT_EQ(processor.lanes.hasPermlane, has("+gfx10-insts")) << target.name;
    EXPECT_EQ(processor.hasScalarsWithDpp, has("+dpp-src1-sgpr")) << target.name;
    EXPECT_EQ(processor.waits == WaitFormat::Separate, has("+gfx12-insts")) << target.name;
    EXPECT_EQ(processor.waits == WaitFormat::Gfx9, has("+gfx90a-insts")) << target.name;
    EXPECT_EQ(processor.hasSplitBarriers, has("+gfx12-insts")) << target.name;
    EXPECT_EQ(processor.hasPrefetch, has("+gfx12-insts")) << target.name;
    EXPECT_EQ(processor.maxBufferOffset == 0x7fffff, has("+gfx12-insts")) << target.name;
  }
}
