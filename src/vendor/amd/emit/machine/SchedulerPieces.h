//===- SchedulerPieces.h - Long blocks after register allocation ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_SCHEDULERPIECES_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_SCHEDULERPIECES_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace tilewright::emit {

/// Cuts blocks of `longBlock` machine instructions and more, and in functions of `longFunction` all
/// that have several pieces, into pieces that are scheduled one by one. The scheduler after
/// register allocation, before which the pass is to run, looks at all pairs of instructions of a
/// piece, for two that can be issued as one. The scheduler before register allocation sees blocks
/// whole: in pieces it would keep more values alive.
llvm::FunctionPass *createSchedulerPiecesPass();

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_SCHEDULERPIECES_H
