//===- Simulator.h - The CPU simulator device -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A device that runs a kernel's LLVM IR - the very module that goes into the GPU's back
// end - on the host's CPU, as a GPU would: a fiber for each thread, meeting at barriers
// and warp-wide operations. While it runs, it checks what a GPU does not:
//
//   - accesses outside of the buffer that an argument points to, or misaligned ones
//   - accesses outside of shared memory, and reads of bytes that nobody has written
//   - two threads touching a byte of shared memory, one of them writing, with nothing
//     that orders the two
//   - accesses to what an asynchronous copy writes before it is complete
//   - threads that wait for each other at different places, or for threads that ended
//   - integer division by zero, traps, and loops without end
//
// The first such error ends the launch, which returns it with its place in the source,
// the block and the thread. docs/simulator.md is the chapter on all this.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATOR_H
#define TILEWRIGHT_SIMULATOR_H

#include "tilewright/Runtime.h"
#include "tilewright/SimulatorReport.h"
#include "tilewright/SimulatorTrace.h"

#include <cstdint>
#include <memory>

namespace tilewright::simulate {

/// When the data of asynchronous operations moves, between their issue and the wait that completes
/// them. A kernel whose results depend on it is faulty.
enum class AsyncCompletion {
  /// As late as the wait allows.
  Late,
  /// At once.
  Early,
};

struct SimulatorOptions {
  /// Count memory traffic and collectives (Simulator::report). Several times slower.
  bool count = false;
  /// Record what warps do, too (Simulator::trace), with `count` alone. Of programs that clusters
  /// run nothing is recorded: their blocks take turns.
  bool trace = false;
  /// Check that accesses to global memory are ordered, within a program and between programs, and
  /// that what is loaded has been written. Takes up to 4 times the time, and 44 bytes for each byte
  /// that a launch accesses (88 for elements of 2 bytes).
  bool globalOrder = false;
  /// A thread that goes round loops more often than this in all has run away.
  int64_t loopIterationLimit = int64_t(1) << 31;
  AsyncCompletion asyncCompletion = AsyncCompletion::Late;
  /// The most shared memory that a block may ask for, in bytes.
  int sharedBytesLimit = 256 * 1024;
};

class Simulator : public runtime::Device {
public:
  /// The counts of the launches since the last call of `clearReport`. Only the numbers of
  /// blocks and threads are kept unless SimulatorOptions::count is set.
  virtual const Report &report() const = 0;
  virtual void clearReport() = 0;
  /// The events of the launches, if SimulatorOptions::trace is set.
  virtual const Trace &trace() const = 0;

  /// Lets kernels access memory of the host in place, by its own addresses, until `free` of
  /// `begin`, which leaves it as it is. `label` names it in errors, and a store to memory that is
  /// read-only is one. Errors: it overlaps other memory of this device.
  virtual Expected<void> lend(uint64_t begin, size_t bytes, bool isReadOnly,
                              std::string_view label) = 0;
};

/// A simulator with memory of its own; it needs no GPU and no driver, and takes kernels for any
/// target that there is code for.
std::unique_ptr<Simulator> createSimulator(const SimulatorOptions &options = {});

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATOR_H
