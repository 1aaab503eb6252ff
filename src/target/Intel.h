//===- Targets.h - The entries of Intel's GPUs ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_INTEL_H
#define TILEWRIGHT_TARGET_INTEL_H

#include "target/Target.h"

namespace tilewright::target::intel {

/// The entries of this vendor, oldest first.
std::span<const Target> targets();

} // namespace tilewright::target::intel

#endif // TILEWRIGHT_TARGET_INTEL_H
