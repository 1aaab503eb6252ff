//===- BarrierSplit.h - Products between the halves of barriers -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// From gfx12 on a barrier has two halves: a wave signals that it is there, and waits for the others
// to have signalled (RDNA4 Instruction Set Architecture, S_BARRIER_SIGNAL, S_BARRIER_WAIT). Before
// a tile in LDS is written anew all waves have to have read it; the products of what they have read
// last are computed between the halves:
//
//     load the last fragments                  load the last fragments
//     wmma; wmma; wmma; wmma                   wait for them; signal
//     barrier                          =>      wmma; wmma; wmma; wmma
//     store the next tile                      wait for the others
//                                              store the next tile
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_SYNC_BARRIERSPLIT_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_SYNC_BARRIERSPLIT_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Makes waves signal before products of `function` that stand between the last load of LDS and a
/// barrier.
void splitBarriers(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_SYNC_BARRIERSPLIT_H
