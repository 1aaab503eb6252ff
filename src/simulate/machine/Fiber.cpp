//===- Fiber.cpp - Fibers: threads with stacks of their own -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/Fiber.h"

#include "llvm/Support/ErrorHandling.h"

#include <sys/mman.h>
#include <unistd.h>

#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#endif

using namespace tilewright;
using namespace tilewright::simulate;
namespace context = boost::context;

namespace {

/// Stacks after a page that nobody may touch, as Boost's protected_fixedsize_stack has them. That
/// asks an object of Boost's library for the size of a page, and in the archive of it
/// std::call_once wants static thread-local storage: a module that a process loads late may find
/// none left.
class GuardedStackAllocator {
public:
  explicit GuardedStackAllocator(size_t bytes) {
    const size_t page = sysconf(_SC_PAGESIZE);
    guardBytes = page;
    allBytes = (bytes + page - 1) / page * page + page;
  }

  context::stack_context allocate() const {
    void *memory = mmap(nullptr, allBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, guardBytes, PROT_NONE) != 0)
      llvm::report_bad_alloc_error("no memory for the stack of a simulated thread");
    context::stack_context stack;
    stack.size = allBytes;
    stack.sp = static_cast<char *>(memory) + allBytes;
    return stack;
  }

  void deallocate(context::stack_context &stack) const {
    munmap(static_cast<char *>(stack.sp) - stack.size, stack.size);
  }

private:
  size_t guardBytes;
  size_t allBytes;
};

} // namespace

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
  const GuardedStackAllocator allocator(stackBytes);
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
