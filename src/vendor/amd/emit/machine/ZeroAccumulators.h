//===- ZeroAccumulators.h - Products that begin a sum ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_ZEROACCUMULATORS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_ZEROACCUMULATORS_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace tilewright::emit {

/// Gives WMMA that add to zero the constant 0, where LLVM selects registers that hold it: on gfx11,
/// eight of them through the whole loop. To run before passes that move instructions out of loops.
llvm::FunctionPass *createZeroAccumulatorsPass();

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_ZEROACCUMULATORS_H
