//===- RuntimeCalls.cpp - Functions that simulated kernels call ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/RuntimeCalls.h"

#include "runtime/arrays/SmallFloat.h"
#include "simulate/machine/Machine.h"

#include <bit>

using namespace tilewright;
using namespace tilewright::simulate;

static void checkAddress(Machine *machine, uint32_t site, uint64_t address) {
  machine->checkAddress(site, address);
  machine->leaveIfFailed();
}

static void checkShared(Machine *machine, uint32_t site, uint64_t address) {
  machine->checkShared(site, address);
  machine->leaveIfFailed();
}

static void loadGlobal(Machine *machine, uint32_t site, uint64_t address) {
  machine->loadGlobal(site, address);
  machine->leaveIfFailed();
}

static void keepStored(Machine *machine, uint32_t site, uint64_t address) {
  machine->keepStored(site, address);
}

static void storedGlobal(Machine *machine, uint32_t site, uint64_t address) {
  machine->storedGlobal(site, address);
  machine->leaveIfFailed();
}

static AtomicOrder orderOf(uint32_t flags) {
  return {.releases = (flags & runtime_call::releases) != 0,
          .acquires = (flags & runtime_call::acquires) != 0,
          .isNarrow = (flags & runtime_call::isNarrow) != 0,
          .replaces = (flags & runtime_call::replaces) != 0};
}

static void operateOnGlobal(Machine *machine, uint32_t site, uint64_t address, uint32_t flags) {
  machine->operateOnGlobal(site, address, orderOf(flags));
  machine->leaveIfFailed();
}

static void fenceGlobal(Machine *machine, uint32_t, uint32_t flags) {
  machine->fenceGlobal(orderOf(flags));
}

static void countAccess(Machine *machine, uint32_t site, uint64_t address, uint32_t active) {
  machine->countAccess(site, address, active != 0);
}

static void countIteration(Machine *machine, uint32_t loop) { machine->countIteration(loop); }

static void blockBarrier(Machine *machine, uint32_t site, uint32_t ordersShared) {
  machine->blockBarrier(site, ordersShared != 0);
}

static void signalBarrier(Machine *machine, uint32_t site, uint32_t ordersShared) {
  machine->signalBarrier(site, ordersShared != 0);
  machine->leaveIfFailed();
}

static void waitAtBarrier(Machine *machine, uint32_t site, uint32_t ordersShared) {
  machine->waitAtBarrier(site, ordersShared != 0);
  machine->leaveIfFailed();
}

static void divisionByZero(Machine *machine, uint32_t site) {
  machine->fail(site, "integer division by zero");
  machine->leaveIfFailed();
}

static void falseAssumption(Machine *machine, uint32_t site) {
  machine->fail(site, "what the kernel assumes is false",
                "the compiler relies on it: correct the tl.assume, keep a view of several buffers "
                "within them, or launch accordingly");
  machine->leaveIfFailed();
}

static void trap(Machine *machine, uint32_t site) {
  machine->fail(site, "the kernel stopped itself with a trap");
  machine->leaveIfFailed();
}

static void noteAssertion(Machine *machine, uint32_t site, const char *message, const char *file,
                          uint32_t line) {
  machine->fail(site, std::string("assertion failed: ") + message + " (" + file + ":" +
                          std::to_string(line) + ")");
}

static void assertionFailed(Machine *machine, uint32_t site, const char *message, const char *file,
                            uint32_t line) {
  noteAssertion(machine, site, message, file, line);
  machine->leaveIfFailed();
}

static void tick(Machine *machine) {
  machine->tick();
  machine->leaveIfFailed();
}

// Code for hosts without instructions for 16-bit floating point calls these, by the names
// and calling conventions of the compiler's support library, which is not always linked
// in such a way that it can be found at run time.

template <typename To, typename From>
static To narrow(runtime::SmallFloatFormat format, From value) {
  return std::bit_cast<To>(runtime::encode(format, value));
}
static _Float16 floatToHalf(float value) { return narrow<_Float16>(runtime::float16, value); }
static _Float16 doubleToHalf(double value) { return narrow<_Float16>(runtime::float16, value); }
// LLVM widens and narrows bfloat16 even where it is only moved: what fits keeps its bits, those of
// a NaN, too.
static __bf16 floatToBFloat(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0xffff) == 0)
    return std::bit_cast<__bf16>(static_cast<uint16_t>(bits >> 16));
  return narrow<__bf16>(runtime::bfloat16, value);
}
static __bf16 doubleToBFloat(double value) { return narrow<__bf16>(runtime::bfloat16, value); }
static float halfToFloat(_Float16 value) {
  return static_cast<float>(runtime::decode(runtime::float16, std::bit_cast<uint16_t>(value)));
}

std::span<const RuntimeSymbol> tilewright::simulate::commonRuntimeSymbols() {
  static const RuntimeSymbol symbols[] = {
      {runtime_call::checkAddress, addressOf(checkAddress)},
      {runtime_call::checkShared, addressOf(checkShared)},
      {runtime_call::loadGlobal, addressOf(loadGlobal)},
      {runtime_call::keepStored, addressOf(keepStored)},
      {runtime_call::storedGlobal, addressOf(storedGlobal)},
      {runtime_call::operateOnGlobal, addressOf(operateOnGlobal)},
      {runtime_call::fenceGlobal, addressOf(fenceGlobal)},
      {runtime_call::countAccess, addressOf(countAccess)},
      {runtime_call::countIteration, addressOf(countIteration)},
      {runtime_call::blockBarrier, addressOf(blockBarrier)},
      {runtime_call::signalBarrier, addressOf(signalBarrier)},
      {runtime_call::waitAtBarrier, addressOf(waitAtBarrier)},
      {runtime_call::divisionByZero, addressOf(divisionByZero)},
      {runtime_call::falseAssumption, addressOf(falseAssumption)},
      {runtime_call::trap, addressOf(trap)},
      {runtime_call::tick, addressOf(tick)},
      {runtime_call::assertionFailed, addressOf(assertionFailed)},
      {"__truncsfhf2", addressOf(floatToHalf)},
      {"__truncdfhf2", addressOf(doubleToHalf)},
      {"__truncsfbf2", addressOf(floatToBFloat)},
      {"__truncdfbf2", addressOf(doubleToBFloat)},
      {"__extendhfsf2", addressOf(halfToFloat)},
  };
  return symbols;
}
