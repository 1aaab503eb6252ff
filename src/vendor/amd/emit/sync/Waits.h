//===- Waits.h - Waits for accesses of memory in LLVM IR ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A wave waits until no more than so many of its accesses are under way. Before gfx12 one
// instruction, s_waitcnt, has a field for each counter; all ones wait for nothing. (RDNA3 and AMD
// Instinct MI300 Instruction Set Architecture, S_WAITCNT; RDNA4 Instruction Set Architecture,
// S_WAIT_DSCNT, S_WAIT_LOADCNT.)
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_SYNC_WAITS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_SYNC_WAITS_H

#include "target/AmdProcessor.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>

namespace tilewright::emit {

/// The operand of s_waitcnt that leaves at most so many accesses under way: of global memory, and
/// of LDS or, which they share the counter with, of constants. The largest numbers, 63 and, on
/// gfx9, 15, leave all.
constexpr unsigned waitcntOperand(target::amd::WaitFormat format, unsigned global,
                                  unsigned shared) {
  if (format == target::amd::WaitFormat::Gfx11)
    return global << 10 | shared << 4 | 7;
  return (global & 15) | 7 << 4 | std::min(shared, 15u) << 8 | (global >> 4) << 14;
}

/// Makes the wave wait for its accesses of LDS.
inline void waitForShared(llvm::IRBuilder<> &builder, target::amd::WaitFormat format) {
  if (format == target::amd::WaitFormat::Separate)
    builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_s_wait_dscnt, {}, {builder.getInt16(0)});
  else
    builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_s_waitcnt, {},
                            {builder.getInt32(waitcntOperand(format, 63, 0))});
}

/// Makes the wave wait for its loads of global memory.
inline void waitForGlobal(llvm::IRBuilder<> &builder, target::amd::WaitFormat format) {
  if (format == target::amd::WaitFormat::Separate)
    builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_s_wait_loadcnt, {}, {builder.getInt16(0)});
  else
    builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_s_waitcnt, {},
                            {builder.getInt32(waitcntOperand(format, 0, 63))});
}

/// Whether `instruction` is a wait for accesses of LDS alone, as `waitForShared` makes it.
inline bool isWaitForShared(const llvm::Instruction &instruction, target::amd::WaitFormat format) {
  using namespace llvm::PatternMatch;
  if (format == target::amd::WaitFormat::Separate)
    return match(&instruction, m_Intrinsic<llvm::Intrinsic::amdgcn_s_wait_dscnt>(m_Zero()));
  return match(&instruction, m_Intrinsic<llvm::Intrinsic::amdgcn_s_waitcnt>(
                                 m_SpecificInt(waitcntOperand(format, 63, 0))));
}

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_SYNC_WAITS_H
