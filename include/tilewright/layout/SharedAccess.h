//===- SharedAccess.h - One access to shared memory -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_SHAREDACCESS_H
#define TILEWRIGHT_LAYOUT_SHAREDACCESS_H

#include "tilewright/support/FixedVector.h"

#include <cstdint>

namespace tilewright::plan {

/// One access, by an atom that the plan names. The address that a thread gives, in
/// elements from the start of the memory, is (base ^ xorOffset) + addOffset, where base is the
/// thread's part of the plan's map. registers[j] is what the atom calls register j of the thread:
/// of a copy that each lane does for itself the element j from the address on, otherwise the one
/// that AccessForm::locate tells.
struct SharedAccess {
  /// At most as many as the widest access has bytes.
  FixedVector<unsigned, 16> registers;
  uint32_t xorOffset = 0;
  uint32_t addOffset = 0;
};

} // namespace tilewright::plan

#endif // TILEWRIGHT_LAYOUT_SHAREDACCESS_H
