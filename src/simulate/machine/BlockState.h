//===- BlockState.h - State of a block that one vendor knows --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_BLOCKSTATE_H
#define TILEWRIGHT_SIMULATE_MACHINE_BLOCKSTATE_H

namespace tilewright::simulate {

/// The memory of a vendor's operations from one call to the next (Machine::blockState).
class BlockState {
public:
  virtual ~BlockState() = default;
  /// A new block: nothing has happened yet.
  virtual void reset() = 0;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_BLOCKSTATE_H
