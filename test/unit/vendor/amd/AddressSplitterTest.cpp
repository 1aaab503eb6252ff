//===- AddressSplitterTest.cpp - Parts of an address sum to the address -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Random sums of a program's number, a lane's and constants are taken apart; then the address and
// its parts are computed for random numbers and must agree.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/AddressSplitter.h"
#include "RandomAddress.h"
#include "target/Target.h"
#include "vendor/amd/emit/AmdgpuMachine.h"

#include "llvm/IR/Verifier.h"

#include <optional>

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

TEST(AddressSplitter, PartsMakeTheAddress) {
  std::mt19937 random(11);
  const target::Target &target = *target::Target::find("hip:gfx1100");
  std::shared_ptr<TargetMachine> machine = createAmdgpuMachine(target, {});
  unsigned splits = 0, withLanes = 0, withLarge = 0;
  for (int round = 0; round < 2000; ++round) {
    RandomAddress test(random, *machine);
    AddressSplitter splitter(*test.function, *machine);
    std::optional<SplitAddress> parts = splitter.split(test.address, 16);
    Value *lanePointer = parts && parts->offset ? splitter.getLanePointer(*parts) : nullptr;
    ASSERT_FALSE(verifyFunction(*test.function, &errs()));
    if (!parts)
      continue;
    ++splits;
    withLanes += parts->offset != nullptr;
    withLarge += parts->offset && parts->large;
    for (int program : {0, 1, 77, 40000}) {
      const uint64_t base = 0x7f0012345600, n = test.pick(20000) - 10000;
      std::optional<uint64_t> sharedBase;
      for (uint64_t lane : {0, 1, 31, 200, 255}) {
        Evaluator evaluator;
        evaluator.values = {{test.function->getArg(0), base},
                            {test.function->getArg(1), uint32_t(n)},
                            {test.lane, lane},
                            {test.program, uint64_t(program)}};
        const uint64_t made = evaluator.valueOf(parts->base);
        const uint64_t offset = parts->offset ? evaluator.valueOf(parts->offset) : 0;
        ASSERT_EQ(made, sharedBase.value_or(made)) << "lanes have bases of their own";
        sharedBase = made;
        ASSERT_LE(offset + parts->constant + 16, uint64_t(1) << 31);
        const uint64_t large = parts->large ? evaluator.valueOf(parts->large) : 0;
        if (lanePointer)
          ASSERT_EQ(made + offset, evaluator.valueOf(lanePointer));
        ASSERT_EQ(made + large + offset + parts->constant, evaluator.valueOf(test.address))
            << "round " << round << ", program " << program << ", lane " << lane;
      }
    }
  }
  // Most can be split: else the test would say nothing.
  EXPECT_GT(splits, 800u);
  EXPECT_GT(withLanes, 400u);
  EXPECT_GT(withLarge, 100u);
}
