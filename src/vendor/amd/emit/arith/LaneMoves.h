//===- LaneMoves.h - Moves between lanes beside their users ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_LANEMOVES_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_LANEMOVES_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Places a move between lanes right before the one instruction that takes its result, if that
/// stands far from it in the same block. LLVM's gcn-dpp-combine makes one instruction of both only
/// where there are fewer than 20 between them, and a reduction of many rows moves all of them
/// before it adds:
///
///     v_mov_b32_dpp v2, v1 row_xmask:8
///     ..                                    becomes    v_add_f32_dpp v1, v1, v1 row_xmask:8
///     v_add_f32 v1, v1, v2
///
/// Long blocks, whose spills depend on their order, stay as they are.
void placeLaneMovesAtUsers(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_LANEMOVES_H
