//===- Fiber.cpp - Fibers: threads with stacks of their own -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/Fiber.h"

#include <boost/context/protected_fixedsize_stack.hpp>

#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#endif

using namespace tilewright;
using namespace tilewright::simulate;
namespace context = boost::context;

/// Tells the address sanitizer that the stack is about to change to `bottom`; gives what
/// `enteredStack` needs once control is back.
static void *leavingStack([[maybe_unused]] const void *bottom, [[maybe_unused]] size_t bytes) {
  void *saved = nullptr;
#if __has_feature(address_sanitizer)
  __sanitizer_start_switch_fiber(&saved, bottom, bytes);
#endif
  return saved;
}

/// The same where control never comes back.
static void leavingForGood([[maybe_unused]] const void *bottom, [[maybe_unused]] size_t bytes) {
#if __has_feature(address_sanitizer)
  __sanitizer_start_switch_fiber(nullptr, bottom, bytes);
#endif
}

/// Tells it that the change has happened; `bottom` and `bytes`, if not null, get the
/// stack that was left.
static void enteredStack([[maybe_unused]] void *saved, [[maybe_unused]] const void **bottom,
                         [[maybe_unused]] size_t *bytes) {
#if __has_feature(address_sanitizer)
  __sanitizer_finish_switch_fiber(saved, bottom, bytes);
#endif
}

Fiber::Fiber(size_t stackBytes) {
  context::protected_fixedsize_stack allocator(stackBytes);
  context::stack_context stack = allocator.allocate();
  own = {static_cast<char *>(stack.sp) - stack.size, stack.size};
  worker = context::fiber(std::allocator_arg, context::preallocated(stack.sp, stack.size, stack),
                          allocator, [this](context::fiber &&from) {
                            caller = std::move(from);
                            loop();
                            return std::move(caller);
                          });
}

void Fiber::start(Body newBody, void *newArgument) {
  body = newBody;
  argument = newArgument;
  begun = false;
}

void Fiber::cancel() {
  if (body && begun) {
    cancelled = true;
    resume();
    cancelled = false;
  }
  body = nullptr;
}

void Fiber::resume() {
  begun = true;
  void *saved = leavingStack(own.bottom, own.bytes);
  worker = std::move(worker).resume();
  enteredStack(saved, nullptr, nullptr);
}

void Fiber::suspend() {
  void *saved = leavingStack(callers.bottom, callers.bytes);
  caller = std::move(caller).resume();
  enteredStack(saved, &callers.bottom, &callers.bytes);
  if (cancelled && body)
    abandon();
}

void Fiber::abandon() { std::longjmp(beginning, 1); }

void Fiber::loop() {
  enteredStack(nullptr, &callers.bottom, &callers.bytes);
  while (!leaving) {
    if (setjmp(beginning) == 0)
      body(argument);
    body = nullptr;
    suspend();
  }
  leavingForGood(callers.bottom, callers.bytes);
}

Fiber::~Fiber() {
  leaving = true;
  resume();
}
