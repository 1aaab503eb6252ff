//===- RunKernel.h - Launch of a compiled kernel --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_E2E_RUNKERNEL_H
#define TILEWRIGHT_TEST_E2E_RUNKERNEL_H

#include "tilewright/Runtime.h"

namespace tilewright::test {

/// Runs the kernel on the simulator, or on the device that TILEWRIGHT_E2E_DEVICE names ("opencl");
/// arrays among the arguments (those that are passed, in order) hold the results
/// afterwards.
///
/// Asynchronous copies complete late, or at once if TILEWRIGHT_E2E_ASYNC is "early". The order of
/// global memory is checked if TILEWRIGHT_E2E_ORDER is set.
///
/// If the environment names a folder in TILEWRIGHT_E2E_KEEP, each run leaves a folder there, as
/// test/hardware/make_cases.py does, for those who run the same code elsewhere: code and
/// description, case.json, NAME.npy and NAME.expected.npy for each array.
Expected<void> runKernel(const CompiledKernel &compiled, runtime::Grid grid,
                         std::span<runtime::ArgumentValue> arguments);

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_E2E_RUNKERNEL_H
