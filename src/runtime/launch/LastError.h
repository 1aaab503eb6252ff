//===- LastError.h - Errors of the C interfaces ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_LAUNCH_LASTERROR_H
#define TILEWRIGHT_RUNTIME_LAUNCH_LASTERROR_H

#include "tilewright/Expected.h"

namespace tilewright::runtime {

/// Notes the error for this thread's tilewright_last_error. Returns 1, the status of a failure.
int fail(const Diagnostic &error);

/// The status of a result: 0, or that of its error, which is noted.
template <typename T> int finish(const Expected<T> &result) {
  return result ? 0 : fail(result.error());
}

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCH_LASTERROR_H
