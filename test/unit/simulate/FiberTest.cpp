//===- FiberTest.cpp - Fibers and their stacks --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/Fiber.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

using tilewright::simulate::Fiber;

namespace {
struct Walk {
  Fiber *fiber;
  std::vector<int> *trace;
  int name;
  int steps;
};
} // namespace

static void walk(void *argument) {
  Walk &own = *static_cast<Walk *>(argument);
  for (int i = 0; i < own.steps; ++i) {
    own.trace->push_back(own.name * 10 + i);
    own.fiber->suspend();
  }
}

TEST(Fiber, BodiesInterleave) {
  Fiber first(65536), second(65536);
  std::vector<int> trace;
  Walk a{&first, &trace, 1, 3}, b{&second, &trace, 2, 2};
  first.start(walk, &a);
  second.start(walk, &b);
  while (!first.idle() || !second.idle()) {
    if (!first.idle())
      first.resume();
    if (!second.idle())
      second.resume();
  }
  EXPECT_EQ(trace, (std::vector<int>{10, 20, 11, 21, 12}));
}

TEST(Fiber, StacksAreUsedAgain) {
  Fiber fiber(65536);
  std::vector<int> trace;
  for (int round = 0; round < 100; ++round) {
    Walk body{&fiber, &trace, round, 1};
    fiber.start(walk, &body);
    fiber.resume();
    EXPECT_FALSE(fiber.idle());
    fiber.resume();
    EXPECT_TRUE(fiber.idle());
  }
  EXPECT_EQ(trace.size(), 100u);
}

TEST(Fiber, CancelledAtAnyPoint) {
  Fiber fiber(65536);
  std::vector<int> trace;
  for (int resumes = 0; resumes < 4; ++resumes) {
    Walk body{&fiber, &trace, 1, 3};
    fiber.start(walk, &body);
    for (int i = 0; i < resumes; ++i)
      fiber.resume();
    fiber.cancel();
    EXPECT_TRUE(fiber.idle());
  }
  EXPECT_EQ(trace.size(), 0u + 1 + 2 + 3);
}

TEST(Fiber, AbandonedByItself) {
  Fiber fiber(65536);
  fiber.start(
      [](void *argument) {
        static_cast<Fiber *>(argument)->abandon();
        FAIL();
      },
      &fiber);
  fiber.resume();
  EXPECT_TRUE(fiber.idle());
}

TEST(Fiber, DestroyedBeforeItsBodyBegan) {
  Fiber never(65536);
  Fiber fiber(65536);
  fiber.start(walk, nullptr);
}
