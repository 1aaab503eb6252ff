//===- Fiber.h - Fibers: threads with stacks of their own -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A fiber runs one body after another on the same stack, so that stacks are made once
// and not for every thread of every block. A body that must not go on is abandoned by a
// jump back to the fiber's loop: compiled kernels have no tables to unwind by, and
// nothing to destroy.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_FIBER_H
#define TILEWRIGHT_SIMULATE_MACHINE_FIBER_H

#include <boost/context/fiber.hpp>

#include <csetjmp>
#include <cstddef>
#include <cstdint>

namespace tilewright::simulate {

class Fiber {
public:
  /// A body gets the argument that `start` was given.
  using Body = void (*)(void *);

  explicit Fiber(size_t stackBytes);
  /// The fiber must be idle, or its body not yet begun.
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Sets the body that the next `resume` begins. The fiber must be idle.
  void start(Body body, void *argument);
  /// Runs the body until it suspends itself, returns or is abandoned.
  void resume();
  /// Ends the body wherever it is, as `abandon` would.
  void cancel();
  /// No body is under way.
  bool idle() const { return body == nullptr; }

  /// Whether an address lies on the fiber's stack.
  bool owns(uint64_t address) const {
    return address - reinterpret_cast<uint64_t>(own.bottom) < own.bytes;
  }

  /// From within the body: goes back to whoever resumed the fiber.
  void suspend();
  /// From within the body: ends it here. Frames between the body's beginning and the
  /// call vanish without their destructors being run.
  [[noreturn]] void abandon();

private:
  void loop();

  boost::context::fiber worker, caller;
  Body body = nullptr;
  void *argument = nullptr;
  bool begun = false;
  bool cancelled = false;
  bool leaving = false;
  std::jmp_buf beginning;

  // The address sanitizer has to be told of every change of stacks.
  struct StackRange {
    const void *bottom = nullptr;
    size_t bytes = 0;
  };
  StackRange own, callers;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_FIBER_H
