//===- LoadRuns.h - Runs of loads in flight together ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The loads of a tile are independent of each other, and a wave that sends all of them before it
// looks at the first waits once for global memory. LLVM's scheduler after register allocation
// counts how busy the units are rather than how long loads take, and moves arithmetic on what has
// been loaded in front of later loads, where it waits once more:
//
//     buffer_load_b128 v[5:8], ..        buffer_load_b128 v[5:8], ..
//     buffer_load_b128 v[13:16], ..      buffer_load_b128 v[13:16], ..
//     s_waitcnt vmcnt(0)                 buffer_load_b128 v[17:20], ..
//     v_cndmask_b32 v13, ..              buffer_load_b128 v[21:24], ..
//     buffer_load_b128 v[17:20], ..      s_waitcnt vmcnt(2)
//     buffer_load_b128 v[21:24], ..      v_cndmask_b32 v13, ..
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_LOADRUNS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_LOADRUNS_H

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace tilewright::emit {

/// Moves what depends on a load of global memory in `function` after the loads that follow it in
/// the same block, as many as fill 64 registers, unless something stands between that may write
/// memory or that depends on the first and the next depends on. Has the code generator keep vector
/// arithmetic on its side of the last of such loads.
void joinLoadRuns(llvm::Function &function);

/// Whether the instruction loads from global memory, and nothing depends on when.
bool isGlobalLoad(const llvm::Instruction &instruction);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_LOADRUNS_H
