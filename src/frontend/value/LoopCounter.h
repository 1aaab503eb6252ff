//===- LoopCounter.h - The counter of a loop that has ended ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_VALUE_LOOPCOUNTER_H
#define TILEWRIGHT_FRONTEND_VALUE_LOOPCOUNTER_H

#include "frontend/value/TritonBuilder.h"

namespace tilewright::frontend {

/// The last value of the counter of a loop that has ended: of an Unavailable value with elements
/// (Value.h).
Value lastOf(TritonBuilder &tb, const Value &counter);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_VALUE_LOOPCOUNTER_H
